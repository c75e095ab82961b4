//! The functions of OpenCL that use kernels.

use std::ffi::c_void;

use opencl_sys::{
    CL_KERNEL_PROGRAM, CL_KERNEL_REFERENCE_COUNT, CL_OUT_OF_HOST_MEMORY, CL_SUCCESS, cl_command_queue,
    cl_device_id, cl_event, cl_int, cl_kernel, cl_kernel_arg_info, cl_kernel_exec_info, cl_kernel_info,
    cl_kernel_sub_group_info, cl_kernel_work_group_info, cl_uint,
};

use crate::answers::{Answer, created};
use crate::boundary::guarded;
use crate::devices;
use crate::dispatch::{intercepted, next, next_object};
use crate::kernel::KERNELS;

intercepted! {
    clRetainKernel = retain_kernel,
    clReleaseKernel = release_kernel,
    clCloneKernel = clone_kernel,
    clSetKernelArg = set_kernel_arg,
    clSetKernelArgSVMPointer = set_kernel_arg_svm_pointer,
    clSetKernelExecInfo = set_kernel_exec_info,
    clGetKernelInfo = get_kernel_info,
    clGetKernelArgInfo = get_kernel_arg_info,
    clGetKernelWorkGroupInfo = get_kernel_work_group_info,
    clGetKernelSubGroupInfo = get_kernel_sub_group_info,
    clGetKernelSubGroupInfoKHR = get_kernel_sub_group_info_khr,
    clGetKernelSuggestedLocalWorkSize = get_kernel_suggested_local_work_size,
    clEnqueueNDRangeKernel = enqueue_nd_range_kernel,
    clEnqueueTask = enqueue_task,
}

/// Returns the driver's kernel for a queue.
///
/// # Safety
/// Both exist.
pub unsafe fn on_queue(kernel: cl_kernel, queue: cl_command_queue) -> Result<cl_kernel, cl_int> {
    match KERNELS.get(kernel) {
        None => Ok(kernel),
        Some(layer_kernel) if layer_kernel.is_drivers() => Ok(kernel),
        // SAFETY: the caller's.
        Some(layer_kernel) => unsafe { layer_kernel.on_device(devices::of_queue(queue)?) },
    }
}

/// Returns the driver's kernel for a device, or any if that is null.
///
/// # Safety
/// Both exist.
unsafe fn on_device(kernel: cl_kernel, device: cl_device_id) -> Result<cl_kernel, cl_int> {
    // SAFETY: the caller's.
    KERNELS.get(kernel).map_or(Ok(kernel), |layer_kernel| unsafe { layer_kernel.on_device(device) })
}

/// Calls a function with each of the driver's kernels, and returns the first error.
pub fn each(kernel: cl_kernel, call: impl Fn(cl_kernel) -> cl_int) -> cl_int {
    match KERNELS.get(kernel) {
        Some(layer_kernel) => layer_kernel.each(call),
        None => call(kernel),
    }
}

/// Calls a function with the driver's kernel, if there is one.
pub fn with(kernel: Result<cl_kernel, cl_int>, call: impl FnOnce(cl_kernel) -> cl_int) -> cl_int {
    kernel.map_or_else(|code| code, call)
}

/// Releases a kernel.
///
/// # Safety
/// See clReleaseKernel.
pub unsafe fn release(kernel: cl_kernel) -> cl_int {
    // SAFETY: the caller's.
    unsafe {
        match KERNELS.get(kernel) {
            Some(layer_kernel) => layer_kernel.release(),
            None => next!(clReleaseKernel(kernel)),
        }
    }
}

/// clRetainKernel.
///
/// # Safety
/// See OpenCL's specification, as for all functions below.
unsafe extern "C" fn retain_kernel(kernel: cl_kernel) -> cl_int {
    guarded("clRetainKernel", CL_OUT_OF_HOST_MEMORY, || match KERNELS.get(kernel) {
        Some(layer_kernel) => {
            layer_kernel.retain();
            CL_SUCCESS
        }
        // SAFETY: the caller's.
        None => unsafe { next!(clRetainKernel(kernel)) },
    })
}

/// clReleaseKernel.
unsafe extern "C" fn release_kernel(kernel: cl_kernel) -> cl_int {
    // SAFETY: the caller's.
    guarded("clReleaseKernel", CL_OUT_OF_HOST_MEMORY, || unsafe { release(kernel) })
}

/// clCloneKernel.
unsafe extern "C" fn clone_kernel(kernel: cl_kernel, error: *mut cl_int) -> cl_kernel {
    // SAFETY: the caller's.
    guarded("clCloneKernel", std::ptr::null_mut(), || unsafe {
        match KERNELS.get(kernel) {
            Some(layer_kernel) => created(layer_kernel.clone_kernel(), error),
            None => next_object!(clCloneKernel(kernel); error),
        }
    })
}

