//! Bundles: shaders by name.

use std::ffi::{CString, c_char, c_void};

use spirv_if::error::Hint;
use spirv_if_bundle::BundleError;

use crate::boundary::{Out, ask, call, destroy, required};
use crate::device::Device;
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::ModuleResult;
use crate::settings::Settings;
use crate::text;

/// A bundle of shaders, as `spirv-if bundle` writes it. It is immutable: several threads may use it at once.
pub struct Bundle {
    bundle: spirv_if_bundle::Bundle<'static>,
    names: Vec<CString>,
}

impl Bundle {
    fn new(bundle: spirv_if_bundle::Bundle<'static>) -> Bundle {
        let names = bundle.shaders().map(|shader| text::c_string(shader.name())).collect();
        Bundle { bundle, names }
    }
}

impl From<BundleError> for Error {
    fn from(error: BundleError) -> Error {
        let status = match error {
            BundleError::Engine(error) => {
                let hints = Hint::for_error(&error, None);
                return Error::with_hints(error, &hints);
            }
            BundleError::NotABundle | BundleError::Version(_) | BundleError::Damaged(_) => Status::Load,
            BundleError::NoVariant { .. } => Status::Refused,
            BundleError::UndecidedVariant { .. } => Status::Undecided,
            _ => Status::Request,
        };
        Error::new(status, error)
    }
}

/// Opens a bundle file and maps it into memory. The file must not change while the bundle exists. Decompresses nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_open(
    path: *const c_char,
    bundle: *mut *mut Bundle,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call(error, || {
            let out = Out::new(bundle)?;
            out.set(Bundle::new(spirv_if_bundle::Bundle::open(text::required(path, "path")?)?));
            Ok(())
        })
    }
}

/// Opens a bundle from `size` bytes, which are copied.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_create(
    bytes: *const c_void,
    size: usize,
    bundle: *mut *mut Bundle,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(bundle)?;
            let bytes = match size {
                0 => &[],
                _ => std::slice::from_raw_parts(required(bytes.cast::<u8>(), "bytes")?, size),
            };
            out.set(Bundle::new(spirv_if_bundle::Bundle::from_bytes(bytes.to_vec())?));
            Ok(())
        })
    }
}

/// Returns the name of shader `index`, or null after the last. The names are sorted.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_name(bundle: *const Bundle, index: usize) -> *const c_char {
    // SAFETY: as above.
    unsafe { ask(bundle, std::ptr::null(), |bundle| text::at(&bundle.names, index)) }
}

/// Returns the number of variants of a shader, or 0 if the bundle has no such shader.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_variants(bundle: *const Bundle, name: *const c_char) -> usize {
    // SAFETY: as above.
    unsafe {
        ask(bundle, 0, |bundle| {
            let name = text::required(name, "name").ok();
            let shader = name.and_then(|name| bundle.bundle.shader(name).ok());
            shader.map_or(0, |shader| shader.variants().len())
        })
    }
}

/// Loads variant `variant` of a shader, as it was added. Variants count from 0. A device gets the first variant whose condition
/// holds: see `spvif_bundle_specialize`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_module(
    bundle: *const Bundle,
    name: *const c_char,
    variant: usize,
    module: *mut *mut Module,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(module)?;
            let bundle = &required(bundle, "bundle")?.bundle;
            let words = bundle.shader(text::required(name, "name")?)?.variant(variant)?.words()?;
            out.set(Module::new(spirv_if::Module::from_words(words)?));
            Ok(())
        })
    }
}

/// Makes a plain module of a shader for a device. Like `spvif_specialize`, for the first variant whose condition holds, with the
/// constants that the bundle fixes. `device` may be null for an unknown device, and `settings` for the default settings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_specialize(
    bundle: *const Bundle,
    name: *const c_char,
    device: *const Device,
    settings: *const Settings,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(result)?;
            let bundle = &required(bundle, "bundle")?.bundle;
            let name = text::required(name, "name")?;
            let (unknown, defaults) = (spirv_if::Device::default(), Settings::default());
            let device = device.as_ref().map_or(&unknown, |device| &device.0);
            let settings = settings.as_ref().unwrap_or(&defaults).0.get()?;
            out.set(ModuleResult::new(bundle.get_for(name, device, settings)?));
            Ok(())
        })
    }
}

/// Frees a bundle. Modules that were loaded from the bundle stay valid. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_destroy(bundle: *mut Bundle) {
    // SAFETY: as above.
    unsafe { destroy(bundle) }
}
