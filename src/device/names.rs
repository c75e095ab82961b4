//! Names of devices: globs, short names, names of products and of targets in SYCL compilers
//! (`spec-extensions/target-names.csv`), and distinct names.

use std::collections::BTreeSet;

use thiserror::Error;
use wildmatch::WildMatch;

use super::{Device, DeviceConfig, architectures, providers};
use crate::text::csv;
use crate::text::spelling::{self, nearest};

/// The names of the target for any device in SYCL compilers.
pub const ANY_DEVICE: [&str; 4] = ["spir64", "spirv64", "spir", "spirv32"];

/// An error of the device layer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DeviceError {
    /// A device configuration file is malformed.
    #[error("{source_name}:{line}: {message}")]
    Config {
        /// The file.
        source_name: String,
        /// The line, from 1.
        line: usize,
        /// The error.
        message: String,
    },
    /// A name missing from its table.
    #[error("unknown {what} `{name}`{}", suggestion(name, nearest))]
    UnknownName {
        /// Kind of the item with the name.
        what: &'static str,
        /// The name.
        name: String,
        /// Similar names of the table.
        nearest: Vec<String>,
    },
    /// A text that does not have the form of a driver's version.
    #[error(
        "invalid version of a driver `{text}`: expected up to four decimal numbers with periods, as in `512.744`"
    )]
    DriverVersion {
        /// The text.
        text: String,
    },
    /// A known architecture without an entry in the device configuration.
    #[error(
        "{source_name} has no device `{name}`; add an entry, or describe the device by this architecture and its aspects"
    )]
    NotConfigured {
        /// The device configuration.
        source_name: String,
        /// The architecture.
        name: String,
    },
    /// A name of a device in a build without the feature `devices`.
    #[error(
        "no device has the name `{name}`, since this build has no table of devices: enable the feature `devices`, or read a device configuration"
    )]
    NoTable {
        /// The name.
        name: String,
    },
    /// Targets that compilers do not accept together.
    #[error("`{generic}` cannot be a target beside `{device}`: name devices, or `{generic}` alone")]
    Mixed {
        /// The generic target.
        generic: String,
        /// The device.
        device: String,
    },
    /// A name that compilers use for several devices.
    #[error("`{name}` stands for several devices: name one of {}", .names.join(", "))]
    Several {
        /// The name.
        name: String,
        /// The devices with this name.
        names: Vec<String>,
    },
    /// A mode that the device's processor does not have.
    #[error("{name} has no mode `{mode}`; it has {}", if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    UnknownMode {
        /// The device.
        name: String,
        /// The mode, with its sign.
        mode: String,
        /// The modes that the processor has.
        known: Vec<String>,
    },
    /// Two different values of a property that has only one.
    #[error("a device has one {what}: `{first}` or `{second}`?")]
    Contradiction {
        /// The property.
        what: &'static str,
        /// The first value.
        first: String,
        /// The second value.
        second: String,
    },
    /// A name that requires missing information.
    #[error(
        "cannot tell which {what} `{name}` is: give the {missing} too{}",
        providers::explain_vulkan(name)
    )]
    Missing {
        /// Kind of the item with the name.
        what: &'static str,
        /// The name.
        name: String,
        /// The missing information.
        missing: &'static str,
    },
}

/// Returns the end of a message about an unknown name, with the names that may be meant.
fn suggestion(name: &str, nearest: &[String]) -> String {
    match nearest {
        [] => providers::explain_vulkan(name),
        nearest => spelling::did_you_mean(nearest),
    }
}

impl DeviceError {
    /// Returns the names that are likely to be meant by a misspelled one, the nearest first.
    pub(crate) fn nearest<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Vec<String> {
        spelling::nearest(name, names)
    }
}

/// Numbers devices with equal names: `a`, `a_2`, `a_3`.
pub fn make_names_distinct<'d>(devices: impl IntoIterator<Item = &'d mut Device>) {
    let mut taken = BTreeSet::new();
    for device in devices {
        let name = device.name.clone();
        let mut number = 2;
        while !taken.insert(device.name.clone()) {
            device.name = format!("{name}_{number}").into();
            number += 1;
        }
    }
}

/// Returns the rows of the table: a name, its device or glob of devices, and the source.
fn rows() -> impl Iterator<Item = [&'static str; 3]> {
    csv::rows(include_str!("../../spec-extensions/target-names.csv"))
}

/// Returns the names in the table, each with its device or glob of devices.
fn other_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    rows().map(|[name, devices, _]| (name, devices))
}

/// Sources of the names that SYCL compilers have for targets.
const OF_COMPILERS: [&str; 2] = ["aot", "driver"];

