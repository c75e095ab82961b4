//! Capabilities, extensions, entry points, decorations and copies.

use super::support::{KnownDevice, SpecializeCase, knows};
use crate::analysis::Analyses;
use std::borrow::Cow;

/// Two functions for two kinds of devices, chosen by one constant, with everything that can be conditional.
pub const KERNEL: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpConditionalCapabilityINTEL %fast Float64
OpConditionalCapabilityINTEL %slow Int64
OpConditionalCapabilityINTEL %fast Linkage
OpExtension "SPV_INTEL_function_variants"
OpConditionalExtensionINTEL %fast "SPV_KHR_expect_assume"
OpConditionalExtensionINTEL %slow "SPV_KHR_no_integer_wrap_decoration"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main "main"
OpConditionalEntryPointINTEL %fast Kernel %main_fast "fast"
OpConditionalEntryPointINTEL %slow Kernel %main_slow "slow"
OpExecutionMode %main_fast ContractionOff
OpExecutionMode %main_slow ContractionOff
OpName %f_fast "f_fast"
OpName %x_fast "x_fast"
OpDecorate %fast SpecId 7
OpDecorate %main_fast ConditionalINTEL %fast
OpDecorate %main_slow ConditionalINTEL %slow
OpDecorate %f_fast ConditionalINTEL %fast
OpDecorate %f_slow ConditionalINTEL %slow
OpDecorate %f64 ConditionalINTEL %fast
OpDecorate %one ConditionalINTEL %fast
OpDecorate %i64 ConditionalINTEL %slow
OpDecorate %r_fast ConditionalINTEL %fast
OpDecorate %r_slow ConditionalINTEL %slow
%bool = OpTypeBool
%fast = OpSpecConstantTrue %bool
%slow = OpSpecConstantOp %bool LogicalNot %fast
%void = OpTypeVoid
%i32 = OpTypeInt 32 0
%f64 = OpTypeFloat 64
%i64 = OpTypeInt 64 0
%one = OpConstant %f64 1
%fn = OpTypeFunction %void
%fi = OpTypeFunction %i32
%n3 = OpConstant %i32 3
%n4 = OpConstant %i32 4
%main = OpFunction %void None %fn
%l0 = OpLabel
%r_fast = OpFunctionCall %i32 %f_fast
%r_slow = OpFunctionCall %i32 %f_slow
%r = OpConditionalCopyObjectINTEL %i32 %fast %r_fast %slow %r_slow
%sum = OpIAdd %i32 %r %r
OpReturn
OpFunctionEnd
%main_fast = OpFunction %void None %fn
%l1 = OpLabel
OpReturn
OpFunctionEnd
%main_slow = OpFunction %void None %fn
%l2 = OpLabel
OpReturn
OpFunctionEnd
%f_fast = OpFunction %i32 None %fi
%l3 = OpLabel
%x_fast = OpFAdd %f64 %one %one
OpReturnValue %n3
OpFunctionEnd
%f_slow = OpFunction %i32 None %fi
%l4 = OpLabel
%x_slow = OpUConvert %i64 %n4
OpReturnValue %n4
OpFunctionEnd
"#;

#[test]
fn each_value_of_the_condition_leaves_its_half() {
    let case = SpecializeCase::new(KERNEL);
    let case = case.valid("spv1.6");

    let fast = case.on(&knows(&[(7, 1)]));
    fast.valid("opencl2.2").plain();
    fast.removed("main_slow l2 f_slow l4 x_slow i64 r_slow n4 fast slow bool");
    assert_eq!(
        fast.definition("r"),
        ("OpCopyObject".into(), vec![case.id("i32"), case.id("r"), case.id("r_fast")])
    );
    assert!(fast.all("OpCapability").contains(&vec![spirv::Capability::Float64 as u32]));
    // Linkage is not declared twice.
    assert_eq!(fast.all("OpCapability").len(), 4);
    assert_eq!(fast.all("OpExtension").len(), 1);
    assert_eq!(fast.all("OpEntryPoint").len(), 2);
    assert_eq!(fast.all("OpExecutionMode").len(), 1);
    assert_eq!(fast.all("OpName").len(), 2);
    assert_eq!(fast.all("OpDecorate"), Vec::<Vec<u32>>::new());
    assert_eq!(fast.report.removed_capabilities, [spirv::Capability::Int64 as u32]);
    assert_eq!(
        fast.report.kept_capabilities,
        [spirv::Capability::Float64, spirv::Capability::Linkage].map(|c| c as u32)
    );
    assert_eq!(fast.report.removed_functions.len(), 2);

    let slow = case.on(&knows(&[(7, 0)]));
    slow.valid("opencl2.2").plain();
    slow.removed("main_fast l1 f_fast l3 x_fast f64 one r_fast n3 fast slow bool");
    assert_eq!(slow.all("OpName").len(), 0);
}

