//! Structures and composites that further instructions continue (SPV_INTEL_long_composites) in variants.

use crate::device::DeviceParts;
use crate::loader::Module;
use crate::merge::{MergeOptions, Variant, merge};
use crate::test_support::{assemble, assert_valid, joined};
use crate::{Condition, Prepared, Settings};

/// Returns a kernel that writes structures of one integer and the rest. Both of their definitions begin with the same instruction.
fn kernel(first: &str, second: &str) -> Vec<u32> {
    let text = format!(
        "OpCapability Kernel
OpCapability Addresses
OpCapability LongCompositesINTEL
OpExtension \"SPV_INTEL_long_composites\"
OpMemoryModel Physical64 OpenCL
OpEntryPoint Kernel %main \"main\"
%void = OpTypeVoid
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%first = OpTypeStruct %uint
OpTypeStructContinuedINTEL {first_types}
%second = OpTypeStruct %uint
OpTypeStructContinuedINTEL {second_types}
%ptr_first = OpTypePointer CrossWorkgroup %first
%ptr_second = OpTypePointer CrossWorkgroup %second
%fn = OpTypeFunction %void %ptr_first %ptr_second
%uint_1 = OpConstant %uint 1
%float_1 = OpConstant %float 1
%first_value = OpConstantComposite %first %uint_1
OpConstantCompositeContinuedINTEL {first_values}
%second_value = OpConstantComposite %second %uint_1
OpConstantCompositeContinuedINTEL {second_values}
%main = OpFunction %void None %fn
%p = OpFunctionParameter %ptr_first
%q = OpFunctionParameter %ptr_second
%l = OpLabel
OpStore %p %first_value
OpStore %q %second_value
OpReturn
OpFunctionEnd
",
        first_types = operands(first, ""),
        second_types = operands(second, ""),
        first_values = operands(first, "_1"),
        second_values = operands(second, "_1"),
    );
    let words = assemble(&text, "spv1.4");
    assert_valid(&joined(&words), "spv1.4");
    words
}

fn operands(types: &str, suffix: &str) -> String {
    types.split(' ').map(|name| format!("%{name}{suffix}")).collect::<Vec<_>>().join(" ")
}

/// Returns the types of the members of all structures, sorted, and checks that each constant has as many parts.
fn structures(words: &[u32]) -> Vec<String> {
    let module = Module::from_words(words).unwrap();
    let members = |id: u32| -> Vec<u32> { module.members(&module.definition(id).unwrap()).collect() };
    let mut all = Vec::new();
    for inst in module.instructions() {
        match inst.name().as_str() {
            "OpTypeStruct" => {
                let names = members(inst.word(1)).into_iter().map(|id| module.definition(id).unwrap().name());
                all.push(names.map(|name| name.replace("OpType", "")).collect::<Vec<_>>().join(" "));
            }
            "OpConstantComposite" => {
                let parts = module.with_continuations(&inst).map(|part| part.words().len() - 1);
                assert_eq!(parts.sum::<usize>(), members(inst.word(1)).len() + 2);
            }
            _ => {}
        }
    }
    all.sort();
    all
}

/// Checks that a structure in both variants is written once, and that structures that differ in a continued part are
/// written separately.
#[test]
fn continued_definitions_are_merged_whole() {
    let variants = [kernel("uint float", "uint"), kernel("float float", "uint")];
    let modules = variants.each_ref().map(|words| crate::Module::from_words(&words[..]).unwrap());
    let condition = Condition::parse("fp64").unwrap();
    let inputs = [Variant::new(&modules[0], &condition), Variant::new(&modules[1], None)];
    let merged = merge(&inputs, &MergeOptions::new()).unwrap().words;
    assert_valid(&joined(&merged), "spv1.4");
    assert_eq!(structures(&merged), ["Int Float Float", "Int Int", "Int Int Float"]);

    let module = crate::Module::from_words(&merged[..]).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    for (aspects, expected) in [("gpu,fp64", &variants[0]), ("gpu", &variants[1])] {
        let device = DeviceParts::new().aspects(aspects).to_device(None).unwrap();
        let words = prepared.specialize(&device, &Settings::new()).unwrap().words;
        assert_valid(&joined(&words), "spv1.4");
        assert_eq!(structures(&words), structures(expected), "{aspects}");
        assert_eq!(words.len(), expected.len(), "{aspects}");
    }
}
