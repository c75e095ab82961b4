//! Kernels that may call functions with requirements that they do not expect, found in one walk over the references of the module.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::{CheckContext, CheckError};
use spirv_if::engine::analysis::calls::scc::referred_first;
use spirv_if::engine::analysis::{DeviceRequirement, where_not_implied};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::condition::ConditionId;

/// Requirements of called functions, each with a number. Sets of them are masks.
#[derive(Default)]
struct NumberedRequirements(BTreeMap<DeviceRequirement, u32>);

impl NumberedRequirements {
    /// Returns the bit of a requirement. Requirements share bits if there are more than bits.
    fn bit(&mut self, required: DeviceRequirement) -> u64 {
        let next = self.0.len() as u32;
        1 << (*self.0.entry(required).or_insert(next) % u64::BITS)
    }

    /// Returns the bits without any requirement that remains.
    fn without(&self, remains: impl Fn(DeviceRequirement) -> bool) -> u64 {
        let remaining = self.0.iter().filter(|&(&required, _)| remains(required));
        !remaining.fold(0, |bits, (_, number)| bits | 1 << (number % u64::BITS))
    }
}

impl CheckContext<'_, '_> {
    /// Returns the kernels that may reach a requirement that they do not expect, and the called functions with such requirements. The
    /// others need no search.
    pub(super) fn unexpecting_kernels(
        &mut self,
        kernels: &[u32],
        called: &[u32],
    ) -> Result<(Vec<u32>, Vec<u32>), CheckError> {
        let required = self.unknown_to_callers(called)?;
        if required.is_empty() {
            return Ok((Vec::new(), Vec::new()));
        }
        let mut numbers = NumberedRequirements::default();
        let functions = self.module.functions();
        let mut bits = vec![0; functions.len()];
        for (function, required) in &required {
            let Some(at) = self.module.function_index(*function) else { continue };
            bits[at] = required.iter().fold(0, |bits, &required| bits | numbers.bit(required));
        }
        let reached = self.reached_requirements(bits, &numbers)?;
        let mut unexpecting = Vec::new();
        for &kernel in kernels {
            let reached = self.module.function_index(kernel).map_or(0, |at| reached[at]);
            if reached != 0 && reached & !self.expected_requirements(kernel, &numbers)? != 0 {
                unexpecting.push(kernel);
            }
        }
        let called = called.iter().copied().filter(|function| required.contains_key(function));
        Ok((unexpecting, called.collect()))
    }

    /// Returns, by called function, the requirements that a caller may not know. Callers in the same unit may not know
    /// the declared requirements of the function. Callers in other units may not know its uses either, except those
    /// that their declaration of the function promises.
    fn unknown_to_callers(
        &mut self,
        called: &[u32],
    ) -> Result<IdMap<BTreeSet<DeviceRequirement>>, CheckError> {
        let called: BTreeSet<u32> =
            called.iter().copied().filter(|&function| !self.is_kernel_body(function)).collect();
        let mut required: IdMap<BTreeSet<DeviceRequirement>> = IdMap::new();
        let mut add = |function, aspect| {
            required.entry(function).or_default().insert(DeviceRequirement::Aspect(aspect));
        };
        let mut seen = BTreeSet::new();
        for (at, caller) in self.module.functions().iter().enumerate() {
            let unit = self.units.unit(caller.id);
            for (callee, _) in self.summaries.edges(at) {
                if !called.contains(&callee) || !seen.insert((unit, callee)) {
                    continue;
                }
                // A caller of an unknown unit belongs to any.
                let may_enter =
                    self.units.are_several() && (unit.is_none() || !self.units.may_contain(unit, callee));
                let promised = self.units.promised(unit, callee).filter(|_| may_enter);
                let is_unknown = |aspect: &u32| promised.is_none_or(|promised| !promised.contains(aspect));
                let declared = self.listed.aspects(callee).into_iter().flatten();
                declared.copied().filter(is_unknown).for_each(|aspect| add(callee, aspect));
                if may_enter {
                    for (aspect, when) in self.used_aspects_in_unit(callee)? {
                        if is_unknown(&aspect) && !self.implies(when, aspect)? {
                            add(callee, aspect);
                        }
                    }
                }
            }
        }
        for &function in &called {
            if let Some(size) = self.sub_group_size(function) {
                required.entry(function).or_default().insert(DeviceRequirement::SubGroupSize(size));
            }
        }
        Ok(required)
    }

    /// Returns the requirements that each function reaches, except aspects that the conditions of references imply. `required` are the
    /// requirements of the functions themselves.
    fn reached_requirements(
        &mut self,
        required: Vec<u64>,
        numbers: &NumberedRequirements,
    ) -> Result<Vec<u64>, CheckError> {
        let summaries = self.summaries;
        let callees = |at, callees: &mut Vec<usize>| callees.extend(summaries.callees(at, &|_| true));
        let mut implied: BTreeMap<ConditionId, u64> = BTreeMap::from([(ConditionId::TRUE, 0)]);
        let mut reached = required;
        for group in referred_first(reached.len(), callees).iter() {
            // A cycle is repeated until nothing changes.
            loop {
                let mut is_changed = false;
                for &at in group {
                    for (target, condition) in summaries.edges(at) {
                        let Some(callee) = self.module.function_index(target) else { continue };
                        let implied = match implied.entry(condition) {
                            Entry::Occupied(known) => *known.get(),
                            Entry::Vacant(new) => *new.insert(self.implied_requirements(condition, numbers)?),
                        };
                        let joined = reached[at] | reached[callee] & !implied;
                        is_changed |= joined != reached[at];
                        reached[at] = joined;
                    }
                }
                if !is_changed || group.len() == 1 {
                    break;
                }
            }
        }
        Ok(reached)
    }

    /// Returns the bits whose requirements a condition implies.
    fn implied_requirements(
        &mut self,
        condition: ConditionId,
        numbers: &NumberedRequirements,
    ) -> Result<u64, CheckError> {
        let mut implied = BTreeSet::new();
        for &required in numbers.0.keys() {
            if let DeviceRequirement::Aspect(aspect) = required
                && self.implies(condition, aspect)?
            {
                implied.insert(required);
            }
        }
        Ok(numbers.without(|required| !implied.contains(&required)))
    }

    /// Returns true if a condition holds only on devices that have an aspect.
    fn implies(&mut self, condition: ConditionId, aspect: u32) -> Result<bool, CheckError> {
        let left = where_not_implied(&mut self.conditions, Some(self.options.devices), condition, aspect)?;
        Ok(left.is_false())
    }

    /// Returns the bits whose requirements a kernel expects under any condition.
    fn expected_requirements(
        &mut self,
        kernel: u32,
        numbers: &NumberedRequirements,
    ) -> Result<u64, CheckError> {
        let used = self.used_aspects_in_unit(kernel)?;
        let (declared, size) = (self.listed.aspects(kernel), self.sub_group_size(kernel));
        Ok(numbers.without(|required| match required {
            DeviceRequirement::Aspect(aspect) => {
                let is_declared = declared.is_some_and(|declared| declared.contains(&aspect));
                !is_declared && used.get(&aspect).is_none_or(|when| !when.is_true())
            }
            DeviceRequirement::SubGroupSize(required) => size != Some(required),
            DeviceRequirement::WorkGroupSize(_) => true,
        }))
    }
}
