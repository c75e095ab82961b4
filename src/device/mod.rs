//! Devices: their features, and the sources of descriptions of them.
//!
//! A [`Device`] says what conditions and requirements ask of it. It comes from the table of this library ([`Device::embedded`]), from a
//! file of the same format ([`DeviceConfig::from_yaml`]), feature by feature ([`DeviceParts`]), from a report of another tool
//! ([`DeviceReport::from_json`]), or, by the package `spirv-if-probe`, from the drivers of the machine. The format of the file is described in
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
pub(crate) mod config;
pub(crate) mod cooperative_matrices;
mod drivers;
#[cfg(feature = "devices")]
pub(crate) mod embedded_devices;
pub(crate) mod extensions;
pub(crate) mod facts;
mod flat;
#[cfg(any(test, feature = "generate"))]
pub(crate) mod generate;
#[rustfmt::skip]
mod generated;
pub(crate) mod implications;
pub(crate) mod limits;
mod matrix_uses;
pub(crate) mod names;
mod parts;
pub(crate) mod products;
pub(crate) mod providers;
pub(crate) mod queries;
mod recognize;
pub(crate) mod registry;
pub(crate) mod reports;
mod support;
pub(crate) mod tables;
mod target;
#[cfg(test)]
mod tests;
pub(crate) mod unknown;
#[cfg(not(feature = "devices"))]
mod without_devices;
mod write;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use api::Api;
pub use config::DeviceConfig;
pub use cooperative_matrices::CooperativeMatrix;
pub(crate) use matrix_uses::{ComponentTypes, MatrixType, MatrixUse};
pub use names::DeviceError;
pub use parts::DeviceParts;
pub use reports::DeviceReport;
pub use tables::{Aspect, Capability};
pub use target::Target;
#[cfg(not(feature = "devices"))]
use without_devices as embedded_devices;

use crate::condition::Leaf;
use flat::FlatSet;

pub(crate) use facts::{DeviceDriver, DeviceFacts};
pub(crate) use support::ExtensionInVersion;

pub(crate) use names::make_names_distinct;

pub(crate) use tables::{DeviceNames, NumberTable, number};

/// A device, as far as it is known.
///
/// A device of a device configuration is complete: it has nothing that its entry does not list. That may be
/// wrong for a device newer than the entry. Then the fallback is selected, which is always safe. For a device
/// described by [`DeviceParts`], everything that is not listed is unknown. [`Device::default`] is entirely
/// unknown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Device {
    /// Name of the device's entry; empty without one.
    #[doc(hidden)]
    pub name: Cow<'static, str>,
    /// True if the device has nothing beyond these lists.
    pub(crate) complete: bool,
    /// Number in `architectures`. A device has at most one architecture.
    #[doc(hidden)]
    pub architecture: Option<u32>,
    /// True if the architecture is unknown, even if the device is complete: it may be any of the category and
    /// family.
    #[doc(hidden)]
    pub unknown_architecture: bool,
    /// Leaves that the host decides for the device: its decisions, and what it answers itself ([`Device::with_answers`]).
    pub(crate) host: BTreeMap<Leaf, bool>,
    /// True if a newer device with the same name may support more.
    #[doc(hidden)]
    pub may_support_more: bool,
    /// Category in the device registry.
    #[doc(hidden)]
    pub category: Option<u32>,
    /// Family in the device registry.
    #[doc(hidden)]
    pub family: Option<u32>,
    /// Architecture in the device registry.
    #[doc(hidden)]
    pub registry_architecture: Option<u32>,
    /// Instruction set in the device registry.
    #[doc(hidden)]
    pub target: Option<u32>,
    /// Optional parts of the instruction set that the device has.
    #[doc(hidden)]
    pub features: Option<FlatSet<u32>>,
    /// The driver for one API.
    #[doc(hidden)]
    pub driver: Option<DeviceDriver>,
    /// Facts under every API.
    #[doc(hidden)]
    pub facts: DeviceFacts,
    /// Facts under each API, by [`Api::index`]; empty if they are the same.
    pub(crate) apis: Cow<'static, [DeviceFacts]>,
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

    /// Creates an unknown device with values of leaves. It is neither known to meet any other requirement, nor known
    /// not to.
    pub(crate) fn with_answers(answers: BTreeMap<Leaf, bool>) -> Device {
        Device { name: Cow::Borrowed("answers"), host: answers, ..Device::default() }
    }

    /// Returns true if nothing is known about the device.
    #[doc(hidden)]
    pub fn is_unknown(&self) -> bool {
        self.host.is_empty() && self.is_undescribed()
    }

    /// Returns true if nothing is known about the device itself. The host may have made decisions.
    pub(crate) fn is_undescribed(&self) -> bool {
        let known = Device { host: self.host.clone(), ..Device::default() };
        *self == known
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
