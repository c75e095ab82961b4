//! Tests of the public API.

mod lowered;
mod prepared;
mod ready;
mod unsupported;
mod versions;
mod vulkan_names;

use crate::merge::{MergeOptions, Variant, merge};
use crate::module::{Annotations, find_modules};
use crate::{Condition, Module, PackOptions, pack};

fn fixture(name: &str) -> Vec<u8> {
    std::fs::read(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(name)).unwrap()
}

#[test]
fn modules_are_found_wherever_they_are() {
    let offsets = |bytes: &[u8]| -> Vec<usize> {
        find_modules(bytes).filter_map(|candidate| candidate.load()).map(|module| module.offset()).collect()
    };
    let module = fixture("opencl/plain.spv");
    assert_eq!(offsets(&module), [0]);
    assert_eq!(offsets(&[b"odd", &module[..], &module, b"end"].concat()), [3, 3 + module.len()]);
    // It loads, though inside of a file it would not pass for a module.
    let empty = [0x0723_0203_u32, 0x0001_0000, 0, 1, 0].map(u32::to_le_bytes).concat();
    assert_eq!(offsets(&empty), [0]);
    assert!(offsets(&[b"odd", &empty[..]].concat()).is_empty());
    assert_eq!(offsets(&[&module[..], &[0; 12], &module].concat()), [0, module.len() + 12]);
    // A file that begins like a module must consist of modules; otherwise none is found.
    assert!(offsets(&[&module[..], b"odd", &module].concat()).is_empty());
    assert!(offsets(&[&module[..], &module[..module.len() / 8 * 4]].concat()).is_empty());
}

#[test]
fn packed_modules_are_known_by_their_capabilities() {
    use crate::module::declares_conditional_code;
    use crate::pack::Dialect;
    for name in ["glsl/reduce.spv", "glsl/archlist.spv", "opencl/device_if.spv", "opencl/many.spv"] {
        let bytes = fixture(name);
        let module = Module::from_bytes(&bytes).unwrap();
        assert!(!declares_conditional_code(module.words()), "{name}");
        for dialect in [Dialect::SpecConditional, Dialect::FunctionVariants] {
            let packed = pack(&module, &PackOptions::new().dialect(dialect)).unwrap().words;
            let swapped: Vec<u32> = packed.iter().map(|word| word.swap_bytes()).collect();
            assert!(declares_conditional_code(&packed) && declares_conditional_code(&swapped), "{name}");
            // Words that end too early, or say that they have no length.
            for end in 0..32 {
                declares_conditional_code(&packed[..end]);
            }
        }
    }
    let capability = spirv::Op::Capability as u32;
    assert!(!declares_conditional_code(&[0, 0, 0, 0, 0, capability, capability]));
    assert!(!declares_conditional_code(&[0, 0, 0, 0, 0, 0xffff << 16 | capability]));
}

#[test]
fn an_entry_must_match_something_in_some_module() {
    let annotations = "functions: { sum_in_half: { when: fp16 }, nowhere: { when: fp16 } }";
    let annotations = Annotations::from_yaml("file.yaml", annotations).unwrap();
    assert!(annotations.unmatched().is_empty(), "there was no module");
    let empty = Module::from_words(&[0x0723_0203, 0x0001_0000, 0, 1, 0][..]).unwrap();
    empty.with_annotations(&annotations).unwrap();
    assert_eq!(annotations.unmatched().len(), 2);
    let bytes = fixture("annotations/results.spv");
    Module::from_bytes(&bytes).unwrap().with_annotations(&annotations).unwrap();
    assert_eq!(annotations.unmatched(), ["file.yaml:1: no function is named `nowhere`"]);
}

#[test]
fn variants_with_annotations_are_merged_once_they_are_packed() {
    let text = String::from_utf8(fixture("annotations/guarded.yaml")).unwrap();
    let annotations = Annotations::from_yaml("guarded.yaml", &text).unwrap();
    let bytes = fixture("annotations/guarded.spv");
    let plain = Module::from_bytes(&bytes).unwrap();
    let annotated = Module::from_bytes(&bytes).unwrap().with_name("guarded").with_annotations(&annotations);
    let annotated = annotated.unwrap();
    let fp64 = Condition::parse("fp64").unwrap();
    let merged = |module: &Module| {
        let variants = [Variant::new(module, &fp64), Variant::new(&plain, None)];
        merge(&variants, &MergeOptions::default())
    };
    let error = merged(&annotated).unwrap_err().to_string();
    assert_eq!(error, "guarded has annotations, which merging does not apply: pack it, and merge the result");
    let packed = pack(&annotated, &PackOptions::default()).unwrap();
    assert!(!packed.summary.calls.is_empty());
    merged(&Module::from_words(packed.words).unwrap()).unwrap();
    merged(&plain).unwrap();
}
