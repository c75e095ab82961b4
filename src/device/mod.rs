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
mod embedded_devices;
pub(crate) mod extensions;
#[cfg(test)]
mod generate;
#[rustfmt::skip]
mod generated;
mod names;
mod parts;
#[cfg(feature = "probe")]
pub(crate) mod probe;
pub(crate) mod providers;
pub(crate) mod queries;
mod recognize;
pub(crate) mod registry;
pub(crate) mod reports;
mod tables;
mod target;
#[cfg(test)]
mod tests;
mod write;

use std::collections::{BTreeMap, BTreeSet};

pub use api::Api;
pub use config::DeviceConfig;
pub use names::DeviceError;
pub use parts::DeviceParts;
#[cfg(feature = "probe")]
pub use probe::{GetDeviceInfo, ProbeError, Probed, probe};
pub use reports::DeviceReport;
pub use tables::{Aspect, Capability};
pub use target::Target;

use crate::condition::{FeatureName, Name};

pub(crate) use config::embedded;
pub(crate) use names::{is_generic_for, make_names_distinct};
pub(crate) use queries::KnownCapabilities;
pub(crate) use tables::{Table, Tables, number};

/// The names of the target for any device in SYCL compilers.
pub(crate) const ANY_DEVICE: [&str; 4] = ["spir64", "spirv64", "spir", "spirv32"];

/// A device, as far as it is known.
///
/// A device of a device configuration is complete: it has nothing that its entry does not list. That may be wrong for a
/// device newer than the entry, and then selects the fallback, which is always safe. Of a device described by
/// [`DeviceParts`], anything not listed is unknown. Of [`Device::default`] nothing is known.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// The name of its entry; empty for a device without one.
    pub(crate) name: String,
    /// True if it has nothing that is not listed here.
    pub(crate) complete: bool,
    /// Its number in [`architectures`]. A device has at most one.
    pub(crate) architecture: Option<u32>,
    /// True if its architecture is unknown, even if it is complete: it may be any of its category and family.
    pub(crate) unknown_architecture: bool,
    /// Its aspects, without the one of its architecture.
    pub(crate) aspects: Option<BTreeSet<u32>>,
    /// The SPIR-V capabilities it supports, with those that its aspects, its environments and these capabilities imply.
    pub(crate) capabilities: Option<BTreeSet<u32>>,
    /// True if its driver lists the capabilities, so that no others follow from aspects and sub-groups.
    pub(crate) exact_capabilities: bool,
    /// True if nobody listed capabilities, so that it may support others, except those that its aspects rule out.
    pub(crate) unlisted_capabilities: bool,
    /// The SPIR-V extensions it supports, names or globs; None, even of a complete device, where nobody listed them.
    pub(crate) extensions: Option<BTreeSet<String>>,
    /// Further SPIR-V extensions that it accepts, names or globs, where nobody listed all.
    pub(crate) added_extensions: BTreeSet<String>,
    /// The decisions of the host for it.
    pub(crate) host: BTreeMap<Name, bool>,
    /// The SPIR-V versions it supports, major and minor; None, even of a complete device, where nobody listed them.
    pub(crate) spirv_versions: Option<BTreeSet<(u8, u8)>>,
    /// The sub-group sizes it supports.
    pub(crate) sub_group_sizes: Vec<u32>,
    /// The largest work-group, in work-items.
    pub(crate) max_work_group_size: Option<u32>,
    /// True if a newer device of the same name may have more than is listed here.
    pub(crate) may_support_more: bool,
    /// Its category in the device registry.
    pub(crate) category: Option<u32>,
    /// Its family in the device registry.
    pub(crate) family: Option<u32>,
    /// Its architecture in the device registry.
    pub(crate) registry_architecture: Option<u32>,
    /// Its instruction set in the device registry.
    pub(crate) target: Option<u32>,
    /// The optional parts of the instruction set that it has.
    pub(crate) features: Option<BTreeSet<u32>>,
    /// The features of providers of which it is known whether it has them, besides those of its [processor](providers::Processor).
    pub(crate) provider_features: BTreeMap<FeatureName, bool>,
    /// The providers of which it has no other features.
    pub(crate) complete_providers: BTreeSet<String>,
}

