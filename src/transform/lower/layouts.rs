//! Vectors of three and four numbers of two words in memory with offsets and strides: arrays with a stride, which values are not.

use spirv::{MemoryAccess, Op};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{VectorLayout, WideShape};
use super::{LowerError, ModuleLowering};
use crate::loader::{Instruction, views};

impl ModuleLowering<'_> {
    /// Returns the form of the vector at the end of a path into a value.
    pub(super) fn layout_at(&self, composite: u32, path: &[u32]) -> VectorLayout {
        let parent = path.split_last().and_then(|(_, path)| {
            let start = self.module.type_of(composite)?;
            path.iter().try_fold(start, |type_id, &index| self.module.part_type(type_id, index))
        });
        parent.map_or(VectorLayout::Free, |parent| self.types.layout_of_parts(parent))
    }

    /// Gives a composite of constants the constants for vectors in memory, and returns the definitions of those that are new.
    pub(super) fn explicit_constituents(&mut self, inst: &Instruction, words: &mut [u32]) -> Vec<u32> {
        let mut new = Vec::new();
        let layout = inst.result_type().map_or(VectorLayout::Free, |of| self.types.layout_of_parts(of));
        let constituents = views::ConstantComposite::new(*inst).filter(|_| layout != VectorLayout::Free);
        for (at, &constant) in constituents.iter().flat_map(|of| of.constituents()).enumerate() {
            let shape = self.types.shape_of(self.module, constant).filter(|&of| self.types.is_array(of));
            let (Some(shape), Some(definition)) = (shape, self.module.definition(constant)) else { continue };
            let (globals, edits) = (&mut self.globals, &mut self.edits);
            let type_id = globals.type_in(layout, shape);
            words[at + 3] = *globals.explicit_constants.entry(constant).or_insert_with(|| {
                let start = new.len();
                new.extend_from_slice(definition.words());
                (new[start + 1], new[start + 2]) = (type_id, edits.fresh_id());
                new[start + 2]
            });
        }
        new
    }
}

impl FunctionLowering<'_, '_> {
    /// Returns the form of the vector that a pointer leads to.
    pub(super) fn layout_behind(&self, pointer: u32) -> VectorLayout {
        let module = self.lowering.module;
        let class = || {
            let type_ = module.type_of(pointer).and_then(|type_id| module.pointer_type(type_id))?;
            Some(self.lowering.types.layout_of_class(type_.storage_class()))
        };
        self.layouts.get(&pointer).copied().or_else(class).unwrap_or(VectorLayout::Free)
    }

    /// Returns the form of the array behind a pointer, and of values of it, if the pointer leads to one.
    pub(super) fn array_behind(&self, pointer: u32) -> Option<WideShape> {
        let module = self.lowering.module;
        let pointee = module.type_of(pointer).and_then(|type_id| module.pointee(type_id))?;
        let types = &self.lowering.types;
        types.shape(pointee).filter(|&shape| types.is_array(shape))
    }

    /// Returns the components of a vector as memory has it.
    fn stored_components(&mut self, stored: u32, shape: WideShape) -> Vec<u32> {
        let number = self.lowering.globals.number;
        let component = |at| self.emit(Op::CompositeExtract, number, None, [stored, at]);
        (0..shape.components() as u32).map(component).collect()
    }

    /// Makes a value of a vector as memory has it.
    fn value_of(&mut self, stored: u32, shape: WideShape, id: u32) {
        let components = self.stored_components(stored, shape);
        let type_id = self.lowering.globals.type_of(shape);
        self.emit(Op::CompositeConstruct, type_id, Some(id), components.iter().copied());
        self.components.extend((0..).zip(components).map(|(at, component)| ((id, at), component)));
    }

    /// Makes a vector as memory has it of a value.
    fn stored_of(&mut self, value: u32, shape: WideShape, layout: VectorLayout) -> u32 {
        let components: Vec<u32> =
            (0..shape.components()).map(|at| self.component(value, shape, at)).collect();
        self.emit(Op::CompositeConstruct, self.lowering.globals.type_in(layout, shape), None, components)
    }

