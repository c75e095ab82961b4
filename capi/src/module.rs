//! Modules.

use std::borrow::Cow;
use std::ffi::{c_char, c_void};
use std::sync::Arc;

use spirv_if::{Annotations, PropertySets};

use crate::boundary::{Out, call, destroy, given};
use crate::error::{Error, Status};
use crate::text;

/// A SPIR-V module, with its property sets and annotations. It never changes, and may be used by several threads at once.
pub struct Module(pub(crate) Arc<spirv_if::Module<'static>>);

/// Loads a module from its bytes, which are copied: any alignment, either byte order. A packed module carries its property sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_create(
    bytes: *const c_void,
    size: usize,
    module: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: C's caller keeps what the header says.
    unsafe {
        call(error, || {
            let out = Out::new(module)?;
            let bytes = match size {
                0 => &[],
                _ => std::slice::from_raw_parts(given(bytes.cast::<u8>(), "bytes")?, size),
            };
            let (words, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                spirv_if::Module::from_bytes(bytes)?;
            }
            let words: Vec<u32> = words.iter().map(|word| u32::from_ne_bytes(*word)).collect();
            out.set(Module(Arc::new(spirv_if::Module::from_words(Cow::Owned(words))?)));
            Ok(())
        })
    }
}

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
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(annotated)?;
            let module = given(module, "module")?;
            let annotations = Annotations::from_yaml(text::given(name, "name")?, text::given(yaml, "yaml")?)?;
            let own = (*module.0).clone().with_annotations(&annotations)?;
            let unmatched = annotations.unmatched();
            if !unmatched.is_empty() {
                return Err(Error::new(Status::Request, unmatched.join("\n")));
            }
            out.set(Module(Arc::new(own)));
            Ok(())
        })
    }
}

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
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(with_properties)?;
            let module = given(module, "module")?;
            let sets =
                PropertySets::parse(text::given(name, "name")?, text::given(properties, "properties")?)?;
            out.set(Module(Arc::new((*module.0).clone().with_properties(sets)?)));
            Ok(())
        })
    }
}

/// Frees a module. Prepared modules of it stay usable. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_destroy(module: *mut Module) {
    // SAFETY: as above.
    unsafe { destroy(module) }
}
