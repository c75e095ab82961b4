//! Settings of specializing.

use std::ffi::c_char;
use std::mem;

use spirv_if::{Driver, Unset};

use crate::boundary::{change, create, destroy};
use crate::error::Status;
use crate::text;

/// Settings of `spvif_specialize`. They are made once, and may be used by several threads at once as long as none changes them.
#[derive(Default)]
pub struct Settings(pub(crate) spirv_if::Settings);

/// Changes settings that a function of the library makes new ones of.
///
/// # Safety
/// See [`change`].
unsafe fn update(
    settings: *mut Settings,
    with: impl FnOnce(spirv_if::Settings) -> spirv_if::Settings,
) -> Status {
    // SAFETY: the caller's.
    unsafe {
        change(settings, |settings| {
            settings.0 = with(mem::take(&mut settings.0));
            Ok(())
        })
    }
}

/// New settings, as they are by default: everything is decided by the device, and an error if it cannot be.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_settings_create() -> *mut Settings {
    create(Settings::default)
}

/// Sets the Boolean constants with a SpecId. Those of the other functions are for constants of other types; each is read by the type of
/// the constant, and one that does not fit is an error of `spvif_specialize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_bool(
    settings: *mut Settings,
    spec_id: u32,
    value: bool,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
    unsafe { update(settings, |settings| settings.set(spec_id, value)) }
}

/// Sets the constants with a SpecId to a signed integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_int(settings: *mut Settings, spec_id: u32, value: i64) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set(spec_id, value)) }
}

/// Sets the constants with a SpecId to an unsigned integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_uint(
    settings: *mut Settings,
    spec_id: u32,
    value: u64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set(spec_id, value)) }
}

/// Sets the constants with a SpecId to a floating-point number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_float(
    settings: *mut Settings,
    spec_id: u32,
    value: f64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set(spec_id, value)) }
}

/// Sets the constants with a SpecId to the value that a text stands for: "true", "-3", "1.5", or bits such as "0x3f800000".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_text(
    settings: *mut Settings,
    spec_id: u32,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        change(settings, |settings| {
            let value = text::given(value, "value")?;
            settings.0 = mem::take(&mut settings.0).set(spec_id, value);
            Ok(())
        })
    }
}

/// Leaves out values for SpecIds that the module does not have, as Vulkan does, and lists them (`spvif_result_ignored`). By default they
/// are an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_ignore_unknown(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, spirv_if::Settings::ignore_unknown) }
}

/// Keeps what nothing decides conditional. By default it is an error, unless nothing but an architecture, or nothing at all, is known of
/// the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_keep_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.unset(Unset::Keep)) }
}

/// Decides what nothing else decides by the default values of the constants that it depends on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_default_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.unset(Unset::Default)) }
}

/// Makes what nothing decides an error, whatever is known of the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_refuse_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.unset(Unset::Error)) }
}

/// Keeps only the entry points with this name, and with the names of other calls. By default all are kept; those that the device does not
/// run are listed (`spvif_result_unsupported`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_add_entry_point(
    settings: *mut Settings,
    name: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        change(settings, |settings| {
            let name = text::given(name, "name")?;
            settings.0 = mem::take(&mut settings.0).entry_point(name);
            Ok(())
        })
    }
}

/// Removes capabilities and extensions that nothing in the result requires, as `spvif_trim` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_trim(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, spirv_if::Settings::trim) }
}

/// Works around the known defects of NVIDIA's Vulkan driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_work_around_nvidia(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.work_around(Driver::Nvidia)) }
}

/// Frees settings. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_destroy(settings: *mut Settings) {
    // SAFETY: as above.
    unsafe { destroy(settings) }
}