    /// Lowers a load, a store or a copy of a vector that memory has in another form. Returns false for another instruction.
    pub(super) fn vector_access(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let (pointer, from) = match inst.op() {
            Some(Op::Load) => (inst.word(3), None),
            Some(Op::Store) => (inst.word(1), None),
            Some(Op::CopyMemory) => (inst.word(1), Some(inst.word(2))),
            _ => return Ok(false),
        };
        let Some(shape) = self.array_behind(pointer) else { return Ok(false) };
        let layout = self.layout_behind(pointer);
        if layout == from.map_or(VectorLayout::Free, |from| self.layout_behind(from)) {
            return Ok(false);
        }
        self.count();
        if let Some([_, id]) = inst.typed_result() {
            let memory = inst.words_from(4).iter().copied();
            let type_id = self.lowering.globals.type_in(layout, shape);
            let stored = self.emit(Op::Load, type_id, None, std::iter::once(pointer).chain(memory));
            self.lowering.decorated.entry(id).or_default().push(stored);
            self.value_of(stored, shape, id);
            return Ok(true);
        }
        let Some(from) = from else {
            self.store(pointer, inst.word(2), inst.words_from(3));
            return Ok(true);
        };
        let Some([to_memory, from_memory]) = memory_of_copy(inst.words_from(3)) else {
            return Err(self.lowering.error(inst, "it makes vectors of three or four available or visible"));
        };
        let type_id = self.lowering.globals.type_in(self.layout_behind(from), shape);
        let operands = std::iter::once(from).chain(from_memory.iter().copied());
        let stored = self.emit(Op::Load, type_id, None, operands);
        let components = self.stored_components(stored, shape);
        let type_id = self.lowering.globals.type_in(layout, shape);
        let copied = self.emit(Op::CompositeConstruct, type_id, None, components);
        let operands = [pointer, copied].into_iter().chain(to_memory.iter().copied());
        self.push(&instruction(Op::Store, operands));
        Ok(true)
    }

    /// Stores a value of any type of the result.
    pub(super) fn store(&mut self, pointer: u32, mut value: u32, memory: &[u32]) {
        let layout = self.layout_behind(pointer);
        if let Some(shape) = self.array_behind(pointer)
            && layout != VectorLayout::Free
        {
            value = self.stored_of(value, shape, layout);
        }
        self.push(&instruction(Op::Store, [pointer, value].iter().chain(memory).copied()));
    }

    /// Extracts a vector that its composite has in another form. Returns false for another instruction.
    pub(super) fn extract_vector(&mut self, extract: views::CompositeExtract) -> bool {
        let (composite, path) = (extract.composite(), extract.indexes());
        let layout = self.lowering.layout_at(composite, path);
        let shape = self.lowering.types.shape(extract.type_id());
        let Some(shape) = shape.filter(|_| layout != VectorLayout::Free && self.has_array(&extract, &[]))
        else {
            return false;
        };
        self.count();
        let type_id = self.lowering.globals.type_in(layout, shape);
        let operands = std::iter::once(composite).chain(path.iter().copied());
        let stored = self.emit(Op::CompositeExtract, type_id, None, operands);
        self.value_of(stored, shape, extract.id());
        true
    }

    /// Inserts a vector into a composite that has it in another form. Returns false for another instruction.
    pub(super) fn insert_vector(&mut self, insert: views::CompositeInsert) -> bool {
        let layout = self.lowering.layout_at(insert.composite(), insert.indexes());
        let shape = self.shape_of(insert.object()).filter(|&shape| self.lowering.types.is_array(shape));
        let Some(shape) = shape.filter(|_| layout != VectorLayout::Free) else { return false };
        self.count();
        let mut words = insert.words().to_vec();
        words[3] = self.stored_of(insert.object(), shape, layout);
        self.push(&words);
        true
    }

    /// Constructs a composite that has vectors in another form. Returns false for another instruction.
    pub(super) fn construct_with_vectors(&mut self, inst: &Instruction) -> bool {
        let Some(construct) = views::CompositeConstruct::new(*inst) else { return false };
        let layout = self.lowering.types.layout_of_parts(construct.type_id());
        if layout == VectorLayout::Free || !self.has_array(inst, construct.constituents()) {
            return false;
        }
        self.count();
        let mut words = inst.words().to_vec();
        for word in &mut words[3..] {
            if let Some(shape) = self.shape_of(*word).filter(|&shape| self.lowering.types.is_array(shape)) {
                *word = self.stored_of(*word, shape, layout);
            }
        }
        self.push(&words);
        true
    }
}

/// Returns the memory operands of the store and the load that a copy becomes; `None` if they depend on each other.
fn memory_of_copy(words: &[u32]) -> Option<[&[u32]; 2]> {
    let Some(&first) = words.first() else { return Some([words; 2]) };
    let length = 1 + usize::from(first & MemoryAccess::ALIGNED.bits() != 0);
    let (to, from) = words.split_at_checked(length)?;
    let from = if from.is_empty() { to } else { from };
    let scopes = MemoryAccess::MAKE_POINTER_AVAILABLE | MemoryAccess::MAKE_POINTER_VISIBLE;
    ((first | from[0]) & scopes.bits() == 0).then_some([to, from])
}
