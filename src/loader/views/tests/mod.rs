//! Comparison of the views with the specification's names and words.

mod assembled;
mod grammar;

use spirv::Op;

/// A view as its table describes it.
pub(super) struct ViewTable {
    pub view: &'static str,
    /// The opcodes that the view checks; empty if it checks none.
    pub ops: &'static [Op],
    /// The opcode with a condition before its other operands.
    pub conditional: &'static [Op],
    /// Name, form and word of each operand.
    pub fields: &'static [(&'static str, &'static str, usize)],
}
