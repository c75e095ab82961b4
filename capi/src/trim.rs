//! Trimming: removes declarations that nothing in a module requires.

use crate::boundary::{Out, call_about, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::ModuleResult;

/// Removes the capabilities and extensions that nothing in a module requires. `spvif_result_removed` lists them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_trim(
    module: *const Module,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(result)?;
            out.set(ModuleResult::new(spirv_if::trim::trim(&required(module, "module")?.module)?));
            Ok(())
        })
    }
}
