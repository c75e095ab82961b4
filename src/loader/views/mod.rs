//! Instructions with their operands by name.
//!
//! A view is an [`Instruction`](super::Instruction) (to which it dereferences) and costs no more: `views::TypePointer(inst).pointee()` reads one word.
//! Views have the names of their opcodes without "Op", so name them with the module, `views::Variable`: `spirv::Decoration` and
//! [`Function`](super::Function) are others.
//!
//! - `views::Variable::of(inst)` checks the opcode. It takes the instruction by value, so that `filter_map(views::Variable::of)`
//!   and `and_then(views::Variable::of)` do.
//! - `views::Variable(inst)` does not: it is for the arms of a `match` on [`Instruction::op`](super::Instruction::op).
//!
//! A word that is not there reads as 0, a list as empty and a string as "", as [`Instruction::word`](super::Instruction::word) has it. The result is `id()` and
//! its type `type_id()` in every view; enumerants are numbers, as a module may have some that nobody knows.
//!
//! The tables of names and words are in the files of this folder, and a test compares them with rspirv's grammar. The
//! instructions of some kinds in a module, and the parts of its types, are methods of [`Module`](super::Module).

#[macro_use]
mod table;

mod code;
mod head;
mod in_module;
#[cfg(test)]
mod tests;
mod types;

pub use code::*;
pub use head::*;
pub use types::*;
