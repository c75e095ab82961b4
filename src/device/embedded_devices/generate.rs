//! Generation of the constants from `spec-extensions/devices.yaml`.

use std::fmt::{Debug, Write};

use super::DEVICES;
use crate::device::{Device, DeviceConfig};
use crate::test_support::assert_written;

const COMMENT: &str =
    "//! The embedded devices: BLESS=1 cargo test --lib device::embedded_devices writes this file.";
const USES: &str = "\
use std::borrow::Cow::{self, Borrowed};
use std::collections::BTreeMap;

use crate::condition::FeatureName;
use crate::device::Device;
use crate::device::flat::{FlatMap, FlatSet};
use crate::loader::Version;
";

/// Lists of one kind, which devices share.
struct SharedLists {
    name: &'static str,
    item: &'static str,
    /// The items of each list, as constants of the language.
    lists: Vec<Vec<String>>,
}

impl SharedLists {
    fn new(name: &'static str, item: &'static str) -> SharedLists {
        SharedLists { name, item, lists: Vec::new() }
    }

    /// Returns the list of these items as a constant of a type.
    fn add<T>(&mut self, type_: &str, items: &[T], write: impl Fn(&T) -> String) -> String {
        let items: Vec<String> = items.iter().map(write).collect();
        if items.is_empty() {
            return format!("{type_}(&[])");
        }
        let known = self.lists.iter().position(|list| *list == items);
        let at = known.unwrap_or_else(|| {
            self.lists.push(items);
            self.lists.len() - 1
        });
        format!("{type_}(&{}_{at})", self.name)
    }

    fn write(&self, text: &mut String) {
        for (at, list) in self.lists.iter().enumerate() {
            let (name, item, count) = (self.name, self.item, list.len());
            writeln!(text, "static {name}_{at}: [{item}; {count}] = [{}];", list.join(", ")).unwrap();
        }
    }
}

fn some(constant: Option<String>) -> String {
    constant.map_or("None".to_owned(), |constant| format!("Some({constant})"))
}

fn debug(value: &impl Debug) -> String {
    format!("{value:?}")
}

/// Returns the text of `generated.rs`.
fn constants(devices: &[Device]) -> String {
    let set = "FlatSet::constant";
    let map = "FlatMap::constant";
    let mut aspects = SharedLists::new("ASPECTS", "u32");
    let mut capabilities = SharedLists::new("CAPABILITIES", "u32");
    let mut names = SharedLists::new("NAMES", "Cow<str>");
    let mut versions = SharedLists::new("VERSIONS", "Version");
    let mut sizes = SharedLists::new("SIZES", "u32");
    let mut limits = SharedLists::new("LIMITS", "(&str, u64)");
    let mut features = SharedLists::new("FEATURES", "(FeatureName, bool)");
    let mut rows = String::new();
    for device in devices {
        let Device { name, complete, architecture, unknown_architecture, .. } = device;
        let Device {
            exact_capabilities, unlisted_capabilities, exact_extensions, exact_spirv_versions, ..
        } = device;
        let Device { max_work_group_size, may_support_more, category, family, .. } = device;
        let Device { registry_architecture, target, .. } = device;
        let mut names = |list: &[_]| names.add(set, list, |name| format!("Borrowed({name:?})"));
        let version = |version: &_| {
            let crate::loader::Version { major, minor, .. } = version;
            format!("Version::new({major}, {minor})")
        };
        assert!(device.host.is_empty(), "{name}");
        let fields = [
            ("name", format!("Borrowed({name:?})")),
            ("complete", debug(complete)),
            ("architecture", debug(architecture)),
            ("unknown_architecture", debug(unknown_architecture)),
            ("aspects", some(device.aspects.as_ref().map(|list| aspects.add(set, list, debug)))),
            (
                "capabilities",
                some(device.capabilities.as_ref().map(|list| capabilities.add(set, list, debug))),
            ),
            ("exact_capabilities", debug(exact_capabilities)),
            ("exact_extensions", debug(exact_extensions)),
            ("exact_spirv_versions", debug(exact_spirv_versions)),
            ("unlisted_capabilities", debug(unlisted_capabilities)),
            ("extensions", some(device.extensions.as_ref().map(|list| names(list)))),
            ("added_extensions", names(&device.added_extensions)),
            ("host", "BTreeMap::new()".to_owned()),
            (
                "spirv_versions",
                some(device.spirv_versions.as_ref().map(|list| versions.add(set, list, version))),
            ),
            ("sub_group_sizes", sizes.add("Borrowed", &device.sub_group_sizes, debug)),
            ("max_work_group_size", debug(max_work_group_size)),
            ("limits", limits.add(map, &device.limits, debug)),
            ("may_support_more", debug(may_support_more)),
            ("category", debug(category)),
            ("family", debug(family)),
            ("registry_architecture", debug(registry_architecture)),
            ("target", debug(target)),
            ("features", some(device.features.as_ref().map(|list| aspects.add(set, list, debug)))),
            (
                "provider_features",
                features.add(map, &device.provider_features, |(name, has)| {
                    format!("(FeatureName::constant({name:?}), {has})")
                }),
            ),
            ("complete_features", names(&device.complete_features)),
            (
                "driver",
                device.driver.map_or("None".to_owned(), |driver| format!("Some(crate::device::{driver:?})")),
            ),
        ];
        rows += "    Device {\n";
        for (field, constant) in fields {
            writeln!(rows, "        {field}: {constant},").unwrap();
        }
        rows += "    },\n";
    }
    let mut text = format!("{COMMENT}\n\n{USES}\n");
    for lists in [aspects, capabilities, names, versions, sizes, limits, features] {
        lists.write(&mut text);
    }
    let count = devices.len();
    format!("{text}\n/// The devices.\npub(crate) static DEVICES: [Device; {count}] = [\n{rows}];\n")
}

/// Compares the constants with the entries; `BLESS=1` writes them.
#[test]
fn constants_are_those_of_the_entries() {
    let yaml = include_str!("../../../spec-extensions/devices.yaml");
    let config = DeviceConfig::from_yaml("devices.yaml", yaml).unwrap();
    let devices: Vec<Device> = config.into_iter().collect();
    // Of several entries with a name, none would be found by it.
    let mut distinct = devices.clone();
    crate::device::make_names_distinct(&mut distinct);
    assert_eq!(devices, distinct);
    assert_written("src/device/embedded_devices/generated.rs", &constants(&devices));
    assert!(devices == DEVICES, "the program has what the file had when it was built");
}
