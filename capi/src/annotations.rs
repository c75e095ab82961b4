//! Annotations files, which add conditions to a compiler's module.

use std::ffi::c_char;

use spirv_if::module::Annotations;

use crate::boundary::{Out, call_about, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text;

/// Applies an annotations file to a module, and stores the new module at `annotated`. `yaml` is the text of the file
/// (spec-extensions/annotations.md), and `name` is its name in messages. An entry that matches nothing in the module is an error
/// (`SPVIF_STATUS_REQUEST`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_annotate(
    module: *const Module,
    name: *const c_char,
    yaml: *const c_char,
    annotated: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(annotated)?;
            let module = required(module, "module")?;
            let annotations =
                Annotations::from_yaml(text::required(name, "name")?, text::required(yaml, "yaml")?)?;
            let annotated = (*module.module).clone().with_annotations(&annotations)?;
            let unmatched = annotations.unmatched();
            if !unmatched.is_empty() {
                return Err(Error::new(Status::Request, unmatched.join("\n")));
            }
            out.set(module.changed(annotated));
            Ok(())
        })
    }
}
