//! Settings for adapting modules to devices and to versions of SPIR-V.

use spirv_if::module::Version;
use spirv_if::specialize::FeaturesToLower;

use crate::error::Status;
use crate::settings::{Settings, update};

/// Replaces constructs that the device is known to reject, if the result computes the same, or something else that the module
/// permits. `spvif_result_adapted` lists the changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_adapt(settings: *mut Settings) -> Status {
    // SAFETY: the C caller follows the contract in the header.
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
