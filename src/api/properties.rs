//! Compile-time properties, as execution modes and decorations.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use super::{Error, Module};
use crate::analysis::{NameTable, Properties};
use crate::loader;
use crate::pipelines::PipelineError;
use crate::transform::properties::{self, Options};
use crate::writer::apply;

/// Options of [`Module::with_lowering`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LowerOptions {
    /// Leaves all properties as they are, and declares the extension that their decorations need before SPIR-V 1.4.
    pub keep: bool,
    /// The latest version of SPIR-V that the result may have, major and minor: a mode of a later one stays a requirement, with a warning. By
    /// default the version is raised.
    pub max_version: Option<(u8, u8)>,
}

/// What became of the compile-time properties of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoweredProperties {
    /// The module with them lowered, if that changes it.
    pub(super) module: Option<Box<Module<'static>>>,
    /// What was found out about a module that does not change, for those that work on it.
    pub(super) known: Option<Known>,
    /// The number of execution modes and decorations that properties became.
    pub lowered: usize,
    /// The properties that have no meaning, and were removed: each with what had it.
    pub removed: Vec<(String, String)>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// Results of analyses.
#[derive(Clone, Debug)]
pub(super) struct Known {
    pub properties: Properties,
    pub names: Option<Arc<NameTable>>,
}

impl LoweredProperties {
    /// The module with its properties lowered; none where nothing changes.
    pub fn module(&self) -> Option<&Module<'static>> {
        self.module.as_deref()
    }
}

impl<'m> Module<'m> {
    /// Sets how its compile-time properties, in decorations or in its annotations, become execution modes and decorations
    /// (`spec-extensions/sycl-properties.md`). [`pack`](crate::pack()), [`Prepared`](crate::Prepared), [`split`](crate::split()) and
    /// [`PostLink`](crate::PostLink) lower them first. Those that other calls read stay until
    /// [`Prepared::specialize`](crate::Prepared::specialize) or [`Split::image`](crate::Split::image) make the module that a driver gets.
    pub fn with_lowering(self, options: LowerOptions) -> Module<'m> {
        Module { lowering: options, lowered: OnceLock::new(), ..self }
    }

    /// What becomes of its compile-time properties where a module is made of it: those without a meaning are removed.
    ///
    /// # Errors
    /// If a value is not what the property requires, or contradicts a mode or decoration that is there.
    ///
    /// ```
    /// let bytes = std::fs::read("fixtures/properties/kernels-llvm-spirv-O2.spv")?;
    /// let module = spirv_if::Module::from_bytes(&bytes)?;
    /// let lowered = module.lowered_properties()?;
    /// assert!(lowered.lowered > 0);
    /// assert_eq!(lowered.removed[0].0, "sycl-example");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lowered_properties(&self) -> Result<&LoweredProperties, Error> {
        if let Some(known) = self.lowered.get() {
            return Ok(known);
        }
        let found = self.lower_properties()?;
        Ok(self.lowered.get_or_init(|| found))
    }

    /// The module that others are made of: with its properties lowered.
    pub(super) fn lowered(&self) -> Result<&Module<'_>, Error> {
        Ok(self.lowered_properties()?.module().unwrap_or(self))
    }

    fn lower_properties(&self) -> Result<LoweredProperties, Error> {
        let analyses = self.analyses();
        if analyses.properties().is_empty() {
            let known = Known { properties: Properties::default(), names: None };
            let warnings = properties::misspelled_lists(&analyses);
            return Ok(LoweredProperties { known: Some(known), warnings, ..LoweredProperties::default() });
        }
        let version = |(major, minor): (u8, u8)| u32::from(major) << 16 | u32::from(minor) << 8;
        let own = Options { keep: self.lowering.keep, max_version: self.lowering.max_version.map(version) };
        let found = properties::lower(&analyses, own);
        let found = found.map_err(PipelineError::from)?;
        let words = apply(&self.inner, &found.edits).map_err(PipelineError::from)?;
        let is_changed = words != self.words() || !self.annotated.properties.is_empty();
        let dimensions = found.work_group_dimensions;
        let known = || Known {
            properties: analyses.properties().clone(),
            names: Some(Arc::clone(analyses.names().table())),
        };
        Ok(LoweredProperties {
            known: (!is_changed).then(known),
            module: is_changed.then(|| self.remade(words, dimensions)).transpose()?.map(Box::new),
            lowered: found.lowered,
            removed: found.removed,
            warnings: found.warnings,
        })
    }

    /// The module with other words, in which its properties are lowered. `dimensions` are the numbers of dimensions that the work-group sizes of
    /// kernels had as properties.
    fn remade(&self, words: Vec<u32>, dimensions: BTreeMap<u32, u8>) -> Result<Module<'static>, Error> {
        let mut annotated = self.annotated.clone().into_owned();
        annotated.properties.clear();
        annotated.work_group_dimensions = dimensions;
        Ok(Module {
            inner: loader::Module::from_words(words)?,
            name: Cow::Owned(self.name.clone().into_owned()),
            properties: self.properties.clone(),
            annotated: Cow::Owned(annotated),
            names: None,
            fixed_targets: Cow::Owned(self.fixed_targets.clone().into_owned()),
            inside: None,
            lowering: self.lowering.clone(),
            lowered: OnceLock::from(LoweredProperties::default()),
        })
    }
}
