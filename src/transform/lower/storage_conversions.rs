//! Numbers of 8 and 16 bits, and the words that have their bits.

use spirv::{ExecutionMode, FPRoundingMode, Op};

use super::LowerError;
use super::conversions::is_float;
use super::function::FunctionLowering;
use super::storage_values::WordValue;
use crate::loader::{Instruction, views};

/// The number of bits of a word.
const WORD: u32 = 32;

impl<'m> FunctionLowering<'_, 'm> {
    /// Returns the type of a number.
    fn number_type(&self, type_id: u32) -> Option<Instruction<'m>> {
        let module = self.lowering.module;
        module.definition(module.without_vector(type_id))
    }

    fn width_of(&self, type_id: u32) -> u32 {
        self.number_type(type_id).map_or(0, |type_| type_.word(2))
    }

    /// Makes a number of the low bits of a word.
    pub(super) fn number_of_bits(&mut self, word: u32, type_id: u32, result: Option<u32>) -> u32 {
        let Some(type_) = self.number_type(type_id) else { return word };
        if type_.is(Op::TypeInt) {
            let op = if type_.word(3) == 1 { Op::SConvert } else { Op::UConvert };
            return self.emit(op, type_id, result, [word]);
        }
        let all_type = self.vector_of(type_id, WORD / type_.word(2));
        let all = self.emit(Op::Bitcast, all_type, None, [word]);
        self.emit(Op::CompositeExtract, type_id, result, [all, 0])
    }

    /// Returns a word whose low bits are those of a number. Its upper bits may be any.
    pub(super) fn bits_of_number(
        &mut self,
        inst: &Instruction,
        value: u32,
        type_id: u32,
    ) -> Result<u32, LowerError> {
        let uint = self.lowering.globals.uint;
        let Some(type_) = self.number_type(type_id) else { return Ok(value) };
        if type_.is(Op::TypeInt) {
            return Ok(self.emit(Op::UConvert, uint, None, [value]));
        }
        if self.is_stored_only(type_id) {
            return Err(self
                .lowering
                .error(inst, "it is stored from memory that keeps its numbers of 8 and 16 bits"));
        }
        let count = WORD / type_.word(2);
        let all_type = self.vector_of(type_id, count);
        let all = self.emit(Op::CompositeConstruct, all_type, None, (0..count).map(|_| value));
        Ok(self.emit(Op::Bitcast, uint, None, [all]))
    }

    /// Converts a number with which the module does not compute, or to one. Returns false for another instruction.
    pub(super) fn converted_bits(&mut self, inst: &Instruction<'m>) -> Result<bool, LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(false) };
        let module = self.lowering.module;
        let value = self.value(inst.word(3));
        let is_of_words = !matches!(value, WordValue::Whole(_));
        if !is_of_words && !self.is_stored_only(type_id) {
            return Ok(false);
        }
        self.count();
        let from_type = module.type_of(inst.word(3)).unwrap_or_default();
        let component = |type_id: u32| module.without_vector(type_id);
        let vector = module.definition(type_id).and_then(views::TypeVector::new);
        let Some(vector) = vector else {
            let converted = self.converted_number(inst, value, [from_type, type_id], Some(id))?;
            if !matches!(converted, WordValue::Whole(_)) {
                self.remember_converted(inst, id, converted);
            }
            return Ok(true);
        };
        let types = [component(from_type), component(type_id)];
        let mut converted = Vec::new();
        for at in 0..vector.component_count() {
            let part = match &value {
                WordValue::Parts(parts) if (at as usize) < parts.len() => parts[at as usize].clone(),
                WordValue::Whole(whole) => {
                    WordValue::Whole(self.emit(Op::CompositeExtract, types[0], None, [*whole, at]))
                }
                _ => return Err(self.lowering.error(inst, "it has no such part")),
            };
            converted.push(self.converted_number(inst, part, types, None)?);
        }
        let whole = |value: &WordValue| if let WordValue::Whole(id) = value { Some(*id) } else { None };
        match converted.iter().map(whole).collect::<Option<Vec<u32>>>() {
            Some(whole) => {
                self.emit(Op::CompositeConstruct, type_id, Some(id), whole);
            }
            None => self.remember_converted(inst, id, WordValue::Parts(converted)),
        }
        Ok(true)
    }

    fn converted_number(
        &mut self,
        inst: &Instruction<'m>,
        value: WordValue,
        [from, to]: [u32; 2],
        result: Option<u32>,
    ) -> Result<WordValue, LowerError> {
        if inst.is(Op::FConvert) {
            return self.converted_half(inst, value, [from, to], result);
        }
        let uint = self.lowering.globals.uint;
        let (from_width, to_width) = (self.width_of(from), self.width_of(to));
        let is_signed = inst.is(Op::SConvert);
        let word = match value {
            WordValue::Bits(word) if !is_signed && self.narrow.known.get(&word) == Some(&false) => word,
            WordValue::Bits(word) => {
                let [zero, width] = [self.constant(0), self.constant(from_width)];
                let op = if is_signed { Op::BitFieldSExtract } else { Op::BitFieldUExtract };
                self.emit(op, uint, None, [word, zero, width])
            }
            WordValue::Whole(whole) if from_width == WORD && from == uint => whole,
            WordValue::Whole(whole) if from_width == WORD => self.emit(Op::Bitcast, uint, None, [whole]),
            WordValue::Whole(whole) => {
                let op = if is_signed { Op::SConvert } else { Op::UConvert };
                self.emit(op, uint, None, [whole])
            }
            WordValue::Parts(_) => return Err(self.lowering.error(inst, "it is no number")),
        };
        if self.is_stored_only(to) {
            return Ok(WordValue::Bits(word));
        }
        let op = match to_width {
            WORD if to == uint => Op::CopyObject,
            WORD => Op::Bitcast,
            _ if is_signed => Op::SConvert,
            _ => Op::UConvert,
        };
        Ok(WordValue::Whole(self.emit(op, to, result, [word])))
    }

    fn converted_half(
        &mut self,
        inst: &Instruction<'m>,
        value: WordValue,
        [from, to]: [u32; 2],
        result: Option<u32>,
    ) -> Result<WordValue, LowerError> {
        let module = self.lowering.module;
        let is_known = |type_id: u32| [16, 32].iter().any(|&width| is_float(module, type_id, width));
        let to_float = self.lowering.library.number("float16_from_bits");
        let Some(to_float) = to_float.filter(|_| is_known(from) && is_known(to)) else {
            return Err(self.lowering.error(inst, "no rule lowers it for its types"));
        };
        Ok(match value {
            WordValue::Bits(word) if is_float(module, to, 32) => {
                WordValue::Whole(self.call(to_float, &[word], result))
            }
            WordValue::Whole(whole) if is_float(module, from, 32) => {
                let is_zero = self.rounds_toward_zero(inst)?;
                let name = if is_zero { "float16_round_zero" } else { "float16_round_even" };
                let rounded = self.function(name, &[whole]);
                WordValue::Bits(self.function("float16_to_bits", &[rounded]))
            }
            _ => return Err(self.lowering.error(inst, "no rule lowers it for its types")),
        })
    }

    /// Returns true if a conversion to a half rounds toward zero, by its decoration or by the mode of the module.
    fn rounds_toward_zero(&self, inst: &Instruction<'m>) -> Result<bool, LowerError> {
        let rounding = inst.result_id().and_then(|id| self.lowering.conversions.rounding(id));
        let of_module = || {
            let mut modes = self.lowering.module.execution_modes();
            modes.any(|mode| mode.is_a(ExecutionMode::RoundingModeRTZ) && mode.operands() == [16])
        };
        match rounding {
            None => Ok(of_module()),
            Some(FPRoundingMode::RTE) => Ok(false),
            Some(FPRoundingMode::RTZ) => Ok(true),
            Some(_) => Err(self.lowering.error(inst, "it rounds upward or downward")),
        }
    }
}
