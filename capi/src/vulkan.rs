//! Vulkan features, extensions and limits that a module requires.

use std::ffi::{CString, c_char, c_void};

use spirv_if::module::Version;
use spirv_if_inspect::{VulkanFeatureChain, VulkanRequirements as LibraryRequirements};

use crate::boundary::{Out, ask, call, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text::{self, Texts};

/// The features, extensions and limits that a module requires of a Vulkan device. They are immutable: several threads may use
/// them at once.
pub struct VulkanRequirements {
    required: LibraryRequirements,
    version: u32,
    extensions: Vec<*const c_char>,
    features: Vec<VulkanFeature>,
    properties: Vec<VulkanProperty>,
    limits: Vec<VulkanLimit>,
    missing: Vec<CString>,
    unknown: Vec<CString>,
    chain: VulkanFeatureChain,
    _texts: Texts,
}

/// A feature of Vulkan. Later versions may add members.
#[repr(C)]
pub struct VulkanFeature {
    /// The structure, such as "VkPhysicalDeviceVulkan12Features". "VkPhysicalDeviceFeatures" stands for the member `features` of
    /// VkPhysicalDeviceFeatures2.
    pub structure: *const c_char,
    /// The member, such as "shaderFloat16".
    pub member: *const c_char,
}

/// A property that a Vulkan device must have. Later versions may add members.
#[repr(C)]
pub struct VulkanProperty {
    /// The structure, such as "VkPhysicalDeviceVulkan11Properties".
    pub structure: *const c_char,
    /// The member.
    pub member: *const c_char,
    /// The value: "VK_TRUE", or a bit that must be set.
    pub value: *const c_char,
}

/// A limit that a Vulkan device must meet. Later versions may add members.
#[repr(C)]
pub struct VulkanLimit {
    /// The member of VkPhysicalDeviceLimits or VkPhysicalDeviceMeshShaderPropertiesEXT. An array has an index:
    /// "maxComputeWorkGroupSize[0]".
    pub member: *const c_char,
    /// The minimum for the device's limit.
    pub at_least: u64,
}

impl VulkanRequirements {
    fn new(required: LibraryRequirements, chain: VulkanFeatureChain) -> VulkanRequirements {
        let mut texts = Texts::default();
        let version = required.version();
        let extensions = required.extensions().iter().map(|name| texts.keep(name)).collect();
        let features = required.features().iter().map(|feature| VulkanFeature {
            structure: texts.keep(feature.structure),
            member: texts.keep(feature.member),
        });
        let features = features.collect();
        let properties = required.properties().iter().map(|property| VulkanProperty {
            structure: texts.keep(property.structure),
            member: texts.keep(property.member),
            value: texts.keep(property.value),
        });
        let properties = properties.collect();
        let limits = required
            .limits()
            .iter()
            .map(|limit| VulkanLimit { member: texts.keep(limit.member), at_least: limit.at_least });
        let limits = limits.collect();
        VulkanRequirements {
            version: u32::from(version.major) << 22 | u32::from(version.minor) << 12,
            extensions,
            features,
            properties,
            limits,
            missing: text::c_strings(required.missing()),
            unknown: text::c_strings(required.unknown()),
            chain,
            _texts: texts,
            required,
        }
    }
}

/// Finds the features and extensions that a Vulkan application must enable for an unchanged module. They include features that no
/// capability names.
///
/// `api_version` is the version for which the application creates its instance and device, as in VkApplicationInfo; 0 means 1.0.
/// Some requirements have alternatives. The result has one that `device` supports, or the first one if `device` is null. To
/// choose among all features of a driver, pass the device of `spvif_device_from_vulkan` without a `create_info`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_requirements_vulkan(
    module: *const Module,
    api_version: u32,
    device: *const Device,
    requirements: *mut *mut VulkanRequirements,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(requirements)?;
            let module = &required(module, "module")?.module;
            let device = device.as_ref().map(|device| &device.0);
            let version = Version::new((api_version >> 22 & 0x7f) as u8, (api_version >> 12 & 0x3ff) as u8);
            let required = LibraryRequirements::new(module, version, device)?;
            let chain = required.chain();
            out.set(VulkanRequirements::new(required, chain));
            Ok(())
        })
    }
}

