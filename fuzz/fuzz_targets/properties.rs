//! Property sets (`.prop` files).

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if::device::Target;
use spirv_if::property_sets::PropertySets;
use spirv_if::{Device, Module, Prepared, Settings};
use spirv_if_fuzz::oracles::{bounded, measure};

/// A module without anything in it.
const EMPTY: [u32; 5] = [0x0723_0203, 0x0001_0000, 0, 1, 0];

fuzz_target!(init: measure(&["", "[a]\n"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let Ok(sets) = bounded(text.len(), || PropertySets::parse("a.prop", text)) else { return };
    let written = bounded(text.len(), || sets.to_text());
    assert_eq!(PropertySets::parse("a.prop", &written).as_ref(), Ok(&sets), "not the same sets again");
    assert!(!PropertySets::is_own_text(text) || written == text, "not the same text again");
    let device = Device::embedded("intel_gpu_dg1").expect("a device of the table");
    let target = Target::from(device.clone());
    let _ = bounded(text.len(), || target.compatibility_of_properties(&sets));
    let module = Module::from_words(&EMPTY[..]).expect("the empty module");
    let Ok(module) = bounded(text.len(), || module.clone().with_properties(sets.clone())) else { return };
    let _ = bounded(text.len(), || Prepared::new(&module)?.specialize(&device, &Settings::new()));
}