/// Returns the glob of the devices of a generic target of SYCL compilers, such as `ptx64`.
pub(crate) fn devices_of_generic(target: &str) -> Option<&'static str> {
    let mut generic =
        rows().filter(|[_, devices, source]| devices.contains('*') && OF_COMPILERS.contains(source));
    generic.find(|[name, ..]| *name == target).map(|[_, devices, _]| devices)
}

/// Returns true if code for a generic target is code for a device.
pub fn is_generic_for(target: &str, device: &str) -> bool {
    devices_of_generic(target).is_some_and(|devices| WildMatch::new(devices).matches(device))
}

/// Returns the device, or the glob of devices, with the name of a product or of a target in SYCL compilers.
pub fn devices_of_name(name: &str) -> Option<&'static str> {
    let short = key(name);
    let is = |candidate: &str| {
        candidate == name || !candidate.contains(OF_VENDOR) && WildMatch::new(&key(candidate)).matches(&short)
    };
    other_names().find(|(candidate, _)| is(candidate)).map(|(_, devices)| devices)
}

/// Returns a name without the characters that short names ignore.
fn key(name: &str) -> String {
    name.to_lowercase().chars().filter(|character| !matches!(character, ' ' | '-' | '_')).collect()
}

/// Text between the vendor and the rest of a device's name.
const OF_VENDOR: &str = "_gpu_";

/// Returns the short names of a device: the ends of its name, and of the aliases of its architecture. Numbers
/// alone are excluded.
fn short_names(device: &str) -> impl Iterator<Item = &str> {
    let names = std::iter::once(device).chain(architectures::aliases(device).map(|alias| alias as &str));
    let ends = names.filter_map(|name| Some(name.split_once(OF_VENDOR)?.1));
    ends.filter(|end| end.starts_with(|first: char| first.is_ascii_alphabetic()))
}

impl Device {
    /// Returns the names of products by which commands find this device.
    #[doc(hidden)]
    pub fn names_of_products(&self) -> impl Iterator<Item = &'static str> {
        let is_product = |[name, device, source]: &[&str; 3]| {
            *device == self.name && !name.contains('*') && !OF_COMPILERS.contains(source)
        };
        rows().filter(is_product).map(|[name, ..]| name)
    }
}

/// Parses the items of a list, each once. Commas separate the items. An empty item is a name that no device has.
pub(super) fn each_once<T: PartialEq>(
    list: &str,
    mut devices_of: impl FnMut(&str) -> Result<Vec<T>, DeviceError>,
) -> Result<Vec<T>, DeviceError> {
    let mut all: Vec<T> = Vec::new();
    for item in list.split(',').map(str::trim) {
        for device in devices_of(item)? {
            if !all.contains(&device) {
                all.push(device);
            }
        }
    }
    Ok(all)
}

impl DeviceConfig {
    /// Returns the device with this short name.
    pub(super) fn by_short_name(&self, name: &str) -> Option<&Device> {
        let name = key(name);
        self.iter().find(|device| short_names(&device.name).any(|short_name| key(short_name) == name))
    }

    /// Returns the names that may be meant by an unknown name: all that begin with it, or else the nearest.
    pub(super) fn names_near(&self, name: &str) -> Vec<String> {
        let short = self.iter().flat_map(|device| short_names(&device.name));
        let others = other_names().filter(|(_, devices)| self.get_exactly(devices).is_some());
        let others = others.map(|(name, _)| name).filter(|name| !name.contains('*'));
        let architectures = architectures::names().map(|name| name as &str);
        let names: Vec<&str> = self.names().chain(architectures).chain(others).collect();
        match spelling::beginning(name, names.iter().copied()) {
            beginning if beginning.is_empty() => nearest(name, names.into_iter().chain(short)),
            beginning => beginning,
        }
    }

    /// Returns the devices of a list. An item is a name, a [glob](DeviceConfig::matching) or a generic target, and
    /// modes may follow it: `gfx90a:xnack+`.
    ///
    /// # Errors
    /// If there is none, or one does not have a mode.
    pub fn select(&self, list: &str) -> Result<Vec<Device>, DeviceError> {
        each_once(list, |item| self.select_item(item))
    }

    fn select_item(&self, text: &str) -> Result<Vec<Device>, DeviceError> {
        let is_generic = devices_of_generic(text).is_some() && self.get_exactly(text).is_none();
        if !is_generic && !text.contains(['*', '?']) {
            return self.get_in_modes(text).map(|device| vec![device]);
        }
        let (glob, modes) = providers::split_modes(text);
        self.matching_glob(glob)?.into_iter().map(|device| device.clone().with_modes(modes)).collect()
    }

