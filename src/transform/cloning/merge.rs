//! Merging of clones in which the same conditional regions run.
//!
//! Constants whose values differ among merged clones are kept open; branches that all of them decide alike are decided by a constant
//! of their own.

use std::collections::BTreeSet;
use std::ops::Range;

use super::plan::{DecidedBranch, FunctionClone};
use crate::analysis::constants_where;
use crate::analysis::flow::Flow;
use crate::condition::{ConditionError, Conditions};
use crate::loader::{Function, Module};

/// The blocks of a function that run for certain values of constants.
struct Case {
    /// By block: true if it runs.
    runs: Vec<bool>,
    /// By block: the block that follows, if that is decided by a condition or selector, with the value of that.
    decided: Vec<Option<(usize, u64)>>,
}

/// Merges the clones of a function; `regions` are its guarded regions with conditional requirements. Nothing is merged if the blocks
/// that do not run cannot be determined without all constants.
pub(crate) fn merge(
    module: &Module,
    function: &Function,
    clones: Vec<FunctionClone>,
    regions: &[Range<u32>],
) -> Result<Vec<FunctionClone>, ConditionError> {
    let mut flow = Flow::new(module);
    flow.read(function);
    let cases: Vec<Case> = clones.iter().map(|clone| case(module, &mut flow, &clone.values)).collect();
    let is_guarded = |block: usize| {
        let block = flow.blocks().get(block);
        regions.iter().any(|range| range.start < block.end && block.start < range.end)
    };
    let guarded: Vec<usize> = (1..flow.blocks().len()).filter(|&block| is_guarded(block)).collect();
    let pattern = |case: &Case| guarded.iter().map(|&block| case.runs[block]).collect::<Vec<bool>>();
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
        let Some(clone) = one(module, &flow, &clones, &cases, &group)? else { return Ok(clones) };
        let reached = reached(module, &mut flow, &clone);
        let as_wanted = guarded.iter().zip(pattern).all(|(block, runs)| runs || !reached.contains(block));
        if !as_wanted {
            return Ok(clones);
        }
        merged.push(clone);
    }
    Ok(merged)
}

fn case(module: &Module, flow: &mut Flow, values: &[(u32, u64)]) -> Case {
    let mut constants = constants_where(module, values);
    flow.solve(&mut |id| constants.value(id));
    let blocks = 0..flow.blocks().len();
    let decided = blocks.clone().map(|block| flow.decided(block).zip(flow.condition(block)));
    Case { runs: blocks.map(|block| flow.runs(block)).collect(), decided: decided.collect() }
}

/// The clone that a group is merged to.
fn one(
    module: &Module,
    flow: &Flow,
    clones: &[FunctionClone],
    cases: &[Case],
    group: &[usize],
) -> Result<Option<FunctionClone>, ConditionError> {
    // Without values of constants, nothing but its own branches decides the blocks of a clone.
    if let [at] = group
        && !clones[*at].values.is_empty()
    {
        return Ok(Some(clones[*at].clone()));
    }
    let mut conditions = Conditions::new();
    let mut condition = crate::condition::Condition::FALSE;
    for &at in group {
        let own = conditions.of_expr(&clones[at].condition)?;
        condition = conditions.or(condition, own)?;
    }
    let first = &clones[group[0]].values;
    let common = |value: &&(u32, u64)| group.iter().all(|&at| clones[at].values.contains(value));
    let mut clone = FunctionClone {
        condition: conditions.expr_of(condition)?,
        values: first.iter().filter(common).copied().collect(),
        branches: Vec::new(),
    };
    for block in 0..flow.blocks().len() {
        let mut of_group = group.iter().map(|&at| &cases[at]).filter(|case| case.runs[block]);
        let Some((target, value)) = of_group.next().and_then(|case| case.decided[block]) else { continue };
        let chooses = flow.blocks().successors(block).any(|other| other != target);
        if chooses && of_group.all(|case| case.decided[block].is_some_and(|(other, _)| other == target)) {
            let blocks = flow.blocks();
            let (terminator, target) = (blocks.get(block).terminator, blocks.get(target).label(module));
            clone.branches.push(DecidedBranch { terminator, value, target });
        }
    }
    Ok(Some(clone))
}

/// The blocks that are reachable in a clone.
fn reached(module: &Module, flow: &mut Flow, clone: &FunctionClone) -> BTreeSet<usize> {
    let case = case(module, flow, &clone.values);
    let blocks = flow.blocks();
    let mut reached = BTreeSet::from([0]);
    let mut stack = vec![0];
    while let Some(block) = stack.pop() {
        let terminator = blocks.get(block).terminator;
        let branch = clone.branches.iter().find(|branch| branch.terminator == terminator);
        let only = branch.and_then(|branch| blocks.number(module, branch.target));
        let only = only.or_else(|| case.decided[block].map(|(target, _)| target));
        for next in blocks.successors(block) {
            if only.is_none_or(|only| only == next) && reached.insert(next) {
                stack.push(next);
            }
        }
    }
    reached
}
