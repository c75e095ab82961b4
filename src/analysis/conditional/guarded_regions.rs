//! Guarded regions: the parts of functions that run only where bound specialization constants have certain values.
//!
//! Each function is solved once for each combination of values of its constants ([`Flow`]). A block is guarded by the OR of the
//! combinations in which it runs. That holds for any control flow, and for anything that branches compute from the constants.

mod symbolic;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::Range;

use spirv::Op;

use super::error::AnalysisError;
use crate::analysis::annotated::Annotated;
use crate::analysis::constants::{Constants, Nothing, SpecConstantDecl, find_spec_constants};
use crate::analysis::debug::names::Names;
use crate::analysis::flow::{self, Flow, Running, Solution};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr};
use crate::loader::{Instruction, Module, views};
use symbolic::SymbolicEvaluator;

/// The greatest number of bound constants that a function may depend on, unless all are predicates: each doubles the work.
const MAX_CONSTANTS: usize = 10;

/// Instructions that run only where a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardedRegion {
    /// The range of the instructions, in words.
    pub range: Range<u32>,
    /// The condition, which is never `True`. It is `False` for instructions that never run under any binding of the constants.
    pub condition: Expr,
    /// The constants that the condition depends on. The set is empty for instructions that run for no values of the constants.
    pub constants: BTreeSet<u32>,
}

/// A specialization constant that is bound to a condition: its value is 1 if the condition holds, else 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundConstant {
    /// The SpecId.
    pub spec_id: u32,
    /// The offset of the SpecId decoration, in words.
    pub decoration: u32,
    /// The condition that it is bound to.
    pub condition: Expr,
    /// True if it is a predicate: a Boolean on which nothing but branches depends.
    pub is_predicate: bool,
}

/// The guarded regions of a module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GuardedRegions {
    /// The bound specialization constants, by id.
    pub constants: BTreeMap<u32, BoundConstant>,
    /// The guarded regions of a function in order, by index of the function.
    pub(crate) functions: BTreeMap<usize, Vec<GuardedRegion>>,
}

impl GuardedRegions {
    /// The constants of a module that annotations bind, without regions.
    pub(crate) fn constants(module: &Module, annotated: &Annotated) -> GuardedRegions {
        let mut regions = GuardedRegions::default();
        if !annotated.spec_constants.is_empty() {
            for SpecConstantDecl { id, spec_id, decoration } in find_spec_constants(module) {
                let condition = annotated.spec_constants.get(&spec_id).cloned();
                if let (Some(condition), Some(decoration)) = (condition, decoration) {
                    let is_predicate = annotated.predicates.contains(&spec_id);
                    regions
                        .constants
                        .insert(id, BoundConstant { spec_id, decoration, condition, is_predicate });
                }
            }
        }
        regions
    }

    /// Finds the regions that the bound constants guard.
    pub(crate) fn find(&mut self, module: &Module, names: &Names, flow: &Flow) -> Result<(), AnalysisError> {
        let mut conditions = Conditions::new();
        // Functions that depend on the same constants are solved together.
        let mut functions: BTreeMap<BTreeSet<u32>, Vec<usize>> = BTreeMap::new();
        for at in flow.functions() {
            let (Some(blocks), function) = (flow.blocks(at), &module.functions()[at]) else { continue };
            let constants = self.bound_operands(module, flow.open_constants(at).into_iter());
            if constants.len() > MAX_CONSTANTS {
                let is_predicate = |id: &u32| self.constants.get(id).is_some_and(|bound| bound.is_predicate);
                if constants.iter().all(is_predicate) {
                    let mut bound: BTreeMap<u32, Expr> = BTreeMap::new();
                    bound.extend(self.constants.iter().map(|(&id, bound)| (id, bound.condition.clone())));
                    let regions = SymbolicEvaluator::new(module, &bound, &mut conditions).regions(blocks)?;
                    let region =
                        |(range, condition, constants)| GuardedRegion { range, condition, constants };
                    let regions: Vec<GuardedRegion> = regions.into_iter().map(region).collect();
                    if !regions.is_empty() {
                        self.functions.insert(at, regions);
                    }
                    continue;
                }
                return Err(AnalysisError::Constants {
                    function: names.display(function.id),
                    count: constants.len(),
                    limit: MAX_CONSTANTS,
                });
            }
            if !constants.is_empty() {
                functions.entry(constants).or_default().push(at);
            }
        }
        let mut by_function = Vec::new();
        for (constants, functions) in functions {
            let cases = self.cases(constants, &mut conditions)?;
            for (at, blocks) in CaseBlocks::solve(module, flow, &functions, &cases) {
                by_function.push((at, blocks.regions(&mut conditions)?));
            }
        }
        self.functions.extend(by_function.into_iter().filter(|(_, regions)| !regions.is_empty()));
        Ok(())
    }

