//! Vectors of three and four numbers of two words in uniform blocks, where strides of arrays are multiples of 16: two halves, of four words and of two or four.
//! Halves of a member of a structure are two members, of which the second is behind all others, and those of an element of an array are a structure.

use spirv::{Decoration, Op};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{VectorLayout, WideShape};
use super::{LowerError, MAX_LEVELS, ModuleLowering};
use crate::loader::{Instruction, views};

/// The maximum number of members of a structure, as the specification has it.
const MAX_MEMBERS: usize = 16_383;

impl ModuleLowering<'_> {
    /// Returns true if a type or one within it has vectors that are halves.
    pub(super) fn has_halves(&self, type_id: u32) -> bool {
        self.types.layout_of_parts(type_id) == VectorLayout::Halves
    }

    /// Returns the types of the halves of a vector.
    pub(super) fn half_types(&self, shape: WideShape) -> [u32; 2] {
        let second = if shape.components() == 3 { self.globals.number } else { self.globals.quad };
        [self.globals.quad, second]
    }

    /// Returns the places of the halves of the vector with an index in a composite.
    pub(super) fn half_places(&self, composite_type: u32, index: u32) -> [Vec<u32>; 2] {
        match self.types.second_half(composite_type, index) {
            Some(second) => [vec![index], vec![second]],
            None => [vec![index, 0], vec![index, 1]],
        }
    }

    /// Gives second halves the decorations of the first ones, 16 bytes behind them.
    pub(super) fn decorate_halves(&mut self) -> Result<(), LowerError> {
        let mut without_offset = self.types.first_halves();
        for decoration in self.module.annotations().filter(|inst| inst.is(Op::MemberDecorate)) {
            let (structure, member) = (decoration.word(1), decoration.word(2));
            let Some(second) = self.types.second_half(structure, member) else { continue };
            let mut words = decoration.words().to_vec();
            words[2] = second;
            if let [_, _, _, kind, offset] = &mut words[..]
                && *kind == Decoration::Offset as u32
            {
                *offset = offset.wrapping_add(16);
                without_offset.remove(&(structure, member));
            }
            self.globals.annotate(&words);
        }
        let missing = without_offset.first().and_then(|&(structure, _)| self.module.definition(structure));
        missing.map_or(Ok(()), |structure| {
            Err(self.error(&structure, "its vectors have no offsets of their own"))
        })
    }

    /// Changes a structure whose vectors are halves.
    pub(super) fn structure_of_halves(&mut self, structure: views::TypeStruct) -> Result<(), LowerError> {
        let mut words = vec![structure.id()];
        let mut seconds = Vec::new();
        for (member, &type_id) in (0..).zip(structure.members()) {
            let is_split = self.types.second_half(structure.id(), member).is_some();
            match self.types.shape(type_id).filter(|_| is_split) {
                Some(shape) => {
                    let [first, second] = self.half_types(shape);
                    words.push(first);
                    seconds.push(second);
                }
                None => words.push(self.globals.renamed(type_id)),
            }
        }
        words.extend(seconds);
        // The first word is the id.
        if words.len() - 1 > MAX_MEMBERS {
            return Err(self.error(&structure, "it would have too many members"));
        }
        self.edits.replace_words(&structure, &instruction(Op::TypeStruct, words));
        Ok(())
    }

    /// Writes a composite of constants whose vectors are halves.
    pub(super) fn constant_of_halves(&mut self, inst: &Instruction) {
        let Some([type_id, _]) = inst.typed_result() else { return };
        let mut all = Vec::new();
        let mut words = inst.words()[..3].to_vec();
        let mut seconds = Vec::new();
        let mut composite = |lowering: &mut Self, type_id: u32, constituents: &[u32]| {
            let id = lowering.edits.fresh_id();
            let words = [type_id, id].into_iter().chain(constituents.iter().copied());
            all.extend(instruction(Op::ConstantComposite, words));
            id
        };
        for (index, &constant) in (0..).zip(inst.words_from(3)) {
            let shape = self.module.type_of(constant).and_then(|type_id| self.array_shape(type_id));
            let Some(shape) = shape else {
                words.push(self.globals.renamed(constant));
                continue;
            };
            // An undefined vector may have any value.
            let zero = self.globals.constant(0, &mut self.edits);
            let count = 2 * shape.components();
            let known = self.globals.words_of(constant).filter(|words| words.len() == count);
            let of_vector = known.map_or_else(|| vec![zero; count], <[u32]>::to_vec);
            let types = self.half_types(shape);
            let first = composite(self, types[0], &of_vector[..4]);
            let second = composite(self, types[1], &of_vector[4..]);
            if self.types.second_half(type_id, index).is_some() {
                words.push(first);
                seconds.push(second);
            } else {
                let of_halves = self.globals.type_in(VectorLayout::Halves, shape);
                words.push(composite(self, of_halves, &[first, second]));
            }
        }
        words.extend(seconds);
        all.extend(instruction(Op::ConstantComposite, words[1..].iter().copied()));
        self.edits.replace_words(inst, &all);
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers an access chain to a vector of halves, to a component of one, or from one. Returns false for another instruction.
    pub(super) fn chain_to_halves(&mut self, inst: &Instruction, first: usize) -> Result<bool, LowerError> {
        if !self.lowering.types.has_any_halves() {
            return Ok(false);
        }
        let (base, indices) = (inst.word(3), inst.words_from(first));
        let Some([type_id, id]) = inst.typed_result() else { return Ok(false) };
        let Some(pointer) = self.lowering.module.pointer_type(type_id) else { return Ok(false) };
        let class = pointer.storage_class();
        if let Some(&halves) = self.half_pointers.get(&base)
            && let Some(shape) = self.array_behind(base)
        {
            let &[index] = indices else {
                return Err(self.lowering.error(inst, "only components of this vector have pointers"));
            };
            self.count();
            return self.component_of_halves(inst, class, (halves, shape), index).map(|()| true);
        }
        let Some((&last, path)) = indices.split_last() else { return Ok(false) };
        let holder_behind = |indices: &[u32]| {
            let parent = self.parent_behind(base, indices);
            parent.filter(|&of| self.lowering.types.layout_of_parts(of) == VectorLayout::Halves)
        };
        let vector = self.array_behind(id).and_then(|shape| Some((holder_behind(indices)?, shape, indices)));
        let of_component = || {
            let vector_type = self.parent_behind(base, indices)?;
            let shape = self.lowering.types.shape(vector_type).filter(|_| self.is_array_type(vector_type))?;
            Some((holder_behind(path)?, shape, path))
        };
        let is_vector = vector.is_some();
        let Some((holder, shape, to_vector)) = vector.or_else(of_component) else { return Ok(false) };
        self.count();
        let mut words = inst.words()[..first + to_vector.len() - 1].to_vec();
        for (at, word) in words.iter_mut().enumerate().skip(4) {
            *word = self.index(inst, *word, at < first)?;
        }
        let before = to_vector[to_vector.len() - 1];
        let literal = self.lowering.module.constant(before).map_or(0, |constant| constant.low_word());
        let index = self.index(inst, before, false)?;
        let places = self.lowering.half_places(holder, literal);
        let types = self.lowering.half_types(shape);
        let mut halves = [0; 2];
        for ((at, place), type_id) in places.into_iter().enumerate().zip(types) {
            let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
            words[1] = globals.pointer_to(type_id, class, edits);
            words[2] = if is_vector && at == 0 { id } else { edits.fresh_id() };
            halves[at] = words[2];
            let length = words.len();
            for (at, number) in place.into_iter().enumerate() {
                // The first number of a place is the index itself, other than of a second member.
                let is_index = at == 0 && number == literal;
                words.push(if is_index { index } else { self.constant(number) });
            }
            let count = words.len() as u32;
            words[0] = count << 16 | words[0] & 0xffff;
            self.push(&words);
            words.truncate(length);
        }
        self.lowering.decorated.entry(id).or_default().extend(halves.iter().filter(|&&half| half != id));
        if is_vector {
            self.half_pointers.insert(id, halves);
            return Ok(true);
        }
        self.component_of_halves(inst, class, (halves, shape), last).map(|()| true)
    }

    /// Makes pointers to the words of a component, or remembers that its index is not constant.
    fn component_of_halves(
        &mut self,
        inst: &Instruction,
        class: u32,
        (halves, shape): ([u32; 2], WideShape),
        before: u32,
    ) -> Result<(), LowerError> {
        let id = inst.word(2);
        let (globals, edits) = (&mut self.lowering.globals, &mut self.lowering.edits);
        if let Some(constant) = self.lowering.module.constant(before) {
            let at = constant.low_word();
            let to_word = globals.pointer_to(globals.uint, class, edits);
            let pointers = [id, edits.fresh_id()];
            for (number, pointer) in (2 * (at % 2)..).zip(pointers) {
                let number = self.constant(number);
                self.emit(Op::AccessChain, to_word, Some(pointer), [halves[usize::from(at > 1)], number]);
            }
            self.component_pointers.insert(id, pointers);
            self.lowering.decorated.entry(id).or_default().push(pointers[1]);
            return Ok(());
        }
        let to_first = globals.pointer_to(globals.quad, class, edits);
        self.emit(Op::CopyObject, to_first, Some(id), [halves[0]]);
        let index = self.index(inst, before, false)?;
        let index = self.index_of_32_bits(before, index);
        self.half_pointers.insert(id, halves);
        self.dynamic_components.insert(id, (index, shape));
        Ok(())
    }

    /// Returns the components of a vector of halves.
    pub(super) fn components_of_halves(&mut self, [first, second]: [u32; 2], shape: WideShape) -> Vec<u32> {
        let number = self.lowering.globals.number;
        let mut part =
            |half: u32, at: u32| self.emit(Op::VectorShuffle, number, None, [half, half, at, at + 1]);
        let mut components = vec![part(first, 0), part(first, 2)];
        match shape.components() {
            3 => components.push(second),
            _ => components.extend([part(second, 0), part(second, 2)]),
        }
        components
    }

    /// Returns the halves of a vector with components.
    pub(super) fn halves_of_components(&mut self, components: &[u32]) -> [u32; 2] {
        let quad = self.lowering.globals.quad;
        let mut half = |components: &[u32]| match *components {
            [only] => only,
            _ => self.emit(Op::VectorShuffle, quad, None, [components[0], components[1], 0, 1, 2, 3]),
        };
        let (first, second) = components.split_at(2);
        [half(first), half(second)]
    }

    /// Copies a structure to one of another type with the same values, where one of them has halves.
    pub(super) fn copy_logical(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let Some([to, id]) = inst.typed_result() else { return Ok(false) };
        let Some(from) = self.lowering.module.type_of(inst.word(3)) else { return Ok(false) };
        if !self.lowering.has_halves(from) && !self.lowering.has_halves(to) {
            return Ok(false);
        }
        self.count();
        let mut path = Vec::new();
        self.copy_part(inst, &mut path, [from, to], Some(id))?;
        Ok(true)
    }

    /// Copies the part at a path.
    fn copy_part(
        &mut self,
        inst: &Instruction,
        path: &mut Vec<u32>,
        [from, to]: [u32; 2],
        result: Option<u32>,
    ) -> Result<u32, LowerError> {
        if path.len() > MAX_LEVELS {
            return Err(self.lowering.error(inst, "it has too many levels"));
        }
        let value = inst.word(3);
        let operands = std::iter::once(value).chain(path.iter().copied());
        if from == to || !self.lowering.has_halves(from) && !self.lowering.has_halves(to) {
            let from_type = self.lowering.globals.renamed(from);
            let to_type = self.lowering.globals.renamed(to);
            if from == to {
                return Ok(self.emit(Op::CompositeExtract, to_type, result, operands));
            }
            let part = self.emit(Op::CompositeExtract, from_type, None, operands);
            return Ok(self.emit(Op::CopyLogical, to_type, result, [part]));
        }
        let module = self.lowering.module;
        let length = match module.array_type(to) {
            Some(array) => {
                let length = views::TypeArray::new(*array).and_then(|array| module.constant(array.length()));
                length.map(|length| length.low_word())
            }
            None => module.definition(to).map(|of| module.members(&of).count() as u32),
        };
        let Some(length) = length else {
            return Err(self.lowering.error(inst, "the length of an array in it is not constant"));
        };
        let mut constituents = Vec::new();
        let mut seconds = Vec::new();
        for index in 0..length {
            self.lowering.count_parts(inst, 1)?;
            let types = [from, to].map(|type_id| module.part_type(type_id, index).unwrap_or_default());
            path.push(index);
            let shape = self.lowering.array_shape(types[1]);
            match shape {
                Some(shape) => {
                    let components = self.extracted_components(value, path, from, shape);
                    let layout = self.lowering.types.layout_of_parts(to);
                    let second = self.lowering.types.second_half(to, index);
                    match self.stored_parts(&components, shape, layout, second.is_some())[..] {
                        [whole] => constituents.push(whole),
                        [first, second] => {
                            constituents.push(first);
                            seconds.push(second);
                        }
                        _ => {}
                    }
                }
                None => constituents.push(self.copy_part(inst, path, types, None)?),
            }
            path.pop();
        }
        constituents.extend(seconds);
        Ok(self.emit(Op::CompositeConstruct, to, result, constituents))
    }
}
