//! Setting of traps.

use std::ffi::c_char;

use spirv_if::specialize::Trap;

use crate::error::Status;
use crate::settings::{Settings, update_by};
use crate::text;

/// Replaces blocks behind run-time branches by a trap, if they require features that the device is known not to have. `trap` is
/// `abort`, `silent` or `store:BUFFER:OFFSET` (spec-extensions/specializing.md, "Traps"). `spvif_result_trapped` lists the
/// blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_settings_trap(settings: *mut Settings, trap: *const c_char) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        update_by(settings, |settings| {
            let trap = text::required(trap, "the trap")?.parse::<Trap>();
            Ok(settings.trap(trap.map_err(spirv_if::Error::from)?))
        })
    }
}
