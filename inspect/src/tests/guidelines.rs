//! Promises of the whole API: sharing between threads, bytes of results, and errors to match.

use std::error::Error as _;

use super::fixture;
use crate::test_support::assemble;
use crate::test_support::program::expand;
use crate::{CallGraph, Findings, Inspection, Inspector, Report};
use crate::{InspectOptions, inspect};
use spirv_if::device::{DeviceConfig, DeviceParts, Target};
use spirv_if::error::{ModuleErrorKind, RequestErrorKind};
use spirv_if::link::{LinkOptions, Linked, link};
use spirv_if::merge::{MergeOptions, Merged, Variant, merge};
use spirv_if::module::{Annotations, Candidate, Interface, ModulePart};
use spirv_if::pack::Packed;
use spirv_if::property_sets::PropertySets;
use spirv_if::specialize::{CacheKey, HostValues, Specialized, SpecializedSegments, UnsetPolicy};
use spirv_if::trim::{Stripped, Trimmed, strip, trim};
use spirv_if::{Condition, Device, Error, Module, PackOptions, Prepared, Settings, SpecValue, pack};
use spirv_if_sycl::check::Warning;
use spirv_if_sycl::program::{Program, Selection};
use spirv_if_sycl::split::{AddOnImage, Image, PostLink, Split, SplitOptions, split};
use spirv_if_sycl::tables::FileTable;

#[test]
fn threads_share_everything() {
    fn shared<T: Send + Sync>() {}
    shared::<(Module, Candidate, ModulePart, Annotations, Interface)>();
    shared::<(Prepared, Settings, SpecValue, Specialized, SpecializedSegments, CacheKey, HostValues)>();
    shared::<(
        PackOptions,
        Packed,
        MergeOptions,
        Merged,
        Variant,
        SplitOptions,
        Split,
        Image,
        AddOnImage,
        PostLink,
    )>();
    shared::<(Device, DeviceConfig, DeviceParts, Target, Condition, Error)>();
    shared::<(InspectOptions, Inspector, Inspection, Report, CallGraph, Warning, Findings)>();
    shared::<(Linked, Trimmed, Stripped, Program, Selection, PropertySets, FileTable)>();
}

#[test]
fn results_have_their_words_as_bytes() {
    let bytes = fixture("opencl/many.spv");
    let module = Module::from_bytes(&bytes).unwrap();
    let same = |bytes: Vec<u8>, words: &[u32]| {
        assert!(bytes.starts_with(&[0x03, 0x02, 0x23, 0x07]), "little-endian");
        assert_eq!(Module::from_bytes(&bytes).unwrap().words(), words);
    };
    same(module.to_bytes(), module.words());
    let packed = pack(&module, &PackOptions::new()).unwrap();
    same(packed.to_bytes(), &packed.words);
    let loaded = Module::from_words(&packed.words).unwrap();
    let settings = Settings::new().unset(UnsetPolicy::Default);
    let specialized = Prepared::new(&loaded).unwrap().specialize(&Device::default(), &settings).unwrap();
    same(specialized.to_bytes(), &specialized.words);
    let (trimmed, stripped) = (trim(&module).unwrap(), strip(&module).unwrap());
    same(trimmed.to_bytes(), &trimmed.words);
    same(stripped.to_bytes(), &stripped.words);
    let image = split(&module, &SplitOptions::new()).unwrap().image(0).unwrap();
    same(image.to_bytes(), &image.words);
    let merged = merge(&[Variant::new(&module, None)], &MergeOptions::new()).unwrap();
    same(merged.to_bytes(), &merged.words);
}

