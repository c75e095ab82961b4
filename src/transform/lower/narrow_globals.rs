//! Types and constants outside of functions.

use spirv::Op;

use super::helpers::instruction;
use super::types::WideShape;
use super::{LowerError, ModuleLowering};
use crate::loader::{Instruction, views};

impl ModuleLowering<'_> {
    /// Changes a definition with narrow integers. Returns false for one that has no more than other types.
    pub fn narrow_global(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let id = inst.result_id().unwrap_or_default();
        if let Some(pointer) = views::TypePointer::new(*inst) {
            return Ok(self.types.memory.keeps(pointer.storage_class()));
        }
        if let Some(variable) = views::Variable::new(*inst)
            && self.types.memory.keeps(variable.storage_class())
        {
            let pointee = self.module.pointee(variable.type_id());
            let has_narrow = pointee.is_some_and(|pointee| self.types.has_wide(pointee));
            return match has_narrow && variable.words().len() > 4 {
                true => Err(self.error(inst, "its initializer has narrow integers")),
                false => Ok(true),
            };
        }
        let shape = match inst.result_type() {
            Some(type_id) => {
                return match self.types.shape(type_id) {
                    Some(_) => self.narrow_constant(inst).map(|()| true),
                    None => Ok(false),
                };
            }
            None => self.types.shape(id),
        };
        if !self.types.memory.has(id) {
            return Ok(false);
        }
        self.globals.kept.insert(id);
        if let Some(shape) = shape {
            self.globals.renamed.insert(id, self.globals.type_of(shape));
        } else if self.types.memory.is_value(id) {
            let mut words =
                self.globals.renamed_words(self.module, inst).unwrap_or_else(|| inst.words().to_vec());
            words[1] = self.edits.fresh_id();
            self.globals.renamed.insert(id, words[1]);
            self.edits.insert_words(inst.end(), &words);
        }
        Ok(true)
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
            op => {
                let value = self.feature.values().trim_end_matches('s');
                let article = if self.feature.width() == 8 { "an" } else { "a" };
                let constant = match op {
                    Some(Op::SpecConstantOp) => "constants that it depends on",
                    _ => "constant",
                };
                return Err(
                    self.error(inst, format!("set the specialization {constant}: it is {article} {value}"))
                );
            }
        }
        Ok(())
    }

    /// Returns the word of a constant: its bits, extended as its type says.
    pub fn narrow_word(&self, constant: views::Constant) -> u32 {
        let unused = 32 - self.feature.width();
        let word = constant.low_word() << unused;
        let is_signed = self.module.definition(constant.type_id()).is_some_and(|type_| type_.word(3) == 1);
        match is_signed {
            true => (word.cast_signed() >> unused).cast_unsigned(),
            false => word >> unused,
        }
    }
}
