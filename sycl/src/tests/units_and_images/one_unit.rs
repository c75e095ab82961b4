//! Tests that conditions decided ahead of time result in the same images as conditions decided when an image is loaded.

use spirv_if::engine::analysis::Analyses;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use spirv::Op;

use super::support::{annotation_variants, images, is_refused, on as on_device, program};
use crate::images::{SplitImage, SplitMode};
use crate::test_support::Batch;
use crate::tests::corpus::{fixture, fixtures, share_of_fixtures};
use crate::tests::ways::{canonical, devices, trimmed};
use spirv_if::device::{Api, DeviceConfig};
use spirv_if::engine::analysis::requirements::api_of;
use spirv_if::engine::analysis::{DeclaredAspects, Names};
use spirv_if::engine::compatibility::DeviceValues;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{
    DEVICE_REQUIREMENTS, DeviceRequirements, SPECIAL_CONSTANTS, SpecialConstants,
};
use spirv_if::engine::pipelines::property_sets::property_sets;
use spirv_if::engine::transform::carry;
use spirv_if::engine::transform::specialize::specialize;
use spirv_if::engine::writer::apply;
use spirv_if::property_sets::PropertyNames;

/// Returns the environment of a fixture: SPIR-V of its version.
fn environment(words: &[u32]) -> String {
    format!("spv1.{}", words[1] >> 8 & 0xff)
}

/// Returns the meaning of its constants.
fn leaves(image: &SplitImage) -> SpecialConstants {
    let set = image.properties.get(SPECIAL_CONSTANTS);
    set.map(|set| SpecialConstants::from_set(set).unwrap()).unwrap_or_default()
}

fn requirements(image: &SplitImage) -> DeviceRequirements {
    DeviceRequirements::from_set(image.properties.get(DEVICE_REQUIREMENTS).unwrap()).unwrap()
}

/// Checks images for each device: an image is the packed image, specialized for the device. The device may get either or neither.
#[test]
fn ahead_of_time_is_packed_and_specialized() {
    let (mut compared, mut conditional, mut refused) = (0, 0, 0);
    let mut written = Batch::default();
    for fixture in share_of_fixtures(3) {
        let (name, words) = (&fixture.name, fixture.words());
        let modules = [Module::from_words(words).unwrap()];
        let api = api_of(&modules[0]);
        for (said, first) in annotation_variants(fixture).into_iter().zip([true, false]) {
            // There an entry point calls its clones: src/pipelines/tests/annotations.rs compares that.
            let varies = !said.spec_constants.is_empty();
            let program = program(&modules, said);
            let Some(packed) = images(&program, SplitMode::Kernel, true) else { continue };
            // Annotations on the aspects of functions change no code.
            let mut validate = |name: &str, words: &[u32], environment: &str| {
                if first {
                    written.add(name, words, environment);
                }
            };
            for (symbols, any) in &packed {
                validate(&format!("{name} {symbols:?}"), &any.words, "spv1.6");
            }
            let mut asked: Vec<_> =
                packed.values().flat_map(|image| leaves(image).leaves().collect::<Vec<_>>()).collect();
            asked.sort_unstable();
            asked.dedup();
            conditional += usize::from(!asked.is_empty());
            let modules = packed.values().map(|image| Module::from_words(&image.words[..]).unwrap());
            let modules: Vec<Module> = modules.collect();
            let analyses: BTreeMap<&Vec<String>, Analyses> = packed
                .keys()
                .zip(modules.iter().map(|module| Analyses::new(module, Cow::default())))
                .collect();
            // Many devices get the same.
            let mut known: HashMap<Vec<u32>, Rc<Vec<Vec<u32>>>> = HashMap::new();
            let mut compared_by = |words: Vec<u32>| {
                let new = |words: &Vec<u32>| Rc::new(canonical(&trimmed(words)));
                known.entry(words).or_insert_with_key(new).clone()
            };
            let on_device = on_device(&program);
            for device in devices(&asked).into_values() {
                let device = device.for_api(api);
                let on = on_device(&device);
                let ahead = images(&on, SplitMode::Kernel, false).unwrap();
                assert_eq!(ahead.keys().collect::<Vec<_>>(), packed.keys().collect::<Vec<_>>(), "{name}");
                for (symbols, image) in &ahead {
                    let on = format!("{name} {symbols:?} on {}", device.name);
                    validate(&on, &image.words, &environment(words));
                    let any = &packed[symbols];
                    assert_eq!(is_refused(&device, image), is_refused(&device, any), "{on}");
                    refused += usize::from(is_refused(&device, any));
                    if varies {
                        continue;
                    }
                    let (module, analyses) = (analyses[symbols].module(), &analyses[symbols]);
                    let known = DeviceValues::new(&device, &any.properties).unwrap();
                    let mut cut = specialize(analyses, &known, &[], Default::default()).unwrap();
                    // Conditions that a device decides are not carried on.
                    carry(module, None, &mut cut.edits).unwrap();
                    let cut = apply(module, &cut.edits).unwrap();
                    let (left, right) = (compared_by(image.words.clone()), compared_by(cut));
                    for (at, (left, right)) in left.iter().zip(&*right).enumerate() {
                        assert_eq!(left, right, "{on}: instruction {at}");
                    }
                    assert_eq!(left.len(), right.len(), "{on}");
                    compared += 1;
                }
            }
        }
    }
    written.assert_valid();
    assert!(compared > 100 && conditional > 7 && refused > 30, "{compared} {conditional} {refused}");
}

