//! The capabilities that a device configuration covers.

use std::collections::BTreeSet;

use crate::device::{Device, capabilities};

/// The capabilities that a device configuration covers: those that some device in it has.
#[derive(Clone, Debug, Default)]
pub struct KnownCapabilities(BTreeSet<u32>);

impl KnownCapabilities {
    /// The capabilities that these devices cover.
    pub fn by<'d>(devices: impl IntoIterator<Item = &'d Device>) -> KnownCapabilities {
        KnownCapabilities(
            devices.into_iter().flat_map(|device| device.capabilities.iter().flatten()).copied().collect(),
        )
    }

    /// These and the capabilities of more devices.
    pub fn and(mut self, devices: &[Device]) -> KnownCapabilities {
        self.0.extend(devices.iter().flat_map(|device| device.capabilities.iter().flatten()));
        self
    }

    /// Returns true if a device has a capability; None if that is not known. A capability of an extension that is not listed
    /// is unknown, unless the configuration covers it elsewhere, or lists the extensions of the device.
    pub fn has(&self, device: &Device, number: u32) -> Option<bool> {
        let of_extension = || capabilities::extensions_of(number).is_none_or(|own| !own.is_empty());
        let is_silent = || !self.0.contains(&number) && device.extensions.is_none() && of_extension();
        device.has_capability(number).filter(|&has| has || !is_silent())
    }
}
