//! The text of conditions.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use spirv_if::{Condition, Device};
use spirv_if_fuzz::oracles::{OF_CONDITIONS, bounded, limited, measure};

static DEVICE: LazyLock<Device> =
    LazyLock::new(|| Device::embedded("intel_gpu_pvc").expect("a device of the table"));

fuzz_target!(init: measure(&["fp16", "fp16 && fp64"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let Ok(condition) = bounded(text.len(), || Condition::parse(text)) else { return };
    let written = condition.to_string();
    let again = Condition::parse(&written).expect("a condition that was written");
    assert_eq!(again.to_string(), written, "not the same text again");
    let size = text.len();
    // A line of assembly for each character, at most.
    limited(OF_CONDITIONS, size, || condition.to_assembly());
    let truth = limited(OF_CONDITIONS, size, || condition.evaluate(&DEVICE));
    let canonical = limited(OF_CONDITIONS, size, || condition.canonical());
    if let Ok(series) = bounded(size, || condition.to_series()) {
        let again = Condition::from_series(&series).expect("a series that was written");
        assert_eq!(again.canonical().ok(), canonical.as_ref().ok().cloned(), "not the same condition again");
    }
    let (Ok(truth), Ok(canonical)) = (truth, canonical) else { return };
    assert_eq!(canonical.canonical().ok().as_ref(), Some(&canonical), "not canonical");
    assert_eq!(canonical.evaluate(&DEVICE).ok(), Some(truth), "another truth in canonical form");
    if let Ok(rest) = limited(OF_CONDITIONS, size, || condition.restricted(&DEVICE)) {
        let known = match rest.to_string().as_str() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        };
        assert_eq!(known, truth, "restricted to a device");
    }
}
