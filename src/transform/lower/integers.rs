//! Integers of any width as the numbers that functions on doubles take, and back.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::types::NumberForm;
use crate::loader::{Instruction, views};

impl FunctionLowering<'_, '_> {
    /// Returns an integer as a number of the type of a parameter, which says if its sign is kept.
    pub(super) fn number_of_integer(
        &mut self,
        inst: &Instruction,
        value: u32,
        type_id: u32,
        parameter: u32,
    ) -> Result<u32, LowerError> {
        let library = &self.lowering.library.module;
        let wanted = self.lowering.helper_id(parameter);
        let Some(width) = self.integer_width(type_id) else {
            return Err(self.lowering.error(inst, "no rule lowers it for the type of its operand"));
        };
        if let Some(integer) = library.definition(parameter).and_then(views::TypeInt::new) {
            let op = match (width, integer.signedness()) {
                (64, _) if type_id == wanted => return Ok(value),
                (64, _) => Op::Bitcast,
                (_, 1) => Op::SConvert,
                _ => Op::UConvert,
            };
            return Ok(self.emit(op, wanted, None, [value]));
        }
        if width == 64 {
            return Ok(self.emit(Op::Bitcast, wanted, None, [value]));
        }
        let component = library.definition(parameter).and_then(views::TypeVector::new);
        let component = component.map_or(0, |vector| vector.component_type());
        let is_signed = library.definition(component).is_some_and(|type_| type_.word(3) == 1);
        let word = self.lowering.helper_id(component);
        let low = match width {
            32 if type_id == word => value,
            32 => self.emit(Op::Bitcast, word, None, [value]),
            _ if is_signed => self.emit(Op::SConvert, word, None, [value]),
            _ => self.emit(Op::UConvert, word, None, [value]),
        };
        let high = match is_signed {
            true => {
                let bits = self.constant(31);
                self.emit(Op::ShiftRightArithmetic, word, None, [low, bits])
            }
            false => self.constant(0),
        };
        Ok(self.emit(Op::CompositeConstruct, wanted, None, [low, high]))
    }

    /// Makes an integer of a number: the low bits.
    pub(super) fn integer_of_number(
        &mut self,
        inst: &Instruction,
        number: u32,
        type_id: u32,
        result: Option<u32>,
    ) -> Result<u32, LowerError> {
        if self.integer_width(type_id) == Some(64) {
            return Ok(self.emit(Op::Bitcast, type_id, result, [number]));
        }
        if self.lowering.types.form == NumberForm::Integer {
            let type_ = self.lowering.module.definition(type_id).and_then(views::TypeInt::new);
            let Some(type_) = type_ else {
                return Err(self.lowering.error(inst, "no rule lowers it for the type of its result"));
            };
            let op = if type_.signedness() == 1 { Op::SConvert } else { Op::UConvert };
            return Ok(self.emit(op, type_id, result, [number]));
        }
        let low = self.word(number, 0);
        self.integer_of_word(inst, low, type_id, result)
    }

    /// Makes an integer of at most 32 bits of a word: the low bits.
    pub(super) fn integer_of_word(
        &mut self,
        inst: &Instruction,
        word: u32,
        type_id: u32,
        result: Option<u32>,
    ) -> Result<u32, LowerError> {
        let type_ = self.lowering.module.definition(type_id).and_then(views::TypeInt::new);
        let Some(type_) = type_.filter(|type_| type_.width() <= 32) else {
            return Err(self.lowering.error(inst, "no rule lowers it for the type of its result"));
        };
        let op = match (type_.width(), type_.signedness()) {
            (32, 1) => Op::Bitcast,
            (32, _) => Op::CopyObject,
            (_, 1) => Op::SConvert,
            _ => Op::UConvert,
        };
        Ok(self.emit(op, type_id, result, [word]))
    }

    fn integer_width(&self, type_id: u32) -> Option<u32> {
        let type_ = self.lowering.module.definition(type_id).and_then(views::TypeInt::new)?;
        Some(type_.width())
    }
}
