//! Images of programs in tests.

use crate::analysis::Analyses;
use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::analysis::Annotated;
use crate::device::{Device, DeviceConfig};
use crate::loader::Module;
use crate::properties::{DEVICE_REQUIREMENTS, DeviceRequirements, PropertyNames, PropertySets};
use crate::recipes::program::{Program, Unit};
use crate::recipes::split::{Image, Mode, Options, SplitError, split};
use crate::recipes::tests::ways::annotated;
use crate::runtime::unmet_ahead_of_time;

/// `ext_intel_pci_address`: some devices of the table have it.
const UNPROMISED: u32 = 18;

/// A program of modules without anything beside them; each is called by its number.
pub fn program(modules: &[Module], annotated: Annotated) -> Program {
    let properties = PropertySets::default();
    let names: Vec<String> = (0..modules.len()).map(|number| number.to_string()).collect();
    let units: Vec<Unit> = names
        .iter()
        .zip(modules)
        .map(|(name, module)| Unit { name, module, properties: &properties, fixed_targets: &[] })
        .collect();
    let mut program = Program::link(&units).unwrap();
    program.annotate(annotated);
    program
}

/// What annotations a fixture has; and with everything that is called under a condition said to use an aspect that no condition promises.
pub fn said(name: &str, module: &Module) -> [Annotated; 2] {
    let said = annotated(name, module);
    let mut more = said.clone();
    for call in &Analyses::of(module).calls().unwrap().calls {
        more.aspects.used.insert(call.function, [UNPROMISED].into());
    }
    [said, more]
}

/// The images of a program by their symbols; `None` where it has nothing to make images of.
pub fn images(program: &Program, mode: Mode, pack: bool) -> Option<BTreeMap<Vec<String>, Image>> {
    let module = Module::from_words(&program.words[..]).unwrap();
    let devices = DeviceConfig::embedded().unwrap();
    let options = Options {
        mode,
        source: "",
        properties: &program.properties,
        fixed_targets: &[],
        devices: &devices,
        only_entry_points: false,
        rename_entry: None,
        property_names: PropertyNames::Design,
    };
    let made = split(&Analyses::new(&module, Cow::Borrowed(&program.annotated)), &options, |split| {
        let one = |plan| {
            let mut image = split.image(plan)?;
            if pack {
                program.pack(&mut image, PropertyNames::Design).unwrap();
            }
            Ok((image.symbols.clone(), image))
        };
        split.plans().iter().map(one).collect::<Result<_, SplitError>>()
    });
    match made {
        Err(SplitError::NoRoots | SplitError::NoEntryPoint) => None,
        made => Some(made.unwrap()),
    }
}

/// Whether a device lacks what an image requires.
pub fn lacks(device: &Device, image: &Image) -> bool {
    let set = image.properties.get(DEVICE_REQUIREMENTS).unwrap();
    !unmet_ahead_of_time(device, &DeviceRequirements::from_set(set).unwrap()).unwrap().is_empty()
}
