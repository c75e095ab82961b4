//! Linking: several translation units as one module.

use std::borrow::Cow;

use spirv_if::link::Linked;
use spirv_if::property_sets::PropertySets;

use crate::boundary::{Out, call, required};
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

/// Links modules, `count` of them at `modules`: joins imports with exports, and equal types and constants (spec-extensions/linking.md).
///
/// With `create_library`, shaders keep their exports, for a library that is linked again. Without it, shaders with entry points that import nothing
/// lose their exports and the capability Linkage, which Vulkan does not accept. Modules of kernels keep theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn spvif_link(
    modules: *const *const Module,
    count: usize,
    create_library: bool,
    result: *mut *mut ModuleResult,
    error: *mut *mut Error,
) -> Status {
    // SAFETY: the C caller follows the contract in the header.
    unsafe {
        call(error, || {
            let out = Out::new(result)?;
            let modules = match count {
                0 => &[],
                _ => std::slice::from_raw_parts(required(modules, "modules")?, count),
            };
            let mut units = Vec::with_capacity(count);
            for module in modules {
                units.push((*required(*module, "a module")?.0).clone());
            }
            out.set(ModuleResult::new(spirv_if::link::link(&units, create_library)?));
            Ok(())
        })
    }
}
