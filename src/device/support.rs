//! Support of features by a device: yes, no, or not known.
//!
//! What a device does not list is unsupported only if its source lists all facts of the kind: a driver's report, a profile, a list on the
//! command line, or an entry with a key such as `exact-extensions` (`spec-extensions/devices.md`). Conditions are answered by
//! [`Device::truth`], which takes an entry for complete, since fallbacks always run.

use spirv::Capability;

use super::api::LimitRow;
use super::{Api, Device, capabilities, extensions};
use crate::loader::{Version, grammar};

/// The size of a work-group that every device with Vulkan supports, in work-items (Vulkan 1.0, "Required Limits",
/// maxComputeWorkGroupInvocations).
const LEAST_MAX_WORK_GROUP_SIZE: u64 = 128;

impl Device {
    /// Returns true if the device supports a capability, false if it does not; `None` if that is not known. `in_kernels` is true for a
    /// module of kernels, in which more capabilities require aspects.
    ///
    /// A device without an aspect that the capability requires does not support it, and neither does a device whose entry lists only APIs
    /// without modules of this kind.
    #[doc(hidden)]
    pub fn supports_capability(&self, capability: u32, in_kernels: bool) -> Option<bool> {
        let is_listed = match &self.facts.capabilities {
            Some(listed) => listed.contains(&capability),
            None => self.has_capability(capability) == Some(true),
        };
        if is_listed {
            return Some(true);
        }
        let required = capabilities::required_aspects(capability, in_kernels);
        let lacks_aspect = required.into_iter().any(|aspect| self.has_aspect(aspect) == Some(false));
        let is_unsupported = lacks_aspect
            || self.lists_all_capabilities()
            || self.takes_only_other_modules(capability)
            || self.refuses_extensions_of(capability);
        is_unsupported.then_some(false)
    }

    /// Returns true if the device accepts an extension in a module of this version of SPIR-V; `None` if that is
    /// unknown.
    ///
    /// An extension in the version's core need not be listed. Where the list is not known to be complete, an extension in the core of any
    /// accepted version counts as accepted, and so does the only extension that adds a supported capability.
    #[doc(hidden)]
    pub fn supports_extension(&self, name: &str, version: Version) -> Option<bool> {
        self.accepts(&ExtensionInVersion::new(name, version))
    }

    /// Like [`supports_extension`](Self::supports_extension).
    pub(crate) fn accepts(&self, extension: &ExtensionInVersion) -> Option<bool> {
        if extension.is_core || self.lists_extension(extension.name) {
            return Some(true);
        }
        if self.facts.exact_extensions {
            return Some(false);
        }
        let adds = |capability: &u32| extension.adds.contains(capability);
        let is_accepted = self.accepts_extension(extension.name) == Some(true)
            || self.facts.capabilities.iter().flatten().any(adds);
        is_accepted.then_some(true)
    }

    /// Returns true if the device accepts modules of this version of SPIR-V, false if it does not; `None` if that is not known. Every device
    /// that takes SPIR-V accepts version 1.0 (Vulkan, "Vulkan Environment for SPIR-V"; OpenCL SPIR-V Environment Specification, 2.1).
    #[doc(hidden)]
    pub fn supports_spirv_version(&self, version: Version) -> Option<bool> {
        let is_listed =
            self.facts.spirv_versions.as_ref().is_some_and(|versions| versions.contains(&version));
        match self.facts.exact_spirv_versions {
            true => Some(is_listed),
            false => (is_listed || version == Version::new(1, 0)).then_some(true),
        }
    }

    /// Returns true if the device runs work-groups of `size` work-items, false if it does not; `None` if that is not known.
    #[doc(hidden)]
    pub fn supports_work_group_size(&self, size: u64) -> Option<bool> {
        match self.facts.max_work_group_size {
            Some(limit) => Some(size <= limit.into()),
            None => (size <= 1 || self.takes(Capability::Shader) && size <= LEAST_MAX_WORK_GROUP_SIZE)
                .then_some(true),
        }
    }

