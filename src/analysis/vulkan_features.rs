//! The features of Vulkan that each root requires and no capability names, with their conditions.

use super::conditional::error::AnalysisError;
use super::context::Analyses;
use super::references::summaries::RequirementSummary;
use super::requirements::{
    InstructionRequirements, Requirement, RequirementId, RequirementSet, is_of_shaders,
};
use super::roots::ModuleRoot;
use crate::condition::{ConditionId, Expr};
use crate::device::api::{FeatureUse, uses};
use crate::loader::Module;
use spirv::ExecutionModel;

/// The features that a module requires of a Vulkan device besides those of its declarations.
#[derive(Default)]
pub struct VulkanFeatures {
    /// The uses of each root, with their conditions, in the order of [`ModuleRoot::all`] and of the table.
    pub roots: Vec<Vec<(&'static FeatureUse, Expr)>>,
    /// All uses of the module, also in code that no root reaches, in the order of the table.
    pub anywhere: Vec<&'static FeatureUse>,
}

impl VulkanFeatures {
    /// Finds the features of a module.
    ///
    /// # Errors
    /// If conditional code is malformed, or a condition is out of bounds.
    pub fn compute(analyses: &Analyses) -> Result<VulkanFeatures, AnalysisError> {
        let module = analyses.module();
        tally!("vulkan features", module, analyses.calls()?);
        let roots = ModuleRoot::all(analyses);
        if !is_of_shaders(module) {
            let roots = vec![Vec::new(); roots.len()];
            return Ok(VulkanFeatures { roots, ..VulkanFeatures::default() });
        }
        let summaries = analyses.summaries()?;
        let all = uses_in(&summaries.everything());
        let mut conditions = summaries.conditions.clone();
        let mut of_roots = Vec::with_capacity(roots.len());
        for root in roots {
            let existence = root.existence(summaries, &mut conditions)?;
            let mut features = Vec::new();
            for (feature, when) in of_root(root, &root.summary(summaries)) {
                let when = conditions.and(when, existence)?;
                let when = conditions.without_meant_constants(when)?;
                features.push((feature, conditions.expr_of(when)?));
            }
            of_roots.push(features);
        }
        let is_in_code = |feature: &&FeatureUse| {
            let is_reached = of_roots.iter().flatten().any(|(reached, _)| reached.name == feature.name);
            is_reached || feature.stages.is_empty() && all.contains(&feature.use_)
        };
        let anywhere = uses().iter().filter(is_in_code).collect();
        Ok(VulkanFeatures { roots: of_roots, anywhere })
    }
}

/// Returns the uses that any root of a module may require, in the order of the table: a quick answer.
pub fn possible_features(module: &Module) -> Vec<&'static FeatureUse> {
    if !is_of_shaders(module) {
        return Vec::new();
    }
    let requirements = InstructionRequirements::vulkan(module);
    let mut all = RequirementSet::EMPTY;
    let bodies = module.functions().iter().flat_map(|function| module.body(function));
    module.globals().chain(bodies).for_each(|inst| requirements.add(&inst, &mut all));
    let all = uses_in(&all);
    let stages: Vec<Option<String>> = match module.entry_points().next() {
        Some(_) => module.entry_points().map(|entry| stage(Some(entry.execution_model()))).collect(),
        None => vec![None],
    };
    let applies = |feature: &FeatureUse| stages.iter().any(|stage| feature.applies_to(stage.as_deref()));
    uses().iter().filter(|feature| all.contains(&feature.use_) && applies(feature)).collect()
}

/// Returns the name of an execution model in the table.
pub fn stage(execution_model: Option<u32>) -> Option<String> {
    execution_model.and_then(ExecutionModel::from_u32).map(|model| format!("{model:?}"))
}

/// Returns the uses in a requirement summary that count in the stage of a root.
fn of_root(
    root: ModuleRoot,
    summary: &RequirementSummary,
) -> impl Iterator<Item = (&'static FeatureUse, ConditionId)> {
    let stage = stage(root.execution_model());
    let required: Vec<(&str, ConditionId)> =
        summary.iter().filter_map(|(id, when)| Some((use_of(id)?, when))).collect();
    uses().iter().filter_map(move |feature| {
        let (_, when) = required.iter().find(|(use_, _)| *use_ == feature.use_)?;
        feature.applies_to(stage.as_deref()).then_some((feature, *when))
    })
}

/// Returns the uses of Vulkan features among requirements.
fn uses_in(all: &RequirementSet) -> Vec<&'static str> {
    all.iter().filter_map(use_of).collect()
}

/// Returns the use of Vulkan features that a requirement stands for, if any.
fn use_of(id: RequirementId) -> Option<&'static str> {
    match id.get() {
        Requirement::Feature(use_) => Some(use_),
        _ => None,
    }
}
