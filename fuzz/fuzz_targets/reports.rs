//! Reports of devices by other tools.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if::device::{DeviceConfig, DeviceReport};
use spirv_if_fuzz::oracles::{OF_TEXTS, bounded, limited, measure};

fuzz_target!(init: measure(&["{}", "[]"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let reports = limited(OF_TEXTS, text.len(), || DeviceReport::from_json("a.json", text, None));
    for report in reports.into_iter().flatten() {
        let written = bounded(text.len(), || report.device.to_yaml());
        let again = DeviceConfig::from_yaml("a.yaml", &written).expect("a configuration that was written");
        assert_eq!(again.iter().collect::<Vec<_>>(), [&report.device], "not the same device again");
    }
}
