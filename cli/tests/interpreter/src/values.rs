//! Values as trees, and types.

use super::program::Id;
use super::{Interpreted, undefined, unsupported};

/// An integer or a number in floating point, as bits: instructions say which it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberBits {
    pub width: u32,
    pub bits: u64,
}

impl NumberBits {
    /// Creates a number of the low bits of others.
    pub fn new(width: u32, bits: u64) -> NumberBits {
        NumberBits { width, bits: bits & (u64::MAX >> (64 - width)) }
    }

    /// Returns the value of a signed integer.
    pub fn signed(self) -> i64 {
        let unused = 64 - self.width;
        (self.bits << unused).cast_signed() >> unused
    }
}

/// A variable, or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointer {
    pub variable: u64,
    /// The index at each level, which may lie outside of the variable.
    pub path: Vec<i64>,
}

/// A value. Composites are always trees with the shape of their types, so that only their leaves are undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueTree {
    /// Any value: the value of an unwritten variable, or of an operation without a defined result.
    Undefined,
    Bool(bool),
    Number(NumberBits),
    /// A vector, a matrix, an array or a structure.
    Composite(Vec<ValueTree>),
    Pointer(Pointer),
}

impl ValueTree {
    /// Creates a number of the low bits of others.
    pub fn number(width: u32, bits: u64) -> ValueTree {
        ValueTree::Number(NumberBits::new(width, bits))
    }

    /// Returns the number; what an undefined one decides is undefined.
    pub fn to_number(&self) -> Interpreted<NumberBits> {
        match self {
            ValueTree::Number(number) => Ok(*number),
            ValueTree::Undefined => undefined("an undefined number decides something"),
            _ => unsupported("no number where one is needed"),
        }
    }

    /// Returns the Boolean; what an undefined one decides is undefined.
    pub fn to_bool(&self) -> Interpreted<bool> {
        match self {
            ValueTree::Bool(value) => Ok(*value),
            ValueTree::Undefined => undefined("an undefined Boolean decides something"),
            _ => unsupported("no Boolean where one is needed"),
        }
    }

    pub fn to_pointer(&self) -> Interpreted<&Pointer> {
        match self {
            ValueTree::Pointer(pointer) => Ok(pointer),
            ValueTree::Undefined => undefined("an undefined pointer"),
            _ => unsupported("no pointer where one is needed"),
        }
    }

    /// Returns the parts of a composite.
    pub fn parts(&self) -> Interpreted<&[ValueTree]> {
        match self {
            ValueTree::Composite(parts) => Ok(parts),
            _ => unsupported("no composite where one is needed"),
        }
    }

    /// Returns the same tree with undefined leaves.
    pub fn with_undefined_leaves(&self) -> ValueTree {
        match self {
            ValueTree::Composite(parts) => {
                ValueTree::Composite(parts.iter().map(ValueTree::with_undefined_leaves).collect())
            }
            _ => ValueTree::Undefined,
        }
    }
}

/// A type of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    Void,
    Bool,
    Int(u32),
    Float(u32),
    Vector(Id, u64),
    /// The type of columns, and their number.
    Matrix(Id, u64),
    Array(Id, u64),
    RuntimeArray(Id),
    Struct(Vec<Id>),
    /// A pointer to values of a type.
    Pointer(Id),
    /// A type without values here.
    Opaque,
}

impl ValueType {
    /// Returns the width of a number.
    pub fn width(&self) -> Interpreted<u32> {
        match self {
            ValueType::Int(width) | ValueType::Float(width) => Ok(*width),
            _ => unsupported("no type of numbers where one is needed"),
        }
    }
}
