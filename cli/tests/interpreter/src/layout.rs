//! Values as bytes in the layout of decorations. Without these, parts are contiguous.

use spirv::Decoration;

use super::globals::ModuleValues;
use super::program::{Id, RunnableModule};
use super::values::{ValueTree, ValueType};
use super::{Interpreted, unsupported};

/// The layout of the matrices in a member of a structure.
#[derive(Clone, Copy, Default)]
struct MatrixOrder {
    stride: Option<usize>,
    is_row_major: bool,
}

/// A part of a value: its type, its offset, and the distance of its components, if it is a vector in a matrix.
struct LaidOut {
    of: Id,
    offset: usize,
    matrix: MatrixOrder,
    step: Option<usize>,
}

/// A type at an offset.
impl LaidOut {
    fn new(of: Id, offset: usize) -> LaidOut {
        LaidOut { of, offset, matrix: MatrixOrder::default(), step: None }
    }
}

pub struct BufferLayout<'p> {
    pub program: &'p RunnableModule,
    pub globals: &'p ModuleValues,
}

impl BufferLayout<'_> {
    /// Returns the value of a type in bytes.
    pub fn read(&self, of: Id, bytes: &[u8]) -> Interpreted<ValueTree> {
        self.read_part(&LaidOut::new(of, 0), bytes)
    }

    /// Writes a value of a type over bytes.
    pub fn write(&self, of: Id, value: &ValueTree, bytes: &mut [Option<u8>]) -> Interpreted<()> {
        self.write_part(&LaidOut::new(of, 0), value, bytes)
    }

    /// Returns the size of a type in bytes. An array without a length is as long as `elements`.
    pub fn size(&self, of: Id, elements: usize) -> Interpreted<usize> {
        self.size_of(&LaidOut::new(of, 0), elements)
    }

    fn size_of(&self, part: &LaidOut, elements: usize) -> Interpreted<usize> {
        if let Some(width) = self.width(part.of)? {
            return Ok(width);
        }
        // The null value's shape bounds the size.
        if !matches!(self.globals.type_of(part.of)?, ValueType::RuntimeArray(_) | ValueType::Struct(_)) {
            self.globals.undefined(part.of)?;
        }
        let mut size = 0;
        for inner in self.parts(part, elements)? {
            size = size.max(inner.offset.saturating_add(self.size_of(&inner, elements)?));
        }
        Ok(size)
    }

    /// Returns the size of a scalar.
    fn width(&self, of: Id) -> Interpreted<Option<usize>> {
        Ok(match self.globals.type_of(of)? {
            ValueType::Int(width) | ValueType::Float(width) => Some(*width as usize / 8),
            ValueType::Bool => Some(1),
            ValueType::Void | ValueType::Opaque | ValueType::Pointer(_) => {
                return unsupported("an opaque type in a buffer");
            }
            _ => None,
        })
    }

    /// Returns the parts of a composite, with their offsets in it. An array without a length has `elements` of them.
    fn parts(&self, part: &LaidOut, elements: usize) -> Interpreted<Vec<LaidOut>> {
        let stride_of = |array: Id, of: Id| -> Interpreted<usize> {
            match self.program.decoration(array, None, Decoration::ArrayStride) {
                Some(stride) => Ok(stride as usize),
                None => self.size_of(&LaidOut { of, ..*part }, elements),
            }
        };
        let spaced = |of: Id, count: usize, distance: usize, step: Option<usize>| {
            (0..count)
                .map(|at| LaidOut { of, offset: at.saturating_mul(distance), matrix: part.matrix, step })
                .collect::<Vec<_>>()
        };
        Ok(match self.globals.type_of(part.of)? {
            ValueType::Vector(of, count) => {
                let step = part.step.map_or_else(|| self.size(*of, 0), Ok)?;
                spaced(*of, *count as usize, step, None)
            }
            ValueType::Matrix(column, count) => {
                let MatrixOrder { stride, is_row_major } = part.matrix;
                match (stride, is_row_major, self.globals.type_of(*column)?) {
                    (Some(stride), true, ValueType::Vector(of, _)) => {
                        spaced(*column, *count as usize, self.size(*of, 0)?, Some(stride))
                    }
                    (Some(stride), ..) => spaced(*column, *count as usize, stride, None),
                    (None, ..) => spaced(*column, *count as usize, self.size(*column, 0)?, None),
                }
            }
            ValueType::Array(of, count) => spaced(*of, *count as usize, stride_of(part.of, *of)?, None),
            ValueType::RuntimeArray(of) => spaced(*of, elements, stride_of(part.of, *of)?, None),
            ValueType::Struct(members) => {
                let mut laid_out = Vec::new();
                let mut end = 0;
                for (number, &of) in members.iter().enumerate() {
                    let decoration = |kind| self.program.decoration(part.of, Some(number as u32), kind);
                    let has =
                        |decoration| self.program.has_decoration(part.of, Some(number as u32), decoration);
                    let member = LaidOut {
                        of,
                        offset: decoration(Decoration::Offset).map_or(end, |offset| offset as usize),
                        matrix: MatrixOrder {
                            stride: decoration(Decoration::MatrixStride).map(|stride| stride as usize),
                            is_row_major: has(Decoration::RowMajor),
                        },
                        step: None,
                    };
                    if decoration(Decoration::Offset).is_none() {
                        end = end.saturating_add(self.size_of(&member, elements)?);
                    }
                    laid_out.push(member);
                }
                laid_out
            }
            _ => return unsupported("parts of what is not a composite"),
        })
    }

    fn read_part(&self, part: &LaidOut, bytes: &[u8]) -> Interpreted<ValueTree> {
        let Some(bytes) = bytes.get(part.offset..) else { return unsupported("too few bytes for a buffer") };
        let Some(size) = self.width(part.of)? else {
            let inner = self.parts(part, self.length(part, bytes.len())?)?;
            let parts = inner.iter().map(|inner| self.read_part(inner, bytes));
            return Ok(ValueTree::Composite(parts.collect::<Interpreted<_>>()?));
        };
        let Some(bytes) = bytes.get(..size) else { return unsupported("too few bytes for a buffer") };
        let bits = bytes.iter().rev().fold(0, |bits, &byte| bits << 8 | u64::from(byte));
        Ok(match self.globals.type_of(part.of)? {
            ValueType::Bool => ValueTree::Bool(bits & 1 == 1),
            _ => ValueTree::number(size as u32 * 8, bits),
        })
    }

    fn write_part(&self, part: &LaidOut, value: &ValueTree, bytes: &mut [Option<u8>]) -> Interpreted<()> {
        let Some(bytes) = bytes.get_mut(part.offset..) else {
            return unsupported("too few bytes for a buffer");
        };
        let size = self.width(part.of)?;
        let bits = match (value, size) {
            (ValueTree::Composite(values), None) => {
                let inner = self.parts(part, values.len())?;
                return inner
                    .iter()
                    .zip(values)
                    .try_for_each(|(inner, value)| self.write_part(inner, value, bytes));
            }
            (ValueTree::Undefined, Some(_)) => None,
            (ValueTree::Bool(value), Some(_)) => Some(u64::from(*value)),
            (ValueTree::Number(number), Some(_)) => Some(number.bits),
            _ => return unsupported("a value of another type in a buffer"),
        };
        for (at, byte) in bytes.iter_mut().take(size.unwrap_or(0)).enumerate() {
            *byte = bits.map(|bits| (bits >> (8 * at)) as u8);
        }
        Ok(())
    }

    /// Returns the number of elements of an array without a length in a number of bytes. It is the last part of a structure.
    fn length(&self, part: &LaidOut, bytes: usize) -> Interpreted<usize> {
        match self.globals.type_of(part.of)? {
            ValueType::RuntimeArray(_) => {
                let ends = self.parts(part, 2)?;
                let stride = ends.last().map_or(0, |second| second.offset);
                bytes.checked_div(stride).map_or_else(|| unsupported("an array without a stride"), Ok)
            }
            _ => Ok(0),
        }
    }
}
