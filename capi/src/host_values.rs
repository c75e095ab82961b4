//! Values of specialization constants that a driver sets.

use crate::boundary::{Out, ask, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::prepared::Prepared;
use crate::result::ModuleResult;
use crate::settings::Settings;

/// Values of constants for a driver. They never change, and may be used by several threads at once.
pub struct HostValues {
    info: SpecializationInfo,
    _entries: Vec<MapEntry>,
    _data: Vec<u8>,
}

/// The place of the value of a constant, with the members of VkSpecializationMapEntry.
#[repr(C)]
pub struct MapEntry {
    /// The SpecId.
    pub constant_id: u32,
    /// The offset of its value, in bytes.
    pub offset: u32,
    /// The size of its value, in bytes.
    pub size: usize,
}

/// Constants with their values, with the members of VkSpecializationInfo, as which a pointer to it may be used. It never gets more.
#[repr(C)]
pub struct SpecializationInfo {
    /// The number of entries.
    pub map_entry_count: u32,
    /// The entries.
    pub map_entries: *const MapEntry,
    /// The size of the values, in bytes.
    pub data_size: usize,
    /// The values, in the host's byte order.
    pub data: *const std::ffi::c_void,
}

impl HostValues {
    fn new(values: spirv_if::specialize::HostValues) -> HostValues {
        let entry = |value: &spirv_if::specialize::HostValue| MapEntry {
            constant_id: value.constant_id.number(),
            offset: value.offset,
            size: value.size,
        };
        let (entries, data) = (values.entries.iter().map(entry).collect::<Vec<_>>(), values.data);
        let info = SpecializationInfo {
            map_entry_count: entries.len() as u32,
            map_entries: entries.as_ptr(),
            data_size: data.len(),
            data: data.as_ptr().cast(),
        };
        HostValues { info, _entries: entries, _data: data }
    }
}

/// The values that settings set of the constants that a result of `spvif_specialize` still has: what to give a driver beside it. Constants that
/// are ordinary ones in the result are left out. A SpecId that the module does not have is an error, unless the settings ignore it
/// (`spvif_settings_ignore_unknown`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_create(
    prepared: *const Prepared,
    result: *const ModuleResult,
    settings: *const Settings,
    values: *mut *mut HostValues,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(values)?;
            let prepared = &required(prepared, "prepared")?.prepared;
            let result = required(result, "result")?.specialized()?;
            let settings = required(settings, "settings")?.0.get()?;
            out.set(HostValues::new(prepared.host_values(result, settings)?));
            Ok(())
        })
    }
}

/// Like `spvif_host_values_create` for the result of `spvif_specialize` for a device and settings, for a program that found that result in a cache:
/// no module is written. `values` are those for the driver; null for those of the settings. `device` and `settings` may be null, as there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_for(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    values: *const Settings,
    object: *mut *mut HostValues,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(object)?;
            let values = values.as_ref().map(|values| values.0.get()).transpose()?;
            let host_values = required(prepared, "prepared")?.specializing(
                device.as_ref(),
                settings.as_ref(),
                |prepared, device, settings| {
                    prepared.host_values_for(device, settings, values.unwrap_or(settings))
                },
            )?;
            out.set(HostValues::new(host_values));
            Ok(())
        })
    }
}

/// The values as Vulkan takes them; null for null. It lives as long as they do.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_info(values: *const HostValues) -> *const SpecializationInfo {
    // SAFETY: as above.
    unsafe { ask(values, std::ptr::null(), |values| std::ptr::from_ref(&values.info)) }
}

/// Frees values, with all that they gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_destroy(values: *mut HostValues) {
    // SAFETY: as above.
    unsafe { destroy(values) }
}