#[test]
fn nothing_changes_where_nothing_is_known() {
    let case = SpecializeCase::new(KERNEL);
    let outcome = case.on(&KnownDevice::default());
    assert_eq!(outcome.words, case.words);
    assert!(outcome.report.undecided.iter().all(|undecided| undecided.unknown.spec_ids == [7]));
    // Three capabilities, two extensions, two entry points, nine decorations and a copy.
    assert_eq!(outcome.report.undecided.len(), 17);
}

#[test]
fn specializing_again_changes_nothing() {
    let case = SpecializeCase::new(KERNEL);
    let once = case.on(&knows(&[(7, 0)]));
    let module = crate::loader::Module::from_words(&once.words).unwrap();
    let again = crate::transform::specialize::specialize(
        &Analyses::new(&module, Cow::default()),
        &knows(&[(7, 1)]),
        &[],
        Default::default(),
    )
    .unwrap();
    assert!(again.edits.is_empty());
    assert!(!again.report.multi_target);
}

/// Two entry points of one function. (It is exported, so that it is kept without them; spirv-val requires either.)
const SHARED: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
OpConditionalEntryPointINTEL %a Kernel %main "first"
OpConditionalEntryPointINTEL %b Kernel %main "second"
OpExecutionMode %main ContractionOff
OpDecorate %main LinkageAttributes "exported" Export
OpDecorate %a SpecId 1
OpDecorate %b SpecId 2
%bool = OpTypeBool
%a = OpSpecConstantTrue %bool
%b = OpSpecConstantTrue %bool
%void = OpTypeVoid
%fn = OpTypeFunction %void
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
"#;

#[test]
fn execution_modes_go_with_the_last_entry_point() {
    let case = SpecializeCase::new(SHARED);
    let one = case.on(&knows(&[(1, 1), (2, 0)]));
    one.plain().removed("a b bool");
    assert_eq!(one.all("OpExecutionMode").len(), 1);
    assert_eq!(one.all("OpEntryPoint").len(), 1);
    let none = case.on(&knows(&[(1, 0), (2, 0)]));
    none.plain().removed("a b bool").valid("opencl2.2");
    assert_eq!(none.all("OpExecutionMode").len(), 0);
    // One remains undecided: the function may still become an entry point.
    let half = case.on(&knows(&[(1, 0)]));
    half.removed("a");
    assert_eq!(half.all("OpExecutionMode").len(), 1);
    assert_eq!(half.all("OpConditionalEntryPointINTEL").len(), 1);
    assert!(half.extension_left() > 0);
}

/// A function that only a removed entry point uses is removed, with the definitions that it uses.
#[test]
fn a_false_entry_point_leaves_its_function_to_the_sweep() {
    let case =
        SpecializeCase::new(&SHARED.replace("OpDecorate %main LinkageAttributes \"exported\" Export", ""));
    case.on(&knows(&[(1, 0), (2, 0)])).plain().removed("a b bool main l fn void");
}

/// Checks that a variable is removed if only the interface list of a removed entry point names it.
#[test]
fn a_false_entry_point_takes_its_interface() {
    let text = SHARED
        .replace("\"first\"", "\"first\" %named %referred")
        .replace("%fn = ", "%i32 = OpTypeInt 32 0\n%ptr = OpTypePointer CrossWorkgroup %i32\n%one = OpConstant %i32 1\n%named = OpVariable %ptr CrossWorkgroup %one\n%referred = OpVariable %ptr CrossWorkgroup %one\n%fn = ")
        .replace("OpReturn\n", "OpStore %referred %one\nOpReturn\n");
    let case = SpecializeCase::new(&text);
    case.on(&knows(&[(1, 0), (2, 1)])).plain().removed("a b bool named");
    case.on(&knows(&[(1, 1), (2, 1)])).plain().removed("a b bool");
}

