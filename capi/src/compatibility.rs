//! Verdicts: a device runs a module, does not run the module, or is not known to run it.

use std::ffi::{CString, c_char};

use spirv_if::error::Missing;

use crate::boundary::{Out, ask, call_about, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::prepared::Prepared;
use crate::settings::Settings;
use crate::text;

/// The verdict on a module and a device.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The device is not known to run the module: it may or may not have a required feature.
    NotKnown = 0,
    /// The device runs the module.
    Runs = 1,
    /// The device does not run the module: a required feature is missing.
    DoesNotRun = 2,
}

/// A verdict with the features that decide it. It is immutable: several threads may use it at once.
pub struct Compatibility {
    verdict: Verdict,
    verdict_name: CString,
    missing: Vec<CString>,
    unknown: Vec<CString>,
}

impl Compatibility {
    fn new(compatibility: &spirv_if::specialize::Compatibility) -> Compatibility {
        use spirv_if::specialize::Verdict as Of;
        let verdict = compatibility.verdict();
        Compatibility {
            verdict: match verdict {
                Of::Runs => Verdict::Runs,
                Of::DoesNotRun => Verdict::DoesNotRun,
                Of::NotKnown => Verdict::NotKnown,
            },
            verdict_name: text::c_string(verdict.name()),
            missing: feature_names(&compatibility.missing),
            unknown: feature_names(&compatibility.unknown),
        }
    }
}

/// Returns the names of features for C.
pub fn feature_names<'a>(features: impl IntoIterator<Item = &'a Missing>) -> Vec<CString> {
    features.into_iter().map(|feature| text::c_string(feature.name())).collect()
}

/// Finds the verdict on a module and a device, without making a module. The verdict is that of `spvif_specialize`, but a refusal
/// is not an error here. `device` may be null for an unknown device, and `settings` for the default settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_create(
    prepared: *const Prepared,
    device: *const Device,
    settings: *const Settings,
    compatibility: *mut *mut Compatibility,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(prepared, error, || {
            let out = Out::new(compatibility)?;
            let prepared = required(prepared, "prepared")?;
            let result = prepared.specializing(
                device.as_ref(),
                settings.as_ref(),
                spirv_if::Prepared::compatibility,
            )?;
            out.set(Compatibility::new(&result));
            Ok(())
        })
    }
}

/// Returns the verdict, or `SPVIF_VERDICT_NOT_KNOWN` for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_verdict(compatibility: *const Compatibility) -> Verdict {
    // SAFETY: as above.
    unsafe { ask(compatibility, Verdict::NotKnown, |compatibility| compatibility.verdict) }
}

/// Returns the verdict as "runs", "does not run" or "not known", or an empty string for null. The string is valid as long as the
/// object, like all data that the following functions return.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_verdict_name(
    compatibility: *const Compatibility,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, c"".as_ptr(), |compatibility| compatibility.verdict_name.as_ptr()) }
}

/// Returns the name of missing feature `index`, such as "Float64" or "sub-group size 8", or null after the last. The module
/// requires the feature, and the device does not have it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_missing(
    compatibility: *const Compatibility,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, std::ptr::null(), |compatibility| text::at(&compatibility.missing, index)) }
}

/// Returns the name of unknown feature `index`, or null after the last. The device may or may not have the feature.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_unknown(
    compatibility: *const Compatibility,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, std::ptr::null(), |compatibility| text::at(&compatibility.unknown, index)) }
}

/// Frees a verdict, with all data that it returned. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_destroy(compatibility: *mut Compatibility) {
    // SAFETY: as above.
    unsafe { destroy(compatibility) }
}
