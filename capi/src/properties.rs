//! Property sets beside a compiler's module, and its compile-time properties.

use std::ffi::c_char;

use spirv_if::module::{LowerOptions, Version};
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Out, call_about, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text;

/// The module with the property sets beside it added, whose text `properties` is (spec-extensions/property-sets.md), as another module. A
/// packed module carries its own, and needs none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_add_properties(
    module: *const Module,
    name: *const c_char,
    properties: *const c_char,
    with_properties: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(with_properties)?;
            let module = required(module, "module")?;
            let sets = PropertySets::parse(
                text::required(name, "name")?,
                text::required(properties, "properties")?,
            )?;
            out.set(module.changed((*module.module).clone().with_properties(sets)?));
            Ok(())
        })
    }
}

/// The module with another treatment of its compile-time properties (spec-extensions/sycl-properties.md), as another module. What is made of a module
/// has them as execution modes and decorations; with `keep` they stay as they are. `max_version` is the latest version of SPIR-V to which they
/// may raise it, as the header of a module has it: 0x10300 for 1.3; with 0, any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_lower_properties(
    module: *const Module,
    keep: bool,
    max_version: u32,
    lowered: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(lowered)?;
            let module = required(module, "module")?;
            let max_version = (max_version != 0).then(|| Version::from_word(max_version));
            let options = LowerOptions::new().keep(keep).max_version(max_version);
            let lowered_module = (*module.module).clone().with_lowering(options);
            lowered_module.lowered_properties()?;
            out.set(module.changed(lowered_module));
            Ok(())
        })
    }
}
