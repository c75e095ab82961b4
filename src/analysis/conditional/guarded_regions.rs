//! Guarded regions: the parts of functions that run only where bound specialization constants have certain values.
//!
//! Each function is solved once for each possible combination of values of its constants ([`Flow`]). A block is guarded by the OR of the
//! combinations in which it runs. That holds for any control flow, and for anything that branches compute from the constants.

mod symbolic;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use spirv::Op;

use super::error::AnalysisError;
use crate::analysis::annotated::Annotated;
use crate::analysis::constants::{Constants, Nothing, SpecConstantDecl, find_spec_constants};
use crate::analysis::debug::names::Names;
use crate::analysis::flow::{self, Flow, Running, Solution};
use crate::collections::{IdMap, OrderedMap, sort_by_key};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr};
use crate::loader::{Instruction, Module, views};
use symbolic::SymbolicEvaluator;

/// The maximum number of possible combinations of values of the bound constants that a function depends on: it is solved for each. Ten
/// independent conditions have as many.
const MAX_CASES: usize = 1024;

/// The maximum number of different conditions to which these constants are bound.
const MAX_CONDITIONS: usize = u64::BITS as usize;

/// The number of predicates of a function from which on conditions are computed along its paths.
const MANY_PREDICATES: usize = 10;

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
    pub constants: IdMap<BoundConstant>,
    /// The guarded regions of a function in order, by index of the function.
    pub(crate) functions: OrderedMap<usize, Vec<GuardedRegion>>,
}

impl GuardedRegions {
    /// Returns the constants of a module that annotations bind, without regions.
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
        let mut functions: OrderedMap<BTreeSet<u32>, Vec<usize>> = OrderedMap::new();
        for at in flow.functions() {
            let Some(blocks) = flow.blocks(at) else { continue };
            let constants = self.bound_operands(module, flow.open_constants(at).into_iter());
            let is_predicate = |id: &u32| self.constants.get(id).is_some_and(|bound| bound.is_predicate);
            if constants.len() > MANY_PREDICATES && constants.iter().all(is_predicate) {
                let mut bound: IdMap<Expr> = IdMap::new();
                bound.extend(self.constants.iter().map(|(&id, bound)| (id, bound.condition.clone())));
                let regions = SymbolicEvaluator::new(module, &bound, &mut conditions).regions(blocks)?;
                let region = |(range, condition, constants)| GuardedRegion { range, condition, constants };
                let regions: Vec<GuardedRegion> = regions.into_iter().map(region).collect();
                if !regions.is_empty() {
                    self.functions.insert(at, regions);
                }
                continue;
            }
            if !constants.is_empty() {
                functions.entry(constants).or_default().push(at);
            }
        }
        let mut by_function = Vec::new();
        for (constants, functions) in functions {
            let count = constants.len();
            let Some(cases) = self.cases(constants, &mut conditions)? else {
                let function = names.display(module.functions()[functions[0]].id);
                let (conditions, cases) = (MAX_CONDITIONS, MAX_CASES);
                return Err(AnalysisError::Constants { function, count, conditions, cases });
            };
            for (at, blocks) in CaseBlocks::solve(module, flow, &functions, &cases) {
                by_function.push((at, blocks.regions(&mut conditions)?));
            }
        }
        self.functions.extend(by_function.into_iter().filter(|(_, regions)| !regions.is_empty()));
        Ok(())
    }

    /// Returns the bound constants from which others are computed. Of several constants with one SpecId, it returns the
    /// first: some compilers write a constant wherever a source reads it.
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

    /// Returns the possible combinations of values of constants. `None` if there are too many.
    fn cases(
        &self,
        constants: BTreeSet<u32>,
        conditions: &mut Conditions,
    ) -> Result<Option<ConstantCases<'_>>, ConditionError> {
        let mut groups: Vec<Vec<(u32, &BoundConstant)>> = Vec::new();
        let mut numbers: HashMap<ConditionId, usize> = HashMap::new();
        let mut cases = vec![(ConditionId::TRUE, 0)];
        for (id, bound) in constants.iter().filter_map(|id| Some((*id, self.constants.get(id)?))) {
            let holds = conditions.of_expr(&bound.condition)?;
            if let Some(&number) = numbers.get(&holds) {
                groups[number].push((id, bound));
                continue;
            }
            if groups.len() == MAX_CONDITIONS {
                return Ok(None);
            }
            let fails = conditions.not(holds)?;
            let mut split = Vec::with_capacity(2 * cases.len());
            for (condition, set) in cases {
                let with = conditions.and(condition, holds)?;
                let without = conditions.and(condition, fails)?;
                if !with.is_false() {
                    split.push((with, set | 1 << groups.len()));
                }
                if !without.is_false() {
                    split.push((without, set));
                }
            }
            if split.len() > MAX_CASES {
                return Ok(None);
            }
            cases = split;
            numbers.insert(holds, groups.len());
            groups.push(vec![(id, bound)]);
        }
        let (conditions, sets): (Vec<ConditionId>, Vec<u64>) = cases.into_iter().unzip();
        Ok(Some(ConstantCases { groups, conditions, sets }))
    }

    /// Returns true if no block is guarded.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// Returns the guarded regions of a function, by its index.
    pub fn in_function(&self, function: usize) -> &[GuardedRegion] {
        self.functions.get(&function).map_or(&[], Vec::as_slice)
    }
}

