//! The Vulkan layer `VK_LAYER_SPIRVIF_specialize`: applications that know nothing of spirv-if load packed modules (docs/vulkan-layer.md).
//!
//! `instance.rs` and `device.rs` have the functions that stand before those of the next layer; `code.rs` decides what becomes of a module, by the
//! library; `pipelines.rs` puts specialized code in the place of what applications pass; `fold.rs` sets the constants of pipelines if the user asks for it.

mod boundary;
mod code;
mod constants;
mod device;
mod fold;
mod fold_cache;
mod instance;
mod interface;
mod messages;
mod pipelines;
mod privileges;
mod properties;
mod registry;
mod settings;

use std::ffi::c_char;

use ash::vk;

use boundary::guarded;
use interface::{INTERFACE_VERSION, NEGOTIATE_STRUCTURE, NegotiateLayerInterface};

/// Agrees on the version of the interface with the loader, and gives it the functions to call.
///
/// # Safety
/// The loader calls it: the structure is of this type.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkNegotiateLoaderLayerInterfaceVersion(
    negotiated: *mut NegotiateLayerInterface,
) -> vk::Result {
    guarded("vkNegotiateLoaderLayerInterfaceVersion", vk::Result::ERROR_INITIALIZATION_FAILED, || {
        // SAFETY: the caller's.
        let Some(negotiated) = (unsafe { negotiated.as_mut() }) else {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        };
        // Version 1 has other functions to export, and no structure.
        if negotiated.s_type != NEGOTIATE_STRUCTURE
            || negotiated.loader_layer_interface_version < INTERFACE_VERSION
        {
            return vk::Result::ERROR_INITIALIZATION_FAILED;
        }
        negotiated.loader_layer_interface_version = INTERFACE_VERSION;
        negotiated.get_instance_proc_addr = Some(instance::get_instance_proc_addr);
        negotiated.get_device_proc_addr = Some(device::get_device_proc_addr);
        negotiated.get_physical_device_proc_addr = None;
        vk::Result::SUCCESS
    })
}

/// Finds functions of an instance.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkGetInstanceProcAddr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller's.
    unsafe { instance::get_instance_proc_addr(instance, name) }
}

/// Finds functions of a device.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkGetDeviceProcAddr(
    device: vk::Device,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller's.
    unsafe { device::get_device_proc_addr(device, name) }
}

/// Describes the layer.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkEnumerateInstanceLayerProperties(
    count: *mut u32,
    properties: *mut vk::LayerProperties,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe { properties::enumerate_instance_layer_properties(count, properties) }
}

/// Lists the extensions of instances that the layer has.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkEnumerateInstanceExtensionProperties(
    layer: *const c_char,
    count: *mut u32,
    properties: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe { properties::enumerate_instance_extension_properties(layer, count, properties) }
}

/// Describes the layer.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkEnumerateDeviceLayerProperties(
    physical: vk::PhysicalDevice,
    count: *mut u32,
    properties: *mut vk::LayerProperties,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe { properties::enumerate_device_layer_properties(physical, count, properties) }
}

/// Lists the extensions of devices that the layer has: none.
///
/// # Safety
/// See Vulkan's specification.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkEnumerateDeviceExtensionProperties(
    physical: vk::PhysicalDevice,
    layer: *const c_char,
    count: *mut u32,
    properties: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe { properties::enumerate_device_extension_properties(physical, layer, count, properties) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the answer to a loader of a version of the interface.
    fn negotiated(s_type: u32, version: u32) -> (vk::Result, NegotiateLayerInterface) {
        let mut structure = NegotiateLayerInterface {
            s_type,
            p_next: std::ptr::null_mut(),
            loader_layer_interface_version: version,
            get_instance_proc_addr: None,
            get_device_proc_addr: None,
            get_physical_device_proc_addr: None,
        };
        // SAFETY: the structure is of this type.
        (unsafe { vkNegotiateLoaderLayerInterfaceVersion(&mut structure) }, structure)
    }

    #[test]
    fn loaders_of_version_2_and_later_get_functions() {
        for version in [2, 3, u32::MAX] {
            let (result, structure) = negotiated(NEGOTIATE_STRUCTURE, version);
            assert_eq!((result, structure.loader_layer_interface_version), (vk::Result::SUCCESS, 2));
            assert!(structure.get_instance_proc_addr.is_some() && structure.get_device_proc_addr.is_some());
        }
        for (number, version) in [(NEGOTIATE_STRUCTURE, 1), (NEGOTIATE_STRUCTURE, 0), (0, 2)] {
            let (result, structure) = negotiated(number, version);
            assert_eq!(result, vk::Result::ERROR_INITIALIZATION_FAILED);
            assert!(structure.get_instance_proc_addr.is_none());
        }
        // SAFETY: null is allowed.
        let result = unsafe { vkNegotiateLoaderLayerInterfaceVersion(std::ptr::null_mut()) };
        assert_eq!(result, vk::Result::ERROR_INITIALIZATION_FAILED);
    }

    #[test]
    fn unknown_functions_and_objects_have_none() {
        // SAFETY: names end in 0; there is no instance.
        unsafe {
            let null = vk::Instance::null();
            assert!(vkGetInstanceProcAddr(null, c"vkCreateInstance".as_ptr()).is_some());
            assert!(vkGetInstanceProcAddr(null, c"vkCreateShaderModule".as_ptr()).is_none());
            assert!(vkGetInstanceProcAddr(null, c"vkNothing".as_ptr()).is_none());
        }
    }
}
