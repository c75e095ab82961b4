//! Tests of annotations on modules from compilers: two ways to a module agree.
//!
//! One way packs the module and specializes it for a device. The other way sets the constants in the compiler's own
//! module.

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use spirv::{Capability, Op};

use crate::analysis::{Annotated, Names};
use crate::compatibility::DeviceValues;
use crate::condition::{Expr, Truth, evaluate};
use crate::device::{Device, DeviceParts};
use crate::loader::Module;
use crate::metadata::annotations::AnnotationsFile;
use crate::metadata::property_sets::PropertyNames;
use crate::pipelines;
use crate::pipelines::property_sets::property_sets;
use crate::test_support;
use crate::transform::pack::PackOptions;
use crate::transform::specialize::{Nothing, specialize};
use crate::transform::trim::trim;
use crate::writer::apply;

/// A fixture with its annotations.
struct AnnotatedFixture {
    words: Vec<u32>,
    annotations: AnnotationsFile,
}

fn fixture(name: &str, annotations: &str) -> AnnotatedFixture {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/annotations");
    let words = test_support::words_of(&std::fs::read(folder.join(name)).unwrap());
    let text = std::fs::read_to_string(folder.join(annotations)).unwrap();
    AnnotatedFixture { words, annotations: AnnotationsFile::from_yaml(annotations, &text).unwrap() }
}

/// Returns a device that has just these aspects and capabilities.
fn device(aspects: &[&str], capabilities: &[&str]) -> Device {
    let parts = DeviceParts::new()
        .aspects([&["gpu"], aspects].concat().join(","))
        .capabilities([&["Shader", "GroupNonUniform"], capabilities].concat().join(","));
    parts.to_device(None).unwrap()
}

/// Returns every device that differs in conditions of the fixtures.
fn devices() -> Vec<Device> {
    let mut devices = Vec::new();
    for case in 0..8 {
        let has = |bit: usize, name| if case >> bit & 1 == 1 { Some(name) } else { None };
        let aspects: Vec<&str> = [has(0, "fp16"), has(1, "fp64")].into_iter().flatten().collect();
        let halves = has(0, "Float16").into_iter().chain(has(0, "StorageBuffer16BitAccess"));
        let capabilities = halves.chain(has(1, "Float64")).chain(has(2, "GroupNonUniformArithmetic"));
        devices.push(device(&aspects, &capabilities.collect::<Vec<&str>>()));
    }
    devices
}

impl AnnotatedFixture {
    fn annotated(&self, module: &Module) -> Annotated {
        Annotated::resolve(module, &Names::new(module), &self.annotations).unwrap()
    }

    /// Packs and validates a module, and returns it with its properties.
    fn pack(&self) -> (Vec<u32>, crate::metadata::property_sets::PropertySets) {
        let module = Module::from_words(&self.words).unwrap();
        let analyses = Analyses::new(&module, Cow::Owned(self.annotated(&module)));
        let packed = pipelines::pack(&analyses, &PackOptions::default(), &|_| Ok(None)).unwrap();
        let universal = format!("spv1.{}", self.words[1] >> 8 & 0xff);
        test_support::assert_valid(&packed.words, &universal);
        (packed.words, property_sets(&packed.packed, PropertyNames::Design).unwrap())
    }

    /// Packs a module and specializes the result.
    fn packed_for(&self, device: &Device) -> Vec<u32> {
        let (words, properties) = self.pack();
        let module = Module::from_words(&words).unwrap();
        let known = DeviceValues::new(device, &properties).unwrap();
        trimmed(
            &module,
            specialize(&Analyses::new(&module, Cow::default()), &known, &[], Default::default())
                .unwrap()
                .edits,
        )
    }

    /// Returns the compiler's module with the constants set.
    fn set_for(&self, device: &Device) -> Vec<u32> {
        let module = Module::from_words(&self.words).unwrap();
        let holds = |expr: &Expr| {
            let value = |leaf| device.truth(leaf);
            evaluate(expr, &value).unwrap() == Truth::True
        };
        let annotated = self.annotated(&module);
        let set: Vec<(u32, u64)> =
            annotated.spec_constants.iter().map(|(&id, expr)| (id, u64::from(holds(expr)))).collect();
        trimmed(
            &module,
            specialize(&Analyses::new(&module, Cow::default()), &Nothing, &set, Default::default())
                .unwrap()
                .edits,
        )
    }
}

fn trimmed(module: &Module, edits: crate::transform::Edits) -> Vec<u32> {
    let words = apply(module, &edits).unwrap();
    let module = Module::from_words(&words).unwrap();
    apply(&module, &trim(&module).edits).unwrap()
}

fn capabilities(words: &[u32]) -> BTreeSet<u32> {
    let module = Module::from_words(words).unwrap();
    module.globals().filter(|inst| inst.is(Op::Capability)).map(|inst| inst.word(1)).collect()
}

/// Returns the number of instructions of functions by opcode, without those in which the ways differ: the calls of clones.
fn instructions(words: &[u32]) -> BTreeMap<String, usize> {
    let module = Module::from_words(words).unwrap();
    let mut counts = BTreeMap::new();
    for inst in module.functions().iter().flat_map(|function| module.body(function)) {
        let of_calls = matches!(
            inst.op(),
            Some(Op::Function | Op::FunctionEnd | Op::FunctionCall | Op::Return | Op::Label | Op::CopyObject)
        );
        if !of_calls {
            *counts.entry(inst.name()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn constants_that_stand_for_conditions_are_decided_by_either_way() {
    for name in ["guarded.spv", "guarded-O.spv"] {
        let fixture = fixture(name, "guarded.yaml");
        let mut different = BTreeSet::new();
        for device in devices() {
            let (packed, set) = (fixture.packed_for(&device), fixture.set_for(&device));
            for words in [&packed, &set] {
                test_support::assert_valid(words, "vulkan1.2");
            }
            assert_eq!(capabilities(&packed), capabilities(&set), "{name}");
            assert_eq!(instructions(&packed), instructions(&set), "{name}");
            different.insert(capabilities(&packed));
        }
        assert_eq!(different.len(), 4, "half floats or not, sub-groups or not");
    }
}

#[test]
fn functions_that_annotations_name() {
    let fixture = fixture("results.spv", "results.yaml");
    for device in devices() {
        let words = fixture.packed_for(&device);
        test_support::assert_valid(&words, "vulkan1.1");
        let declared = capabilities(&words);
        let module = Module::from_words(&words).unwrap();
        let names = Names::new(&module);
        let functions: BTreeSet<String> =
            module.functions().iter().map(|function| names.display(function.id)).collect();
        for (capability, aspect, with, without) in [
            (Capability::Float16, 5, ["sum_in_half", "range_in_half"], ["sum_in_float", "range_in_float"]),
            (Capability::Float64, 6, ["scale_in_double"; 2], ["main"; 2]),
        ] {
            let has = device.has_aspect(aspect) == Some(true);
            assert_eq!(declared.contains(&(capability as u32)), has, "{capability:?}");
            for (name, there) in with
                .map(|name| (name, has))
                .into_iter()
                .chain(without.map(|name| (name, !has || name == "main")))
            {
                assert_eq!(functions.contains(name), there, "{name} where {capability:?} is {has}");
            }
        }
        // The module has no copies of results that are not taken, and none of two results.
        let of_two = module
            .instructions()
            .filter(|inst| inst.is(Op::ConditionalCopyObjectINTEL) || inst.is(Op::Undef));
        assert_eq!(of_two.count(), 0);
    }
}
