//! The grouping of roots into images.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::owned::OwnedSymbols;
use super::{Jit, ModuleSplit, PipelineError, SplitError, SplitMode};
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::ReadableConditions;
use spirv_if::engine::analysis::{self, Annotated, RootRequirements, SimplifiedRequirements};
use spirv_if::engine::collections::{IdMap, OrderedMap};
use spirv_if::engine::condition::ConditionId;
use spirv_if::engine::device::aspects;
use spirv_if::engine::loader::views;
use spirv_if::engine::metadata::property_sets::{DeviceRequirements, SpecialConstants};
use spirv_if::engine::transform::split::SplitRoot;
use spirv_if::property_sets::PropertySets;

/// A planned image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitPlan {
    /// The roots, by number in `ModuleSplit::roots`, in ascending order.
    pub roots: Vec<usize>,
    /// The translation unit if the module is split by it. `None` if shared state joins several units.
    pub source: Option<String>,
    /// The common traits of its roots.
    pub traits: Traits,
    /// The group of its translation units (`UnitProperties::group`).
    pub group: usize,
}

/// The traits that all roots of an image have in common (docs/design/optional-kernel-features.md, "Changes to the device code split
/// algorithm").
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Traits {
    /// The aspects of the roots' targets. No other trait matters then.
    Fixed(BTreeSet<u32>),
    /// The requirements of roots that are meant for any device.
    Any(SimplifiedRequirements),
}

/// Groups the roots, ignoring shared state.
pub(crate) fn plan(split: &mut ModuleSplit, name: &str) -> Result<Vec<SplitPlan>, PipelineError> {
    if split.analyses.module().has_graphs() {
        return Err(SplitError::Graphs.into());
    }
    let mode = match split.options.mode {
        SplitMode::Auto if split.graph.takes_function_pointers() => SplitMode::Off,
        SplitMode::Auto => SplitMode::Source,
        mode => mode,
    };
    if mode == SplitMode::Kernel && split.roots.iter().all(|root| root.entry_point.is_none()) {
        return Err(SplitError::NoEntryPoint.into());
    }
    if split.roots.is_empty() {
        return Err(SplitError::NoRoots.into());
    }
    let analyses = Arc::clone(&split.analyses);
    let sources = analyses.sources();
    let mut readable = ReadableConditions::new(
        analyses.module(),
        analyses.multi_target()?,
        &SpecialConstants::from_properties(&split.properties)?,
        &mut split.conditions,
    )?;
    let mut grouping = RootGrouping { mode, plans: Vec::new(), known: OrderedMap::new() };
    let source = |root: &SplitRoot| {
        let source = sources.get(&root.function).map(String::as_str);
        source.unwrap_or(name).to_owned()
    };
    for (number, root) in split.roots.clone().iter().enumerate() {
        let traits = traits(split, root, &mut readable)?;
        grouping.add(number, source(root), traits, split.group(root));
    }
    if split.options.jit != Jit::AddOn && !split.options.only_entry_points {
        let shared = split.shared_exports(&grouping.plans)?;
        for &function in &shared.functions {
            let root = split.exported_root(function);
            let traits = traits(split, &root, &mut readable)?;
            grouping.add(split.roots.len(), source(&root), traits, split.group(&root));
            split.roots.push(root);
        }
        split.owned = OwnedSymbols::of_copies(shared);
    }
    Ok(grouping.plans)
}

/// The grouping of roots while it is built.
struct RootGrouping {
    mode: SplitMode,
    plans: Vec<SplitPlan>,
    /// The planned image, by traits, group of translation units and, if the module is split by it, translation unit.
    known: OrderedMap<(Option<String>, Traits, usize), usize>,
}

impl RootGrouping {
    fn add(&mut self, root: usize, source: String, traits: Traits, group: usize) {
        let source = (self.mode == SplitMode::Source).then_some(source);
        let next = self.plans.len();
        let at = match self.mode {
            SplitMode::Kernel => next,
            _ => *self.known.entry((source.clone(), traits.clone(), group)).or_insert(next),
        };
        if at == next {
            self.plans.push(SplitPlan { roots: Vec::new(), source, traits, group });
        }
        self.plans[at].roots.push(root);
    }
}

/// Returns the traits of a root.
pub(super) fn traits(
    split: &mut ModuleSplit,
    root: &SplitRoot,
    readable: &mut ReadableConditions,
) -> Result<Traits, PipelineError> {
    match split.fixed_targets(root.function) {
        Some(targets) => Ok(Traits::Fixed(targets.iter().copied().collect())),
        None => traits_of_root(split, root, readable),
    }
}

/// Returns the traits of a root for any device.
fn traits_of_root(
    split: &mut ModuleSplit,
    root: &SplitRoot,
    readable: &mut ReadableConditions,
) -> Result<Traits, PipelineError> {
    let (summaries, conditions) = (split.analyses.summaries()?, &mut split.conditions);
    let module_root = match root.entry_point {
        Some(offset) => {
            analysis::ModuleRoot::EntryPoint(views::EntryPoint(split.analyses.module().instruction(offset)))
        }
        None => analysis::ModuleRoot::Exported(root.function),
    };
    let mut summary = module_root.summary(summaries);
    for &companion in &root.companions {
        summary.add(summaries.summary(companion), ConditionId::TRUE, conditions)?;
    }
    summary.normalize();
    let needs = RootRequirements::of_root(&split.analyses, module_root, &summary, conditions)?;
    let mut required = needs.all(conditions)?;
    for when in required.values_mut() {
        *when = match readable.when(*when, conditions)? {
            Some(named) => conditions.of_expr(&named.expr)?,
            None => ConditionId::TRUE,
        };
    }
    Ok(Traits::Any(SimplifiedRequirements::new(required, conditions, Some(&split.devices))?))
}

/// Returns the fixed targets that annotations name, by function.
pub(crate) fn fixed_by_function(
    annotated: &Annotated,
    devices: &DeviceConfig,
) -> Result<IdMap<Vec<u32>>, PipelineError> {
    let mut fixed: IdMap<Vec<u32>> = IdMap::new();
    for (&function, globs) in &annotated.fixed_targets {
        let target_aspects = fixed.entry(function).or_default();
        for glob in globs {
            for device in devices.matching(glob)? {
                target_aspects.push(target_aspect(device)?);
            }
        }
    }
    Ok(fixed)
}

/// Returns the fixed targets of the module: the user's, or else the targets in its properties.
pub(crate) fn fixed_of_all(
    named: &[Device],
    properties: &PropertySets,
) -> Result<Option<Vec<u32>>, PipelineError> {
    if !named.is_empty() {
        return Ok(Some(named.iter().map(target_aspect).collect::<Result<_, _>>()?));
    }
    Ok(DeviceRequirements::from_properties(properties)?.and_then(|required| required.fixed_targets))
}

fn target_aspect(device: &Device) -> Result<u32, PipelineError> {
    let aspect = device.architecture.and_then(aspects::of_architecture);
    Ok(aspect.ok_or_else(|| SplitError::NoArchitecture(device.name().to_owned()))?)
}
