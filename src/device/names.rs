//! Names of devices: patterns of them, names of targets in SYCL compilers that no device has (`spec-extensions/target-names.csv`), and
//! distinct names.

use std::collections::BTreeSet;

use wildmatch::WildMatch;

use super::{Device, DeviceConfig, DeviceError, architectures};
use crate::text::csv;
use crate::text::spelling::nearest;

/// Numbers devices of one name: `a`, `a_2`, `a_3`.
pub(crate) fn make_names_distinct<'d>(devices: impl IntoIterator<Item = &'d mut Device>) {
    let mut taken = BTreeSet::new();
    for device in devices {
        let name = device.name.clone();
        let mut number = 2;
        while !taken.insert(device.name.clone()) {
            device.name = format!("{name}_{number}");
            number += 1;
        }
    }
}

/// The device, or the glob of devices, that a name of a target in SYCL compilers stands for.
pub fn devices_of_target(name: &str) -> Option<&'static str> {
    let mut rows = csv::rows(include_str!("../../spec-extensions/target-names.csv"));
    rows.find(|[own, _]| *own == name).map(|[_, devices]| devices)
}

impl DeviceConfig {
    /// The devices of which a name matches the glob, in the order of the file: their own, or another one of the architecture
    /// that they are named for. In the glob, `*` stands for any characters and `?` for any one.
    ///
    /// # Errors
    /// If there is none.
    pub fn matching(&self, glob: &str) -> Result<Vec<&Device>, DeviceError> {
        if !glob.contains(['*', '?']) {
            return self.get(glob).map(|device| vec![device]);
        }
        let pattern = WildMatch::new(glob);
        let matches = |device: &&Device| {
            pattern.matches(&device.name)
                || architectures::aliases(&device.name).any(|alias| pattern.matches(alias))
        };
        let found: Vec<&Device> = self.iter().filter(matches).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let text: String = glob.chars().filter(|character| !['*', '?'].contains(character)).collect();
        let nearest = nearest(&text, self.names().chain(architectures::names().map(|name| name as &str)));
        Err(DeviceError::UnknownName { what: "device", name: glob.to_owned(), nearest })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Device, DeviceConfig, Target};

    #[test]
    fn devices_of_one_name_are_numbered() {
        let device = |name: &str| Device { name: name.to_owned(), ..Device::default() };
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
            assert!(Target::named([name], &config).is_err());
        }
    }

    fn matching(glob: &str) -> Result<Vec<String>, String> {
        let config = DeviceConfig::embedded().unwrap();
        let found = config.matching(glob).map_err(|error| error.to_string())?;
        Ok(found.iter().map(|device| device.name.clone()).collect())
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
    fn nothing_matches() {
        let error = matching("inte_gpu_pvc*").unwrap_err();
        assert!(error.contains("`inte_gpu_pvc*`; did you mean `intel_gpu_pvc`"), "{error}");
        assert_eq!(matching("zzz*").unwrap_err(), "unknown device `zzz*`");
    }
}
