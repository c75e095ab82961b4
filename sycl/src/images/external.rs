//! Functions whose callers do not know their requirements (docs/design/optional-kernel-features.md, "Error checking for SYCL_EXTERNAL
//! functions").

use std::collections::BTreeSet;

use super::plan::Traits;
use super::{Jit, ModuleSplit, PipelineError, SplitPlan};
use crate::checks::{CheckWarning, WarningProblem, WarningStep, are_other_targets, check_expectations};
use spirv_if::device::Device;
use spirv_if::engine::analysis::{ConditionalCall, SourceLocation};
use spirv_if::engine::transform::split::SplitPart;

/// Problems of the functions of an image other than its roots.
#[derive(Default)]
pub(crate) struct ExternalFindings {
    pub warnings: Vec<CheckWarning>,
    /// The fixed targets of the roots that some function is not meant for.
    pub foreign_targets: BTreeSet<u32>,
}

/// Returns true if a problem is that a function uses an aspect that a device has.
fn is_of_aspect_of(device: &Device, problem: &WarningProblem) -> bool {
    matches!(problem, WarningProblem::NotExpected { aspect, .. } if device.has_aspect(*aspect) == Some(true))
}

impl ModuleSplit<'_> {
    /// Checks each function in an image other than its roots.
    pub(crate) fn external(
        &self,
        plan: &SplitPlan,
        part: &SplitPart,
    ) -> Result<ExternalFindings, PipelineError> {
        let mut external = ExternalFindings::default();
        match &plan.traits {
            Traits::Fixed(targets) => self.other_targets(plan, part, targets, &mut external)?,
            Traits::Any(_) => {
                let kernels: Vec<u32> =
                    plan.roots.iter().map(|&number| self.roots[number].function).collect();
                let called = self.called(plan, part);
                external.warnings = check_expectations(&self.analyses, &self.devices, &kernels, &called)?;
                // A decided condition no longer says that the code is for devices with the aspect.
                if let Some(device) = &self.options.decided_for {
                    external.warnings.retain(|warning| !is_of_aspect_of(device, &warning.problem));
                }
            }
        }
        if self.options.jit != Jit::Declare {
            self.prepared(plan, part, &mut external)?;
        }
        Ok(external)
    }

    /// Returns the functions of an image other than its roots.
    fn called(&self, plan: &SplitPlan, part: &SplitPart) -> Vec<u32> {
        // A root that exists only for other link units is an ordinary callee here.
        let roots = plan.roots.iter().map(|&number| &self.roots[number]);
        let roots = roots.filter(|root| !self.owned.has_function(root.function));
        let root_functions: BTreeSet<u32> =
            roots.flat_map(|root| root.companions.iter().copied().chain([root.function])).collect();
        let functions = part.functions().into_iter().map(|index| self.module().functions()[index].id);
        functions.filter(|id| !root_functions.contains(id) && self.names().kernel_of(*id).is_none()).collect()
    }

    /// Warns about functions that require a feature on every device although only a conditional call needs it.
    fn prepared(
        &self,
        plan: &SplitPlan,
        part: &SplitPart,
        external: &mut ExternalFindings,
    ) -> Result<(), PipelineError> {
        let stuck = self.analyses.calls()?.calls.iter().filter(|call| !call.stuck.is_empty());
        let mut reported = BTreeSet::new();
        let is_here = |call: &&ConditionalCall| part.has(call.holder);
        for call in stuck.filter(is_here).filter(|call| reported.insert((call.holder, call.function))) {
            let name = |function: u32| self.names().function_name(function).short().into_owned();
            let features = call.stuck.iter().map(|required| required.get().to_string()).collect();
            let problem = WarningProblem::Preparation {
                caller: name(call.holder),
                callee: name(call.function),
                features,
            };
            external.warnings.push(self.warning(problem, plan, call.holder)?);
        }
        Ok(())
    }

    /// Warns about functions that are meant for other devices than the roots, or for any device.
    fn other_targets(
        &self,
        plan: &SplitPlan,
        part: &SplitPart,
        targets: &BTreeSet<u32>,
        external: &mut ExternalFindings,
    ) -> Result<(), PipelineError> {
        for function in self.called(plan, part) {
            let meant = self.fixed.get(&function).or(self.fixed_of_all.as_ref());
            if let Some(meant) = meant.filter(|meant| !meant.is_empty()) {
                let foreign = targets.iter().filter(|target| !meant.contains(target));
                external.foreign_targets.extend(foreign);
            }
            let meant = meant.map(|meant| meant.iter().copied().collect());
            if are_other_targets(targets, meant.as_ref()) {
                let function_name = self.names().function_name(function).short().into_owned();
                let problem = WarningProblem::FixedTargets { function: function_name };
                external.warnings.push(self.warning(problem, plan, function)?);
            }
        }
        Ok(())
    }

    /// Returns a warning about a function, with the calls that lead to it from a root of the image.
    fn warning(
        &self,
        problem: WarningProblem,
        plan: &SplitPlan,
        function: u32,
    ) -> Result<CheckWarning, PipelineError> {
        let places = self.analyses.debug_locations();
        let place = |offset: u32| places.location(offset).map(SourceLocation::into_owned);
        let step = |function: u32, place| WarningStep {
            function: self.names().function_name(function).in_chain(),
            place,
        };
        let mut chain = Vec::new();
        for root in plan.roots.iter().map(|&number| self.roots[number].function) {
            let Some(calls) = self.summaries()?.calls_between(root, function, &|_| true) else { continue };
            let calls = calls.iter().filter(|call| self.names().kernel_of(call.callee).is_none());
            chain.push(step(root, None));
            chain.extend(calls.map(|call| step(call.callee, place(call.at))));
            break;
        }
        let without_places = !places.has_any();
        Ok(CheckWarning {
            problem,
            place: places.function(function).map(SourceLocation::into_owned),
            id: Some(function),
            offset: self.module().function(function).map(|function| u64::from(function.start) * 4),
            chain,
            without_places,
        })
    }
}
