//! Single entry points of a module: cutting it down to them, and which of them a device does not run.

use super::PipelineError;
use crate::analysis::{Analyses, AnalysisError, DeviceRequirement, Root, RootRequirements, Sizes};
use crate::device::Device;
use crate::loader::Module;
use crate::transform::split::{Graph, Part, roots};
use crate::transform::trim::trim;
use crate::writer::apply;

/// A module that is cut down to entry points.
#[derive(Clone, Debug)]
pub enum Only {
    /// These words.
    Words(Vec<u32>),
    /// It does not have the entry point of this name; those that it has.
    Missing(String, Vec<String>),
}

/// Whether all entry points of a module are among these names.
pub fn are_all(analyses: &Analyses, names: &[String]) -> bool {
    let is_named = |root: Root| names.contains(&root.name(analyses.names()).into_owned());
    Root::entry_points(analyses.module()).all(is_named)
}

/// Cuts a module down to the entry points with these names, and to the declarations that they require.
///
/// # Errors
/// Where the module is invalid, so that what is left would be.
pub fn only(analyses: &Analyses, names: &[String]) -> Result<Only, PipelineError> {
    let module = analyses.module();
    let instead = analyses.annotated().otherwise.iter();
    let instead = instead.filter_map(|(&function, instead)| Some((function, instead.function()?)));
    let graph = Graph::new(module, instead);
    let mut roots = roots(&graph, analyses.names());
    roots.retain(|root| root.entry_point.is_some());
    if let Some(missing) = names.iter().find(|name| roots.iter().all(|root| root.name != **name)) {
        let existing = roots.into_iter().map(|root| root.name).collect();
        return Ok(Only::Missing(missing.clone(), existing));
    }
    roots.retain(|root| names.contains(&root.name));
    let part = Part::new(&graph, &roots);
    let words = apply(module, &part.edits(None))?;
    let part = Module::from_words(&words[..])?;
    Ok(Only::Words(apply(&part, &trim(&part).edits)?))
}

/// An entry point that a device does not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// The name of the entry point.
    pub entry_point: String,
    /// The number of the device among those asked about.
    pub device: usize,
    /// What the device lacks.
    pub need: DeviceRequirement,
}

/// How many entry points a module has (of one without any: exported functions), and those that devices do not run, because of what they
/// declare that they require, themselves or through what they call. What stays under a condition keeps no device from running it.
///
/// # Errors
/// Where what functions declare cannot be read, or a condition is out of bounds.
pub fn unsupported(
    analyses: &Analyses,
    devices: &[&Device],
) -> Result<(usize, Vec<Unsupported>), AnalysisError> {
    let roots = Root::all(analyses);
    // Only annotations say of code what it uses that its instructions do not.
    let is_annotated = !analyses.annotated().is_empty();
    let mut found = Vec::new();
    for root in &roots {
        let own = analyses.sizes().get(&root.function()).copied().unwrap_or_default();
        let required = match is_annotated {
            true => {
                let summaries = analyses.summaries()?;
                let (summary, mut conditions) = (root.summary(summaries), summaries.conditions.clone());
                RootRequirements::of_root(analyses, *root, &summary, &mut conditions)?.all(&mut conditions)?
            }
            false => {
                RootRequirements::declared_by(analyses, *root, &mut RootRequirements::conditions(analyses)?)?
            }
        };
        let always = required.into_iter().filter(|(_, when)| when.is_true()).map(|(need, _)| need);
        let needs: Vec<DeviceRequirement> =
            always.filter(|need| !matches!(need, DeviceRequirement::WorkGroupSize(_))).collect();
        for (number, device) in devices.iter().enumerate() {
            let work_group = own.fixed_work_items().filter(|_| root.decided_by().is_none());
            let work_group = work_group.filter(|&size| is_too_large(size, device));
            let lacking = needs.iter().copied().filter(|need| lacks(device, *need));
            let all = lacking.chain(work_group.and_then(|_| work_group_of(&own)));
            let name = || root.name(analyses.names()).into_owned();
            found.extend(all.map(|need| Unsupported { entry_point: name(), device: number, need }));
        }
    }
    Ok((roots.len(), found))
}

/// The work-group size of an entry point, or as many work-items in one dimension as its sub-groups make.
fn work_group_of(sizes: &Sizes) -> Option<DeviceRequirement> {
    let dimensions = sizes.work_group.map(|size| size.dimensions);
    let items = || Some([u32::try_from(sizes.fixed_work_items()?).unwrap_or(u32::MAX), 1, 1]);
    dimensions.or_else(items).map(DeviceRequirement::WorkGroupSize)
}

fn is_too_large(size: u64, device: &Device) -> bool {
    device.max_work_group_size.is_some_and(|limit| size > limit.into())
}

/// Whether a device is known to lack an aspect or a sub-group size.
fn lacks(device: &Device, need: DeviceRequirement) -> bool {
    match need {
        DeviceRequirement::Aspect(aspect) => device.has_aspect(aspect) == Some(false),
        DeviceRequirement::SubGroupSize(size) => device.has_sub_group_size(size) == Some(false),
        DeviceRequirement::WorkGroupSize(size) => {
            let items = size.iter().fold(1_u64, |product, &size| product.saturating_mul(size.into()));
            is_too_large(items, device)
        }
    }
}
