//! Settings of specializing.

use std::ffi::c_char;
use std::mem;

use spirv_if::SpecValue;
use spirv_if::module::Version;
use spirv_if::specialize::{Driver, FeaturesToLower, SpecConstant, Trap, UnsetPolicy};

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

/// The kind of a value.
#[repr(C)]
pub enum ValueKind {
    /// A Boolean: `integer` is 0 or 1.
    Bool = 0,
    /// A signed integer, in `integer`.
    Int = 1,
    /// An unsigned integer, in `unsigned_integer`.
    Uint = 2,
    /// A floating-point number, in `number`.
    Float = 3,
}

/// The number of a value.
#[repr(C)]
#[derive(Clone, Copy)]
pub union ValueData {
    /// A Boolean or a signed integer.
    integer: i64,
    /// An unsigned integer.
    unsigned_integer: u64,
    /// A floating-point number.
    number: f64,
}

/// A value of a specialization constant. `spvif_bool`, `spvif_int`, `spvif_uint` and `spvif_float` make one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Value {
    /// The kind, a `spvif_value_kind`.
    kind: u32,
    /// The number.
    data: ValueData,
}

impl Value {
    fn to_spec_value(self) -> Result<SpecValue, Error> {
        // SAFETY: all bits are a number of each type.
        unsafe {
            Ok(match self.kind {
                kind if kind == ValueKind::Bool as u32 => (self.data.integer != 0).into(),
                kind if kind == ValueKind::Int as u32 => self.data.integer.into(),
                kind if kind == ValueKind::Uint as u32 => self.data.unsigned_integer.into(),
                kind if kind == ValueKind::Float as u32 => self.data.number.into(),
                kind => return Err(Error::argument(format_args!("the value has the unknown kind {kind}"))),
            })
        }
    }
}

/// Returns the constants that a string names.
///
/// # Errors See [`text::required`], and if the string is neither a SpecId nor a name.
///
/// # Safety See [`text::required`].
unsafe fn constant(text: *const c_char) -> Result<SpecConstant, Error> {
    // SAFETY: the caller keeps the contract.
    Ok(unsafe { text::required(text, "the constant") }?.parse::<SpecConstant>()?)
}

/// Returns the constants that a string names, and the value of another one.
///
/// # Errors See [`constant`], and if the value is malformed.
///
/// # Safety See [`text::required`].
unsafe fn constant_and_value(
    constant_text: *const c_char,
    value: *const c_char,
) -> Result<(SpecConstant, SpecValue), Error> {
    // SAFETY: the caller keeps the contract.
    unsafe {
        let constant = constant(constant_text)?;
        let value = text::required(value, format_args!("the value for {constant}"))?;
        Ok((constant, value.parse()?))
    }
}

/// Creates default settings: the device decides every condition, and a condition that it does not decide is an error.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_settings_create() -> *mut Settings {
    create(Settings::default)
}

/// Sets the constants with a SpecId to a value, such as `spvif_uint(64)`. A value that does not fit the type of its constant is
/// an error of `spvif_specialize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set(settings: *mut Settings, spec_id: u32, value: Value) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe { update_by(settings, |settings| Ok(settings.set(spec_id, value.to_spec_value()?))) }
}

/// Sets constants to the value of a string: "true", "-3", "1.5", or bits such as "0x3f800000". `constant` is their SpecId or their
/// name. "true" and "false" for a name also decide host(NAME) in conditions, such as host(fast) for "fast".
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_text(
    settings: *mut Settings,
    constant: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let (constant, value) = constant_and_value(constant, value)?;
            Ok(settings.set(constant, value))
        })
    }
}

/// Sets a new default value of the constants with a SpecId. They stay specialization constants, so nothing that depends on them is
/// decided. A driver can still set them, as by VkSpecializationInfo.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default(
    settings: *mut Settings,
    spec_id: u32,
    value: Value,
) -> Status {
    // SAFETY: as above.
    unsafe { update_by(settings, |settings| Ok(settings.set_default(spec_id, value.to_spec_value()?))) }
}

