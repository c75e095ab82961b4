//! OpenCL devices.

use std::ffi::c_void;

use cl3::platform::CL_PLATFORM_NAME;
use opencl3::device::{CL_DEVICE_PLATFORM, CL_DEVICE_TYPE_ALL, CL_DEVICE_VERSION, Device as ClDevice};
use opencl3::error_codes::{
    CL_DEVICE_NOT_FOUND, CL_PLATFORM_NOT_FOUND_KHR, CL_SUCCESS, ClError, DLOPEN_RUNTIME_LOAD_FAILED,
};
use opencl3::platform::{Platform, get_platforms};
use opencl3::types::cl_device_id;

use spirv_if::device::{Api, Device, DeviceReport};
use spirv_if::engine::device::reports::{OpenClReport, QueryAnswer, QueryKind, queries};

use crate::{ProbeError, set_host_target};

/// The type of clGetDeviceInfo, and of clGetPlatformInfo.
pub type GetInfo = unsafe extern "system" fn(
    object: *mut c_void,
    query: u32,
    size: usize,
    value: *mut c_void,
    size_of_answer: *mut usize,
) -> i32;

/// Reads an OpenCL device from its driver. It may come from another loader than the one that this library opens. Of a
/// sub-device, ask for its parent, or use [`from_opencl_by`].
///
/// # Errors
/// If no driver of this machine lists the device, or its driver does not answer.
pub fn from_opencl(device: cl_device_id) -> Result<Device, ProbeError> {
    // A loader calls no driver whose platform it has not listed: it finds the driver's functions by what it then wrote into the
    // device (cl_khr_icd 2.0).
    let lists = |platform: &Platform| {
        platform.get_devices(CL_DEVICE_TYPE_ALL).is_ok_and(|devices| devices.contains(&device))
    };
    let Some(platform) = platforms()?.into_iter().find(lists) else {
        return Err(ProbeError::UnknownDevice(Api::OpenCl));
    };
    let device = ClDevice::new(device);
    described(|query| device.get_data(query), &platform.name().unwrap_or_default())
}

/// Returns an OpenCL device, queried by the application's clGetDeviceInfo. No library is opened. Without clGetPlatformInfo the driver stays
/// unknown.
///
/// # Errors
/// If the driver does not answer.
///
/// # Safety
/// The functions are clGetDeviceInfo and clGetPlatformInfo, and the device belongs to them.
#[expect(unsafe_code, reason = "nobody else knows the function")]
pub unsafe fn from_opencl_by(
    get_device_info: GetInfo,
    get_platform_info: impl Into<Option<GetInfo>>,
    device: cl_device_id,
) -> Result<Device, ProbeError> {
    // SAFETY: the caller's.
    let of_device = |query| unsafe { answer_of(get_device_info, device, query) };
    let name = get_platform_info.into().and_then(|get_platform_info| {
        let platform = number(&of_device(CL_DEVICE_PLATFORM).ok()?).filter(|handle| *handle != 0)?;
        let platform = std::ptr::with_exposed_provenance_mut(platform as usize);
        // SAFETY: the caller's, and the platform is that of the device.
        let bytes = unsafe { answer_of(get_platform_info, platform, CL_PLATFORM_NAME) }.ok()?;
        Some(text(&bytes))
    });
    described(of_device, &name.unwrap_or_default())
}

/// Returns the answer of a function of OpenCL to a query on an object.
///
/// # Safety
/// The object exists, and the function is for objects of its kind.
#[expect(unsafe_code, reason = "nobody else knows the function")]
unsafe fn answer_of(get_info: GetInfo, object: *mut c_void, query: u32) -> Result<Vec<u8>, ClError> {
    let mut size = 0;
    // SAFETY: the caller's. Only the size is queried.
    let code = unsafe { get_info(object, query, 0, std::ptr::null_mut(), &raw mut size) };
    if code != CL_SUCCESS {
        return Err(ClError(code));
    }
    let mut answer = vec![0_u8; size];
    let room = answer.as_mut_ptr().cast();
    // SAFETY: the caller's. The buffer is large enough for the answer.
    match unsafe { get_info(object, query, size, room, std::ptr::null_mut()) } {
        CL_SUCCESS => Ok(answer),
        code => Err(ClError(code)),
    }
}

fn described(ask: impl FnMut(u32) -> Result<Vec<u8>, ClError>, platform: &str) -> Result<Device, ProbeError> {
    let mut device = report(ask, platform)?.device();
    set_host_target(&mut device);
    Ok(device)
}

/// Returns the driver's report on an OpenCL device of a platform with this name. `ask` returns the answer to a query.
///
/// # Errors
/// If the driver does not answer.
pub fn report(
    mut ask: impl FnMut(u32) -> Result<Vec<u8>, ClError>,
    platform: &str,
) -> Result<OpenClReport, ProbeError> {
    ask(CL_DEVICE_VERSION).map_err(|error| failed("clGetDeviceInfo", &error))?;
    let mut report = OpenClReport::new(platform);
    for query in queries() {
        // A query of an unsupported extension is an error, and is treated as no answer.
        let Ok(bytes) = ask(query.number) else { continue };
        if let Some(answer) = answer(query.kind, &bytes) {
            report.set(query.name, answer);
        }
    }
    Ok(report)
}

