//! Entry points of a module: selection by name, and a check for entry points that a device does not run.

use thiserror::Error;

use super::error::kinds_of_errors;
use super::predicates::of_part;
use super::{PipelineError, RequestErrorKind};
use crate::analysis::{
    Analyses, AnalysisError, ModuleRoot, Sizes, fixed_limits, has_matrix_types, matrix_uses,
};
use crate::compatibility::{ComparedFeature, Compatibility, EntryRequirements, Missing};
use crate::condition::Expr;
use crate::device::Device;
use crate::loader::Module;
use crate::transform::split::{SplitGraph, SplitPart, roots};
use crate::transform::trim::trim;
use crate::writer::apply;

/// No entry point has this name.
#[derive(Debug, Error)]
#[error("there is no entry point `{name}`: the module has {}", .existing.join(", "))]
struct UnknownEntryPoint {
    name: String,
    existing: Vec<String>,
}

/// Entry points of graphs are not selected by name.
#[derive(Debug, Error)]
#[error(
    "the module has graphs, and their entry points (OpGraphEntryPointARM {}) cannot be kept or removed: specialize all of it",
    .0.join(", ")
)]
struct GraphEntryPoints(Vec<String>);

kinds_of_errors! {
    UnknownEntryPoint => request(RequestErrorKind::EntryPoint),
    GraphEntryPoints => request(RequestErrorKind::EntryPoint),
}

/// Returns true if all entry points of a module are among these names.
pub fn are_all(analyses: &Analyses, names: &[String]) -> bool {
    let is_named = |root: ModuleRoot| names.contains(&root.name(analyses.names()).into_owned());
    !analyses.module().has_graphs() && ModuleRoot::entry_points(analyses.module()).all(is_named)
}

/// Reduces a module to the entry points with these names, and the declarations that they require.
///
/// # Errors
/// If the module does not have one of them, if it has graphs, or the result would be invalid because the module is.
pub fn only(analyses: &Analyses, names: &[String]) -> Result<Vec<u32>, PipelineError> {
    let module = analyses.module();
    if module.has_graphs() {
        let names = module.graph_entry_points().map(|entry_point| format!("`{}`", entry_point.name()));
        return Err(GraphEntryPoints(names.collect()).into());
    }
    let instead = analyses.annotated().otherwise.iter();
    let instead = instead.filter_map(|(&function, instead)| Some((function, instead.function()?)));
    let graph = SplitGraph::from_analyses(analyses, instead);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some());
    if let Some(name) = names.iter().find(|name| roots.iter().all(|root| root.name != **name)) {
        let existing = roots.into_iter().map(|root| root.name).collect();
        return Err(UnknownEntryPoint { name: name.clone(), existing }.into());
    }
    roots.retain(|root| names.contains(&root.name));
    let part = SplitPart::new(&graph, &roots);
    let words = of_part(module, apply(module, &part.edits(None))?)?;
    let part = Module::from_words(&words[..])?;
    Ok(apply(&part, &trim(&part).edits)?)
}

/// An entry point that a device does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedEntryPoint {
    /// The name of the entry point.
    pub entry_point: String,
    /// The index of the device.
    pub device: usize,
    /// The missing feature.
    pub missing: Missing,
}

/// The requirements of an entry point, compared with devices.
#[derive(Clone, Debug)]
pub struct EntryPointResult {
    /// The name of the entry point.
    pub name: String,
    /// The result for each device.
    pub devices: Vec<Compatibility>,
}

/// Returns true if devices have all features of Vulkan that code of a module requires and no capability names. This is a quick answer: false
/// may be wrong.
pub fn have_vulkan_features(analyses: &Analyses, devices: &[&Device]) -> bool {
    if lists_cooperative_matrices(devices) && has_matrix_types(analyses.module()) {
        return false;
    }
    let features = analyses.possible_vulkan_features().iter();
    features.copied().map(ComparedFeature::vulkan).all(|feature| is_on_all(devices, &feature))
}

/// Returns true if devices are known to have a feature.
fn is_on_all(devices: &[&Device], feature: &ComparedFeature) -> bool {
    devices.iter().all(|device| feature.is_supported(device) == Some(true))
}

/// Returns true if a device lists its combinations of cooperative matrices.
fn lists_cooperative_matrices(devices: &[&Device]) -> bool {
    devices.iter().any(|device| device.lists_cooperative_matrices())
}

/// Returns true if devices run all entry points of a module, before and after specializing. This is a quick answer: false may be wrong.
pub fn runs_all(analyses: &Analyses, devices: &[&Device]) -> bool {
    let is_run = |sizes: &Sizes| {
        let items = sizes.fixed_work_items().map(ComparedFeature::WorkGroupSize);
        let sub_group = sizes.fixed_sub_group().map(ComparedFeature::SubGroupSize);
        !sizes.is_specializable()
            && items.into_iter().chain(sub_group).all(|feature| is_on_all(devices, &feature))
    };
    let has_limits = |root: ModuleRoot| {
        let mut limits = fixed_limits(analyses, &root).into_iter();
        limits.all(|(row, number)| is_on_all(devices, &ComparedFeature::VulkanLimit(row, number)))
    };
    !analyses.may_declare_aspects()
        && ModuleRoot::entry_points(analyses.module()).all(has_limits)
        && analyses.sizes().iter().all(|(_, sizes)| is_run(sizes))
}

/// Compares the declared requirements of each entry point and its callees with devices. Exported functions count if the module has no entry
/// points. Conditional requirements never prevent a device from running an entry point.
///
/// # Errors
/// If the declared requirements of functions cannot be read, or a condition is out of bounds.
pub fn results(analyses: &Analyses, devices: &[&Device]) -> Result<Vec<EntryPointResult>, AnalysisError> {
    let roots = ModuleRoot::all(analyses);
    let mut results = Vec::new();
    let features = match have_vulkan_features(analyses, devices) {
        true => &[][..],
        false => &analyses.vulkan_features()?.roots,
    };
    let matrices = match lists_cooperative_matrices(devices) {
        true => matrix_uses(analyses)?,
        false => Vec::new(),
    };
    for (at, (root, always)) in roots.iter().zip(analyses.unconditional_requirements()?).enumerate() {
        let features = features.get(at).map_or(&[][..], Vec::as_slice);
        let matrices = matrices.get(at).cloned().unwrap_or_default();
        let mut entry = EntryRequirements::new(analyses, root, features, matrices);
        if root.decided_by().is_some() {
            entry = EntryRequirements { work_group_size: None, limits: Vec::new(), ..entry };
        }
        let truth = |device: &Device, leaf| device.truth(leaf);
        let always = always.iter().filter_map(|&required| ComparedFeature::from_requirement(required));
        let required = always.map(|feature| (feature, &Expr::True)).chain(entry.compared_features());
        let devices = Compatibility::of_features(devices, required, &truth);
        results.push(EntryPointResult { name: root.name_in(analyses).into_owned(), devices });
    }
    Ok(results)
}
