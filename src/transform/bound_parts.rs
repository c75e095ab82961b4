//! Parts of integer constants that annotations bind: each part gets a Boolean constant, and uses of the integer become uses of one that is
//! computed from it and from these. What is known of the Booleans is then known of the bits.

use std::collections::HashMap;

use spirv::{Decoration, Op};
use thiserror::Error;

use super::insertion::{InsertionPoints, renamed};
use super::spec_ids::SpecIds;
use super::{Edits, NewInstruction};
use crate::analysis::annotated::{BoundPart, ConstantParts, PartFails};
use crate::analysis::constants::folding::Scalar;
use crate::analysis::is_debug;
use crate::condition::Expr;
use crate::loader::{Instruction, Module, views};

/// No SpecId is left for a Boolean.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("the module uses the SpecIds up to 4294967295: none is left for the parts of its constants")]
pub struct NoSpecId;

/// A module whose parts of constants are constants of their own.
pub struct SeparateParts {
    /// The changes to the module.
    pub edits: Edits,
    /// The condition of each new constant, by SpecId.
    pub spec_constants: Vec<(u32, Expr)>,
}

/// Separates parts of the constants of a module.
///
/// # Errors
/// If no SpecId is left for the new constants.
pub fn separate_parts(module: &Module, constants: &[ConstantParts]) -> Result<SeparateParts, NoSpecId> {
    let mut separate = SeparateParts { edits: Edits::new(module), spec_constants: Vec::new() };
    let (mut spec_ids, points) = (SpecIds::from_module(module), InsertionPoints::find(module));
    let offset = |id: u32| module.definition_offset(id).unwrap_or(points.globals);
    let first = constants.iter().flat_map(|all| &all.constants).map(|constant| offset(constant.id)).min();
    let first = first.unwrap_or(points.globals);
    let bool_type = bool_type(module, first, &mut separate.edits);
    let mut replaced = HashMap::new();
    for all in constants {
        let mut conditions = Vec::new();
        for part in &all.parts {
            let id = separate.edits.fresh_id();
            separate.edits.insert(
                first,
                &NewInstruction::new(Op::SpecConstantFalse, Some(bool_type), Some(id), Vec::new()),
            );
            let spec_id = spec_ids.fresh().ok_or(NoSpecId)?;
            let decoration = vec![id, Decoration::SpecId as u32, spec_id];
            separate
                .edits
                .insert(points.annotations, &NewInstruction::new(Op::Decorate, None, None, decoration));
            separate.spec_constants.push((spec_id, part.condition.clone()));
            conditions.push(id);
        }
        for constant in &all.constants {
            let Some(inst) = module.definition(constant.id) else { continue };
            let type_ = views::SpecConstant(inst).type_id();
            let mut integer = IntegerParts {
                type_,
                scalar: all.scalar,
                bool_type,
                at: inst.end(),
                edits: &mut separate.edits,
                literals: Vec::new(),
            };
            let parts = all.parts.iter().zip(&conditions);
            let computed =
                parts.fold(constant.id, |value, (part, &condition)| integer.with(part, condition, value));
            replaced.insert(constant.id, computed);
        }
    }
    for inst in module.instructions().filter(|inst| !describes(module, inst)) {
        let words = renamed(module, &inst, &replaced);
        // The constants keep their own ids.
        let is_constant = inst.result_id().is_some_and(|id| replaced.contains_key(&id));
        if !is_constant && words != inst.words() {
            separate.edits.replace_words(&inst, &words);
        }
    }
    Ok(separate)
}

/// True if an instruction describes a constant, instead of using its value.
fn describes(module: &Module, inst: &Instruction) -> bool {
    matches!(inst.op(), Some(Op::Name | Op::Decorate | Op::DecorateId | Op::DecorateString))
        || is_debug(module, inst)
}

/// The Boolean type of a module: one before an offset.
fn bool_type(module: &Module, first: u32, edits: &mut Edits) -> u32 {
    let known = module.globals().find(|inst| inst.is(Op::TypeBool));
    let (id, words) = match known.and_then(|inst| Some((inst, inst.result_id()?))) {
        Some((inst, id)) if inst.offset() < first => return id,
        Some((inst, id)) => {
            edits.drop(&inst);
            (id, inst.words().to_vec())
        }
        None => {
            let (id, mut words) = (edits.fresh_id(), Vec::new());
            NewInstruction::new(Op::TypeBool, None, Some(id), Vec::new()).write(&mut words);
            (id, words)
        }
    };
    edits.insert_words(first, &words);
    id
}

/// Writes the value of a constant with parts.
struct IntegerParts<'e> {
    type_: u32,
    scalar: Scalar,
    bool_type: u32,
    /// The offset of new instructions.
    at: u32,
    edits: &'e mut Edits,
    /// The ids of literals.
    literals: Vec<(u64, u32)>,
}

impl IntegerParts<'_> {
    /// The value with one part as a condition decides.
    fn with(&mut self, part: &BoundPart, condition: u32, value: u32) -> u32 {
        let ones = self.scalar.mask(u64::MAX);
        let rest = ones & !part.mask;
        let fails = match part.fails {
            PartFails::Clear => {
                let (holds, fails) = if part.is_choice { (ones, rest) } else { (part.mask, 0) };
                let (holds, fails) = (self.literal(holds), self.literal(fails));
                let bits = self.operation(Op::Select, &[condition, holds, fails]);
                if part.is_choice {
                    return self.operation(Op::BitwiseAnd, &[value, bits]);
                }
                let rest = self.masked(value, rest);
                return self.operation(Op::BitwiseOr, &[rest, bits]);
            }
            PartFails::Other(other) => self.placed(value, part.mask, other),
        };
        // Devices without the feature get another number, whatever the host sets.
        let field = if rest == 0 { value } else { self.masked(value, part.mask) };
        let number = self.literal(part.holds);
        let is_set = self.compared(field, number);
        let without = self.operation(Op::Select, &[is_set, fails, value]);
        let holds = if part.is_choice { value } else { self.placed(value, part.mask, part.holds) };
        self.operation(Op::Select, &[condition, holds, without])
    }

    /// A value with the bits of a part replaced.
    fn placed(&mut self, value: u32, mask: u64, bits: u64) -> u32 {
        let rest = self.scalar.mask(u64::MAX) & !mask;
        let bits = self.literal(bits);
        if rest == 0 {
            return bits;
        }
        let rest = self.masked(value, rest);
        self.operation(Op::BitwiseOr, &[rest, bits])
    }

    fn masked(&mut self, value: u32, mask: u64) -> u32 {
        let mask = self.literal(mask);
        self.operation(Op::BitwiseAnd, &[value, mask])
    }

    fn literal(&mut self, value: u64) -> u32 {
        if let Some(&(_, id)) = self.literals.iter().find(|(known, _)| *known == value) {
            return id;
        }
        let (words, count) = self.scalar.literal_words(value);
        let id = self.define(Op::Constant, self.type_, words[..count].to_vec());
        self.literals.push((value, id));
        id
    }

    fn operation(&mut self, op: Op, operands: &[u32]) -> u32 {
        self.define(Op::SpecConstantOp, self.type_, [&[op as u32], operands].concat())
    }

    fn compared(&mut self, one: u32, other: u32) -> u32 {
        self.define(Op::SpecConstantOp, self.bool_type, vec![Op::IEqual as u32, one, other])
    }

    fn define(&mut self, op: Op, type_: u32, operands: Vec<u32>) -> u32 {
        let id = self.edits.fresh_id();
        self.edits.insert(self.at, &NewInstruction::new(op, Some(type_), Some(id), operands));
        id
    }
}
