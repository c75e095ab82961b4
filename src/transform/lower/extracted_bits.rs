//! Fields of bits that are read as numbers: `OpBitcastExtractEXT`, and casts to numbers of fewer than 8 bits.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::types::NumberForm;
use crate::loader::Instruction;

/// The opcode of `OpBitcastExtractEXT`.
pub const OP_BITCAST_EXTRACT: u16 = 4195;
/// The capability for it, which the features for numbers of 4 bits have, too.
pub const BITCAST_EXTRACT: u32 = 4232;

impl<'m> FunctionLowering<'_, 'm> {
    /// Reads a field of each component as a number of fewer bits.
    pub(super) fn bitcast_extract(&mut self, inst: &Instruction<'m>) -> Result<(), LowerError> {
        let (Some([type_id, id]), &[base, offset]) = (inst.typed_result(), inst.words_from(3)) else {
            return Err(self.lowering.error(inst, "it does not have a base and an offset"));
        };
        let offset = match self.shape_of(offset) {
            // The result is undefined unless it is small.
            Some(_) => self.extended(offset, false),
            None => offset,
        };
        if self.lowering.types.shape(type_id).is_some() {
            // In Vulkan, results are numbers of 4 or 6 bits.
            return Err(self.lowering.error(inst, "its result has no other form"));
        }
        let base = match self.shape_of(base).filter(|_| self.lowering.types.form == NumberForm::Float) {
            Some(shape) => {
                let mut words = Vec::with_capacity(shape.components());
                for at in 0..shape.components() {
                    let component = self.component(base, shape, at);
                    words.push(self.bits_of_half(component));
                }
                let words_type = self.type_of_words(words.len() as u32);
                self.joined(&words, words_type, None)
            }
            None => base,
        };
        self.extract_bits(type_id, Some(id), [base, offset]);
        Ok(())
    }

    fn extract_bits(&mut self, type_id: u32, result: Option<u32>, [base, offset]: [u32; 2]) -> u32 {
        let id = result.unwrap_or_else(|| self.lowering.edits.fresh_id());
        let words = [u32::from(OP_BITCAST_EXTRACT) | 5 << 16, type_id, id, base, offset];
        self.push(&words);
        id
    }

    /// Reads a word as a vector of numbers of 4 bits, each of which is a field.
    pub(super) fn read_small_numbers(
        &mut self,
        word: u32,
        component: u32,
        count: u32,
        [type_id, id]: [u32; 2],
    ) {
        self.lowering.requires_bitcast_extract = true;
        let mut components = Vec::with_capacity(count as usize);
        for at in 0..count {
            let offset = self.constant(4 * at);
            components.push(self.extract_bits(component, None, [word, offset]));
        }
        let op = if count == 1 { Op::CopyObject } else { Op::CompositeConstruct };
        self.emit(op, type_id, Some(id), components);
    }
}
