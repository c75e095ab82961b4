//! Definitions that further instructions continue (SPV_INTEL_long_composites). No module here is validated: spirv-val takes
//! OpTypeStructContinuedINTEL for an instruction of functions.

use super::support::{SpecializeCase, SpecializedCase, knows};
use crate::loader::Module;
use crate::transform::specialize::UnsetPolicy;

/// A kernel that writes a structure of two types, one where %flag is true and the other where it is false.
const KERNEL: &str = "OpCapability Kernel
OpCapability Addresses
OpCapability LongCompositesINTEL
OpExtension \"SPV_INTEL_long_composites\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main \"main\"
OpDecorate %flag SpecId 0
OpDecorate %a SpecId 1
OpDecorate %b SpecId 2
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%ulong = OpTypeInt 64 0
%float = OpTypeFloat 32
%one = OpTypeStruct %uint
OpTypeStructContinuedINTEL %uint
OpTypeStructContinuedINTEL %float
%other = OpTypeStruct %uint
OpTypeStructContinuedINTEL %ulong
%ptr = OpTypePointer CrossWorkgroup %uint
%ptr_one = OpTypePointer CrossWorkgroup %one
%ptr_other = OpTypePointer CrossWorkgroup %other
%fn = OpTypeFunction %void %ptr %uint
%flag = OpSpecConstantTrue %bool
%a = OpSpecConstant %uint 1
%b = OpSpecConstant %uint 2
%c = OpConstant %float 3
%d = OpConstant %ulong 4
%of_one = OpSpecConstantComposite %one %a
OpSpecConstantCompositeContinuedINTEL %b
OpSpecConstantCompositeContinuedINTEL %c
%of_other = OpSpecConstantComposite %other %a
OpSpecConstantCompositeContinuedINTEL %d
%inserted = OpSpecConstantOp %one CompositeInsert %b %of_one 0
%main = OpFunction %void None %fn
%p = OpFunctionParameter %ptr
%x = OpFunctionParameter %uint
%l = OpLabel
OpBranchConditional %flag %yes %no
%yes = OpLabel
%p_one = OpBitcast %ptr_one %p
OpStore %p_one %of_one
OpStore %p_one %inserted
%unused = OpCompositeConstruct %one %x
OpCompositeConstructContinuedINTEL %x
OpCompositeConstructContinuedINTEL %c
OpReturn
%no = OpLabel
%p_other = OpBitcast %ptr_other %p
OpStore %p_other %of_other
OpReturn
OpFunctionEnd
";

/// Returns the opcode names of a definition and of the instructions that continue it, without the names that all have.
fn opcodes(result: &SpecializedCase, case: &SpecializeCase, name: &str) -> Vec<String> {
    let module = Module::from_words(&result.words).unwrap();
    let definition = module.definition(case.id(name)).unwrap();
    module.with_continuations(&definition).map(|inst| inst.name()).collect()
}

#[test]
fn a_definition_stays_or_goes_with_all_that_continues_it() {
    let case = SpecializeCase::new(KERNEL);
    let set = |set: &[(u32, u64)]| case.with(&knows(&[]), set, UnsetPolicy::Keep).unwrap();

    let yes = set(&[(0, 1)]);
    yes.removed("flag bool other ptr_other of_other ulong d yes no p_other");
    assert_eq!(
        opcodes(&yes, &case, "one"),
        ["OpTypeStruct", "OpTypeStructContinuedINTEL", "OpTypeStructContinuedINTEL"]
    );
    assert_eq!(yes.all("OpTypeStructContinuedINTEL"), [[case.id("uint")], [case.id("float")]]);
    let spec = "OpSpecConstantCompositeContinuedINTEL";
    assert_eq!(opcodes(&yes, &case, "of_one"), ["OpSpecConstantComposite", spec, spec]);

    let no = set(&[(0, 0)]);
    no.removed("flag bool one ptr_one of_one float c yes no p_one unused inserted");
    assert_eq!(opcodes(&no, &case, "other"), ["OpTypeStruct", "OpTypeStructContinuedINTEL"]);
    assert_eq!(no.all("OpTypeStructContinuedINTEL"), [[case.id("ulong")]]);
    assert_eq!(no.all("OpCompositeConstructContinuedINTEL").len(), 0);
}

#[test]
fn a_composite_is_an_ordinary_one_once_all_constituents_are() {
    let case = SpecializeCase::new(KERNEL);
    let set = |set: &[(u32, u64)]| case.with(&knows(&[]), set, UnsetPolicy::Keep).unwrap();
    let spec = [
        "OpSpecConstantComposite",
        "OpSpecConstantCompositeContinuedINTEL",
        "OpSpecConstantCompositeContinuedINTEL",
    ];
    let ordinary =
        ["OpConstantComposite", "OpConstantCompositeContinuedINTEL", "OpConstantCompositeContinuedINTEL"];
    let first = set(&[(0, 1), (1, 5)]);
    assert_eq!(opcodes(&first, &case, "of_one"), spec);
    let all = set(&[(0, 1), (1, 5), (2, 6)]);
    assert_eq!(opcodes(&all, &case, "of_one"), ordinary);
    assert_eq!(all.all("OpConstantCompositeContinuedINTEL"), [[case.id("b")], [case.id("c")]]);
    assert_eq!(all.definition("b"), ("OpConstant".to_owned(), vec![case.id("uint"), case.id("b"), 6]));
}

/// Checks that nothing is inserted into a part of a continued structure, whose members are not known.
#[test]
fn an_insertion_into_a_continued_structure_stays() {
    let case = SpecializeCase::new(KERNEL);
    let all = case.with(&knows(&[]), &[(0, 1), (1, 5), (2, 6)], UnsetPolicy::Keep).unwrap();
    assert_eq!(opcodes(&all, &case, "inserted"), ["OpSpecConstantOp"]);
}

#[test]
fn a_removed_id_that_a_continuation_uses_is_an_error() {
    let removed = KERNEL
        .replace(
            "OpCapability LongCompositesINTEL",
            "OpCapability LongCompositesINTEL\nOpCapability SpecConditionalINTEL",
        )
        .replace(
            "OpDecorate %a",
            "OpDecorate %d ConditionalINTEL %never\nOpDecorate %never SpecId 3\nOpDecorate %a",
        )
        .replace("%flag = ", "%never = OpSpecConstantFalse %bool\n%flag = ")
        .replace("OpMemoryModel", "OpExtension \"SPV_INTEL_function_variants\"\nOpMemoryModel");
    let case = SpecializeCase::new(&removed);
    let Err(error) = case.with(&knows(&[(3, 0)]), &[], UnsetPolicy::Keep) else { panic!("no error") };
    let user = format!("OpSpecConstantComposite %{} still uses it", case.id("of_other"));
    assert!(error.to_string().contains(&user), "{error}");
}

/// Checks that the instructions that continue a value stay behind it, even if nothing uses it.
#[test]
fn a_continued_value_stays_with_what_continues_it() {
    let case = SpecializeCase::new(KERNEL);
    let yes = case.with(&knows(&[]), &[(0, 1)], UnsetPolicy::Keep).unwrap();
    let continued = "OpCompositeConstructContinuedINTEL";
    assert_eq!(opcodes(&yes, &case, "unused"), ["OpCompositeConstruct", continued, continued]);
    assert_eq!(yes.all(continued), [[case.id("x")], [case.id("c")]]);
}
