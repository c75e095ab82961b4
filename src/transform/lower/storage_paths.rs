//! Places in memory that became words, as access chains say them.

use std::collections::BTreeMap;

use spirv::Op;

use super::storage_memory::WordMemory;
use crate::analysis::limits::layout::MatrixLayout;
use crate::loader::{Instruction, Module, views};

/// The place that a pointer leads to.
#[derive(Clone, Debug)]
pub struct MemoryPath {
    /// The variable, or the pointer to physical memory.
    pub root: u32,
    /// The index of the descriptor, where the variable is an array of them.
    pub descriptor: Option<u32>,
    /// The bytes from the first word on, without those of indices.
    pub constant: u32,
    /// The indices that are not constant, with their strides in bytes.
    pub indices: Vec<(u32, u32)>,
    /// The type of what is there.
    pub part: PathPart,
    /// True if the descriptor may differ between invocations of a group.
    pub is_non_uniform: bool,
}

/// The type of a part of memory, with what says where its parts are.
#[derive(Clone, Copy, Debug)]
pub struct PathPart {
    pub type_id: u32,
    /// The layout of the matrix that it is, or of those that it contains.
    pub matrix: MatrixLayout,
    /// The bytes between the components of a vector, if that is a column of a matrix by rows.
    pub stride: Option<u32>,
}

/// A scalar in memory: its first byte, and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryScalar {
    pub byte: u32,
    pub size: u32,
}

/// The maximum number of scalars in a value.
const MAX_SCALARS: usize = 1024;

impl MemoryPath {
    /// The number of bytes of which the place is known to be a multiple, apart from its constant: 1, 2 or 4.
    pub fn unit(&self) -> u32 {
        self.indices.iter().fold(4, |unit, &(_, stride)| unit.min(1 << stride.trailing_zeros().min(2)))
    }
}

impl WordMemory {
    /// Returns the place that a chain of indices leads to from another one.
    pub fn follow(
        &self,
        module: &Module,
        base: &MemoryPath,
        indices: &[u32],
    ) -> Result<MemoryPath, &'static str> {
        let mut path = base.clone();
        for &index in indices {
            let is_descriptor = path.descriptor.is_none() && self.is_array(path.root);
            if is_descriptor {
                let element = module.part_type(path.part.type_id, 0).ok_or("its variable is no array")?;
                (path.descriptor, path.part.type_id) = (Some(index), element);
                continue;
            }
            let literal = module.constant(index).map(views::Constant::low_word);
            let (part, stride) = self.part(module, path.part, literal)?;
            path.part = part;
            match stride {
                Stride::Member(offset) => path.constant = path.constant.wrapping_add(offset),
                Stride::Elements(stride) => self.move_by(module, &mut path, index, stride),
            }
        }
        Ok(path)
    }

    /// Moves a place by so many elements.
    pub(super) fn move_by(&self, module: &Module, path: &mut MemoryPath, index: u32, stride: u32) {
        let within =
            |constant: views::Constant| path.constant.wrapping_add(stride.wrapping_mul(constant.low_word()));
        // Distances from addresses have 64 bits, and their constants 32 with a sign.
        let from_address = |constant: views::Constant| {
            let index = match constant.words().len() {
                4 => i64::from(constant.low_word().cast_signed()),
                _ => constant.bits().cast_signed(),
            };
            let distance = index.checked_mul(i64::from(stride))?;
            let distance = distance.checked_add(i64::from(path.constant.cast_signed()))?;
            Some(i32::try_from(distance).ok()?.cast_unsigned())
        };
        let offset = match self.is_address(path.root) {
            true => module.constant(index).and_then(from_address),
            false => module.constant(index).map(within),
        };
        match offset {
            Some(offset) => path.constant = offset,
            None if stride == 0 => {}
            None => path.indices.push((index, stride)),
        }
    }

    /// Returns the part of another one with an index, and where it is.
    fn part(
        &self,
        module: &Module,
        whole: PathPart,
        index: Option<u32>,
    ) -> Result<(PathPart, Stride), &'static str> {
        let type_ = module.definition(whole.type_id).ok_or("its type is not known")?;
        let part_type =
            module.part_type(whole.type_id, index.unwrap_or(0)).ok_or("its type has no such part")?;
        let part = |matrix, stride| PathPart { type_id: part_type, matrix, stride };
        Ok(match type_.op() {
            Some(Op::TypeStruct) => {
                let member = index.ok_or("the number of a member is not constant")?;
                let offset = self.layout.offset(whole.type_id, member).ok_or("a member has no offset")?;
                (part(self.layout.matrix(whole.type_id, member), None), Stride::Member(offset))
            }
            Some(Op::TypeArray | Op::TypeRuntimeArray) => {
                let stride = self.layout.stride(whole.type_id).ok_or("an array has no stride")?;
                (part(whole.matrix, None), Stride::Elements(stride))
            }
            Some(Op::TypeMatrix) => {
                let size =
                    scalar_size(module, module.without_vector(part_type)).ok_or("a matrix has no size")?;
                let stride = u32::try_from(whole.matrix.stride).map_err(|_| "a matrix has no stride")?;
                match whole.matrix.is_row_major {
                    true => (part(whole.matrix, Some(stride)), Stride::Elements(size)),
                    false => (part(whole.matrix, None), Stride::Elements(stride)),
                }
            }
            Some(Op::TypeVector) => {
                let size = scalar_size(module, part_type).ok_or("a vector has no size")?;
                (part(whole.matrix, None), Stride::Elements(whole.stride.unwrap_or(size)))
            }
            _ => return Err("its type has no parts"),
        })
    }

    /// Returns the parts of a part of memory, with the bytes before them; none for a scalar.
    pub fn parts(&self, module: &Module, whole: PathPart) -> Result<Vec<(u32, PathPart)>, &'static str> {
        let Some(type_) = module.definition(whole.type_id) else { return Ok(Vec::new()) };
        let count = match type_.op() {
            Some(Op::TypeStruct) => module.members(&type_).count() as u32,
            Some(Op::TypeArray) => {
                let length = module.constant(views::TypeArray(type_).length());
                length.ok_or("the length of an array in it is not constant")?.low_word()
            }
            Some(Op::TypeMatrix) => views::TypeMatrix(type_).column_count(),
            Some(Op::TypeVector) => views::TypeVector(type_).component_count(),
            Some(Op::TypeRuntimeArray) => return Err("an array without a length is no value"),
            _ => 0,
        };
        if count as usize > MAX_SCALARS {
            return Err("it has too many parts");
        }
        let part = |index: u32| {
            let (part, stride) = self.part(module, whole, Some(index))?;
            Ok(match stride {
                Stride::Member(offset) => (offset, part),
                Stride::Elements(stride) => (stride.wrapping_mul(index), part),
            })
        };
        (0..count).map(part).collect()
    }

    /// Returns the scalars of a part of memory, from a byte on.
    pub fn scalars(
        &self,
        module: &Module,
        whole: PathPart,
        byte: u32,
    ) -> Result<Vec<MemoryScalar>, &'static str> {
        let mut open = vec![(byte, whole)];
        let mut scalars = Vec::new();
        let mut left = 4 * MAX_SCALARS;
        while let Some((byte, whole)) = open.pop() {
            left = left.checked_sub(1).ok_or("it has too many parts")?;
            let parts = self.parts(module, whole)?;
            if parts.is_empty() {
                let size = scalar_size(module, whole.type_id).ok_or("its type is no number")?;
                scalars.push(MemoryScalar { byte, size });
            }
            open.extend(parts.into_iter().map(|(offset, part)| (byte.wrapping_add(offset), part)));
        }
        if scalars.len() > MAX_SCALARS {
            return Err("it has too many parts");
        }
        Ok(scalars)
    }
}

