//! Device constants, expressions over specialization constants, and constants that are kept.

use super::support::{KnownDevice, SpecializeCase, knows};
use crate::transform::specialize::{ConditionalItem, UnsetPolicy};

/// Returns a module that has one conditional function per condition; `constants` define `%c0`, `%c1`, ... and stand before.
fn conditional(decorations: &str, constants: &str, conditions: usize) -> String {
    let mut text = String::from(
        r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int64
OpCapability FunctionVariantsINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
"#,
    );
    text += decorations;
    for at in 0..conditions {
        text += &format!("OpDecorate %f{at} ConditionalINTEL %c{at}\n");
        text += &format!("OpDecorate %f{at} LinkageAttributes \"f{at}\" Export\n");
    }
    text += "%bool = OpTypeBool\n%i32 = OpTypeInt 32 0\n%i64 = OpTypeInt 64 0\n%void = OpTypeVoid\n%fn = OpTypeFunction %void\n";
    text += constants;
    for at in 0..conditions {
        text += &format!("%f{at} = OpFunction %void None %fn\n%l{at} = OpLabel\nOpReturn\nOpFunctionEnd\n");
    }
    text
}

/// Returns the remaining functions of [`conditional`], in order.
fn left(case: &SpecializeCase, device: &KnownDevice) -> Vec<u32> {
    let outcome = case.on(device);
    outcome.plain().valid("opencl2.2");
    let functions = outcome.all("OpFunction");
    let is_left = |name: &str| functions.iter().any(|words| words[1] == case.id(name));
    let named = (0..16).map(|at| (at, format!("f{at}"))).filter(|(_, name)| case.has(name));
    named.filter(|(_, name)| is_left(name)).map(|(at, _)| at).collect()
}

#[test]
fn device_constants_ask_for_target_architecture_and_capabilities() {
    let constants = "
%c0 = OpSpecConstantTargetINTEL %bool 4 10 11
%c1 = OpSpecConstantTargetINTEL %bool 3
%c2 = OpSpecConstantArchitectureINTEL %bool 1 7 174 5
%c3 = OpSpecConstantArchitectureINTEL %bool 1 7 176 5
%c4 = OpSpecConstantCapabilitiesINTEL %bool Float64
%c5 = OpSpecConstantCapabilitiesINTEL %bool Float64 Int64
";
    let case = SpecializeCase::new(&conditional("", constants, 6));
    let case = case.valid("spv1.6");
    let mut device = KnownDevice {
        target: Some((4, vec![9, 10, 11])),
        architecture: Some((1, 7, 5)),
        capabilities: Some(vec![spirv::Capability::Float64 as u32]),
        ..KnownDevice::default()
    };
    assert_eq!(left(&case, &device), [0, 2, 4]);
    device.target = Some((4, vec![10]));
    device.architecture = Some((1, 7, 4));
    device.capabilities =
        Some([spirv::Capability::Float64, spirv::Capability::Int64].map(|c| c as u32).to_vec());
    assert_eq!(left(&case, &device), [3, 4, 5]);
}

#[test]
fn expressions_over_booleans_and_integers_are_evaluated() {
    let decorations = "OpDecorate %a SpecId 1\nOpDecorate %n SpecId 2\n";
    let constants = "
%a = OpSpecConstantFalse %bool
%n = OpSpecConstant %i32 4
%three = OpConstant %i32 3
%ten = OpConstant %i64 10
%twice = OpSpecConstantOp %i32 IMul %n %three
%wide = OpSpecConstantOp %i64 UConvert %twice
%c0 = OpSpecConstantOp %bool UGreaterThan %wide %ten
%not = OpSpecConstantOp %bool LogicalNot %a
%c1 = OpSpecConstantOp %bool LogicalAnd %c0 %not
%c2 = OpSpecConstantOp %bool LogicalOr %a %c1
%c3 = OpSpecConstantOp %bool Select %a %c0 %not
%c4 = OpSpecConstantOp %bool IEqual %n %three
%c5 = OpSpecConstantOp %bool LogicalNotEqual %a %c4
";
    let case = SpecializeCase::new(&conditional(decorations, constants, 6));
    let case = case.valid("spv1.6");
    for a in [false, true] {
        for n in [2u32, 3, 4] {
            let c0 = u64::from(n) * 3 > 10;
            let c1 = c0 && !a;
            let truths = [c0, c1, a || c1, if a { c0 } else { !a }, n == 3, a != (n == 3)];
            let expected: Vec<u32> = (0..6).filter(|&at| truths[at as usize]).collect();
            assert_eq!(left(&case, &knows(&[(1, a.into()), (2, n.into())])), expected, "a {a} n {n}");
        }
    }
}

