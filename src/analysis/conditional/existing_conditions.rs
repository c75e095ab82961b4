//! The existing conditions of a module: expressions over its specialization constants. A constant is opaque unless its condition is known.

use std::collections::HashMap;

use spirv::Op;

use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::loader::{Module, views};

/// The depth to which an expression is followed; a deeper one counts as an opaque leaf.
const MAX_DEPTH: usize = 128;

/// The conditions of a module's constants, each computed once.
#[derive(Clone, Debug, Default)]
pub struct ExistingConditions {
    known: HashMap<u32, ConditionId>,
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

    /// The condition under which a constant is true.
    pub fn condition(
        &mut self,
        module: &Module,
        id: u32,
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        self.at_depth(module, id, conditions, 0)
    }

    fn at_depth(
        &mut self,
        module: &Module,
        id: u32,
        conditions: &mut Conditions,
        depth: usize,
    ) -> Result<ConditionId, ConditionError> {
        if let Some(&known) = self.known.get(&id) {
            return Ok(known);
        }
        let inst = module.definition(id);
        let operation = inst.and_then(views::SpecConstantOp::new).filter(|_| depth < MAX_DEPTH);
        let of_integer = operation
            .filter(|comparison| {
                comparison.operation() == Some(Op::INotEqual) && is_zero(module, comparison.operand(1))
            })
            .and_then(|comparison| self.known.get(&comparison.operand(0)).copied());
        let mut operand = |at: usize, conditions: &mut Conditions| {
            let operand = operation.map_or(0, |operation| operation.operand(at));
            self.at_depth(module, operand, conditions, depth + 1)
        };
        let opcode = inst.and_then(|inst| inst.op());
        let condition = match (opcode, operation.and_then(|operation| operation.operation())) {
            (Some(Op::ConstantTrue), _) => ConditionId::TRUE,
            (Some(Op::ConstantFalse), _) => ConditionId::FALSE,
            (_, Some(Op::LogicalNot)) => {
                let negated = operand(0, conditions)?;
                conditions.not(negated)?
            }
            (_, Some(op @ (Op::LogicalAnd | Op::LogicalOr))) => {
                let (left, right) = (operand(0, conditions)?, operand(1, conditions)?);
                match op {
                    Op::LogicalAnd => conditions.and(left, right)?,
                    _ => conditions.or(left, right)?,
                }
            }
            _ => match (of_integer, operation.and_then(|comparison| selected(module, comparison))) {
                (Some(condition), _) => condition,
                // `pack` writes an integer that is bound to more than a leaf so.
                (None, Some(condition)) => self.at_depth(module, condition, conditions, depth + 1)?,
                (None, None) => conditions.leaf(Leaf::Constant(id))?,
            },
        };
        self.known.insert(id, condition);
        Ok(condition)
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
