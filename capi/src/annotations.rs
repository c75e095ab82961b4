//! Annotations files: conditions beside a compiler's module.

use std::ffi::c_char;

use spirv_if::module::Annotations;

use crate::boundary::{Out, call_about, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text;

/// The module with an annotations file applied, whose text `yaml` is (spec-extensions/annotations.md), as another module. `name` is the
/// name of the file in messages. An entry that matches nothing is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_annotate(
    module: *const Module,
    name: *const c_char,
    yaml: *const c_char,
    annotated: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
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
