//! Images of programs in tests.

use spirv_if::engine::analysis::Analyses;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::images::{Jit, SplitError, SplitImage, SplitInput, SplitMode, SplitOptions, split};
use crate::tests::corpus::Fixture;
use crate::tests::ways::annotated;
use spirv_if::device::Device;
use spirv_if::engine::analysis::Annotated;
use spirv_if::engine::compatibility::check_requirements;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{DEVICE_REQUIREMENTS, DeviceRequirements};
use spirv_if::engine::pipelines::program;
use spirv_if::engine::pipelines::program::{LinkedProgram, TranslationUnit, link};
use spirv_if::engine::transform::cloning::CloneLimit;
use spirv_if::property_sets::PropertySets;

/// `ext_intel_pci_address`: some devices of the table have it.
const UNPROMISED: u32 = 18;

/// Returns a program of modules without anything beside them; each is named after its number.
pub fn program(modules: &[Module], annotated: Annotated) -> LinkedProgram {
    let properties = PropertySets::default();
    let names: Vec<String> = (0..modules.len()).map(|number| number.to_string()).collect();
    let units: Vec<TranslationUnit> = names
        .iter()
        .zip(modules)
        .map(|(name, module)| TranslationUnit { name, module, properties: &properties, fixed_targets: &[] })
        .collect();
    let (program, _) = link(&units, false).unwrap();
    LinkedProgram { annotated: annotated.with_units(program.annotated), ..program }
}

/// Returns the program for a device. The program is analysed once for all devices.
pub fn on(program: &LinkedProgram) -> impl Fn(&Device) -> LinkedProgram {
    let analyses = Analyses::new(&program.module, Cow::Borrowed(&program.annotated));
    move |device| {
        program::apply_to_device(&analyses, &program.properties, device, CloneLimit::default()).unwrap()
    }
}

/// Returns the annotations of a fixture; and the same with an aspect that no condition implies for each conditional action, if it has any.
pub fn annotation_variants(fixture: &'static Fixture) -> Vec<Annotated> {
    let said = annotated(&fixture.name, fixture.plain.module());
    let calls = &fixture.plain.analyses().calls().unwrap().calls;
    let mut more = said.clone();
    more.aspects.used.extend(calls.iter().map(|call| (call.function, [UNPROMISED].into())));
    match calls.is_empty() {
        true => vec![said],
        false => vec![said, more],
    }
}

/// Returns the images of a program by their symbols, or `None` if it has no code for images.
pub fn images(
    program: &LinkedProgram,
    mode: SplitMode,
    pack: bool,
) -> Option<BTreeMap<Vec<String>, SplitImage>> {
    let options = SplitOptions::new().mode(mode).jit(if pack { Jit::Pack } else { Jit::Declare });
    let analyses = Analyses::new(&program.module, Cow::Borrowed(&program.annotated)).keeping_properties(true);
    let split = match split(analyses, Cow::Borrowed(&program.properties), SplitInput::default(), options) {
        Err(error) if matches!(error.cause(), Some(SplitError::NoEntryPoint | SplitError::NoRoots)) => {
            return None;
        }
        split => split.unwrap(),
    };
    let images = split.plans().iter().map(|plan| split.image(plan).unwrap());
    Some(images.map(|image| (image.symbols.clone(), image)).collect())
}

/// Returns true if a device does not meet the requirements of an image.
pub fn is_refused(device: &Device, image: &SplitImage) -> bool {
    let set = image.properties.get(DEVICE_REQUIREMENTS).unwrap();
    let result = check_requirements(device, &DeviceRequirements::from_set(set).unwrap());
    !result.without_work_group_sizes().missing.is_empty()
}
