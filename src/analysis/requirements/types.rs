//! The contents of the types of a module.

use bitflags::bitflags;
use spirv::{Op, StorageClass};

use crate::loader::{Instruction, Module, views};

/// The distance between the bit of a small type and its bit in [`Contents::POINTED`].
const POINTED_SHIFT: u32 = 7;

bitflags! {
    /// The contents of a type: in itself, or behind pointers in it.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Contents: u16 {
        /// 8-bit integers.
        const INT8 = 1;
        /// 16-bit integers.
        const INT16 = 2;
        /// 16-bit floats of IEEE 754.
        const FLOAT16 = 1 << 2;
        /// 8-bit floats.
        const FLOAT8 = 1 << 3;
        /// 16-bit floats of another encoding.
        const BFLOAT16 = 1 << 4;
        /// All small types.
        const SMALL = 0b1_1111;
        /// The type is made of more than scalars, vectors and matrices.
        const COMPOSITE = 1 << 5;
        /// The type is a pointer.
        const POINTER = 1 << 6;
        /// Small types behind pointers.
        const POINTED = Self::SMALL.bits() << POINTED_SHIFT;
        /// Pointers to workgroup memory: the type is such a pointer, or contains one.
        const WORKGROUP_POINTERS = 1 << 12;
        /// Pointers to other memory, except addresses in logical addressing.
        const OTHER_POINTERS = 1 << 13;
    }
}

impl Contents {
    /// Returns the small types, wherever they are.
    pub fn small(self) -> Contents {
        (self | self.pointed()) & Contents::SMALL
    }

    /// Returns the small types that are in the type itself.
    pub fn direct(self) -> Contents {
        self & Contents::SMALL
    }

    /// Returns eight bits: the small types in a value of the type, and whether it contains more than scalars, vectors and matrices. A
    /// pointer has no small types.
    pub fn in_value(self) -> Contents {
        let none = self.contains(Contents::POINTER);
        if none { Contents::empty() } else { self.small() | (self & Contents::COMPOSITE) }
    }

    /// Returns the small types that are behind pointers.
    pub fn pointed(self) -> Contents {
        Contents::from_bits_truncate((self & Contents::POINTED).bits() >> POINTED_SHIFT)
    }
}

/// The contents of the types of a module, and of the values of these types.
#[derive(Default)]
pub struct Types {
    /// The contents of each type, by id, as bits. Memory of zeros takes no space before it is written. Empty if no type has contents.
    types: Vec<u16>,
    /// The bits of [`Contents::in_value`] of each value, by id; empty if no value has any.
    values: Vec<u8>,
    /// The joined contents of all types.
    any: Contents,
}

impl Types {
    /// Reads the types of a module, which come before their uses.
    pub fn read(module: &Module) -> Types {
        let mut types = Types::default();
        for inst in module.globals() {
            if let Some([type_, result]) = inst.typed_result() {
                types.value(type_, result, module);
                continue;
            }
            let contents = types.contents_of(&inst);
            if !contents.is_empty() {
                if types.types.is_empty() {
                    types.types = module.table_by_id();
                }
                types.types[views::Type(inst).id() as usize] = contents.bits();
                types.any |= contents;
            }
        }
        if !types.any.small().is_empty() {
            for inst in module.functions().iter().flat_map(|function| module.body(function)) {
                if let Some([type_, result]) = inst.typed_result() {
                    types.value(type_, result, module);
                }
            }
        }
        types
    }

    #[inline]
    fn value(&mut self, type_: u32, result: u32, module: &Module) {
        let contents = self.contents(type_).in_value();
        if !contents.is_empty() {
            if self.values.is_empty() {
                self.values = module.table_by_id();
            }
            self.values[result as usize] = contents.bits() as u8;
        }
    }

    /// Returns the contents of a type; empty for any other id.
    #[inline]
    pub fn contents(&self, type_: u32) -> Contents {
        Contents::from_bits_retain(self.types.get(type_ as usize).copied().unwrap_or_default())
    }

    /// Returns the contents of a value; empty for any other id.
    #[inline]
    pub fn value_contents(&self, id: u32) -> Contents {
        Contents::from_bits_retain(self.values.get(id as usize).copied().unwrap_or_default().into())
    }

    /// Returns the small types that any type contains.
    pub fn any_small(&self) -> Contents {
        self.any.small()
    }

    fn contents_of(&self, inst: &Instruction) -> Contents {
        let Some(op) = inst.op() else { return Contents::empty() };
        match op {
            Op::TypeInt => match views::TypeInt(*inst).width() {
                8 => Contents::INT8,
                16 => Contents::INT16,
                _ => Contents::empty(),
            },
            Op::TypeFloat => {
                let float = views::TypeFloat(*inst);
                match (float.width(), float.encoding()) {
                    (8, _) => Contents::FLOAT8,
                    (16, None) => Contents::FLOAT16,
                    (16, Some(_)) => Contents::BFLOAT16,
                    _ => Contents::empty(),
                }
            }
            Op::TypeVector | Op::TypeMatrix | Op::TypeVectorIdEXT => {
                self.contents(views::AnySequence(*inst).part())
            }
            Op::TypeArray | Op::TypeRuntimeArray => {
                let element = self.contents(views::AnyArray(*inst).element_type());
                (element - Contents::POINTER) | Contents::COMPOSITE | behind(element)
            }
            Op::TypeCooperativeMatrixKHR | Op::TypeCooperativeMatrixNV => {
                self.contents(views::TypeCooperativeMatrixKHR(*inst).component_type()) | Contents::COMPOSITE
            }
            Op::TypeStruct => {
                let members = views::TypeStruct(*inst).members().iter().map(|&member| self.contents(member));
                members.fold(Contents::COMPOSITE, |all, member| {
                    all | (member - Contents::POINTER) | behind(member)
                })
            }
            Op::TypePointer => {
                let pointee = self.contents(views::TypePointer(*inst).pointee());
                pointer(inst) | Contents::from_bits_truncate(pointee.small().bits() << POINTED_SHIFT)
            }
            Op::TypeUntypedPointerKHR => pointer(inst),
            _ => Contents::empty(),
        }
    }
}

/// Returns the contents of a pointer type, independent of its pointee.
fn pointer(inst: &Instruction) -> Contents {
    let memory = match StorageClass::from_u32(views::AnyPointer(*inst).storage_class()) {
        None | Some(StorageClass::PhysicalStorageBuffer) => Contents::empty(),
        Some(StorageClass::Workgroup) => Contents::WORKGROUP_POINTERS,
        Some(_) => Contents::OTHER_POINTERS,
    };
    Contents::POINTER | memory
}

/// Returns the contents behind a part that is a pointer.
fn behind(part: Contents) -> Contents {
    part & Contents::POINTED
}
