//! What an annotations file says of one module: its entries by the functions and constants that they match.

use std::collections::BTreeMap;

use super::aspects::AspectSources;
use crate::condition::Expr;

/// What is called where the condition of a function does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Nothing: the result is undefined there.
    Undefined,
    /// Another function of the same type, by id.
    Function(u32),
}

impl Otherwise {
    /// The function, if there is one.
    pub fn function(self) -> Option<u32> {
        match self {
            Otherwise::Undefined => None,
            Otherwise::Function(id) => Some(id),
        }
    }
}

/// What is said of a module beside what its instructions tell. By default nothing but what DPC++'s headers imply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotated {
    /// By function: when its calls happen.
    pub when: BTreeMap<u32, Expr>,
    /// By function that has a condition: what is called where that does not hold.
    pub otherwise: BTreeMap<u32, Otherwise>,
    /// Aspects of types and functions.
    pub aspects: AspectSources,
    /// By function: the devices that it must run on.
    pub fixed_targets: BTreeMap<u32, Vec<String>>,
    /// By function: its translation unit.
    pub sources: BTreeMap<u32, String>,
    /// By SpecId: what the specialization constant stands for. Its value is that of the condition, 0 or 1.
    pub spec_constants: BTreeMap<u32, Expr>,
    /// By function: what takes its place where, each one of the same type. Exactly one of the conditions holds.
    pub variants: BTreeMap<u32, Vec<(Expr, u32)>>,
    /// By result id of an OpFunctionCall: when it happens. A file does not say so of single calls, but what
    /// [expands](crate::transform::expand) its entries does.
    pub calls: BTreeMap<u32, Expr>,
    /// By result id of an OpCopyObject: what it is a copy of, and when. Exactly one of the conditions holds.
    pub joins: BTreeMap<u32, Vec<(Expr, u32)>>,
}