/// Sets a new default value of constants to that of a string (`spvif_settings_set_text`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_set_default_text(
    settings: *mut Settings,
    constant: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let (constant, value) = constant_and_value(constant, value)?;
            Ok(settings.set_default(constant, value))
        })
    }
}

/// Leaves constants unchanged, even if the device decides their values. `constant` is their SpecId or their name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_leave(settings: *mut Settings, constant: *const c_char) -> Status {
    // SAFETY: as above.
    unsafe { update_by(settings, |settings| Ok(settings.leave(self::constant(constant)?))) }
}

/// Ignores values for SpecIds that the module does not have, as Vulkan does. `spvif_result_ignored` lists them. By default, such
/// a SpecId is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_ignore_unknown(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.ignore_unknown(true)) }
}

/// Sets the treatment of conditions that nothing decides. "error", the default, makes them an error (`SPVIF_STATUS_UNDECIDED`),
/// even without a device. "keep" keeps their code conditional, which a driver must not load. "default" decides them by the
/// default values of the constants that they depend on.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_unset(settings: *mut Settings, policy: *const c_char) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let policies = [
                ("error", UnsetPolicy::Error),
                ("keep", UnsetPolicy::Keep),
                ("default", UnsetPolicy::Default),
            ];
            Ok(settings.unset(text::choice(policy, "the policy", &policies)?))
        })
    }
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
/// not packed: see `spvif_pack_options_max_clones`.
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

/// Leaves out the entry points that the device is known not to run, if it runs others. `spvif_result_unsupported` lists them. By
/// default, the device is refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_drop_unsupported(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.drop_unsupported(true)) }
}

/// Works around the known defects of a driver: "nvidia", NVIDIA's Vulkan driver, or "rusticl", Mesa's OpenCL driver.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_work_around(
    settings: *mut Settings,
    driver: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let drivers = [("nvidia", Driver::Nvidia), ("rusticl", Driver::Rusticl)];
            Ok(settings.work_around(text::choice(driver, "the driver", &drivers)?))
        })
    }
}

/// Replaces constructs that the device is known to reject, if the result computes the same, or something else that the module
/// permits. `spvif_result_adapted` lists the changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_adapt(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.adapt(true)) }
}

/// Rewrites code that requires features which the device is known not to have. The new code computes the same without them.
/// 64-bit integers become two words of 32 bits. Doubles become two words as well, or 64-bit integers if the device has these.
/// Integers of 8 and 16 bits become one word. Code that cannot be lowered is an error. `spvif_result_lowered` lists the features.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_lower(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.lower(FeaturesToLower::Missing)) }
}

/// Leaves out the rounding of halves that `spvif_settings_lower` makes floats, so that results are not those of the module.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_wider_halves(settings: *mut Settings) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.wider_halves(true)) }
}

/// Limits the version of SPIR-V of results. `version` is written as in the header of a module: 0x10300 for 1.3. A newer module is
/// changed to this version if it uses nothing newer. Otherwise the status is `SPVIF_STATUS_TOO_NEW`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_max_version(settings: *mut Settings, version: u32) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.max_version(Version::from_word(version))) }
}

/// Replaces blocks behind run-time branches by a trap, if they require features that the device is known not to have. `trap` is
/// `abort`, `silent` or `store:BUFFER:OFFSET` (spec-extensions/specializing.md, "Traps"). `spvif_result_trapped` lists the
/// blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_trap(settings: *mut Settings, trap: *const c_char) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(settings, |settings| {
            let trap = text::required(trap, "the trap")?.parse::<Trap>();
            Ok(settings.trap(trap.map_err(spirv_if::Error::from)?))
        })
    }
}

/// Frees settings. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_destroy(settings: *mut Settings) {
    // SAFETY: as above.
    unsafe { destroy(settings) }
}
