//! Device code split: a module as several images, each for some of its kernels (docs/design/optional-kernel-features.md, "Changes to the
//! post-link tool"; `spec-extensions/splitting.md`).

mod error;
mod external;
mod image;
mod imports;
mod owned;
mod plan;
mod state;
#[cfg(test)]
mod tests;

pub use error::SplitError;
use image::ImageSymbols;
pub use image::SplitImage;
use owned::OwnedSymbols;
pub use plan::{SplitPlan, Traits};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PipelineError, UnitNames, has_conditional_calls};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, AnalysisError, Names, RequirementSummaries};
use crate::check::CheckWarning;
use crate::condition::Conditions;
use crate::device::{Device, DeviceConfig};
use crate::loader::Module;
use crate::metadata::property_sets::{PropertyNames, PropertySets, SPECIAL_CONSTANTS, SpecialConstants};
use crate::transform::cloning::CloneLimit;
use crate::transform::split::{SplitGraph, SplitRoot, roots};

/// The grouping of kernels and exported functions. Groups are split further so that no device rejects an image for a requirement of another
/// kernel in it. No mode separates kernels that share state and have the same requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SplitMode {
    /// An image for each; nothing is left to split further.
    Kernel,
    /// One image for each translation unit.
    Source,
    /// One image for all.
    Off,
    /// Like `Source`, or like `Off` if the module has pointers to functions, which may be taken in one translation unit and called
    /// in another.
    #[default]
    Auto,
}

/// The treatment of conditional code in images for any device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Jit {
    /// The module keeps it: images declare features that only some devices have.
    #[default]
    Declare,
    /// Images are packed: conditions are decided when one is loaded.
    Pack,
    /// Images of its own hold it. All images are linked, so that each function and variable is defined in one.
    AddOn,
}

/// Options of splitting a module.
///
/// ```
/// use spirv_if::split::{Jit, SplitMode, SplitOptions};
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
    pub(crate) property_names: PropertyNames,
}

impl SplitOptions {
    /// Starts with the default options.
    pub fn new() -> SplitOptions {
        SplitOptions::default()
    }

    /// Sets the way in which entry points are grouped.
    pub fn mode(mut self, mode: SplitMode) -> SplitOptions {
        self.mode = mode;
        self
    }

    /// Counts only entry points as roots, if true: exported functions that they do not call are in no image.
    pub fn only_entry_points(mut self, only: bool) -> SplitOptions {
        self.only_entry_points = only;
        self
    }

    /// Sets a new name for the entry point of each image that has only one.
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
    /// See [`PackOptions::max_clones`](crate::PackOptions::max_clones).
    pub fn max_clones(mut self, count: usize) -> SplitOptions {
        self.max_clones = CloneLimit(count);
        self
    }

    /// Sets the configuration that devices are of. By default it is the embedded one.
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

/// The description of a module that is split, besides its words and property sets.
#[derive(Clone, Copy, Debug, Default)]
pub struct SplitInput<'i> {
    /// The translation unit of functions without one of their own: the name of the module.
    pub source: &'i str,
    /// The devices that all code of the module is meant for (`-fsycl-fixed-targets`), except functions that annotations name others for;
    /// empty for any device.
    pub fixed_targets: &'i [Device],
}

/// A module, and the images that it is to be split into.
pub struct ModuleSplit<'m> {
    analyses: Arc<Analyses<'m>>,
    properties: Cow<'m, PropertySets>,
    options: SplitOptions,
    /// The configuration that devices are of.
    devices: DeviceConfig,
    strips_properties: bool,
    /// The arena of the conditions of requirement summaries, and of those derived from them.
    conditions: Conditions,
    graph: SplitGraph<'m>,
    roots: Vec<SplitRoot>,
    /// The aspects of the targets that annotations name, by function; an empty list means any device.
    fixed: BTreeMap<u32, Vec<u32>>,
    /// The aspects of the targets that the whole module is meant for.
    fixed_of_all: Option<Vec<u32>>,
    /// These targets, as far as the user names them.
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
}

/// Plans how to split a module with these properties beside it: [`ModuleSplit::image`] makes an image from each of [`ModuleSplit::plans`], on any
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
    let graph = SplitGraph::with_references(module, Arc::clone(analyses.references()), instead);
    let special = properties.get(SPECIAL_CONSTANTS).map(SpecialConstants::from_set).transpose()?;
    let of_kernels = is_of_kernels(module);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some() || !options.only_entry_points);
    let mut split = ModuleSplit {
        owned: OwnedSymbols::default(),
        strips_properties: analyses.strips_properties(),
        conditions: summaries.conditions.clone(),
        roots,
        graph,
        fixed: plan::fixed_by_function(annotated, &devices)?,
        fixed_of_all: plan::fixed_of_all(input.fixed_targets, &properties)?,
        fixed_devices: input.fixed_targets.to_vec(),
        special: special.unwrap_or_default(),
        spec_ids: module.spec_ids().map(|decl| (decl.id(), decl.spec_id())).collect(),
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
    /// The images to be made, in the order of the first root of each in the module.
    pub fn plans(&self) -> &[SplitPlan] {
        &self.plans
    }

    /// The entry points, then the exported functions that count like them; [`SplitPlan::roots`] numbers them.
    pub fn roots(&self) -> &[SplitRoot] {
        &self.roots
    }

    /// The module.
    pub fn module(&self) -> &'m Module<'m> {
        self.analyses.module()
    }

    /// True if some code is conditional and not packed yet: then images declare features that only some devices have, unless they are
    /// packed.
    pub fn is_conditional(&self) -> bool {
        self.is_conditional
    }

    /// The configuration that devices are of.
    pub fn devices(&self) -> &DeviceConfig {
        &self.devices
    }

    /// The spelling of the properties.
    pub fn property_names(&self) -> PropertyNames {
        self.options.property_names
    }

    /// Returns the devices that a function is meant for, by the aspects of these targets; `None` for any device.
    fn fixed_targets(&self, function: u32) -> Option<&Vec<u32>> {
        match self.fixed.get(&function) {
            Some(targets) => Some(targets).filter(|targets| !targets.is_empty()),
            None => self.fixed_of_all.as_ref(),
        }
    }

    fn names(&self) -> &Names<'m> {
        self.analyses.names()
    }

    fn summaries(&self) -> Result<&RequirementSummaries<'m>, AnalysisError> {
        self.analyses.summaries()
    }
}
