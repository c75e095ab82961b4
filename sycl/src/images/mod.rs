//! Device code split: splitting a module into several images, each for some kernels (docs/design/optional-kernel-features.md, "Changes to the
//! post-link tool"; `spec-extensions/splitting.md`).

mod error;
mod external;
mod globals;
mod image;
mod imports;
mod owned;
mod plan;
mod state;
#[cfg(test)]
mod tests;

pub use error::SplitError;
use globals::DeviceGlobals;
use image::ImageSymbols;
pub use image::SplitImage;
use owned::OwnedSymbols;
pub use plan::{SplitPlan, Traits};

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use crate::checks::CheckWarning;
use crate::unit_names::UnitNames;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::requirements::is_of_kernels;
use spirv_if::engine::analysis::{Analyses, AnalysisError, Names, RequirementSummaries};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::condition::Conditions;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::{SPECIAL_CONSTANTS, SpecialConstants};
use spirv_if::engine::pipelines::{PipelineError, has_conditional_calls};
use spirv_if::engine::transform::cloning::CloneLimit;
use spirv_if::engine::transform::split::{SplitGraph, SplitRoot, roots};
use spirv_if::property_sets::{PropertyNames, PropertySets};

/// The grouping of kernels and exported functions. Groups are split further, so that no device rejects an image because of another kernel's
/// requirement. No mode separates kernels that share state and have the same requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitMode {
    /// One image for each kernel and exported function.
    Kernel,
    /// One image for each translation unit.
    Source,
    /// One image for all.
    Off,
    /// Like `Off` if the module has pointers to functions, which other translation units may call. Otherwise like `Source`.
    #[default]
    Auto,
}

/// The treatment of conditional code in images for any device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Jit {
    /// Images keep it, and declare features that only some devices have.
    #[default]
    Declare,
    /// Images are packed: conditions are decided when an image is loaded.
    Pack,
    /// Add-on images hold it. All images are linked, so that one image defines each function and variable.
    AddOn,
}

/// Options of splitting a module.
///
/// ```
/// use spirv_if_sycl::split::{Jit, SplitMode, SplitOptions};
/// let options = SplitOptions::new().mode(SplitMode::Kernel).jit(Jit::Pack);
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SplitOptions {
    pub(crate) mode: SplitMode,
    pub(crate) only_entry_points: bool,
    pub(crate) rename_entry: Option<String>,
    pub(crate) jit: Jit,
    pub(crate) max_clones: CloneLimit,
    pub(crate) devices: Option<DeviceConfig>,
    /// The device for which the conditions of the module were decided.
    pub(crate) decided_for: Option<Device>,
    pub(crate) property_names: PropertyNames,
}

impl SplitOptions {
    /// Starts with the default options.
    pub fn new() -> SplitOptions {
        SplitOptions::default()
    }

    /// Sets the grouping of entry points.
    pub fn mode(mut self, mode: SplitMode) -> SplitOptions {
        self.mode = mode;
        self
    }

    /// Treats only entry points as roots, if true. Exported functions that they do not call are then in no image.
    pub fn only_entry_points(mut self, only: bool) -> SplitOptions {
        self.only_entry_points = only;
        self
    }

    /// Renames the entry point of each image with a single entry point.
    pub fn rename_entry(mut self, name: impl Into<String>) -> SplitOptions {
        self.rename_entry = Some(name.into());
        self
    }

    /// Sets the treatment of conditional code in images for any device.
    pub fn jit(mut self, jit: Jit) -> SplitOptions {
        self.jit = jit;
        self
    }

    /// Sets the maximum number of clones of one function where conditional code is packed, 8 by default.
    ///
    /// See [`PackOptions::max_clones`](spirv_if::PackOptions::max_clones).
    pub fn max_clones(mut self, count: usize) -> SplitOptions {
        self.max_clones = CloneLimit(count);
        self
    }

    /// Sets the device configuration, by default the embedded one.
    pub fn devices(mut self, devices: impl Into<Option<DeviceConfig>>) -> SplitOptions {
        self.devices = devices.into();
        self
    }

    /// Sets the spelling of properties.
    pub fn property_names(mut self, names: PropertyNames) -> SplitOptions {
        self.property_names = names;
        self
    }
}

/// The description of a module, besides its words and property sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitInput<'i> {
    /// The translation unit of functions that name none: the name of the module.
    pub source: &'i str,
    /// The devices that the module is meant for (`-fsycl-fixed-targets`), or empty for any device. Annotations may name other devices for
    /// functions.
    pub fixed_targets: &'i [Device],
}