    /// Returns true if a limit of Vulkan is at least `number` on the device, false if it is not; `None` if that is not known.
    #[doc(hidden)]
    pub fn supports_limit(&self, row: &LimitRow, number: u64) -> Option<bool> {
        match self.facts.limits.get(row.limit) {
            Some(&limit) => Some(number <= limit),
            None => (number <= row.least).then_some(true),
        }
    }

    /// Returns true if the source lists all capabilities. A list on the command line is complete, unless it adds to an entry.
    fn lists_all_capabilities(&self) -> bool {
        self.facts.capabilities.is_some() && (self.facts.exact_capabilities || !self.complete)
    }

    /// Returns true if the device takes modules of a kind, by the capability that all of them have.
    pub(super) fn takes(&self, kind: Capability) -> bool {
        self.facts.capabilities.as_ref().is_some_and(|listed| listed.contains(&(kind as u32)))
    }

    /// Returns true if a capability is one of shaders and the entry lists only APIs with kernels, or the reverse. Vulkan takes no capability that
    /// only OpenCL lists, such as Linkage (Vulkan, "Runtime SPIR-V Validation").
    #[doc(hidden)]
    pub fn takes_only_other_modules(&self, capability: u32) -> bool {
        let kinds = [Capability::Shader, Capability::Kernel];
        let is_of = |kind: Capability| capabilities::is_or_implies(capability, kind as u32);
        let is_foreign = |kind: Capability| match kind {
            Capability::Kernel => is_of(kind) || capabilities::name(capability).is_some_and(is_of_opencl),
            kind => is_of(kind),
        };
        self.complete
            && !self.facts.unlisted_capabilities
            && kinds.iter().any(|&kind| self.takes(kind))
            && kinds.iter().any(|&kind| is_foreign(kind) && !self.takes(kind))
    }

    /// Returns true if the device is known to accept none of the extensions that add a capability.
    fn refuses_extensions_of(&self, capability: u32) -> bool {
        let added_by = capabilities::extensions_of(capability).unwrap_or_default();
        self.facts.exact_extensions
            && !added_by.is_empty()
            && added_by.iter().all(|name| self.accepts_extension(name) == Some(false))
    }
}

/// An extension in modules of a version of SPIR-V, with the facts that do not depend on a device.
pub struct ExtensionInVersion<'n> {
    name: &'n str,
    /// True if it need not be declared.
    is_core: bool,
    /// The capabilities that only this extension adds; none of an extension that need not be declared.
    adds: Vec<u32>,
}

impl<'n> ExtensionInVersion<'n> {
    pub(crate) fn new(name: &'n str, version: Version) -> ExtensionInVersion<'n> {
        let is_core = extensions::is_core(name, version.to_word());
        let is_added = |known: &&grammar::Capability| !is_core && known.extensions == [name];
        let added = grammar::capabilities().iter().filter(is_added);
        ExtensionInVersion { name, is_core, adds: added.map(|known| known.number).collect() }
    }

    pub fn name(&self) -> &'n str {
        self.name
    }
}

