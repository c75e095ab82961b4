//! Integers of 8 and 16 bits as words of 32 bits.
//!
//! The low bits of a word are those of the original integer, and its upper bits may be any. Sums, products, moves and the like need no more. An
//! operation that depends on upper bits extends its operands by zeros or by signs, once in each block, unless they are known to be extended.

use std::collections::HashMap;

use spirv::{GlslStd450Op, GroupOperation, Op};

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use crate::collections::IdMap;
use crate::loader::{Instruction, views};

/// The upper bits of operands that an instruction needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordExtension {
    /// Zeros.
    Zeros,
    /// The sign.
    Signs,
    /// One of both, the same for all operands.
    Either,
    /// Zeros, of operands that count or number bits, components and invocations. Others may have any.
    Counts,
}

/// The values of a function whose upper bits are known.
#[derive(Default)]
pub struct NarrowValues {
    /// The values whose upper bits are the sign, if true, or zeros.
    pub known: IdMap<bool>,
    /// The extended values of the current block, by value and sign.
    extended: HashMap<(u32, bool), u32>,
}

impl NarrowValues {
    /// Forgets the values of a block.
    pub fn leave_block(&mut self) {
        self.extended.clear();
    }
}

/// Returns the number of the first word with an operand that counts or numbers something.
fn first_count(op: Option<Op>) -> usize {
    match op {
        Some(Op::VectorInsertDynamic | Op::BitFieldInsert) => 5,
        Some(op) if format!("{op:?}").starts_with("GroupNonUniform") => 5,
        _ => 4,
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Keeps an instruction, with extended operands.
    pub(super) fn with_extended(
        &mut self,
        inst: Instruction<'m>,
        operands: &[(usize, u32)],
        extension: WordExtension,
    ) -> Result<(), LowerError> {
        let narrow: Vec<(usize, u32)> =
            operands.iter().copied().filter(|&(_, id)| self.shape_of(id).is_some()).collect();
        let unknown = |is_signed: bool| {
            let is_unknown = |&&(_, id): &&(usize, u32)| !self.is_extended(id, is_signed);
            narrow.iter().filter(is_unknown).count()
        };
        let is_signed = match extension {
            WordExtension::Zeros | WordExtension::Counts => false,
            WordExtension::Signs => true,
            WordExtension::Either => unknown(true) < unknown(false),
        };
        let is_of_signs = matches!(inst.op(), Some(Op::GroupNonUniformSMin | Op::GroupNonUniformSMax));
        let scans = [GroupOperation::ExclusiveScan, GroupOperation::PartitionedExclusiveScanNV];
        let is_scan = is_of_signs && scans.iter().any(|&scan| scan as u32 == inst.word(4));
        let first = if extension == WordExtension::Counts { first_count(inst.op()) } else { 0 };
        let mut words = inst.words().to_vec();
        for (at, operand) in narrow.into_iter().filter(|&(at, _)| at >= first) {
            words[at] = self.extended(operand, is_signed);
        }
        if is_scan {
            self.scan_from_limit(&inst, words);
            return Ok(());
        }
        if words == inst.words() {
            self.copy(inst);
        } else {
            self.count();
            if let Some(type_id) = inst.result_type() {
                words[1] = self.lowering.globals.renamed(type_id);
            }
            self.push(&words);
        }
        self.learn(&inst);
        Ok(())
    }

    /// Returns the bits of a constant, if it is one number, as they are in the result.
    fn narrow_constant_bits(&self, value: u32) -> Option<u32> {
        let constant = self.lowering.module.definition(value)?;
        match constant.op() {
            Some(Op::Constant) => Some(self.lowering.narrow_word(views::Constant(constant))),
            Some(Op::ConstantNull) => Some(0),
            _ => None,
        }
    }

    /// Returns a word with the low bits of another, extended.
    pub(super) fn extended_word(&self, word: u32, is_signed: bool) -> u32 {
        let unused = 32 - self.lowering.feature.width();
        match is_signed {
            true => ((word << unused).cast_signed() >> unused).cast_unsigned(),
            false => word << unused >> unused,
        }
    }

    /// Returns true if the upper bits of a value are known to be zeros or the sign.
    fn is_extended(&self, value: u32, is_signed: bool) -> bool {
        let is_equal = |id: u32| {
            let bits = self.narrow_constant_bits(id);
            bits.is_some_and(|bits| bits == self.extended_word(bits, is_signed))
        };
        let composite = self.lowering.module.definition(value).and_then(views::ConstantComposite::new);
        self.narrow.known.get(&value) == Some(&is_signed)
            || is_equal(value)
            || composite.is_some_and(|composite| composite.constituents().iter().all(|&id| is_equal(id)))
    }

    /// Returns a value with its upper bits.
    pub(super) fn extended(&mut self, value: u32, is_signed: bool) -> u32 {
        let Some(shape) = self.shape_of(value).filter(|_| !self.is_extended(value, is_signed)) else {
            return value;
        };
        if let Some(bits) = self.narrow_constant_bits(value) {
            return self.constant(self.extended_word(bits, is_signed));
        }
        if let Some(&known) = self.narrow.extended.get(&(value, is_signed)) {
            return known;
        }
        let type_id = self.lowering.globals.type_of(shape);
        let width = self.lowering.feature.width();
        let extended = match is_signed {
            true => {
                let (zero, width) = (self.constant(0), self.constant(width));
                self.emit(Op::BitFieldSExtract, type_id, None, [value, zero, width])
            }
            false => {
                let mask = self.constant_for_each(u32::MAX >> (32 - width), shape);
                self.emit(Op::BitwiseAnd, type_id, None, [value, mask])
            }
        };
        self.narrow.extended.insert((value, is_signed), extended);
        extended
    }

    /// Returns a constant with the same word for each component.
    pub(super) fn constant_for_each(&mut self, word: u32, shape: WideShape) -> u32 {
        let constant = self.constant(word);
        let WideShape::Vector(count) = shape else { return constant };
        let type_id = self.lowering.globals.type_of(shape);
        let operands = [type_id, 0].into_iter().chain((0..count).map(|_| constant));
        self.lowering
            .globals
            .constant_composite(instruction(Op::ConstantComposite, operands), &mut self.lowering.edits)
    }

    /// Remembers the upper bits of a result, if the instruction says what they are. What is undefined in the original says nothing: a quotient may be any word
    /// then.
    pub(super) fn learn(&mut self, inst: &Instruction) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let form = self.lowering.types.form;
        if form != NumberForm::Narrow || self.lowering.types.shape(type_id).is_none() {
            return;
        }
        let are = |first: usize, is_signed: bool| {
            inst.words_from(first).iter().all(|&id| self.is_extended(id, is_signed))
        };
        let both = |first: usize| match () {
            () if are(first, false) => Some(false),
            () if are(first, true) => Some(true),
            () => None,
        };
        let known = match inst.op() {
            Some(Op::ShiftRightLogical | Op::BitCount) => Some(false),
            Some(Op::ShiftRightArithmetic) => Some(true),
            Some(Op::BitwiseAnd) if inst.words_from(3).iter().any(|&id| self.is_extended(id, false)) => {
                Some(false)
            }
            Some(Op::BitwiseAnd | Op::BitwiseOr | Op::BitwiseXor | Op::CopyObject) => both(3),
            Some(Op::Select) => both(4),
            Some(Op::ExtInst) => match GlslStd450Op::from_u32(inst.word(4)) {
                Some(GlslStd450Op::UMin | GlslStd450Op::UMax | GlslStd450Op::UClamp) => Some(false),
                Some(
                    GlslStd450Op::SMin | GlslStd450Op::SMax | GlslStd450Op::SClamp | GlslStd450Op::SSign,
                ) => Some(true),
                _ => None,
            },
            _ => None,
        };
        if let Some(is_signed) = known {
            self.narrow.known.insert(id, is_signed);
        }
    }
}
