//! Definitions that are removed because they lost all uses, and definitions that are kept nevertheless.

use super::support::{SpecializeCase, knows};
use crate::transform::specialize::UnsetPolicy;

/// A fragment shader: a conditional function with definitions that it alone uses, and similar ones that are kept.
pub const SHADER: &str = r#"
OpCapability Shader
OpCapability SpecConditionalINTEL
OpConditionalCapabilityINTEL %c Float64
OpExtension "SPV_INTEL_function_variants"
%glsl = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %in %out %unused_out %coord %private %private_gone %block
OpExecutionMode %main OriginUpperLeft
OpName %f "f"
OpName %s_gone "S"
OpMemberName %s_gone 0 "member"
OpName %helper "helper"
OpName %helper_sum "sum"
OpDecorate %c SpecId 1
OpDecorate %host SpecId 2
OpDecorate %in Location 0
OpDecorate %out Location 0
OpDecorate %place Location 1
%place = OpDecorationGroup
OpGroupDecorate %place %unused_out
OpDecorate %coord BuiltIn FragCoord
OpDecorate %block_type Block
OpMemberDecorate %block_type 0 Location 2
OpMemberDecorate %s_gone 0 RelaxedPrecision
OpDecorate %helper_sum RelaxedPrecision
OpDecorate %f ConditionalINTEL %c
OpDecorate %call ConditionalINTEL %c
OpDecorate %f64 ConditionalINTEL %c
%void = OpTypeVoid
%bool = OpTypeBool
%c = OpSpecConstantFalse %bool
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%v4 = OpTypeVector %f32 4
%unreferenced = OpTypeVector %f32 2
%s_gone = OpTypeStruct %f32
%s_kept = OpTypeStruct %f32 %f32
%block_type = OpTypeStruct %v4
%in_v4 = OpTypePointer Input %v4
%out_v4 = OpTypePointer Output %v4
%out_f = OpTypePointer Output %f32
%out_block = OpTypePointer Output %block_type
%priv = OpTypePointer Private %f32
%priv_s = OpTypePointer Private %s_gone
%in = OpVariable %in_v4 Input
%coord = OpVariable %in_v4 Input
%out = OpVariable %out_v4 Output
%unused_out = OpVariable %out_f Output
%block = OpVariable %out_block Output
%private = OpVariable %priv Private
%private_gone = OpVariable %priv_s Private
%u32 = OpTypeInt 32 0
%zero = OpConstant %u32 0
%host = OpSpecConstant %u32 3
%half = OpConstant %f32 0.5
%both = OpConstant %f32 2
%ff = OpTypeFunction %f32 %f32
%ptr_f = OpTypePointer Output %f32
%main = OpFunction %void None %fn
%l0 = OpLabel
%x = OpLoad %v4 %in
%y = OpVectorTimesScalar %v4 %x %both
OpStore %out %y
OpStore %private %both
%call = OpFunctionCall %void %f
OpReturn
OpFunctionEnd
%f = OpFunction %void None %fn
%l1 = OpLabel
%where = OpLoad %v4 %coord
%first = OpCompositeExtract %f32 %where 0
%r = OpFunctionCall %f32 %helper %first
%wide = OpFConvert %f64 %r
OpStore %unused_out %both
OpStore %private %both
%p = OpAccessChain %priv %private_gone %zero
OpStore %p %half
%q = OpAccessChain %out_v4 %block %host
OpReturn
OpFunctionEnd
%helper = OpFunction %f32 None %ff
%a = OpFunctionParameter %f32
%l2 = OpLabel
%helper_sum = OpFAdd %f32 %a %half
%helper_sqrt = OpExtInst %f32 %glsl Sqrt %helper_sum
%again = OpFunctionCall %f32 %helper2 %helper_sqrt
OpReturnValue %again
OpFunctionEnd
%helper2 = OpFunction %f32 None %ff
%a2 = OpFunctionParameter %f32
%l3 = OpLabel
OpReturnValue %a2
OpFunctionEnd
"#;

fn shader() -> SpecializeCase {
    // Structures are indexed by constants; the specialization constant only stands in for one in the untaken half.
    SpecializeCase::new(&SHADER.replace(
        "%q = OpAccessChain %out_v4 %block %host",
        "%q = OpAccessChain %out_v4 %block %zero\n%h = OpIAdd %u32 %host %zero",
    ))
}

#[test]
fn definitions_that_only_removed_code_used_are_removed_and_no_others() {
    let case = shader();
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("vulkan1.3").plain();
    no.removed(
        "c bool call f l1 where first r wide p q h f64 helper a l2 helper_sum helper_sqrt again helper2 a2 l3 glsl \
         half coord private_gone priv_s s_gone ff zero",
    );
    // The interface list lost the removed variables, and only those: outputs are kept, and the host's constant.
    let id = |name: &str| case.id(name);
    let interface = ["in", "out", "unused_out", "private", "block"].map(id);
    assert_eq!(no.all("OpEntryPoint")[0][4..], interface);
    assert_eq!(no.all("OpName").len(), 0);
    assert_eq!(no.all("OpMemberName").len(), 0);
    assert!(no.report.swept_functions.contains(&id("helper2")));

    let yes = case.on(&knows(&[(1, 1)]));
    yes.valid("vulkan1.3").plain().removed("c bool");
    assert_eq!(yes.all("OpEntryPoint")[0].len(), 4 + 7);
}

