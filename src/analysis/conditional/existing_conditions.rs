//! The conditions that a module has already: expressions over its specialization constants, which are opaque unless an annotation
//! binds them.

use std::collections::{BTreeMap, HashMap};

use spirv::Op;

use super::guarded_regions::BoundConstant;
use crate::condition::{Condition, ConditionError, Conditions, Leaf};
use crate::loader::{Module, views};

/// The depth to which an expression is followed; a deeper one counts as an opaque leaf.
const MAX_DEPTH: usize = 128;

/// The conditions of a module's constants, each computed once.
#[derive(Clone, Debug, Default)]
pub struct ExistingConditions {
    known: HashMap<u32, Condition>,
}

impl ExistingConditions {
    /// Starts with the bound constants, by id.
    pub fn new(
        constants: &BTreeMap<u32, BoundConstant>,
        conditions: &mut Conditions,
    ) -> Result<ExistingConditions, ConditionError> {
        let known = constants.iter().map(|(&id, bound)| Ok((id, conditions.of_expr(&bound.condition)?)));
        Ok(ExistingConditions { known: known.collect::<Result<_, ConditionError>>()? })
    }

    /// The condition under which a constant is true.
    pub fn condition(
        &mut self,
        module: &Module,
        id: u32,
        conditions: &mut Conditions,
    ) -> Result<Condition, ConditionError> {
        self.at_depth(module, id, conditions, 0)
    }

    fn at_depth(
        &mut self,
        module: &Module,
        id: u32,
        conditions: &mut Conditions,
        depth: usize,
    ) -> Result<Condition, ConditionError> {
        if let Some(&known) = self.known.get(&id) {
            return Ok(known);
        }
        let inst = module.definition(id);
        let operation = inst.and_then(views::SpecConstantOp::of).filter(|_| depth < MAX_DEPTH);
        let mut operand = |at: usize, conditions: &mut Conditions| {
            let operand = operation.map_or(0, |operation| operation.operand(at));
            self.at_depth(module, operand, conditions, depth + 1)
        };
        let opcode = inst.and_then(|inst| inst.op());
        let condition = match (opcode, operation.and_then(|operation| operation.operation())) {
            (Some(Op::ConstantTrue), _) => Condition::TRUE,
            (Some(Op::ConstantFalse), _) => Condition::FALSE,
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
            _ => conditions.leaf(Leaf::Constant(id))?,
        };
        self.known.insert(id, condition);
        Ok(condition)
    }
}