/// Returns true if only OpenCL's table has a capability.
fn is_of_opencl(name: &str) -> bool {
    Api::OpenCl.capability(name).is_some() && Api::Vulkan.capability(name).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{DeviceConfig, DeviceParts};

    fn number(name: &str) -> u32 {
        capabilities::number(name).unwrap()
    }

    fn device(entry: &str) -> Device {
        DeviceConfig::from_yaml("test", &format!("a: {{{entry}}}")).unwrap().get("a").unwrap().clone()
    }

    #[test]
    fn capabilities_that_are_not_listed() {
        let supports = |device: &Device, names: [&str; 4]| {
            names.map(|name| device.supports_capability(number(name), false))
        };
        let names = ["Shader", "Geometry", "Float16", "Float64"];
        let partial = device("environments: [vulkan], aspects: [fp16]");
        assert_eq!(supports(&partial, names), [Some(true), None, Some(true), Some(false)], "no fp64");
        let exact = device(
            "environments: [vulkan], aspects: [fp16], exact-capabilities: true, capabilities: [Float16]",
        );
        assert_eq!(supports(&exact, names), [Some(true), Some(false), Some(true), Some(false)]);
        let described = DeviceParts::new().capabilities("Shader").to_device(None).unwrap();
        assert_eq!(supports(&described, names), [Some(true), Some(false), Some(false), Some(false)]);
        let aspects = DeviceParts::new().aspects("fp16").to_device(None).unwrap();
        assert_eq!(supports(&aspects, names), [None, None, Some(true), Some(false)]);
        assert_eq!(supports(&Device::default(), names), [None; 4]);
    }

    #[test]
    fn capabilities_of_refused_extensions() {
        let kernels =
            "environments: [opencl], extensions: [SPV_KHR_expect_assume], spirv-versions: [\"1.6\"]";
        let exact = device(&format!("{kernels}, exact-extensions: true"));
        let supports = |device: &Device| {
            ["RegisterLimitsINTEL", "ExpectAssumeKHR", "DotProduct"]
                .map(|name| device.supports_capability(number(name), true))
        };
        assert_eq!(supports(&exact), [Some(false), None, None], "DotProduct is part of 1.6");
        assert_eq!(supports(&device(kernels)), [None; 3]);
    }

    #[test]
    fn modules_of_another_kind() {
        let kernels = device("environments: [opencl]");
        let shaders = device("environments: [vulkan]");
        let both = device("environments: [opencl, vulkan]");
        let of_sycl = device("aspects: [fp16]");
        let supports = |device: &Device| {
            ["Geometry", "DeviceEnqueue"].map(|name| device.supports_capability(number(name), false))
        };
        assert_eq!(supports(&kernels), [Some(false), None]);
        assert_eq!(supports(&shaders), [None, Some(false)]);
        assert_eq!(supports(&both), [None, None]);
        assert_eq!(supports(&of_sycl), [None, None], "it lists no API");
    }

    #[test]
    fn aspects_that_only_kernels_require() {
        let device = device("environments: [opencl, vulkan], aspects: [fp16]");
        let supports = |in_kernels| device.supports_capability(number("CooperativeMatrixKHR"), in_kernels);
        assert_eq!((supports(false), supports(true)), (None, Some(false)), "ext_intel_matrix");
    }

    #[test]
    fn extensions_and_versions() {
        let partial = "extensions: [SPV_A], spirv-versions: [\"1.3\"], capabilities: [CooperativeMatrixKHR]";
        let exact = format!("{partial}, exact-extensions: true, exact-spirv-versions: true");
        let [partial, exact] = [partial, &exact].map(device);
        let names =
            ["SPV_A", "SPV_B", "SPV_KHR_16bit_storage", "SPV_KHR_8bit_storage", "SPV_KHR_cooperative_matrix"];
        let supports = |device: &Device, version| names.map(|name| device.supports_extension(name, version));
        let [old, new] = [Version::new(1, 0), Version::new(1, 5)];
        assert_eq!(supports(&partial, old), [Some(true), None, Some(true), None, Some(true)]);
        assert_eq!(supports(&partial, new), [Some(true), None, Some(true), Some(true), Some(true)]);
        let no = Some(false);
        assert_eq!(supports(&exact, old), [Some(true), no, no, no, no]);
        assert_eq!(supports(&exact, new), [Some(true), no, Some(true), Some(true), no]);
        let accepts =
            |device: &Device| [0, 3, 5].map(|minor| device.supports_spirv_version(Version::new(1, minor)));
        assert_eq!(accepts(&partial), [Some(true), Some(true), None]);
        assert_eq!(accepts(&exact), [no, Some(true), no]);
    }

    #[test]
    fn work_groups() {
        let supports = |entry: &str| [1, 128, 129].map(|size| device(entry).supports_work_group_size(size));
        assert_eq!(supports("environments: [opencl]"), [Some(true), None, None]);
        assert_eq!(supports("environments: [vulkan]"), [Some(true), Some(true), None]);
        assert_eq!(
            supports("environments: [vulkan], max-work-group-size: 128"),
            [Some(true), Some(true), Some(false)]
        );
    }
}