impl Device {
    /// The device of the embedded device configuration with this name, or this alias of an architecture. Modes of a processor of AMD follow it:
    /// `gfx90a:xnack+:sramecc-`.
    ///
    /// # Errors
    /// If there is none, with the names nearest to it.
    pub fn embedded(name: &str) -> Result<Device, DeviceError> {
        let (name, modes) = providers::split_modes(name);
        config::embedded_device(name)?.with_modes(modes)
    }

    /// True if so little is known of it that it stands for many devices: an architecture, or nothing at all.
    pub(crate) fn is_open(&self) -> bool {
        self.aspects.is_none() && self.capabilities.is_none()
    }

    /// True if nothing is known of it.
    pub(crate) fn is_unknown(&self) -> bool {
        let Device {
            name,
            complete,
            architecture,
            unknown_architecture,
            aspects,
            capabilities,
            exact_capabilities,
            unlisted_capabilities,
            extensions,
            added_extensions,
            host,
            spirv_versions,
            sub_group_sizes,
            max_work_group_size,
            may_support_more,
            category,
            family,
            registry_architecture,
            target,
            features,
            provider_features,
            complete_providers,
        } = self;
        let numbers = [architecture, max_work_group_size, category, family, registry_architecture, target];
        let flags =
            [complete, unknown_architecture, exact_capabilities, unlisted_capabilities, may_support_more];
        let sets = [aspects, capabilities, features];
        name.is_empty()
            && sets.iter().all(|set| set.is_none())
            && numbers.iter().all(|number| number.is_none())
            && !flags.into_iter().any(|&flag| flag)
            && extensions.is_none()
            && spirv_versions.is_none()
            && added_extensions.is_empty()
            && host.is_empty()
            && provider_features.is_empty()
            && complete_providers.is_empty()
            && sub_group_sizes.is_empty()
    }

    /// Adds the capabilities that follow from what is listed.
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

    /// Adds the capabilities that follow from what else is known of the device.
    fn add_inferred(&mut self) {
        self.add_implied(&self.aspects.clone().unwrap_or_default());
        let Some(supported) = &mut self.capabilities else { return };
        // OpenCL-Env: required where CL_DEVICE_MAX_NUM_SUB_GROUPS is not 0.
        if supported.contains(&(spirv::Capability::Kernel as u32)) && !self.sub_group_sizes.is_empty() {
            supported.insert(spirv::Capability::SubgroupDispatch as u32);
        }
    }

    /// Adds the capabilities that aspects imply.
    fn add_implied(&mut self, aspects: &BTreeSet<u32>) {
        let Some(supported) = &mut self.capabilities else { return };
        let kernel = spirv::Capability::Kernel as u32;
        // The capabilities of kernels that an aspect implies do not apply to a device that accepts shaders only.
        let shaders_only =
            supported.contains(&(spirv::Capability::Shader as u32)) && !supported.contains(&kernel);
        for aspect in aspects {
            for capability in capabilities::implied_by_aspect(*aspect) {
                let mut implied = BTreeSet::from([capability]);
                capabilities::close(&mut implied);
                if !(shaders_only && implied.contains(&kernel)) {
                    supported.extend(implied);
                }
            }
        }
    }

    /// Makes it a device of unknown architecture.
    fn forget_architecture(&mut self) {
        self.architecture = None;
        (self.category, self.family, self.registry_architecture) = (None, None, None);
        self.unknown_architecture = true;
    }

    /// Makes it a device of the architecture, with what follows from that in the registry.
    fn set_architecture(&mut self, architecture: &architectures::Architecture) {
        self.architecture = Some(architecture.value);
        self.unknown_architecture = false;
        self.category = architecture.registry.map(|tuple| tuple.category);
        self.family = architecture.registry.map(|tuple| tuple.family);
        self.registry_architecture = architecture.registry.map(|tuple| tuple.architecture);
    }
}
