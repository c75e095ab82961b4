//! Property sets of a compiler's module, and its compile-time properties.

use std::ffi::c_char;

use spirv_if::module::{LowerOptions, Version};
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Out, call_about, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::text;

/// Creates a copy of a module with property sets that a compiler wrote beside it. `properties` is the text of their file
/// (spec-extensions/property-sets.md), and `name` is the name of the file in messages. A packed module carries its property sets,
/// and needs no file.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_add_properties(
    module: *const Module,
    name: *const c_char,
    properties: *const c_char,
    with_properties: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
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

/// Creates a copy of a module with a setting for its compile-time properties (spec-extensions/sycl-properties.md). By default,
/// modules that are made from it have execution modes and decorations instead of the properties. If `keep` is true, they keep the
/// properties.
///
/// `max_version` is the latest version of SPIR-V that execution modes and decorations may require. It is written as in the header
/// of a module: 0x10300 for 1.3, or 0 for any version.
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
