//! Device code split: a module as several images, each for some of its kernels (seed "optional kernel features", "Changes to the
//! post-link tool"; `spec-extensions/splitting.md`).

mod external;
mod image;
mod plan;
mod state;
#[cfg(test)]
mod tests;

pub use image::Image;
pub use plan::{Plan, Traits};

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use spirv::{Decoration, Op};
use thiserror::Error;

use super::{PipelineError, has_conditional_calls};
use crate::analysis::requirements::is_of_kernels;
use crate::analysis::{Analyses, AnalysisError, DeclaredAspects, Names, RequirementSummaries, Sizes};
use crate::check::{Shared, Warning};
use crate::condition::{ConditionError, Conditions};
use crate::device::{Device, DeviceConfig, DeviceError};
use crate::loader::{LoadError, Module};
use crate::sidecar::property_sets::{
    PropertyError, PropertyNames, PropertySets, SPECIAL_CONSTANTS, SpecialConstants,
};
use crate::transform::split::{Graph, SplitRoot, roots};
use crate::writer::WriteError;

/// How kernels and exported functions are grouped, before they are split further so that no device refuses an image for what only
/// another kernel in it needs. No mode parts those that share state and require the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// An image for each; nothing is left to split further.
    Kernel,
    /// By translation unit.
    Source,
    /// Together.
    Off,
    /// By translation unit; together, if the module has pointers to functions, which may be made in one translation unit and called
    /// in another.
    #[default]
    Auto,
}

/// How to split a module.
#[derive(Clone, Copy, Debug)]
pub struct Options<'o> {
    /// How to group.
    pub mode: Mode,
    /// The translation unit of functions that do not say theirs: the name of the module.
    pub source: &'o str,
    /// The devices that all code of the module is meant for (`-fsycl-fixed-targets`), but for functions that annotations name
    /// others for; empty for any device.
    pub fixed_targets: &'o [Device],
    /// The configuration that devices are of.
    pub devices: &'o DeviceConfig,
    /// Whether only entry points count, and exported functions that they do not need are in no image.
    pub only_entry_points: bool,
    /// What the entry point of an image is called that has only one, instead of its name.
    pub rename_entry: Option<&'o str>,
    /// Whether images are packed, if something in the module is conditional.
    pub pack: bool,
    /// The spelling of the properties.
    pub property_names: PropertyNames,
}

/// Why a module cannot be split.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SplitError {
    /// There is no kernel for an image of its own.
    #[error(
        "the module has no entry point, so there is nothing to split by kernel; split it by source, or not at all (off)"
    )]
    NoEntryPoint,
    /// Nothing is needed of the module.
    #[error(
        "the module has neither an entry point nor an exported function: no image would have anything in it"
    )]
    NoRoots,
    /// Several images need a variable that only one may have.
    #[error("{0}; its property 'sycl-device-image-scope' allows only one")]
    ImageScope(Shared),
    /// A fixed target has no aspect by which the property could name it.
    #[error(
        "device `{0}` cannot be a fixed target: it is of no known architecture, and so has no aspect that stands for it"
    )]
    NoArchitecture(String),
    /// Its conditional calls cannot be understood.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The properties beside it are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A function is meant for a device that does not exist.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// An image has no room for its ids.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// An image cannot be packed.
    #[error(transparent)]
    Pack(#[from] Box<PipelineError>),
    /// The module is invalid, and so is an image.
    #[error("the module is invalid: an image of it does not load")]
    Load(#[from] LoadError),
}

/// A module, and the images that it is to be split into.
pub struct Split<'m> {
    analyses: Arc<Analyses<'m>>,
    properties: Cow<'m, PropertySets>,
    devices: DeviceConfig,
    rename_entry: Option<String>,
    pack: bool,
    property_names: PropertyNames,
    /// The arena of the demands' conditions, and of what is derived from them.
    conditions: Conditions,
    graph: Graph<'m>,
    roots: Vec<SplitRoot>,
    /// By function: the aspects of the targets that annotations name.
    fixed: BTreeMap<u32, Vec<u32>>,
    /// The aspects of the targets that the whole module is meant for.
    fixed_of_all: Option<Vec<u32>>,
    special: SpecialConstants,
    /// The constants with a SpecId: id and SpecId.
    spec_ids: Vec<(u32, u32)>,
    is_conditional: bool,
    of_kernels: bool,
    plans: Vec<Plan>,
    /// The state that several images have a copy of, each with the warning of it.
    copied: Vec<(u32, Warning)>,
}

/// Plans how to split a module with these properties beside it: [`Split::image`] makes an image from each of [`Split::plans`], on any
/// thread.
///
/// # Errors
/// See [`SplitError`].
pub fn split<'m>(
    analyses: impl Into<Arc<Analyses<'m>>>,
    properties: Cow<'m, PropertySets>,
    options: &Options,
) -> Result<Split<'m>, SplitError> {
    let analyses: Arc<Analyses> = analyses.into();
    let (module, annotated) = (analyses.module(), analyses.annotated());
    let summaries = analyses.summaries()?;
    let instead =
        annotated.otherwise.iter().filter_map(|(&function, instead)| Some((function, instead.function()?)));
    let graph = Graph::new(module, instead);
    let special = properties.get(SPECIAL_CONSTANTS).map(SpecialConstants::from_set).transpose()?;
    let has_spec_id = module
        .annotations()
        .filter(|inst| inst.is(Op::Decorate) && inst.word(2) == Decoration::SpecId as u32);
    let of_kernels = is_of_kernels(module);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some() || !options.only_entry_points);
    let mut split = Split {
        devices: options.devices.clone(),
        rename_entry: options.rename_entry.map(str::to_owned),
        pack: options.pack,
        property_names: options.property_names,
        conditions: summaries.conditions.clone(),
        roots,
        graph,
        fixed: plan::fixed_by_function(annotated, options.devices)?,
        fixed_of_all: plan::fixed_of_all(options.fixed_targets, &properties)?,
        special: special.unwrap_or_default(),
        spec_ids: has_spec_id.map(|inst| (inst.word(1), inst.word(3))).collect(),
        is_conditional: !annotated.spec_constants.is_empty() || has_conditional_calls(&analyses)?,
        of_kernels,
        plans: Vec::new(),
        copied: Vec::new(),
        properties,
        analyses,
    };
    split.plans = plan::plan(&mut split, options)?;
    split.keep_together()?;
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

    /// Whether some code is conditional that is not packed yet: then images declare what only some devices have, unless they are
    /// packed.
    pub fn is_conditional(&self) -> bool {
        self.is_conditional
    }

    fn names(&self) -> &Names<'m> {
        self.analyses.names()
    }

    fn sizes(&self) -> &BTreeMap<u32, Sizes> {
        self.analyses.sizes()
    }

    fn summaries(&self) -> Result<&RequirementSummaries<'m>, AnalysisError> {
        self.analyses.summaries()
    }

    fn declared(&self) -> Result<&DeclaredAspects, AnalysisError> {
        self.analyses.declared_aspects()
    }
}