    /// The bound constants that others are computed from: of those with one SpecId, the first. Some compilers write a constant wherever a
    /// source reads it.
    fn bound_operands(&self, module: &Module, open: impl Iterator<Item = u32>) -> BTreeSet<u32> {
        let mut ids = BTreeSet::new();
        let mut stack: Vec<u32> = open.collect();
        let mut seen: BTreeSet<u32> = stack.iter().copied().collect();
        while let Some(id) = stack.pop() {
            if self.constants.contains_key(&id) {
                ids.insert(id);
            } else if let Some(operation) = module.definition_as(id, Op::SpecConstantOp) {
                module.walk(&operation, &mut |at, operand: u32| {
                    if at > 2 && seen.insert(operand) {
                        stack.push(operand);
                    }
                });
            }
        }
        let mut spec_ids = BTreeSet::new();
        ids.retain(|id| self.constants.get(id).is_some_and(|bound| spec_ids.insert(bound.spec_id)));
        ids
    }

    /// All combinations of values of constants.
    fn cases(
        &self,
        constants: BTreeSet<u32>,
        conditions: &mut Conditions,
    ) -> Result<ConstantCases<'_>, ConditionError> {
        let constants: Vec<(u32, &BoundConstant)> =
            constants.iter().filter_map(|id| Some((*id, self.constants.get(id)?))).collect();
        let mut case_conditions = Vec::new();
        for case in 0..1_usize << constants.len() {
            let mut condition = ConditionId::TRUE;
            for (bit, (_, bound)) in constants.iter().enumerate() {
                let mut holds = conditions.of_expr(&bound.condition)?;
                if case >> bit & 1 == 0 {
                    holds = conditions.not(holds)?;
                }
                condition = conditions.and(condition, holds)?;
            }
            case_conditions.push(condition);
        }
        Ok(ConstantCases { constants, conditions: case_conditions })
    }

    /// True if no block is guarded.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns the guarded regions of a function, by its index.
    pub fn in_function(&self, function: usize) -> &[GuardedRegion] {
        self.functions.get(&function).map_or(&[], Vec::as_slice)
    }
}

/// The combinations of values of some constants. In case N, the constants have the values of its bits.
struct ConstantCases<'g> {
    constants: Vec<(u32, &'g BoundConstant)>,
    /// The condition of each case. Constants that are bound to related conditions make some cases impossible.
    conditions: Vec<ConditionId>,
}

/// Returns a module's constants with values for these SpecIds. All other constants are unknown.
pub fn constants_where<'m>(module: &'m Module<'m>, values: &[(u32, u64)]) -> Constants<'m> {
    Constants::new(module, &Nothing, values)
}

/// The range of a part of a function, and by case whether it runs.
type CaseRange = (Range<u32>, Vec<bool>);

/// The blocks of one function, with the cases in which they run.
struct CaseBlocks<'c, 'm> {
    module: &'m Module<'m>,
    cases: &'c ConstantCases<'c>,
    /// The blocks.
    blocks: Vec<CaseRange>,
    /// The blocks that run in no case, by their start, with the constants that decide this, if it needs any.
    never: HashMap<u32, BTreeSet<u32>>,
}

