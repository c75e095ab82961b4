//! Bound constants: specialization constants of the module that annotations bind to conditions.
//!
//! A constant that is bound to a leaf becomes that leaf: the host sets it like the added leaves. A constant that is
//! bound to an expression, or to a leaf with a device constant, is computed from the leaves. Conditions that depend on
//! bound constants alone are expressions of these, so that a setting for a computed constant decides them
//! (`src/pipelines/overrides.rs`).

use std::collections::BTreeSet;

use spirv::Op;

use super::{Dialect, PackContext, PackError};
use crate::collections::gather;
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::loader::views;
use crate::transform::NewInstruction;
use crate::transform::condition_constants::ConditionConstants;
use crate::transform::removal::count_words;

/// A constant of the module that is bound to a condition.
struct BoundSpecConstant {
    id: u32,
    spec_id: u32,
    /// The offset of its SpecId decoration.
    decoration: u32,
    condition: Expr,
    type_: u32,
    /// True if it is an integer, and not a Boolean.
    is_integer: bool,
}

/// The bound constants of a module.
pub(super) struct BoundConstants {
    /// Constants that become leaves.
    leaves: Vec<(BoundSpecConstant, Leaf)>,
    /// Constants that are computed.
    computed: Vec<BoundSpecConstant>,
}

impl BoundConstants {
    /// Reads the bound constants.
    pub fn read(context: &mut PackContext, dialect: Dialect) -> Result<BoundConstants, PackError> {
        let mut bound_constants = BoundConstants { leaves: Vec::new(), computed: Vec::new() };
        for (&id, bound) in &context.calls.regions.constants {
            let type_ = context.module.definition(id).and_then(|inst| inst.result_type()).unwrap_or(0);
            let condition = context.presence.conditions.of_expr(&bound.condition)?;
            let constant = BoundSpecConstant {
                id,
                spec_id: bound.spec_id,
                decoration: bound.decoration,
                condition: context.presence.conditions.expr_of(condition)?,
                type_,
                is_integer: context.module.definition_as(type_, Op::TypeInt).is_some(),
            };
            match (dialect, &constant.condition) {
                (Dialect::SpecConditional, &Expr::Leaf(leaf))
                | (Dialect::FunctionVariants, &Expr::Leaf(leaf @ Leaf::Host(_))) => {
                    bound_constants.leaves.push((constant, leaf));
                }
                _ => bound_constants.computed.push(constant),
            }
        }
        Ok(bound_constants)
    }

    /// Returns the leaves that the computed ones depend on.
    pub fn leaves(&self) -> BTreeSet<Leaf> {
        gather(self.computed.iter().flat_map(|constant| constant.condition.leaves()))
    }

    /// Sets up the constants that are leaves. Returns the insertion point for the inputs of computed constants: the required types and leaves are
    /// moved there.
    pub fn prepare(&self, constants: &mut ConditionConstants, context: &mut PackContext) -> u32 {
        let all = || self.leaves.iter().map(|(constant, _)| constant).chain(&self.computed);
        let offset = |id: u32| context.module.definition_offset(id);
        let first = all().filter_map(|constant| offset(constant.id)).min();
        let mut insertion_point = context.points.globals;
        if let Some(first) = first.filter(|_| !self.computed.is_empty()) {
            insertion_point = first;
            let types = all().map(|constant| constant.type_).chain(constants.bool_type);
            let types: BTreeSet<u32> = types.collect();
            let leaves = self.leaves.iter().map(|(constant, _)| constant.id);
            for id in types.into_iter().chain(leaves).filter(|&id| offset(id).is_some_and(|at| at >= first)) {
                if let Some(inst) = context.module.definition(id) {
                    context.edits.insert_words(first, inst.words());
                    context.edits.drop(&inst);
                }
            }
        }
        for (constant, leaf) in &self.leaves {
            constants.leaves.push((constant.spec_id, *leaf));
            if !constants.has_id(*leaf) {
                let id =
                    if constant.is_integer { constant.as_boolean(constants, context) } else { constant.id };
                constants.set_id(*leaf, id);
            }
        }
        insertion_point
    }

    /// Computes the constants that are not leaves, once leaves have ids. Returns the Boolean of each bound constant.
    pub fn define(
        &self,
        constants: &mut ConditionConstants,
        context: &mut PackContext,
    ) -> Result<Vec<BoundBoolean>, PackError> {
        let mut booleans = Vec::new();
        for constant in &self.computed {
            let inst = context.module.definition(constant.id);
            inst.into_iter().for_each(|inst| context.edits.drop(&inst));
            context.edits.drop(&context.module.instruction(constant.decoration));
            let condition = constants.node(&constant.condition, &mut || context.edits.fresh_id());
            let (op, operands) = match constant.is_integer {
                // Its value is the value of another constant.
                false => (Op::LogicalOr, [condition, condition].to_vec()),
                true => {
                    let mut literal = |value| constant.literal(value, constants, context);
                    (Op::Select, vec![condition, literal(1), literal(0)])
                }
            };
            constant.write(op, &operands, constants);
            // Settings name the constants that they override.
            if context.module.names().any(|named| named.target() == constant.id) {
                let condition = context.presence.conditions.of_expr(&constant.condition)?;
                booleans.push(BoundBoolean { condition, value: constant.value() });
            }
        }
        if booleans.is_empty() {
            return Ok(booleans);
        }
        for (_, leaf) in &self.leaves {
            let (condition, value) = (context.presence.conditions.leaf(*leaf)?, Expr::Leaf(*leaf));
            booleans.push(BoundBoolean { condition, value });
        }
        Ok(booleans)
    }
}

