//! Devices without some of what they have: their entries in a device configuration, edited.

use serde_yaml::{Mapping, Value};
use spirv::Capability;
use spirv_if::Device;
use spirv_if::device::{DeviceConfig, DeviceParts};

/// The device without these capabilities.
pub fn without(device: &Device, mask: &[Capability]) -> Device {
    read(&entries_without(&device.to_yaml(), mask, &[]))
}

/// The device with only the older versions of SPIR-V 1.x up to a minor one, and without extensions.
pub fn older(device: &Device, newest: u8) -> Device {
    let mut all: Mapping = serde_yaml::from_str(&device.to_yaml()).unwrap();
    for entry in all.values_mut().filter_map(Value::as_mapping_mut) {
        let versions = (0..=newest).map(|minor| format!("1.{minor}")).collect::<Vec<_>>();
        entry.insert("spirv-versions".into(), versions.into());
        entry.insert("extensions".into(), Vec::<Value>::new().into());
        entry.insert("environments".into(), Vec::<Value>::new().into());
        entry.insert("exact-spirv-versions".into(), true.into());
        entry.insert("exact-extensions".into(), true.into());
    }
    read(&serde_yaml::to_string(&all).unwrap())
}

/// The device of the one entry.
pub fn read(entry: &str) -> Device {
    DeviceConfig::from_yaml("masked", entry).unwrap().into_iter().next().unwrap()
}

/// Entries without capabilities, without the capabilities and aspects that imply these, and without some keys.
pub fn entries_without(entries: &str, mask: &[Capability], keys: &[&str]) -> String {
    let mut all: Mapping = serde_yaml::from_str(entries).unwrap();
    for entry in all.values_mut().filter_map(Value::as_mapping_mut) {
        let mut retain = |list: &str, of: fn(String) -> DeviceParts| {
            let list = entry.get_mut(list).and_then(Value::as_sequence_mut).unwrap();
            list.retain(|item| !implies(&of(text(item)), mask));
        };
        retain("aspects", |aspect| DeviceParts::new().aspects(aspect));
        retain("capabilities", |capability| DeviceParts::new().capabilities(capability));
        for key in keys {
            entry.remove(*key);
        }
    }
    serde_yaml::to_string(&all).unwrap()
}

/// A name, or the number of an unnamed one.
pub fn text(item: &Value) -> String {
    item.as_str().map_or_else(|| item.as_u64().unwrap().to_string(), str::to_owned)
}

/// Returns true if a device with these parts has one of the capabilities.
fn implies(parts: &DeviceParts, mask: &[Capability]) -> bool {
    let devices = parts.to_devices(None).unwrap();
    mask.iter().any(|&capability| devices[0].has_capability(capability as u32) == Some(true))
}