/// Joins the requirements of `count` modules with the features that the application enables itself.
///
/// `features` is the application's chain for pNext of VkDeviceCreateInfo, or null. This function sets the features of the modules
/// in its structures. If some features have no structure there, `spvif_vulkan_requirements_chain` returns new structures that
/// continue with `features`. `features` must stay valid as long as the result is used. pEnabledFeatures must be null, since
/// VkPhysicalDeviceFeatures2 has these features.
///
/// Vulkan forbids a structure of a core version, such as VkPhysicalDeviceVulkan12Features, beside a structure that it gathers,
/// such as VkPhysicalDeviceShaderFloat16Int8Features. Each feature is set in the one that the chain has, and the other is not
/// added. If only the structure of the core version has a feature, and the chain has a structure that it gathers, the status is
/// `SPVIF_STATUS_REQUEST`. Some features may then be set already.
///
/// The result does not depend on the requirements of the modules, which may be freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_union(
    all: *const *const VulkanRequirements,
    count: usize,
    features: *mut c_void,
    requirements: *mut *mut VulkanRequirements,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(requirements)?;
            let mut modules = Vec::with_capacity(count);
            for index in 0..count {
                let of_module = *std::ptr::from_ref(required(all, "all")?).add(index);
                modules.push(&required(of_module, "requirements of a module")?.required);
            }
            let union = LibraryRequirements::union(modules);
            let chain = union.chain_with(features)?;
            out.set(VulkanRequirements::new(union, chain));
            Ok(())
        })
    }
}

/// Returns the required version of Vulkan, as in VkApplicationInfo. It is `api_version`, or a later version if the module needs
/// one. `spvif_vulkan_requirements_missing` then lists the version.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_version(requirements: *const VulkanRequirements) -> u32 {
    // SAFETY: as above.
    unsafe { ask(requirements, 0, |requirements| requirements.version) }
}

/// Returns the names of the device extensions to enable, with those that they depend on, for ppEnabledExtensionNames of
/// VkDeviceCreateInfo. `count` receives their number, and may be null. The names are valid as long as the requirements, as is all
/// data that the following functions return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_extensions(
    requirements: *const VulkanRequirements,
    count: *mut u32,
) -> *const *const c_char {
    // SAFETY: as above.
    unsafe {
        let none: &[*const c_char] = &[];
        let names = ask(requirements, none, |requirements| &requirements.extensions[..]);
        if let Some(count) = count.as_mut() {
            *count = names.len() as u32;
        }
        names.as_ptr()
    }
}

/// Returns the features to enable as a chain of structures, for pNext of VkDeviceCreateInfo, or null for null. The first
/// structure is a VkPhysicalDeviceFeatures2, unless the requirements were joined with an application's chain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_chain(
    requirements: *const VulkanRequirements,
) -> *const c_void {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| requirements.chain.as_ptr()) }
}

/// Returns feature `index` to enable, or null after the last. Its structure is the one that it has without an application's
/// chain.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_feature(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanFeature {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.features, index)) }
}

/// Returns property `index` that the device must have, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_property(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanProperty {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.properties, index)) }
}

/// Returns limit `index` that the device must meet, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_limit(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanLimit {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.limits, index)) }
}

/// Returns the name of missing requirement `index`, or null after the last. It is a feature or property with its alternatives, a
/// version, or a limit that the device is known not to have. With any missing requirement, the device does not run the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_missing(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::at(&requirements.missing, index)) }
}

/// Returns the name of unknown requirement `index`, or null after the last. It is a capability, extension or version that the
/// library's tables do not have.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_unknown(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::at(&requirements.unknown, index)) }
}

/// Frees requirements, with all data that they returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_destroy(requirements: *mut VulkanRequirements) {
    // SAFETY: as above.
    unsafe { destroy(requirements) }
}
