//! Features, extensions and limits of Vulkan for a module.

use super::error::{Error, RequestErrorKind};
use super::inspect::InspectOptions;
use super::module::Module;
use crate::device::{Api, Device};
use crate::inspection::{VulkanRequirements, with_context};
use crate::loader::Version;

impl VulkanRequirements {
    /// Finds the requirements of a module on Vulkan of at least this version: that for which the application creates its instance and
    /// device, whichever is lower.
    ///
    /// Of alternatives, `device` has one chosen that it supports. It is described by its driver, with all that it supports
    /// (`Device::from_vulkan`), or otherwise. Without a device, the first alternative is chosen.
    ///
    /// # Errors
    /// [`Error::Request`] if the version does not exist, or Vulkan accepts no such module. Another error if the module, its property sets
    /// or its annotations are malformed.
    pub fn new(
        module: &Module,
        version: Version,
        device: Option<&Device>,
    ) -> Result<VulkanRequirements, Error> {
        InspectOptions::new().api(Api::Vulkan).api_version(version).check_version()?;
        let required = with_context(&module.analyses(), &*module.properties()?, |context| {
            let inspected = context.inspected(None, false)?;
            context.vulkan_requirements(&inspected, version, device)
        })?;
        required.map_err(|refused| {
            let capability = refused.capability;
            let problem = format!("Vulkan accepts no module with capability {capability}: no features help");
            Error::request(RequestErrorKind::Feature, problem)
        })
    }
}
