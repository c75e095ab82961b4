//! Names of targets in SYCL compilers that no device has (`spec-extensions/target-names.csv`).

use crate::text::csv;

/// The device, or the glob of devices, that such a name stands for.
pub fn devices(name: &str) -> Option<&'static str> {
    let mut rows = csv::rows(include_str!("../../spec-extensions/target-names.csv"));
    rows.find(|[own, _]| *own == name).map(|[_, devices]| devices)
}

#[cfg(test)]
mod tests {
    use super::super::{Device, DeviceConfig, Target};

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
}
