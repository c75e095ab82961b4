//! Guarded blocks: which parts of functions run only where specialization constants have certain values.
//!
//! Each function is looked at once for each combination of values that its constants can have ([`Flow`]): a block is guarded by
//! the OR of those where it runs. That holds for any control flow, and for whatever the branches compute from the constants.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use spirv::Op;

use super::error::AnalysisError;
use crate::analysis::annotated::Annotated;
use crate::analysis::constants::{Constants, Nothing, SpecId, Unset, find_spec_ids};
use crate::analysis::debug::names::Names;
use crate::analysis::flow::Flow;
use crate::condition::{Condition, ConditionError, Conditions, Expr};
use crate::loader::{Instruction, Module};

/// How many constants a function may depend on: each doubles the work.
const MAX_CONSTANTS: usize = 10;

/// Instructions that matter only where a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedRegion {
    /// Where they stand, in words.
    pub range: Range<u32>,
    /// The condition, which is not true. It is false for what never runs, whatever the constants stand for.
    pub condition: Expr,
    /// The constants that it depends on.
    pub constants: BTreeSet<u32>,
}

/// A specialization constant of which it is known what it stands for: its value is 1 where that holds, else 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundConstant {
    /// Its SpecId.
    pub spec_id: u32,
    /// Where the SpecId decoration stands, in words.
    pub decoration: u32,
    /// What it stands for.
    pub condition: Expr,
}

/// The guarded blocks of a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuardedRegions {
    /// By id: the specialization constants of which it is known what they stand for.
    pub constants: BTreeMap<u32, BoundConstant>,
    /// By index of the function: its guarded parts, in their order.
    pub(crate) functions: BTreeMap<usize, Vec<GuardedRegion>>,
}

impl GuardedRegions {
    /// The constants of a module of which annotations say what they stand for.
    pub(crate) fn constants(module: &Module, annotated: &Annotated) -> GuardedRegions {
        let mut regions = GuardedRegions::default();
        if !annotated.spec_constants.is_empty() {
            for SpecId { id, spec_id, decoration } in find_spec_ids(module) {
                let condition = annotated.spec_constants.get(&spec_id).cloned();
                if let (Some(condition), Some(decoration)) = (condition, decoration) {
                    regions.constants.insert(id, BoundConstant { spec_id, decoration, condition });
                }
            }
        }
        regions
    }

    /// Finds the blocks that the constants guard.
    pub(crate) fn find(&mut self, module: &Module, names: &Names) -> Result<(), AnalysisError> {
        let mut flow = Flow::new(module);
        let mut conditions = Conditions::new();
        for (at, function) in module.functions().iter().enumerate() {
            if !flow.read(function) {
                continue;
            }
            let constants = self.behind(module, flow.open_constants());
            if constants.len() > MAX_CONSTANTS {
                return Err(AnalysisError::Constants {
                    function: names.display(function.id),
                    count: constants.len(),
                    limit: MAX_CONSTANTS,
                });
            }
            if !constants.is_empty() {
                let cases = self.cases(constants, &mut conditions)?;
                let region = Blocks::solve(module, &mut flow, &cases).region(&mut conditions)?;
                if !region.is_empty() {
                    self.functions.insert(at, region);
                }
            }
        }
        Ok(())
    }

    /// The constants with a known meaning that others are computed from.
    fn behind(&self, module: &Module, open: impl Iterator<Item = u32>) -> BTreeSet<u32> {
        let mut found = BTreeSet::new();
        let mut stack: Vec<u32> = open.collect();
        let mut seen: BTreeSet<u32> = stack.iter().copied().collect();
        while let Some(id) = stack.pop() {
            if self.constants.contains_key(&id) {
                found.insert(id);
            } else if let Some(operation) = module.definition_as(id, Op::SpecConstantOp) {
                module.walk(&operation, &mut |at, operand: u32| {
                    if at > 2 && seen.insert(operand) {
                        stack.push(operand);
                    }
                });
            }
        }
        found
    }

