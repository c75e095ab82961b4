//! Reports of implementations on a device, from any source. A [`VulkanReport`] or an [`OpenClReport`] is
//! converted to a [`Device`].

#[expect(unsafe_code, reason = "the structures of an application are behind pointers")]
mod application_chain;
mod chain;
mod json;
mod opencl;
pub mod structures;
#[cfg(test)]
mod tests;
mod vulkan;

pub use chain::FeatureChain;
pub use chain::{end, places};
pub use json::{ImportError, from_json};
pub use opencl::{OpenClReport, QueryAnswer, QueryKind, queries};
pub use vulkan::VulkanReport;

use std::borrow::Cow;

use super::api::{Api, Offered};
use super::facts::DeviceFacts;
use super::registry::List;
use super::{Device, aspects, recognize};

/// A device, as reported by a driver or in a report of another tool.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceReport {
    /// Name of the device, its API version and driver: one line, unless the driver's texts have several.
    pub description: String,
    /// The device. Its name begins with that of the API.
    pub device: Device,
}

impl DeviceReport {
    /// Makes the report of a driver.
    #[doc(hidden)]
    pub fn new(description: String, device: Device) -> DeviceReport {
        DeviceReport { description, device }
    }
}

/// Returns the name of a device's entry: the API, and the driver's name for the device without characters
/// that a command line would quote.
fn entry_name(api: Api, name: &str) -> String {
    let mut entry = String::from(api.keyword());
    for word in name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        entry.push('_');
        entry.push_str(&word.to_ascii_lowercase());
    }
    entry
}

/// Returns the device with these capabilities and extensions, and all versions that it accepts.
fn device(name: String, offered: Offered, clues: &[recognize::Clue]) -> Device {
    let facts = DeviceFacts {
        aspects: Some(offered.aspects.into()),
        capabilities: Some(offered.capabilities.into()),
        extensions: Some(offered.extensions.into_iter().map(Cow::Owned).collect()),
        spirv_versions: Some(offered.spirv_versions.into()),
        exact_spirv_versions: true,
        ..DeviceFacts::default()
    };
    let mut device = Device { complete: true, facts, ..Device::default() };
    match recognize::architecture(clues) {
        Some(architecture) => device.set_architecture(architecture),
        None => {
            device.forget_architecture();
            let is = |name: &&str| {
                aspects::number(name).and_then(|aspect| device.has_aspect(aspect)) == Some(true)
            };
            let category = ["cpu", "gpu"].into_iter().find(is);
            device.category = category.and_then(|name| List::Categories.number(name));
            if let (Some("gpu"), Some(category)) = (category, device.category) {
                let families = List::Families { category };
                device.family = recognize::family(clues).and_then(|name| families.number(name));
            }
        }
    }
    device.name = name.into();
    device
}