impl BoundConstants {
    /// Gives ids to the computed constants in expressions.
    pub fn name(
        &self,
        expressions: &[(Expr, ConditionId)],
        constants: &mut ConditionConstants,
        context: &mut PackContext,
    ) {
        let used: BTreeSet<Leaf> = gather(expressions.iter().flat_map(|(expr, _)| expr.leaves()));
        for constant in &self.computed {
            if used.contains(&Leaf::Constant(constant.id)) {
                let id = match constant.is_integer {
                    true => constant.as_boolean(constants, context),
                    false => constant.id,
                };
                constants.set_id(Leaf::Constant(constant.id), id);
            }
        }
    }
}

/// The Boolean that a bound constant is, and the condition that it is bound to.
pub(super) struct BoundBoolean {
    condition: ConditionId,
    value: Expr,
}

/// Returns a condition as an expression of bound constants, where the condition `given` holds; `None` if it depends on something else.
pub(super) fn by_constants(
    condition: ConditionId,
    given: ConditionId,
    bound: &[BoundBoolean],
    conditions: &mut Conditions,
) -> Result<Option<Expr>, ConditionError> {
    if conditions.implies(given, condition)? {
        return Ok(Some(Expr::True));
    }
    if conditions.and(given, condition)?.is_false() {
        return Ok(Some(Expr::False));
    }
    let Some((first, others)) = bound.split_first() else { return Ok(None) };
    let (with, without) = (conditions.and(given, first.condition)?, conditions.not(first.condition)?);
    let without = conditions.and(given, without)?;
    // Settings can give constants values that no device gives them together. Conditions then are those of other values, the same for all of them, so that
    // exactly one of several alternatives stays.
    if with.is_false() || without.is_false() {
        return by_constants(condition, given, others, conditions);
    }
    let on = by_constants(condition, with, others, conditions)?;
    let off = by_constants(condition, without, others, conditions)?;
    Ok(on.zip(off).map(|(on, off)| chosen(&first.value, on, off)))
}

/// Returns the expression that selects one of two others, by a Boolean.
fn chosen(value: &Expr, on: Expr, off: Expr) -> Expr {
    let with = |value: Expr, other: Expr| match other {
        Expr::True => value,
        Expr::False => Expr::False,
        other => Expr::And(value.into(), other.into()),
    };
    let inverse = Expr::Not(value.clone().into());
    match (on, off) {
        (on, off) if on == off => on,
        (on, Expr::False) => with(value.clone(), on),
        (Expr::False, off) => with(inverse, off),
        (Expr::True, off) => Expr::Or(value.clone().into(), off.into()),
        (on, Expr::True) => Expr::Or(inverse.into(), on.into()),
        (on, off) => Expr::Or(with(value.clone(), on).into(), with(inverse, off).into()),
    }
}

impl BoundSpecConstant {
    /// Returns the constant in conditions.
    fn value(&self) -> Expr {
        Expr::Leaf(Leaf::Constant(self.id))
    }

    /// Returns a Boolean constant that is true if the integer is not zero.
    fn as_boolean(&self, constants: &mut ConditionConstants, context: &mut PackContext) -> u32 {
        let zero = context.edits.fresh_id();
        let null = NewInstruction::new(Op::ConstantNull, Some(self.type_), Some(zero), Vec::new());
        null.write(&mut constants.constants);
        let operands = vec![Op::INotEqual as u32, self.id, zero];
        constants.define(Op::SpecConstantOp, operands, &mut || context.edits.fresh_id())
    }

    /// Returns a number of the type of the constant.
    fn literal(&self, value: u32, constants: &mut ConditionConstants, context: &mut PackContext) -> u32 {
        let id = context.edits.fresh_id();
        let type_ = context.module.definition(self.type_);
        let width = type_.map_or(32, |type_| views::TypeNumber(type_).width());
        let mut words = vec![Op::Constant as u32, self.type_, id, value];
        words.resize(3 + width.div_ceil(32).max(1) as usize, 0);
        count_words(&mut words);
        constants.constants.extend(words);
        id
    }

    fn write(&self, op: Op, operands: &[u32], constants: &mut ConditionConstants) {
        let all = [&[op as u32], operands].concat();
        NewInstruction::new(Op::SpecConstantOp, Some(self.type_), Some(self.id), all)
            .write(&mut constants.constants);
    }
}