#[test]
fn known_facts_decide_as_far_as_possible() {
    let decorations = "OpDecorate %a SpecId 1\nOpDecorate %b SpecId 2\n";
    let constants = "
%a = OpSpecConstantTrue %bool
%b = OpSpecConstantTrue %bool
%c0 = OpSpecConstantOp %bool LogicalAnd %a %b
%c1 = OpSpecConstantOp %bool LogicalOr %a %b
%c2 = OpSpecConstantTargetINTEL %bool 4
";
    let case = SpecializeCase::new(&conditional(decorations, constants, 3));
    // a false: the AND is false, the OR and the target wait.
    let half = case.on(&knows(&[(1, 0)]));
    half.removed("f0 l0 c0").valid("spv1.6");
    let undecided: Vec<_> =
        half.report.undecided.iter().map(|u| (u.item.clone(), u.unknown.clone())).collect();
    let id = |name| ConditionalItem::Id(case.id(name));
    assert_eq!(undecided.len(), 3);
    assert_eq!((&undecided[0].0, &undecided[0].1.spec_ids[..]), (&id("f1"), &[2][..]));
    assert_eq!((&undecided[1].0, &undecided[1].1.device_constants[..]), (&id("f2"), &[case.id("c2")][..]));
    assert_eq!(undecided[2].0, ConditionalItem::DeviceConstant(case.id("c2")));
    // The leaf that remains in the OR is an ordinary constant, and nothing sets it any more.
    assert_eq!(half.definition("a").0, "OpConstantFalse");
    assert_eq!(half.definition("b").0, "OpSpecConstantTrue");
    let spec_ids = half.all("OpDecorate").into_iter().filter(|words| words[1] == 1).collect::<Vec<_>>();
    assert_eq!(spec_ids, [[case.id("b"), 1, 2]]);

    let target = KnownDevice { target: Some((4, vec![])), ..knows(&[(1, 0), (2, 0)]) };
    assert_eq!(case.on(&target).report.undecided, []);
}

#[test]
fn unset_constants_take_their_defaults_if_asked() {
    let decorations = "OpDecorate %a SpecId 1\nOpDecorate %n SpecId 2\nOpDecorate %other SpecId 3\n";
    let constants = "
%a = OpSpecConstantFalse %bool
%n = OpSpecConstant %i32 3
%other = OpSpecConstant %i32 5
%three = OpConstant %i32 3
%c0 = OpSpecConstantOp %bool IEqual %n %three
%c1 = OpSpecConstantOp %bool LogicalAnd %a %c0
%c2 = OpSpecConstantTargetINTEL %bool 4
";
    let case = SpecializeCase::new(&conditional(decorations, constants, 3));
    let outcome = case.defaults(&KnownDevice::default());
    // The device constant has no default: it is kept. A constant that no condition uses has its default, too.
    outcome.removed("f1 l1 a n three c0 c1").valid("spv1.6");
    assert_eq!(outcome.definition("other").0, "OpConstant");
    assert_eq!(outcome.report.defaulted, [1, 2, 3]);
    assert_eq!(outcome.report.undecided.len(), 2);
    // A known value takes precedence over the default.
    let outcome = case.defaults(&knows(&[(2, 4), (1, 1)]));
    assert_eq!(outcome.report.defaulted, [3]);
    outcome.removed("f0 l0 f1 l1 a n three c0 c1");
}

/// Returns specialization constants with code that uses them.
fn used(constants: &str, uses: &str) -> String {
    format!(
        r#"
OpCapability Kernel
OpCapability Addresses
OpCapability Linkage
OpCapability Int8
OpCapability Int64
OpCapability Float64
OpCapability FunctionVariantsINTEL
OpExtension "SPV_INTEL_function_variants"
OpMemoryModel Physical64 OpenCL
OpDecorate %f LinkageAttributes "f" Export
OpDecorate %a SpecId 1
OpDecorate %b SpecId 2
OpDecorate %c SpecId 3
OpDecorate %d SpecId 4
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%i8 = OpTypeInt 8 0
%i64 = OpTypeInt 64 0
%f64 = OpTypeFloat 64
%i32 = OpTypeInt 32 0
{constants}
%f = OpFunction %void None %fn
%l = OpLabel
{uses}
OpReturn
OpFunctionEnd
"#
    )
}

