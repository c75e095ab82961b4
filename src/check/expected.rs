//! Aspects that functions list (`device_has`), and requirements that kernels expect of the functions that they call.

use std::collections::{BTreeMap, BTreeSet};

use super::{Check, CheckError, Problem};
use crate::analysis::requirements::RequirementId;
use crate::analysis::{CallPath, Expectations, where_not_implied};
use crate::condition::{Condition, ConditionError, Leaf};
use crate::device::capabilities;

impl Check<'_, '_> {
    /// Warns of aspects that functions use and do not list. Where the call path from a kernel to the use leads through a function from
    /// another module, that function should have listed it.
    pub(super) fn listed(&mut self) -> Result<(), CheckError> {
        let mut reported = BTreeSet::new();
        for function in self.functions() {
            let Some(listed) = self.listed.of(function).cloned() else { continue };
            if self.is_kernel_body(function) {
                continue;
            }
            for (aspect, condition) in self.used(function)? {
                if listed.contains(&aspect) {
                    continue;
                }
                let condition = self.unlisted(condition, &listed, aspect)?;
                if condition.is_false() {
                    continue;
                }
                let chain = self.chain_of_aspect(function, &listed, aspect)?;
                let text = self.text(condition)?;
                let external =
                    self.entry_points.contains_key(&function).then(|| self.external_on(&chain)).flatten();
                let problem = match external {
                    Some(external) if !reported.insert((external, aspect, text.clone())) => continue,
                    Some(external) => {
                        Problem::NotExpected { function: self.name(external), aspect, condition: text }
                    }
                    None => Problem::NotListed { function: self.name(function), aspect, condition: text },
                };
                self.warn_of_use(problem, function, chain.as_ref());
            }
        }
        Ok(())
    }

    /// Warns of aspects and sizes of sub-groups that functions declare and the kernels that call them do not.
    pub(super) fn undeclared(&mut self) -> Result<(), CheckError> {
        if !self.analyses.declared_when_called()? {
            return Ok(());
        }
        let is_kernel = |id: &u32| self.entry_points.contains_key(id);
        let (kernels, called): (Vec<u32>, Vec<u32>) = self.functions().into_iter().partition(is_kernel);
        let mut reached = Vec::new();
        for kernel in kernels {
            let expectations = Expectations::of(self.analyses, kernel, &mut self.conditions)?;
            let when = self.summaries.reached_when(kernel, &mut self.conditions)?;
            reached.push((kernel, expectations, when));
        }
        let (mut reported, devices) = (BTreeSet::new(), self.options.devices);
        for function in called {
            if self.is_kernel_body(function) {
                continue;
            }
            for (kernel, expectations, when) in &reached {
                let Some(&when) = when.get(&function).filter(|when| !when.is_false()) else { continue };
                let found =
                    expectations.exceeded_by(self.analyses, function, when, devices, &mut self.conditions)?;
                for (need, when) in found {
                    let key = (function, need, when);
                    let when = (!when.is_true()).then(|| self.conditions.expr_of(when)).transpose()?;
                    let problem = Problem::undeclared(self.name(function), need, when.as_ref());
                    let calls = self.summaries.calls_between(*kernel, function, &|_| true);
                    if let (Some(problem), Some(calls)) = (problem, calls)
                        && reported.insert(key)
                    {
                        let (at, steps) = (self.at(function), self.steps(*kernel, &calls));
                        self.warn(problem, at, steps);
                    }
                }
            }
        }
        Ok(())
    }

    /// The aspects that a function uses, and when.
    pub(super) fn used(&mut self, function: u32) -> Result<BTreeMap<u32, Condition>, ConditionError> {
        let summary = self.summary(function);
        self.aspects.of_summary(&summary, &mut self.conditions)
    }

    /// The condition of a use, restricted to devices that have all listed aspects and not this one; false where the condition implies the
    /// aspect.
    fn unlisted(
        &mut self,
        condition: Condition,
        listed: &BTreeSet<u32>,
        aspect: u32,
    ) -> Result<Condition, ConditionError> {
        let conditions = &mut self.conditions;
        let condition = where_not_implied(conditions, Some(self.options.devices), condition, aspect)?;
        let own = capabilities::exactly(aspect);
        let known = |leaf| match leaf {
            Leaf::Aspect(other) if listed.contains(&other) => Some(true),
            Leaf::Aspect(other) if other == aspect => Some(false),
            Leaf::Capability(other) if Some(other) == own => Some(false),
            _ => None,
        };
        conditions.restrict(condition, &known)
    }

    /// The shortest call path to a use of an aspect that no condition guards.
    fn chain_of_aspect(
        &mut self,
        function: u32,
        listed: &BTreeSet<u32>,
        aspect: u32,
    ) -> Result<Option<CallPath>, ConditionError> {
        let mut may_hold = BTreeSet::new();
        for condition in self.summaries.call_conditions() {
            if !self.unlisted(condition, listed, aspect)?.is_false() {
                may_hold.insert(condition);
            }
        }
        Ok(self.shortest(function, aspect, &|condition| may_hold.contains(&condition)))
    }

    /// The shortest call path to a use of an aspect.
    pub(super) fn shortest(
        &self,
        function: u32,
        aspect: u32,
        may_hold: &dyn Fn(Condition) -> bool,
    ) -> Option<CallPath> {
        let causes = RequirementId::all().filter(|&id| self.aspects.of(id).contains(&aspect));
        let chains = causes.filter_map(|id| self.summaries.call_path_where(function, id, may_hold));
        chains.min_by_key(|chain| (chain.calls.len(), chain.at))
    }

    /// The first function on the call path that may come from another module. One that is only declared here does not count: its caller has
    /// seen the aspects that it lists.
    fn external_on(&self, chain: &Option<CallPath>) -> Option<u32> {
        let calls = chain.as_ref()?.calls.iter();
        calls.map(|call| call.callee).find(|&callee| self.is_external(callee))
    }

    /// True if a function is `SYCL_EXTERNAL`, and defined here.
    fn is_external(&self, function: u32) -> bool {
        self.names.is_exported(function) && !self.is_kernel_body(function)
    }
}