    /// Returns the devices that match a glob, in the order of the file; of a list, in that of its items. The glob is compared with names,
    /// short names, and aliases of the architecture in the name. In it, `*` matches any characters and `?`
    /// any single one. A generic target of SYCL compilers, such as `ptx64`, matches all of its devices.
    ///
    /// # Errors
    /// If there is none.
    pub fn matching(&self, list: &str) -> Result<Vec<&Device>, DeviceError> {
        each_once(list, |glob| self.matching_glob(glob))
    }

    pub(super) fn matching_glob(&self, glob: &str) -> Result<Vec<&Device>, DeviceError> {
        let generic = || devices_of_generic(glob).filter(|_| self.get_exactly(glob).is_none());
        let glob = generic().unwrap_or(glob);
        if !glob.contains(['*', '?']) {
            return self.get(glob).map(|device| vec![device]);
        }
        let pattern = WildMatch::new(glob);
        let matches = |device: &&Device| {
            pattern.matches(&device.name)
                || architectures::aliases(&device.name).any(|alias| pattern.matches(alias))
                || short_names(&device.name).any(|short| pattern.matches(short))
        };
        let matching: Vec<&Device> = self.iter().filter(matches).collect();
        if !matching.is_empty() {
            return Ok(matching);
        }
        let text: String = glob.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = self.names_near(&text);
        Err(DeviceError::UnknownName { what: "device", name: glob.to_owned(), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Device, DeviceConfig, DeviceParts, Target};

    #[test]
    fn devices_of_one_name_are_numbered() {
        let device = |name: &str| Device { name: name.to_owned().into(), ..Device::default() };
        let devices = DeviceConfig::new("test", ["a", "b", "a", "a_2", "a"].map(device).into());
        assert_eq!(devices.names().collect::<Vec<_>>(), ["a", "b", "a_2", "a_2_2", "a_3"]);
    }

    #[test]
    fn other_names_of_one_device() {
        let config = DeviceConfig::embedded().unwrap();
        for (name, device) in [("spir64_x86_64", "x86_64"), ("intel_gpu_12_0", "intel_gpu_tgllp")] {
            assert_eq!(Device::embedded(name).unwrap().name, device);
            assert_eq!(Target::named([name], &config).unwrap()[0].name, device);
        }
        let other = DeviceConfig::from_yaml("d.yaml", "a:\n  aspects: [gpu]\n").unwrap();
        assert_eq!(other.get("spir64_x86_64").unwrap_err().to_string(), "unknown device `spir64_x86_64`");
    }

    /// Checks that each short name belongs to one device, and that the table names existing devices.
    #[test]
    fn short_names_of_devices() {
        let config = DeviceConfig::embedded().unwrap();
        for (name, device) in [
            ("pvc", "intel_gpu_pvc"),
            ("PVC", "intel_gpu_pvc"),
            ("sm_80", "nvidia_gpu_sm_80"),
            ("SM80", "nvidia_gpu_sm_80"),
            ("gfx1100", "amd_gpu_gfx1100"),
            ("tgl", "intel_gpu_tgllp"),
            ("a100", "nvidia_gpu_sm_80"),
            ("RTX 4090", "nvidia_gpu_sm_89"),
            ("mi300x", "amd_gpu_gfx942"),
            ("arc-a770", "intel_gpu_acm_g10"),
        ] {
            assert_eq!(config.get(name).unwrap().name, device, "{name}");
            assert_eq!(Device::embedded(name).unwrap().name, device, "{name}");
        }
        let mut seen = std::collections::BTreeMap::new();
        for device in config.iter() {
            for short in super::short_names(&device.name) {
                let before = seen.insert(super::key(short), &device.name);
                assert!(before.is_none_or(|before| *before == device.name), "{short}");
                assert_eq!(config.get(short).unwrap().name, device.name);
            }
        }
        for (name, devices) in super::other_names() {
            assert!(!seen.contains_key(&super::key(name)), "{name} needs no row");
            assert!(config.matching(devices).is_ok(), "{name}: {devices}");
        }
        let all = config.matching("gfx11*").unwrap();
        assert!(all.len() > 3 && all.iter().all(|device| device.name.starts_with("amd_gpu_gfx11")));
        let error = |name: &str| config.get(name).unwrap_err().to_string();
        assert_eq!(
            error("gfx1109"),
            "unknown device `gfx1109`; did you mean `gfx1100` or `gfx1101` or `gfx1102`?"
        );
        assert!(error("a101").contains("`a100`"), "{}", error("a101"));
        assert!(error("dg2").contains("intel_gpu_acm_g10") && error("dg2").contains("intel_gpu_acm_g12"));
        // A user's configuration has its own devices.
        let other = DeviceConfig::from_yaml("d.yaml", "our_gpu_board:\n  aspects: [gpu]\n").unwrap();
        assert_eq!(other.get("board").unwrap().name, "our_gpu_board");
        assert_eq!(other.get("a100").unwrap_err().to_string(), "unknown device `a100`");
    }

    #[test]
    fn names_of_many_devices() {
        let error = |name: &str| Device::embedded(name).unwrap_err().to_string();
        let nvidia = error("ptx64");
        assert!(
            nvidia.starts_with(
                "`ptx64` stands for several devices: name one of nvidia_gpu_sm_50, nvidia_gpu_sm_52, "
            ),
            "{nvidia}"
        );
        assert!(nvidia.ends_with("nvidia_gpu_sm_90a"), "{nvidia}");
        let config = DeviceConfig::embedded().unwrap();
        for name in ["intel_gpu", "spir64_gen"] {
            assert!(error(name).contains("name one of intel_gpu_bdw, "), "{}", error(name));
        }
        assert!(Target::named(["dg2"], &config).is_err(), "no name of compilers");
    }

    fn matching(glob: &str) -> Result<Vec<String>, String> {
        let config = DeviceConfig::embedded().unwrap();
        let devices = config.matching(glob).map_err(|error| error.to_string())?;
        Ok(devices.iter().map(|device| device.name().to_owned()).collect())
    }

    #[test]
    fn globs() {
        assert_eq!(matching("intel_gpu_pvc").unwrap(), ["intel_gpu_pvc"]);
        assert_eq!(matching("intel_gpu_pvc*").unwrap(), ["intel_gpu_pvc", "intel_gpu_pvc_vg"]);
        assert_eq!(matching("nvidia_gpu_sm_9?").unwrap(), ["nvidia_gpu_sm_90"]);
        assert_eq!(matching("intel_gpu_12_0_0").unwrap(), ["intel_gpu_tgllp"], "another name");
        assert_eq!(matching("*").unwrap().len(), DeviceConfig::embedded().unwrap().iter().count());
    }

    #[test]
    fn lists() {
        let listed = ["intel_gpu_dg1", "intel_gpu_pvc", "intel_gpu_pvc_vg"];
        assert_eq!(matching("dg1, intel_gpu_pvc*,intel_gpu_dg1").unwrap(), listed);
        assert_eq!(matching("dg1,zzz").unwrap_err(), "unknown device `zzz`");
        for empty in ["", "dg1,"] {
            assert_eq!(matching(empty).unwrap_err(), "unknown device ``");
        }
        let names = |list: &str| {
            let devices = DeviceParts::new().device(list).aspects("fp64").to_devices(None).unwrap();
            devices.iter().map(|device| device.name().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(names("dg1,intel_gpu_pvc*,arch:x86_64,dg1"), [&listed[..], &["x86_64"]].concat());
        let modes = ["amd_gpu_gfx90a:xnack+", "amd_gpu_gfx90a:xnack-"];
        assert_eq!(names("gfx90a:xnack+,gfx90a:xnack-"), modes);
        let one = DeviceParts::new().device("dg1,pvc").to_device(None).unwrap_err().to_string();
        assert_eq!(one, "`dg1,pvc` stands for several devices: name one of intel_gpu_dg1, intel_gpu_pvc");
        let targets = Target::named(["spir64, dg1", "pvc"], &DeviceConfig::embedded().unwrap()).unwrap();
        assert_eq!(
            targets.iter().map(|target| &*target.name).collect::<Vec<_>>(),
            ["spir64", "intel_gpu_dg1", "intel_gpu_pvc"]
        );
    }

    #[test]
    fn beginnings_of_names() {
        let error = |name: &str| Device::embedded(name).unwrap_err().to_string();
        assert_eq!(
            error("intel_gpu_bmg"),
            "unknown device `intel_gpu_bmg`; did you mean `intel_gpu_bmg_g21` or `intel_gpu_bmg_g31`?"
        );
        assert_eq!(
            error("android_2022"),
            "unknown device `android_2022`; did you mean `vulkan_vp_android_2022`?"
        );
        let nvidia = error("nvidia");
        assert!(
            nvidia.starts_with("unknown device `nvidia`; did you mean one of `nvidia_gpu_sm_50`, "),
            "{nvidia}"
        );
        assert!(nvidia.ends_with(", `nvidia_gpu_sm_90a`?"), "{nvidia}");
    }

    #[test]
    fn nothing_matches() {
        let error = matching("inte_gpu_pvc*").unwrap_err();
        assert!(error.contains("`inte_gpu_pvc*`; did you mean `intel_gpu_pvc`"), "{error}");
        assert_eq!(matching("zzz*").unwrap_err(), "unknown device `zzz*`");
    }
}
