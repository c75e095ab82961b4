//! Properties of the layer itself, and its extensions.

use std::ffi::{CStr, c_char};

use ash::vk;

use crate::boundary::guarded;
use crate::instance::INSTANCES;
use crate::interface::dispatch_key;
use crate::messages::LAYER;

/// vkEnumerateInstanceLayerProperties, of this layer alone.
///
/// # Safety
/// See Vulkan's specification.
pub unsafe extern "system" fn enumerate_instance_layer_properties(
    count: *mut u32,
    properties: *mut vk::LayerProperties,
) -> vk::Result {
    guarded("vkEnumerateInstanceLayerProperties", vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: the caller's.
        unsafe { write_list(&[layer_properties()], count, properties) }
    })
}

/// vkEnumerateDeviceLayerProperties, of this layer alone.
///
/// # Safety
/// See Vulkan's specification.
pub unsafe extern "system" fn enumerate_device_layer_properties(
    _: vk::PhysicalDevice,
    count: *mut u32,
    properties: *mut vk::LayerProperties,
) -> vk::Result {
    // SAFETY: the caller's.
    unsafe { enumerate_instance_layer_properties(count, properties) }
}

/// vkEnumerateInstanceExtensionProperties, of this layer alone.
///
/// # Safety
/// See Vulkan's specification.
pub unsafe extern "system" fn enumerate_instance_extension_properties(
    layer: *const c_char,
    count: *mut u32,
    properties: *mut vk::ExtensionProperties,
) -> vk::Result {
    guarded("vkEnumerateInstanceExtensionProperties", vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: the caller's.
        unsafe {
            if !is_own(layer) {
                return vk::Result::ERROR_LAYER_NOT_PRESENT;
            }
            let settings = ash::ext::layer_settings::NAME;
            let mut extension = vk::ExtensionProperties { spec_version: 2, ..Default::default() };
            write_text(settings.to_bytes(), &mut extension.extension_name);
            write_list(&[extension], count, properties)
        }
    })
}

/// vkEnumerateDeviceExtensionProperties: this layer has none.
///
/// # Safety
/// See Vulkan's specification.
pub unsafe extern "system" fn enumerate_device_extension_properties(
    physical: vk::PhysicalDevice,
    layer: *const c_char,
    count: *mut u32,
    properties: *mut vk::ExtensionProperties,
) -> vk::Result {
    guarded("vkEnumerateDeviceExtensionProperties", vk::Result::ERROR_UNKNOWN, || {
        // SAFETY: the caller's.
        unsafe {
            if is_own(layer) {
                return write_list(&[], count, properties);
            }
            if physical == vk::PhysicalDevice::null() {
                return vk::Result::ERROR_LAYER_NOT_PRESENT;
            }
            let Some(instance) = INSTANCES.get(dispatch_key(physical)) else {
                return vk::Result::ERROR_UNKNOWN;
            };
            let next = instance.functions.fp_v1_0().enumerate_device_extension_properties;
            next(physical, layer, count, properties)
        }
    })
}

/// Returns the function of this file with a name.
pub fn global(name: &CStr) -> vk::PFN_vkVoidFunction {
    let function = match name.to_bytes() {
        b"vkEnumerateInstanceLayerProperties" => enumerate_instance_layer_properties as *const (),
        b"vkEnumerateDeviceLayerProperties" => enumerate_device_layer_properties as *const (),
        b"vkEnumerateInstanceExtensionProperties" => enumerate_instance_extension_properties as *const (),
        b"vkEnumerateDeviceExtensionProperties" => enumerate_device_extension_properties as *const (),
        _ => return None,
    };
    // SAFETY: it is a function of Vulkan, which its caller knows the type of.
    Some(unsafe { std::mem::transmute::<*const (), unsafe extern "system" fn()>(function) })
}

fn layer_properties() -> vk::LayerProperties {
    let version = vk::make_api_version(0, 1, 4, 350);
    let mut properties =
        vk::LayerProperties { spec_version: version, implementation_version: 1, ..Default::default() };
    write_text(LAYER.as_bytes(), &mut properties.layer_name);
    write_text(b"Specializes packed modules of spirv-if for the device at hand", &mut properties.description);
    properties
}

/// True if a name is that of this layer.
///
/// # Safety
/// It is null, or ends in 0.
unsafe fn is_own(layer: *const c_char) -> bool {
    // SAFETY: the caller's.
    !layer.is_null() && unsafe { CStr::from_ptr(layer) }.to_bytes() == LAYER.as_bytes()
}

fn write_text(text: &[u8], place: &mut [c_char]) {
    for (letter, place) in text.iter().zip(place) {
        *place = letter.cast_signed();
    }
}

/// Writes a list as Vulkan's functions do: its length, or as many elements as there is room for.
///
/// # Safety
/// `place` is null, or has room for `*count` elements.
unsafe fn write_list<T: Copy>(all: &[T], count: *mut u32, place: *mut T) -> vk::Result {
    // SAFETY: the caller's.
    unsafe {
        if place.is_null() {
            *count = all.len() as u32;
            return vk::Result::SUCCESS;
        }
        let written = all.len().min(*count as usize);
        std::ptr::copy_nonoverlapping(all.as_ptr(), place, written);
        *count = written as u32;
        if written < all.len() { vk::Result::INCOMPLETE } else { vk::Result::SUCCESS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_extensions_are_listed() {
        let name = c"VK_LAYER_SPIRVIF_specialize".as_ptr();
        let mut count = 0;
        // SAFETY: there is room for all that is written.
        unsafe {
            let list = enumerate_instance_extension_properties;
            let null = std::ptr::null_mut();
            assert_eq!(list(std::ptr::null(), &mut count, null), vk::Result::ERROR_LAYER_NOT_PRESENT);
            assert_eq!(
                list(c"VK_LAYER_other".as_ptr(), &mut count, null),
                vk::Result::ERROR_LAYER_NOT_PRESENT
            );
            assert_eq!((list(name, &mut count, null), count), (vk::Result::SUCCESS, 1));
            let mut extension = [vk::ExtensionProperties::default()];
            assert_eq!(list(name, &mut count, extension.as_mut_ptr()), vk::Result::SUCCESS);
            assert_eq!(extension[0].extension_name_as_c_str(), Ok(ash::ext::layer_settings::NAME));
            count = 0;
            assert_eq!(list(name, &mut count, extension.as_mut_ptr()), vk::Result::INCOMPLETE);
            let physical = vk::PhysicalDevice::null();
            count = 5;
            assert_eq!(
                enumerate_device_extension_properties(physical, name, &mut count, null),
                vk::Result::SUCCESS
            );
            assert_eq!(count, 0);
            let mut layer = [vk::LayerProperties::default()];
            count = 1;
            assert_eq!(
                enumerate_instance_layer_properties(&mut count, layer.as_mut_ptr()),
                vk::Result::SUCCESS
            );
            assert_eq!(layer[0].layer_name_as_c_str().map(CStr::to_bytes), Ok(LAYER.as_bytes()));
        }
    }
}