    /// All combinations of values of constants.
    fn cases(
        &self,
        constants: BTreeSet<u32>,
        conditions: &mut Conditions,
    ) -> Result<Cases<'_>, ConditionError> {
        let constants: Vec<(u32, &BoundConstant)> =
            constants.iter().filter_map(|id| Some((*id, self.constants.get(id)?))).collect();
        let mut each = Vec::new();
        for case in 0..1_usize << constants.len() {
            let mut condition = Condition::TRUE;
            for (bit, (_, bound)) in constants.iter().enumerate() {
                let mut holds = conditions.of_expr(&bound.condition)?;
                if case >> bit & 1 == 0 {
                    holds = conditions.not(holds)?;
                }
                condition = conditions.and(condition, holds)?;
            }
            each.push(condition);
        }
        Ok(Cases { constants, conditions: each })
    }

    /// Whether no block is guarded.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The guarded parts of a function, by its index.
    pub fn of(&self, function: usize) -> &[GuardedRegion] {
        self.functions.get(&function).map_or(&[], Vec::as_slice)
    }
}

/// The combinations of values of some constants. In case N, the constants have the values of its bits.
struct Cases<'g> {
    constants: Vec<(u32, &'g BoundConstant)>,
    /// By case: when it is the one. Constants that stand for related conditions make some impossible.
    conditions: Vec<Condition>,
}

/// The values of a module's constants where those with these SpecIds have these values, and of the others nothing is known.
pub fn constants_where<'m>(module: &'m Module<'m>, values: &[(u32, u64)]) -> Constants<'m> {
    Constants::new(module, &Nothing, values, Unset::Keep)
}

/// Where a part of a function stands, and by case whether it runs.
type Part = (Range<u32>, Vec<bool>);

/// In which cases the blocks of one function run.
struct Blocks<'c, 'm> {
    module: &'m Module<'m>,
    cases: &'c Cases<'c>,
    /// By block: where it stands, and by case whether it runs.
    blocks: Vec<Part>,
    /// The blocks that run in no case, by where they stand, and the constants that it takes to tell.
    never: HashMap<u32, BTreeSet<u32>>,
}

impl<'c, 'm> Blocks<'c, 'm> {
    fn solve(module: &'m Module<'m>, flow: &mut Flow, cases: &'c Cases<'c>) -> Blocks<'c, 'm> {
        let ranges = flow.blocks().iter().map(|block| block.start..block.end);
        let mut blocks: Vec<Part> = ranges.map(|range| (range, Vec::new())).collect();
        let mut solve = |values: &[(u32, u64)]| {
            let mut constants = constants_where(module, values);
            flow.solve(&mut |id| constants.value(id));
            (0..flow.blocks().len()).map(|at| flow.runs(at)).collect::<Vec<bool>>()
        };
        for case in 0..cases.conditions.len() {
            let values = cases.constants.iter().enumerate();
            let values: Vec<(u32, u64)> =
                values.map(|(bit, (_, bound))| (bound.spec_id, (case >> bit & 1) as u64)).collect();
            let runs = solve(&values);
            blocks.iter_mut().zip(runs).for_each(|((_, all), runs)| all.push(runs));
        }
        let mut never = HashMap::new();
        let is_dead = |(_, runs): &Part| !runs.contains(&true);
        if blocks.iter().any(is_dead) {
            let anyway = solve(&[]);
            let all: BTreeSet<u32> = cases.constants.iter().map(|(id, _)| *id).collect();
            let alone: Vec<Vec<bool>> = cases
                .constants
                .iter()
                .map(|(_, bound)| {
                    let (fails, holds) = (solve(&[(bound.spec_id, 0)]), solve(&[(bound.spec_id, 1)]));
                    fails.iter().zip(holds).map(|(fails, holds)| *fails || holds).collect()
                })
                .collect();
            for (at, (range, _)) in
                blocks.iter().enumerate().filter(|(at, block)| is_dead(block) && anyway[*at])
            {
                let one = cases.constants.iter().zip(&alone).find(|(_, runs)| !runs[at]);
                let constants = one.map_or_else(|| all.clone(), |((id, _), _)| BTreeSet::from([*id]));
                never.insert(range.start, constants);
            }
        }
        Blocks { module, cases, blocks, never }
    }