/// Returns a kernel module whose function `%gone` is conditional; `uses` are in its body and `globals` before.
fn kernel(decorations: &str, globals: &str, uses: &str, functions: &str) -> String {
    format!(
        r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability SpecConditionalINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
{decorations}
OpDecorate %c SpecId 1
OpDecorate %gone ConditionalINTEL %c
OpDecorate %gone LinkageAttributes "gone" Export
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%c = OpSpecConstantTrue %bool
%i32 = OpTypeInt 32 0
%v3 = OpTypeVector %i32 3
{globals}
%gone = OpFunction %void None %fn
%l = OpLabel
{uses}
OpReturn
OpFunctionEnd
{functions}
"#
    )
}

fn function(name: &str, body: &str) -> String {
    format!("%{name} = OpFunction %void None %fn\n%l_{name} = OpLabel\n{body}\nOpReturn\nOpFunctionEnd\n")
}

fn calls(names: &[&str]) -> String {
    names.iter().map(|name| format!("%call_{name} = OpFunctionCall %void %{name}\n")).collect()
}

/// A constant that has a value and is removed loses its uses once.
#[test]
fn what_a_removed_constant_used_stays_for_others() {
    let globals = "%five = OpConstant %i32 5\n%product = OpSpecConstantOp %i32 IMul %five %five";
    let plain = function("plain", "%sum = OpIAdd %i32 %five %five");
    let case = SpecializeCase::new(&kernel("OpDecorate %product ConditionalINTEL %c", globals, "", &plain));
    let outcome = case.on(&knows(&[(1, 0)]));
    outcome.valid("spv1.2").plain();
    assert!(outcome.remains("five") && !outcome.remains("product"));
}

#[test]
fn functions_go_with_their_last_caller_and_cycles_with_them() {
    let functions = [
        function("even", "%e = OpFunctionCall %void %odd"),
        function("odd", "%o = OpFunctionCall %void %even"),
        function("shared", ""),
        function("exported", ""),
        function("keeper", "%k = OpFunctionCall %void %shared"),
        function("unreferenced", "%u = OpFunctionCall %void %from_unreferenced"),
        function("from_unreferenced", ""),
    ];
    let uses = calls(&["even", "shared", "exported", "from_unreferenced"]);
    let exports = "OpDecorate %exported LinkageAttributes \"exported\" Export
OpDecorate %keeper LinkageAttributes \"keeper\" Export";
    let case = SpecializeCase::new(&kernel(exports, "", &uses, &functions.concat()));
    let no = case.valid("spv1.6");
    let no = no.on(&knows(&[(1, 0)]));
    no.valid("opencl2.2").plain();
    no.removed(
        "gone l call_even call_shared call_exported call_from_unreferenced c bool even l_even e odd l_odd o",
    );
}

#[test]
fn a_type_and_its_forward_pointer_go_together() {
    let globals = "OpTypeForwardPointer %p CrossWorkgroup
%node = OpTypeStruct %i32 %p
%p = OpTypePointer CrossWorkgroup %node
%null = OpConstantNull %p";
    let text = kernel("OpName %p \"pointer\"", globals, "%copy = OpCopyObject %p %null", "");
    let case = SpecializeCase::new(&text);
    let case = case.valid("spv1.6");
    let no = case.on(&knows(&[(1, 0)]));
    no.valid("opencl2.2").plain().removed("gone l c bool void fn node p null copy");
    assert_eq!(no.all("OpTypeForwardPointer").len(), 0);
    let yes = case.on(&knows(&[(1, 1)]));
    yes.valid("opencl2.2").plain().removed("c bool");
}

#[test]
fn definitions_with_a_meaning_of_their_own_are_kept() {
    let decorations = "OpDecorate %size BuiltIn WorkgroupSize
OpDecorate %table LinkageAttributes \"table\" Export
OpDecorate %host SpecId 5
OpDecorate %flag SpecId 6";
    let globals = "%one = OpConstant %i32 1
%size = OpConstantComposite %v3 %one %one %one
%host = OpSpecConstant %i32 3
%flag = OpSpecConstantTrue %bool
%double = OpSpecConstantOp %i32 IAdd %host %host
%ptr = OpTypePointer CrossWorkgroup %i32
%table = OpVariable %ptr CrossWorkgroup %one
%scratch = OpVariable %ptr CrossWorkgroup %one";
    let uses = "%s = OpIAdd %v3 %size %size
%d = OpIAdd %i32 %double %host
%n = OpLogicalNot %bool %flag
OpStore %table %one
OpStore %scratch %one";
    let case = SpecializeCase::new(&kernel(decorations, globals, uses, ""));
    let no = case.on(&knows(&[(1, 0)]));
    no.plain().removed("gone l s d n c double scratch void fn");
}

