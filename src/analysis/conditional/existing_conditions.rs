//! The conditions that a module has already: expressions over its specialization constants, which mean nothing that we know
//! unless an annotation says what they stand for.

use std::collections::{BTreeMap, HashMap};

use spirv::Op;

use super::guarded_regions::BoundConstant;
use crate::condition::{Condition, ConditionError, Conditions, Leaf};
use crate::loader::Module;

/// How deep an expression is followed; what is deeper counts as one unknown leaf.
const MAX_DEPTH: usize = 128;

/// The conditions of a module's constants, each worked out once.
#[derive(Clone, Debug, Default)]
pub struct ExistingConditions {
    known: HashMap<u32, Condition>,
}

impl ExistingConditions {
    /// `constants` are those of which it is known what they stand for, by id.
    pub fn new(
        constants: &BTreeMap<u32, BoundConstant>,
        conditions: &mut Conditions,
    ) -> Result<ExistingConditions, ConditionError> {
        let known = constants.iter().map(|(&id, bound)| Ok((id, conditions.of_expr(&bound.condition)?)));
        Ok(ExistingConditions { known: known.collect::<Result<_, ConditionError>>()? })
    }

    /// The condition that a constant stands for.
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
        let mut operand = |at: usize, conditions: &mut Conditions| {
            let operand = inst.map_or(0, |inst| inst.word(at));
            self.at_depth(module, operand, conditions, depth + 1)
        };
        let operation = inst.filter(|inst| inst.is(Op::SpecConstantOp) && depth < MAX_DEPTH);
        let condition =
            match (inst.and_then(|inst| inst.op()), operation.and_then(|inst| Op::from_u32(inst.word(3)))) {
                (Some(Op::ConstantTrue), _) => Condition::TRUE,
                (Some(Op::ConstantFalse), _) => Condition::FALSE,
                (_, Some(Op::LogicalNot)) => {
                    let negated = operand(4, conditions)?;
                    conditions.not(negated)?
                }
                (_, Some(op @ (Op::LogicalAnd | Op::LogicalOr))) => {
                    let (left, right) = (operand(4, conditions)?, operand(5, conditions)?);
                    if op == Op::LogicalAnd {
                        conditions.and(left, right)?
                    } else {
                        conditions.or(left, right)?
                    }
                }
                _ => conditions.leaf(Leaf::Constant(id))?,
            };
        self.known.insert(id, condition);
        Ok(condition)
    }
}