/// clSetKernelArg.
unsafe extern "C" fn set_kernel_arg(
    kernel: cl_kernel,
    index: cl_uint,
    size: usize,
    value: *const c_void,
) -> cl_int {
    guarded("clSetKernelArg", CL_OUT_OF_HOST_MEMORY, || {
        // SAFETY: the caller's.
        each(kernel, |kernel| unsafe { next!(clSetKernelArg(kernel, index, size, value)) })
    })
}

/// clSetKernelArgSVMPointer.
unsafe extern "C" fn set_kernel_arg_svm_pointer(
    kernel: cl_kernel,
    index: cl_uint,
    value: *const c_void,
) -> cl_int {
    guarded("clSetKernelArgSVMPointer", CL_OUT_OF_HOST_MEMORY, || {
        // SAFETY: the caller's.
        each(kernel, |kernel| unsafe { next!(clSetKernelArgSVMPointer(kernel, index, value)) })
    })
}

/// clSetKernelExecInfo.
unsafe extern "C" fn set_kernel_exec_info(
    kernel: cl_kernel,
    name: cl_kernel_exec_info,
    size: usize,
    value: *const c_void,
) -> cl_int {
    guarded("clSetKernelExecInfo", CL_OUT_OF_HOST_MEMORY, || {
        // SAFETY: the caller's.
        each(kernel, |kernel| unsafe { next!(clSetKernelExecInfo(kernel, name, size, value)) })
    })
}

/// clGetKernelInfo.
unsafe extern "C" fn get_kernel_info(
    kernel: cl_kernel,
    query: cl_kernel_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        let layer_kernel = KERNELS.get(kernel);
        let answer = Answer { size, value, size_ret };
        match (layer_kernel, query) {
            (Some(layer_kernel), CL_KERNEL_REFERENCE_COUNT) => {
                answer.bytes(&layer_kernel.references().to_ne_bytes())
            }
            (Some(layer_kernel), CL_KERNEL_PROGRAM) => answer.handle(layer_kernel.program.handle()),
            (Some(layer_kernel), _) => {
                next!(clGetKernelInfo(layer_kernel.first(), query, size, value, size_ret))
            }
            (None, _) => next!(clGetKernelInfo(kernel, query, size, value, size_ret)),
        }
    })
}

/// clGetKernelArgInfo.
unsafe extern "C" fn get_kernel_arg_info(
    kernel: cl_kernel,
    index: cl_uint,
    query: cl_kernel_arg_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelArgInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_device(kernel, std::ptr::null_mut()), |kernel| {
            next!(clGetKernelArgInfo(kernel, index, query, size, value, size_ret))
        })
    })
}

/// clGetKernelWorkGroupInfo. The device may be missing if the program has one.
unsafe extern "C" fn get_kernel_work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    query: cl_kernel_work_group_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelWorkGroupInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_device(kernel, device), |kernel| {
            next!(clGetKernelWorkGroupInfo(kernel, device, query, size, value, size_ret))
        })
    })
}

/// clGetKernelSubGroupInfo.
unsafe extern "C" fn get_kernel_sub_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    query: cl_kernel_sub_group_info,
    input_size: usize,
    input: *const c_void,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelSubGroupInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_device(kernel, device), |kernel| {
            next!(clGetKernelSubGroupInfo(kernel, device, query, input_size, input, size, value, size_ret))
        })
    })
}

/// clGetKernelSubGroupInfoKHR.
unsafe extern "C" fn get_kernel_sub_group_info_khr(
    kernel: cl_kernel,
    device: cl_device_id,
    query: cl_kernel_sub_group_info,
    input_size: usize,
    input: *const c_void,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelSubGroupInfoKHR", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_device(kernel, device), |kernel| {
            next!(clGetKernelSubGroupInfoKHR(kernel, device, query, input_size, input, size, value, size_ret))
        })
    })
}

/// clGetKernelSuggestedLocalWorkSize.
unsafe extern "C" fn get_kernel_suggested_local_work_size(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    suggested: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetKernelSuggestedLocalWorkSize", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_queue(kernel, queue), |kernel| {
            next!(clGetKernelSuggestedLocalWorkSize(queue, kernel, dimensions, offset, global, suggested))
        })
    })
}

/// clEnqueueNDRangeKernel.
unsafe extern "C" fn enqueue_nd_range_kernel(
    queue: cl_command_queue,
    kernel: cl_kernel,
    dimensions: cl_uint,
    offset: *const usize,
    global: *const usize,
    local: *const usize,
    wait_count: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clEnqueueNDRangeKernel", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_queue(kernel, queue), |kernel| {
            next!(clEnqueueNDRangeKernel(
                queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event
            ))
        })
    })
}

/// clEnqueueTask.
unsafe extern "C" fn enqueue_task(
    queue: cl_command_queue,
    kernel: cl_kernel,
    wait_count: cl_uint,
    wait_list: *const cl_event,
    event: *mut cl_event,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clEnqueueTask", CL_OUT_OF_HOST_MEMORY, || unsafe {
        with(on_queue(kernel, queue), |kernel| {
            next!(clEnqueueTask(queue, kernel, wait_count, wait_list, event))
        })
    })
}
