//! Warnings of a compiler: aspects that functions use and do not list, and features that are missing on the
//! target devices (docs/design/optional-kernel-features.md, "New LLVM IR pass to propagate aspect usage" and
//! "Error checking for SYCL_EXTERNAL functions").

mod callers;
mod expected;
mod fixed_targets;
#[cfg(test)]
mod tests;
mod warning;

pub(crate) use fixed_targets::are_other_targets;
pub use warning::{CheckWarning, Requires, SharedVariable, WarningProblem, WarningStep};

use std::collections::BTreeSet;

use thiserror::Error;

use spirv_if::device::{Device, DeviceConfig, DeviceError};
use spirv_if::engine::analysis::requirements::is_of_kernels;
use spirv_if::engine::analysis::{
    Analyses, AnalysisError, Annotated, Aspects, CallPath, CallReference, DebugLocations, DeclaredAspects,
    FunctionSizes, ModuleRoot, Names, RequirementSummaries, RequirementSummary, SourceLocation, Units,
};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::condition::{ConditionError, ConditionId, Conditions, Expr};
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::device::unknown::unknown_leaves;
use spirv_if::engine::loader::Module;
use spirv_if::engine::metadata::property_sets::SpecialConstants;
use spirv_if::property_sets::{PropertyError, PropertySets};

/// The target devices of a check.
#[derive(Clone, Copy, Debug)]
pub struct CheckTargets<'o> {
    /// The devices that all code is meant for (`-fsycl-fixed-targets`); none by default.
    pub fixed_targets: &'o [Device],
    /// Configuration of the devices. It provides the features of the devices of an architecture.
    pub devices: &'o DeviceConfig,
    /// The property sets of the module. They have the conditions that constants of a multi-target module represent.
    pub properties: &'o PropertySets,
}

/// The reason why a module cannot be checked.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CheckError {
    /// A conditional call is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// The properties are malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A function is meant for a device that does not exist.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// Returns the warnings: first those of aspects that functions list and expect, then those of missing
/// features of the fixed targets. Each group is in the order of the functions in the module.
///
/// # Errors
/// If the module is malformed. See `CheckError`.
pub fn check(analyses: &Analyses, options: &CheckTargets) -> Result<Vec<CheckWarning>, CheckError> {
    let mut check = new_check(analyses, options)?;
    check.warn_of_unlisted_aspects()?;
    let (kernels, called): (Vec<u32>, Vec<u32>) =
        check.functions().into_iter().partition(|id| check.entry_points.contains_key(id));
    check.warn_of_unexpected_requirements(&kernels, &called)?;
    check.warn_of_fixed_targets()?;
    check.warnings.extend(check_conditions(analyses, options.properties)?);
    Ok(check.warnings)
}

/// Returns only the warnings of aspects, architectures, features and numbers in conditions that no table has.
///
/// # Errors
/// See [`check`].
pub fn check_conditions(
    analyses: &Analyses,
    properties: &PropertySets,
) -> Result<Vec<CheckWarning>, CheckError> {
    let annotated = analyses.annotated();
    // What annotations say of constants is in them already.
    let calls = analyses.calls_without_regions()?.calls.iter().map(|call| &call.condition);
    let stated = annotated.when.values().chain(annotated.spec_constants.values());
    let special = SpecialConstants::from_properties(properties)?;
    let leaves = calls.chain(stated).flat_map(Expr::leaves).chain(special.leaves().map(|(_, leaf)| leaf));
    let warning = |leaf| CheckWarning {
        problem: WarningProblem::Unknown(leaf),
        place: None,
        id: None,
        offset: None,
        chain: Vec::new(),
        without_places: false,
    };
    Ok(unknown_leaves(leaves).into_iter().map(warning).collect())
}

/// Returns only the warnings of missing features of the fixed targets.
///
/// # Errors
/// See [`check`].
pub fn check_fixed_targets(
    analyses: &Analyses,
    options: &CheckTargets,
) -> Result<Vec<CheckWarning>, CheckError> {
    let is_any_fixed = analyses.annotated().fixed_targets.values().any(|targets| !targets.is_empty());
    if options.fixed_targets.is_empty() && !is_any_fixed {
        return Ok(Vec::new());
    }
    let mut check = new_check(analyses, options)?;
    check.warn_of_fixed_targets()?;
    check.warnings.retain(|warning| {
        matches!(
            warning.problem,
            WarningProblem::Function { .. }
                | WarningProblem::Module { .. }
                | WarningProblem::PropertySets { .. }
        )
    });
    Ok(check.warnings)
}

/// Returns the warnings of requirements of functions that the kernels which call them do not expect.
///
/// # Errors
/// See [`check`].
pub(crate) fn check_expectations(
    analyses: &Analyses,
    devices: &DeviceConfig,
    kernels: &[u32],
    called: &[u32],
) -> Result<Vec<CheckWarning>, CheckError> {
    if !may_exceed_expectations(analyses)? {
        return Ok(Vec::new());
    }
    let properties = PropertySets::default();
    let options = CheckTargets { fixed_targets: &[], devices, properties: &properties };
    let mut check = new_check(analyses, &options)?;
    check.warn_of_unexpected_requirements(kernels, called)?;
    Ok(check.warnings)
}

/// Returns false if functions declare nothing, and belong to one translation unit, as far as that is known.
fn may_exceed_expectations(analyses: &Analyses) -> Result<bool, AnalysisError> {
    Ok(analyses.units().are_several() || analyses.declared_when_called()?)
}

