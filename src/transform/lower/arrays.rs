//! Vectors of three and four numbers of two words: arrays.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use crate::loader::Instruction;

/// The reason that an instruction is refused which has rules for smaller vectors.
pub(super) const LARGE_VECTORS: &str = "no rule lowers it for vectors of three or four";

/// The instructions that move whole values of any type.
const MOVES: [Op; 9] = [
    Op::Undef,
    Op::Function,
    Op::FunctionParameter,
    Op::FunctionCall,
    Op::Load,
    Op::Store,
    Op::CopyObject,
    Op::Phi,
    Op::ReturnValue,
];

impl FunctionLowering<'_, '_> {
    /// Returns true if values of a type become arrays.
    pub(super) fn is_array_type(&self, type_id: u32) -> bool {
        let types = &self.lowering.types;
        types.shape(type_id).is_some_and(|shape| types.is_array(shape))
    }

    /// Returns true if the result of an instruction or a value becomes an array.
    pub(super) fn has_array(&self, inst: &Instruction, values: &[u32]) -> bool {
        let of_values = values.iter().filter_map(|&value| self.lowering.module.type_of(value));
        inst.result_type().into_iter().chain(of_values).any(|type_id| self.is_array_type(type_id))
    }

    /// Returns true for an instruction with arrays that does more than to move them.
    pub(super) fn is_computed_by_component(&self, inst: &Instruction, operands: &[(usize, u32)]) -> bool {
        let values: Vec<u32> = operands.iter().map(|&(_, id)| id).collect();
        let is_move = match inst.op() {
            // Of arrays and structures, constituents are whole.
            Some(Op::CompositeConstruct) => {
                !inst.result_type().is_some_and(|type_id| self.is_array_type(type_id))
            }
            op => op.is_some_and(|op| MOVES.contains(&op)),
        };
        !is_move && self.has_array(inst, &values)
    }

    /// Computes each component of an array by the same instruction.
    pub(super) fn by_component(
        &mut self,
        inst: &Instruction,
        operands: &[(usize, u32)],
    ) -> Result<(), LowerError> {
        let result =
            inst.typed_result().and_then(|[type_id, id]| Some((self.lowering.types.shape(type_id)?, id)));
        let Some((shape, id)) = result else { return Err(self.lowering.error(inst, LARGE_VECTORS)) };
        self.count();
        let mut results = Vec::with_capacity(shape.components());
        if inst.is(Op::CompositeConstruct) {
            for &(_, operand) in operands {
                results.extend(self.components_of(operand));
            }
        } else {
            for at in 0..shape.components() {
                let mut words = inst.words().to_vec();
                (words[1], words[2]) = (self.lowering.globals.number, self.lowering.edits.fresh_id());
                for &(place, operand) in operands {
                    if let Some(shape) = self.shape_of(operand) {
                        words[place] = self.component(operand, shape, at.min(shape.components() - 1));
                    }
                }
                self.push(&words);
                results.push(words[2]);
            }
        }
        let type_id = self.lowering.globals.type_of(shape);
        self.emit(Op::CompositeConstruct, type_id, Some(id), results);
        Ok(())
    }
}