#[test]
fn requests_that_make_no_sense_say_which_part() {
    use RequestErrorKind as Kind;
    let bytes = fixture("spec/precision.spv");
    let module = Module::from_bytes(&bytes).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let set = |settings: Settings| prepared.specialize(&Device::default(), &settings).map(drop);
    let annotations = Annotations::from_yaml("a.yaml", "functions: { nowhere: { when: fp16 } }").unwrap();
    module.clone().with_annotations(&annotations).unwrap();
    let half = Condition::parse("fp16").unwrap();
    let contradicting = merge(&[Variant::new(&module, &half)], &MergeOptions::new().infer(true));
    let program = Program::new([]).unwrap();
    for (kind, result) in [
        (Kind::Condition, Condition::parse("fp16 &&").map(drop)),
        (Kind::Constant, set(Settings::new().set(77, 1))),
        (Kind::Value, set(Settings::new().set(0, 1.5))),
        (Kind::Value, "three".parse::<SpecValue>().map(drop)),
        (Kind::EntryPoint, set(Settings::new().entry_points(["nothing"]))),
        (Kind::Kernel, program.select("nothing", &Device::default()).map(drop)),
        (Kind::Device, Device::embedded("nothing").map(drop).map_err(Error::from)),
        (Kind::Feature, inspect(&module, &InspectOptions::new().why("nothing")).map(drop)),
        (Kind::ModulePart, "0xnothing".parse::<ModulePart>().map(drop)),
        (Kind::Image, split(&module, &SplitOptions::new()).unwrap().image(99).map(drop)),
        (Kind::Annotations, annotations.check_matches()),
        (Kind::Options, contradicting.map(drop)),
    ] {
        match result {
            Err(Error::Request(error)) => {
                assert_eq!(error.kind(), kind, "{error}");
                assert!(!error.to_string().is_empty());
            }
            other => panic!("{kind:?}: {other:?}"),
        }
    }
}

/// Text just above the middle of two floats: as a double, it is the middle.
#[test]
fn text_is_rounded_once_where_the_type_is_known() {
    let text = "1.0000000596046447755";
    let module = "OpDecorate %b SpecId 3\nOpName %b \"b\"\n%b = OpSpecConstant %float 1\nFN %main\nEND";
    let words = assemble(&expand(module), "spv1.6");
    let module = Module::from_words(words).unwrap();
    let prepared = Prepared::new(&module).unwrap();
    let bits = |value| prepared.assigned(&Settings::new().set(3, value)).unwrap()[0][0].bits;
    for constant in [3.into(), "b".into()] {
        let value = prepared.parse_value(&constant, text).unwrap();
        assert_eq!(value, SpecValue::F32(1.000_000_1));
        assert_eq!(bits(value), Some(0x3f80_0001));
    }
    assert_eq!(bits(text.parse().unwrap()), Some(0x3f80_0000), "rounded twice");
    let error = prepared.parse_value(&3.into(), "true").unwrap_err().to_string();
    assert!(error.starts_with("true is not a value for"), "{error}");
    assert_eq!(prepared.parse_value(&77.into(), "true").unwrap(), SpecValue::Bool(true));
}

#[test]
fn malformed_modules_say_which_part() {
    use ModuleErrorKind as Kind;
    let annotations = Annotations::from_yaml("a.yaml", "functions: 3").map(drop);
    let device = DeviceConfig::from_yaml("d.yaml", "phone: 3").map(drop).map_err(Error::from);
    let properties = PropertySets::parse("a.prop", "nothing").map(drop).map_err(Error::from);
    let file = Program::open("nothing.table").map(drop);
    for (kind, result) in [
        (Kind::Annotations, annotations),
        (Kind::Device, device),
        (Kind::PropertySets, properties),
        (Kind::File, file),
    ] {
        match result {
            Err(Error::Module(error)) => {
                assert_eq!(error.kind(), kind, "{error}");
                // The message is the cause's message, and the source does not repeat it.
                assert!(error.source().is_none_or(|source| source.to_string() != error.to_string()));
            }
            other => panic!("{kind:?}: {other:?}"),
        }
    }
}

#[test]
fn modules_that_do_not_link_say_so() {
    let bytes = fixture("opencl/many.spv");
    let module = Module::from_bytes(&bytes).unwrap();
    let packed = pack(&module, &PackOptions::new()).unwrap();
    let packed = Module::from_words(packed.words).unwrap();
    match link(&[packed, module], &LinkOptions::new()) {
        Err(Error::Module(error)) => assert_eq!(error.kind(), ModuleErrorKind::Link, "{error}"),
        other => panic!("{}", other.is_ok()),
    }
}
