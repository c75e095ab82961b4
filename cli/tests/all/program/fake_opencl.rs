//! An OpenCL loader for tests: one platform, without devices; with FAKE_OPENCL=crash it crashes.

use std::ffi::c_void;

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformIDs(room: u32, platforms: *mut usize, count: *mut u32) -> i32 {
    if std::env::var_os("FAKE_OPENCL").is_some_and(|what| what == "crash") {
        std::process::abort();
    }
    unsafe {
        if !count.is_null() {
            *count = 1;
        }
        if room > 0 && !platforms.is_null() {
            *platforms = 1;
        }
    }
    0
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetDeviceIDs(_: usize, _: u64, _: u32, _: *mut usize, _: *mut u32) -> i32 {
    // CL_DEVICE_NOT_FOUND
    -1
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn clGetPlatformInfo(
    _: usize,
    _: u32,
    room: usize,
    text: *mut c_void,
    length: *mut usize,
) -> i32 {
    let name = b"Fake\0";
    unsafe {
        if !length.is_null() {
            *length = name.len();
        }
        if room >= name.len() && !text.is_null() {
            text.cast::<u8>().copy_from_nonoverlapping(name.as_ptr(), name.len());
        }
    }
    0
}
