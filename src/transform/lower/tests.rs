use std::collections::BTreeSet;
use std::hint::black_box;

use super::{LowerableFeature, lower, without_unused};
use crate::loader::Module;
use crate::test_support::{assemble, in_share, root};
use crate::writer::apply;

fn lower_if_it_loads(words: &[u32], feature: LowerableFeature) {
    let Ok(module) = Module::from_words(words) else { return };
    if let Ok(result) = lower(&module, feature, true, false) {
        let words = apply(&module, &result.edits);
        let lowered = words.ok().and_then(|words| Module::from_words(words).ok());
        black_box(lowered.map(|lowered| apply(&lowered, &without_unused(&lowered)).is_ok()));
    }
}

/// Damaged modules are lowered or refused.
#[test]
fn every_word_damaged() {
    let all = [
        ("Int64", "lower"),
        ("Int64", "lower-shader"),
        ("Int64", "lower-pointers"),
        ("Int64", "lower-vectors-memory"),
        ("Int64", "lower-vectors-blocks"),
        ("Float64", "lower-double"),
        ("Int16", "lower-int16"),
        ("Int16", "lower-integers"),
        ("Int8", "lower-integers"),
        ("Float16", "lower-float16"),
        ("Float16", "lower-float16-shader"),
        ("Float16", "lower-float16-stages"),
        ("Float64", "lower-kernel"),
        ("Float64", "lower-formulas"),
        ("StorageBuffer16BitAccess", "lower-storage"),
        ("StorageBuffer16BitAccess", "lower-storage-model"),
        ("StorageBuffer16BitAccess", "lower-storage-address"),
        ("StoragePushConstant16", "lower-storage-model"),
        ("UniformAndStorageBuffer16BitAccess", "lower-storage-uniform"),
        ("WorkgroupMemoryExplicitLayout16BitAccessKHR", "lower-storage-workgroup"),
    ];
    for (feature, name) in all {
        let feature = LowerableFeature::find(feature).unwrap();
        let path = root().join(format!("cli/tests/cases/specialize/{name}.spvasm"));
        let mut words = assemble(&std::fs::read_to_string(path).unwrap(), "spv1.5");
        for at in (5..words.len()).filter(|&at| in_share(at, 4)) {
            let good = words[at];
            let bad = [
                0,
                1,
                words[3] - 1,
                u32::MAX,
                good ^ 0x8000_0000,
                good.wrapping_add(1),
                good.wrapping_sub(1),
                good.wrapping_add(7),
                good.wrapping_add(0x0001_0000),
                good.wrapping_sub(0x0001_0000),
                (good & 0xffff_0000) | 12,
                (good & 0xffff_0000) | 23,
                (good & 0xffff_0000) | 81,
                (good & 0xffff_0000) | 251,
            ];
            for bad in BTreeSet::from(bad) {
                words[at] = bad;
                lower_if_it_loads(&words, feature);
            }
            words[at] = good;
        }
    }
}

/// A damaged constant whose parts have parts of the same type would grow by each level.
#[test]
fn constants_with_other_components_are_refused() {
    let text = "OpCapability Shader\nOpCapability Float64\nOpMemoryModel Logical GLSL450\n%double = OpTypeFloat 64\n\
        %vector = OpTypeVector %double 3\n%one = OpConstant %double 1\n%good = OpConstantComposite %vector %one %one %one\n\
        %bad = OpConstantComposite %vector %good %good %good\n";
    let words = assemble(text, "spv1.3");
    let module = Module::from_words(&words).unwrap();
    let lowered = lower(&module, LowerableFeature::find("Float64").unwrap(), true, false);
    let error = lowered.err().unwrap().to_string();
    assert!(error.ends_with("it does not have as many components as its type"), "{error}");
}
