//! Specialization constants of the module that stand for conditions, because annotations say so.
//!
//! One that stands for a leaf is that leaf: the host sets it as it sets the leaves that are added. One that stands for more, or
//! for a leaf that the device itself knows, is computed from the leaves now.

use std::collections::BTreeSet;

use rspirv::dr::{Instruction as New, Operand};
use spirv::Op;

use super::constants::Constants;
use super::{Dialect, PackError, Work};
use crate::condition::{Expr, Leaf};

/// A constant of the module that stands for a condition.
struct Constant {
    id: u32,
    spec_id: u32,
    /// Where it is decorated with its SpecId.
    decoration: u32,
    condition: Expr,
    type_: u32,
    /// Whether it is an integer, and not a Boolean.
    is_integer: bool,
}

/// The constants that stand for conditions.
pub(super) struct BoundConstants {
    /// Those that are leaves.
    leaves: Vec<(Constant, Leaf)>,
    /// Those that are to be computed.
    computed: Vec<Constant>,
}

impl BoundConstants {
    /// Sorts them out.
    pub fn read(work: &mut Work, dialect: Dialect) -> Result<BoundConstants, PackError> {
        let mut found = BoundConstants { leaves: Vec::new(), computed: Vec::new() };
        for (&id, bound) in &work.calls.regions.constants {
            let type_ = work.module.definition(id).and_then(|inst| inst.result_type()).unwrap_or(0);
            let condition = work.presence.conditions.of_expr(&bound.condition)?;
            let constant = Constant {
                id,
                spec_id: bound.spec_id,
                decoration: bound.decoration,
                condition: work.presence.conditions.expr_of(condition)?,
                type_,
                is_integer: work.module.definition_as(type_, Op::TypeInt).is_some(),
            };
            match (dialect, &constant.condition) {
                (Dialect::SpecConditional, &Expr::Leaf(leaf)) => found.leaves.push((constant, leaf)),
                _ => found.computed.push(constant),
            }
        }
        Ok(found)
    }

    /// The leaves that the computed ones depend on.
    pub fn leaves(&self) -> BTreeSet<Leaf> {
        self.computed.iter().flat_map(|constant| constant.condition.leaves()).collect()
    }

    /// Sets up the constants that are leaves. Where others are computed, what they are computed from must stand before them.
    pub fn prepare(&self, constants: &mut Constants, work: &mut Work) {
        let all = || self.leaves.iter().map(|(constant, _)| constant).chain(&self.computed);
        let offset = |id: u32| work.module.definition_offset(id);
        let first = all().filter_map(|constant| offset(constant.id)).min();
        if let Some(first) = first.filter(|_| !self.computed.is_empty()) {
            constants.place = first;
            let types = all().map(|constant| constant.type_).chain(constants.bool_type);
            let types: BTreeSet<u32> = types.collect();
            let leaves = self.leaves.iter().map(|(constant, _)| constant.id);
            for id in types.into_iter().chain(leaves).filter(|&id| offset(id).is_some_and(|at| at >= first)) {
                if let Some(inst) = work.module.definition(id) {
                    work.edits.insert_words(first, inst.words());
                    work.edits.drop(&inst);
                }
            }
        }
        for (constant, leaf) in &self.leaves {
            constants.leaves.push((constant.spec_id, *leaf));
            if !constants.ids.contains_key(&Expr::Leaf(*leaf)) {
                let id = if constant.is_integer { constant.as_boolean(constants, work) } else { constant.id };
                constants.ids.insert(Expr::Leaf(*leaf), id);
            }
        }
    }

    /// Computes the others, from leaves that have ids now.
    pub fn define(&self, constants: &mut Constants, work: &mut Work) {
        for constant in &self.computed {
            let inst = work.module.definition(constant.id);
            inst.into_iter().for_each(|inst| work.edits.drop(&inst));
            work.edits.drop(&work.module.instruction(constant.decoration));
            let condition = constants.node(work, &constant.condition);
            let (op, operands) = match constant.is_integer {
                // Its value is that of another constant.
                false => (Op::LogicalOr, [condition, condition].to_vec()),
                true => {
                    let mut literal = |value| constant.literal(value, constants, work);
                    (Op::Select, vec![condition, literal(1), literal(0)])
                }
            };
            constant.write(op, &operands, constants, work);
        }
    }
}

impl Constant {
    /// A Boolean constant that is true where the integer is not zero.
    fn as_boolean(&self, constants: &mut Constants, work: &mut Work) -> u32 {
        let zero = work.edits.fresh_id();
        let null = New::new(Op::ConstantNull, Some(self.type_), Some(zero), Vec::new());
        work.edits.insert(constants.place, &null);
        let operands = [Operand::LiteralSpecConstantOpInteger(Op::INotEqual)];
        let operands = operands.into_iter().chain([self.id, zero].map(Operand::IdRef));
        constants.define(work, Op::SpecConstantOp, operands.collect())
    }

    /// A number of the type of the constant.
    fn literal(&self, value: u32, constants: &Constants, work: &mut Work) -> u32 {
        let id = work.edits.fresh_id();
        let width = work.module.definition(self.type_).map_or(32, |type_| type_.word(2));
        let mut words = vec![0, self.type_, id, value];
        words.resize(3 + width.div_ceil(32).max(1) as usize, 0);
        words[0] = (words.len() as u32) << 16 | Op::Constant as u32;
        work.edits.insert_words(constants.place, &words);
        id
    }

    fn write(&self, op: Op, operands: &[u32], constants: &Constants, work: &mut Work) {
        let mut all = vec![Operand::LiteralSpecConstantOpInteger(op)];
        all.extend(operands.iter().copied().map(Operand::IdRef));
        work.edits
            .insert(constants.place, &New::new(Op::SpecConstantOp, Some(self.type_), Some(self.id), all));
    }
}
