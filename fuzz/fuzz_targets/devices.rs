//! Device configuration files.

#![no_main]

use libfuzzer_sys::fuzz_target;
use spirv_if::Condition;
use spirv_if::device::DeviceConfig;
use spirv_if_inspect::TextStyle;
use spirv_if_fuzz::oracles::{OF_TEXTS, bounded, limited, measure};

fuzz_target!(init: measure(&["a: {}", "a: {aspects: [fp16]}"], fuzz), |text: &str| fuzz(text));

fn fuzz(text: &str) {
    let Ok(devices) = limited(OF_TEXTS, text.len(), || DeviceConfig::from_yaml("a.yaml", text)) else {
        return;
    };
    let condition = Condition::parse("fp16 && arch(intel_gpu_pvc) || cap(Int64)").expect("a condition");
    for device in devices.iter() {
        let written = bounded(text.len(), || device.to_yaml());
        let again = DeviceConfig::from_yaml("a.yaml", &written).expect("a configuration that was written");
        assert_eq!(again.iter().collect::<Vec<_>>(), [device], "not the same device again");
        bounded(text.len(), || device.describe(&TextStyle::default()));
        device.macros();
        let _ = condition.evaluate(device);
        assert!(devices.get(device.name()).is_ok(), "a device is not found by its name");
    }
}
