//! Devices that are described part by part.

use std::ffi::{CString, c_char};
use std::mem;

use spirv_if::Condition;
use spirv_if::device::DeviceParts;

use crate::boundary::{Changeable, Out, ask, call, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::text;

/// A device: its features, as far as they are known. It is immutable: several threads may use it at once.
pub struct Device(pub(crate) spirv_if::Device, CString);

impl Device {
    /// Creates a device from one of the library.
    pub fn new(device: spirv_if::Device) -> Device {
        let name = text::c_string(device.name());
        Device(device, name)
    }
}

/// The description of a device, part by part.
#[derive(Default)]
pub struct Parts(Changeable<DeviceParts>);

/// Creates an empty description.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_parts_create() -> *mut Parts {
    create(Parts::default)
}

/// Sets a part of a description. `value` is a name, or several names with commas between them. The parts are the options of the
/// program `spirv-if`:
///
/// - "device": a device of the table, to which the other parts add
/// - "capabilities": all supported capabilities, such as "Shader,Float16"; capabilities that these imply may be left out
/// - "aspects": all aspects of the device, such as "gpu,fp16"
/// - "extensions": additional SPIR-V extensions that the device accepts, as names or globs
/// - "provider-features": features of providers, such as "amdgpu:gfx12-insts"; "!" stands before a feature that the device does
///   not have, and "!amdgpu:*" for all others of a provider
/// - "limits": numbers, such as "subgroup_size=32,max_shared_memory=49152"
/// - "driver": the Vulkan driver, such as "qualcomm 512.744"
/// - "architecture": an architecture, such as "intel_gpu_pvc"
/// - "category", "family", "target", "features": properties in the device registry
///
/// Any other part is an error (`SPVIF_STATUS_REQUEST`). `spvif_device_from_parts` parses the values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_parts_set(
    parts: *mut Parts,
    part: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
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

/// Function that sets a part of a description.
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

/// Frees a description. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_parts_destroy(parts: *mut Parts) {
    // SAFETY: as above.
    unsafe { destroy(parts) }
}

/// Creates a device from a description. Features that the description does not list are unknown.
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

/// Returns the name of a device. It is the name of the entry in a device configuration, or derived from the name that the driver
/// reports. It is empty for a device that was described by its parts. The string is valid as long as the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_name(device: *const Device) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(device, c"".as_ptr(), |device| device.1.as_ptr()) }
}

/// Evaluates a condition, such as "fp16 && !arch(intel_gpu_pvc)" or "cap(Float16)", on a device. Sets `holds` to 1 if the
/// condition holds, to 0 if it does not, and to -1 if too little is known of the device.
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

/// Frees a device. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_destroy(device: *mut Device) {
    // SAFETY: as above.
    unsafe { destroy(device) }
}
