//! Numbers in memory that integers of 16 bits take the place of. Those of bfloat16 are the upper bits of a float.

use spirv::Op;

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::WideShape;

impl FunctionLowering<'_, '_> {
    /// Makes floats of integers that were loaded.
    pub(super) fn float_of_stored(&mut self, stored: u32, shape: WideShape, result: Option<u32>) -> u32 {
        if !self.lowering.feature.is_bfloat16() {
            return self.floats_of_bits(stored, shape, result);
        }
        let words = self.type_of_words(shape.components() as u32);
        let wide = self.emit(Op::UConvert, words, None, [stored]);
        let count = self.sixteen(words, shape);
        let bits = self.emit(Op::ShiftLeftLogical, words, None, [wide, count]);
        self.emit(Op::Bitcast, self.lowering.globals.type_of(shape), result, [bits])
    }

    /// Makes integers to store of floats, for memory of a type.
    pub(super) fn stored_float(&mut self, value: u32, type_id: u32, shape: WideShape) -> u32 {
        if !self.lowering.feature.is_bfloat16() {
            return self.bits_of_floats(value, type_id, shape);
        }
        let words = self.type_of_words(shape.components() as u32);
        let bits = self.emit(Op::Bitcast, words, None, [value]);
        let count = self.sixteen(words, shape);
        let upper = self.emit(Op::ShiftRightLogical, words, None, [bits, count]);
        self.emit(Op::UConvert, self.lowering.globals.in_memory(type_id), None, [upper])
    }

    /// Returns the constant 16 for each word.
    fn sixteen(&mut self, type_id: u32, shape: WideShape) -> u32 {
        let constant = self.constant(16);
        if shape == WideShape::Scalar {
            return constant;
        }
        let operands = [type_id, 0].into_iter().chain((0..shape.components()).map(|_| constant));
        self.lowering
            .globals
            .constant_composite(instruction(Op::ConstantComposite, operands), &mut self.lowering.edits)
    }
}
