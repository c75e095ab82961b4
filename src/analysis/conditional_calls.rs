//! Conditional calls of a module. A call can move if only its preparation requires what its condition promises.
//! Otherwise the function that contains it requires this on every device.

use std::collections::{BTreeSet, HashSet};

use super::conditional::calls::{Action, ConditionalCall, ConditionalCalls};
use super::conditional::error::AnalysisError;
use super::conditional::preparation::unneeded_without;
use super::conditions::predicates::{PredicateTable, find_tables};
use super::context::Analyses;
use super::debug::is_debug;
use super::requirements::{InstructionRequirements, RequirementSet, is_of_kernels};
use super::root_requirements::promises;
use crate::collections::IdMap;
use crate::condition::{ConditionError, Conditions};
use crate::loader::{Function, Instruction, Module, views};

impl Analyses<'_> {
    /// Finds the tables of predicates.
    pub(super) fn find_tables(&self) -> Result<Vec<PredicateTable>, AnalysisError> {
        Ok(find_tables(self.module())?)
    }

    /// Finds the conditional calls, and the regions that bound constants guard.
    pub(super) fn find_calls(&self) -> Result<ConditionalCalls, AnalysisError> {
        let mut calls = self.calls_without_regions()?.clone();
        if !calls.regions.constants.is_empty() {
            calls.regions.find(self.module(), self.names(), self.flow())?;
        }
        Ok(calls)
    }

    /// Finds the conditional calls, without regions.
    pub(super) fn find_calls_without_regions(&self) -> Result<ConditionalCalls, AnalysisError> {
        self.predicates()?;
        if self.has_no_calls() {
            return Ok(ConditionalCalls::default());
        }
        let mut calls =
            ConditionalCalls::find(self.module(), self.names(), self.properties(), self.annotated())?;
        if !calls.calls.is_empty() {
            let requirements = self.declared_requirements()?;
            keep_needed(self.module(), requirements, &mut calls.calls)?;
        }
        Ok(calls)
    }
}