const COPY: &str = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
OpName %r "joined"
OpName %b "second"
OpDecorate %f LinkageAttributes "f" Export
OpDecorate %a SpecId 1
OpDecorate %b SpecId 2
OpDecorate %c SpecId 3
%bool = OpTypeBool
%a = OpSpecConstantTrue %bool
%b = OpSpecConstantTrue %bool
%c = OpSpecConstantTrue %bool
%i32 = OpTypeInt 32 0
%fi = OpTypeFunction %i32
%n1 = OpConstant %i32 1
%n2 = OpConstant %i32 2
%n3 = OpConstant %i32 3
%f = OpFunction %i32 None %fi
%l = OpLabel
%r = OpConditionalCopyObjectINTEL %i32 %a %n1 %b %n2 %c %n3
OpReturnValue %r
OpFunctionEnd
"#;

#[test]
fn a_copy_takes_the_one_operand_whose_condition_is_true() {
    let case = SpecializeCase::new(COPY);
    let case = case.valid("spv1.6");
    let taken = case.on(&knows(&[(1, 0), (2, 1), (3, 0)]));
    taken.plain().removed("a b c bool n1 n3").valid("opencl2.2");
    assert_eq!(taken.definition("r").1, [case.id("i32"), case.id("r"), case.id("n2")]);
}

#[test]
fn a_copy_with_no_true_condition_or_two_is_an_error() {
    let case = SpecializeCase::new(COPY);
    let none = case.error(&knows(&[(1, 0), (2, 0), (3, 0)]));
    assert!(none.contains(&format!("%{} (joined)", case.id("r"))), "{none}");
    let two = case.error(&knows(&[(1, 0), (2, 1), (3, 1)]));
    assert!(two.contains("(joined)") && two.contains("(second)"), "{two}");
}

#[test]
fn an_undecided_copy_loses_its_false_operands() {
    let case = SpecializeCase::new(COPY);
    let half = case.on(&knows(&[(1, 0)]));
    half.removed("a n1").valid("spv1.6");
    let operands = [case.id("b"), case.id("n2"), case.id("c"), case.id("n3")];
    assert_eq!(half.definition("r").1[2..], operands);
    // A true one does not make the others false: that would hide two true ones.
    let half = case.on(&knows(&[(1, 1), (2, 0)]));
    half.removed("b n2").valid("spv1.6");
    assert_eq!(half.definition("r").1.len(), 6);
}

#[test]
fn decorations_of_groups_are_expanded() {
    let text = r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
OpDecorate %main LinkageAttributes "main" Export
OpDecorate %a SpecId 1
OpDecorate %b SpecId 2
OpDecorate %ga ConditionalINTEL %a
OpDecorate %gb ConditionalINTEL %b
OpDecorate %gb Alignment 8
%ga = OpDecorationGroup
%gb = OpDecorationGroup
%gn = OpDecorationGroup
OpGroupDecorate %ga %va %vc
OpGroupDecorate %gb %vb
OpGroupDecorate %gn %va %main
%bool = OpTypeBool
%a = OpSpecConstantTrue %bool
%b = OpSpecConstantTrue %bool
%void = OpTypeVoid
%fn = OpTypeFunction %void
%i32 = OpTypeInt 32 0
%ptr = OpTypePointer CrossWorkgroup %i32
%zero = OpConstantNull %i32
%va = OpVariable %ptr CrossWorkgroup %zero
%vb = OpVariable %ptr CrossWorkgroup %zero
%vc = OpVariable %ptr CrossWorkgroup %zero
%main = OpFunction %void None %fn
%l = OpLabel
OpReturn
OpFunctionEnd
"#;
    let case = SpecializeCase::new(text);
    let case = case.valid("spv1.6");
    let yes = case.on(&knows(&[(1, 1), (2, 1)]));
    yes.plain().removed("ga a b bool").valid("opencl2.2");
    assert_eq!(yes.all("OpGroupDecorate").len(), 2);
    assert!(yes.all("OpDecorate").contains(&vec![case.id("gb"), spirv::Decoration::Alignment as u32, 8]));
    let no = case.on(&knows(&[(1, 0), (2, 0)]));
    no.plain().removed("ga gb a b bool va vb vc ptr zero i32").valid("opencl2.2");
    assert_eq!(no.all("OpGroupDecorate"), [[case.id("gn"), case.id("main")]]);
    let half = case.on(&knows(&[(1, 0)]));
    half.removed("ga a va vc").valid("spv1.6");
}

