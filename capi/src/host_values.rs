//! Values of specialization constants that a driver sets.

use crate::boundary::{Out, ask, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::prepared::Prepared;
use crate::result::ModuleResult;
use crate::settings::Settings;

/// Values of specialization constants for a driver. They are immutable: several threads may use them at once.
pub struct HostValues {
    info: SpecializationInfo,
    _entries: Vec<MapEntry>,
    _data: Vec<u8>,
}

/// The place of a constant's value. It has the members of VkSpecializationMapEntry.
#[repr(C)]
pub struct MapEntry {
    /// The SpecId.
    pub constant_id: u32,
    /// The offset of the value, in bytes.
    pub offset: u32,
    /// The size of the value, in bytes.
    pub size: usize,
}

/// Constants with their values. The structure has the members of VkSpecializationInfo, and a pointer to it may be cast. Later
/// versions do not add members.
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

/// Collects the values that settings set for the constants of a result of `spvif_specialize`. A driver needs them together with
/// the result. Constants that are no longer specialization constants in the result are left out. A SpecId that the module does
/// not have is an error, unless the settings ignore it (`spvif_settings_ignore_unknown`).
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

/// Like `spvif_host_values_create`, but for the result that `spvif_specialize` makes for a device and settings. It does not write
/// that module: a program calls it when it found the result in a cache. `values` are the settings with the values for the driver;
/// null means those of `settings`. `device` and `settings` may be null, as for `spvif_specialize`.
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

/// Returns the values as Vulkan's structure, or null for null. The structure is valid as long as the values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_info(values: *const HostValues) -> *const SpecializationInfo {
    // SAFETY: as above.
    unsafe { ask(values, std::ptr::null(), |values| std::ptr::from_ref(&values.info)) }
}

/// Frees values, with all data that they returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_host_values_destroy(values: *mut HostValues) {
    // SAFETY: as above.
    unsafe { destroy(values) }
}
