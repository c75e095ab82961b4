//! Writing of entries of the device configuration file.

use std::fmt::Write;

use super::config::UNKNOWN;
use super::facts::DeviceFacts;
use super::{Device, NumberTable, architectures, registry::List};

/// Maximum length of a key with only a colon after it, in characters (YAML 1.2, 8.2.2 "Block Mappings").
const MAX_SIMPLE_KEY: usize = 1024;
/// Maximum length of a line, in characters.
const WIDTH: usize = 110;

impl Device {
    /// Returns the device as an entry of a device configuration file (`spec-extensions/devices.md`), which
    /// [`DeviceConfig::from_yaml`](super::DeviceConfig::from_yaml) reads as the same device.
    ///
    /// Decisions of the host are not in it.
    pub fn to_yaml(&self) -> String {
        let mut text = key(&self.name);
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "  {key}: {value}");
        };
        if !self.complete {
            line("complete", "false");
        }
        let architecture = self.architecture.and_then(architectures::by_value);
        if let Some(number) = self.architecture {
            line("architecture", &name(NumberTable::Architectures, number));
        }
        if self.unknown_architecture {
            line("architecture", UNKNOWN);
        }
        // Those of the architecture are implied.
        if let (Some(category), None) =
            (self.category, architecture.and_then(|architecture| architecture.registry))
        {
            line("category", &name(NumberTable::Registry(List::Categories), category));
            if let Some(family) = self.family {
                line("family", &name(NumberTable::Registry(List::Families { category }), family));
                if let Some(architecture) = self.registry_architecture {
                    let architectures = NumberTable::Registry(List::Architectures { category, family });
                    line("registry-architecture", &name(architectures, architecture));
                }
            }
        }
        if let Some(driver) = self.driver {
            line("driver", &driver.to_string());
        }
        if let Some(target) = self.target {
            line("target", &name(NumberTable::Registry(List::Targets), target));
        }
        if let Some(features) = &self.features {
            // Without a target, there are none.
            let table = NumberTable::Registry(List::Features { target: self.target.unwrap_or_default() });
            line("features", &list("features", names(table, features)));
        }
        if self.may_support_more {
            line("may-support-more", "true");
        }
        text.push_str(&self.facts.to_yaml(1, self.complete));
        for (api, facts) in self.facts_of_apis() {
            match &*facts.to_yaml(2, false) {
                "" => {
                    let _ = writeln!(text, "  {}: {{}}", api.keyword());
                }
                lines => {
                    let _ = write!(text, "  {}:\n{lines}", api.keyword());
                }
            }
        }
        text
    }
}

impl DeviceFacts {
    /// Returns the lines of the facts, indented by two spaces for each level. Where an entry is complete, no sizes of sub-groups are a list, too.
    fn to_yaml(&self, level: usize, is_complete: bool) -> String {
        let mut text = String::new();
        let indent = "  ".repeat(level);
        let mut line = |key: &str, value: &str| {
            let _ = writeln!(text, "{indent}{key}: {value}");
        };
        if !(self.provider_features.is_empty() && self.complete_features.is_empty()) {
            let items = self.provider_feature_items().map(|item| scalar(&item));
            line("provider-features", &list("provider-features", items));
        }
        if let Some(aspects) = &self.aspects {
            line("aspects", &list("aspects", names(NumberTable::Aspects, aspects)));
        }
        if is_complete || !self.sub_group_sizes.is_empty() {
            line(
                "sub-group-sizes",
                &list("sub-group-sizes", self.sub_group_sizes.iter().map(u32::to_string)),
            );
        }
        if let Some(size) = self.max_work_group_size {
            line("max-work-group-size", &size.to_string());
        }
        if !self.limits.is_empty() {
            line("limits", &list("limits", self.limit_items().map(|item| scalar(&item))));
        }
        if let Some(versions) = &self.spirv_versions {
            // A version is quoted, because 1.0 would be a number.
            let versions = versions.iter().map(|version| format!("\"{version}\""));
            line("spirv-versions", &list("spirv-versions", versions));
        }
        if self.exact_spirv_versions {
            line("exact-spirv-versions", "true");
        }
        if let Some(extensions) = &self.extensions {
            line("extensions", &list("extensions", extensions.iter().map(|name| scalar(name))));
        }
        if !self.added_extensions.is_empty() {
            let added = self.added_extensions.iter().map(|name| scalar(name));
            line("added-extensions", &list("added-extensions", added));
        }
        if self.exact_extensions {
            line("exact-extensions", "true");
        }
        if self.exact_capabilities {
            line("exact-capabilities", "true");
        }
        if let Some(capabilities) = self.capabilities.as_ref().filter(|_| !self.unlisted_capabilities) {
            line("capabilities", &list("capabilities", names(NumberTable::Capabilities, capabilities)));
        }
        text
    }
}

fn name(table: NumberTable, number: u32) -> String {
    table.name(number).map_or_else(|| number.to_string(), str::to_owned)
}

fn names<'a>(table: NumberTable, numbers: impl IntoIterator<Item = &'a u32>) -> impl Iterator<Item = String> {
    numbers.into_iter().map(move |number| name(table, *number))
}

/// Returns a list in brackets, broken into lines that are indented below its key.
fn list(key: &str, items: impl Iterator<Item = String>) -> String {
    let mut text = String::from("[");
    let mut column = key.len() + 5;
    for (index, item) in items.enumerate() {
        if index > 0 {
            text.push(',');
            column += 1;
            if column + 2 + item.len() > WIDTH {
                text.push_str("\n   ");
                column = 3;
            }
            text.push(' ');
            column += 1;
        }
        column += item.len();
        text.push_str(&item);
    }
    text.push(']');
    text
}