#[test]
fn two_conditions_on_one_id_are_an_error() {
    let text = COPY.replace(
        "OpName %b \"second\"",
        "OpName %f \"twice\"\nOpDecorate %f ConditionalINTEL %a\nOpDecorate %f ConditionalINTEL %b",
    );
    let case = SpecializeCase::new(&text);
    let error = case.error(&KnownDevice::default());
    assert!(error.contains("(twice)") && error.contains("more than one"), "{error}");
}

#[test]
fn a_condition_that_is_no_boolean_is_an_error() {
    let case = SpecializeCase::new(&COPY.replace("%a %n1", "%n1 %n1"));
    let error = case.error(&KnownDevice::default());
    assert!(error.contains("not a scalar Boolean"), "{error}");
}

#[test]
fn a_removed_id_with_a_kept_use_is_an_error_that_names_both() {
    let conditional = |with: &str| COPY.replace("OpName %b \"second\"", with);
    let text = conditional("OpName %n2 \"two\"\nOpDecorate %n2 ConditionalINTEL %b");
    let case = SpecializeCase::new(&text);
    // The copy drops the operand with the condition: no use is left.
    case.on(&knows(&[(2, 0)])).removed("b n2").valid("spv1.6");
    // OpReturnValue uses it.
    let case = SpecializeCase::new(&text.replace("OpReturnValue %r", "OpReturnValue %n2"));
    let error = case.error(&knows(&[(2, 0)]));
    assert!(error.contains("(two)") && error.contains("OpReturnValue"), "{error}");
    // A use at module scope.
    let case = SpecializeCase::new(
        &text
            .replace("%f = ", "%two = OpConstantComposite %v2 %n2 %n2\n%f = ")
            .replace("%n1 = ", "%v2 = OpTypeVector %i32 2\n%n1 = "),
    );
    let error = case.error(&knows(&[(2, 0)]));
    assert!(error.contains("(two)") && error.contains("OpConstantComposite"), "{error}");
    // A user that remains conditional counts as well.
    let text = conditional(
        "OpName %n2 \"two\"\nOpDecorate %n2 ConditionalINTEL %b\nOpDecorate %two ConditionalINTEL %c",
    );
    let case = SpecializeCase::new(
        &text
            .replace("%f = ", "%two = OpConstantComposite %v2 %n2 %n2\n%f = ")
            .replace("%n1 = ", "%v2 = OpTypeVector %i32 2\n%n1 = "),
    );
    assert!(case.error(&knows(&[(2, 0)])).contains("(two)"));
    case.on(&knows(&[(2, 0), (3, 0), (1, 1)])).plain().removed("two v2 n2 n3 a b c bool").valid("opencl2.2");
}

#[test]
fn the_result_of_a_removed_call_cannot_be_used() {
    let case =
        SpecializeCase::new(&KERNEL.replace("%sum = OpIAdd %i32 %r %r", "%sum = OpIAdd %i32 %r %r_slow"));
    let error = case.error(&knows(&[(7, 1)]));
    assert!(error.contains(&format!("%{}", case.id("r_slow"))) && error.contains("OpIAdd"), "{error}");
    case.on(&knows(&[(7, 0)])).plain();
}

#[test]
fn only_ids_that_may_be_conditional_are_removed() {
    let case = SpecializeCase::new(&KERNEL.replace(
        "ConditionalINTEL %slow\n%bool",
        "ConditionalINTEL %slow\nOpDecorate %sum ConditionalINTEL %fast\n%bool",
    ));
    let error = case.error(&knows(&[(7, 0)]));
    assert!(error.contains("OpIAdd"), "{error}");
}
