//! Devices by name, of the table of the library or of a configuration.

use std::ffi::c_char;

use spirv_if::device::{DeviceConfig, DeviceParts};

use crate::boundary::{Out, call};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::text;

/// The device with this name of the table that the library has: `spirv-if devices` lists them. `arch:NAME` is any device of an
/// architecture, and `gfx90a:xnack+:sramecc-` a processor of AMD in modes. Modes that are not named are unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_by_name(
    name: *const c_char,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            out.set(named(text::required(name, "name")?, None)?);
            Ok(())
        })
    }
}

/// The device of a configuration, or of the table of the library.
fn named(name: &str, config: Option<&DeviceConfig>) -> Result<Device, Error> {
    Ok(Device::new(DeviceParts::new().device(name).to_device(config)?))
}

/// The device with this name of a device configuration, whose text `yaml` is (spec-extensions/devices.md). `source` is the name of the
/// file in messages. Modes may follow the name, as in `spvif_device_by_name`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_from_config(
    source: *const c_char,
    yaml: *const c_char,
    name: *const c_char,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            let config =
                DeviceConfig::from_yaml(text::required(source, "source")?, text::required(yaml, "yaml")?)?;
            out.set(named(text::required(name, "name")?, Some(&config))?);
            Ok(())
        })
    }
}
