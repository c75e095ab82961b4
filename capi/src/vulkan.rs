//! Features, extensions and limits of Vulkan for a module.

use std::ffi::{CString, c_char, c_void};

use spirv_if::module::Version;
use spirv_if_inspect::{VulkanFeatureChain, VulkanRequirements as LibraryRequirements};

use crate::boundary::{Out, ask, call, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text::{self, Texts};

/// The features, extensions and limits that a Vulkan device needs for a module. They never change, and may be used by several threads at once.
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

/// A feature of Vulkan. It may have more members in later versions.
#[repr(C)]
pub struct VulkanFeature {
    /// The structure, such as "VkPhysicalDeviceVulkan12Features"; "VkPhysicalDeviceFeatures" for the members of
    /// VkPhysicalDeviceFeatures2 itself.
    pub structure: *const c_char,
    /// The member, such as "shaderFloat16".
    pub member: *const c_char,
}

/// A property that a Vulkan device must have. It may have more members in later versions.
#[repr(C)]
pub struct VulkanProperty {
    /// The structure, such as "VkPhysicalDeviceVulkan11Properties".
    pub structure: *const c_char,
    /// The member.
    pub member: *const c_char,
    /// The value: "VK_TRUE", or a bit that must be set.
    pub value: *const c_char,
}

/// A limit that a Vulkan device must have. It may have more members in later versions.
#[repr(C)]
pub struct VulkanLimit {
    /// The member of VkPhysicalDeviceLimits or VkPhysicalDeviceMeshShaderPropertiesEXT, with its index if it is an array:
    /// "maxComputeWorkGroupSize[0]".
    pub member: *const c_char,
    /// The device's limit must be at least this number.
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

/// Finds what Vulkan must enable for a module as it is: with what SPIR-V has no capability for.
///
/// `api_version` is the version for which the application creates its instance and device, as in VkApplicationInfo; 0 means 1.0. Of
/// alternatives, one is chosen that `device` supports: the device as its driver describes it (`spvif_device_from_vulkan` without a
/// `create_info`), or another. Without a device it is the first.
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

/// Joins the requirements of `count` modules, with the features that the application enables itself.
///
/// `features` is the chain that it has for pNext of VkDeviceCreateInfo; it may be null. All features of the modules are set in its structures, and
/// `spvif_vulkan_requirements_chain` begins with structures for those of which it has none. It must live as long as the result is used. A feature of
/// which a core version gathered the structure is set in the one that the chain has, and none is added beside one that gathers it. pEnabledFeatures
/// must be null: VkPhysicalDeviceFeatures2 has these features.
///
/// The result needs none of the others. If the chain has structures that VkPhysicalDeviceVulkan12Features gathers, and a module requires a feature that
/// only that has, the status is `SPVIF_STATUS_REQUEST`, and some features may be set.
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

/// The version of Vulkan that is required, as in VkApplicationInfo: the given one, or a later one that the module needs, which is then also
/// missing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_version(requirements: *const VulkanRequirements) -> u32 {
    // SAFETY: as above.
    unsafe { ask(requirements, 0, |requirements| requirements.version) }
}

/// The device extensions to enable, with those that they depend on: for ppEnabledExtensionNames of VkDeviceCreateInfo. Their number is in
/// `count`, which may be null. They live as long as the requirements, as does all that these give out.
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

/// The features to enable, as a chain of structures: for pNext of VkDeviceCreateInfo. The first is a VkPhysicalDeviceFeatures2, unless the
/// requirements are joined with an application's chain. Null if the requirements are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_chain(
    requirements: *const VulkanRequirements,
) -> *const c_void {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| requirements.chain.as_ptr()) }
}

/// The feature to enable at an index, from 0, in the structure that it has without an application's chain; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_feature(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanFeature {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.features, index)) }
}

/// The property that the device must have at an index, from 0; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_property(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanProperty {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.properties, index)) }
}

/// The limit that the device must have at an index, from 0; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_limit(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const VulkanLimit {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::item(&requirements.limits, index)) }
}

/// The name of a feature or property that the device is known not to have, with its alternatives, a version or a limit, at an index, from
/// 0; null after the last. If there is any, the device does not run the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_missing(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::at(&requirements.missing, index)) }
}

/// A capability, extension or version of the module that the tables do not have, at an index, from 0; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_unknown(
    requirements: *const VulkanRequirements,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(requirements, std::ptr::null(), |requirements| text::at(&requirements.unknown, index)) }
}

/// Frees requirements, with all that they gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_vulkan_requirements_destroy(requirements: *mut VulkanRequirements) {
    // SAFETY: as above.
    unsafe { destroy(requirements) }
}
