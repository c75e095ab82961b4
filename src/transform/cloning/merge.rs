//! Merging of clones in which the same conditional regions run.
//!
//! Constants whose values differ among merged clones stay open. A new constant decides branches that all merged clones
//! decide alike.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::{DecidedBranch, FunctionClone};
use crate::analysis::constants_where;
use crate::analysis::flow::{Blocks, ClosedTarget, Flow, Running, Solution};
use crate::condition::{ConditionError, Conditions};
use crate::loader::Module;

/// The blocks of a function that run for certain values of constants.
struct ConstantCase {
    /// True for each block that runs.
    runs: Vec<bool>,
    /// The following block of each block that a condition or selector decides, with the value of the latter.
    decided: Vec<Option<(usize, u64)>>,
    /// The targets that switches never take.
    closed: Vec<ClosedTarget>,
}

/// Merges the clones of a function; `regions` are its guarded regions with conditional requirements. Nothing is merged if the blocks
/// that do not run cannot be determined without all constants.
pub(crate) fn merge(
    module: &Module,
    flow: &Flow,
    function: usize,
    clones: Vec<FunctionClone>,
    regions: &[Range<u32>],
) -> Result<Vec<FunctionClone>, ConditionError> {
    let Some(blocks) = flow.blocks(function) else { return Ok(clones) };
    let merge = CloneMerger { module, flow, function, blocks };
    let cases: Vec<ConstantCase> = clones.iter().map(|clone| merge.case(&clone.values)).collect();
    let is_guarded = |block: usize| {
        let block = blocks.get(block);
        regions.iter().any(|range| range.start < block.end && block.start < range.end)
    };
    let guarded: Vec<usize> = (1..blocks.len()).filter(|&block| is_guarded(block)).collect();
    let pattern = |case: &ConstantCase| guarded.iter().map(|&block| case.runs[block]).collect::<Vec<bool>>();
    let mut groups: Vec<(Vec<bool>, Vec<usize>)> = Vec::new();
    for (at, case) in cases.iter().enumerate() {
        let pattern = pattern(case);
        match groups.iter_mut().find(|(of_group, _)| *of_group == pattern) {
            Some((_, group)) => group.push(at),
            None => groups.push((pattern, vec![at])),
        }
    }
    let mut merged = Vec::new();
    for (pattern, group) in groups {
        let clone = merge.one(&clones, &cases, &group)?;
        let reached = merge.reached(&clone);
        let as_wanted = guarded.iter().zip(pattern).all(|(block, runs)| runs || !reached.contains(block));
        if !as_wanted {
            return Ok(clones);
        }
        merged.push(clone);
    }
    Ok(merged)
}

/// A function whose clones are merged.
struct CloneMerger<'g> {
    module: &'g Module<'g>,
    flow: &'g Flow,
    function: usize,
    blocks: &'g Blocks,
}

impl CloneMerger<'_> {
    fn case(&self, values: &[(u32, u64)]) -> ConstantCase {
        let mut constants = constants_where(self.module, values);
        let mut solution = Solution::default();
        let known = &mut |id| constants.value(id);
        let solved = self.flow.solve(self.module, &mut solution, Running::All, known);
        let blocks = 0..self.blocks.len();
        let decided = blocks.clone().map(|block| solved.choice(self.function, block));
        ConstantCase {
            runs: blocks.map(|block| solved.runs(self.function, block)).collect(),
            decided: decided.collect(),
            closed: solved.closed(self.module, self.function),
        }
    }

    /// Returns the clone that a group is merged to.
    fn one(
        &self,
        clones: &[FunctionClone],
        cases: &[ConstantCase],
        group: &[usize],
    ) -> Result<FunctionClone, ConditionError> {
        let mut conditions = Conditions::new();
        let mut condition = crate::condition::ConditionId::FALSE;
        for &at in group {
            let clone_condition = conditions.of_expr(&clones[at].condition)?;
            condition = conditions.or(condition, clone_condition)?;
        }
        let first = &clones[group[0]].values;
        let common = |value: &&(u32, u64)| group.iter().all(|&at| clones[at].values.contains(value));
        let mut clone = FunctionClone {
            condition: conditions.expr_of(condition)?,
            values: first.iter().filter(common).copied().collect(),
            branches: Vec::new(),
        };
        // The values of a clone's own constants decide what follows from them within the function.
        let has_values = matches!(group, [_]) && !clone.values.is_empty();
        for block in 0..self.blocks.len() {
            if has_values && self.flow.is_local(self.function, block) {
                continue;
            }
            let mut of_group = group.iter().map(|&at| &cases[at]).filter(|case| case.runs[block]);
            let Some((target, value)) = of_group.next().and_then(|case| case.decided[block]) else {
                continue;
            };
            let chooses = self.blocks.successors(block).any(|other| other != target);
            let is_same = |case: &ConstantCase| case.decided[block].is_some_and(|(other, _)| other == target);
            if chooses && of_group.all(is_same) {
                let (terminator, target) =
                    (self.blocks.get(block).terminator, self.blocks.get(target).label(self.module));
                clone.branches.push(DecidedBranch { terminator, value, target });
            }
        }
        Ok(clone)
    }

    /// Returns the blocks that are reachable in a clone.
    fn reached(&self, clone: &FunctionClone) -> BTreeSet<usize> {
        let case = self.case(&clone.values);
        let mut reached = BTreeSet::from([0]);
        let mut stack = vec![0];
        while let Some(block) = stack.pop() {
            let terminator = self.blocks.get(block).terminator;
            let branch = clone.branches.iter().find(|branch| branch.terminator == terminator);
            let only = branch.and_then(|branch| self.blocks.number(self.module, branch.target));
            let only = only.or_else(|| case.decided[block].map(|(target, _)| target));
            for next in self.blocks.successors(block) {
                let is_closed = case.closed.contains(&(block as u32, next as u32));
                if only.is_none_or(|only| only == next) && !is_closed && reached.insert(next) {
                    stack.push(next);
                }
            }
        }
        reached
    }
}
