//! What a device configuration tells of.

use std::collections::BTreeSet;

use crate::device::{Device, capabilities};

/// The capabilities that a device configuration tells of: those that some device in it has.
#[derive(Clone, Debug, Default)]
pub struct KnownCapabilities(BTreeSet<u32>);

impl KnownCapabilities {
    /// What these devices tell of.
    pub fn by<'d>(devices: impl IntoIterator<Item = &'d Device>) -> KnownCapabilities {
        KnownCapabilities(
            devices.into_iter().flat_map(|device| device.capabilities.iter().flatten()).copied().collect(),
        )
    }

    /// Whether a device has a capability. Of one that comes with an extension, silence says nothing, unless the configuration
    /// tells of it elsewhere, or lists the extensions of the device.
    pub fn has(&self, device: &Device, number: u32) -> Option<bool> {
        let of_extension = || capabilities::extensions_of(number).is_none_or(|bring| !bring.is_empty());
        let is_silent = || !self.0.contains(&number) && device.extensions.is_none() && of_extension();
        device.has_capability(number).filter(|&has| has || !is_silent())
    }
}