#[test]
fn decided_leaves_that_stay_become_ordinary_constants() {
    let constants = "
%a = OpSpecConstantTrue %bool
%b = OpSpecConstantFalse %bool
%c = OpSpecConstantTrue %bool
%d = OpSpecConstantTrue %bool
%t = OpSpecConstantTargetINTEL %bool 4
%op = OpSpecConstantOp %bool LogicalAnd %a %b";
    let case =
        SpecializeCase::new(&used(constants, "%x = OpLogicalAnd %bool %a %t\n%y = OpLogicalOr %bool %op %c"));
    let case = case.valid("spv1.6");
    let device = KnownDevice { target: Some((4, vec![])), ..knows(&[(1, 0), (2, 1), (99, 1)]) };
    let outcome = case.on(&device);
    // b was used by the operation alone, which is a constant now.
    outcome.plain().removed("b").valid("opencl2.2");
    assert_eq!(outcome.definition("a").0, "OpConstantFalse");
    assert_eq!(outcome.definition("t").0, "OpConstantTrue");
    assert_eq!(outcome.definition("op").0, "OpConstantFalse");
    // Not known: as they were, used or not.
    assert_eq!(outcome.definition("c").0, "OpSpecConstantTrue");
    assert_eq!(outcome.definition("d").0, "OpSpecConstantTrue");
    let spec_ids: Vec<u32> =
        outcome.all("OpDecorate").iter().filter(|words| words[1] == 1).map(|words| words[2]).collect();
    assert_eq!(spec_ids, [3, 4]);
}

#[test]
fn numeric_constants_are_set_in_every_width() {
    let constants = "
%a = OpSpecConstant %i8 1
%b = OpSpecConstant %i64 1
%c = OpSpecConstant %f64 1
%d = OpSpecConstant %i32 1";
    let case = SpecializeCase::new(&used(constants, ""));
    let half = 0.5f64.to_bits();
    let set = [(1, 200), (2, 1 << 40 | 7), (3, half)];
    let outcome = case.with(&KnownDevice::default(), &set, UnsetPolicy::Keep).unwrap();
    outcome.removed("").valid("opencl2.2");
    let id = |name| case.id(name);
    let constant = |words: &[u32]| ("OpConstant".to_string(), words.to_vec());
    assert_eq!(outcome.definition("a"), constant(&[id("i8"), id("a"), 200]));
    assert_eq!(outcome.definition("b"), constant(&[id("i64"), id("b"), 7, 256]));
    assert_eq!(outcome.definition("c"), constant(&[id("f64"), id("c"), 0, (half >> 32) as u32]));
    assert_eq!(outcome.definition("d").0, "OpSpecConstant");

    let error = |set: &[(u32, u64)]| {
        case.with(&KnownDevice::default(), set, UnsetPolicy::Keep).err().unwrap().to_string()
    };
    assert!(error(&[(1, 256)]).contains("unsigned integer of 8 bits"));
    let message = error(&[(9, 1)]);
    assert!(message.contains("SpecId 9") && message.contains("1, 2, 3, 4"), "{message}");
}

#[test]
fn set_works_without_the_extension_and_takes_precedence_over_known_facts() {
    let constants = "%a = OpSpecConstantTrue %bool\n%b = OpSpecConstant %i32 2\n%c = OpSpecConstant %i32 3\n%d = OpSpecConstant %i32 4";
    let text = used(constants, "%x = OpLogicalNot %bool %a");
    let plain = text
        .replace("OpCapability FunctionVariantsINTEL\n", "")
        .replace("OpExtension \"SPV_INTEL_function_variants\"\n", "");
    let case = SpecializeCase::new(&plain);
    // Nothing of the extension: known facts count all the same.
    let known = case.on(&knows(&[(1, 0)]));
    assert_eq!(known.valid("opencl2.2").definition("a").0, "OpConstantFalse");
    assert_eq!(known.report.frozen, 1);
    assert_eq!(case.on(&knows(&[(5, 0)])).words, case.words);
    let outcome = case.with(&knows(&[(1, 1)]), &[(1, 0)], UnsetPolicy::Keep).unwrap();
    outcome.removed("").valid("opencl2.2");
    assert_eq!(outcome.definition("a").0, "OpConstantFalse");
    assert!(!outcome.report.multi_target);
}

