//! Generation of the constants from `spec-extensions/devices.yaml`.

#![allow(clippy::unwrap_used, reason = "only the package `generate` and tests run it")]

use std::fmt::{Debug, Write};

use crate::device::facts::DeviceFacts;
use crate::device::{Device, DeviceConfig};

const COMMENT: &str = "//! The embedded devices: `cargo run -p generate` writes this file.";
const USES: &str = "\
use std::borrow::Cow::{self, Borrowed};
use std::collections::BTreeMap;

use crate::condition::FeatureName;
use crate::device::Device;
use crate::device::facts::DeviceFacts;
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
    fn add<T>(&mut self, type_: &str, items: &[T], write: impl FnMut(&T) -> String) -> String {
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

/// The lists of all devices.
struct Lists {
    numbers: SharedLists,
    capabilities: SharedLists,
    names: SharedLists,
    versions: SharedLists,
    sizes: SharedLists,
    limits: SharedLists,
    features: SharedLists,
}

const SET: &str = "FlatSet::constant";
const MAP: &str = "FlatMap::constant";

impl Lists {
    fn new() -> Lists {
        Lists {
            numbers: SharedLists::new("ASPECTS", "u32"),
            capabilities: SharedLists::new("CAPABILITIES", "u32"),
            names: SharedLists::new("NAMES", "Cow<str>"),
            versions: SharedLists::new("VERSIONS", "Version"),
            sizes: SharedLists::new("SIZES", "u32"),
            limits: SharedLists::new("LIMITS", "(&str, u64)"),
            features: SharedLists::new("FEATURES", "(FeatureName, bool)"),
        }
    }

    /// Returns the constant of facts.
    fn facts(&mut self, facts: &DeviceFacts) -> String {
        let Lists { numbers, capabilities, names, versions, sizes, limits, features } = self;
        let DeviceFacts { exact_capabilities, unlisted_capabilities, exact_extensions, .. } = facts;
        let DeviceFacts { exact_spirv_versions, max_work_group_size, .. } = facts;
        let mut names = |list: &[_]| names.add(SET, list, |name| format!("Borrowed({name:?})"));
        let version = |version: &_| {
            let crate::loader::Version { major, minor, .. } = version;
            format!("Version::new({major}, {minor})")
        };
        let fields = [
            ("aspects", some(facts.aspects.as_ref().map(|list| numbers.add(SET, list, debug)))),
            (
                "capabilities",
                some(facts.capabilities.as_ref().map(|list| capabilities.add(SET, list, debug))),
            ),
            ("exact_capabilities", debug(exact_capabilities)),
            ("exact_extensions", debug(exact_extensions)),
            ("exact_spirv_versions", debug(exact_spirv_versions)),
            ("unlisted_capabilities", debug(unlisted_capabilities)),
            ("extensions", some(facts.extensions.as_ref().map(|list| names(list)))),
            ("added_extensions", names(&facts.added_extensions)),
            (
                "spirv_versions",
                some(facts.spirv_versions.as_ref().map(|list| versions.add(SET, list, version))),
            ),
            ("sub_group_sizes", sizes.add("Borrowed", &facts.sub_group_sizes, debug)),
            ("max_work_group_size", debug(max_work_group_size)),
            ("limits", limits.add(MAP, &facts.limits, debug)),
            (
                "provider_features",
                features.add(MAP, &facts.provider_features, |(name, has)| {
                    format!("(FeatureName::constant({name:?}), {has})")
                }),
            ),
            ("complete_features", names(&facts.complete_features)),
        ];
        structure("DeviceFacts", fields)
    }
}

/// Returns a constant of a structure.
fn structure<const N: usize>(name: &str, fields: [(&str, String); N]) -> String {
    let fields: Vec<String> = fields.iter().map(|(field, constant)| format!("{field}: {constant}")).collect();
    format!("{name} {{ {} }}", fields.join(", "))
}

/// Returns the text of `generated.rs`.
fn constants(devices: &[Device]) -> String {
    let mut lists = Lists::new();
    let mut facts = SharedLists::new("FACTS", "DeviceFacts");
    let mut rows = String::new();
    for device in devices {
        let Device { name, complete, architecture, unknown_architecture, may_support_more, .. } = device;
        let Device { category, family, registry_architecture, target, features, apis, .. } = device;
        assert!(device.host.is_empty(), "{name}");
        let fields = [
            ("name", format!("Borrowed({name:?})")),
            ("complete", debug(complete)),
            ("architecture", debug(architecture)),
            ("unknown_architecture", debug(unknown_architecture)),
            ("host", "BTreeMap::new()".to_owned()),
            ("may_support_more", debug(may_support_more)),
            ("category", debug(category)),
            ("family", debug(family)),
            ("registry_architecture", debug(registry_architecture)),
            ("target", debug(target)),
            ("features", some(features.as_ref().map(|list| lists.numbers.add(SET, list, debug)))),
            ("facts", lists.facts(&device.facts)),
            ("apis", facts.add("Borrowed", apis, |facts| lists.facts(facts))),
            (
                "driver",
                device.driver.map_or("None".to_owned(), |driver| format!("Some(crate::device::{driver:?})")),
            ),
        ];
        writeln!(rows, "    {},", structure("Device", fields)).unwrap();
    }
    let mut text = format!("{COMMENT}\n\n{USES}\n");
    let Lists { numbers, capabilities, names, versions, sizes, limits, features } = lists;
    for lists in [numbers, capabilities, names, versions, sizes, limits, features, facts] {
        lists.write(&mut text);
    }
    let count = devices.len();
    format!("{text}\n/// The devices.\npub(crate) static DEVICES: [Device; {count}] = [\n{rows}];\n")
}

/// Returns the text of `generated.rs`.
///
/// # Panics
/// If the file of devices is malformed.
pub fn text() -> String {
    constants(&entries())
}

fn entries() -> Vec<Device> {
    let yaml = include_str!("../../../spec-extensions/devices.yaml");
    DeviceConfig::from_yaml("devices.yaml", yaml).unwrap().into_iter().collect()
}

/// Checks that the constants are the entries, and that names are unique: a repeated name would find no entry.
#[test]
fn constants_are_those_of_the_entries() {
    let devices = entries();
    let mut distinct = devices.clone();
    crate::device::make_names_distinct(&mut distinct);
    assert_eq!(devices, distinct);
    assert!(devices == super::DEVICES, "the program has what the file had when it was built");
}
