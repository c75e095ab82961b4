//! Vectors of three and four numbers of two words: arrays.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use crate::loader::{Instruction, views};

/// The instructions that move whole values of any type.
const MOVES: [Op; 10] = [
    Op::Undef,
    Op::Function,
    Op::FunctionParameter,
    Op::FunctionCall,
    Op::Variable,
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
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let values = operands.iter().find_map(|&(_, operand)| self.shape_of(operand));
        let Some(shape) = self.lowering.types.shape(type_id).or(values) else { return Ok(()) };
        self.count();
        let is_vote = inst.is(Op::GroupNonUniformAllEqual);
        let result_type = if is_vote { type_id } else { self.lowering.globals.number };
        let mut results = Vec::with_capacity(shape.components());
        if inst.is(Op::CompositeConstruct) {
            for &(_, operand) in operands {
                results.extend(self.components_of(operand));
            }
        } else {
            for at in 0..shape.components() {
                let mut words = inst.words().to_vec();
                (words[1], words[2]) = (result_type, self.lowering.edits.fresh_id());
                for &(place, operand) in operands {
                    if let Some(shape) = self.shape_of(operand) {
                        words[place] = self.component(operand, shape, at.min(shape.components() - 1));
                    }
                }
                self.push(&words);
                results.push(words[2]);
            }
        }
        if is_vote {
            // It is true if it is for each component.
            let last = results.len() - 1;
            for at in 1..results.len() {
                let result = (at == last).then_some(id);
                results[at] = self.emit(Op::LogicalAnd, type_id, result, [results[at - 1], results[at]]);
            }
            return Ok(());
        }
        self.emit(Op::CompositeConstruct, self.lowering.globals.type_of(shape), Some(id), results);
        Ok(())
    }

    /// Reads the bits of an array as another vector of as many components, or those of a vector as an array.
    pub(super) fn bitcast_of_arrays(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        let module = self.lowering.module;
        let vector = |type_id: u32| module.definition(type_id).and_then(views::TypeVector::new);
        let vectors = (module.type_of(inst.word(3)).and_then(vector), vector(type_id));
        let (Some(from), Some(to)) = vectors else { return Ok(()) };
        if from.component_count() != to.component_count() {
            return Err(self.lowering.error(inst, "no rule lowers it for vectors of three or four"));
        }
        let globals = &self.lowering.globals;
        let component_type = globals.renamed(to.component_type());
        if globals.renamed(from.id()) == globals.renamed(to.id()) {
            self.bitcast(inst, inst.word(3));
            return Ok(());
        }
        self.count();
        let mut results = Vec::with_capacity(to.component_count() as usize);
        for at in 0..from.component_count() {
            let component = match self.shape_of(inst.word(3)) {
                Some(shape) => self.component(inst.word(3), shape, at as usize),
                None => self.emit(Op::CompositeExtract, from.component_type(), None, [inst.word(3), at]),
            };
            results.push(self.emit(Op::Bitcast, component_type, None, [component]));
        }
        self.emit(Op::CompositeConstruct, self.lowering.globals.renamed(type_id), Some(id), results);
        Ok(())
    }

    /// Selects a component of an array by an index that is not constant, or replaces it.
    pub(super) fn dynamic_component(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let Some([type_id, id]) = inst.typed_result() else { return Ok(()) };
        self.count();
        let components = self.components_of(inst.word(3));
        let is_insert = inst.is(Op::VectorInsertDynamic);
        let before = if is_insert { inst.word(5) } else { inst.word(4) };
        let index = if self.shape_of(before).is_some() { self.word(before, 0) } else { before };
        let index = self.index_of_32_bits(before, index);
        if !is_insert {
            self.selected(&components, index, Some(id));
            return Ok(());
        }
        let results = self.with_component(components, inst.word(4), index);
        self.emit(Op::CompositeConstruct, self.lowering.globals.renamed(type_id), Some(id), results);
        Ok(())
    }

    /// Replaces the number with an index.
    pub(super) fn with_component(&mut self, mut numbers: Vec<u32>, number: u32, index: u32) -> Vec<u32> {
        for (at, other) in (0..).zip(&mut numbers) {
            let is_here = self.is_index(index, at);
            *other = self.select(is_here, number, *other, None);
        }
        numbers
    }

    /// Selects the number with an index.
    pub(super) fn selected(&mut self, numbers: &[u32], index: u32, result: Option<u32>) -> u32 {
        let mut selected = numbers[0];
        for (at, &number) in (0..).zip(numbers).skip(1) {
            let is_here = self.is_index(index, at);
            let result = result.filter(|_| at as usize + 1 == numbers.len());
            selected = self.select(is_here, number, selected, result);
        }
        selected
    }

    fn is_index(&mut self, index: u32, expected: u32) -> u32 {
        let expected = self.constant(expected);
        let type_ = instruction(Op::TypeBool, [0]);
        let type_id = self.lowering.globals.type_with(&type_, &mut self.lowering.edits);
        self.emit(Op::IEqual, type_id, None, [index, expected])
    }

    fn select(&mut self, condition: u32, a: u32, b: u32, result: Option<u32>) -> u32 {
        let library = self.lowering.library;
        let number = ["int64_select", "float64_select"].iter().find_map(|name| library.number(name));
        number.map_or(0, |number| self.call(number, &[condition, a, b], result))
    }
}