#[test]
fn a_very_deep_expression_is_evaluated() {
    let depth = 100_000;
    let decorations = "OpDecorate %a SpecId 1\n";
    let mut constants =
        "%a = OpSpecConstantTrue %bool\n%s0 = OpSpecConstantOp %bool LogicalNot %a\n".to_string();
    for at in 1..depth {
        constants += &format!("%s{at} = OpSpecConstantOp %bool LogicalNot %s{}\n", at - 1);
    }
    constants += &format!("%c0 = OpSpecConstantOp %bool LogicalNot %s{}\n", depth - 1);
    let case = SpecializeCase::new(&conditional(decorations, &constants, 1));
    // An odd number of negations.
    assert_eq!(case.on(&knows(&[(1, 1)])).plain().all("OpFunction").len(), 0);
    let yes = case.on(&knows(&[(1, 0)]));
    assert_eq!(yes.plain().all("OpFunction").len(), 1);
    assert_eq!(yes.all("OpSpecConstantOp").len(), 0);
    assert_eq!(case.on(&KnownDevice::default()).report.undecided.len(), 1);
}

#[test]
fn the_registry_version_is_removed_with_the_extension() {
    let decorations = "OpDecorate %a SpecId 1\n";
    let mut case = SpecializeCase::new(&conditional(
        decorations,
        "%a = OpSpecConstantTrue %bool\n%c0 = OpSpecConstantOp %bool LogicalNot %a\n",
        1,
    ));
    // No assembler writes it: after the last OpCapability.
    let at = 5 + 5 * 2;
    // Its version is a number, and no use of the id that happens to have it.
    let version = case.id("a");
    case.words.splice(at..at, [2 << 16 | 6260, version]);
    assert_eq!(case.on(&KnownDevice::default()).extension_left(), 4);
    case.on(&knows(&[(1, 0)])).removed("a c0 bool");
    case.on(&knows(&[(1, 0)])).plain();
    case.on(&knows(&[(1, 1)])).plain();
}

/// An unknown instruction may mean anything: ids that it may use are not swept, and it is not an error.
#[test]
fn an_unknown_instruction_keeps_ids_that_it_may_use() {
    let mut case = SpecializeCase::new(&conditional(
        "OpDecorate %a SpecId 1\n",
        "%a = OpSpecConstantTrue %bool\n%c0 = OpSpecConstantOp %bool LogicalNot %a\n",
        1,
    ));
    let end = case.words.len();
    let at = end - 5 - 2 - 1 - 1;
    assert_eq!(case.words[at] & 0xffff, 54);
    case.words.splice(at..at, [4 << 16 | 0x7fff, case.id("a"), case.id("f0"), u32::MAX]);
    let no = case.on(&knows(&[(1, 1)]));
    assert_eq!(no.removed_names(), ["c0", "f0", "fn", "l0", "void"]);
    assert_eq!(no.definition("a").0, "OpConstantTrue");
}

#[test]
fn constituents_and_nulls_are_evaluated() {
    let decorations = "OpDecorate %a SpecId 1\n";
    let constants = "
%a = OpSpecConstant %i32 1
%v = OpTypeVector %i32 2
%m = OpTypeArray %v %two
%bools = OpTypeVector %bool 2
%null = OpConstantNull %bool
%nulls = OpConstantNull %bools
%pair = OpSpecConstantComposite %v %two %a
%pairs = OpSpecConstantComposite %m %pair %pair
%x = OpSpecConstantOp %i32 CompositeExtract %pairs 1 1
%c0 = OpSpecConstantOp %bool IEqual %x %two
%c1 = OpSpecConstantOp %bool LogicalNot %null
%y = OpSpecConstantOp %bool CompositeExtract %nulls 1
%c2 = OpSpecConstantOp %bool LogicalNotEqual %y %c0
"
    .replace("\n%v =", "\n%two = OpConstant %i32 2\n%v =");
    let case = SpecializeCase::new(&conditional(decorations, &constants, 3));
    assert_eq!(left(&case, &knows(&[(1, 2)])), [0, 1, 2]);
    assert_eq!(left(&case, &knows(&[(1, 3)])), [1]);
}
