//! The guarded regions of functions with many predicates. Each block gets the condition under which a path leads to it. Branches on
//! conditions that are not computed from predicates alone may take either target.

use std::collections::BTreeSet;
use std::ops::Range;

use spirv::Op;

use crate::analysis::flow::Blocks;
use crate::collections::{IdMap, sort_by_key};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr};
use crate::loader::{Module, views};

/// The maximum depth of the operands of a condition that are followed.
const MAX_DEPTH: usize = 128;

/// A condition, with the constants that it is computed of.
type SymbolicCondition = (ConditionId, BTreeSet<u32>);

/// A part of a function that does not run under all conditions: its range in words, its condition, and the constants that this is computed of.
type SymbolicRegion = (Range<u32>, Expr, BTreeSet<u32>);

/// The conditions of the values of a function.
pub(super) struct SymbolicEvaluator<'s, 'm> {
    module: &'m Module<'m>,
    constants: &'s IdMap<Expr>,
    conditions: &'s mut Conditions,
    known: IdMap<Option<SymbolicCondition>>,
}

impl<'s, 'm> SymbolicEvaluator<'s, 'm> {
    /// Creates an evaluator without values.
    pub fn new(
        module: &'m Module<'m>,
        constants: &'s IdMap<Expr>,
        conditions: &'s mut Conditions,
    ) -> SymbolicEvaluator<'s, 'm> {
        SymbolicEvaluator { module, constants, conditions, known: IdMap::new() }
    }

    /// Returns the parts of a function that do not run under all conditions.
    pub fn regions(&mut self, blocks: &Blocks) -> Result<Vec<SymbolicRegion>, ConditionError> {
        let reached = self.reached(blocks)?;
        let mut parts: Vec<(Range<u32>, SymbolicCondition)> = Vec::new();
        let mut variables: IdMap<(u32, u32, Option<SymbolicCondition>)> = IdMap::new();
        for (block, computed) in blocks.iter().zip(&reached) {
            parts.push((block.start..block.end, computed.clone()));
            for inst in self.module.range(block.start, block.end) {
                let variable =
                    views::Variable::new(inst).filter(|candidate| candidate.initializer().is_none());
                if let Some(variable) = variable {
                    variables.insert(variable.id(), (inst.offset(), inst.end(), None));
                    continue;
                }
                let mut used = BTreeSet::new();
                self.module.walk(&inst, &mut |_: usize, id: u32| {
                    used.extend(variables.contains_key(&id).then_some(id))
                });
                for id in used {
                    if let Some((.., used_when)) = variables.get_mut(&id) {
                        let before = used_when.take().unwrap_or((ConditionId::FALSE, BTreeSet::new()));
                        *used_when = Some(either(self.conditions, &before, computed)?);
                    }
                }
            }
        }
        let used =
            variables.into_values().filter_map(|(start, end, used_when)| Some((start..end, used_when?)));
        let mut used: Vec<_> = used.collect();
        sort_by_key(&mut used, |(range, _)| range.start);
        let mut regions: Vec<SymbolicRegion> = Vec::new();
        for (range, (condition, constants)) in used.into_iter().chain(parts) {
            if condition.is_true() {
                continue;
            }
            let condition = match condition.is_false() {
                true => Expr::False,
                false => self.conditions.expr_of(condition)?,
            };
            match regions.last_mut() {
                Some((last, last_condition, all))
                    if last.end == range.start && *last_condition == condition =>
                {
                    last.end = range.end;
                    all.extend(constants);
                }
                _ => regions.push((range, condition, constants)),
            }
        }
        Ok(regions)
    }

    /// Computes the condition under which each block is reached.
    fn reached(&mut self, blocks: &Blocks) -> Result<Vec<SymbolicCondition>, ConditionError> {
        let mut reached = vec![(ConditionId::FALSE, BTreeSet::new()); blocks.len()];
        reached[0].0 = ConditionId::TRUE;
        // In the order of the function, so that few blocks are visited again.
        let mut open = BTreeSet::from([0]);
        while let Some(source) = open.pop_first() {
            for (target, edge) in self.edges(blocks, source)? {
                let (condition, mut constants) = reached[source].clone();
                constants.extend(&edge.1);
                let through = (self.conditions.and(condition, edge.0)?, constants);
                let joined = either(self.conditions, &reached[target], &through)?;
                if joined != reached[target] {
                    reached[target] = joined;
                    open.insert(target);
                }
            }
        }
        Ok(reached)
    }

