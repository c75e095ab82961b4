//! Devices of drivers, read through the Vulkan and OpenCL functions of the application. Loads no library.

use std::ffi::{c_char, c_void};

use crate::boundary::{Out, call};
use crate::device::Device;
use crate::error::{Error, Status};

/// A pointer to any function.
pub type VoidFunction = Option<unsafe extern "system" fn()>;

/// The type of vkGetInstanceProcAddr (PFN_vkGetInstanceProcAddr) without Vulkan's header. Cast the function to it.
pub type VulkanGetInstanceProcAddr =
    Option<unsafe extern "system" fn(instance: *mut c_void, name: *const c_char) -> VoidFunction>;

/// The type of clGetDeviceInfo and clGetPlatformInfo without OpenCL's header. Cast the functions to it.
pub type OpenclGetInfo = Option<
    unsafe extern "system" fn(
        object: *mut c_void,
        query: u32,
        size: usize,
        value: *mut c_void,
        size_of_answer: *mut usize,
    ) -> i32,
>;

/// Reads a device from a Vulkan driver, as the application creates it. Of features and extensions, only those that the
/// application enables count.
///
/// `instance` is a VkInstance. `api_version` is the version in its VkApplicationInfo; 0 means 1.0. `physical_device` is a
/// VkPhysicalDevice of the instance. `create_info` is the VkDeviceCreateInfo that the application passes to vkCreateDevice,
/// before or after this call. If `create_info` is null, everything that the driver supports counts. This is for applications that
/// enable all of it, or that query before they enable features.
///
/// The device keeps no reference to these objects. Without the feature `probe`, the status is `SPVIF_STATUS_UNSUPPORTED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_from_vulkan(
    get_instance_proc_addr: VulkanGetInstanceProcAddr,
    instance: *mut c_void,
    api_version: u32,
    physical_device: *mut c_void,
    create_info: *const c_void,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            let physical = (instance, physical_device);
            out.set(Device::new(vulkan(get_instance_proc_addr, physical, api_version, create_info)?));
            Ok(())
        })
    }
}

/// Reads a device from an OpenCL driver. `device_id` is a cl_device_id. `get_device_info` and `get_platform_info` are
/// clGetDeviceInfo and clGetPlatformInfo as the application calls them. If `get_platform_info` is null, the driver stays unknown.
///
/// The device keeps no reference to these objects. Without the feature `probe`, the status is `SPVIF_STATUS_UNSUPPORTED`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_from_opencl(
    get_device_info: OpenclGetInfo,
    get_platform_info: OpenclGetInfo,
    device_id: *mut c_void,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            out.set(Device::new(opencl((get_device_info, get_platform_info), device_id)?));
            Ok(())
        })
    }
}

/// # Safety
/// See `spvif_device_from_vulkan`; `physical` is the instance and the physical device.
#[cfg(feature = "probe")]
unsafe fn vulkan(
    get_instance_proc_addr: VulkanGetInstanceProcAddr,
    physical: (*mut c_void, *mut c_void),
    api_version: u32,
    create_info: *const c_void,
) -> Result<spirv_if::Device, Error> {
    use ash::vk::{self, Handle};

    let (instance, physical) = physical;
    let get = get_instance_proc_addr.ok_or_else(|| Error::argument("get_instance_proc_addr is null"))?;
    if instance.is_null() || physical.is_null() {
        return Err(Error::argument("the instance or the physical device is null"));
    }
    // The loader of functions would call a missing function.
    let mut names = vec![
        c"vkGetPhysicalDeviceProperties",
        c"vkGetPhysicalDeviceFeatures",
        c"vkEnumerateDeviceExtensionProperties",
    ];
    if api_version >= vk::API_VERSION_1_1 {
        names.extend([c"vkGetPhysicalDeviceProperties2", c"vkGetPhysicalDeviceFeatures2"]);
    }
    for name in names {
        // SAFETY: the caller keeps the contract.
        if unsafe { get(instance, name.as_ptr()) }.is_none() {
            let name = name.to_string_lossy();
            return Err(Error::new(Status::Driver, format_args!("the Vulkan instance has no {name}")));
        }
    }
    // SAFETY: the handles are the caller's, and both types are that of vkGetInstanceProcAddr.
    unsafe {
        let get_instance_proc_addr = std::mem::transmute::<
            unsafe extern "system" fn(*mut c_void, *const c_char) -> VoidFunction,
            vk::PFN_vkGetInstanceProcAddr,
        >(get);
        let handle = vk::Instance::from_raw(instance.expose_provenance() as u64);
        let physical = vk::PhysicalDevice::from_raw(physical.expose_provenance() as u64);
        let loaded = ash::Instance::load(&ash::StaticFn { get_instance_proc_addr }, handle);
        let device = match create_info.cast::<vk::DeviceCreateInfo>().as_ref() {
            Some(created) => spirv_if_probe::from_vulkan_enabled(&loaded, physical, api_version, created),
            None => spirv_if_probe::from_vulkan(&loaded, physical, api_version),
        };
        Ok(spirv_if_probe::with_cooperative_matrices(device?, get_instance_proc_addr, &loaded, physical))
    }
}

/// # Safety
/// See `spvif_device_from_opencl`; `functions` are those for devices and platforms.
#[cfg(feature = "probe")]
unsafe fn opencl(
    functions: (OpenclGetInfo, OpenclGetInfo),
    device_id: *mut c_void,
) -> Result<spirv_if::Device, Error> {
    let (get_device_info, get_platform_info) = functions;
    let get = get_device_info.ok_or_else(|| Error::argument("get_device_info is null"))?;
    // SAFETY: the caller keeps the contract.
    Ok(unsafe { spirv_if_probe::from_opencl_by(get, get_platform_info, device_id) }?)
}

#[cfg(not(feature = "probe"))]
unsafe fn vulkan(
    _: VulkanGetInstanceProcAddr,
    _: (*mut c_void, *mut c_void),
    _: u32,
    _: *const c_void,
) -> Result<spirv_if::Device, Error> {
    Err(unsupported())
}

#[cfg(not(feature = "probe"))]
unsafe fn opencl(_: (OpenclGetInfo, OpenclGetInfo), _: *mut c_void) -> Result<spirv_if::Device, Error> {
    Err(unsupported())
}

#[cfg(not(feature = "probe"))]
fn unsupported() -> Error {
    Error::new(Status::Unsupported, "this library was built without the feature `probe`, which asks drivers")
}
