//! Settings of specializing.

use std::ffi::c_char;
use std::mem;

use spirv_if::SpecValue;
use spirv_if::specialize::{Driver, UndecidedPolicy};

use crate::boundary::{Changeable, change, create, destroy};
use crate::error::{Error, Status};
use crate::text;

/// Settings of `spvif_specialize`. They are made once, and may be used by several threads at once as long as none changes them.
#[derive(Default)]
pub struct Settings(pub(crate) Changeable<spirv_if::Settings>);

/// Changes settings that a function of the library makes new ones of.
///
/// # Safety
/// See [`change`].
pub(crate) unsafe fn update(
    settings: *mut Settings,
    with: impl FnOnce(spirv_if::Settings) -> spirv_if::Settings,
) -> Status {
    // SAFETY: the caller's.
    unsafe { update_by(settings, |settings| Ok(with(settings))) }
}

/// Like [`update`], for a change that may fail.
///
/// # Safety
/// See [`change`].
pub(crate) unsafe fn update_by(
    settings: *mut Settings,
    with: impl FnOnce(spirv_if::Settings) -> Result<spirv_if::Settings, Error>,
) -> Status {
    // SAFETY: the caller's.
    unsafe {
        change(
            settings,
            |Settings(settings)| settings,
            |settings| {
                *settings = with(mem::take(settings))?;
                Ok(())
            },
        )
    }
}

/// The name of a constant and its value.
///
/// # Errors
/// See [`text::required`].
///
/// # Safety
/// See [`text::required`].
unsafe fn named<'a>(name: *const c_char, value: *const c_char) -> Result<(&'a str, SpecValue), Error> {
    // SAFETY: the caller's.
    unsafe {
        let name = text::required(name, "the name of a constant")?;
        Ok((name, text::required(value, format_args!("the value for `{name}`"))?.parse()?))
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
    // SAFETY: the C caller follows the contract in the header.
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
        update_by(settings, |settings| {
            let value = text::required(value, format_args!("the value for SpecId {spec_id}"))?;
            Ok(settings.set(spec_id, value.parse::<SpecValue>()?))
        })
    }
}

/// Gives the Boolean constants with a SpecId a new default, and keeps them specialization constants, which a driver can still set, as by
/// VkSpecializationInfo: nothing that depends on them is decided. The following functions are for constants of other types.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_bool(
    settings: *mut Settings,
    spec_id: u32,
    value: bool,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Gives the constants with a SpecId a signed integer as a new default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_int(
    settings: *mut Settings,
    spec_id: u32,
    value: i64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Gives the constants with a SpecId an unsigned integer as a new default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_uint(
    settings: *mut Settings,
    spec_id: u32,
    value: u64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Gives the constants with a SpecId a floating-point number as a new default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_float(
    settings: *mut Settings,
    spec_id: u32,
    value: f64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Gives the constants with a SpecId a new default, as a text (`spvif_settings_set_text`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_text(
    settings: *mut Settings,
    spec_id: u32,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let value = text::required(value, format_args!("the value for SpecId {spec_id}"))?;
            Ok(settings.set_default(spec_id, value.parse::<SpecValue>()?))
        })
    }
}

/// Leaves the constants with a SpecId as they are, even where their value is known on the device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_leave(settings: *mut Settings, spec_id: u32) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.leave(spec_id)) }
}

/// Sets the constants with an OpName to the value that a text stands for (`spvif_settings_set_text`). Where conditions depend on a decision of
/// the host with this name, as `fast` in host(fast), that is decided by "true" or "false".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_named(
    settings: *mut Settings,
    name: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let (name, value) = named(name, value)?;
            Ok(settings.set(name, value))
        })
    }
}

/// Gives the constants with an OpName a new default, as a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_named(
    settings: *mut Settings,
    name: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let (name, value) = named(name, value)?;
            Ok(settings.set_default(name, value))
        })
    }
}

/// Leaves the constants with an OpName as they are.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_leave_named(settings: *mut Settings, name: *const c_char) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| Ok(settings.leave(text::required(name, "the name of a constant")?)))
    }
}

/// Leaves out values for SpecIds that the module does not have, as Vulkan does, and lists them (`spvif_result_ignored`). By default they
/// are an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_ignore_unknown(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.ignore_unknown(true)) }
}

/// Keeps what nothing decides conditional. By default it is an error (`SPVIF_STATUS_UNDECIDED`), also without a device. A driver must not get such
/// a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_keep_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Keep)) }
}

/// Decides what nothing else decides by the default values of the constants that it depends on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_default_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Default)) }
}

/// Makes what nothing decides an error, as it is by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_refuse_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Error)) }
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
        update_by(settings, |settings| {
            Ok(settings.entry_points([text::required(name, "the name of an entry point")?]))
        })
    }
}

/// Sets the most clones of one function, as `spvif_pack_options_set_max_clones`, where calls stay conditional in a module that was not packed. It
/// is 8 by default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_max_clones(settings: *mut Settings, count: usize) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.max_clones(count)) }
}

/// Removes capabilities and extensions that nothing in the result requires, as `spvif_trim` does.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_trim(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.trim(true)) }
}

/// Refuses a device that is not known to run the result. By default it is accepted, and `spvif_result_not_known` lists the features of which
/// that is not known.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_strict(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.strict(true)) }
}

/// Keeps the interface as it was: variables with a binding or a location and push constants stay, even if nothing in the result uses them. By
/// default `spvif_removed_interface` lists those that are removed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_keep_interface(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.keep_interface(true)) }
}

/// Removes names, debug information and reflection from results, but nothing that says what is conditional.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_strip(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.strip(true)) }
}

/// Works around the known defects of NVIDIA's Vulkan driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_work_around_nvidia(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.work_around(Driver::Nvidia)) }
}

/// Works around the known defects of rusticl, Mesa's OpenCL driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_work_around_rusticl(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.work_around(Driver::Rusticl)) }
}

/// Frees settings. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_destroy(settings: *mut Settings) {
    // SAFETY: as above.
    unsafe { destroy(settings) }
}
