//! Instructions of certain kinds in a module, and the parts of its types.
//!
//! A type may contain itself through a pointer, and a module may be malformed. Each step from a type to a
//! part goes to an earlier definition, so that the walk ends in any module.

use spirv::{AddressingModel, Op, StorageClass};

use super::*;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module};

impl Module<'_> {
    /// Returns the version word of the header: major in the third byte, minor in the second.
    pub fn version_word(&self) -> u32 {
        self.words()[1]
    }

    /// Returns the word of the header that names the tool that wrote the module.
    pub fn generator(&self) -> u32 {
        self.words()[2]
    }

    /// Returns the declared capabilities, including conditional ones.
    pub fn capabilities(&self) -> impl Iterator<Item = Capability<'_>> {
        self.declarations().filter_map(Capability::new)
    }

    /// Returns the declared extensions, including conditional ones.
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        self.declarations().filter_map(Extension::new)
    }

    /// Returns the imports of extended instruction sets.
    pub fn imported_sets(&self) -> impl Iterator<Item = ExtInstImport<'_>> {
        self.head().filter_map(ExtInstImport::new)
    }

    /// Returns the import of an extended instruction set with this id.
    pub fn imported_set(&self, id: u32) -> Option<ExtInstImport<'_>> {
        self.definition(id).and_then(ExtInstImport::new)
    }

    /// Returns the memory model.
    pub fn memory_model(&self) -> Option<MemoryModel<'_>> {
        self.head().find_map(MemoryModel::new)
    }

    /// Returns true if pointers are addresses, which can be cast and stored. In logical addressing they are not.
    pub fn has_addresses(&self) -> bool {
        let physical = [AddressingModel::Physical32, AddressingModel::Physical64];
        let model = self.memory_model().map(MemoryModel::addressing_model);
        physical.into_iter().any(|physical| model == Some(physical as u32))
    }

    /// Returns true for a type of pointers that are not addresses.
    pub fn is_logical_pointer(&self, type_: u32) -> bool {
        let pointer = self.definition(type_).and_then(AnyPointer::new);
        let is_physical = |class| class == StorageClass::PhysicalStorageBuffer as u32;
        pointer.is_some_and(|pointer| !is_physical(pointer.storage_class())) && !self.has_addresses()
    }

    /// Returns the entry points, including conditional ones.
    pub fn entry_points(&self) -> impl Iterator<Item = EntryPoint<'_>> {
        self.head().filter_map(EntryPoint::new)
    }

    /// Returns true if the module has graphs (SPV_ARM_graph), whose entry points are no OpEntryPoints.
    pub fn has_graphs(&self) -> bool {
        self.capabilities().any(|declared| declared.capability() == spirv::Capability::GraphARM as u32)
    }

    /// Returns the entry points of graphs.
    pub fn graph_entry_points(&self) -> impl Iterator<Item = GraphEntryPoint<'_>> {
        let has_graphs = self.has_graphs();
        self.outside_functions().filter(move |_| has_graphs).filter_map(GraphEntryPoint::new)
    }

    /// Returns the execution modes of all entry points.
    pub fn execution_modes(&self) -> impl Iterator<Item = ExecutionMode<'_>> {
        self.head().filter_map(ExecutionMode::new)
    }

    /// Returns the names of ids.
    pub fn names(&self) -> impl Iterator<Item = Name<'_>> {
        self.annotations().filter_map(Name::new)
    }

    /// Returns the decorations of ids and of members.
    pub fn decorations(&self) -> impl Iterator<Item = Decoration<'_>> {
        self.annotations().filter_map(Decoration::new)
    }

    /// Returns the decorations of ids with this decoration.
    pub fn decorations_with(&self, decoration: spirv::Decoration) -> impl Iterator<Item = Decoration<'_>> {
        self.annotations().filter_map(move |inst| Decoration::with(inst, decoration))
    }

    /// Returns the applications of decoration groups.
    pub fn group_decorations(&self) -> impl Iterator<Item = GroupDecorate<'_>> {
        self.annotations().filter_map(GroupDecorate::new)
    }

    /// Returns the ids with this decoration, each with the instruction that says so, which may be that of a group. Groups are among the ids.
    pub fn decorated_with(&self, decoration: spirv::Decoration) -> Vec<(u32, Decoration<'_>)> {
        let direct = self.decorations_with(decoration).map(|decorated| (decorated.target(), decorated));
        let mut all: Vec<(u32, Decoration)> = direct.collect();
        let by_id: IdMap<Decoration> = all.iter().copied().collect();
        for applied in self.group_decorations().filter(|applied| applied.is(Op::GroupDecorate)) {
            if let Some(&decorated) = by_id.get(&applied.group()) {
                all.extend(applied.targets().map(|id| (id, decorated)));
            }
        }
        all
    }

    /// Returns the SpecIds of constants and of decoration groups. Groups are not applied here.
    pub fn spec_ids(&self) -> impl Iterator<Item = SpecId<'_>> {
        self.annotations().filter_map(SpecId::new)
    }

    /// Returns the OpConstant with this id.
    #[inline]
    pub fn constant(&self, id: u32) -> Option<Constant<'_>> {
        self.definition(id).and_then(Constant::new)
    }

    /// Returns the variables outside of functions.
    pub fn variables(&self) -> impl Iterator<Item = Variable<'_>> {
        self.globals().filter_map(Variable::new)
    }
}

