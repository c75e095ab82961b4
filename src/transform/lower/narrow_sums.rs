//! Scalar products of narrow integers, and scans that begin with a limit of them.

use spirv::{Capability, Op};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use super::{LowerError, ModuleLowering};
use crate::loader::Instruction;

/// A scalar product: the instruction without an accumulator, and the signs of both vectors.
#[derive(Clone, Copy)]
struct ScalarProduct {
    op: Op,
    signs: [bool; 2],
    is_saturated: bool,
}

impl ScalarProduct {
    fn new(inst: &Instruction) -> Option<ScalarProduct> {
        let (op, signs) = match inst.op()? {
            Op::SDot | Op::SDotAccSat => (Op::SDot, [true; 2]),
            Op::UDot | Op::UDotAccSat => (Op::UDot, [false; 2]),
            Op::SUDot | Op::SUDotAccSat => (Op::SUDot, [true, false]),
            _ => return None,
        };
        Some(ScalarProduct { op, signs, is_saturated: !inst.is(op) })
    }
}

impl ModuleLowering<'_> {
    /// Returns the capabilities that only scalar products need, if all become others.
    pub(super) fn unused_by_products(&self) -> &'static [u32] {
        const ALL: [u32; 4] = [
            Capability::DotProduct as u32,
            Capability::DotProductInputAll as u32,
            Capability::DotProductInput4x8Bit as u32,
            Capability::DotProductInput4x8BitPacked as u32,
        ];
        if self.types.form != NumberForm::Narrow {
            return &[];
        }
        let bodies = self.module.functions().iter().flat_map(|function| self.module.body(function));
        let mut products = bodies.filter(|inst| ScalarProduct::new(inst).is_some()).peekable();
        let is_replaced = |inst: Instruction| self.types.shape_of(self.module, inst.word(3)).is_some();
        match products.peek().is_some() && products.all(is_replaced) {
            true => &ALL,
            false => &[],
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Computes a scalar product in 32 bits. If it is accumulated, an overflow before that is undefined, and else the result has the low bits.
    pub(super) fn narrow_dot(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let (Some([type_id, id]), Some(product)) = (inst.typed_result(), ScalarProduct::new(inst)) else {
            return Err(self.lowering.error(inst, "no rule lowers it here"));
        };
        self.count();
        let uint = self.lowering.globals.uint;
        let module = self.lowering.module;
        let vectors = [inst.word(3), inst.word(4)];
        let dot = match self.shape_of(vectors[0]) {
            Some(shape) => {
                let [a, b] = [0, 1].map(|at| self.extended(vectors[at], product.signs[at]));
                let mut sum = None;
                for at in 0..shape.components() {
                    let [a, b] = [a, b].map(|vector| self.component(vector, shape, at));
                    let term = self.emit(Op::IMul, uint, None, [a, b]);
                    sum = Some(match sum {
                        Some(sum) => self.emit(Op::IAdd, uint, None, [sum, term]),
                        None => term,
                    });
                }
                sum.unwrap_or_default()
            }
            None => {
                let format = inst.words_from(if product.is_saturated { 6 } else { 5 });
                self.emit(product.op, uint, None, vectors.into_iter().chain(format.iter().copied()))
            }
        };
        let is_signed = product.signs[0];
        let width = module.definition(type_id).map_or(0, |type_| type_.word(2));
        let is_lowered = self.lowering.types.shape(type_id).is_some();
        let sum = match product.is_saturated {
            false => dot,
            true if is_lowered => {
                let accumulator = self.extended(inst.word(5), is_signed);
                let sum = self.emit(Op::IAdd, uint, None, [accumulator, dot]);
                self.saturated(sum, is_signed, id)
            }
            true if width == 32 => {
                let accumulator = self.as_word(inst.word(5));
                self.saturated_sum([accumulator, dot], is_signed)
            }
            true => return Err(self.lowering.error(inst, "no rule lowers its sum")),
        };
        let op = match width {
            _ if is_lowered => Op::CopyObject,
            32 if type_id == uint => Op::CopyObject,
            32 => Op::Bitcast,
            64 if self.lowering.feature.width() > 8 => {
                return Err(self.lowering.error(inst, "its sum has more than 32 bits"));
            }
            _ if is_signed => Op::SConvert,
            _ => Op::UConvert,
        };
        let type_id = if is_lowered { uint } else { type_id };
        self.emit(op, type_id, Some(id), [sum]);
        Ok(())
    }

    fn as_word(&mut self, value: u32) -> u32 {
        let uint = self.lowering.globals.uint;
        match self.lowering.module.type_of(value) {
            Some(type_id) if type_id != uint => self.emit(Op::Bitcast, uint, None, [value]),
            _ => value,
        }
    }

    /// Returns a word within the limits of the type, which is `id` then.
    fn saturated(&mut self, word: u32, is_signed: bool, id: u32) -> u32 {
        let ones = u32::MAX >> (32 - self.lowering.feature.width());
        self.narrow.known.insert(id, is_signed);
        match is_signed {
            true => {
                let below = self.limited(word, ones >> 1, Op::SLessThan, WideShape::Scalar, None);
                self.limited(below, !(ones >> 1), Op::SGreaterThan, WideShape::Scalar, None)
            }
            false => self.limited(word, ones, Op::ULessThan, WideShape::Scalar, None),
        }
    }

    /// Returns each word if a comparison with the limit is true, or else the limit.
    fn limited(&mut self, words: u32, limit: u32, op: Op, shape: WideShape, result: Option<u32>) -> u32 {
        let limit = self.constant_for_each(limit, shape);
        let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
        let mut bool_type = globals.type_with(&instruction(Op::TypeBool, [0]), edits);
        if let WideShape::Vector(count) = shape {
            bool_type = globals.type_with(&instruction(Op::TypeVector, [0, bool_type, count]), edits);
        }
        let type_id = self.lowering.globals.type_of(shape);
        let is_within = self.emit(op, bool_type, None, [words, limit]);
        self.emit(Op::Select, type_id, result, [is_within, words, limit])
    }

    /// Adds two words. A sum that overflows is the limit.
    fn saturated_sum(&mut self, [a, b]: [u32; 2], is_signed: bool) -> u32 {
        let uint = self.lowering.globals.uint;
        let bool_type = instruction(Op::TypeBool, [0]);
        let bool_type = self.lowering.globals.type_with(&bool_type, &mut self.lowering.edits);
        let sum = self.emit(Op::IAdd, uint, None, [a, b]);
        if !is_signed {
            let is_over = self.emit(Op::ULessThan, bool_type, None, [sum, a]);
            let limit = self.constant(u32::MAX);
            return self.emit(Op::Select, uint, None, [is_over, limit, sum]);
        }
        // The sum has another sign than both.
        let [from_a, from_b] = [a, b].map(|term| self.emit(Op::BitwiseXor, uint, None, [term, sum]));
        let both = self.emit(Op::BitwiseAnd, uint, None, [from_a, from_b]);
        let [zero, last, greatest] = [0, 31, u32::MAX >> 1].map(|word| self.constant(word));
        let is_over = self.emit(Op::SLessThan, bool_type, None, [both, zero]);
        let sign = self.emit(Op::ShiftRightArithmetic, uint, None, [a, last]);
        let limit = self.emit(Op::BitwiseXor, uint, None, [sign, greatest]);
        self.emit(Op::Select, uint, None, [is_over, limit, sum])
    }

    /// Replaces the limit of words by that of narrow integers, with which an exclusive scan begins.
    pub(super) fn scan_from_limit(&mut self, inst: &Instruction<'m>, mut words: Vec<u32>) {
        let Some([type_id, id]) = inst.typed_result() else { return };
        let Some(shape) = self.lowering.types.shape(type_id) else { return };
        self.count();
        (words[1], words[2]) = (self.lowering.globals.type_of(shape), self.lowering.edits.fresh_id());
        self.push(&words);
        let greatest = u32::MAX >> (33 - self.lowering.feature.width());
        let (limit, op) = match inst.is(Op::GroupNonUniformSMin) {
            true => (greatest, Op::SLessThan),
            false => (!greatest, Op::SGreaterThan),
        };
        self.limited(words[2], limit, op, shape, Some(id));
        self.narrow.known.insert(id, true);
    }
}
