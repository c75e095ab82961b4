//! Limits of a Vulkan device in the entries of devices: `maxGeometryOutputVertices=256`.

use super::api::limits;
use super::{Device, DeviceError};
use crate::text::spelling::nearest;

impl Device {
    /// Adds limits of Vulkan: `maxGeometryOutputVertices=256`.
    pub(super) fn add_vulkan_limits<'t>(
        &mut self,
        items: impl IntoIterator<Item = &'t str>,
    ) -> Result<(), DeviceError> {
        for item in items {
            let (name, number) = item.split_once('=').unwrap_or((item, ""));
            let known = || limits().iter().filter(|row| !row.is_of_all_apis()).map(|row| row.limit);
            let Some(name) = known().find(|known| *known == name) else {
                return Err(unknown(item, nearest(name, known())));
            };
            let number = number.parse().map_err(|_| unknown(item, vec![format!("{name}=256")]))?;
            if let Some(before) = self.vulkan_limits.insert(name, number).filter(|before| *before != number) {
                let [first, second] = [before, number].map(|number| format!("{name}={number}"));
                return Err(DeviceError::Contradiction { what: "limit of Vulkan", first, second });
            }
        }
        Ok(())
    }

    /// Returns the limits of Vulkan as they are added.
    pub(super) fn vulkan_limit_items(&self) -> impl Iterator<Item = String> {
        self.vulkan_limits.iter().map(|(name, number)| format!("{name}={number}"))
    }
}

fn unknown(item: &str, nearest: Vec<String>) -> DeviceError {
    DeviceError::UnknownName { what: "limit of Vulkan", name: item.to_owned(), nearest }
}
