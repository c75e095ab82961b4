//! Types and constants of 8-bit and 16-bit numbers outside of functions.

use spirv::Op;

use super::float16::float_of_half;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use super::{LowerError, ModuleLowering};
use crate::loader::{Instruction, views};

impl ModuleLowering<'_> {
    /// Changes a definition with such numbers. Returns false for one that has no more than other types.
    pub fn narrow_global(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let id = inst.result_id().unwrap_or_default();
        if let Some(pointer) = views::TypePointer::new(*inst) {
            let is_kept = self.types.memory.keeps(pointer.storage_class());
            if is_kept {
                self.name_stored(inst);
            }
            return Ok(is_kept);
        }
        if let Some(variable) = views::Variable::new(*inst)
            && self.types.memory.keeps(variable.storage_class())
        {
            let pointee = self.module.pointee(variable.type_id());
            let has_narrow = pointee.is_some_and(|pointee| self.types.has_wide(pointee));
            let has_initializer = has_narrow && variable.words().len() > 4;
            return match has_initializer {
                true if self.types.memory.is_of_kernels() => self.initialized_variable(inst).map(|()| true),
                true => Err(self.error(inst, format!("its initializer has {}", self.feature.values()))),
                false => Ok(true),
            };
        }
        if let Some(type_id) = inst.result_type() {
            return match self.types.shape(type_id) {
                Some(_) => self.narrow_constant(inst).map(|()| true),
                None => Ok(false),
            };
        }
        if !self.types.memory.has(id) {
            return Ok(false);
        }
        if self.globals.in_memory(id) != id {
            self.edits.drop(inst);
        } else {
            self.globals.kept.insert(id);
            self.name_stored(inst);
        }
        if self.types.is_lowered(id) {
            self.globals.rename_lowered(&self.types, id);
        } else if self.types.memory.is_value(id) {
            let mut words =
                self.globals.renamed_words(self.module, inst).unwrap_or_else(|| inst.words().to_vec());
            words[1] = self.edits.fresh_id();
            self.globals.renamed.insert(id, words[1]);
            self.edits.insert_words(inst.end(), &words);
        }
        Ok(true)
    }

    /// Changes the types that memory does not have to those in their place.
    fn name_stored(&mut self, inst: &Instruction) {
        let mut words = inst.words().to_vec();
        self.module.walk(inst, &mut |at, id: u32| words[at] = self.globals.in_memory(id));
        if words != inst.words() {
            self.edits.replace_words(inst, &words);
        }
    }

    fn narrow_constant(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        match inst.op() {
            Some(Op::Constant) => {
                let word = self.narrow_word(views::Constant(*inst));
                let number = self.globals.type_of(WideShape::Scalar);
                self.edits.replace_words(inst, &instruction(Op::Constant, [number, inst.word(2), word]));
            }
            Some(Op::ConstantNull | Op::Undef | Op::ConstantComposite | Op::SpecConstantComposite) => {
                if let Some(words) = self.globals.renamed_words(self.module, inst) {
                    self.edits.replace_words(inst, &words);
                }
            }
            op => return Err(self.open_constant(inst, op)),
        }
        Ok(())
    }

    /// Returns the word of a constant: its bits, extended as its type says, or those of the float in the place of a half.
    pub fn narrow_word(&self, constant: views::Constant) -> u32 {
        if self.types.form == NumberForm::Float {
            return match self.feature.is_bfloat16() {
                true => constant.low_word() << 16,
                false => float_of_half(constant.low_word()),
            };
        }
        let unused = 32 - self.feature.width();
        let word = constant.low_word() << unused;
        let is_signed = self.module.definition(constant.type_id()).is_some_and(|type_| type_.word(3) == 1);
        match is_signed {
            true => (word.cast_signed() >> unused).cast_unsigned(),
            false => word >> unused,
        }
    }
}
