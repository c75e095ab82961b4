//! Modules.

use std::borrow::Cow;
use std::ffi::{CString, c_char, c_void};
use std::sync::{Arc, OnceLock};

use crate::boundary::{Named, Out, ask, call, destroy, required};
use crate::error::{Error, Status};
use crate::text;

/// A SPIR-V module, with its property sets and annotations. It is immutable: several threads may use it at once.
pub struct Module {
    pub(crate) module: Arc<spirv_if::Module<'static>>,
    /// The name with which messages about the module begin.
    pub(crate) name: Option<Arc<str>>,
    warnings: OnceLock<Vec<CString>>,
}

impl Module {
    /// Creates a module without a name.
    pub fn new(module: spirv_if::Module<'static>) -> Module {
        Module { module: Arc::new(module), name: None, warnings: OnceLock::new() }
    }

    /// Creates a changed module with the name of this one.
    #[cfg(any(feature = "annotations", feature = "properties"))]
    pub fn changed(&self, module: spirv_if::Module<'static>) -> Module {
        Module { name: self.name.clone(), ..Module::new(module) }
    }

    /// Returns the warnings about lowering the compile-time properties. Malformed properties have none: later calls report them
    /// as errors.
    fn warnings(&self) -> &[CString] {
        self.warnings.get_or_init(|| {
            let lowered = self.module.lowered_properties().ok();
            lowered
                .into_iter()
                .flat_map(|lowered| &lowered.warnings)
                .map(|text| text::c_string(text.as_str()))
                .collect()
        })
    }
}

/// Loads a module from `size` bytes, which are copied. They may have any alignment and either byte order. A packed module carries
/// its property sets.
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
                _ => std::slice::from_raw_parts(required(bytes.cast::<u8>(), "bytes")?, size),
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

impl Named for Module {
    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// Creates a copy of a module with a name, such as that of a shader or a file. Error messages about the module, and about objects
/// prepared from it, begin with the name and a colon.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_name(
    module: *const Module,
    name: *const c_char,
    named: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(named)?;
            let (module, name) = (required(module, "module")?, text::required(name, "name")?);
            let renamed = Module::new((*module.module).clone().with_name(name.to_owned()));
            out.set(Module { name: Some(name.into()), ..renamed });
            Ok(())
        })
    }
}

/// Returns warning `index` about lowering the module's compile-time properties, or null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_warning(module: *const Module, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(module, std::ptr::null(), |module| text::at(module.warnings(), index)) }
}

/// Frees a module. Modules that were prepared from it stay valid. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_module_destroy(module: *mut Module) {
    // SAFETY: as above.
    unsafe { destroy(module) }
}
