//! Packing: one module for every device.

use std::borrow::Cow;
use std::ffi::c_char;
use std::mem;

use spirv_if::pack::{Dialect, LoweredTwin, Packed};
use spirv_if::property_sets::{PropertyNames, PropertySets};
use spirv_if::specialize::FeaturesToLower;

use crate::boundary::{Changeable, Out, call_about, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::{ModuleResult, Report, Source, constants};
use crate::text::{self, Texts};

impl Source for Packed {
    fn words(&self) -> &[u32] {
        &self.words
    }

    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error> {
        Ok(Some(Cow::Borrowed(&self.properties)))
    }

    fn report(&self) -> Report {
        let summary = &self.summary;
        let mut texts = Texts::default();
        let set_by_host = constants(&summary.set_by_host, &mut texts);
        let (removed, warnings) = (text::c_strings(&summary.removed), text::c_strings(&summary.warnings));
        let lowered: Vec<String> = summary.twins.iter().flat_map(LoweredTwin::lines).collect();
        let lowered = text::c_strings(&lowered);
        Report { removed, warnings, set_by_host, lowered, _texts: texts, ..Report::default() }
    }
}

/// Options of `spvif_pack`.
#[derive(Default)]
pub struct PackOptions(Changeable<spirv_if::PackOptions>);

/// Changes options.
///
/// # Safety See [`change`].
unsafe fn update(
    options: *mut PackOptions,
    with: impl FnOnce(spirv_if::PackOptions) -> spirv_if::PackOptions,
) -> Status {
    // SAFETY: the caller keeps the contract.
    unsafe { update_by(options, |options| Ok(with(options))) }
}

/// Like [`update`], for a change that may fail.
///
/// # Safety See [`change`].
unsafe fn update_by(
    options: *mut PackOptions,
    with: impl FnOnce(spirv_if::PackOptions) -> Result<spirv_if::PackOptions, Error>,
) -> Status {
    // SAFETY: the caller keeps the contract.
    unsafe {
        change(
            options,
            |PackOptions(options)| options,
            |options| {
                *options = with(mem::take(options))?;
                Ok(())
            },
        )
    }
}

/// Creates options with their default values.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_pack_options_create() -> *mut PackOptions {
    create(PackOptions::default)
}

/// Sets the form of conditions. "spec-conditional", the default, makes them specialization constants, which `spvif_specialize`
/// sets. "function-variants" makes them the device constants of SPV_INTEL_function_variants, for a consumer that supports the
/// extension.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_dialect(
    options: *mut PackOptions,
    dialect: *const c_char,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        update_by(options, |options| {
            let dialects = [
                ("spec-conditional", Dialect::SpecConditional),
                ("function-variants", Dialect::FunctionVariants),
            ];
            Ok(options.dialect(text::choice(dialect, "the dialect", &dialects)?))
        })
    }
}

/// Sets the names of properties: "design", the default, for those in the SYCL design documents, or "dpcpp" for those that DPC++
/// reads today.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_property_names(
    options: *mut PackOptions,
    names: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(options, |options| {
            let all = [("design", PropertyNames::Design), ("dpcpp", PropertyNames::Dpcpp)];
            Ok(options.property_names(text::choice(names, "the kind of names", &all)?))
        })
    }
}

/// Keeps a function on every device, in addition to the entry points. `name` is its linkage name or OpName. Each call adds one
/// function.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_add_export(
    options: *mut PackOptions,
    name: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(options, |options| Ok(options.exports([text::required(name, "the name of an export")?])))
    }
}

/// Keeps all exported functions and variables on every device.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_keep_exports(options: *mut PackOptions) -> Status {
    // SAFETY: as above.
    unsafe { update(options, |options| options.keep_exports(true)) }
}

/// Sets the maximum number of clones of one function, 8 by default. A function is cloned for each combination of values of the
/// constants that guard its blocks.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_max_clones(options: *mut PackOptions, count: usize) -> Status {
    // SAFETY: as above.
    unsafe { update(options, |options| options.max_clones(count)) }
}

/// Writes lowered twins for devices without features, as code that does not require them. `features` has the names of capabilities with
/// commas between them, such as `Int64,Float64`; one that cannot be lowered is an error of `spvif_pack`. If `features` is null, these are all
/// features that can be lowered. Fallbacks of the source come first. `spvif_result_lowered` describes the twins.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_lower(
    options: *mut PackOptions,
    features: *const c_char,
) -> Status {
    // SAFETY: as above.
    unsafe {
        update_by(options, |options| {
            let features = match features.is_null() {
                true => FeaturesToLower::Missing,
                false => text::required(features, "features")?.parse().map_err(spirv_if::Error::from)?,
            };
            Ok(options.lower(features))
        })
    }
}

/// Removes names, debug information and reflection from the result. Keeps everything that states a condition.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_strip(options: *mut PackOptions) -> Status {
    // SAFETY: as above.
    unsafe { update(options, |options| options.strip(true)) }
}

/// Frees options. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack_options_destroy(options: *mut PackOptions) {
    // SAFETY: as above.
    unsafe { destroy(options) }
}

/// Makes one module for every device from a compiler's module: everything that only conditional code requires becomes
/// conditional. `options` may be null for the default options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_pack(
    module: *const Module,
    options: *const PackOptions,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call_about(module, error, || {
            let out = Out::new(result)?;
            let module = required(module, "module")?;
            let default = PackOptions::default();
            let options = options.as_ref().unwrap_or(&default).0.get()?;
            out.set(ModuleResult::new(spirv_if::pack(&module.module, options)?));
            Ok(())
        })
    }
}