/// Keeps the other calls in place, and finds the requirements of preparation that cannot move.
///
/// # Errors
/// If a condition is out of bounds.
fn keep_needed<'m>(
    module: &'m Module<'m>,
    requirements: &InstructionRequirements<'m>,
    calls: &mut [ConditionalCall],
) -> Result<(), ConditionError> {
    let mut needs = MovingRequirements::new(module, requirements);
    for of_holder in calls.chunk_by_mut(|one, other| one.holder == other.holder) {
        let mut promised = Vec::with_capacity(of_holder.len());
        for call in of_holder.iter_mut() {
            let required = needs.promised(call)?;
            call.movable = call.movable.take().filter(|_| !required.is_empty());
            promised.push(required);
        }
        let Some(function) = module.function(of_holder[0].holder) else { continue };
        // What stays may require the same as what moves.
        loop {
            if of_holder.iter().all(|call| call.movable.is_none()) {
                break;
            }
            let staying = needs.staying(function, of_holder);
            let mut changed = false;
            for (call, required) in of_holder.iter_mut().zip(&promised) {
                if call.movable.is_some() && staying.has_all(required) {
                    call.movable = None;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        needs.find_stuck(function, of_holder)?;
    }
    Ok(())
}

/// The requirements of calls and of their preparation.
struct MovingRequirements<'n, 'm> {
    module: &'m Module<'m>,
    requirements: &'n InstructionRequirements<'m>,
    conditions: Conditions,
    /// Index in `sets` of the requirements of an id and of everything that it refers to. It is 0 for ids inside of
    /// functions, and for ids without requirements.
    of_ids: Vec<u32>,
    sets: Vec<RequirementSet>,
}

impl<'n, 'm> MovingRequirements<'n, 'm> {
    fn new(
        module: &'m Module<'m>,
        requirements: &'n InstructionRequirements<'m>,
    ) -> MovingRequirements<'n, 'm> {
        let of_ids = vec![0; module.bound() as usize];
        let sets = vec![RequirementSet::EMPTY];
        let mut needs =
            MovingRequirements { module, requirements, conditions: Conditions::new(), of_ids, sets };
        for inst in module.globals() {
            let Some(id) = inst.result_id() else { continue };
            let mut all = RequirementSet::EMPTY;
            needs.add(&inst, &mut all);
            if !all.is_empty() {
                needs.of_ids[id as usize] = needs.sets.len() as u32;
                needs.sets.push(all);
            }
        }
        needs
    }

    /// Returns the requirements that a call's condition promises, of the instructions that move with the call.
    fn promised(&mut self, call: &ConditionalCall) -> Result<RequirementSet, ConditionError> {
        let mut promised = RequirementSet::EMPTY;
        let Some(moving) = &call.movable else { return Ok(promised) };
        let mut all = RequirementSet::EMPTY;
        let inst = self.module.instruction(call.call);
        let mut ids: Vec<u32> = inst.words()[call.passed.clone()].to_vec();
        let prepared = match &call.action {
            Action::Wrapped(wrapper) => {
                ids.extend(wrapper.global_arguments(self.module));
                &wrapper.preparation[..]
            }
            Action::Pointer => {
                ids.extend(call.casts(self.module).filter_map(|(_, type_)| type_));
                &[]
            }
            Action::Caller => &[],
        };
        for id in ids {
            all.extend(self.of_id(id));
        }
        for &offset in moving.iter().chain(prepared) {
            self.add(&self.module.instruction(offset), &mut all);
        }
        let condition = self.conditions.of_expr(&call.condition)?;
        let of_kernels = is_of_kernels(self.module);
        for required in all.iter() {
            if promises(&mut self.conditions, None, condition, required, of_kernels)? {
                promised.insert(required);
            }
        }
        Ok(promised)
    }

    /// Returns the requirements of the instructions that stay in a function if these calls move.
    fn staying(&self, function: &Function, calls: &[ConditionalCall]) -> RequirementSet {
        self.without(function, calls, calls.iter().filter_map(|call| call.movable.as_deref()).flatten())
    }

    /// Returns the requirements of a function without these calls and instructions.
    fn without<'a>(
        &self,
        function: &Function,
        calls: &'a [ConditionalCall],
        instructions: impl Iterator<Item = &'a u32>,
    ) -> RequirementSet {
        let carriers_and_calls = calls.iter().flat_map(|call| call.carriers.iter().chain([&call.call]));
        let left_out: BTreeSet<u32> = instructions.chain(carriers_and_calls).copied().collect();
        let mut left_out = left_out.into_iter().peekable();
        let mut all = RequirementSet::EMPTY;
        for inst in self.module.body(function) {
            while left_out.next_if(|&offset| offset < inst.offset()).is_some() {}
            if left_out.peek() != Some(&inst.offset()) && !is_debug(self.module, &inst) {
                self.add(&inst, &mut all);
            }
        }
        all
    }

    /// Finds the requirements of preparation that cannot move.
    fn find_stuck(
        &mut self,
        function: &Function,
        calls: &mut [ConditionalCall],
    ) -> Result<(), ConditionError> {
        let offsets: HashSet<u32> = calls.iter().map(|call| call.call).collect();
        let idle = unneeded_without(self.module, function, &offsets);
        let moving: HashSet<u32> =
            calls.iter().filter_map(|call| call.movable.as_deref()).flatten().copied().collect();
        let stuck: Vec<u32> = idle.iter().copied().filter(|offset| !moving.contains(offset)).collect();
        // By id: the requirements of what computes it.
        let mut of_ids: IdMap<RequirementSet> = IdMap::new();
        for inst in stuck.iter().map(|&offset| self.module.instruction(offset)) {
            if is_debug(self.module, &inst) {
                continue;
            }
            let mut all = RequirementSet::EMPTY;
            self.add(&inst, &mut all);
            self.module.walk(&inst, &mut |_, id: u32| {
                all.extend(of_ids.get(&id).unwrap_or(&RequirementSet::EMPTY));
            });
            // A store belongs to the loads from its variable.
            let id = inst.result_id().unwrap_or_else(|| inst.word(1));
            of_ids.entry(id).or_insert(RequirementSet::EMPTY).extend(&all);
        }
        if of_ids.values().all(RequirementSet::is_empty) {
            return Ok(());
        }
        let elsewhere = self.without(function, calls, idle.iter());
        let of_kernels = is_of_kernels(self.module);
        for call in calls.iter_mut().filter(|call| call.otherwise.is_empty()) {
            let mut needed = RequirementSet::EMPTY;
            let arguments = views::FunctionCall(self.module.instruction(call.call));
            for set in arguments.arguments().iter().filter_map(|id| of_ids.get(id)) {
                needed.extend(set);
            }
            let condition = self.conditions.of_expr(&call.condition)?;
            for required in needed.iter().filter(|&required| !elsewhere.contains(required)) {
                if promises(&mut self.conditions, None, condition, required, of_kernels)? {
                    call.stuck.push(required);
                }
            }
        }
        Ok(())
    }

    /// Adds the requirements of an instruction of a function with those of the definitions that it refers to.
    fn add(&self, inst: &Instruction, all: &mut RequirementSet) {
        self.requirements.add(inst, all);
        self.module.walk(inst, &mut |_, id: u32| {
            all.extend(self.of_id(id));
        });
    }

    fn of_id(&self, id: u32) -> &RequirementSet {
        &self.sets[self.of_ids[id as usize] as usize]
    }
}
