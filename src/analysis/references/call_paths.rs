//! Call paths: the calls that lead from a function to the instruction that has a requirement.

use std::collections::{BTreeSet, HashSet, VecDeque};

use super::summaries::RequirementSummaries;
use crate::analysis::conditional::calls::ConditionalCall;
use crate::analysis::requirements::{RequirementId, RequirementSet};
use crate::collections::gather;
use crate::condition::ConditionId;

/// A call, or another reference from one function to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallReference {
    /// The function that refers.
    pub caller: u32,
    /// The function that it refers to.
    pub callee: u32,
    /// The instruction that does, as a word offset.
    pub at: u32,
}

/// The shortest call path from a function to an instruction that has a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallPath {
    /// The calls on the path, the first one in the function at its start; none, if that function has the requirement itself.
    pub calls: Vec<CallReference>,
    /// The function at the end of the path.
    pub function: u32,
    /// The first of its instructions that has the requirement, or refers to a definition that does, as a word offset.
    pub at: u32,
    /// The type, constant or variable that has the requirement, if the instruction only refers to it.
    pub definition: Option<u32>,
}

impl RequirementSummaries<'_> {
    /// Returns the conditions of all calls and other references that have one.
    pub fn call_conditions(&self) -> BTreeSet<ConditionId> {
        let functions = self.module.functions().iter();
        let conditional = functions.flat_map(|function| self.graph.conditional(function.id));
        gather(conditional.map(|used| used.condition))
    }

    /// Returns the call path to the cause of a requirement of a function; `None` if the function does not have it. Conditional calls
    /// are on the path only where no other path exists.
    pub fn call_path(&self, function: u32, id: RequirementId) -> Option<CallPath> {
        self.call_path_where(function, id, &|_| true)
    }

    /// Like [`RequirementSummaries::call_path`], but over calls whose condition `may_hold`. A call without a condition has the condition true.
    pub fn call_path_where(
        &self,
        function: u32,
        id: RequirementId,
        may_hold: &dyn Fn(ConditionId) -> bool,
    ) -> Option<CallPath> {
        self.call_path_within(function, id, self.summary(function).condition(id), may_hold, &|_| true)
    }

    /// Like [`RequirementSummaries::call_path_where`], over functions inside of a part of the module only. There the function has the
    /// requirement where `when` holds.
    pub fn call_path_within(
        &self,
        function: u32,
        id: RequirementId,
        when: ConditionId,
        may_hold: &dyn Fn(ConditionId) -> bool,
        is_inside: &dyn Fn(u32) -> bool,
    ) -> Option<CallPath> {
        let start = self.module.function_index(function)?;
        if when.is_false() {
            return None;
        }
        let conditional = !when.is_true();
        let counts = |condition: ConditionId| condition.is_true() || (conditional && may_hold(condition));
        let mut from: Vec<Option<usize>> = vec![None; self.module.functions().len()];
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            if let Some((place, definition)) = self.cause(at, id, &counts) {
                let function = self.module.functions()[at].id;
                return Some(CallPath {
                    calls: self.calls_to(start, at, &from),
                    function,
                    at: place,
                    definition,
                });
            }
            for callee in self.callees(at, &counts) {
                let is_inside = is_inside(self.module.functions()[callee].id);
                if callee != start && from[callee].is_none() && is_inside {
                    from[callee] = Some(at);
                    open.push_back(callee);
                }
            }
        }
        None
    }

    /// Returns the shortest path from one function to another, over calls and other references whose conditions `may_hold`. Conditional
    /// calls are on the path only if no other path exists.
    pub fn calls_between(
        &self,
        function: u32,
        target: u32,
        may_hold: &dyn Fn(ConditionId) -> bool,
    ) -> Option<Vec<CallReference>> {
        let start = self.module.function_index(function)?;
        let end = self.module.function_index(target)?;
        let always: &dyn Fn(ConditionId) -> bool = &|condition| condition.is_true();
        let in_any_case = |condition: ConditionId| condition.is_true() || may_hold(condition);
        [always, &in_any_case].into_iter().find_map(|counts| {
            let mut from: Vec<Option<usize>> = vec![None; self.module.functions().len()];
            let mut open = VecDeque::from([start]);
            while let Some(at) = open.pop_front() {
                if at == end {
                    return Some(self.calls_to(start, end, &from));
                }
                for callee in self.callees(at, counts) {
                    if callee != start && from[callee].is_none() {
                        from[callee] = Some(at);
                        open.push_back(callee);
                    }
                }
            }
            None
        })
    }

    /// Returns the functions that a function reaches over any calls and other references, the nearest first, starting
    /// with the function itself.
    pub fn reached(&self, function: u32) -> Vec<u32> {
        let functions = self.module.functions();
        let mut reached: Vec<usize> = self.module.function_index(function).into_iter().collect();
        let mut seen: HashSet<usize> = reached.iter().copied().collect();
        let mut next = 0;
        while let Some(&at) = reached.get(next) {
            next += 1;
            reached.extend(self.callees(at, &|_| true).into_iter().filter(|&callee| seen.insert(callee)));
        }
        reached.into_iter().map(|at| functions[at].id).collect()
    }

    /// Returns the requirements of a call while it is conditional: of its arguments, of the instructions that only prepare them, and of the
    /// conditional caller. The requirements of the conditional action may be among them.
    pub fn of_conditional_call(&self, call: &ConditionalCall) -> RequirementSet {
        let mut set = RequirementSet::EMPTY;
        for &offset in call.carriers.iter().chain([&call.call]) {
            let inst = self.module.instruction(offset);
            self.requirements.add(&inst, &mut set);
            self.module.walk(&inst, &mut |_, used: u32| {
                if let Some(required) = self.definitions.get(used) {
                    set.extend(required);
                }
            });
        }
        let caller = self.summary(call.caller);
        set.extend(&caller.always);
        caller.conditional.keys().for_each(|&id| set.insert(id));
        set
    }

    fn calls_to(&self, start: usize, end: usize, from: &[Option<usize>]) -> Vec<CallReference> {
        let functions = self.module.functions();
        let mut calls = Vec::new();
        let mut at = end;
        while let Some(caller) = from[at].filter(|_| at != start) {
            let place = self.call_place(caller, functions[at].id);
            calls.push(CallReference { caller: functions[caller].id, callee: functions[at].id, at: place });
            at = caller;
        }
        calls.reverse();
        calls
    }

    /// Returns the first instruction of a function that refers to another; for a conditional call, the call of the conditional caller.
    fn call_place(&self, caller: usize, callee: u32) -> u32 {
        let function = &self.module.functions()[caller];
        let inside = |&&(at, to): &&(u32, u32)| to == callee && (function.start..function.end).contains(&at);
        if let Some(&(at, _)) = self.conditional_calls.iter().find(inside) {
            return at;
        }
        let refers = self.module.body(function).find(|inst| {
            let mut is_named = false;
            self.module.walk(inst, &mut |_, used: u32| is_named |= used == callee);
            is_named
        });
        refers.map_or(function.start, |inst| inst.offset())
    }

    /// Returns the first instruction of a function that has a requirement, itself or through a definition that it refers to.
    fn cause(
        &self,
        at: usize,
        id: RequirementId,
        counts: &dyn Fn(ConditionId) -> bool,
    ) -> Option<(u32, Option<u32>)> {
        let function = &self.module.functions()[at];
        let mut definitions = Vec::new();
        self.graph.for_each(function.id, |target| definitions.push(target));
        let conditional = self.graph.conditional(function.id).iter().filter(|used| counts(used.condition));
        definitions.extend(conditional.map(|used| used.target));
        definitions
            .retain(|target| self.definitions.get(*target).is_some_and(|required| required.contains(id)));
        let known: HashSet<u32> = definitions.iter().copied().collect();
        let region = self.graph.conditional_requirements.iter();
        let mut region = region.filter(|(function, condition, _)| *function == at && counts(*condition));
        if !self.function_requirements[at].contains(id)
            && definitions.is_empty()
            && !region.any(|(_, _, required)| required.contains(id))
        {
            return None;
        }
        for inst in self.module.body(function) {
            let mut required = RequirementSet::EMPTY;
            self.requirements.add(&inst, &mut required);
            if required.contains(id) {
                return Some((inst.offset(), None));
            }
            let mut through = None;
            self.module.walk(&inst, &mut |_, used: u32| {
                through = through.or(known.contains(&used).then_some(used));
            });
            if let Some(definition) = through {
                return Some((inst.offset(), Some(self.innermost(definition, id))));
            }
        }
        // A decoration of an id inside has the requirement, or the type that a conditional call returns.
        Some((function.start, definitions.first().map(|&definition| self.innermost(definition, id))))
    }

    /// Returns true if a type, constant or variable has a requirement, or one of its parts has.
    pub fn has_requirement(&self, definition: u32, id: RequirementId) -> bool {
        self.definitions.get(definition).is_some_and(|required| required.contains(id))
    }

    /// Returns the part of a type, constant or variable that has a requirement itself; `None` if no part does.
    pub fn required_by(&self, definition: u32, id: RequirementId) -> Option<u32> {
        self.has_requirement(definition, id).then(|| self.innermost(definition, id))
    }

    /// Returns the part of a definition that has a requirement itself.
    fn innermost(&self, mut definition: u32, id: RequirementId) -> u32 {
        let mut seen = HashSet::from([definition]);
        while let Some(inst) = self.module.definition(definition) {
            if self.requirements.find(&inst).contains(id) {
                break;
            }
            let requires =
                |used: u32| self.definitions.get(used).is_some_and(|required| required.contains(id));
            let mut part = None;
            self.graph.references.each_use(self.module, definition, |used| {
                part = part.or_else(|| (requires(used) && !seen.contains(&used)).then_some(used));
            });
            let Some(part) = part else { break };
            definition = part;
            seen.insert(definition);
        }
        definition
    }
}
