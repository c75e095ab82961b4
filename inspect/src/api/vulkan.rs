//! Features, extensions and limits of Vulkan for a module.

use std::ffi::c_void;

use super::inspect::InspectOptions;
use crate::inspection::{VulkanFeatureChain, VulkanRequirements, with_context};
use spirv_if::Error;
use spirv_if::device::{Api, Device};
use spirv_if::engine::device::FeatureChain;
use spirv_if::error::RequestErrorKind;
use spirv_if::module::Module;
use spirv_if::module::Version;

impl VulkanRequirements {
    /// Finds the requirements of a module on Vulkan of at least this version: the version for which the application
    /// creates its instance and device, whichever is lower.
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
        let device = device.map(|device| device.for_api(Api::Vulkan));
        let required = with_context(&module.analyses(), &*module.properties()?, |context| {
            let inspected = context.inspected(None, false)?;
            context.vulkan_requirements(&inspected, version, device.as_deref())
        })?;
        required.map_err(|refused| {
            let capability = refused.capability;
            let problem = format!("Vulkan accepts no module with capability {capability}: no features help");
            Error::request(RequestErrorKind::Feature, problem)
        })
    }

    /// Sets the features in an application's chain for VkDeviceCreateInfo's pNext, and returns the whole chain, for the
    /// same place. If some features have no structure there, the result begins with new structures, and continues with
    /// the application's chain.
    ///
    /// Vulkan forbids a structure of a core version, such as VkPhysicalDeviceVulkan12Features, beside a structure that
    /// it gathers, such as VkPhysicalDeviceShaderFloat16Int8Features. Each feature is set in the one that the chain
    /// has, and the other is not added. pEnabledFeatures must be null, since VkPhysicalDeviceFeatures2 has its
    /// features.
    ///
    /// # Errors
    /// [`Error::Request`] if only a gathering structure has a feature, and the chain has structures that it gathers. Some features may be set then.
    ///
    /// # Safety
    /// Each structure of the chain has the type that its number stands for, and nothing else uses the chain meanwhile. It lives as long as the
    /// result is used.
    #[expect(unsafe_code, reason = "the structures of an application are behind pointers")]
    pub unsafe fn chain_with(&self, chain: *mut c_void) -> Result<VulkanFeatureChain, Error> {
        if chain.is_null() {
            return Ok(self.chain());
        }
        let features = self.features().iter().map(|feature| (feature.structure, feature.member));
        // SAFETY: the caller's.
        let joined = unsafe { FeatureChain::before(chain, features) };
        let joined = joined.map_err(|unchained| Error::request(RequestErrorKind::Feature, unchained))?;
        Ok(VulkanFeatureChain(joined))
    }
}
