//! Devices part by part.

use std::ffi::{CString, c_char};
use std::mem;

use spirv_if::Condition;
use spirv_if::device::DeviceParts;

use crate::boundary::{Changeable, Out, ask, call, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::text;

/// A device: its features, as far as they are known. It never changes, and may be used by several threads at once.
pub struct Device(pub(crate) spirv_if::Device, CString);

impl Device {
    /// A device of the library.
    pub fn new(device: spirv_if::Device) -> Device {
        let name = text::c_string(device.name());
        Device(device, name)
    }
}

/// The description of a device, part by part.
#[derive(Default)]
pub struct Parts(Changeable<DeviceParts>);

/// An empty description.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_parts_create() -> *mut Parts {
    create(Parts::default)
}

/// Sets a part of a description: a name, or several with commas between them. The parts are the options of the program `spirv-if`:
///
/// - "device": a device of the table, to which the other parts add
/// - "capabilities": all capabilities that it supports, such as "Shader,Float16"; those that these imply may be left out
/// - "aspects": all aspects that it has, such as "gpu,fp16"
/// - "extensions": SPIR-V extensions that it accepts besides those that it lists, names or globs
/// - "provider-features": features of providers, such as "amdgpu:gfx12-insts"; after "!" those that it does not have, and "!amdgpu:*" for
///   all others of a provider
/// - "limits": numbers, such as "subgroup_size=32,max_shared_memory=49152"
/// - "driver": the driver for Vulkan, such as "qualcomm 512.744"
/// - "architecture", such as "intel_gpu_pvc"
/// - "category", "family", "target", "features": of the device registry
///
/// Another part is an error (`SPVIF_STATUS_REQUEST`). What a part stands for is read by `spvif_device_from_parts`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_parts_set(
    parts: *mut Parts,
    part: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
    unsafe {
        change(
            parts,
            |Parts(parts)| parts,
            |parts| {
                let part = text::required(part, "the name of a part")?;
                let value = text::required(value, format_args!("the value of the part `{part}`"))?;
                *parts = setter(part)?(mem::take(parts), value.to_owned());
                Ok(())
            },
        )
    }
}

/// Sets a part of a description.
type SetPart = fn(DeviceParts, String) -> DeviceParts;

/// Returns the function that sets the part with a name.
fn setter(name: &str) -> Result<SetPart, Error> {
    let setters: [(&str, SetPart); 12] = [
        ("device", DeviceParts::device),
        ("capabilities", DeviceParts::capabilities),
        ("aspects", DeviceParts::aspects),
        ("extensions", DeviceParts::extensions),
        ("provider-features", DeviceParts::provider_features),
        ("limits", DeviceParts::limits),
        ("driver", DeviceParts::driver),
        ("architecture", DeviceParts::architecture),
        ("category", DeviceParts::category),
        ("family", DeviceParts::family),
        ("target", DeviceParts::target),
        ("features", DeviceParts::features),
    ];
    let names = setters.map(|(known, _)| known).join(", ");
    let setter = setters.into_iter().find(|(known, _)| *known == name);
    setter.map(|(_, setter)| setter).ok_or_else(|| {
        Error::new(Status::Request, format_args!("a device has no part `{name}`; its parts are {names}"))
    })
}

/// Frees a description. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_parts_destroy(parts: *mut Parts) {
    // SAFETY: as above.
    unsafe { destroy(parts) }
}

/// The device that a description stands for. What it does not list is unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_from_parts(
    parts: *const Parts,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            out.set(Device::new(required(parts, "parts")?.0.get()?.to_device(None)?));
            Ok(())
        })
    }
}

/// The name of a device: of its entry in a device configuration, or made of what its driver calls it; empty for one that was described.
/// It lives as long as the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_name(device: *const Device) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(device, c"".as_ptr(), |device| device.1.as_ptr()) }
}

/// Evaluates a condition on a device, such as "fp16 && !arch(intel_gpu_pvc)" or "cap(Float16)". `holds` becomes 1 if it does, 0 if it
/// does not, and -1 if too little is known of the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_holds(
    device: *const Device,
    condition: *const c_char,
    holds: *mut i32,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            required(holds, "holds")?;
            holds.write(-1);
            let condition = Condition::parse(text::required(condition, "condition")?)?;
            holds.write(condition.evaluate(&required(device, "device")?.0)?.map_or(-1, i32::from));
            Ok(())
        })
    }
}

/// Frees a device. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_destroy(device: *mut Device) {
    // SAFETY: as above.
    unsafe { destroy(device) }
}
