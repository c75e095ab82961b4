//! Variants that differ in nothing that matters are one.
//!
//! What matters is which of the blocks run that ask for variants. Where the values of constants differ in variants that are
//! one, the constants stay; the branches that all of them decide alike are decided by a constant of their own.

use std::collections::BTreeSet;
use std::ops::Range;

use spirv::Op;

use super::plan::Variant;
use crate::analysis::constants_where;
use crate::analysis::flow::Flow;
use crate::condition::{ConditionError, Conditions};
use crate::loader::{Function, Module};

/// What happens in a function where constants have certain values.
struct Case {
    /// By block: whether it runs.
    runs: Vec<bool>,
    /// By block: the block that follows, if that is decided.
    decided: Vec<Option<usize>>,
}

/// Merges the variants of a function; `asking` are the parts of it that ask for variants. They stay as they are if the blocks that
/// do not run cannot be told without all constants.
pub(crate) fn merge(
    module: &Module,
    function: &Function,
    variants: Vec<Variant>,
    asking: &[Range<u32>],
) -> Result<Vec<Variant>, ConditionError> {
    let mut flow = Flow::new(module);
    flow.read(function);
    let cases: Vec<Case> = variants.iter().map(|variant| case(module, &mut flow, &variant.values)).collect();
    let asks = |block: usize| {
        let block = flow.blocks().get(block);
        asking.iter().any(|range| range.start < block.end && block.start < range.end)
    };
    let asking: Vec<usize> = (1..flow.blocks().len()).filter(|&block| asks(block)).collect();
    let pattern = |case: &Case| asking.iter().map(|&block| case.runs[block]).collect::<Vec<bool>>();
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
        let Some(variant) = one(module, &mut flow, &variants, &cases, &group)? else { return Ok(variants) };
        let reached = reached(module, &mut flow, &variant);
        let as_wanted = asking.iter().zip(pattern).all(|(block, runs)| runs || !reached.contains(block));
        if !as_wanted {
            return Ok(variants);
        }
        merged.push(variant);
    }
    Ok(merged)
}

fn case(module: &Module, flow: &mut Flow, values: &[(u32, u64)]) -> Case {
    let mut constants = constants_where(module, values);
    flow.solve(&mut |id| constants.value(id));
    let blocks = 0..flow.blocks().len();
    let decided = blocks.clone().map(|block| if flow.runs(block) { flow.decided(block) } else { None });
    Case { runs: blocks.map(|block| flow.runs(block)).collect(), decided: decided.collect() }
}

/// The variant that some are.
fn one(
    module: &Module,
    flow: &mut Flow,
    variants: &[Variant],
    cases: &[Case],
    group: &[usize],
) -> Result<Option<Variant>, ConditionError> {
    if let [at] = group {
        return Ok(Some(variants[*at].clone()));
    }
    let mut conditions = Conditions::new();
    let mut condition = crate::condition::Condition::FALSE;
    for &at in group {
        let own = conditions.of_expr(&variants[at].condition)?;
        condition = conditions.or(condition, own)?;
    }
    let first = &variants[group[0]].values;
    let common = |value: &&(u32, u64)| group.iter().all(|&at| variants[at].values.contains(value));
    let mut variant = Variant {
        condition: conditions.expr_of(condition)?,
        values: first.iter().filter(common).copied().collect(),
        branches: Vec::new(),
    };
    for block in 0..flow.blocks().len() {
        let mut of_group = group.iter().map(|&at| &cases[at]).filter(|case| case.runs[block]);
        let Some(target) = of_group.next().and_then(|case| case.decided[block]) else { continue };
        let terminator = module.instruction(flow.blocks().get(block).terminator);
        if of_group.all(|case| case.decided[block] == Some(target)) && terminator.is(Op::BranchConditional) {
            let label = flow.blocks().get(target).label;
            if terminator.word(2) != terminator.word(3) {
                variant.branches.push((terminator.offset(), terminator.word(2) == label));
            }
        }
    }
    Ok(Some(variant))
}

/// The blocks that can be reached in a variant.
fn reached(module: &Module, flow: &mut Flow, variant: &Variant) -> BTreeSet<usize> {
    let case = case(module, flow, &variant.values);
    let blocks = flow.blocks();
    let mut reached = BTreeSet::from([0]);
    let mut stack = vec![0];
    while let Some(block) = stack.pop() {
        let terminator = module.instruction(blocks.get(block).terminator);
        let branch = variant.branches.iter().find(|(offset, _)| *offset == terminator.offset());
        let only = branch.map(|&(_, holds)| terminator.word(if holds { 2 } else { 3 }));
        let only = only.and_then(|label| blocks.number(label)).or(case.decided[block]);
        for next in blocks.successors(block) {
            if only.is_none_or(|only| only == next) && reached.insert(next) {
                stack.push(next);
            }
        }
    }
    reached
}