    /// Returns the blocks to which one leads, and the condition of each branch.
    fn edges(
        &mut self,
        blocks: &Blocks,
        source: usize,
    ) -> Result<Vec<(usize, SymbolicCondition)>, ConditionError> {
        let terminator = self.module.instruction(blocks.get(source).terminator);
        let anyway = || (ConditionId::TRUE, BTreeSet::new());
        if let Some(branch) = views::BranchConditional::new(terminator)
            && let Some((holds, constants)) = self.computed(branch.condition(), 0)?
        {
            let fails = self.conditions.not(holds)?;
            let targets = [(branch.true_label(), holds), (branch.false_label(), fails)];
            let number = |label| blocks.number(self.module, label);
            let edge = |(label, condition)| Some((number(label)?, (condition, constants.clone())));
            return Ok(targets.into_iter().filter_map(edge).collect());
        }
        Ok(blocks.successors(source).map(|target| (target, anyway())).collect())
    }

    /// Returns the condition under which a Boolean is true; `None` if it is not computed of bound constants alone.
    fn computed(&mut self, id: u32, depth: usize) -> Result<Option<SymbolicCondition>, ConditionError> {
        if let Some(known) = self.known.get(&id) {
            return Ok(known.clone());
        }
        let computed = if depth < MAX_DEPTH { self.compute(id, depth + 1)? } else { None };
        self.known.insert(id, computed.clone());
        Ok(computed)
    }

    fn compute(&mut self, id: u32, depth: usize) -> Result<Option<SymbolicCondition>, ConditionError> {
        let Some(inst) = self.module.definition(id) else { return Ok(None) };
        if let Some(bound) = self.constants.get(&id) {
            let is_boolean = matches!(inst.op(), Some(Op::SpecConstantTrue | Op::SpecConstantFalse));
            let condition = self.conditions.of_expr(bound)?;
            return Ok(is_boolean.then(|| (condition, BTreeSet::from([id]))));
        }
        let (op, operands) = match views::SpecConstantOp::new(inst) {
            Some(operation) => (operation.operation(), inst.words_from(4)),
            None => (inst.op(), inst.words().get(3..).unwrap_or_default()),
        };
        let (op, arity) = match op {
            Some(Op::ConstantTrue) => return Ok(Some((ConditionId::TRUE, BTreeSet::new()))),
            Some(Op::ConstantFalse) => return Ok(Some((ConditionId::FALSE, BTreeSet::new()))),
            Some(op @ (Op::LogicalNot | Op::CopyObject)) => (op, 1),
            Some(op @ (Op::LogicalAnd | Op::LogicalOr | Op::LogicalEqual | Op::LogicalNotEqual)) => (op, 2),
            Some(op @ Op::Select) => (op, 3),
            _ => return Ok(None),
        };
        let mut values = Vec::new();
        let mut constants = BTreeSet::new();
        for &operand in operands.get(..arity).unwrap_or_default() {
            let Some((condition, operand_constants)) = self.computed(operand, depth)? else {
                return Ok(None);
            };
            values.push(condition);
            constants.extend(operand_constants);
        }
        let condition = match (op, &values[..]) {
            (Op::LogicalNot, &[a]) => self.conditions.not(a)?,
            (Op::CopyObject, &[a]) => a,
            (Op::LogicalAnd, &[a, b]) => self.conditions.and(a, b)?,
            (Op::LogicalOr, &[a, b]) => self.conditions.or(a, b)?,
            (Op::LogicalEqual, &[a, b]) => {
                let not_b = self.conditions.not(b)?;
                self.select(a, b, not_b)?
            }
            (Op::LogicalNotEqual, &[a, b]) => {
                let not_b = self.conditions.not(b)?;
                self.select(a, not_b, b)?
            }
            (Op::Select, &[a, b, c]) => self.select(a, b, c)?,
            _ => return Ok(None),
        };
        Ok(Some((condition, constants)))
    }

    /// Returns the condition that selects one condition where another holds, and else a third.
    fn select(
        &mut self,
        a: ConditionId,
        b: ConditionId,
        c: ConditionId,
    ) -> Result<ConditionId, ConditionError> {
        let both = self.conditions.and(a, b)?;
        let not_a = self.conditions.not(a)?;
        let neither = self.conditions.and(not_a, c)?;
        self.conditions.or(both, neither)
    }
}

/// Returns the disjunction of two conditions.
fn either(
    conditions: &mut Conditions,
    a: &SymbolicCondition,
    b: &SymbolicCondition,
) -> Result<SymbolicCondition, ConditionError> {
    let condition = conditions.or(a.0, b.0)?;
    Ok((condition, a.1.union(&b.1).copied().collect()))
}