/// The aspects of an image are found when the program is split, and another time when the image is packed.
#[test]
fn requirements_are_what_packing_finds() {
    let mut conditional = 0;
    for fixture in fixtures() {
        let name = &fixture.name;
        let modules = [Module::from_words(fixture.words()).unwrap()];
        for said in annotation_variants(fixture) {
            let program = program(&modules, said);
            let Some(unpacked) = images(&program, SplitMode::Kernel, false) else { continue };
            for (symbols, image) in unpacked {
                let module = Module::from_words(&image.words[..]).unwrap();
                let said = program.annotated.within(&module);
                let analyses = Analyses::new(&module, Cow::Owned(said));
                let packed = spirv_if::engine::pipelines::pack(&analyses, &Default::default(), &|_| Ok(None))
                    .unwrap()
                    .packed;
                let sets = property_sets(&packed, PropertyNames::Design).unwrap();
                let packed_requirements =
                    DeviceRequirements::from_set(sets.get(DEVICE_REQUIREMENTS).unwrap()).unwrap();
                let image_requirements = requirements(&image);
                // Declarations of kernels, and of functions that they call, count as well.
                let names = Names::new(&module);
                let (properties, aspects_of_functions) = (analyses.properties(), &program.annotated.aspects);
                let declared =
                    DeclaredAspects::read(&module, &names, properties, aspects_of_functions).unwrap();
                let entries =
                    module.globals().filter(|inst| inst.is(Op::EntryPoint)).map(|inst| inst.word(2));
                let entries: BTreeSet<u32> = entries.collect();
                let aspects = |function: u32| declared.aspects(function).into_iter().flatten().copied();
                let functions: Vec<u32> = module.functions().iter().map(|function| function.id).collect();
                let least = entries.iter().flat_map(|&id| aspects(id));
                let least: BTreeSet<u32> = least.chain(packed_requirements.aspects.iter().copied()).collect();
                let most: BTreeSet<u32> =
                    functions.iter().flat_map(|&id| aspects(id)).chain(least.iter().copied()).collect();
                let image_aspects: BTreeSet<u32> = image_requirements.aspects.iter().copied().collect();
                assert!(
                    least.is_subset(&image_aspects) && image_aspects.is_subset(&most),
                    "{name} {symbols:?}: {least:?} {image_aspects:?} {most:?}"
                );
                assert_eq!(
                    image_requirements.conditional, packed_requirements.conditional,
                    "{name} {symbols:?}"
                );
                conditional += usize::from(!packed_requirements.conditional.is_empty());
            }
        }
    }
    assert!(conditional > 3, "{conditional}");
}

/// Checks that no device of the table refuses an image for it.
#[test]
fn all_devices_of_the_table() {
    let modules = [Module::from_words(fixture("opencl/device_if.spv").words()).unwrap()];
    let program = program(&modules, Default::default());
    let on_device = on_device(&program);
    for device in DeviceConfig::embedded().unwrap().iter() {
        let images = images(&on_device(&device.for_api(Api::OpenCl)), SplitMode::Off, false).unwrap();
        assert!(images.values().all(|image| leaves(image) == SpecialConstants::default()), "{}", device.name);
    }
}
