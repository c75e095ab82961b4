//! The embedded devices: one row for each of `spec-extensions/devices.yaml`, with everything that follows
//! from its entry. A test writes them.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use super::Device;
use crate::text::csv;

/// Columns are those fields of [`Device`] that complete devices use. Items of lists are separated by spaces;
/// `-` stands for unknown, and `=` for the field of the row before, which most devices share.
const ROWS: &str = include_str!("embedded_devices.csv");
const UNKNOWN: &str = "-";
const SAME: &str = "=";
const YES: &str = "yes";
const COLUMNS: usize = 20;

/// Returns the device with this name.
pub(super) fn device(name: &str) -> Option<Device> {
    rows().find(|row| row[0] == name).map(from_row)
}

/// Returns all devices, in the order of their entries.
pub(super) fn devices() -> impl Iterator<Item = Device> {
    rows().map(from_row)
}

/// Returns the rows with all of their fields.
fn rows() -> impl Iterator<Item = [&'static str; COLUMNS]> {
    csv::rows(ROWS).scan([UNKNOWN; COLUMNS], |before, row: [&str; COLUMNS]| {
        *before = std::array::from_fn(|at| if row[at] == SAME { before[at] } else { row[at] });
        Some(*before)
    })
}

fn from_row(row: [&str; COLUMNS]) -> Device {
    let [
        name,
        architecture,
        unknown_architecture,
        category,
        family,
        registry_architecture,
        aspects,
        capabilities,
        exact_capabilities,
        extensions,
        exact_extensions,
        spirv_versions,
        exact_spirv_versions,
        sub_group_sizes,
        max_work_group_size,
        limits,
        may_support_more,
        target,
        features,
        provider_features,
    ] = row;
    let mut device = Device {
        name: name.to_owned(),
        complete: true,
        architecture: number(architecture),
        unknown_architecture: unknown_architecture == YES,
        aspects: known(aspects).map(numbers),
        capabilities: known(capabilities).map(numbers),
        exact_capabilities: exact_capabilities == YES,
        exact_extensions: exact_extensions == YES,
        exact_spirv_versions: exact_spirv_versions == YES,
        unlisted_capabilities: false,
        added_extensions: BTreeSet::new(),
        host: BTreeMap::new(),
        provider_features: BTreeMap::new(),
        complete_features: BTreeSet::new(),
        extensions: known(extensions).map(|names| names.split_terminator(' ').map(str::to_owned).collect()),
        spirv_versions: known(spirv_versions).map(|versions| {
            versions.split_terminator(' ').filter_map(|version| version.parse().ok()).collect()
        }),
        sub_group_sizes: items(sub_group_sizes),
        max_work_group_size: number(max_work_group_size),
        limits: BTreeMap::new(),
        may_support_more: may_support_more == YES,
        category: number(category),
        family: number(family),
        registry_architecture: number(registry_architecture),
        target: number(target),
        features: known(features).map(numbers),
    };
    // A test has parsed all of them.
    let _ = device.add_provider_features(provider_features.split_terminator(' '));
    let _ = device.add_limits(limits.split_terminator(' '));
    device
}

fn known(field: &str) -> Option<&str> {
    (field != UNKNOWN).then_some(field)
}

fn number(field: &str) -> Option<u32> {
    known(field).map(item)
}

/// Parses a value of a row. A test has parsed all of them.
fn item<T: FromStr + Default>(text: &str) -> T {
    text.parse().unwrap_or_default()
}

fn items<C: FromIterator<u32>>(field: &str) -> C {
    field.split_terminator(' ').map(item::<u32>).collect()
}

