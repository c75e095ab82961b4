//! The text form: `fp16 && (arch(intel_gpu_pvc) || !cap(CooperativeMatrixKHR))`.

use std::fmt;

use super::{ConditionError, Expr, Leaf, LeafKind};

/// The names of leaves, given by whoever has the tables. Constants have none: they are written as ids.
pub trait Names {
    /// The number that a name stands for.
    fn number(&self, kind: LeafKind, name: &str) -> Option<u32>;
    /// The name of a leaf; [`number`](Names::number) must lead back to the leaf.
    fn name(&self, leaf: Leaf) -> Option<&str>;
    /// Names that a mistaken one could be meant for, the likeliest first.
    fn similar(&self, _kind: LeafKind, _name: &str) -> Vec<String> {
        Vec::new()
    }
}

impl Expr {
    /// Reads the text form. Errors carry the column.
    pub fn parse(_text: &str, _names: &dyn Names) -> Result<Expr, ConditionError> {
        todo!()
    }

    /// Shows the text form with the fewest parentheses. Chains are written without them, so reading the text back
    /// gives this expression up to how its chains are nested.
    pub fn display<'a>(&'a self, names: &'a dyn Names) -> impl fmt::Display + 'a {
        let _ = names;
        ""
    }
}
