//! Verdicts: a device runs a module, does not run it, or that is not known.

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
    /// Nothing says if the device has a required feature, so that it is not known whether the device runs the module.
    NotKnown = 0,
    /// The device runs the module.
    Runs = 1,
    /// The device does not run the module: it does not have a required feature.
    DoesNotRun = 2,
}

/// A verdict with the features that decide it. It never changes, and may be used by several threads at once.
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

/// Finds the verdict on a device, without making a module. It is that of `spvif_specialize`, whose refusal is a result here. `device` and
/// `settings` may be null, as there; nothing is known of a null device.
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

/// The verdict; `SPVIF_VERDICT_NOT_KNOWN` of null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_verdict(compatibility: *const Compatibility) -> Verdict {
    // SAFETY: as above.
    unsafe { ask(compatibility, Verdict::NotKnown, |compatibility| compatibility.verdict) }
}

/// The verdict in the words of the program: "runs", "does not run" or "not known". It lives as long as the object, as does all that the
/// following functions give out; an empty text for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_verdict_name(
    compatibility: *const Compatibility,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, c"".as_ptr(), |compatibility| compatibility.verdict_name.as_ptr()) }
}

/// The required feature at an index, from 0, that the device does not have, by name, such as "Float64" or "sub-group size 8"; null after
/// the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_missing(
    compatibility: *const Compatibility,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, std::ptr::null(), |compatibility| text::at(&compatibility.missing, index)) }
}

/// The feature at an index, from 0, that the device may or may not have, by name; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_unknown(
    compatibility: *const Compatibility,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(compatibility, std::ptr::null(), |compatibility| text::at(&compatibility.unknown, index)) }
}

/// Frees a verdict, with all that it gave out. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_compatibility_destroy(compatibility: *mut Compatibility) {
    // SAFETY: as above.
    unsafe { destroy(compatibility) }
}
