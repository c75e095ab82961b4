//! The parts of types.
//!
//! A type may contain itself through a pointer, and a module may be wrong: each step from a type to a part goes to a type
//! that is defined before it, so that walking down ends in any module.

use super::*;
use crate::loader::{Instruction, Module};

impl<'a> Module<'a> {
    /// The id of the type of a value.
    #[inline]
    pub fn type_of(&self, id: u32) -> Option<u32> {
        self.definition(id)?.result_type()
    }

    /// The pointer type with this id.
    #[inline]
    pub fn pointer_type(&self, id: u32) -> Option<TypePointer<'_>> {
        self.definition(id).and_then(TypePointer::of)
    }

    /// The id of the type that pointers of a type point to.
    #[inline]
    pub fn pointee(&self, pointer_type: u32) -> Option<u32> {
        self.pointer_type(pointer_type).map(TypePointer::pointee)
    }

    /// The type of the function with this id.
    pub fn function_type(&self, function: u32) -> Option<TypeFunction<'_>> {
        let function = self.definition(function).and_then(Function::of)?;
        self.definition(function.function_type()).and_then(TypeFunction::of)
    }

    /// The array type with this id, with or without a length.
    #[inline]
    pub fn array_type(&self, id: u32) -> Option<AnyArray<'_>> {
        let array = self.definition(id).and_then(AnyArray::of)?;
        self.is_before(array.element_type(), &array).then_some(array)
    }

    /// The id of the type that an array of arrays is made of at last; the id itself, if it is no array.
    pub fn without_arrays(&self, mut id: u32) -> u32 {
        while let Some(array) = self.array_type(id) {
            id = array.element_type();
        }
        id
    }

    /// The pointer types on the way from a type to what is no pointer: the type itself, if it is one, the type it points to, and so on. It
    /// ends, since a pointer that is declared before its definition points to a structure.
    pub fn pointer_types(&self, id: u32) -> impl Iterator<Item = TypePointer<'_>> {
        std::iter::successors(self.pointer_type(id), |pointer| self.pointer_type(pointer.pointee()))
    }

    /// The id of the type of a part of a composite type: of a component, column, element or member.
    pub fn part_type(&self, id: u32, index: u32) -> Option<u32> {
        let type_ = self.definition(id)?;
        if let Some(structure) = TypeStruct::of(type_) {
            return structure.members().get(index as usize).copied();
        }
        AnySequence::of(type_).map(AnySequence::part)
    }

    /// True if an id is defined, before an instruction.
    fn is_before(&self, id: u32, inst: &Instruction) -> bool {
        self.definition_offset(id).is_some_and(|offset| offset < inst.offset())
    }
}
