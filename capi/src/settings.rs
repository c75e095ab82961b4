//! Settings of specializing.

use std::ffi::c_char;
use std::mem;

use spirv_if::SpecValue;
use spirv_if::specialize::{Driver, UndecidedPolicy};

use crate::boundary::{Changeable, change, create, destroy};
use crate::error::{Error, Status};
use crate::text;

/// Settings of `spvif_specialize`. Several threads may use them at once, as long as none of them changes the settings.
#[derive(Default)]
pub struct Settings(pub(crate) Changeable<spirv_if::Settings>);

/// Changes settings by a function of the library.
///
/// # Safety See [`change`].
pub(crate) unsafe fn update(
    settings: *mut Settings,
    with: impl FnOnce(spirv_if::Settings) -> spirv_if::Settings,
) -> Status {
    // SAFETY: the caller keeps the contract.
    unsafe { update_by(settings, |settings| Ok(with(settings))) }
}

/// Like [`update`], for a change that may fail.
///
/// # Safety See [`change`].
pub(crate) unsafe fn update_by(
    settings: *mut Settings,
    with: impl FnOnce(spirv_if::Settings) -> Result<spirv_if::Settings, Error>,
) -> Status {
    // SAFETY: the caller keeps the contract.
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

/// Returns the name of a constant and its value.
///
/// # Errors See [`text::required`].
///
/// # Safety See [`text::required`].
unsafe fn named<'a>(name: *const c_char, value: *const c_char) -> Result<(&'a str, SpecValue), Error> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let name = text::required(name, "the name of a constant")?;
        Ok((name, text::required(value, format_args!("the value for `{name}`"))?.parse()?))
    }
}

/// Creates default settings: the device decides every condition, and a condition that it does not decide is an error.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_settings_create() -> *mut Settings {
    create(Settings::default)
}

/// Sets the Boolean constants with a SpecId. The following functions set constants of other types. A value that does not fit the
/// type of its constant is an error of `spvif_specialize`.
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

/// Sets the constants with a SpecId to the value of a string: "true", "-3", "1.5", or bits such as "0x3f800000".
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

/// Sets a new default value of the Boolean constants with a SpecId. They stay specialization constants, so nothing that depends
/// on them is decided. A driver can still set them, as by VkSpecializationInfo. The following functions set the defaults of other
/// types.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_bool(
    settings: *mut Settings,
    spec_id: u32,
    value: bool,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Sets the default value of the constants with a SpecId to a signed integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_int(
    settings: *mut Settings,
    spec_id: u32,
    value: i64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Sets the default value of the constants with a SpecId to an unsigned integer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_uint(
    settings: *mut Settings,
    spec_id: u32,
    value: u64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Sets the default value of the constants with a SpecId to a floating-point number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_float(
    settings: *mut Settings,
    spec_id: u32,
    value: f64,
) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.set_default(spec_id, value)) }
}

/// Sets the default value of the constants with a SpecId to the value of a string (`spvif_settings_set_text`).
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

/// Leaves the constants with a SpecId unchanged, even if the device decides their values.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_leave(settings: *mut Settings, spec_id: u32) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.leave(spec_id)) }
}

/// Sets the constants with an OpName to the value of a string (`spvif_settings_set_text`). "true" and "false" also decide
/// host(NAME) in conditions, such as host(fast) for the name "fast".
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

/// Sets the default value of the constants with an OpName to the value of a string.
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

/// Leaves the constants with an OpName unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_leave_named(settings: *mut Settings, name: *const c_char) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| Ok(settings.leave(text::required(name, "the name of a constant")?)))
    }
}

/// Ignores values for SpecIds that the module does not have, as Vulkan does. `spvif_result_ignored` lists them. By default, such
/// a SpecId is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_ignore_unknown(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.ignore_unknown(true)) }
}

/// Keeps code conditional if nothing decides its condition. By default, an undecided condition is an error
/// (`SPVIF_STATUS_UNDECIDED`), even without a device. A driver must not load such a result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_keep_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Keep)) }
}

/// Decides undecided conditions by the default values of the constants that they depend on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_default_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Default)) }
}

/// Makes an undecided condition an error. This is the default.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_refuse_undecided(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.undecided(UndecidedPolicy::Error)) }
}

/// Adds an entry point to those that the result keeps. By default, the result keeps all entry points, and
/// `spvif_result_unsupported` lists those that the device does not run.
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

/// Sets the maximum number of clones of one function, 8 by default. It applies where calls stay conditional in a module that was
/// not packed: see `spvif_pack_options_set_max_clones`.
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

/// Refuses a device that is not known to run the result. By default, such a device is accepted, and `spvif_result_not_known`
/// lists the unknown features.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_strict(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.strict(true)) }
}

/// Keeps the interface unchanged: variables with a binding or a location and push constants stay, even if nothing in the result
/// uses them. By default, unused ones are removed, and `spvif_removed_interface` lists them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_keep_interface(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.keep_interface(true)) }
}

/// Removes names, debug information and reflection from results. Keeps everything that states a condition.
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

/// Frees settings. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_destroy(settings: *mut Settings) {
    // SAFETY: as above.
    unsafe { destroy(settings) }
}
