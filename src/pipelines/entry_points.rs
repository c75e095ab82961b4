//! Entry points of a module: selection by name, and a check for entry points that a device does not run.

use thiserror::Error;

use super::error::kinds_of_errors;
use super::predicates::of_part;
use super::{PipelineError, RequestErrorKind};
use crate::analysis::{
    Analyses, AnalysisError, ModuleRoot, Sizes, fixed_limits, has_matrix_types, has_own_work_group_limit,
    matrix_uses,
};
use crate::compatibility::{Compatibility, Missing, is_met, supports};
use crate::device::Device;
use crate::device::api::LimitRow;
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

/// True if all entry points of a module are among these names.
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
    let features = analyses.possible_vulkan_features();
    devices.iter().all(|device| features.iter().all(|feature| device.has_feature_of(feature) == Some(true)))
}

/// True if a device lists its combinations of cooperative matrices.
fn lists_cooperative_matrices(devices: &[&Device]) -> bool {
    devices.iter().any(|device| device.lists_cooperative_matrices())
}

/// Returns true if devices run all entry points of a module, before and after specializing. This is a quick answer: false may be wrong.
pub fn runs_all(analyses: &Analyses, devices: &[&Device]) -> bool {
    let runs = |device: &Device, sizes: &Sizes| {
        let has_size = |size| device.has_sub_group_size(size) == Some(true);
        let runs_group = |size| device.supports_work_group_size(size) == Some(true);
        sizes.fixed_work_items().is_none_or(runs_group) && sizes.fixed_sub_group().is_none_or(has_size)
    };
    let has_limit = |device: &&Device, (row, number): &(&LimitRow, u64)| {
        device.supports_limit(row, *number) == Some(true)
    };
    let has_limits = |root: ModuleRoot| {
        let limits = fixed_limits(analyses, &root);
        limits.iter().all(|limit| devices.iter().all(|device| has_limit(device, limit)))
    };
    !analyses.may_declare_aspects()
        && ModuleRoot::entry_points(analyses.module()).all(has_limits)
        && analyses
            .sizes()
            .iter()
            .all(|(_, sizes)| !sizes.is_specializable() && devices.iter().all(|device| runs(device, sizes)))
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
        let matrices = matrices.get(at).map_or(&[][..], Vec::as_slice);
        let sizes = analyses.sizes().get(root.function()).copied().unwrap_or_default();
        let limits = fixed_limits(analyses, root);
        let on_device = |device: &&Device| {
            let mut result = Compatibility::default();
            for (has, missing) in always.iter().filter_map(|required| supports(device, *required)) {
                result.add(has, || missing);
            }
            if root.decided_by().is_none() && !has_own_work_group_limit(root) {
                add_work_group_size(&sizes, device, &mut result);
            }
            for (feature, when) in features {
                let has = is_met(device.has_feature_of(feature), when, &|leaf| device.truth(leaf));
                result.add(has, || Missing::vulkan_feature(feature));
            }
            for (used, when) in matrices {
                let has = is_met(device.supports_matrix_use(used), when, &|leaf| device.truth(leaf));
                result.add(has, || Missing::matrix_use(used));
            }
            for &(row, number) in limits.iter().filter(|_| root.decided_by().is_none()) {
                let has = device.supports_limit(row, number);
                result.add(has, || Missing::vulkan_limit(row, number, device));
            }
            result
        };
        let devices = devices.iter().map(on_device).collect();
        results.push(EntryPointResult { name: root.name_in(analyses).into_owned(), devices });
    }
    Ok(results)
}

/// Adds the work-group size of an entry point: the declared size, or the number of work-items in its sub-groups.
fn add_work_group_size(sizes: &Sizes, device: &Device, result: &mut Compatibility) {
    let Some(items) = sizes.fixed_work_items() else { return };
    let declared = sizes.work_group.map(|size| size.dimensions);
    let declared =
        declared.map(|size| size.iter().fold(1_u64, |items, &length| items.saturating_mul(length.into())));
    let (size, limit) = (declared.unwrap_or(items), device.facts.max_work_group_size);
    result.add(device.supports_work_group_size(items), || Missing::WorkGroupSize { size, limit });
}
