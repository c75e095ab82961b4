//! SPIR-V extensions: those of devices, and facts beyond the grammar (`spec-extensions/extensions.csv`).

use crate::loader::Version;
use std::borrow::Cow;
use std::sync::LazyLock;

use wildmatch::WildMatch;

use super::facts::DeviceFacts;
use super::flat::FlatSet;
use super::{Device, DeviceError, capabilities, providers, tables};
use crate::text::csv;
use crate::text::spelling::nearest;

impl Device {
    /// Returns true if the device supports this SPIR-V extension. A listed name may be a glob that matches
    /// several.
    pub(crate) fn has_extension(&self, name: &str) -> Option<bool> {
        self.facts.extensions.as_ref().map(|listed| is_listed(listed, name))
    }

    /// Returns true if the device lists this SPIR-V extension, or a glob that matches it.
    pub(super) fn lists_extension(&self, name: &str) -> bool {
        self.has_extension(name) == Some(true) || is_listed(&self.facts.added_extensions, name)
    }

    /// Returns true if the device accepts this SPIR-V extension in modules of some version of SPIR-V. An
    /// extension that is part of a version's core need not be listed. `None` if the device does not list
    /// extensions.
    pub(crate) fn accepts_extension(&self, name: &str) -> Option<bool> {
        if is_listed(&self.facts.added_extensions, name) {
            return Some(true);
        }
        let is_core = |version: &Version| is_core(name, version.to_word());
        let in_core =
            || self.facts.spirv_versions.as_ref().is_some_and(|versions| versions.iter().any(is_core));
        self.has_extension(name).map(|has| has || in_core()).or_else(|| in_core().then_some(true))
    }
}

impl DeviceFacts {
    /// Adds extensions, names or globs, that the driver accepts without listing them. Their capabilities are
    /// added too, if the device has those that they imply. A device without a list of capabilities gets none.
    pub(super) fn add_extensions(&mut self, list: &str) -> Result<(), DeviceError> {
        let mut globs = Vec::new();
        for item in tables::items(list) {
            globs.push(WildMatch::new(item));
            self.extensions.as_mut().unwrap_or(&mut self.added_extensions).insert(name_or_glob(item)?);
        }
        let Some(supported) = &mut self.capabilities else { return Ok(()) };
        let is_added = |number: &u32| {
            let extensions = capabilities::extensions_of(*number).unwrap_or_default();
            extensions.iter().any(|name| globs.iter().any(|glob| glob.matches(name)))
        };
        let mut added: Vec<u32> =
            capabilities::names().filter_map(capabilities::number).filter(is_added).collect();
        // One capability may imply another. Each round but the last adds some.
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

/// Returns true if a list of names and globs has a name.
fn is_listed(list: &FlatSet<Cow<'static, str>>, name: &str) -> bool {
    let matches = |glob: &Cow<str>| is_glob(glob) && WildMatch::new(glob).matches(name);
    list.contains(name) || list.iter().any(matches)
}

fn is_glob(text: &str) -> bool {
    text.contains(['*', '?'])
}

/// Returns an item of a device's list of extensions, which may have names of a driver that no table knows.
///
/// # Errors
/// If it is a name of Vulkan.
pub(super) fn listed(item: &str) -> Result<Cow<'static, str>, DeviceError> {
    match providers::explain_vulkan(item).is_empty() {
        true => Ok(item.to_owned().into()),
        false => name_or_glob(item),
    }
}

/// Returns an item of a list of extensions.
///
/// # Errors
/// If it is neither the name of a SPIR-V extension nor a glob.
fn name_or_glob(item: &str) -> Result<Cow<'static, str>, DeviceError> {
    let name = item.to_owned();
    match is_glob(item) || item.starts_with("SPV_") {
        true => Ok(name.into()),
        false => Err(DeviceError::UnknownName { what: "SPIR-V extension", name, nearest: similar(item) }),
    }
}

