//! Compile-time properties, as execution modes and decorations.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use super::error::{Error, from_errors_of_modules};
use super::module::Module;
use crate::analysis::{Analyses, NameTable, SyclProperties};
use crate::collections::IdMap;
use crate::compatibility::ModuleDeclarations;
use crate::loader;
use crate::transform::properties::{self, PropertyLoweringError};

pub use crate::transform::properties::LowerOptions;
use crate::writer::apply;

from_errors_of_modules! {
    PropertyLoweringError => CompileTimeProperties,
}

/// A report on lowering the compile-time properties of a module.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoweredProperties {
    /// The module with them lowered, if that changes it.
    pub(super) module: Option<Box<Module<'static>>>,
    /// Results of analyses of a module that does not change, for other calls.
    pub(super) known: Option<KnownProperties>,
    /// The number of execution modes and decorations made from properties.
    pub lowered: usize,
    /// The properties that have no meaning, and were removed.
    pub removed: Vec<RemovedProperty>,
    /// Warnings.
    pub warnings: Vec<String>,
}

/// A compile-time property that has no meaning on its holder.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RemovedProperty {
    /// The name of the property.
    pub name: String,
    /// The function or variable that had it, in words.
    pub holder: String,
}

/// Results of analyses.
#[derive(Clone, Debug)]
pub(super) struct KnownProperties {
    pub properties: SyclProperties,
    pub names: Option<Arc<NameTable>>,
}

impl LoweredProperties {
    /// Returns the module with its properties lowered; `None` if nothing changes.
    pub fn module(&self) -> Option<&Module<'static>> {
        self.module.as_deref()
    }
}

impl<'m> Module<'m> {
    /// Sets the way in which compile-time properties, in decorations or in its annotations, become execution modes and decorations
    /// (`spec-extensions/sycl-properties.md`). [`pack`](crate::pack()), [`Prepared`](crate::Prepared), `spirv_if_sycl::split::split` and
    /// `spirv_if_sycl::split::PostLink` lower them first. Properties that other calls read stay until
    /// [`Prepared::specialize`](crate::Prepared::specialize) or `spirv_if_sycl::split::Split::image` makes the module for a driver.
    pub fn with_lowering(self, options: LowerOptions) -> Module<'m> {
        Module { lowering: options, lowered: OnceLock::new(), ..self }
    }

    /// Lowers the compile-time properties, like other calls before they transform the module. Properties without a meaning are removed.
    ///
    /// # Errors
    /// If a value is invalid for its property, or contradicts an existing mode or decoration.
    ///
    /// ```
    /// let bytes = std::fs::read("fixtures/properties/kernels-llvm-spirv-O2.spv")?;
    /// let module = spirv_if::Module::from_bytes(&bytes)?;
    /// let lowered = module.lowered_properties()?;
    /// assert!(lowered.lowered > 0);
    /// assert_eq!(lowered.removed[0].name, "sycl-example");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn lowered_properties(&self) -> Result<&LoweredProperties, Error> {
        if let Some(known) = self.lowered.get() {
            return Ok(known);
        }
        let lowered = self.lower_properties()?;
        Ok(self.lowered.get_or_init(|| lowered))
    }

    /// Returns the module with its properties lowered, as the source of other modules.
    #[doc(hidden)]
    pub fn lowered(&self) -> Result<&Module<'_>, Error> {
        Ok(self.lowered_properties()?.module().unwrap_or(self))
    }

    /// Returns the declarations that lowering adds, if the module has properties.
    #[doc(hidden)]
    pub fn lowered_declarations(&self, analyses: &Analyses) -> Result<Option<ModuleDeclarations>, Error> {
        if analyses.properties().is_empty() {
            return Ok(None);
        }
        let lowered = apply(&self.inner, &properties::lower(analyses, self.lowering)?.edits)?;
        Ok(Some(ModuleDeclarations::added(&self.inner, &loader::Module::from_words(lowered)?)))
    }

    fn lower_properties(&self) -> Result<LoweredProperties, Error> {
        let analyses = self.analyses();
        if analyses.properties().is_empty() {
            let known = KnownProperties { properties: SyclProperties::default(), names: None };
            let warnings = properties::misspelled_lists(&analyses);
            return Ok(LoweredProperties { known: Some(known), warnings, ..LoweredProperties::default() });
        }
        let lowered = properties::lower(&analyses, self.lowering)?;
        let words = apply(&self.inner, &lowered.edits)?;
        let is_changed = words != self.words() || !self.annotated.properties.is_empty();
        let dimensions = lowered.work_group_dimensions;
        let known = || KnownProperties {
            properties: analyses.properties().clone(),
            names: Some(Arc::clone(analyses.names().table())),
        };
        Ok(LoweredProperties {
            known: (!is_changed).then(known),
            module: is_changed.then(|| self.remade(words, dimensions)).transpose()?.map(Box::new),
            lowered: lowered.lowered,
            removed: lowered
                .removed
                .into_iter()
                .map(|(name, holder)| RemovedProperty { name, holder })
                .collect(),
            warnings: lowered.warnings,
        })
    }

    /// Returns the module with other words, in which its properties are lowered. `dimensions` are the numbers of dimensions that the work-group sizes of
    /// kernels had as properties.
    fn remade(&self, words: Vec<u32>, dimensions: IdMap<u8>) -> Result<Module<'static>, Error> {
        let mut annotated = self.annotated.clone().into_owned();
        annotated.properties = IdMap::new();
        annotated.work_group_dimensions = dimensions;
        Ok(Module {
            inner: loader::Module::from_words(words)?,
            name: Cow::Owned(self.name.clone().into_owned()),
            properties: self.properties.clone(),
            annotated: Cow::Owned(annotated),
            names: None,
            fixed_targets: Cow::Owned(self.fixed_targets.clone().into_owned()),
            inside: None,
            lowering: self.lowering,
            lowered: OnceLock::from(LoweredProperties::default()),
        })
    }
}