impl<'c, 'm> CaseBlocks<'c, 'm> {
    /// Solves functions in all cases.
    fn solve(
        module: &'m Module<'m>,
        flow: &Flow,
        functions: &[usize],
        cases: &'c ConstantCases<'c>,
    ) -> Vec<(usize, CaseBlocks<'c, 'm>)> {
        let mut solution = Solution::default();
        // By function and block: true if it runs.
        let mut solve = |values: &[(u32, u64)]| -> Vec<Vec<bool>> {
            let mut constants = constants_where(module, values);
            let solved = flow.solve(module, &mut solution, Running::All, &mut |id| constants.value(id));
            let blocks = |at: usize| 0..flow.blocks(at).map_or(0, flow::Blocks::len);
            let runs = |&at: &usize| blocks(at).map(|block| solved.runs(at, block)).collect();
            functions.iter().map(runs).collect()
        };
        let mut by_case = Vec::new();
        for case in 0..cases.conditions.len() {
            let values = cases.constants.iter().enumerate();
            let values: Vec<(u32, u64)> =
                values.map(|(bit, (_, bound))| (bound.spec_id, (case >> bit & 1) as u64)).collect();
            by_case.push(solve(&values));
        }
        let without_values = solve(&[]);
        let by_constant: Vec<_> = cases
            .constants
            .iter()
            .map(|(id, bound)| (*id, [0, 1].map(|value| solve(&[(bound.spec_id, value)]))))
            .collect();
        let all: BTreeSet<u32> = cases.constants.iter().map(|(id, _)| *id).collect();
        let mut solved = Vec::new();
        for (number, &at) in functions.iter().enumerate() {
            let (mut blocks, mut never): (Vec<CaseRange>, _) = (Vec::new(), HashMap::new());
            for (block, flow_block) in flow.blocks(at).into_iter().flat_map(flow::Blocks::iter).enumerate() {
                let runs: Vec<bool> = by_case.iter().map(|runs| runs[number][block]).collect();
                if !runs.contains(&true) {
                    let decides = |runs: &[Vec<Vec<bool>>; 2]| !runs.iter().any(|runs| runs[number][block]);
                    let one = by_constant.iter().find(|(_, runs)| decides(runs));
                    let constants = match one {
                        _ if !without_values[number][block] => BTreeSet::new(),
                        Some((id, _)) => BTreeSet::from([*id]),
                        None => all.clone(),
                    };
                    never.insert(flow_block.start, constants);
                }
                blocks.push((flow_block.start..flow_block.end, runs));
            }
            solved.push((at, CaseBlocks { module, cases, blocks, never }));
        }
        solved
    }

    /// The parts of the function that do not run in all cases.
    fn regions(&self, conditions: &mut Conditions) -> Result<Vec<GuardedRegion>, ConditionError> {
        let mut known: HashMap<&[bool], Option<(Expr, BTreeSet<u32>)>> = HashMap::new();
        let mut regions: Vec<GuardedRegion> = Vec::new();
        let (variables, never) = self.variables();
        let parts = variables.iter().chain(&self.blocks);
        for (range, runs) in parts {
            if let Some(constants) = never.get(&range.start).or_else(|| self.never.get(&range.start)) {
                regions.push(GuardedRegion {
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
            match regions.last_mut() {
                Some(last) if last.range.end == range.start && last.condition == *condition => {
                    last.range.end = range.end;
                    last.constants.extend(constants);
                }
                _ => regions.push(GuardedRegion {
                    range: range.clone(),
                    condition: condition.clone(),
                    constants: constants.clone(),
                }),
            }
        }
        Ok(regions)
    }

    /// The condition of a part that runs in certain cases, and the constants that this depends on; `None` for one that runs in all
    /// cases, or in none.
    fn guard(
        &self,
        runs: &[bool],
        conditions: &mut Conditions,
    ) -> Result<Option<(Expr, BTreeSet<u32>)>, ConditionError> {
        let mut condition = ConditionId::FALSE;
        let mut without = ConditionId::FALSE;
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

    /// Returns the function's variables, with the cases in which they are used. All are defined in its first block. A variable with an
    /// initializer is used where it is defined. Also returns the variables that only dead blocks use, in the form of [`CaseBlocks::never`].
    fn variables(&self) -> (Vec<CaseRange>, HashMap<u32, BTreeSet<u32>>) {
        let mut variables: BTreeMap<u32, (CaseRange, Option<BTreeSet<u32>>)> = BTreeMap::new();
        let nowhere = vec![false; self.cases.conditions.len()];
        for (range, runs) in &self.blocks {
            for inst in self.module.range(range.start, range.end) {
                if let Some(variable) = uninitialized_variable(inst) {
                    let part = (inst.offset()..inst.end(), nowhere.clone());
                    variables.insert(variable.id(), (part, None));
                    continue;
                }
                self.module.walk(&inst, &mut |_, id: u32| {
                    if let Some(((_, used), constants)) = variables.get_mut(&id) {
                        used.iter_mut().zip(runs).for_each(|(used, runs)| *used |= runs);
                        if let Some(never) = self.never.get(&range.start) {
                            constants.get_or_insert_default().extend(never);
                        }
                    }
                });
            }
        }
        let only_dead = variables.values().filter(|((_, used), _)| !used.contains(&true));
        let never = only_dead.filter_map(|((range, _), constants)| Some((range.start, constants.clone()?)));
        let never = never.collect();
        let mut variables: Vec<CaseRange> = variables.into_values().map(|(part, _)| part).collect();
        variables.sort_by_cached_key(|(range, _)| range.start);
        (variables, never)
    }
}

fn uninitialized_variable(inst: Instruction) -> Option<views::Variable> {
    views::Variable::new(inst).filter(|variable| variable.initializer().is_none())
}
