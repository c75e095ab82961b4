//! The views name what the specification names, at the words where it is.

mod assembled;
mod grammar;

use spirv::Op;

/// A view as its table has it.
pub(super) struct Table {
    pub view: &'static str,
    /// The opcodes it checks; none if it checks nothing.
    pub ops: &'static [Op],
    /// The one among them that has a condition before its other operands.
    pub conditional: &'static [Op],
    /// Name, form and word of each operand.
    pub fields: &'static [(&'static str, &'static str, usize)],
}