/// The place of a part.
#[derive(Clone, Copy)]
enum Stride {
    /// The bytes before a member.
    Member(u32),
    /// The bytes from one to the next.
    Elements(u32),
}

/// Returns the size of a number or a pointer in bytes.
pub fn scalar_size(module: &Module, type_id: u32) -> Option<u32> {
    let type_ = module.definition(type_id)?;
    match type_.op() {
        Some(Op::TypeInt | Op::TypeFloat) => {
            [8, 16, 32, 64].contains(&type_.word(2)).then(|| type_.word(2) / 8)
        }
        Some(Op::TypePointer) => Some(8),
        _ => None,
    }
}

/// Returns the bytes of each word that scalars take, as bits. `unit` is the number of bytes of which their place is known to be a multiple: words are the units of
/// so many bytes, by their first byte.
pub fn bytes_of_units(scalars: &[MemoryScalar], unit: u32) -> BTreeMap<u32, u32> {
    let mut units = BTreeMap::new();
    for scalar in scalars {
        for byte in (0..scalar.size).map(|at| scalar.byte.wrapping_add(at)) {
            let start = byte & !(unit - 1);
            *units.entry(start).or_default() |= 1u32 << (byte - start);
        }
    }
    units
}

/// The bits of all bytes of a word.
pub const WHOLE_WORD: u32 = 0xf;

/// Returns the base of an access chain, and its indices.
pub fn chain<'i>(inst: &Instruction<'i>) -> Option<(u32, &'i [u32])> {
    match inst.op() {
        Some(Op::AccessChain | Op::InBoundsAccessChain) => Some((inst.word(3), inst.words_from(4))),
        Some(Op::PtrAccessChain) => Some((inst.word(3), inst.words_from(5))),
        Some(Op::CopyObject) => Some((inst.word(3), &[])),
        _ => None,
    }
}