fn numbers(field: &str) -> BTreeSet<u32> {
    items(field)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceConfig;
    use crate::loader::Version;

    const TITLES: &str = "name,architecture,unknown-architecture,category,family,registry-architecture,aspects,capabilities,\
        exact-capabilities,extensions,exact-extensions,spirv-versions,exact-spirv-versions,sub-group-sizes,max-work-group-size,\
        limits,may-support-more,target,features,provider-features";

    fn list(items: impl IntoIterator<Item = impl ToString>) -> String {
        items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(" ")
    }

    fn option<T>(known: &Option<T>, text: impl Fn(&T) -> String) -> String {
        known.as_ref().map_or(UNKNOWN.to_owned(), text)
    }

    fn row(device: &Device) -> [String; COLUMNS] {
        let yes = |is: bool| if is { YES.to_owned() } else { UNKNOWN.to_owned() };
        let number = |number: &Option<u32>| option(number, u32::to_string);
        let Device {
            name, architecture, unknown_architecture, category, family, registry_architecture, ..
        } = device;
        let Device { aspects, capabilities, exact_capabilities, extensions, spirv_versions, .. } = device;
        let Device { exact_extensions, exact_spirv_versions, .. } = device;
        let Device { sub_group_sizes, max_work_group_size, may_support_more, target, features, .. } = device;
        [
            name.clone(),
            number(architecture),
            yes(*unknown_architecture),
            number(category),
            number(family),
            number(registry_architecture),
            option(aspects, |aspects| list(aspects)),
            option(capabilities, |capabilities| list(capabilities)),
            yes(*exact_capabilities),
            option(extensions, |extensions| list(extensions)),
            yes(*exact_extensions),
            option(spirv_versions, |versions| list(versions.iter().map(ToString::to_string))),
            yes(*exact_spirv_versions),
            list(sub_group_sizes),
            number(max_work_group_size),
            list(device.limit_items()),
            yes(*may_support_more),
            number(target),
            option(features, |features| list(features)),
            list(device.provider_feature_items()),
        ]
    }

    /// Compares the rows with the entries; `BLESS=1` writes them.
    #[test]
    fn rows_are_those_of_the_entries() {
        let yaml = include_str!("../../spec-extensions/devices.yaml");
        let config = DeviceConfig::from_yaml("devices.yaml", yaml).unwrap();
        let mut before = [UNKNOWN; COLUMNS].map(str::to_owned);
        let mut rows = String::new();
        for row in config.iter().map(row) {
            let fields = row.iter().zip(&before);
            let fields = fields.map(|(field, before)| if field == before { SAME } else { field });
            rows += &(fields.collect::<Vec<&str>>().join(",") + "\n");
            before = row;
        }
        let comment =
            "# Written from spec-extensions/devices.yaml: BLESS=1 cargo test --lib device::embedded_devices";
        let text = format!("{comment}\n{TITLES}\n{rows}");
        if std::env::var_os("BLESS").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/device/embedded_devices.csv");
            std::fs::write(path, &text).unwrap();
            return;
        }
        assert!(text == ROWS, "BLESS=1 writes them");
        assert_eq!(TITLES.split(',').count(), COLUMNS);
        assert_eq!(devices().collect::<Vec<_>>(), config.iter().cloned().collect::<Vec<_>>());
    }

    #[test]
    fn every_field_is_read() {
        let device = Device {
            name: "a".to_owned(),
            complete: true,
            architecture: Some(1),
            unknown_architecture: true,
            aspects: Some([].into()),
            capabilities: Some([2, 30].into()),
            exact_capabilities: true,
            exact_extensions: true,
            exact_spirv_versions: true,
            extensions: Some(["SPV_A".to_owned(), "SPV_B*".to_owned()].into()),
            spirv_versions: Some([Version::new(1, 0), Version::new(1, 6)].into()),
            sub_group_sizes: vec![8, 16],
            max_work_group_size: Some(4),
            may_support_more: true,
            category: Some(5),
            family: Some(6),
            registry_architecture: Some(7),
            target: Some(8),
            features: Some([9].into()),
            ..Device::default()
        };
        let mut device = device;
        device.add_provider_features(["vulkan:a", "!vulkan:b"]).unwrap();
        device.add_limits(["maxGeometryOutputVertices=10", "maxComputeWorkGroupSize[2]=11"]).unwrap();
        let nothing = Device { name: "b".to_owned(), complete: true, ..Device::default() };
        for device in [device, nothing] {
            let row = row(&device);
            assert_eq!(from_row(row.each_ref().map(String::as_str)), device);
        }
    }
}
