//! Devices of drivers, by what the application has of Vulkan and OpenCL. Nothing is loaded here.

use std::ffi::{c_char, c_void};

use crate::boundary::{Out, call};
use crate::device::Device;
use crate::error::{Error, Status};

/// Any function.
pub type VoidFunction = Option<unsafe extern "system" fn()>;

/// The type of vkGetInstanceProcAddr (PFN_vkGetInstanceProcAddr), without Vulkan's header: cast it.
pub type VulkanGetInstanceProcAddr =
    Option<unsafe extern "system" fn(instance: *mut c_void, name: *const c_char) -> VoidFunction>;

/// The type of clGetDeviceInfo and clGetPlatformInfo, without OpenCL's header: cast them.
pub type OpenclGetInfo = Option<
    unsafe extern "system" fn(
        object: *mut c_void,
        query: u32,
        size: usize,
        value: *mut c_void,
        size_of_answer: *mut usize,
    ) -> i32,
>;

/// A Vulkan device as the application creates it: of features and extensions only those that it enables count, whatever else the driver
/// supports. `instance` is a VkInstance, `api_version` the version in the VkApplicationInfo with which it was created (0 means 1.0),
/// `physical_device` a VkPhysicalDevice, and `create_info` the VkDeviceCreateInfo that the application gives, or gave, to
/// vkCreateDevice. If `create_info` is null, all that the driver supports counts: for those who enable all of it, and for those who ask
/// before they enable something.
///
/// Nothing is kept. Without the feature `probe` the status is `SPVIF_STATUS_UNSUPPORTED`.
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

/// An OpenCL device: a cl_device_id, with the clGetDeviceInfo and the clGetPlatformInfo that the application has. The latter may be null; then the
/// driver stays unknown.
///
/// Nothing is kept. Without the feature `probe` the status is `SPVIF_STATUS_UNSUPPORTED`.
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
    // What is missing would be called all the same.
    let mut names = vec![
        c"vkGetPhysicalDeviceProperties",
        c"vkGetPhysicalDeviceFeatures",
        c"vkEnumerateDeviceExtensionProperties",
    ];
    if api_version >= vk::API_VERSION_1_1 {
        names.extend([c"vkGetPhysicalDeviceProperties2", c"vkGetPhysicalDeviceFeatures2"]);
    }
    for name in names {
        // SAFETY: the caller's.
        if unsafe { get(instance, name.as_ptr()) }.is_none() {
            let name = name.to_string_lossy();
            return Err(Error::new(Status::Driver, format_args!("the Vulkan instance has no {name}")));
        }
    }
    // SAFETY: handles are pointers, of which this has those of the caller; the type of the function is Vulkan's in other words.
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
    // SAFETY: the caller's.
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
