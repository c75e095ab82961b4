//! Device code split: a module as several images, each for some of its kernels (docs/design/optional-kernel-features.md, "Changes to the
//! post-link tool"; `spec-extensions/splitting.md`).

mod external;
mod image;
mod imports;
mod owned;
mod plan;
mod state;
#[cfg(test)]
mod tests;

pub use image::Image;
use image::Symbols;
use owned::Owned;
pub use plan::{Plan, Traits};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{PipelineError, UnitNames, has_conditional_calls};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, AnalysisError, Names, RequirementSummaries};
use crate::check::Warning;
use crate::condition::Conditions;
use crate::device::{Device, DeviceConfig};
use crate::loader::Module;
use crate::metadata::property_sets::{PropertyNames, PropertySets, SPECIAL_CONSTANTS, SpecialConstants};
use crate::transform::cloning::CloneLimit;
use crate::transform::split::{Graph, SplitRoot, roots};

/// The way in which kernels and exported functions are grouped, before they are split further so that no device rejects an image for a
/// requirement of another kernel in it. No mode separates those that share state and have the same requirements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// An image for each; nothing is left to split further.
    Kernel,
    /// By translation unit.
    Source,
    /// Together.
    Off,
    /// By translation unit; together, if the module has pointers to functions, which may be taken in one translation unit and called
    /// in another.
    #[default]
    Auto,
}

/// What becomes of code that is conditional, in images for any device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Jit {
    /// It stays as it is: images declare features that only some devices have.
    #[default]
    Declare,
    /// Images are packed: conditions are decided when one is loaded.
    Pack,
    /// It is in images of its own. Images are linked then, so that each function and variable is defined in one.
    AddOn,
}

/// Options of splitting a module.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// The way of grouping.
    pub mode: Mode,
    /// The translation unit of functions without one of their own: the name of the module.
    pub source: &'o str,
    /// The devices that all code of the module is meant for (`-fsycl-fixed-targets`), but for functions that annotations name
    /// others for; empty for any device.
    pub fixed_targets: &'o [Device],
    /// The configuration that devices are of.
    pub devices: &'o DeviceConfig,
    /// Counts only entry points as roots: exported functions that they do not call are in no image.
    pub only_entry_points: bool,
    /// A new name for the entry point of an image that has only one.
    pub rename_entry: Option<&'o str>,
    /// What becomes of conditions.
    pub jit: Jit,
    /// The most clones of one function in an image that is packed.
    pub max_clones: CloneLimit,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

/// A module, and the images that it is to be split into.
pub struct Split<'m> {
    analyses: Arc<Analyses<'m>>,
    properties: Cow<'m, PropertySets>,
    devices: DeviceConfig,
    rename_entry: Option<String>,
    jit: Jit,
    max_clones: CloneLimit,
    property_names: PropertyNames,
    strips_properties: bool,
    /// The arena of the conditions of requirement summaries, and of those derived from them.
    conditions: Conditions,
    graph: Graph<'m>,
    roots: Vec<SplitRoot>,
    /// By function: the aspects of the targets that annotations name; none, if it is known to be for any device.
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
    plans: Vec<Plan>,
    symbols: Symbols,
    /// The state of which several images have a copy, with the warning of each.
    copied: Vec<(u32, Warning)>,
    owned: Owned,
}

/// Plans how to split a module with these properties beside it: [`Split::image`] makes an image from each of [`Split::plans`], on any
/// thread.
///
/// # Errors
/// See [`PipelineError`].
pub fn split<'m>(
    analyses: impl Into<Arc<Analyses<'m>>>,
    properties: Cow<'m, PropertySets>,
    options: &Options,
) -> Result<Split<'m>, PipelineError> {
    let analyses: Arc<Analyses> = analyses.into();
    let (module, annotated) = (analyses.module(), analyses.annotated());
    let summaries = analyses.summaries()?;
    let instead =
        annotated.otherwise.iter().filter_map(|(&function, instead)| Some((function, instead.function()?)));
    let graph = Graph::new(module, instead);
    let special = properties.get(SPECIAL_CONSTANTS).map(SpecialConstants::from_set).transpose()?;
    let of_kernels = is_of_kernels(module);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some() || !options.only_entry_points);
    let mut split = Split {
        devices: options.devices.clone(),
        rename_entry: options.rename_entry.map(str::to_owned),
        jit: options.jit,
        max_clones: options.max_clones,
        owned: Owned::default(),
        property_names: options.property_names,
        strips_properties: analyses.strips_properties(),
        conditions: summaries.conditions.clone(),
        roots,
        graph,
        fixed: plan::fixed_by_function(annotated, options.devices)?,
        fixed_of_all: plan::fixed_of_all(options.fixed_targets, &properties)?,
        fixed_devices: options.fixed_targets.to_vec(),
        special: special.unwrap_or_default(),
        spec_ids: module.spec_ids().map(|own| (own.id(), own.spec_id())).collect(),
        is_conditional: !annotated.spec_constants.is_empty() || has_conditional_calls(&analyses)?,
        of_kernels,
        plans: Vec::new(),
        symbols: Symbols::default(),
        copied: Vec::new(),
        properties,
        analyses,
    };
    split.plans = plan::plan(&mut split, options)?;
    split.keep_together()?;
    if options.jit == Jit::AddOn && !options.only_entry_points {
        split.own_images()?;
    }
    split.symbols = Symbols::of(&split, options.only_entry_points)?;
    Ok(split)
}

impl<'m> Split<'m> {
    /// The images to be made, in the order of the first root of each in the module.
    pub fn plans(&self) -> &[Plan] {
        &self.plans
    }

    /// The entry points, then the exported functions that count like them; [`Plan::roots`] numbers them.
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
        self.property_names
    }

    /// The devices that a function is meant for, by the aspects that stand for these; `None` for any device.
    fn fixed_targets(&self, function: u32) -> Option<&Vec<u32>> {
        match self.fixed.get(&function) {
            Some(own) => Some(own).filter(|own| !own.is_empty()),
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
