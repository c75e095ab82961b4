//! Building bundles: shaders with their variants as one file.

use std::ffi::{CString, c_char, c_void};

use spirv_if_bundle as bundle;

use crate::boundary::{Changeable, Out, ask, call, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::settings::Settings;
use crate::text;

/// A variant of a shader that is added to a bundle.
pub struct ShaderVariant(Changeable<bundle::ShaderVariant<'static>>);

/// The shaders of a bundle that is built. A change that fails makes `spvif_bundle_builder_build` fail.
#[derive(Default)]
pub struct BundleBuilder(Changeable<Shaders>);

#[derive(Default)]
struct Shaders {
    builder: bundle::BundleBuilder<'static>,
    notes: Vec<CString>,
}

/// The bytes of a bundle that was built.
pub struct BundleBytes(Vec<u8>);

/// Changes a variant.
///
/// # Safety
/// See [`change`].
unsafe fn update(
    variant: *mut ShaderVariant,
    with: impl FnOnce(bundle::ShaderVariant<'static>) -> Result<bundle::ShaderVariant<'static>, Error>,
) -> Status {
    // SAFETY: the caller's.
    unsafe {
        change(
            variant,
            |ShaderVariant(variant)| variant,
            |variant| {
                *variant = with(variant.clone())?;
                Ok(())
            },
        )
    }
}

/// Makes a variant for all remaining devices. The words of `module` are copied. Returns null for a null `module`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_create(module: *const Module) -> *mut ShaderVariant {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        ask(module, std::ptr::null_mut(), |module| {
            let words = module.module.words().to_vec();
            create(|| ShaderVariant(Changeable::from(bundle::ShaderVariant::new(words))))
        })
    }
}

/// Sets the condition on devices, in the syntax of `spec-extensions/conditions.md`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_set_condition(
    variant: *mut ShaderVariant,
    condition: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe { update(variant, |variant| Ok(variant.condition(text::required(condition, "condition")?))) }
}

/// Fixes a specialization constant, by its SpecId or its name, to a value as `spirv-if specialize --set` reads it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_set_constant(
    variant: *mut ShaderVariant,
    constant: *const c_char,
    value: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update(variant, |variant| {
            Ok(variant.constant(text::required(constant, "constant")?, text::required(value, "value")?))
        })
    }
}

/// Names the values that the host gives a specialization constant, `count` of them at `values`. In a ready shader, each of them is a question.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_set_constant_values(
    variant: *mut ShaderVariant,
    constant: *const c_char,
    values: *const *const c_char,
    count: usize,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update(variant, |variant| {
            let constant = text::required(constant, "constant")?;
            let values = list(values, count, "values")?.iter();
            let values = values.map(|&value| text::required(value, "a value"));
            Ok(variant.constant_values(constant, values.collect::<Result<Vec<_>, _>>()?))
        })
    }
}

/// Frees a variant. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_destroy(variant: *mut ShaderVariant) {
    // SAFETY: as above.
    unsafe { destroy(variant) }
}

/// Starts an empty bundle.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_bundle_builder_create() -> *mut BundleBuilder {
    create(BundleBuilder::default)
}

/// Adds a shader with `count` variants, which are copied. Each device gets the first one whose condition holds; only the last may be without one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_add(
    builder: *mut BundleBuilder,
    name: *const c_char,
    variants: *const *const ShaderVariant,
    count: usize,
) -> Status {
    // SAFETY: as above.
    unsafe {
        change(
            builder,
            |BundleBuilder(shaders)| shaders,
            |shaders| {
                shaders.builder.add(text::required(name, "name")?, copies(variants, count)?)?;
                Ok(())
            },
        )
    }
}

/// Like `spvif_bundle_builder_add`, with the module of the shader for every device: no device needs this library to load it. `settings` has the
/// changes to these modules (`spvif_settings_trim`, `spvif_settings_strip`), and may be null. A shader that has more modules than `max_results`, or cannot be
/// ready, is added with its conditions, and a note says why (`spvif_bundle_builder_note`).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_add_ready(
    builder: *mut BundleBuilder,
    name: *const c_char,
    variants: *const *const ShaderVariant,
    count: usize,
    settings: *const Settings,
    max_results: usize,
) -> Status {
    // SAFETY: as above.
    unsafe {
        change(
            builder,
            |BundleBuilder(shaders)| shaders,
            |shaders| {
                let name = text::required(name, "name")?;
                let defaults = Settings::default();
                let settings = settings.as_ref().unwrap_or(&defaults).0.get()?;
                let variants = copies(variants, count)?;
                let note = shaders.builder.add_ready(name, variants, settings, max_results)?;
                shaders.notes.extend(note.map(|note| text::c_string(note.to_string())));
                Ok(())
            },
        )
    }
}

/// The note about a shader that is not ready, at an index from 0; null after the last.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_note(
    builder: *const BundleBuilder,
    index: usize,
) -> *const c_char {
    // SAFETY: as above.
    unsafe {
        ask(builder, std::ptr::null(), |BundleBuilder(shaders)| {
            shaders.get().map_or(std::ptr::null(), |shaders| text::at(&shaders.notes, index))
        })
    }
}

/// Makes the bytes of the bundle, which is not compressed: reading a module is a copy. Equal shaders give equal bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_build(
    builder: *const BundleBuilder,
    bytes: *mut *mut BundleBytes,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(bytes)?;
            let mut builder = required(builder, "builder")?.0.get()?.builder.clone();
            out.set(BundleBytes(builder.uncompressed(true).to_bytes()?));
            Ok(())
        })
    }
}

/// Frees a builder. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_destroy(builder: *mut BundleBuilder) {
    // SAFETY: as above.
    unsafe { destroy(builder) }
}

/// The first of the bytes, for a file `app.spvb`, `spvif_bundle_create` or `spvb_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_data(bytes: *const BundleBytes) -> *const c_void {
    // SAFETY: as above.
    unsafe { ask(bytes, std::ptr::null(), |BundleBytes(bytes)| bytes.as_ptr().cast()) }
}

/// The number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_size(bytes: *const BundleBytes) -> usize {
    // SAFETY: as above.
    unsafe { ask(bytes, 0, |BundleBytes(bytes)| bytes.len()) }
}

/// Frees the bytes. Null is left alone.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_destroy(bytes: *mut BundleBytes) {
    // SAFETY: as above.
    unsafe { destroy(bytes) }
}

/// The pointers of a list of the caller.
///
/// # Errors
/// If it is null.
///
/// # Safety
/// It has `count` pointers, or is null.
unsafe fn list<'a, T>(pointers: *const *const T, count: usize, name: &str) -> Result<&'a [*const T], Error> {
    match count {
        0 => Ok(&[]),
        // SAFETY: the caller's.
        _ => Ok(unsafe { std::slice::from_raw_parts(required(pointers, name)?, count) }),
    }
}

/// Copies of variants.
///
/// # Errors
/// If one is null, or could not be changed.
///
/// # Safety
/// See [`list`].
unsafe fn copies(
    variants: *const *const ShaderVariant,
    count: usize,
) -> Result<Vec<bundle::ShaderVariant<'static>>, Error> {
    // SAFETY: the caller's.
    let variants = unsafe { list(variants, count, "variants")? }.iter();
    // SAFETY: the caller's.
    variants.map(|&variant| Ok(unsafe { required(variant, "a variant")? }.0.get()?.clone())).collect()
}