impl<'a> Module<'a> {
    /// Returns the id of the type of a value.
    #[inline]
    pub fn type_of(&self, id: u32) -> Option<u32> {
        self.definition(id)?.result_type()
    }

    /// Returns the pointer type with this id.
    #[inline]
    pub fn pointer_type(&self, id: u32) -> Option<TypePointer<'_>> {
        self.definition(id).and_then(TypePointer::new)
    }

    /// Returns the id of the type that pointers of a type point to.
    #[inline]
    pub fn pointee(&self, pointer_type: u32) -> Option<u32> {
        self.pointer_type(pointer_type).map(TypePointer::pointee)
    }

    /// Returns the type of the function with this id.
    pub fn function_type(&self, function: u32) -> Option<TypeFunction<'_>> {
        let function = self.definition(function).and_then(Function::new)?;
        self.definition(function.function_type()).and_then(TypeFunction::new)
    }

    /// Returns the array type with this id, with or without a length.
    #[inline]
    pub fn array_type(&self, id: u32) -> Option<AnyArray<'_>> {
        let array = self.definition(id).and_then(AnyArray::new)?;
        self.is_before(array.element_type(), &array).then_some(array)
    }

    /// Returns the id of the innermost element type of an array; the id itself if it is not an array.
    pub fn without_arrays(&self, mut id: u32) -> u32 {
        while let Some(array) = self.array_type(id) {
            id = array.element_type();
        }
        id
    }

    /// Returns the id of the type of the components of a vector; the id itself if it is not a vector.
    pub fn without_vector(&self, id: u32) -> u32 {
        self.definition(id).and_then(TypeVector::new).map_or(id, TypeVector::component_type)
    }

    /// Returns the chain of pointer types that starts at a type: the type itself if it is a pointer, the type
    /// it points to, and so on. The chain ends, since a pointer that is declared before its definition points
    /// to a structure.
    pub fn pointer_types(&self, id: u32) -> impl Iterator<Item = TypePointer<'_>> {
        std::iter::successors(self.pointer_type(id), |pointer| self.pointer_type(pointer.pointee()))
    }

    /// Returns the id of the type of a component, column, element or member of a composite type.
    pub fn part_type(&self, id: u32, index: u32) -> Option<u32> {
        let type_ = self.definition(id)?;
        if let Some(structure) = TypeStruct::new(type_) {
            return structure.members().get(index as usize).copied();
        }
        AnySequence::new(type_).map(AnySequence::part)
    }

    /// Returns true if an id is defined before an instruction.
    fn is_before(&self, id: u32, inst: &Instruction) -> bool {
        self.definition_offset(id).is_some_and(|offset| offset < inst.offset())
    }
}
