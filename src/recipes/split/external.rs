//! Functions whose callers do not know what they need ("Error checking for SYCL_EXTERNAL functions").

use std::collections::BTreeSet;

use super::plan::{Traits, numeric_sub_group};
use super::{Plan, Split, SplitError};
use crate::analysis::{DeclaredAspects, Demands};
use crate::check::{Problem, Step, Warning};
use crate::transform::split::Part;

/// What the functions of an image add to what its roots require.
#[derive(Default)]
pub(super) struct Added {
    pub aspects: BTreeSet<u32>,
    pub sub_groups: BTreeSet<u32>,
    /// The fixed targets of the roots that some function is not meant for.
    pub foreign_targets: BTreeSet<u32>,
}

impl Split<'_> {
    /// Looks at each function in an image that is no root of it.
    pub(super) fn external(&self, plan: &Plan, part: &Part) -> Result<(Added, Vec<Warning>), SplitError> {
        let mut added = Added::default();
        let mut warnings = Vec::new();
        let (module, names, declared) =
            (self.module(), self.analyses.names(), self.analyses.declared_aspects()?);
        let says_nothing =
            declared.iter().next().is_none() && self.analyses.sizes().is_empty() && self.fixed.is_empty();
        if says_nothing {
            return Ok((added, warnings));
        }
        let demands = self.analyses.demands()?;
        let roots = plan.roots.iter().map(|&number| &self.roots[number]);
        let own: BTreeSet<u32> =
            roots.flat_map(|root| root.companions.iter().copied().chain([root.function])).collect();
        for index in part.functions() {
            let function = module.functions()[index].id;
            if own.contains(&function) || names.kernel_of(function).is_some() {
                continue;
            }
            let name = || names.function_name(function).short().into_owned();
            let mut warn = |problem| warnings.push(self.warning(problem, plan, function, demands));
            match &plan.traits {
                Traits::Fixed(targets) => {
                    let Some(meant) = self.fixed.get(&function) else { continue };
                    if meant.iter().any(|target| !targets.contains(target)) {
                        warn(Problem::FixedTargets { function: name() });
                        added.foreign_targets.extend(targets.iter().filter(|target| !meant.contains(target)));
                    }
                }
                Traits::Any { aspects, sub_group, .. } => {
                    let own = declared.of(function).into_iter().flatten();
                    let foreign: BTreeSet<u32> =
                        own.filter(|aspect| !aspects.contains(aspect)).copied().collect();
                    let unexpected = self.unexpected(plan, function, demands, declared);
                    for &aspect in foreign.union(&unexpected) {
                        warn(Problem::NotExpected { function: name(), aspect, condition: None });
                    }
                    added.aspects.extend(foreign);
                    let size = numeric_sub_group(self, function);
                    if let Some(size) = size.filter(|size| *sub_group != Some(*size)) {
                        warn(Problem::SubGroupSize { function: name(), size });
                        added.sub_groups.insert(size);
                    }
                }
            }
        }
        Ok((added, warnings))
    }

    /// The aspects that an external function uses and some kernel that calls it does not list, although it lists what it uses. If
    /// another external function stands between the two, that one should have said so.
    fn unexpected(
        &self,
        plan: &Plan,
        function: u32,
        demands: &Demands,
        declared: &DeclaredAspects,
    ) -> BTreeSet<u32> {
        let names = self.analyses.names();
        let mut unexpected = BTreeSet::new();
        if !names.is_exported(function) {
            return unexpected;
        }
        let used = demands.of(function).always;
        let used: BTreeSet<u32> = used.iter().flat_map(|id| self.aspects.of(id)).copied().collect();
        for &number in &plan.roots {
            let root = self.roots[number].function;
            let Some(listed) = declared.of(root) else { continue };
            if used.is_subset(listed) {
                continue;
            }
            let calls = demands.calls_between(root, function, &|_| true).unwrap_or_default();
            let between = calls.iter().map(|call| call.callee).filter(|&callee| callee != function);
            let external = |id: u32| names.is_exported(id) && names.kernel_of(id).is_none();
            if !calls.is_empty() && !between.into_iter().any(external) {
                unexpected.extend(used.difference(listed));
            }
        }
        unexpected
    }

    /// A warning about a function, with the calls that lead to it from a root of the image.
    fn warning(&self, problem: Problem, plan: &Plan, function: u32, demands: &Demands) -> Warning {
        let (places, names) = (self.analyses.places(), self.analyses.names());
        let place = |offset: u32| places.place(offset).map(|place| place.to_string());
        let step = |function: u32, place| Step { function: names.function_name(function).in_chain(), place };
        let mut chain = Vec::new();
        for root in plan.roots.iter().map(|&number| self.roots[number].function) {
            let Some(calls) = demands.calls_between(root, function, &|_| true) else { continue };
            let calls = calls.iter().filter(|call| names.kernel_of(call.callee).is_none());
            chain.push(step(root, None));
            chain.extend(calls.map(|call| step(call.callee, place(call.at))));
            break;
        }
        let without_places = !places.has_any();
        let place = places.function(function).map(|place| place.to_string());
        Warning { problem, place, chain, without_places }
    }
}