/// Returns a name and a colon, before an entry. A long name follows a question mark, as YAML requires.
fn key(name: &str) -> String {
    let name = scalar(name);
    match name.len() > MAX_SIMPLE_KEY {
        true => format!("? {name}\n:\n"),
        false => format!("{name}:\n"),
    }
}

/// Returns a text in YAML: quoted, if it could mean anything else.
fn scalar(text: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    if text.starts_with(|letter: char| letter.is_ascii_alphabetic())
        && text.len() > 5
        && text.chars().all(plain)
    {
        return text.to_owned();
    }
    // YAML reads JSON's quoted texts alike, except for line breaks that JSON does not know.
    let quoted = serde_json::Value::from(text).to_string();
    let mut scalar = String::new();
    for letter in quoted.chars() {
        match letter {
            '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
                scalar.push_str(&format!("\\u{:04x}", u32::from(letter)));
            }
            letter => scalar.push(letter),
        }
    }
    scalar
}

#[cfg(test)]
mod tests {
    use super::super::{DeviceConfig, DeviceParts};
    use super::*;
    use crate::loader::Version;

    #[test]
    fn every_embedded_device_comes_back() {
        for device in DeviceConfig::embedded().unwrap().iter() {
            let text = device.to_yaml();
            let read =
                DeviceConfig::from_yaml("test", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.iter().collect::<Vec<_>>(), [device], "{text}");
        }
    }

    #[test]
    fn every_name_comes_back() {
        for name in [
            "true",
            "null",
            "1.0",
            "a: b",
            "x # y",
            "",
            "\"",
            "- a",
            "*anchor",
            "\u{e9}\n",
            "a\u{2028}b: c\u{85}\u{7f}",
            &"a".repeat(1024),
            &"a".repeat(1025),
            &"\u{e9}\n".repeat(1025),
        ] {
            let device = Device {
                name: name.to_owned().into(),
                complete: true,
                facts: DeviceFacts {
                    aspects: Some([5, 100_000].into()),
                    capabilities: Some([8, 9, 70_000].into()),
                    extensions: Some(["SPV_X".into(), "on, off".into()].into()),
                    spirv_versions: Some([Version::new(1, 0), Version::new(1, 10)].into()),
                    ..DeviceFacts::default()
                },
                ..Device::default()
            };
            let mut device = device;
            device.facts.infer_capabilities();
            let read = DeviceConfig::from_yaml("test", &device.to_yaml()).unwrap();
            assert_eq!(read.iter().collect::<Vec<_>>(), [&device], "{}", device.to_yaml());
        }
    }

    #[test]
    fn what_follows_from_an_entry_comes_back() {
        for entry in [
            // Kernels follow from the aspect, and another capability from kernels and sub-groups.
            "{aspects: [fp16], sub-group-sizes: [16]}",
            "{capabilities: [Vector16], sub-group-sizes: [16]}",
            "{capabilities: [Geometry], aspects: [fp16]}",
            "{category: gpu, family: intel}",
            "{architecture: unknown, category: cpu}",
            "{architecture: x86_64}",
        ] {
            let devices = DeviceConfig::from_yaml("test", &format!("a: {entry}")).unwrap();
            let text = devices.get("a").unwrap().to_yaml();
            assert_eq!(
                DeviceConfig::from_yaml("test", &text).unwrap().get("a").unwrap(),
                devices.get("a").unwrap(),
                "{text}"
            );
        }
    }

    /// Checks that unknown features of described devices stay unknown.
    #[test]
    fn described_devices_come_back() {
        let parts = DeviceParts::new;
        let mut devices: Vec<Device> = [
            parts(),
            parts().aspects("gpu,fp64"),
            parts().aspects(""),
            parts().capabilities("Shader,Int64"),
            parts().capabilities("Kernel").aspects("fp16").extensions("SPV_KHR_expect_assume,SPV_INTEL_*"),
            parts().category("gpu"),
            parts().category("gpu").family("intel"),
            parts().category("gpu").family("intel").architecture("100"),
            parts().category("2").family("70").architecture("3"),
            parts().architecture("intel_gpu_pvc").limits("subgroup_size=32,max_work_group_size=64"),
            parts().architecture("100000").category("gpu"),
            parts().device("arch:intel_gpu_pvc").aspects("fp16"),
            parts().target("x86_64").features("avx2"),
            parts().features(""),
            parts().provider_features("amdgpu:gfx12-insts,!vulkan:*"),
            parts().device("pvc").extensions("SPV_KHR_expect_assume").limits("subgroup_size=16"),
            parts().device("gfx90a:xnack+:sramecc-").extensions("SPV_KHR_expect_assume"),
        ]
        .into_iter()
        .map(|parts| parts.to_device(None).unwrap())
        .collect();
        assert!(
            devices
                .iter()
                .any(|device| device.registry_architecture.is_some() && device.architecture.is_none())
        );
        let sized = devices[1].clone().with_facts(|facts| facts.sub_group_sizes = vec![16].into());
        devices.push(Device { complete: false, ..sized });
        for device in &devices {
            let text = device.to_yaml();
            let read =
                DeviceConfig::from_yaml("test", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read.iter().collect::<Vec<_>>(), [device], "{text}");
        }
    }

    #[test]
    fn lines_are_broken() {
        let long = list("capabilities", (0..100).map(|number| format!("Capability{number}")));
        assert!(long.lines().all(|line| line.len() <= WIDTH) && long.lines().count() > 10, "{long}");
    }
}
