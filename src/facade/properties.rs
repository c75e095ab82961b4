//! Compile-time properties, as execution modes and decorations.

use std::borrow::Cow;

use super::{Error, Module};
use crate::loader;
use crate::pipelines::PipelineError;
use crate::transform::properties::{self, Options};
use crate::writer::apply;

/// Options of [`lower_properties`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LowerOptions {
    /// Leaves all properties as they are, and declares the extension that their decorations need before SPIR-V 1.4.
    pub keep: bool,
    /// The latest version of SPIR-V that the result may have, major and minor: a mode of a later one stays a requirement, with a warning. By
    /// default the version is raised.
    pub max_version: Option<(u8, u8)>,
}

/// A module with its compile-time properties lowered.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoweredProperties<'m> {
    /// The module.
    pub module: Module<'m>,
    /// The number of execution modes and decorations that properties became.
    pub lowered: usize,
    /// The properties that have no meaning, and were removed: each with what had it.
    pub removed: Vec<(String, String)>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Turns the compile-time properties of a module, in decorations or in its annotations, into execution modes and decorations
/// (`spec-extensions/sycl-properties.md`); those without a meaning are removed. Those that other calls read stay until
/// [`Prepared::specialize`](crate::Prepared::specialize) or [`Split::image`](crate::Split::image) make the module that a driver gets. The
/// program calls this for each module before it packs, specializes or splits it. A module without properties is unchanged.
///
/// # Errors
/// If a value is not what the property requires, or contradicts a mode or decoration that is there.
///
/// ```
/// use spirv_if::{LowerOptions, Module, lower_properties};
/// let bytes = std::fs::read("fixtures/properties/kernels-llvm-spirv-O2.spv")?;
/// let lowered = lower_properties(Module::from_bytes(&bytes)?, &LowerOptions::default())?;
/// assert!(lowered.lowered > 0);
/// assert_eq!(lowered.removed[0].0, "sycl-example");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn lower_properties<'m>(
    module: Module<'m>,
    options: &LowerOptions,
) -> Result<LoweredProperties<'m>, Error> {
    let analyses = module.analyses();
    let version = |(major, minor): (u8, u8)| u32::from(major) << 16 | u32::from(minor) << 8;
    let own = Options { keep: options.keep, max_version: options.max_version.map(version) };
    let found = properties::lower(&module.inner, analyses.names(), analyses.annotated(), own);
    let found = found.map_err(PipelineError::from)?;
    let words = (!found.edits.is_empty()).then(|| apply(&module.inner, &found.edits)).transpose();
    let words = words.map_err(PipelineError::from)?;
    drop(analyses);
    let module = match words {
        None => module,
        Some(words) => {
            let mut annotated = module.annotated.into_owned();
            annotated.properties.clear();
            Module {
                inner: loader::Module::from_words(words)?,
                annotated: Cow::Owned(annotated),
                names: None,
                inside: None,
                ..module
            }
        }
    };
    Ok(LoweredProperties { module, lowered: found.lowered, removed: found.removed, warnings: found.warnings })
}