#[test]
fn ids_that_only_decorations_and_execution_modes_use_are_removed_with_them() {
    let decorations = "OpDecorateId %load UniformId %scope
OpDecorateId %load_kept UniformId %scope_kept";
    let decorations = decorations.to_string() + "\nOpDecorateId %load_swept UniformId %scope_swept";
    let globals = "%scope = OpConstant %i32 2
%scope_swept = OpConstant %i32 4
%scope_kept = OpConstant %i32 3
%n = OpConstant %i32 9
%ptr = OpTypePointer CrossWorkgroup %i32
%var = OpVariable %ptr CrossWorkgroup %n";
    let body = |name: &str| format!("%{name} = OpLoad %i32 %var");
    let functions = function("kept", &body("load_kept")) + &function("swept", &body("load_swept"));
    let text = kernel(&decorations, globals, &(calls(&["swept"]) + &body("load")), &functions);
    let text = text
        .replace("OpMemoryModel Physical64 OpenCL", "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %kept \"kept\" %var\nOpExecutionModeId %kept LocalSizeId %n %n %scope_kept\nOpConditionalEntryPointINTEL %c Kernel %main2 \"two\" %var\nOpExecutionModeId %main2 LocalSizeId %n %n %size2")
        .replace("%n = OpConstant", "%size2 = OpConstant %i32 4\n%n = OpConstant")
        + &function("main2", "");
    let case = SpecializeCase::new(&text);
    let no = case.on(&knows(&[(1, 0)]));
    no.plain().removed(
        "gone l call_swept swept l_swept load_swept scope_swept load scope c bool main2 l_main2 size2",
    );
    assert_eq!(no.all("OpExecutionModeId").len(), 1);
    assert_eq!(no.all("OpDecorateId").len(), 1);
    // A mode that uses a removed id is an error.
    let case =
        SpecializeCase::new(&text.replace(
            "OpDecorateId %load ",
            "OpDecorate %scope_kept ConditionalINTEL %c\nOpDecorateId %load ",
        ));
    let error = case.error(&knows(&[(1, 0)]));
    assert!(
        error.contains("execution mode") && error.contains(&format!("%{}", case.id("scope_kept"))),
        "{error}"
    );
}

#[test]
fn an_undecided_condition_is_kept_as_long_as_its_target() {
    let decorations = "OpDecorate %d SpecId 2
OpDecorate %t ConditionalINTEL %later
OpDecorate %t2 ConditionalINTEL %later2";
    let globals = "%d = OpSpecConstantTrue %bool
%later = OpSpecConstantOp %bool LogicalNot %d
%later2 = OpSpecConstantOp %bool LogicalAnd %d %d
%t = OpTypeStruct %i32
%t2 = OpTypeStruct %i32 %i32
%null = OpConstantNull %t";
    let case = SpecializeCase::new(&kernel(decorations, globals, "%copy = OpCopyObject %t %null", ""));
    let no = case.on(&knows(&[(1, 0)]));
    // The type was removed with its only user, and with it the condition; the other one had no use before, so it is kept.
    no.valid("spv1.6").removed("gone l copy null t c later void fn");
    assert_eq!(no.report.undecided.len(), 1);
    assert!(no.extension_left() > 0);
}

/// An error inside a removed function is not an error.
#[test]
fn a_swept_function_may_be_broken() {
    let functions = function("only", "%v = OpConditionalCopyObjectINTEL %i32 %c %n\n%w = OpIAdd %i32 %v %n");
    let case = SpecializeCase::new(&kernel("", "%n = OpConstant %i32 1", &calls(&["only"]), &functions));
    case.on(&knows(&[(1, 0)])).plain().removed("gone l call_only only l_only v w n c bool void fn");
    let case = SpecializeCase::new(&kernel(
        "OpDecorate %only LinkageAttributes \"only\" Export",
        "%n = OpConstant %i32 1",
        &calls(&["only"]),
        &functions,
    ));
    assert!(case.error(&knows(&[(1, 0)])).contains("no condition of"));
}

/// Checks that definitions without previous uses stay, such as those that only refer to each other in a cycle.
#[test]
fn what_was_not_used_before_stays() {
    let text = "
        OpCapability Kernel
        OpCapability Addresses
        OpCapability Linkage
        OpMemoryModel Physical64 OpenCL
        OpDecorate %flag SpecId 1
        OpTypeForwardPointer %to_node CrossWorkgroup
        %bool = OpTypeBool
        %int = OpTypeInt 32 0
        %node = OpTypeStruct %int %to_node
        %to_node = OpTypePointer CrossWorkgroup %node
        %flag = OpSpecConstantTrue %bool
        %not = OpSpecConstantOp %bool LogicalNot %flag";
    let case = SpecializeCase::new(text);
    let outcome = case.with(&knows(&[]), &[(1, 0)], UnsetPolicy::Keep).unwrap();
    outcome.valid("spv1.2").removed("flag");
}