/// Returns known extensions with similar names, the nearest first.
pub(super) fn similar(name: &str) -> Vec<String> {
    let known =
        capabilities::names().filter_map(capabilities::number).filter_map(capabilities::extensions_of);
    let known: Vec<&str> = known.flatten().copied().collect();
    let mut nearest = nearest(name, known);
    nearest.dedup();
    nearest
}

/// One row of the table of extensions.
#[derive(Clone, Copy, Debug)]
pub struct Extension {
    /// Name of the extension.
    pub name: &'static str,
    /// The version of SPIR-V, encoded as in a module's header, whose core includes the whole extension.
    pub core: Option<u32>,
    /// True if the extension is kept for any content of the module.
    pub kept: bool,
}

/// Returns the rows of the table.
pub fn extensions() -> &'static [Extension] {
    static EXTENSIONS: LazyLock<Vec<Extension>> = LazyLock::new(|| {
        let rows = csv::rows(include_str!("../../spec-extensions/extensions.csv"));
        rows.map(|[name, core, _import, kept, _source]: [&str; 5]| Extension {
            name,
            core: core.parse().ok().map(Version::to_word),
            kept: !kept.is_empty(),
        })
        .collect()
    });
    &EXTENSIONS
}

/// Returns true if the core of a SPIR-V version, encoded as in a module's header, includes the whole extension.
pub fn is_core(name: &str, version: u32) -> bool {
    let known = extensions().iter().find(|extension| extension.name == name);
    known.and_then(|extension| extension.core).is_some_and(|core| core <= version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::DeviceConfig;

    /// Returns a device that lists extensions, with those of `list` added.
    fn with(list: &str) -> Device {
        let text = "a: {extensions: [SPV_KHR_a], spirv-versions: [\"1.0\"], capabilities: [Kernel]}";
        let mut device = DeviceConfig::from_yaml("test", text).unwrap().get("a").unwrap().clone();
        device.facts.add_extensions(list).unwrap();
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
        device.facts.add_extensions("SPV_KHR_*").unwrap();
        let others = device.clone().with_facts(|facts| facts.added_extensions = FlatSet::default());
        assert_eq!(others, Device::default());
        let accepts = |name| (device.has_extension(name), device.accepts_extension(name));
        assert_eq!(accepts("SPV_KHR_a"), (None, Some(true)));
        assert_eq!(accepts("SPV_INTEL_a"), (None, None));
    }

    #[test]
    fn accepted_by_name_or_in_the_core_of_a_version() {
        let listed = with("SPV_KHR_expect_assume");
        for (name, accepts) in [
            ("SPV_KHR_expect_assume", true),
            ("SPV_KHR_ray_query", false),
            // Part of SPIR-V from 1.3 on, and the device has 1.0.
            ("SPV_KHR_16bit_storage", false),
        ] {
            assert_eq!(listed.accepts_extension(name), Some(accepts), "{name}");
        }
        let versions = [Version::new(1, 0), Version::new(1, 3)];
        let newer = listed.with_facts(|facts| facts.spirv_versions = Some(versions.into()));
        assert_eq!(newer.accepts_extension("SPV_KHR_16bit_storage"), Some(true));
        assert_eq!(newer.accepts_extension("SPV_KHR_8bit_storage"), Some(false), "from 1.5 on");
        let unlisted = newer.with_facts(|facts| facts.extensions = None);
        assert_eq!(unlisted.accepts_extension("SPV_KHR_16bit_storage"), Some(true));
        assert_eq!(unlisted.accepts_extension("SPV_KHR_8bit_storage"), None);
    }

    #[test]
    fn no_names() {
        let error = Device::default().facts.add_extensions("KHR_expect_assume").unwrap_err().to_string();
        assert!(
            error.starts_with(
                "unknown SPIR-V extension `KHR_expect_assume`; did you mean `SPV_KHR_expect_assume`"
            ),
            "{error}"
        );
    }
}
