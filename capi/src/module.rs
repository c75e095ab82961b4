//! Modules.

use std::borrow::Cow;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, OnceLock};

use spirv_if::module::{Annotations, LowerOptions};
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Out, ask, call, destroy, given};
use crate::error::{Error, Status};
use crate::text;

/// A SPIR-V module, with its property sets and annotations. It never changes, and may be used by several threads at once.
pub struct Module(pub(crate) Arc<spirv_if::Module<'static>>, OnceLock<Vec<CString>>);

impl Module {
    /// A module.
    pub fn new(module: spirv_if::Module<'static>) -> Module {
        Module(Arc::new(module), OnceLock::new())
    }

    /// Returns the warnings of lowering its compile-time properties; none where they are malformed, which is an error of later calls.
    fn warnings(&self) -> &[CString] {
        self.1.get_or_init(|| {
            let lowered = self.0.lowered_properties().ok();
            lowered
                .into_iter()
                .flat_map(|lowered| &lowered.warnings)
                .map(|text| text::own(text.as_str()))
                .collect()
        })
    }
}

/// Loads a module from its bytes, which are copied: any alignment, either byte order. A packed module carries its property sets.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_create(
    bytes: *const c_void,
    size: usize,
    module: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
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
            out.set(Module::new(spirv_if::Module::from_words(Cow::Owned(words))?));
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
            let annotated = (*module.0).clone().with_annotations(&annotations)?;
            let unmatched = annotations.unmatched();
            if !unmatched.is_empty() {
                return Err(Error::new(Status::Request, unmatched.join("\n")));
            }
            out.set(Module::new(annotated));
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
            out.set(Module::new((*module.0).clone().with_properties(sets)?));
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
        call(error, || {
            let out = Out::new(lowered)?;
            let module = given(module, "module")?;
            let [_, major, minor, _] = max_version.to_be_bytes();
            let max_version = (max_version != 0).then_some((major, minor));
            let options = LowerOptions::new().keep(keep).max_version(max_version);
            let lowered_module = (*module.0).clone().with_lowering(options);
            lowered_module.lowered_properties()?;
            out.set(Module::new(lowered_module));
            Ok(())
        })
    }
}

/// The warning at an index, from 0, of what becomes of the module's compile-time properties; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_warning(module: *const Module, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(module, std::ptr::null(), |module| text::at(module.warnings(), index)) }
}

/// Frees a module. Prepared modules of it stay usable. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_destroy(module: *mut Module) {
    // SAFETY: as above.
    unsafe { destroy(module) }
}
