//! Moves of values among the invocations of a group.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::NumberForm;
use crate::loader::Instruction;

impl<'m> FunctionLowering<'_, 'm> {
    /// Keeps an instruction that moves a value. Of integers in the place of doubles, two words move where Vulkan needs a feature for such integers.
    pub(super) fn with_moves(
        &mut self,
        inst: Instruction<'m>,
        operands: &[(usize, u32)],
    ) -> Result<(), LowerError> {
        // Most have a scope before the value. Some move the values of two groups.
        let places = match inst.op() {
            Some(Op::SubgroupShuffleDownINTEL | Op::SubgroupShuffleUpINTEL) => 3..5,
            _ if inst.name().starts_with("OpSubgroup") => 3..4,
            _ => 4..5,
        };
        if operands.iter().any(|&(at, id)| !places.contains(&at) && self.shape_of(id).is_some()) {
            return Err(self.lowering.error(&inst, "its index is a 64-bit integer"));
        }
        let moves_words = self.lowering.types.form == NumberForm::Integer && !self.lowering.is_of_kernels;
        let shape = self.shape_of(inst.word(places.start)).filter(|_| moves_words);
        let (Some(shape), Some([type_id, id])) = (shape, inst.typed_result()) else {
            return self.with_types(inst, operands);
        };
        self.count();
        let (number, uint) = (self.lowering.globals.number, self.lowering.globals.uint);
        let pair = instruction(Op::TypeVector, [0, uint, 2]);
        let pair = self.lowering.globals.type_with(&pair, &mut self.lowering.edits);
        let mut results = Vec::with_capacity(shape.components());
        for at in 0..shape.components() {
            let mut words = inst.words().to_vec();
            for place in places.clone() {
                words[place] = self.component(inst.word(place), shape, at);
            }
            (words[1], words[2]) = (pair, self.lowering.edits.fresh_id());
            for place in places.clone() {
                words[place] = self.emit(Op::Bitcast, pair, None, [words[place]]);
            }
            self.push(&words);
            let result = Some(id).filter(|_| shape.components() == 1);
            results.push(self.emit(Op::Bitcast, number, result, [words[2]]));
        }
        if results.len() > 1 {
            let type_id = self.lowering.globals.renamed(type_id);
            self.emit(Op::CompositeConstruct, type_id, Some(id), results);
        }
        Ok(())
    }
}
