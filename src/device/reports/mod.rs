//! What implementations say of a device, whoever asked them: a [`VulkanReport`] and an [`OpenClReport`] each make a
//! [`Device`].

mod json;
// What a driver answers: nothing that another tool wrote.
#[cfg(any(test, feature = "probe"))]
mod opencl;
pub(super) mod structures;
#[cfg(test)]
mod tests;
mod vulkan;

pub use json::{ImportError, from_json};
#[cfg(any(test, feature = "probe"))]
pub use opencl::{Answer, OpenClReport, QueryKind, queries};
pub use vulkan::VulkanReport;

use super::api::{Api, Offered};
use super::registry::List;
use super::{Device, aspects, recognize};

/// What a driver, or a report that another tool wrote, tells of a device.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct DeviceReport {
    /// What it calls the device, and what it is a device of: on one line as long as drivers keep to one.
    pub description: String,
    /// What it takes. Its name begins with the API's.
    pub device: Device,
}

/// The name of a device's entry: the API, and the name that the driver gives it as far as a command line takes that without quotes.
fn entry_name(api: Api, name: &str) -> String {
    let mut entry = String::from(api.keyword());
    for word in name.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        entry.push('_');
        entry.push_str(&word.to_ascii_lowercase());
    }
    entry
}

/// The device that takes what is offered.
fn device(name: String, offered: Offered, clues: &[recognize::Clue]) -> Device {
    let mut device = Device {
        complete: true,
        aspects: Some(offered.aspects),
        capabilities: Some(offered.capabilities),
        extensions: Some(offered.extensions),
        spirv_versions: Some(offered.spirv_versions),
        ..Device::default()
    };
    match recognize::architecture(clues) {
        Some(architecture) => device.set_architecture(architecture),
        None => {
            device.forget_architecture();
            let is = |name: &&str| aspects::number(name).and_then(|own| device.has_aspect(own)) == Some(true);
            let category = ["cpu", "gpu"].into_iter().find(is);
            device.category = category.and_then(|name| List::Categories.number(name));
            if let (Some("gpu"), Some(category)) = (category, device.category) {
                let families = List::Families { category };
                device.family = recognize::family(clues).and_then(|name| families.number(name));
            }
        }
    }
    device.name = name;
    device
}
