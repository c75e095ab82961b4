//! Instructions that select, move or compare words. Where integers of 64 bits are in the place of numbers, they stay.

use spirv::Op;

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use crate::loader::{Instruction, views};

/// A component of a shuffle that may have any value.
const UNDEFINED: u32 = u32::MAX;

impl<'m> FunctionLowering<'_, 'm> {
    /// Replaces an instruction by one of words.
    pub(super) fn with_words(&mut self, inst: Instruction<'m>) -> Result<(), LowerError> {
        let form = self.lowering.types.form;
        match inst.op() {
            _ if form == NumberForm::Narrow => self.narrow_bits(&inst)?,
            _ if form == NumberForm::Float => self.float16_bits(&inst)?,
            Some(Op::Bitcast) if self.has_array(&inst, &[inst.word(3)]) => {
                self.bitcast_of_arrays(&inst)?;
            }
            Some(Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr) => self.bitcast(&inst, inst.word(3)),
            // A pack or an unpack.
            Some(Op::ExtInst) => self.bitcast(&inst, inst.word(5)),
            _ if form == NumberForm::Integer => self.copy(inst),
            Some(Op::VectorExtractDynamic) => self.with_function_of_words(&inst, "component")?,
            Some(Op::VectorInsertDynamic) => self.with_function_of_words(&inst, "with_component")?,
            Some(Op::Select) => self.with_function_of_words(&inst, "select")?,
            Some(Op::VectorShuffle) => self.shuffle(views::VectorShuffle(inst))?,
            Some(Op::CompositeExtract) => self.extract(inst)?,
            Some(Op::CompositeInsert) => self.insert(inst)?,
            Some(Op::Switch) => self.switch(views::Switch(inst))?,
            _ => return Err(self.lowering.error(&inst, "no rule lowers it here")),
        }
        Ok(())
    }

    /// Replaces an instruction by a function that the library of each feature has.
    fn with_function_of_words(&mut self, inst: &Instruction, name: &str) -> Result<(), LowerError> {
        let feature = self.lowering.feature.name().to_lowercase();
        self.with_functions(inst, &[&format!("{feature}_{name}")])
    }

    /// Keeps an instruction whose result is not lowered, with the low words of its operands.
    pub(super) fn with_low_words(&mut self, inst: &Instruction, operands: &[(usize, u32)]) {
        self.count();
        let number = self.lowering.globals.number;
        let mut words = inst.words().to_vec();
        for &(at, operand) in operands {
            match self.shape_of(operand) {
                Some(WideShape::Scalar) => words[at] = self.word(operand, 0),
                Some(WideShape::Pair) => {
                    words[at] = self.emit(Op::VectorShuffle, number, None, [operand, operand, 0, 2]);
                }
                Some(WideShape::Vector(count)) => {
                    let low: Vec<u32> = (0..count as usize).map(|at| self.word(operand, 2 * at)).collect();
                    let uint = self.lowering.globals.uint;
                    let vector = instruction(Op::TypeVector, [0, uint, count]);
                    let type_id = self.lowering.globals.type_with(&vector, &mut self.lowering.edits);
                    words[at] = self.emit(Op::CompositeConstruct, type_id, None, low);
                }
                None => {}
            }
        }
        self.push(&words);
    }

    fn shuffle(&mut self, shuffle: views::VectorShuffle) -> Result<(), LowerError> {
        self.count();
        if self.has_array(&shuffle, &[shuffle.vector_1(), shuffle.vector_2()]) {
            return self.shuffle_of_arrays(shuffle);
        }
        if shuffle.components().iter().any(|&component| component != UNDEFINED && component > 3) {
            return Err(self.lowering.error(&shuffle, "it has no such component"));
        }
        let words = shuffle.components().iter().flat_map(|&component| match component {
            UNDEFINED => [UNDEFINED; 2],
            component => [2 * component, 2 * component + 1],
        });
        let operands = [shuffle.vector_1(), shuffle.vector_2()].into_iter().chain(words);
        self.emit(Op::VectorShuffle, self.lowering.globals.quad, Some(shuffle.id()), operands);
        Ok(())
    }

    /// Selects components where a vector is an array.
    fn shuffle_of_arrays(&mut self, shuffle: views::VectorShuffle) -> Result<(), LowerError> {
        let mut all = self.components_of(shuffle.vector_1());
        all.extend(self.components_of(shuffle.vector_2()));
        let selected = shuffle.components().iter().map(|&component| match component {
            UNDEFINED => all.first().copied(),
            component => all.get(component as usize).copied(),
        });
        let Some(selected) = selected.collect::<Option<Vec<u32>>>() else {
            return Err(self.lowering.error(&shuffle, "it has no such component"));
        };
        let type_id = self.lowering.globals.renamed(shuffle.type_id());
        self.emit(Op::CompositeConstruct, type_id, Some(shuffle.id()), selected);
        Ok(())
    }

    /// Returns the path to the vector of two numbers whose component a path leads to, if it leads to one.
    fn pair_on<'p>(&self, composite: u32, path: &'p [u32]) -> Option<(&'p [u32], u32)> {
        let module = self.lowering.module;
        let (&last, path) = path.split_last().filter(|&(&last, _)| last < 2)?;
        let start = module.type_of(composite)?;
        let parent = path.iter().try_fold(start, |type_id, &index| module.part_type(type_id, index))?;
        (self.lowering.types.shape(parent) == Some(WideShape::Pair)).then_some((path, last))
    }

    fn extract(&mut self, inst: Instruction<'m>) -> Result<(), LowerError> {
        let extract = views::CompositeExtract(inst);
        if self.extract_vector(extract) {
            return Ok(());
        }
        let Some((path, component)) = self.pair_on(extract.composite(), extract.indexes()) else {
            self.copy(inst);
            return Ok(());
        };
        self.count();
        let vector = self.part(extract.composite(), path);
        let number = self.lowering.globals.number;
        let operands = [vector, vector, 2 * component, 2 * component + 1];
        self.emit(Op::VectorShuffle, number, Some(extract.id()), operands);
        Ok(())
    }

    /// Returns the vector of two numbers at a path.
    fn part(&mut self, composite: u32, path: &[u32]) -> u32 {
        if path.is_empty() {
            return composite;
        }
        let operands = std::iter::once(composite).chain(path.iter().copied());
        self.emit(Op::CompositeExtract, self.lowering.globals.quad, None, operands)
    }

    fn insert(&mut self, inst: Instruction<'m>) -> Result<(), LowerError> {
        let insert = views::CompositeInsert(inst);
        if self.insert_vector(insert) {
            return Ok(());
        }
        let Some((path, component)) = self.pair_on(insert.composite(), insert.indexes()) else {
            self.copy(inst);
            return Ok(());
        };
        self.count();
        let vector = self.part(insert.composite(), path);
        let order = if component == 0 { [4, 5, 2, 3] } else { [0, 1, 4, 5] };
        let operands = [vector, insert.object()].into_iter().chain(order);
        let quad = self.lowering.globals.quad;
        if path.is_empty() {
            self.emit(Op::VectorShuffle, quad, Some(insert.id()), operands);
            return Ok(());
        }
        let changed = self.emit(Op::VectorShuffle, quad, None, operands);
        let operands = [changed, insert.composite()].into_iter().chain(path.iter().copied());
        self.emit(Op::CompositeInsert, insert.type_id(), Some(insert.id()), operands);
        Ok(())
    }

    /// Reads the bits of words as another type. A pointer is two words.
    pub(super) fn bitcast(&mut self, inst: &Instruction, operand: u32) {
        self.count();
        let Some([type_id, id]) = inst.typed_result() else { return };
        let globals = &self.lowering.globals;
        let to = globals.renamed(type_id);
        let from = self.lowering.module.type_of(operand).map(|type_id| globals.renamed(type_id));
        let op = if from == Some(to) { Op::CopyObject } else { Op::Bitcast };
        self.emit(op, to, Some(id), [operand]);
    }

    /// Computes the number of the case that a selector is equal to, counted from 1, and 0 for none.
    fn switch(&mut self, switch: views::Switch) -> Result<(), LowerError> {
        self.count();
        let Some(equal) = self.lowering.library.number("int64_equal") else { return Ok(()) };
        let (uint, pair) = (self.lowering.globals.uint, self.lowering.globals.number);
        let mut index = self.constant(0);
        let mut operands = vec![switch.default()];
        for (number, (literal, label)) in (1..).zip(switch.cases(64)) {
            let words = vec![self.constant(literal[0]), self.constant(literal[1])];
            let value = self.emit_words(pair, None, words);
            let is_equal = self.call(equal, &[switch.selector(), value], None);
            let number_of_case = self.constant(number);
            index = self.emit(Op::Select, uint, None, [is_equal, number_of_case, index]);
            operands.extend([number, label]);
        }
        self.push_merge();
        let operands = std::iter::once(index).chain(operands);
        self.push(&instruction(Op::Switch, operands));
        Ok(())
    }
}