/// Returns the platforms that the loader lists; at least one.
fn platforms() -> Result<Vec<Platform>, ProbeError> {
    let platforms = get_platforms().map_err(|error| match error.0 {
        DLOPEN_RUNTIME_LOAD_FAILED => {
            let message = cl3::load_library().as_ref().err().map_or_else(String::new, ToString::to_string);
            ProbeError::NoLoader { api: Api::OpenCl, message }
        }
        CL_PLATFORM_NOT_FOUND_KHR => ProbeError::NoDriver(Api::OpenCl),
        _ => failed("clGetPlatformIDs", &error),
    })?;
    if platforms.is_empty() {
        return Err(ProbeError::NoDriver(Api::OpenCl));
    }
    Ok(platforms)
}

/// Returns the devices of all platforms. A platform that fails does not affect the others.
pub(super) fn devices(errors: &mut Vec<ProbeError>) -> Result<Vec<DeviceReport>, ProbeError> {
    let mut probed = Vec::new();
    for platform in platforms()? {
        let name = platform.name().unwrap_or_default();
        let devices = match platform.get_devices(CL_DEVICE_TYPE_ALL) {
            Ok(devices) => devices,
            Err(ClError(CL_DEVICE_NOT_FOUND)) => Vec::new(),
            Err(error) => {
                errors.push(failed("clGetDeviceIDs", &error));
                continue;
            }
        };
        let platform = name.trim().to_owned();
        if devices.is_empty() {
            errors.push(ProbeError::NoDevice { api: Api::OpenCl, platform });
            continue;
        }
        for device in devices {
            let device = ClDevice::new(device);
            match report(|query| device.get_data(query), &platform) {
                Ok(report) => {
                    let text = |query| report.text(query);
                    let description = format!(
                        "{}, {} ({}, driver {})",
                        text("CL_DEVICE_NAME"),
                        text("CL_DEVICE_VERSION"),
                        platform,
                        text("CL_DRIVER_VERSION")
                    );
                    probed.push(DeviceReport::new(description, report.device()));
                }
                Err(error) => errors.push(error),
            }
        }
    }
    Ok(probed)
}

fn failed(call: &'static str, error: &ClError) -> ProbeError {
    ProbeError::Failed { api: Api::OpenCl, call, message: error.to_string() }
}

fn answer(kind: QueryKind, bytes: &[u8]) -> Option<QueryAnswer> {
    const SIZE: usize = size_of::<usize>();
    match kind {
        QueryKind::Text => Some(QueryAnswer::Text(text(bytes))),
        QueryKind::Number => number(bytes).map(QueryAnswer::Number),
        QueryKind::Uints => {
            bytes.chunks_exact(4).map(number).collect::<Option<_>>().map(QueryAnswer::Numbers)
        }
        QueryKind::Sizes => {
            bytes.chunks_exact(SIZE).map(number).collect::<Option<_>>().map(QueryAnswer::Numbers)
        }
        QueryKind::Names => {
            let pointers = bytes.chunks_exact(SIZE).map(|bytes| number(bytes).unwrap_or_default() as usize);
            Some(QueryAnswer::Names(pointers.filter_map(text_at).collect()))
        }
    }
}

/// Returns the text before the first zero.
fn text(bytes: &[u8]) -> String {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

/// Returns an integer in the byte order of this machine.
fn number(bytes: &[u8]) -> Option<u64> {
    match bytes.len() {
        1 => Some(bytes[0].into()),
        4 => Some(u32::from_ne_bytes(bytes.try_into().ok()?).into()),
        8 => Some(u64::from_ne_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

/// Returns the text behind a pointer of the driver.
#[expect(unsafe_code, reason = "the answers of cl_khr_spirv_queries are pointers to texts")]
fn text_at(address: usize) -> Option<String> {
    if address == 0 {
        return None;
    }
    // SAFETY: the driver returned it as a text that ends in 0 and lives as long as the device
    // (cl_khr_spirv_queries).
    let text = unsafe { std::ffi::CStr::from_ptr(std::ptr::with_exposed_provenance(address)) };
    Some(text.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers() {
        assert_eq!(answer(QueryKind::Text, b"a b\0"), Some(QueryAnswer::Text("a b".to_owned())));
        assert_eq!(answer(QueryKind::Text, b""), Some(QueryAnswer::Text(String::new())));
        assert_eq!(answer(QueryKind::Number, &7_u32.to_ne_bytes()), Some(QueryAnswer::Number(7)));
        assert_eq!(
            answer(QueryKind::Number, &(1_u64 << 40).to_ne_bytes()),
            Some(QueryAnswer::Number(1 << 40))
        );
        assert_eq!(answer(QueryKind::Number, b"abc"), None);
        let sizes: Vec<u8> = [8_usize, 16].iter().flat_map(|size| size.to_ne_bytes()).collect();
        assert_eq!(answer(QueryKind::Sizes, &sizes), Some(QueryAnswer::Numbers(vec![8, 16])));
        let names = [c"SPV_A", c"SPV_B"];
        let pointers: Vec<u8> =
            names.iter().flat_map(|name| name.as_ptr().expose_provenance().to_ne_bytes()).collect();
        let expected = ["SPV_A", "SPV_B"].map(str::to_owned).to_vec();
        assert_eq!(answer(QueryKind::Names, &pointers), Some(QueryAnswer::Names(expected)));
    }
}
