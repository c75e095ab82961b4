//! Devices by name, from the library's table or from a device configuration.

use std::ffi::c_char;

use spirv_if::device::{DeviceConfig, DeviceParts};

use crate::boundary::{Out, call};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::text;

/// Finds a device by its name in the library's table, which `spirv-if devices` lists. `arch:NAME` is any device of an
/// architecture. `gfx90a:xnack+:sramecc-` is an AMD processor with modes; modes that are not named are unknown.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_device_by_name(
    name: *const c_char,
    device: *mut *mut Device,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call(error, || {
            let out = Out::new(device)?;
            out.set(named(text::required(name, "name")?, None)?);
            Ok(())
        })
    }
}

/// Finds a device by its name in a configuration, or in the library's table.
fn named(name: &str, config: Option<&DeviceConfig>) -> Result<Device, Error> {
    Ok(Device::new(DeviceParts::new().device(name).to_device(config)?))
}

/// Finds a device by its name in a device configuration. `yaml` is the text of the configuration (spec-extensions/devices.md),
/// and `source` is the name of the file in messages. Modes may follow the name, as in `spvif_device_by_name`.
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
