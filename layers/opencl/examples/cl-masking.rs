//! An OpenCL layer for the tests: with it, PoCL's device `cpu-minimal` has no doubles. A context then has devices that get different modules.

#![allow(missing_docs, clippy::missing_safety_doc, reason = "it is a part of the tests")]

use std::ffi::c_void;
use std::sync::OnceLock;

use opencl_sys::cl_icd::cl_icd_dispatch;
use opencl_sys::cl_layer::{CL_LAYER_API_VERSION_100, cl_layer_info, cl_layer_properties};
use opencl_sys::{
    CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION, CL_DEVICE_NAME,
    CL_DEVICE_SPIRV_CAPABILITIES_KHR, CL_INVALID_VALUE, CL_SUCCESS, cl_device_id, cl_device_info, cl_int,
    cl_uint,
};

const COUNT: usize = size_of::<cl_icd_dispatch>() / size_of::<usize>();
/// The number of the capability Float64.
const FLOAT64: u32 = 10;
/// The size of cl_name_version: a number, and a name.
const NAME_VERSION: usize = 68;

static NEXT: OnceLock<cl_icd_dispatch> = OnceLock::new();
static MASKING: OnceLock<cl_icd_dispatch> = OnceLock::new();

fn next(device: cl_device_id, query: cl_device_info) -> Result<Vec<u8>, cl_int> {
    let get = NEXT.get().and_then(|next| next.clGetDeviceInfo).ok_or(CL_INVALID_VALUE)?;
    let mut size = 0;
    // SAFETY: the buffer has the size of the answer.
    unsafe {
        let code = get(device, query, 0, std::ptr::null_mut(), &raw mut size);
        let mut answer = vec![0; size];
        match code {
            CL_SUCCESS => match get(device, query, size, answer.as_mut_ptr().cast(), std::ptr::null_mut()) {
                CL_SUCCESS => Ok(answer),
                code => Err(code),
            },
            code => Err(code),
        }
    }
}

fn masked(device: cl_device_id, query: cl_device_info) -> Result<Vec<u8>, cl_int> {
    let answer = next(device, query)?;
    if !next(device, CL_DEVICE_NAME)?.starts_with(b"cpu-minimal") {
        return Ok(answer);
    }
    Ok(match query {
        CL_DEVICE_DOUBLE_FP_CONFIG => vec![0; answer.len()],
        CL_DEVICE_SPIRV_CAPABILITIES_KHR => {
            let numbers = answer.chunks_exact(4).filter(|number| *number != FLOAT64.to_ne_bytes());
            numbers.flatten().copied().collect()
        }
        CL_DEVICE_EXTENSIONS => String::from_utf8_lossy(&answer).replace("cl_khr_fp64", "").into_bytes(),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            let entries = answer.chunks_exact(NAME_VERSION);
            entries.filter(|entry| !entry[4..].starts_with(b"cl_khr_fp64\0")).flatten().copied().collect()
        }
        _ => answer,
    })
}

unsafe extern "C" fn get_device_info(
    device: cl_device_id,
    query: cl_device_info,
    size: usize,
    value: *mut c_void,
    size_ret: *mut usize,
) -> cl_int {
    match masked(device, query) {
        Err(code) => code,
        Ok(answer) if !value.is_null() && size < answer.len() => CL_INVALID_VALUE,
        Ok(answer) => {
            // SAFETY: the caller's.
            unsafe {
                if !value.is_null() {
                    std::ptr::copy_nonoverlapping(answer.as_ptr(), value.cast(), answer.len());
                }
                if let Some(size_ret) = size_ret.as_mut() {
                    *size_ret = answer.len();
                }
            }
            CL_SUCCESS
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetLayerInfo(
    _: cl_layer_info,
    _: usize,
    value: *mut c_void,
    _: *mut usize,
) -> cl_int {
    // SAFETY: loaders ask for nothing but the version.
    unsafe { value.cast::<cl_uint>().write(CL_LAYER_API_VERSION_100) };
    CL_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayer(
    count: cl_uint,
    target: *const cl_icd_dispatch,
    count_ret: *mut cl_uint,
    layer_ret: *mut *const cl_icd_dispatch,
) -> cl_int {
    // SAFETY: the caller's. Zeros are null functions.
    unsafe {
        let mut next: cl_icd_dispatch = std::mem::zeroed();
        let start: *mut usize = (&raw mut next).cast();
        std::ptr::copy_nonoverlapping(target.cast(), start, COUNT.min(count as usize));
        let mut masking: cl_icd_dispatch = std::mem::zeroed();
        masking.clGetDeviceInfo = Some(get_device_info);
        NEXT.get_or_init(|| next);
        *count_ret = COUNT as cl_uint;
        *layer_ret = MASKING.get_or_init(|| masking);
    }
    CL_SUCCESS
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clInitLayerWithProperties(
    count: cl_uint,
    target: *const cl_icd_dispatch,
    count_ret: *mut cl_uint,
    layer_ret: *mut *const cl_icd_dispatch,
    _: *const cl_layer_properties,
) -> cl_int {
    // SAFETY: the caller's.
    unsafe { clInitLayer(count, target, count_ret, layer_ret) }
}