/// The possible combinations of values of some constants. Those bound to the same condition have the same value.
struct ConstantCases<'g> {
    /// The constants of each condition.
    groups: Vec<Vec<(u32, &'g BoundConstant)>>,
    /// The condition of each case.
    conditions: Vec<ConditionId>,
    /// The groups whose constants are true, as bits, by case.
    sets: Vec<u64>,
}

impl ConstantCases<'_> {
    /// Returns the values of all constants in a case, by SpecId.
    fn values(&self, case: usize) -> Vec<(u32, u64)> {
        let groups = self.groups.iter().enumerate();
        let values = groups.map(|(group, constants)| (constants, self.sets[case] >> group & 1 == 1));
        values.flat_map(|(constants, holds)| with_value(constants, holds)).collect()
    }

    /// Returns the constants that decide whether something runs, by case. It returns all of them, unless the constants
    /// of some conditions are enough.
    fn deciding(&self, runs: &[bool]) -> BTreeSet<u32> {
        let by_set: HashMap<u64, bool> = self.sets.iter().copied().zip(runs.iter().copied()).collect();
        let mut mattering = 0;
        for (set, runs) in &by_set {
            // Cases that differ in one group alone.
            for group in 0..self.groups.len() {
                let differs = by_set.get(&(set ^ 1 << group)).is_some_and(|other| other != runs);
                mattering |= u64::from(differs) << group;
            }
        }
        let mut known: HashMap<u64, bool> = HashMap::new();
        let is_decided =
            by_set.iter().all(|(set, runs)| *known.entry(set & mattering).or_insert(*runs) == *runs);
        let decides = |group: &usize| !is_decided || mattering >> group & 1 == 1;
        let deciding = (0..self.groups.len()).filter(decides);
        deciding.flat_map(|group| &self.groups[group]).map(|(id, _)| *id).collect()
    }
}

/// Returns constants with the value for a condition that holds or fails, by SpecId.
fn with_value(constants: &[(u32, &BoundConstant)], holds: bool) -> impl Iterator<Item = (u32, u64)> {
    constants.iter().map(move |(_, bound)| (bound.spec_id, holds.into()))
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
    never: IdMap<BTreeSet<u32>>,
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
        let by_case: Vec<_> = (0..cases.conditions.len()).map(|case| solve(&cases.values(case))).collect();
        let runs_in_some = |number: usize, block: usize| by_case.iter().any(|runs| runs[number][block]);
        let is_whole = |number: usize| (0..by_case[0][number].len()).all(|block| runs_in_some(number, block));
        let (mut without_values, mut by_group) = (Vec::new(), Vec::new());
        // Few functions have blocks that run in no case.
        if !(0..functions.len()).all(is_whole) {
            without_values = solve(&[]);
            let mut solve_for =
                |constants: &[_], holds| solve(&with_value(constants, holds).collect::<Vec<_>>());
            by_group
                .extend(cases.groups.iter().map(|group| [false, true].map(|holds| solve_for(group, holds))));
        }
        let ids =
            |group: &[(u32, &BoundConstant)]| group.iter().map(|(id, _)| *id).collect::<BTreeSet<u32>>();
        let all = ids(&cases.groups.concat());
        let mut solved = Vec::new();
        for (number, &at) in functions.iter().enumerate() {
            let (mut blocks, mut never): (Vec<CaseRange>, _) = (Vec::new(), IdMap::new());
            for (block, flow_block) in flow.blocks(at).into_iter().flat_map(flow::Blocks::iter).enumerate() {
                let runs: Vec<bool> = by_case.iter().map(|runs| runs[number][block]).collect();
                if !runs.contains(&true) {
                    let decides = |runs: &[Vec<Vec<bool>>; 2]| !runs.iter().any(|runs| runs[number][block]);
                    let one = by_group.iter().position(decides);
                    let constants = match one {
                        _ if !without_values[number][block] => BTreeSet::new(),
                        Some(group) => ids(&cases.groups[group]),
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

    /// Returns the parts of the function that do not run in all cases.
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

    /// Returns the condition of a part that runs in certain cases, and the constants that this depends on; `None` for one that runs in all
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
        let constants = self.cases.deciding(runs);
        Ok(Some((conditions.expr_of(condition)?, constants)))
    }

    /// Returns the function's variables, with the cases in which they are used. All are defined in its first block. A variable with an
    /// initializer is used where it is defined. Also returns the variables that only dead blocks use, in the form of [`CaseBlocks::never`].
    fn variables(&self) -> (Vec<CaseRange>, IdMap<BTreeSet<u32>>) {
        let mut variables: IdMap<(CaseRange, Option<BTreeSet<u32>>)> = IdMap::new();
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
        sort_by_key(&mut variables, |(range, _)| range.start);
        (variables, never)
    }
}

fn uninitialized_variable(inst: Instruction) -> Option<views::Variable> {
    views::Variable::new(inst).filter(|variable| variable.initializer().is_none())
}
