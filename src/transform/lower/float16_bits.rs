//! Conversions of halves, and their bits.

use spirv::Op;

use super::LowerError;
use super::conversions::is_float;
use super::extracted_bits::OP_BITCAST_EXTRACT;
use super::float16::HalfRounding;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use crate::loader::Instruction;

impl<'m> FunctionLowering<'_, 'm> {
    /// Replaces a conversion or a cast of halves.
    pub(super) fn float16_bits(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        self.count();
        match inst.op() {
            Some(Op::FConvert) => self.convert_half(inst),
            Some(Op::Bitcast) => self.narrow_bitcast(inst),
            Some(op @ (Op::ConvertSToF | Op::ConvertUToF)) => self.bfloat16_of_integer(inst, op),
            _ if inst.opcode() == OP_BITCAST_EXTRACT => self.bitcast_extract(inst),
            _ => Err(self.lowering.error(inst, "no rule lowers it here")),
        }
    }

    fn convert_half(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let module = self.lowering.module;
        let (to, value) = (self.lowering.globals.renamed(type_id), inst.word(3));
        let Some(shape) = self.lowering.types.shape(type_id) else {
            let op = if is_float(module, type_id, 32) { Op::CopyObject } else { Op::FConvert };
            // No larger type rounds.
            self.lowering.replaced.insert(id);
            self.emit(op, to, Some(id), [value]);
            return Ok(());
        };
        let rounding = self.rounding_of(inst)?;
        let from = module.type_of(value).unwrap_or_default();
        let float = match () {
            () if is_float(module, from, 32) => value,
            () if is_float(module, from, 64) => self.of_double(value, from, shape),
            () => self.emit(Op::FConvert, to, None, [value]),
        };
        self.rounded_by(rounding, float, type_id, Some(id));
        Ok(())
    }

    /// Converts integers to numbers of bfloat16. A float has those of up to 16 bits, and larger ones round like others that a float has.
    fn bfloat16_of_integer(&mut self, inst: &Instruction, op: Op) -> Result<(), LowerError> {
        let (Some([type_id, id]), value) = (inst.typed_result(), inst.word(3)) else { return Ok(()) };
        let module = self.lowering.module;
        let Some(shape) = self.lowering.types.shape(type_id) else { return Ok(()) };
        let number = module.type_of(value).map(|type_id| module.without_vector(type_id)).unwrap_or_default();
        let width = module.definition(number).map_or(0, |type_| type_.word(2));
        if width > 32 {
            return Err(self.lowering.error(inst, "no rule lowers it for integers of 64 bits"));
        }
        let uint = self.lowering.globals.uint;
        let mut floats = Vec::with_capacity(shape.components());
        for at in 0..shape.components() as u32 {
            let integer = match shape {
                WideShape::Scalar => value,
                _ => self.emit(Op::CompositeExtract, number, None, [value, at]),
            };
            floats.push(match width {
                32 if op == Op::ConvertUToF => {
                    let same = number == uint;
                    let word = if same { integer } else { self.emit(Op::Bitcast, uint, None, [integer]) };
                    self.function("bfloat16_from_uint", &[word])
                }
                32 => {
                    let int = instruction(Op::TypeInt, [0, 32, 1]);
                    let int = self.lowering.globals.type_with(&int, &mut self.lowering.edits);
                    let same = number == int;
                    let word = if same { integer } else { self.emit(Op::Bitcast, int, None, [integer]) };
                    self.function("bfloat16_from_int", &[word])
                }
                _ => self.emit(op, self.lowering.globals.number, None, [integer]),
            });
        }
        let float = self.vector_of_floats(floats, shape, None);
        self.rounded(float, type_id, Some(id));
        Ok(())
    }

    /// Converts doubles to floats that round to halves like them.
    fn of_double(&mut self, value: u32, type_id: u32, shape: WideShape) -> u32 {
        let double = self.lowering.module.without_vector(type_id);
        let pair = self.type_of_words(2);
        let name = match self.lowering.feature.is_bfloat16() {
            true => "bfloat16_from_double",
            false => "float16_from_double",
        };
        let mut results = Vec::with_capacity(shape.components());
        for at in 0..shape.components() as u32 {
            let component = match shape {
                WideShape::Scalar => value,
                _ => self.emit(Op::CompositeExtract, double, None, [value, at]),
            };
            let words = self.emit(Op::Bitcast, pair, None, [component]);
            results.push(self.function(name, &[words]));
        }
        self.vector_of_floats(results, shape, None)
    }

    /// Returns the bits of a half, if values are halves.
    pub(super) fn bits_of_half(&mut self, number: u32) -> u32 {
        match self.lowering.types.form {
            NumberForm::Float if self.lowering.feature.is_bfloat16() => {
                self.function("bfloat16_to_bits", &[number])
            }
            NumberForm::Float => {
                let half = match self.lowering.rounding {
                    HalfRounding::Wider => self.function("float16_round_even", &[number]),
                    _ => number,
                };
                self.function("float16_to_bits", &[half])
            }
            _ => number,
        }
    }

    /// Returns the half with these bits, of which only the low ones count, if values are halves.
    pub(super) fn half_of_bits(&mut self, bits: u32) -> u32 {
        match self.lowering.types.form {
            NumberForm::Float if self.lowering.feature.is_bfloat16() => {
                self.function("bfloat16_from_bits", &[bits])
            }
            NumberForm::Float => self.function("float16_from_bits", &[bits]),
            _ => bits,
        }
    }
}
