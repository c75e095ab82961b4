//! Builder of bundles: writes shaders with their variants as one file.

use std::ffi::{CString, c_char, c_void};

use spirv_if_bundle as bundle;

use crate::boundary::{Changeable, Out, ask, call, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::settings::Settings;
use crate::text;

/// A variant of a shader for a bundle. A failed change makes the functions that add the variant fail.
pub struct ShaderVariant(Changeable<bundle::ShaderVariant<'static>>);

/// A bundle under construction. A failed change makes `spvif_bundle_builder_build` fail.
#[derive(Default)]
pub struct BundleBuilder(Changeable<Shaders>);

#[derive(Default)]
struct Shaders {
    builder: bundle::BundleBuilder<'static>,
    notes: Vec<CString>,
}

/// The bytes of a complete bundle.
pub struct BundleBytes(Vec<u8>);

/// Changes a variant.
///
/// # Safety See [`change`].
unsafe fn update(
    variant: *mut ShaderVariant,
    with: impl FnOnce(bundle::ShaderVariant<'static>) -> Result<bundle::ShaderVariant<'static>, Error>,
) -> Status {
    // SAFETY: the caller keeps the contract.
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

/// Creates a variant for all remaining devices. The words of `module` are copied. Returns null if `module` is null.
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

/// Fixes a specialization constant to a value. `constant` is its SpecId or its name, and `value` has the syntax of `spirv-if
/// specialize --set`.
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

/// Lists the `count` values, at `values`, that the host may give a specialization constant. In a ready shader, each value is a
/// question.
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

/// Frees a variant. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_shader_variant_destroy(variant: *mut ShaderVariant) {
    // SAFETY: as above.
    unsafe { destroy(variant) }
}

/// Creates a builder of an empty bundle.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_bundle_builder_create() -> *mut BundleBuilder {
    create(BundleBuilder::default)
}

/// Adds a shader with `count` variants, which are copied. Each device gets the first variant whose condition holds. Only the last
/// variant may have no condition.
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

/// Like `spvif_bundle_builder_add`, but adds the plain module of the shader for every device, so that no device requires this
/// library to load it. `settings` has the changes to these modules (`spvif_settings_trim`, `spvif_settings_strip`), and may be
/// null.
///
/// A shader that has more modules than `max_results`, or cannot be ready, is added with its conditions. A note then gives the
/// reason (`spvif_bundle_builder_note`).
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

/// Returns note `index` about a shader that is not ready, or null after the last.
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

/// Builds the bytes of the bundle. They are not compressed: reading a module is a copy. Equal shaders result in equal bytes.
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

/// Frees a builder. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_builder_destroy(builder: *mut BundleBuilder) {
    // SAFETY: as above.
    unsafe { destroy(builder) }
}

/// Returns a pointer to the bytes. Write them to a file `app.spvb`, or pass them to `spvif_bundle_create` or `spvb_open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_data(bytes: *const BundleBytes) -> *const c_void {
    // SAFETY: as above.
    unsafe { ask(bytes, std::ptr::null(), |BundleBytes(bytes)| bytes.as_ptr().cast()) }
}

/// Returns the number of bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_size(bytes: *const BundleBytes) -> usize {
    // SAFETY: as above.
    unsafe { ask(bytes, 0, |BundleBytes(bytes)| bytes.len()) }
}

/// Frees the bytes. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_bundle_bytes_destroy(bytes: *mut BundleBytes) {
    // SAFETY: as above.
    unsafe { destroy(bytes) }
}

/// Returns the `count` pointers of an array. `name` is the name of the parameter in messages.
///
/// # Errors If the array is null and not empty.
///
/// # Safety `pointers` must be null or valid for reading `count` pointers.
unsafe fn list<'a, T>(pointers: *const *const T, count: usize, name: &str) -> Result<&'a [*const T], Error> {
    match count {
        0 => Ok(&[]),
        // SAFETY: the caller keeps the contract.
        _ => Ok(unsafe { std::slice::from_raw_parts(required(pointers, name)?, count) }),
    }
}

/// Copies variants.
///
/// # Errors If a variant is null, or a change of it failed.
///
/// # Safety See [`list`].
unsafe fn copies(
    variants: *const *const ShaderVariant,
    count: usize,
) -> Result<Vec<bundle::ShaderVariant<'static>>, Error> {
    // SAFETY: the caller keeps the contract.
    let variants = unsafe { list(variants, count, "variants")? }.iter();
    // SAFETY: the caller keeps the contract.
    variants.map(|&variant| Ok(unsafe { required(variant, "a variant")? }.0.get()?.clone())).collect()
}
