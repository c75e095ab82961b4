//! SPIR-V extensions of devices.

use wildmatch::WildMatch;

use super::{Device, DeviceError, capabilities, tables};
use crate::text::spelling::nearest;

impl Device {
    /// Returns true if the device supports this SPIR-V extension. A listed name may be a glob, which stands for all that
    /// match.
    pub(crate) fn has_extension(&self, name: &str) -> Option<bool> {
        let listed = self.extensions.as_ref()?;
        let matches = |glob: &String| is_glob(glob) && WildMatch::new(glob).matches(name);
        Some(listed.contains(name) || listed.iter().any(matches))
    }

    /// Adds extensions, names or globs, which drivers take without listing them, and the capabilities that come with them, as far as
    /// the device has what these imply. Where nobody listed extensions or capabilities, none are missing, and none are added.
    pub(super) fn add_extensions(&mut self, list: &str) -> Result<(), DeviceError> {
        let mut globs = Vec::new();
        for item in tables::items(list) {
            if !is_glob(item) && !item.starts_with("SPV_") {
                return Err(unknown(item));
            }
            globs.push(WildMatch::new(item));
            if let Some(extensions) = &mut self.extensions {
                extensions.insert(item.to_owned());
            }
        }
        let Some(supported) = &mut self.capabilities else { return Ok(()) };
        let is_added = |number: &u32| {
            let own = capabilities::extensions_of(*number).unwrap_or_default();
            own.iter().any(|name| globs.iter().any(|glob| glob.matches(name)))
        };
        let mut added: Vec<u32> =
            capabilities::names().filter_map(capabilities::number).filter(is_added).collect();
        // One may be what another implies. Each round adds something or is the last.
        loop {
            let is_possible = |number: &u32| {
                capabilities::implied(*number).iter().all(|implied| supported.contains(implied))
            };
            let (new, rest): (Vec<u32>, Vec<u32>) = added.into_iter().partition(is_possible);
            if new.is_empty() {
                return Ok(());
            }
            supported.extend(new);
            added = rest;
        }
    }
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// The error for what cannot be the name of an extension.
fn unknown(name: &str) -> DeviceError {
    let known =
        capabilities::names().filter_map(capabilities::number).filter_map(capabilities::extensions_of);
    let known: Vec<&str> = known.flatten().collect();
    let mut nearest = nearest(name, known);
    nearest.dedup();
    DeviceError::UnknownName { what: "SPIR-V extension", name: name.to_owned(), nearest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceConfig;

    /// A device that lists what it takes, with more.
    fn with(list: &str) -> Device {
        let text = "a: {extensions: [SPV_KHR_a], spirv-versions: [\"1.0\"], capabilities: [Kernel]}";
        let mut device = DeviceConfig::from_yaml("test", text).unwrap().get("a").unwrap().clone();
        device.add_extensions(list).unwrap();
        device
    }

    fn has(device: &Device, capability: &str) -> bool {
        device.has_capability(capabilities::number(capability).unwrap()).unwrap()
    }

    #[test]
    fn by_name_and_by_glob() {
        let one = with("SPV_KHR_expect_assume, SPV_NEW_of_tomorrow");
        for (name, expected) in [
            ("SPV_KHR_a", true),
            ("SPV_KHR_expect_assume", true),
            ("SPV_NEW_of_tomorrow", true),
            ("SPV_KHR_b", false),
        ] {
            assert_eq!(one.has_extension(name), Some(expected), "{name}");
        }
        assert!(has(&one, "ExpectAssumeKHR") && !has(&one, "MemoryAccessAliasingINTEL"));
        let intel = with("SPV_INTEL_*");
        assert_eq!(intel.has_extension("SPV_INTEL_of_tomorrow"), Some(true));
        assert_eq!(intel.has_extension("SPV_KHR_expect_assume"), Some(false));
        assert!(has(&intel, "MemoryAccessAliasingINTEL") && !has(&intel, "ExpectAssumeKHR"));
    }

    #[test]
    fn impossible_capabilities_are_not_added() {
        let all = with("*");
        assert!(has(&all, "FPFastMathModeINTEL") && has(&all, "ExpectAssumeKHR"));
        assert!(has(&all, "DotProductFloat16AccFloat32VALVE") == has(&all, "Float16"), "it implies Float16");
        assert!(!has(&all, "Shader") && !has(&all, "RayQueryKHR"), "they are shaders'");
        assert!(!has(&all, "Float64"), "no extension's");
    }

    #[test]
    fn devices_without_listed_extensions() {
        let mut device = Device::default();
        device.add_extensions("*").unwrap();
        assert_eq!(device, Device::default());
    }

    #[test]
    fn no_names() {
        let error = Device::default().add_extensions("KHR_expect_assume").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "unknown SPIR-V extension `KHR_expect_assume`; did you mean `SPV_KHR_expect_assume`"
            ),
            "{error}"
        );
    }
}
