//! Linking of several translation units to one module.

use std::borrow::Cow;
use std::mem;

use spirv_if::link::Linked;
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Changeable, Out, call, change, create, destroy, required};
use crate::error::{Error, Status};
use crate::module::Module;
use crate::result::{ModuleResult, Report, Source};
use crate::text;

impl Source for Linked {
    fn words(&self) -> &[u32] {
        self.module.words()
    }

    fn properties(&self) -> Result<Option<Cow<'_, PropertySets>>, Error> {
        Ok(Some(self.module.properties()?))
    }

    fn report(&self) -> Report {
        Report { warnings: text::c_strings(&self.warnings), ..Report::default() }
    }

    fn module(&self) -> Result<spirv_if::Module<'static>, Error> {
        Ok(self.module.clone())
    }
}

/// Options of `spvif_link`.
#[derive(Default)]
pub struct LinkOptions(Changeable<spirv_if::link::LinkOptions>);

/// Creates options with their default values.
#[unsafe(no_mangle)]
pub extern "C" fn spvif_link_options_create() -> *mut LinkOptions {
    create(LinkOptions::default)
}

/// Keeps the exports of shaders, for a library that is linked again. By default, shaders with entry points and without imports
/// lose their exports and the capability Linkage, which Vulkan does not accept. Modules of kernels always keep their exports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_link_options_create_library(options: *mut LinkOptions) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        change(
            options,
            |LinkOptions(options)| options,
            |options| {
                *options = mem::take(options).create_library(true);
                Ok(())
            },
        )
    }
}

/// Frees options. Does nothing for null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_link_options_destroy(options: *mut LinkOptions) {
    // SAFETY: as above.
    unsafe { destroy(options) }
}

/// Links the `count` modules at `modules`: connects imports with exports, and merges equal types and constants
/// (spec-extensions/linking.md). `options` may be null for the default options.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_link(
    modules: *const *const Module,
    count: usize,
    options: *const LinkOptions,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: as above.
    unsafe {
        call(error, || {
            let out = Out::new(result)?;
            let modules = match count {
                0 => &[],
                _ => std::slice::from_raw_parts(required(modules, "modules")?, count),
            };
            let mut units = Vec::with_capacity(count);
            for module in modules {
                units.push((*required(*module, "a module")?.module).clone());
            }
            let default = LinkOptions::default();
            let options = options.as_ref().unwrap_or(&default).0.get()?;
            out.set(ModuleResult::new(spirv_if::link::link(&units, options)?));
            Ok(())
        })
    }
}
