//! The OpenCL layer `CL_LAYER_SPIRVIF_specialize`: applications that know nothing of spirv-if load packed modules (docs/opencl-layer.md).
//!
//! `programs.rs`, `kernels.rs` and `extensions.rs` have the functions that stand before those of the next layer. `program.rs` and `kernel.rs` are what
//! the layer keeps of a program from IL and of its kernels; `code.rs` decides what becomes of the IL, by the library.

mod answers;
mod boundary;
mod code;
mod devices;
mod dispatch;
mod extensions;
mod kernel;
mod kernels;
mod link;
mod messages;
mod objects;
mod program;
mod program_info;
mod programs;
mod settings;

use std::ffi::c_void;

use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::cl_layer::{
    CL_LAYER_API_VERSION, CL_LAYER_API_VERSION_100, CL_LAYER_NAME, cl_layer_info, cl_layer_properties,
};
use opencl_sys::{
    CL_INVALID_OPERATION, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY, CL_SUCCESS, cl_int, cl_uint,
};

use answers::Answer;
use boundary::guarded;
use messages::LAYER;

/// Describes the layer.
///
/// # Safety
/// The place for the answer has the size that it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetLayerInfo(
    query: cl_layer_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clGetLayerInfo", CL_OUT_OF_HOST_MEMORY, || unsafe {
        let answer = Answer { size, value, size_ret };
        match query {
            CL_LAYER_API_VERSION => answer.bytes(&CL_LAYER_API_VERSION_100.to_ne_bytes()),
            CL_LAYER_NAME => answer.text(LAYER.as_bytes()),
            _ => CL_INVALID_VALUE,
        }
    })
}

/// Takes the functions of the next layer, and returns those of this one.
///
/// # Safety
/// The loader calls it: the table has this number of entries, and stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayer(
    count: cl_uint,
    target: *const cl_icd_dispatch,
    count_ret: *mut cl_uint,
    layer_ret: *mut *const cl_icd_dispatch,
) -> cl_int {
    // SAFETY: the caller's.
    guarded("clInitLayer", CL_OUT_OF_HOST_MEMORY, || unsafe {
        let (false, Some(count_ret), Some(layer_ret)) =
            (target.is_null(), count_ret.as_mut(), layer_ret.as_mut())
        else {
            return CL_INVALID_VALUE;
        };
        if !dispatch::initialize(target, count as usize) {
            return CL_INVALID_OPERATION;
        }
        settings::read();
        *count_ret = dispatch::COUNT as cl_uint;
        *layer_ret = dispatch::layer_functions();
        CL_SUCCESS
    })
}

/// Like [`clInitLayer`], with properties, of which there are none yet.
///
/// # Safety
/// See [`clInitLayer`].
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayerWithProperties(
    count: cl_uint,
    target: *const cl_icd_dispatch,
    count_ret: *mut cl_uint,
    layer_ret: *mut *const cl_icd_dispatch,
    _properties: *const cl_layer_properties,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { clInitLayer(count, target, count_ret, layer_ret) }
}

/// Ends the use of the layer. What the application did not release is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn clDeinitLayer() -> cl_int {
    guarded("clDeinitLayer", CL_OUT_OF_HOST_MEMORY, || {
        if !dispatch::finish() {
            return CL_INVALID_OPERATION;
        }
        kernel::KERNELS.clear();
        program::PROGRAMS.clear();
        devices::forget();
        CL_SUCCESS
    })
}

#[cfg(test)]
mod tests;
