//! The existing conditions of a module: expressions over its specialization constants. A constant is opaque unless its condition is known.

use std::collections::HashSet;

use spirv::Op;

use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::loader::{Module, views};

/// The maximum number of operands of a conjunction or disjunction that are combined at once.
const MAX_OPERANDS: usize = 1024;

/// The conditions of a module's constants, each computed once.
#[derive(Clone, Debug, Default)]
pub struct ExistingConditions {
    known: IdMap<ConditionId>,
}

impl ExistingConditions {
    /// Starts with the constants whose conditions are known, by id. Booleans are true where the condition holds, and integers are not zero
    /// there.
    pub fn new<'e>(
        known: impl IntoIterator<Item = (u32, &'e Expr)>,
        conditions: &mut Conditions,
    ) -> Result<ExistingConditions, ConditionError> {
        let known = known.into_iter().map(|(id, condition)| Ok((id, conditions.of_expr(condition)?)));
        Ok(ExistingConditions { known: known.collect::<Result<_, ConditionError>>()? })
    }

    /// Returns the condition under which a constant is true.
    pub fn condition(
        &mut self,
        module: &Module,
        id: u32,
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        if let Some(&known) = self.known.get(&id) {
            return Ok(known);
        }
        // Operands come first, without recursion: conditions may be chains of any length.
        let mut open = vec![id];
        while let Some(&next) = open.last() {
            let operands = self.operands(module, next);
            let before = open.len();
            open.extend(operands.iter().filter(|operand| !self.known.contains_key(operand)));
            if open.len() == before {
                let condition = self.of_operands(module, next, &operands, conditions)?;
                self.known.insert(next, condition);
                open.pop();
            }
        }
        Ok(self.known[&id])
    }

    /// Returns the constants that the condition of a constant is computed from; none for a leaf.
    fn operands(&self, module: &Module, id: u32) -> Vec<u32> {
        let Some(operation) = module.definition(id).and_then(views::SpecConstantOp::new) else {
            return Vec::new();
        };
        let operands = match operation.operation() {
            Some(Op::LogicalNot) => vec![operation.operand(0)],
            Some(op @ (Op::LogicalAnd | Op::LogicalOr)) => return self.chained(module, id, op),
            // `pack` writes an integer that is bound to more than a leaf so.
            _ if self.of_integer(module, operation).is_none() => Vec::from_iter(selected(module, operation)),
            _ => Vec::new(),
        };
        // In an invalid module, a constant may be computed from itself.
        let offset = module.definition_offset(id);
        match operands.iter().all(|&operand| module.definition_offset(operand) < offset) {
            true => operands,
            false => Vec::new(),
        }
    }

    /// Returns the operands of a chain of conjunctions or disjunctions, as `pack` and `merge` write it for more than
    /// two operands. Conditions for the intermediate results would be large.
    fn chained(&self, module: &Module, id: u32, op: Op) -> Vec<u32> {
        let mut operands = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            let offset = module.definition_offset(next);
            let link = module.definition(next).and_then(views::SpecConstantOp::new);
            let link = link.filter(|link| link.operation() == Some(op));
            let link = link.map(|link| [link.operand(1), link.operand(0)]);
            // In an invalid module, a constant may be computed from itself.
            let link =
                link.filter(|both| both.iter().all(|&operand| module.definition_offset(operand) < offset));
            match link {
                Some(both) if next == id || seen.len() < MAX_OPERANDS && !self.known.contains_key(&next) => {
                    open.extend(both.into_iter().filter(|&operand| seen.insert(operand)));
                }
                _ if next == id => return Vec::new(),
                _ => operands.push(next),
            }
        }
        operands
    }

    /// Returns the condition of a constant whose operands have known conditions.
    fn of_operands(
        &self,
        module: &Module,
        id: u32,
        operands: &[u32],
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        let inst = module.definition(id);
        let operation = inst.and_then(views::SpecConstantOp::new);
        match (operands, operation.and_then(|operation| operation.operation())) {
            (&[negated], Some(Op::LogicalNot)) => conditions.not(self.known[&negated]),
            (&[_, ..], Some(op @ (Op::LogicalAnd | Op::LogicalOr))) => {
                let operands: Vec<ConditionId> = operands.iter().map(|id| self.known[id]).collect();
                if op == Op::LogicalAnd { conditions.all(&operands) } else { conditions.any(&operands) }
            }
            (&[selected], _) => Ok(self.known[&selected]),
            _ => match (inst.and_then(|inst| inst.op()), operation) {
                (Some(Op::ConstantTrue), _) => Ok(ConditionId::TRUE),
                (Some(Op::ConstantFalse), _) => Ok(ConditionId::FALSE),
                (_, operation) => match operation.and_then(|operation| self.of_integer(module, operation)) {
                    Some(condition) => Ok(condition),
                    None => conditions.leaf(Leaf::Constant(id)),
                },
            },
        }
    }

    /// Returns the condition of a comparison that an integer with a known condition is not zero.
    fn of_integer(&self, module: &Module, comparison: views::SpecConstantOp) -> Option<ConditionId> {
        let is_comparison =
            comparison.operation() == Some(Op::INotEqual) && is_zero(module, comparison.operand(1));
        self.known.get(&comparison.operand(0)).copied().filter(|_| is_comparison)
    }
}

/// Returns the Boolean that an integer is computed from, for a comparison that it is not zero.
fn selected(module: &Module, comparison: views::SpecConstantOp) -> Option<u32> {
    let is_comparison =
        comparison.operation() == Some(Op::INotEqual) && is_zero(module, comparison.operand(1));
    let integer = module.definition(comparison.operand(0)).filter(|_| is_comparison)?;
    let select = views::SpecConstantOp::new(integer)?;
    let is_one = |id: u32| module.constant(id).is_some_and(|value| value.bits() == 1);
    let is_selected = select.operation() == Some(Op::Select)
        && is_one(select.operand(1))
        && is_zero(module, select.operand(2));
    is_selected.then(|| select.operand(0))
}

fn is_zero(module: &Module, id: u32) -> bool {
    module.definition_as(id, Op::ConstantNull).is_some()
        || module.constant(id).is_some_and(|value| value.bits() == 0)
}
