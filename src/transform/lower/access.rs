//! Pointers: indices of lowered types, and components of vectors, which are two words with pointers of their own.

use spirv::{MemoryAccess, Op, StorageClass};

use super::LowerError;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{NumberForm, WideShape};
use crate::loader::{Instruction, views};

/// The largest alignments of the words of a number.
const ALIGNMENTS: [u32; 2] = [u32::MAX, 4];

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers an access chain, or a use of a pointer to a component. Returns false for another instruction.
    pub(super) fn access(
        &mut self,
        inst: &Instruction<'m>,
        operands: &[(usize, u32)],
    ) -> Result<bool, LowerError> {
        let first = match inst.op() {
            Some(Op::AccessChain | Op::InBoundsAccessChain) => 4,
            Some(Op::PtrAccessChain | Op::InBoundsPtrAccessChain) => 5,
            _ => return Ok(self.component_access(inst, operands)? || self.vector_access(inst)?),
        };
        self.refuse_components(inst, operands)?;
        let indices = inst.words_from(first);
        if self.chain_to_halves(inst, first)? {
            return Ok(true);
        }
        let is_component = self.leads_to_component(inst.word(3), indices);
        let has_wide_index = inst.words_from(4).iter().any(|&index| self.shape_of(index).is_some());
        let to_vector = self.pointer_to_vector(inst, indices);
        if !is_component && !has_wide_index && to_vector.is_none() {
            self.copy(*inst);
            return Ok(true);
        }
        self.count();
        let mut words = inst.words().to_vec();
        words[1] = to_vector.unwrap_or(words[1]);
        for (at, word) in words.iter_mut().enumerate().skip(4) {
            *word = self.index(inst, *word, at < first)?;
        }
        if !is_component {
            self.push(&words);
            return Ok(true);
        }
        let Some(pointer) = self.lowering.module.pointer_type(inst.word(1)) else {
            return Err(self.lowering.error(inst, "its result is no pointer"));
        };
        let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
        let to_word = globals.pointer_to(globals.uint, pointer.storage_class(), edits);
        let last = words.len() - 1;
        let numbers = self.numbers_of_words(indices[indices.len() - 1], words[last]);
        words[1] = to_word;
        let pointers = [inst.word(2), self.lowering.edits.fresh_id()];
        for (pointer, number) in pointers.into_iter().zip(numbers) {
            (words[2], words[last]) = (pointer, number);
            self.push(&words);
        }
        self.component_pointers.insert(pointers[0], pointers);
        self.lowering.decorated.entry(pointers[0]).or_default().push(pointers[1]);
        Ok(true)
    }

    /// Returns true if a path from a pointer ends at a component of a vector of two numbers.
    fn leads_to_component(&self, base: u32, indices: &[u32]) -> bool {
        let parent = self.parent_behind(base, indices);
        parent.and_then(|parent| self.lowering.types.shape(parent)) == Some(WideShape::Pair)
    }

    /// Returns the type whose part is at the end of a path from a pointer.
    pub(super) fn parent_behind(&self, base: u32, indices: &[u32]) -> Option<u32> {
        let module = self.lowering.module;
        let pointee = module.type_of(base).and_then(|type_id| module.pointee(type_id))?;
        let (_, path) = indices.split_last()?;
        path.iter().try_fold(pointee, |type_id, &index| {
            let index = module.constant(index).map_or(0, |constant| constant.low_word());
            module.part_type(type_id, index)
        })
    }

    /// Remembers the form of the vector that an access chain leads to, and returns its type if it is not the one of its storage class.
    fn pointer_to_vector(&mut self, inst: &Instruction, indices: &[u32]) -> Option<u32> {
        let [type_id, id] = inst.typed_result()?;
        let shape = self.array_behind(id)?;
        let layout = match self.parent_behind(inst.word(3), indices) {
            Some(parent) => self.lowering.types.layout_of_parts(parent),
            None => self.layout_behind(inst.word(3)),
        };
        let class = self.lowering.module.pointer_type(type_id)?.storage_class();
        if layout == self.lowering.types.layout_of_class(class) {
            return None;
        }
        self.layouts.insert(id, layout);
        let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
        Some(globals.pointer_to(globals.type_in(layout, shape), class, edits))
    }

    /// Returns an index as the result has it: a number of 32 bits.
    pub(super) fn index(
        &mut self,
        inst: &Instruction,
        index: u32,
        is_signed: bool,
    ) -> Result<u32, LowerError> {
        if self.shape_of(index).is_none() {
            return Ok(index);
        }
        // Indices have signs.
        if self.lowering.types.form == NumberForm::Narrow {
            return Ok(self.extended(index, true));
        }
        let module = self.lowering.module;
        let pointer = module.type_of(inst.word(3)).and_then(|type_id| module.pointer_type(type_id));
        let is_physical = pointer
            .is_some_and(|pointer| pointer.storage_class() == StorageClass::PhysicalStorageBuffer as u32);
        let zero = is_physical.then(|| self.constant(0));
        let constant = self.lowering.globals.words_of(index);
        if is_physical && constant.map(|words| words[1]) != zero {
            return Err(self
                .lowering
                .error(inst, "an index of 64 bits may be beyond 4 GiB behind a pointer"));
        }
        // An index within an object is not negative.
        match self.lowering.library.number("int64_index") {
            Some(number) if !is_signed && constant.is_none() => Ok(self.call(number, &[index], None)),
            _ => Ok(self.word(index, 0)),
        }
    }

    /// Returns the numbers of the two words of a component, whose index was `before` in the module.
    fn numbers_of_words(&mut self, before: u32, index: u32) -> [u32; 2] {
        let module = self.lowering.module;
        if let Some(constant) = module.constant(before) {
            let first = 2 * (constant.low_word() & 1);
            return [self.constant(first), self.constant(first + 1)];
        }
        let index = self.index_of_32_bits(before, index);
        let (uint, one) = (self.lowering.globals.uint, self.constant(1));
        let first = self.emit(Op::ShiftLeftLogical, uint, None, [index, one]);
        let second = self.emit(Op::BitwiseOr, uint, None, [first, one]);
        [first, second]
    }

    /// Returns an index whose type was that of `before` in the module as an unsigned number of 32 bits, or as it is if it has so many.
    pub(super) fn index_of_32_bits(&mut self, before: u32, index: u32) -> u32 {
        let module = self.lowering.module;
        let type_ = module.type_of(before).and_then(|type_id| module.definition(type_id));
        if self.shape_of(before).is_some() || type_.is_some_and(|type_| type_.word(2) == 32) {
            return index;
        }
        self.emit(Op::UConvert, self.lowering.globals.uint, None, [index])
    }

    /// Lowers a load or a store of a component. Returns false for another instruction.
    fn component_access(
        &mut self,
        inst: &Instruction,
        operands: &[(usize, u32)],
    ) -> Result<bool, LowerError> {
        let uint = self.lowering.globals.uint;
        match inst.op() {
            Some(Op::Load) => {
                let load = views::Load(*inst);
                let Some(&pointers) = self.component_pointers.get(&load.pointer()) else { return Ok(false) };
                self.count();
                let mut words = Vec::with_capacity(2);
                for (at, pointer) in pointers.into_iter().enumerate() {
                    let memory = memory_access(inst.words_from(4), ALIGNMENTS[at]);
                    words.push(self.emit(Op::Load, uint, None, std::iter::once(pointer).chain(memory)));
                }
                self.lowering.decorated.entry(load.id()).or_default().extend(&words);
                self.emit_words(self.lowering.globals.number, Some(load.id()), words);
                Ok(true)
            }
            Some(Op::Store) => {
                let store = views::Store(*inst);
                self.refuse_components(inst, &operands[1..])?;
                let Some(&pointers) = self.component_pointers.get(&store.pointer()) else { return Ok(false) };
                self.count();
                for (at, pointer) in pointers.into_iter().enumerate() {
                    let word = self.word(store.object(), at);
                    let memory = memory_access(inst.words_from(3), ALIGNMENTS[at]);
                    self.push(&instruction(Op::Store, [pointer, word].into_iter().chain(memory)));
                }
                Ok(true)
            }
            _ => self.refuse_components(inst, operands).map(|()| false),
        }
    }

    /// Refuses an instruction that passes on a pointer to a component, or to a vector that is not what others of its storage class lead to.
    pub(super) fn refuse_components(
        &self,
        inst: &Instruction,
        operands: &[(usize, u32)],
    ) -> Result<(), LowerError> {
        let is_component =
            |id: &u32| self.component_pointers.contains_key(id) || self.dynamic_components.contains_key(id);
        if operands.iter().any(|(_, id)| is_component(id)) {
            return Err(self
                .lowering
                .error(inst, "only loads and stores of a component of a vector are lowered"));
        }
        let has_own_vector = operands
            .iter()
            .any(|(_, id)| self.layouts.contains_key(id) || self.half_pointers.contains_key(id));
        let is_access = matches!(inst.op(), Some(Op::CopyMemory | Op::AccessChain | Op::InBoundsAccessChain));
        if has_own_vector && !is_access {
            return Err(self.lowering.error(inst, "only loads and stores of this vector are lowered"));
        }
        Ok(())
    }
}

/// Returns the memory operands of the access to a second part, which is aligned to so many bytes at most.
pub(super) fn memory_access(words: &[u32], largest: u32) -> Vec<u32> {
    let mut words = words.to_vec();
    if let [mask, alignment, ..] = words.as_mut_slice()
        && *mask & MemoryAccess::ALIGNED.bits() != 0
    {
        *alignment = (*alignment).min(largest);
    }
    words
}
