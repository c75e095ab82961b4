//! Devices: their features, and the sources of descriptions of them.
//!
//! A [`Device`] says what conditions and requirements ask of it. It comes from the table of this library ([`Device::embedded`]), from a
//! file of the same format ([`DeviceConfig::from_yaml`]), feature by feature ([`DeviceParts`]), from a report of another tool
//! ([`DeviceReport::from_json`]), or, with the feature `probe`, from the drivers of the machine. The format of the file is described in
//! `spec-extensions/devices.md`. [`Target`] is for compilers, whose targets may stand for several devices.
//!
//! ```
//! use spirv_if::device::{Aspect, Device, DeviceConfig, DeviceParts};
//! let fp16: Aspect = "fp16".parse()?;
//! let text = "phone: { aspects: [gpu, fp16], environments: [vulkan] }";
//! let phone = DeviceConfig::from_yaml("devices.yaml", text)?.get("phone")?.clone();
//! let described = DeviceParts::new().aspects("gpu,fp16").to_device(None)?;
//! for device in [phone, described, Device::embedded("intel_gpu_pvc")?] {
//!     assert_eq!(device.has_aspect(fp16), Some(true));
//! }
//! # Ok::<(), spirv_if::device::DeviceError>(())
//! ```

pub(crate) mod api;
pub(crate) mod architectures;
pub(crate) mod aspects;
pub(crate) mod capabilities;
mod config;
mod cooperative_matrices;
mod drivers;
#[cfg(feature = "devices")]
mod embedded_devices;
pub(crate) mod extensions;
mod flat;
#[cfg(test)]
mod generate;
#[rustfmt::skip]
mod generated;
pub(crate) mod limits;
mod matrix_uses;
mod names;
mod parts;
#[cfg(feature = "probe")]
pub(crate) mod probe;
pub(crate) mod products;
pub(crate) mod providers;
pub(crate) mod queries;
mod recognize;
pub(crate) mod registry;
pub(crate) mod reports;
mod support;
mod tables;
mod target;
#[cfg(test)]
mod tests;
pub(crate) mod unknown;
#[cfg(not(feature = "devices"))]
mod without_devices;
mod write;

use crate::loader::Version;
use std::borrow::Cow;
use std::collections::BTreeMap;

pub use api::Api;
pub use config::DeviceConfig;
pub use cooperative_matrices::CooperativeMatrix;
pub(crate) use matrix_uses::{ComponentTypes, MatrixType, MatrixUse};
pub use names::DeviceError;
pub use parts::DeviceParts;
#[cfg(feature = "probe")]
pub use probe::{GetDeviceInfo, ProbeError, Probed, probe};
pub use reports::DeviceReport;
pub use tables::{Aspect, Capability};
pub use target::Target;
#[cfg(not(feature = "devices"))]
use without_devices as embedded_devices;

use crate::condition::{FeatureName, Name};
pub(crate) use drivers::DeviceDriver;
use flat::{FlatMap, FlatSet};

pub(crate) use config::embedded;
pub(crate) use names::{is_generic_for, make_names_distinct};
pub(crate) use reports::{FeatureChain, structures};
pub(crate) use tables::{DeviceNames, NumberTable, number};

/// The names of the target for any device in SYCL compilers.
pub(crate) const ANY_DEVICE: [&str; 4] = ["spir64", "spirv64", "spir", "spirv32"];

/// A device, as far as it is known.
///
/// A device of a device configuration is complete: it has nothing that its entry does not list. That may be
/// wrong for a device newer than the entry. Then the fallback is selected, which is always safe. For a device
/// described by [`DeviceParts`], everything that is not listed is unknown. [`Device::default`] is entirely
/// unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// Name of the device's entry; empty without one.
    pub(crate) name: Cow<'static, str>,
    /// True if the device has nothing beyond these lists.
    pub(crate) complete: bool,
    /// Number in [`architectures`]. A device has at most one architecture.
    pub(crate) architecture: Option<u32>,
    /// True if the architecture is unknown, even if the device is complete: it may be any of the category and
    /// family.
    pub(crate) unknown_architecture: bool,
    /// Aspects, except the one of the architecture.
    pub(crate) aspects: Option<FlatSet<u32>>,
    /// Supported SPIR-V capabilities, including those implied by aspects, environments and other
    /// capabilities.
    pub(crate) capabilities: Option<FlatSet<u32>>,
    /// True if the source lists all capabilities, so that no others follow from aspects and sub-groups.
    pub(crate) exact_capabilities: bool,
    /// True if the source lists all extensions.
    pub(crate) exact_extensions: bool,
    /// True if the source lists all versions of SPIR-V.
    pub(crate) exact_spirv_versions: bool,
    /// True if capabilities are not listed. The device may support others, except those that its aspects rule
    /// out.
    pub(crate) unlisted_capabilities: bool,
    /// Supported SPIR-V extensions, names or globs. `None` if they are not listed, which is possible for a
    /// complete device.
    pub(crate) extensions: Option<FlatSet<Cow<'static, str>>>,
    /// Further accepted SPIR-V extensions, names or globs, if the list is incomplete.
    pub(crate) added_extensions: FlatSet<Cow<'static, str>>,
    /// Decisions of the host for the device.
    pub(crate) host: BTreeMap<Name, bool>,
    /// Supported SPIR-V versions. `None` if they are not listed, which is possible for a
    /// complete device.
    pub(crate) spirv_versions: Option<FlatSet<Version>>,
    /// Supported sub-group sizes.
    pub(crate) sub_group_sizes: Cow<'static, [u32]>,
    /// Size of the largest work-group, in work-items.
    pub(crate) max_work_group_size: Option<u32>,
    /// Other [numbers](limits::DeviceNumber) of the device, by name. Versions of APIs are words like those of SPIR-V.
    pub(crate) limits: FlatMap<&'static str, u64>,
    /// True if a newer device with the same name may support more.
    pub(crate) may_support_more: bool,
    /// Category in the device registry.
    pub(crate) category: Option<u32>,
    /// Family in the device registry.
    pub(crate) family: Option<u32>,
    /// Architecture in the device registry.
    pub(crate) registry_architecture: Option<u32>,
    /// Instruction set in the device registry.
    pub(crate) target: Option<u32>,
    /// Optional parts of the instruction set that the device has.
    pub(crate) features: Option<FlatSet<u32>>,
    /// Features of providers known to be present or absent, in addition to those of the
    /// [processor](providers::Processor).
    pub(crate) provider_features: FlatMap<FeatureName, bool>,
    /// The starts of names, with their providers, of which the device has no other features: `vulkan:`.
    pub(crate) complete_features: FlatSet<Cow<'static, str>>,
    /// The driver for Vulkan.
    pub(crate) driver: Option<DeviceDriver>,
}