fn new_check<'m, 'w>(
    analyses: &'m Analyses<'w>,
    options: &'m CheckTargets<'m>,
) -> Result<CheckContext<'m, 'w>, CheckError> {
    let (module, calls, summaries) = (analyses.module(), analyses.calls()?, analyses.summaries()?);
    let places = analyses.debug_locations();
    Ok(CheckContext {
        analyses,
        module,
        options,
        annotated: analyses.annotated(),
        names: analyses.names(),
        has_places: places.has_any(),
        places,
        aspects: Aspects::get(is_of_kernels(module)),
        listed: analyses.declared_aspects()?,
        sizes: analyses.sizes(),
        units: analyses.units(),
        entry_points: entry_points(module),
        summaries,
        conditions: summaries.conditions.clone(),
        callers: calls.replaced().into_iter().chain(calls.uncalled.iter().copied()).collect(),
        in_unit: IdMap::new(),
        warnings: Vec::new(),
    })
}

/// Returns the first instruction of each entry point, by function.
fn entry_points<'m>(module: &'m Module) -> IdMap<ModuleRoot<'m>> {
    let mut by_function = IdMap::new();
    for root in ModuleRoot::entry_points(module) {
        by_function.entry(root.function()).or_insert(root);
    }
    by_function
}

/// The cause of a warning: an instruction, or the function that contains it.
struct WarningLocation {
    id: u32,
    /// Offset in words.
    offset: u32,
    place: Option<SourceLocation<'static>>,
}

/// State shared by the steps.
struct CheckContext<'m, 'w> {
    analyses: &'m Analyses<'w>,
    module: &'m Module<'m>,
    options: &'m CheckTargets<'m>,
    annotated: &'m Annotated,
    names: &'m Names<'m>,
    places: &'m DebugLocations<'m>,
    has_places: bool,
    aspects: &'static Aspects,
    listed: &'m DeclaredAspects,
    sizes: &'m FunctionSizes,
    units: &'m Units,
    entry_points: IdMap<ModuleRoot<'m>>,
    summaries: &'m RequirementSummaries<'m>,
    /// Arena of the conditions of requirement summaries, and of conditions derived from them.
    conditions: Conditions,
    /// The conditional callers, whose calls count as calls of their callees.
    callers: BTreeSet<u32>,
    /// The aspects that each function uses within its translation unit, as far as computed.
    in_unit: IdMap<IdMap<ConditionId>>,
    warnings: Vec<CheckWarning>,
}

impl CheckContext<'_, '_> {
    /// Returns the functions, in the order of the module.
    fn functions(&self) -> Vec<u32> {
        self.module.functions().iter().map(|function| function.id).collect()
    }

    /// Returns the requirement summary of a function, or of its entry point if it has one.
    fn summary(&self, function: u32) -> RequirementSummary {
        match self.entry_points.get(&function) {
            Some(entry_point) => entry_point.summary(self.summaries),
            None => self.summaries.summary(function).clone(),
        }
    }

    /// Returns the name of a function in messages.
    fn name(&self, function: u32) -> String {
        self.names.function_name(function).short().into_owned()
    }

    fn is_kernel_body(&self, function: u32) -> bool {
        self.names.kernel_of(function).is_some()
    }

    fn place(&self, offset: u32) -> Option<SourceLocation<'static>> {
        self.places.location(offset).map(SourceLocation::into_owned)
    }

    /// Returns the functions of a call path, as a warning shows them.
    fn steps(&self, function: u32, calls: &[CallReference]) -> Vec<WarningStep> {
        let step = |function: u32, place| WarningStep {
            function: self.names.function_name(function).in_chain(),
            place,
        };
        let calls = calls.iter().filter(|call| !self.is_kernel_body(call.callee));
        let rest = calls.map(|call| step(call.callee, self.place(call.at)));
        std::iter::once(step(function, None)).chain(rest).collect()
    }

    /// Adds a warning at an instruction; `None` for the whole module.
    fn warn(&mut self, problem: WarningProblem, at: Option<WarningLocation>, chain: Vec<WarningStep>) {
        let without_places = !self.has_places && at.is_some();
        let (id, offset, place) = match at {
            Some(WarningLocation { id, offset, place }) => (Some(id), Some(u64::from(offset) * 4), place),
            None => (None, None, None),
        };
        self.warnings.push(CheckWarning { problem, place, id, offset, chain, without_places });
    }

    /// Adds a warning about a use, with the call path to it.
    fn warn_of_use(&mut self, problem: WarningProblem, function: u32, chain: Option<&CallPath>) {
        let (calls, at) = match chain {
            Some(chain) => {
                let id = self.module.instruction(chain.at).result_id().unwrap_or(chain.function);
                (
                    &chain.calls[..],
                    Some(WarningLocation { id, offset: chain.at, place: self.place(chain.at) }),
                )
            }
            None => (&[][..], self.at(function)),
        };
        let steps = self.steps(function, calls);
        self.warn(problem, at, steps);
    }

    fn at(&self, function: u32) -> Option<WarningLocation> {
        let offset = self.module.function(function)?.start;
        let place = self.places.function(function).map(SourceLocation::into_owned);
        Some(WarningLocation { id: function, offset, place })
    }

    /// Returns a condition as text, unless it always holds.
    fn text(&mut self, condition: ConditionId) -> Result<Option<String>, ConditionError> {
        if condition.is_true() {
            return Ok(None);
        }
        let expr = self.conditions.expr_of(condition)?;
        Ok(Some(expr.display(&DeviceNames).to_string()))
    }
}