/// A module with the plans of its images.
pub struct ModuleSplit<'m> {
    analyses: Arc<Analyses<'m>>,
    properties: Cow<'m, PropertySets>,
    options: SplitOptions,
    /// The device configuration.
    devices: DeviceConfig,
    strips_properties: bool,
    /// The arena of conditions in requirement summaries, and of conditions derived from them.
    conditions: Conditions,
    graph: SplitGraph<'m>,
    roots: Vec<SplitRoot>,
    /// The aspects of targets that annotations name, by function. An empty list means any device.
    fixed: IdMap<Vec<u32>>,
    /// The aspects of the module's targets.
    fixed_of_all: Option<Vec<u32>>,
    /// The targets that the user names.
    fixed_devices: Vec<Device>,
    special: SpecialConstants,
    /// The constants with a SpecId: id and SpecId.
    spec_ids: Vec<(u32, u32)>,
    is_conditional: bool,
    of_kernels: bool,
    plans: Vec<SplitPlan>,
    symbols: ImageSymbols,
    /// The state with copies in several images, each with its warning.
    copied: Vec<(u32, CheckWarning)>,
    owned: OwnedSymbols,
    globals: DeviceGlobals,
    /// The names of all entry points.
    kernels: HashSet<String>,
}

/// Plans how to split a module with these property sets. `ModuleSplit::image` makes an image from each of `ModuleSplit::plans`, on any
/// thread.
///
/// # Errors
/// See [`PipelineError`].
pub fn split<'m>(
    analyses: impl Into<Arc<Analyses<'m>>>,
    properties: Cow<'m, PropertySets>,
    input: SplitInput,
    options: SplitOptions,
) -> Result<ModuleSplit<'m>, PipelineError> {
    let analyses: Arc<Analyses> = analyses.into();
    let devices = match &options.devices {
        Some(devices) => devices.clone(),
        None => DeviceConfig::embedded()?,
    };
    let (module, annotated) = (analyses.module(), analyses.annotated());
    let summaries = analyses.summaries()?;
    let instead =
        annotated.otherwise.iter().filter_map(|(&function, instead)| Some((function, instead.function()?)));
    let graph = SplitGraph::from_analyses(&analyses, instead);
    let special = properties.get(SPECIAL_CONSTANTS).map(SpecialConstants::from_set).transpose()?;
    let of_kernels = is_of_kernels(module);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some() || !options.only_entry_points);
    let mut split = ModuleSplit {
        owned: OwnedSymbols::default(),
        globals: DeviceGlobals::find(&analyses, &properties),
        kernels: module.entry_points().map(|entry| entry.name().into_owned()).collect(),
        strips_properties: analyses.strips_properties(),
        conditions: summaries.conditions.clone(),
        roots,
        graph,
        fixed: plan::fixed_by_function(annotated, &devices)?,
        fixed_of_all: plan::fixed_of_all(input.fixed_targets, &properties)?,
        fixed_devices: input.fixed_targets.to_vec(),
        special: special.unwrap_or_default(),
        spec_ids: analyses.spec_constants_by_id().iter().map(|decl| (decl.id, decl.spec_id)).collect(),
        is_conditional: !annotated.spec_constants.is_empty() || has_conditional_calls(&analyses)?,
        of_kernels,
        plans: Vec::new(),
        symbols: ImageSymbols::default(),
        copied: Vec::new(),
        properties,
        analyses,
        options,
        devices,
    };
    split.plans = plan::plan(&mut split, input.source)?;
    split.keep_together()?;
    if split.options.jit == Jit::AddOn && !split.options.only_entry_points {
        split.own_images()?;
    }
    split.symbols = ImageSymbols::new(&split)?;
    Ok(split)
}

impl<'m> ModuleSplit<'m> {
    /// Returns the planned images, in the order of their first roots in the module.
    pub fn plans(&self) -> &[SplitPlan] {
        &self.plans
    }

    /// Returns the entry points, then the exported functions that are roots too. [`SplitPlan::roots`] refers to them by number.
    pub fn roots(&self) -> &[SplitRoot] {
        &self.roots
    }

    /// Returns the module.
    pub fn module(&self) -> &'m Module<'m> {
        self.analyses.module()
    }

    /// Returns true if some code is conditional and not packed yet. Images that are not packed then declare features that only some devices have.
    pub fn is_conditional(&self) -> bool {
        self.is_conditional
    }

    /// Returns the device configuration.
    pub fn devices(&self) -> &DeviceConfig {
        &self.devices
    }

    /// Returns the spelling of properties.
    pub fn property_names(&self) -> PropertyNames {
        self.options.property_names
    }

    /// Returns the aspects of a function's targets, or `None` for any device.
    fn fixed_targets(&self, function: u32) -> Option<&Vec<u32>> {
        match self.fixed.get(&function) {
            Some(targets) => Some(targets).filter(|targets| !targets.is_empty()),
            None => self.fixed_of_all.as_ref(),
        }
    }

    /// Returns the number of the translation unit of a root; 0 if the module is one.
    fn unit(&self, root: &SplitRoot) -> usize {
        self.analyses.annotated().units.get(&root.function).copied().unwrap_or_default()
    }

    /// Returns the group of the translation unit of a root.
    fn group(&self, root: &SplitRoot) -> usize {
        self.analyses.annotated().unit_properties.group(self.unit(root))
    }

    /// Returns the translation units of roots.
    fn units<'r>(&self, roots: impl IntoIterator<Item = &'r SplitRoot>) -> BTreeSet<usize> {
        roots.into_iter().map(|root| self.unit(root)).collect()
    }

    fn names(&self) -> &Names<'m> {
        self.analyses.names()
    }

    fn summaries(&self) -> Result<&RequirementSummaries<'m>, AnalysisError> {
        self.analyses.summaries()
    }
}
