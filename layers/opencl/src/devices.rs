//! Devices: what the library knows of each, and of which devices a context or a queue is.

use std::ffi::c_void;
use std::sync::Arc;

use opencl_sys::{
    CL_CONTEXT_DEVICES, CL_DEVICE_PARENT_DEVICE, CL_DEVICE_PLATFORM, CL_QUEUE_DEVICE, cl_command_queue,
    cl_context, cl_device_id, cl_int, cl_platform_id,
};
use spirv_if::Device;
use spirv_if_probe::GetInfo;

use crate::answers::{ask, handles};
use crate::dispatch::next;
use crate::objects::Registry;

/// A device, or the reason why nothing is known of it.
pub type Description = Result<Device, String>;

/// The devices that the layer has asked.
static DESCRIBED: Registry<Description> = Registry::new();

/// Describes a device by what its driver reports. A sub-device is like its parent.
///
/// # Safety
/// The device exists.
pub unsafe fn describe(device: cl_device_id) -> Arc<Description> {
    // SAFETY: the caller's.
    let root = unsafe { ancestors(device) }.last().unwrap_or(device);
    if let Some(known) = DESCRIBED.get(root) {
        return known;
    }
    // SAFETY: the functions ask the next layer, and the device belongs to it.
    let described =
        unsafe { spirv_if_probe::from_opencl_by(get_device_info, get_platform_info as GetInfo, root) };
    let described = Arc::new(described.map_err(|error| error.to_string()));
    DESCRIBED.insert(root, Arc::clone(&described));
    described
}

/// Forgets all devices.
pub fn forget() {
    DESCRIBED.clear();
}

unsafe extern "system" fn get_device_info(
    device: cl_device_id,
    query: u32,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { next!(clGetDeviceInfo(device, query, size, value, size_ret)) }
}

unsafe extern "system" fn get_platform_info(
    platform: cl_platform_id,
    query: u32,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { next!(clGetPlatformInfo(platform, query, size, value, size_ret)) }
}

/// Returns the devices of which a device is a part, from its parent on.
///
/// # Safety
/// The device exists.
pub unsafe fn ancestors(device: cl_device_id) -> impl Iterator<Item = cl_device_id> {
    let parent = |device: &cl_device_id| {
        let device = *device;
        // SAFETY: the caller's.
        let asked = |size, value, size_ret| unsafe {
            next!(clGetDeviceInfo(device, CL_DEVICE_PARENT_DEVICE, size, value, size_ret))
        };
        ask(asked)
            .ok()
            .and_then(|answer| handles(&answer).first().copied())
            .filter(|parent| !parent.is_null())
    };
    std::iter::successors(parent(&device), parent)
}

/// Returns the devices of a context.
///
/// # Safety
/// The context exists.
pub unsafe fn of_context(context: cl_context) -> Result<Vec<cl_device_id>, cl_int> {
    // SAFETY: the caller's.
    let asked = |size, value, size_ret| unsafe {
        next!(clGetContextInfo(context, CL_CONTEXT_DEVICES, size, value, size_ret))
    };
    Ok(handles(&ask(asked)?))
}

/// Returns the device of a queue.
///
/// # Safety
/// The queue exists.
pub unsafe fn of_queue(queue: cl_command_queue) -> Result<cl_device_id, cl_int> {
    // SAFETY: the caller's.
    let asked = |size, value, size_ret| unsafe {
        next!(clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, size, value, size_ret))
    };
    handles(&ask(asked)?).first().copied().ok_or(opencl_sys::CL_INVALID_COMMAND_QUEUE)
}

/// Returns the platform of a device.
///
/// # Safety
/// The device exists.
pub unsafe fn platform(device: cl_device_id) -> Result<cl_platform_id, cl_int> {
    // SAFETY: the caller's.
    let asked = |size, value, size_ret| unsafe {
        next!(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, size, value, size_ret))
    };
    handles(&ask(asked)?).first().copied().ok_or(opencl_sys::CL_INVALID_DEVICE)
}