    /// The parts of the function that do not run in all cases.
    fn region(&self, conditions: &mut Conditions) -> Result<Vec<GuardedRegion>, ConditionError> {
        let mut known: HashMap<&[bool], Option<(Expr, BTreeSet<u32>)>> = HashMap::new();
        let mut region: Vec<GuardedRegion> = Vec::new();
        let (variables, never) = self.variables();
        let parts = variables.iter().chain(&self.blocks);
        for (range, runs) in parts {
            if let Some(constants) = never.get(&range.start).or_else(|| self.never.get(&range.start)) {
                region.push(GuardedRegion {
                    range: range.clone(),
                    condition: Expr::False,
                    constants: constants.clone(),
                });
                continue;
            }
            if !known.contains_key(&runs[..]) {
                known.insert(runs, self.guard(runs, conditions)?);
            }
            let Some((condition, constants)) = &known[&runs[..]] else { continue };
            match region.last_mut() {
                Some(last) if last.range.end == range.start && last.condition == *condition => {
                    last.range.end = range.end;
                    last.constants.extend(constants);
                }
                _ => region.push(GuardedRegion {
                    range: range.clone(),
                    condition: condition.clone(),
                    constants: constants.clone(),
                }),
            }
        }
        Ok(region)
    }

    /// When a part runs that runs in certain cases, and the constants that this depends on; `None` for one that runs always, or in
    /// no case.
    fn guard(
        &self,
        runs: &[bool],
        conditions: &mut Conditions,
    ) -> Result<Option<(Expr, BTreeSet<u32>)>, ConditionError> {
        let mut condition = Condition::FALSE;
        let mut without = Condition::FALSE;
        for (&case, &runs) in self.cases.conditions.iter().zip(runs) {
            let joined = if runs { &mut condition } else { &mut without };
            *joined = conditions.or(*joined, case)?;
        }
        if without.is_false() || !runs.contains(&true) {
            return Ok(None);
        }
        let matters = |bit: usize| (0..runs.len()).any(|case| runs[case] != runs[case ^ (1 << bit)]);
        let constants = self.cases.constants.iter().enumerate().filter(|&(bit, _)| matters(bit));
        let constants = constants.map(|(_, (id, _))| *id).collect();
        Ok(Some((conditions.expr_of(condition)?, constants)))
    }

    /// The function's variables, which all stand in its first block, and in which cases something uses them. A variable that is
    /// initialized is used where it stands. Beside them, those that only blocks use that never run, as [`Blocks::never`] has
    /// blocks.
    fn variables(&self) -> (Vec<Part>, HashMap<u32, BTreeSet<u32>>) {
        let mut variables: BTreeMap<u32, (Part, BTreeSet<u32>)> = BTreeMap::new();
        let nowhere = vec![false; self.cases.conditions.len()];
        for (range, runs) in &self.blocks {
            for inst in self.module.range(range.start, range.end) {
                if is_uninitialized(&inst) {
                    let part = (inst.offset()..inst.end(), nowhere.clone());
                    variables.insert(inst.word(2), (part, BTreeSet::new()));
                    continue;
                }
                self.module.walk(&inst, &mut |_, id: u32| {
                    if let Some(((_, used), constants)) = variables.get_mut(&id) {
                        used.iter_mut().zip(runs).for_each(|(used, runs)| *used |= runs);
                        constants.extend(self.never.get(&range.start).into_iter().flatten());
                    }
                });
            }
        }
        let only_dead =
            |((_, used), constants): &&(Part, BTreeSet<u32>)| !used.contains(&true) && !constants.is_empty();
        let never = variables.values().filter(only_dead);
        let never = never.map(|((range, _), constants)| (range.start, constants.clone())).collect();
        let mut variables: Vec<Part> = variables.into_values().map(|(part, _)| part).collect();
        variables.sort_by_key(|(range, _)| range.start);
        (variables, never)
    }
}

fn is_uninitialized(inst: &Instruction) -> bool {
    inst.is(Op::Variable) && inst.words().len() == 4
}
