//! Vectors of three and four numbers of two words in memory with offsets and strides: arrays with a stride, which values are not, or halves.

use spirv::{MemoryAccess, Op, StorageClass};

use super::access::memory_access;
use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{VectorLayout, WideShape};
use super::{LowerError, ModuleLowering};
use crate::loader::{Instruction, views};

impl ModuleLowering<'_> {
    /// Returns the type whose part is at the end of a path into a value.
    pub(super) fn parent_at(&self, composite: u32, path: &[u32]) -> Option<u32> {
        let (_, path) = path.split_last()?;
        let start = self.module.type_of(composite)?;
        path.iter().try_fold(start, |type_id, &index| self.module.part_type(type_id, index))
    }

    /// Returns the form of values of a type that becomes an array.
    pub(super) fn array_shape(&self, type_id: u32) -> Option<WideShape> {
        self.types.shape(type_id).filter(|&shape| self.types.is_array(shape))
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
        if self.half_pointers.contains_key(&pointer) {
            return VectorLayout::Halves;
        }
        let module = self.lowering.module;
        let class = || {
            let type_ = module.type_of(pointer).and_then(|type_id| module.pointer_type(type_id))?;
            Some(self.lowering.types.layout_of_class(type_.storage_class()))
        };
        self.layouts.get(&pointer).copied().or_else(class).unwrap_or(VectorLayout::Free)
    }

    /// Returns the form of values of the array that a pointer leads to.
    pub(super) fn array_behind(&self, pointer: u32) -> Option<WideShape> {
        let module = self.lowering.module;
        module.type_of(pointer).and_then(|type_id| self.lowering.array_shape(module.pointee(type_id)?))
    }

    /// Makes a value of its components.
    fn value_of(&mut self, components: Vec<u32>, shape: WideShape, id: u32) {
        let type_id = self.lowering.globals.type_of(shape);
        self.emit(Op::CompositeConstruct, type_id, Some(id), components.iter().copied());
        self.components.extend((0..).zip(components).map(|(at, component)| ((id, at), component)));
    }

    /// Returns what a composite has of a vector with components: two halves that are members of it, or one part.
    pub(super) fn stored_parts(
        &mut self,
        components: &[u32],
        shape: WideShape,
        layout: VectorLayout,
        are_members: bool,
    ) -> Vec<u32> {
        let parts = match layout {
            VectorLayout::Halves => self.halves_of_components(components).to_vec(),
            _ => components.to_vec(),
        };
        if are_members {
            return parts;
        }
        vec![self.emit(Op::CompositeConstruct, self.lowering.globals.type_in(layout, shape), None, parts)]
    }

    /// Returns the components of the vector at a path into a composite. `parent` is the type that has it.
    pub(super) fn extracted_components(
        &mut self,
        composite: u32,
        path: &[u32],
        parent: u32,
        shape: WideShape,
    ) -> Vec<u32> {
        let layout = self.lowering.types.layout_of_parts(parent);
        let extract = |lowering: &mut Self, type_id: u32, path: &[u32], place: &[u32]| {
            let operands = std::iter::once(&composite).chain(path).chain(place).copied();
            lowering.emit(Op::CompositeExtract, type_id, None, operands)
        };
        if layout == VectorLayout::Halves
            && let Some((&index, path)) = path.split_last()
        {
            let [first, second] = self.lowering.half_places(parent, index);
            let types = self.lowering.half_types(shape);
            let halves = [extract(self, types[0], path, &first), extract(self, types[1], path, &second)];
            return self.components_of_halves(halves, shape);
        }
        let type_id = self.lowering.globals.type_in(layout, shape);
        let stored = extract(self, type_id, path, &[]);
        self.stored_components(stored, shape)
    }

    /// Returns the components of an array.
    fn stored_components(&mut self, stored: u32, shape: WideShape) -> Vec<u32> {
        let number = self.lowering.globals.number;
        let component = |at| self.emit(Op::CompositeExtract, number, None, [stored, at]);
        (0..shape.components() as u32).map(component).collect()
    }

    /// Loads the components of a vector.
    fn load(&mut self, pointer: u32, shape: WideShape, memory: &[u32], id: Option<u32>) -> Vec<u32> {
        let loaded = |lowering: &mut Self, type_id: u32, pointer: u32, memory: &[u32]| {
            let operands = std::iter::once(pointer).chain(memory.iter().copied());
            let loaded = lowering.emit(Op::Load, type_id, None, operands);
            if let Some(id) = id {
                lowering.lowering.decorated.entry(id).or_default().push(loaded);
            }
            loaded
        };
        if let Some(&halves) = self.half_pointers.get(&pointer) {
            let types = self.lowering.half_types(shape);
            let first = loaded(self, types[0], halves[0], memory);
            let second = loaded(self, types[1], halves[1], &memory_access(memory, 16));
            return self.components_of_halves([first, second], shape);
        }
        let type_id = self.lowering.globals.type_in(self.layout_behind(pointer), shape);
        let stored = loaded(self, type_id, pointer, memory);
        self.stored_components(stored, shape)
    }

    /// Stores a vector with components.
    fn store_components(&mut self, pointer: u32, shape: WideShape, components: &[u32], memory: &[u32]) {
        let halves = self.half_pointers.get(&pointer).copied();
        let layout = self.layout_behind(pointer);
        let parts = self.stored_parts(components, shape, layout, halves.is_some());
        let pointers = halves.map_or(vec![pointer], Vec::from);
        for (at, (pointer, part)) in pointers.into_iter().zip(parts).enumerate() {
            let memory = if at == 0 { memory.to_vec() } else { memory_access(memory, 16) };
            self.push(&instruction(Op::Store, [pointer, part].into_iter().chain(memory)));
        }
    }

    /// Stores a value of any type of the result.
    pub(super) fn store(&mut self, pointer: u32, value: u32, memory: &[u32]) {
        let shape = self.array_behind(pointer);
        let Some(shape) = shape.filter(|_| self.layout_behind(pointer) != VectorLayout::Free) else {
            self.push(&instruction(Op::Store, [pointer, value].iter().chain(memory).copied()));
            return;
        };
        let components: Vec<u32> =
            (0..shape.components()).map(|at| self.component(value, shape, at)).collect();
        self.store_components(pointer, shape, &components, memory);
    }

    /// Lowers a load, a store or a copy of a vector that memory has in another form. Returns false for another instruction.
    pub(super) fn vector_access(&mut self, inst: &Instruction) -> Result<bool, LowerError> {
        let (pointer, from) = match inst.op() {
            Some(Op::Load) => (inst.word(3), None),
            Some(Op::Store) => (inst.word(1), None),
            Some(Op::CopyMemory) => (inst.word(1), Some(inst.word(2))),
            _ => return Ok(false),
        };
        if let Some(&(index, shape)) = self.dynamic_components.get(&pointer) {
            return self.dynamic_access(inst, pointer, index, shape).map(|()| true);
        }
        let Some(shape) = self.array_behind(pointer) else { return Ok(false) };
        let layout = self.layout_behind(pointer);
        let other = from.map_or(VectorLayout::Free, |from| self.layout_behind(from));
        if layout == other && layout != VectorLayout::Halves {
            return Ok(false);
        }
        self.count();
        if let Some([_, id]) = inst.typed_result() {
            let components = self.load(pointer, shape, inst.words_from(4), Some(id));
            self.value_of(components, shape, id);
            return Ok(true);
        }
        let Some(from) = from else {
            self.store(pointer, inst.word(2), inst.words_from(3));
            return Ok(true);
        };
        let Some([to_memory, from_memory]) = memory_of_copy(inst.words_from(3)) else {
            return Err(self.lowering.error(inst, "it makes vectors of three or four available or visible"));
        };
        let components = self.load(from, shape, from_memory, None);
        self.store_components(pointer, shape, &components, to_memory);
        Ok(true)
    }

    /// Lowers a load or a store of the component of halves with an index that is not constant.
    fn dynamic_access(
        &mut self,
        inst: &Instruction,
        pointer: u32,
        index: u32,
        shape: WideShape,
    ) -> Result<(), LowerError> {
        self.count();
        if let Some([_, id]) = inst.typed_result() {
            let components = self.load(pointer, shape, inst.words_from(4), Some(id));
            self.selected(&components, index, Some(id));
            return Ok(());
        }
        let module = self.lowering.module;
        let type_ = module.type_of(pointer).and_then(|type_id| module.pointer_type(type_id));
        let of_invocation = [StorageClass::Function, StorageClass::Private].map(|class| class as u32);
        if !inst.is(Op::Store) || !type_.is_some_and(|type_| of_invocation.contains(&type_.storage_class())) {
            let reason =
                "its vector is in a type of a uniform block, and the index of the component is not constant";
            return Err(self.lowering.error(inst, reason));
        }
        let before = self.load(pointer, shape, &[], None);
        let after = self.with_component(before, inst.word(2), index);
        self.store_components(pointer, shape, &after, &[]);
        Ok(())
    }

    /// Extracts a vector that its composite has in another form, or a component of halves. Returns false for another instruction.
    pub(super) fn extract_vector(&mut self, extract: views::CompositeExtract) -> bool {
        let (composite, path) = (extract.composite(), extract.indexes());
        let Some(parent) = self.lowering.parent_at(composite, path) else { return false };
        let layout = self.lowering.types.layout_of_parts(parent);
        if let Some(shape) = self.lowering.array_shape(extract.type_id())
            && layout != VectorLayout::Free
        {
            self.count();
            let components = self.extracted_components(composite, path, parent, shape);
            self.value_of(components, shape, extract.id());
            return true;
        }
        let Some((components, at)) = self.components_on(composite, path) else { return false };
        self.count();
        self.emit(Op::CopyObject, self.lowering.globals.number, Some(extract.id()), [components[at]]);
        true
    }

    /// Returns the components of the halves on a path, with the number of the one to which the path leads.
    fn components_on(&mut self, composite: u32, path: &[u32]) -> Option<(Vec<u32>, usize)> {
        let (&at, to_vector) = path.split_last()?;
        let shape = self.lowering.array_shape(self.lowering.parent_at(composite, path)?)?;
        let holder = self.lowering.parent_at(composite, to_vector)?;
        let is_here = self.lowering.types.layout_of_parts(holder) == VectorLayout::Halves
            && (at as usize) < shape.components();
        is_here.then(|| (self.extracted_components(composite, to_vector, holder, shape), at as usize))
    }

    /// Inserts a vector into a composite that has it in another form, or a component of halves. Returns false for another instruction.
    pub(super) fn insert_vector(&mut self, insert: views::CompositeInsert) -> bool {
        let (mut path, object) = (insert.indexes(), insert.object());
        let Some(parent) = self.lowering.parent_at(insert.composite(), path) else { return false };
        let object_type = self.lowering.module.type_of(object).unwrap_or_default();
        let of_object = self.lowering.array_shape(object_type);
        let is_here = self.lowering.types.layout_of_parts(parent) != VectorLayout::Free;
        let (shape, components) = match of_object.filter(|_| is_here) {
            Some(shape) => (shape, self.components_of(object)),
            None => {
                let Some((mut components, at)) = self.components_on(insert.composite(), path) else {
                    return false;
                };
                components[at] = object;
                path = &path[..path.len() - 1];
                let Some(shape) = self.lowering.array_shape(parent) else { return false };
                (shape, components)
            }
        };
        self.count();
        let holder = self.lowering.parent_at(insert.composite(), path).unwrap_or(parent);
        let Some((&index, before)) = path.split_last() else { return false };
        let second = self.lowering.types.second_half(holder, index);
        let layout = self.lowering.types.layout_of_parts(holder);
        let parts = self.stored_parts(&components, shape, layout, second.is_some());
        let mut composite = insert.composite();
        for (at, (part, index)) in parts.iter().zip(std::iter::once(index).chain(second)).enumerate() {
            let result = (at + 1 == parts.len()).then_some(insert.id());
            let operands = [*part, composite].into_iter().chain(before.iter().copied()).chain([index]);
            composite = self.emit(Op::CompositeInsert, insert.type_id(), result, operands);
        }
        true
    }

    /// Constructs a composite that has vectors in another form. Returns false for another instruction.
    pub(super) fn construct_with_vectors(&mut self, inst: &Instruction) -> bool {
        let Some(construct) = views::CompositeConstruct::new(*inst) else { return false };
        let type_id = construct.type_id();
        let layout = self.lowering.types.layout_of_parts(type_id);
        if layout == VectorLayout::Free || !self.has_array(inst, construct.constituents()) {
            return false;
        }
        self.count();
        let mut constituents = Vec::new();
        let mut seconds = Vec::new();
        for (index, &constituent) in (0..).zip(construct.constituents()) {
            let of_value = self.lowering.module.type_of(constituent).unwrap_or_default();
            let Some(shape) = self.lowering.array_shape(of_value) else {
                constituents.push(constituent);
                continue;
            };
            let components = self.components_of(constituent);
            let are_members = self.lowering.types.second_half(type_id, index).is_some();
            let parts =
                self.stored_parts(&components, shape, layout, are_members && layout == VectorLayout::Halves);
            constituents.push(parts[0]);
            seconds.extend_from_slice(&parts[1..]);
        }
        constituents.extend(seconds);
        self.emit(Op::CompositeConstruct, type_id, Some(construct.id()), constituents);
        true
    }
}

/// Returns the memory operands of the store and the load that a copy becomes; `None` if they depend on each other.
pub(super) fn memory_of_copy(words: &[u32]) -> Option<[&[u32]; 2]> {
    let Some(&first) = words.first() else { return Some([words; 2]) };
    let length = 1 + usize::from(first & MemoryAccess::ALIGNED.bits() != 0);
    let (to, from) = words.split_at_checked(length)?;
    let from = if from.is_empty() { to } else { from };
    let scopes = MemoryAccess::MAKE_POINTER_AVAILABLE | MemoryAccess::MAKE_POINTER_VISIBLE;
    ((first | from[0]) & scopes.bits() == 0).then_some([to, from])
}