impl Device {
    /// Returns the device of the embedded device configuration with this name or alias of an architecture.
    /// The name of an AMD processor may have modes after it: `gfx90a:xnack+:sramecc-`.
    ///
    /// # Errors
    /// If there is none; the error has the nearest names.
    pub fn embedded(name: &str) -> Result<Device, DeviceError> {
        let (name, modes) = providers::split_modes(name);
        config::embedded().get(name)?.clone().with_modes(modes)
    }

    /// True if nothing is known about the device.
    pub(crate) fn is_unknown(&self) -> bool {
        self.host.is_empty() && self.is_undescribed()
    }

    /// True if nothing is known about the device itself. The host may have made decisions.
    pub(crate) fn is_undescribed(&self) -> bool {
        let Device {
            name,
            complete,
            architecture,
            unknown_architecture,
            aspects,
            capabilities,
            exact_capabilities,
            exact_extensions,
            exact_spirv_versions,
            unlisted_capabilities,
            extensions,
            added_extensions,
            host: _,
            spirv_versions,
            sub_group_sizes,
            max_work_group_size,
            limits,
            may_support_more,
            category,
            family,
            registry_architecture,
            target,
            features,
            provider_features,
            complete_features,
            driver,
        } = self;
        let numbers = [architecture, max_work_group_size, category, family, registry_architecture, target];
        let exact = [exact_capabilities, exact_extensions, exact_spirv_versions];
        let flags = [complete, unknown_architecture, unlisted_capabilities, may_support_more];
        let sets = [aspects, capabilities, features];
        name.is_empty()
            && sets.iter().all(|set| set.is_none())
            && numbers.iter().all(|number| number.is_none())
            && !flags.into_iter().chain(exact).any(|&flag| flag)
            && extensions.is_none()
            && spirv_versions.is_none()
            && added_extensions.is_empty()
            && provider_features.is_empty()
            && limits.is_empty()
            && driver.is_none()
            && complete_features.is_empty()
            && sub_group_sizes.is_empty()
    }

    /// Adds the capabilities that follow from the listed properties.
    fn infer_capabilities(&mut self) {
        self.close_capabilities();
        if !self.exact_capabilities {
            self.add_inferred();
            self.close_capabilities();
        }
    }

    /// Adds the capabilities that others imply.
    fn close_capabilities(&mut self) {
        if let Some(supported) = &mut self.capabilities {
            capabilities::close(supported);
        }
    }

    /// Adds the capabilities that follow from other properties of the device.
    fn add_inferred(&mut self) {
        self.add_implied(&self.aspects.clone().unwrap_or_default());
        let Some(supported) = &mut self.capabilities else { return };
        // OpenCL-Env: required if CL_DEVICE_MAX_NUM_SUB_GROUPS is not 0.
        if supported.contains(&(spirv::Capability::Kernel as u32)) && !self.sub_group_sizes.is_empty() {
            supported.insert(spirv::Capability::SubgroupDispatch as u32);
        }
    }

    /// Adds the capabilities that aspects imply.
    fn add_implied(&mut self, aspects: &[u32]) {
        let Some(supported) = &mut self.capabilities else { return };
        let kernel = spirv::Capability::Kernel as u32;
        // If a device accepts only shaders, capabilities of kernels that an aspect implies do not apply to
        // it.
        let shaders_only =
            supported.contains(&(spirv::Capability::Shader as u32)) && !supported.contains(&kernel);
        for aspect in aspects {
            for capability in capabilities::implied_by_aspect(*aspect) {
                let mut implied = FlatSet::from([capability]);
                capabilities::close(&mut implied);
                if !(shaders_only && implied.contains(&kernel)) {
                    supported.extend(implied.iter().copied());
                }
            }
        }
    }

    /// Changes the device to one of unknown architecture.
    fn forget_architecture(&mut self) {
        self.architecture = None;
        (self.category, self.family, self.registry_architecture) = (None, None, None);
        self.unknown_architecture = true;
    }

    /// Changes the device to one of the architecture, with the values that the registry has for it.
    fn set_architecture(&mut self, architecture: &architectures::Architecture) {
        self.architecture = Some(architecture.value);
        self.unknown_architecture = false;
        self.category = architecture.registry.map(|tuple| tuple.category);
        self.family = architecture.registry.map(|tuple| tuple.family);
        self.registry_architecture = architecture.registry.map(|tuple| tuple.architecture);
    }
}
