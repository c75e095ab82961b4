//! Settings of adapting modules to devices and versions of SPIR-V.

use spirv_if::module::Version;
use spirv_if::specialize::FeaturesToLower;

use crate::error::Status;
use crate::settings::{Settings, update};

/// Changes constructs that the device is known to reject, where the result computes the same or what the module permitted.
/// `spvif_result_adapted` lists the changes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_adapt(settings: *mut Settings) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe { update(settings, |settings| settings.adapt(true)) }
}

/// Rewrites code that requires features which the device is known to lack to code that computes the same without them: 64-bit integers
/// become two words of 32 bits, doubles as well, or 64-bit integers that stay, and integers of 8 and 16 bits one word. Code that cannot be
/// lowered is an error.
/// `spvif_result_lowered` lists the features.
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

/// Makes results of this version of SPIR-V at most, as the header of a module has it: 0x10300 for 1.3. A newer one is changed where it uses nothing
/// newer; else the status is `SPVIF_STATUS_TOO_NEW`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_max_version(settings: *mut Settings, version: u32) -> Status {
    // SAFETY: as above.
    unsafe { update(settings, |settings| settings.max_version(Version::from_word(version))) }
}
