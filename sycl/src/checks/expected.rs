//! Warnings on aspects that functions list (`device_has`), and on requirements that kernels expect of called
//! functions.

use std::collections::BTreeSet;

use super::{CheckContext, CheckError, WarningProblem, may_exceed_expectations};
use spirv_if::engine::analysis::requirements::RequirementId;
use spirv_if::engine::analysis::{
    CallPath, DeviceRequirement, ModuleRoot, ReachedFunctions, RequirementSummary, join, where_not_implied,
};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::condition::{ConditionError, ConditionId, Leaf};
use spirv_if::engine::device::capabilities;

/// The requirements that a kernel is expected to have: its own declarations, and requirements visible in its
/// translation unit.
struct Expectations<'a> {
    kernel: u32,
    declared: Option<&'a BTreeSet<u32>>,
    used: IdMap<ConditionId>,
    sub_group_size: Option<u32>,
    /// The condition under which the kernel reaches each function.
    reached: IdMap<ConditionId>,
    /// The functions called from another translation unit, with the units of the callers.
    entered: IdMap<BTreeSet<Option<usize>>>,
}

impl<'m> CheckContext<'m, '_> {
    /// Warns of unlisted aspects that functions use within their translation unit.
    pub(super) fn warn_of_unlisted_aspects(&mut self) -> Result<(), CheckError> {
        for function in self.functions() {
            let Some(listed) = self.listed.aspects(function).cloned() else { continue };
            if self.is_kernel_body(function) {
                continue;
            }
            for (aspect, condition) in self.used_aspects_in_unit(function)? {
                if listed.contains(&aspect) {
                    continue;
                }
                let condition = self.unlisted_condition(condition, &listed, aspect)?;
                if condition.is_false() {
                    continue;
                }
                let may_hold = self.unlisted_call_conditions(&listed, aspect)?;
                let chain =
                    self.shortest_path_in_unit(function, aspect, &|condition| may_hold.contains(&condition))?;
                let condition = self.text(condition)?;
                let problem = WarningProblem::NotListed { function: self.name(function), aspect, condition };
                self.warn_of_use(problem, function, chain.as_ref());
            }
        }
        Ok(())
    }

    /// Warns of aspects and sub-group sizes that functions require, if the kernels that call them do not
    /// expect it.
    pub(super) fn warn_of_unexpected_requirements(
        &mut self,
        kernels: &[u32],
        called: &[u32],
    ) -> Result<(), CheckError> {
        if !may_exceed_expectations(self.analyses)? {
            return Ok(());
        }
        let (kernels, called) = self.unexpecting_kernels(kernels, called)?;
        let mut expectations = Vec::new();
        for kernel in kernels {
            expectations.push(self.expectations(kernel)?);
        }
        let mut reported = BTreeSet::new();
        for function in called {
            for expected in expectations.iter().filter(|expected| expected.kernel != function) {
                for (need, when) in self.unexpected_requirements(expected, function)? {
                    if !reported.insert((function, need, when)) {
                        continue;
                    }
                    let text = (!when.is_true()).then(|| self.conditions.expr_of(when)).transpose()?;
                    let problem = WarningProblem::undeclared(self.name(function), need, text.as_ref());
                    let calls = self.summaries.calls_between(expected.kernel, function, &|_| true);
                    let (Some(problem), Some(calls)) = (problem, calls) else { continue };
                    // If another unit uses the aspect, the path leads to the use.
                    let in_unit = match need {
                        DeviceRequirement::Aspect(aspect) if expected.entered.contains_key(&function) => {
                            self.shortest_path_in_unit(function, aspect, &|_| true)?
                        }
                        _ => None,
                    };
                    match in_unit {
                        Some(path) => {
                            let calls = calls.into_iter().chain(path.calls).collect();
                            let chain = CallPath { calls, ..path };
                            self.warn_of_use(problem, expected.kernel, Some(&chain));
                        }
                        None => {
                            let (at, steps) = (self.at(function), self.steps(expected.kernel, &calls));
                            self.warn(problem, at, steps);
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn expectations(&mut self, kernel: u32) -> Result<Expectations<'m>, CheckError> {
        Ok(Expectations {
            kernel,
            declared: self.listed.aspects(kernel),
            used: self.used_aspects_in_unit(kernel)?,
            sub_group_size: self.sub_group_size(kernel),
            reached: self.summaries.reached_when(kernel, &mut self.conditions)?,
            entered: self.entered_from_other_units(kernel),
        })
    }

    /// Returns the functions that a kernel reaches from another translation unit than their own, each with
    /// the units of the references.
    fn entered_from_other_units(&self, kernel: u32) -> IdMap<BTreeSet<Option<usize>>> {
        let mut entered: IdMap<BTreeSet<Option<usize>>> = IdMap::new();
        if !self.units.are_several() {
            return entered;
        }
        let functions = self.module.functions();
        // A function of an unknown unit belongs to its caller's.
        let mut open = vec![(kernel, self.units.unit(kernel))];
        let mut seen: BTreeSet<_> = open.iter().copied().collect();
        while let Some((function, unit)) = open.pop() {
            let Some(at) = self.module.function_index(function) else { continue };
            for callee in self.summaries.callees(at, &|_| true) {
                let callee = functions[callee].id;
                if !self.units.may_contain(unit, callee) {
                    entered.entry(callee).or_default().insert(unit);
                }
                let next = (callee, self.units.unit(callee).or(unit));
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        entered
    }

    /// Returns the requirements of a called function that the kernel does not expect. They are the declared requirements of the function,
    /// and its used aspects if it is of another translation unit. Each has the part of its condition that does not imply it.
    fn unexpected_requirements(
        &mut self,
        kernel: &Expectations,
        function: u32,
    ) -> Result<Vec<(DeviceRequirement, ConditionId)>, CheckError> {
        let reached = kernel.reached.get(&function).copied().filter(|when| !when.is_false());
        let Some(reached) = reached else { return Ok(Vec::new()) };
        let entering = kernel.entered.get(&function);
        let mut aspects: IdMap<ConditionId> = self
            .listed
            .aspects(function)
            .into_iter()
            .flatten()
            .map(|&aspect| (aspect, ConditionId::TRUE))
            .collect();
        if entering.is_some() {
            for (aspect, when) in self.used_aspects_in_unit(function)? {
                join(aspects.entry(aspect).or_insert(ConditionId::FALSE), when, &mut self.conditions)?;
            }
        }
        let mut unexpected = Vec::new();
        for (aspect, when) in aspects {
            let promises = |&unit: &Option<usize>| {
                self.units.promised(unit, function).is_some_and(|promised| promised.contains(&aspect))
            };
            let is_promised = entering.is_some_and(|units| units.iter().all(promises));
            if is_promised || kernel.declared.is_some_and(|aspects| aspects.contains(&aspect)) {
                continue;
            }
            let conditions = &mut self.conditions;
            let used = kernel.used.get(&aspect).copied().unwrap_or(ConditionId::FALSE);
            let not_used = conditions.not(used)?;
            let when = conditions.and(when, reached)?;
            let left = conditions.and(when, not_used)?;
            let left = where_not_implied(conditions, Some(self.options.devices), left, aspect)?;
            if !left.is_false() {
                unexpected.push((DeviceRequirement::Aspect(aspect), left));
            }
        }
        let size = self.sub_group_size(function).filter(|size| kernel.sub_group_size != Some(*size));
        unexpected.extend(size.map(|size| (DeviceRequirement::SubGroupSize(size), reached)));
        Ok(unexpected)
    }

    pub(super) fn sub_group_size(&self, function: u32) -> Option<u32> {
        self.sizes.get(function).and_then(|sizes| sizes.fixed_sub_group())
    }

    /// Returns the requirements of a function itself and of its callees in the same translation unit.
    fn summary_in_unit(&mut self, function: u32) -> Result<RequirementSummary, ConditionError> {
        if !self.units.are_several() {
            return Ok(self.summary(function));
        }
        let reached = self.reached_in_unit(function)?;
        let summary = self.summaries.of_functions(&reached.inside, &mut self.conditions)?;
        Ok(match self.entry_points.get(&function) {
            Some(ModuleRoot::EntryPoint(entry_point)) => self.summaries.at_entry_point(*entry_point, summary),
            _ => summary,
        })
    }

    fn reached_in_unit(&mut self, function: u32) -> Result<ReachedFunctions, ConditionError> {
        let (units, unit) = (self.units, self.units.unit(function));
        let is_inside = |callee| units.may_contain(unit, callee);
        self.summaries.reached_within(function, &is_inside, &mut self.conditions)
    }

    /// Returns the aspects that a function uses, as far as its translation unit shows them, with their
    /// conditions. Functions of other units count with the aspects in their declarations.
    pub(super) fn used_aspects_in_unit(
        &mut self,
        function: u32,
    ) -> Result<IdMap<ConditionId>, ConditionError> {
        if let Some(used) = self.in_unit.get(&function) {
            return Ok(used.clone());
        }
        let summary = self.summary_in_unit(function)?;
        let mut used = self.aspects.implied_by_summary(&summary, &mut self.conditions)?;
        if self.units.are_several() {
            let unit = self.units.unit(function);
            for (callee, when) in self.reached_in_unit(function)?.outside {
                for &aspect in self.units.promised(unit, callee).into_iter().flatten() {
                    join(used.entry(aspect).or_insert(ConditionId::FALSE), when, &mut self.conditions)?;
                }
            }
        }
        self.in_unit.insert(function, used.clone());
        Ok(used)
    }

    /// Returns the shortest call path to a use of an aspect within the translation unit of a function. The
    /// path may also end at a declaration of another unit that lists the aspect.
    fn shortest_path_in_unit(
        &mut self,
        function: u32,
        aspect: u32,
        may_hold: &dyn Fn(ConditionId) -> bool,
    ) -> Result<Option<CallPath>, ConditionError> {
        let (units, unit) = (self.units, self.units.unit(function));
        let is_inside = |callee| units.may_contain(unit, callee);
        let summary = self.summary_in_unit(function)?;
        let path =
            |id| self.summaries.call_path_within(function, id, summary.condition(id), may_hold, &is_inside);
        let causes = RequirementId::all().filter(|&id| self.aspects.implied(id).contains(&aspect));
        let shortest = causes.filter_map(path).min_by_key(|path| (path.calls.len(), path.at));
        if shortest.is_some() || !units.are_several() {
            return Ok(shortest);
        }
        let outside = self.reached_in_unit(function)?.outside;
        let promised = outside
            .keys()
            .copied()
            .filter(|&callee| units.promised(unit, callee).is_some_and(|aspects| aspects.contains(&aspect)));
        let paths = promised.filter_map(|callee| {
            let calls = self.summaries.calls_between(function, callee, may_hold)?;
            let at = calls.last()?.at;
            Some(CallPath { calls, function: callee, at, definition: None })
        });
        Ok(paths.min_by_key(|path| (path.calls.len(), path.at)))
    }

    /// Returns the aspects that a function uses, with their conditions.
    pub(super) fn used_aspects(&mut self, function: u32) -> Result<IdMap<ConditionId>, ConditionError> {
        let summary = self.summary(function);
        self.aspects.implied_by_summary(&summary, &mut self.conditions)
    }

    /// Restricts the condition of a use to devices that have all listed aspects and not this one. The result
    /// is false if the condition implies the aspect.
    fn unlisted_condition(
        &mut self,
        condition: ConditionId,
        listed: &BTreeSet<u32>,
        aspect: u32,
    ) -> Result<ConditionId, ConditionError> {
        let conditions = &mut self.conditions;
        let condition = where_not_implied(conditions, Some(self.options.devices), condition, aspect)?;
        let capability = capabilities::exactly(aspect);
        let known = |leaf| match leaf {
            Leaf::Aspect(other) if listed.contains(&other) => Some(true),
            Leaf::Aspect(other) if other == aspect => Some(false),
            Leaf::Capability(other) if Some(other) == capability => Some(false),
            _ => None,
        };
        conditions.restrict(condition, &known)
    }

    /// Returns the conditions of calls under which an aspect that a function does not list may be missing.
    fn unlisted_call_conditions(
        &mut self,
        listed: &BTreeSet<u32>,
        aspect: u32,
    ) -> Result<BTreeSet<ConditionId>, ConditionError> {
        let mut may_hold = BTreeSet::new();
        for condition in self.summaries.call_conditions() {
            if !self.unlisted_condition(condition, listed, aspect)?.is_false() {
                may_hold.insert(condition);
            }
        }
        Ok(may_hold)
    }

    /// Returns the shortest call path to a use of an aspect.
    pub(super) fn shortest_path(
        &self,
        function: u32,
        aspect: u32,
        may_hold: &dyn Fn(ConditionId) -> bool,
    ) -> Option<CallPath> {
        let causes = RequirementId::all().filter(|&id| self.aspects.implied(id).contains(&aspect));
        let chains = causes.filter_map(|id| self.summaries.call_path_where(function, id, may_hold));
        chains.min_by_key(|chain| (chain.calls.len(), chain.at))
    }
}
