//! Instructions with their operands by name.
//!
//! A view is an [`Instruction`](super::Instruction), to which it dereferences, and costs no more:
//! `views::TypePointer(inst).pointee()` reads one word. Views are named like their opcodes without "Op".
//! Write them with the module, `views::Variable`, to keep them apart from `spirv::Decoration` and
//! [`Function`](super::Function).
//!
//! - `views::Variable::new(inst)` checks the opcode. It takes the instruction by value, so that
//!   `filter_map(views::Variable::new)` compiles.
//! - `views::Variable(inst)` does not check it: use it in the arms of a `match` on
//!   [`Instruction::op`](super::Instruction::op).
//!
//! A missing word reads as 0, a missing list as empty and a missing string as "", like in
//! [`Instruction::word`](super::Instruction::word). In every view the result is `id()` and its type
//! `type_id()`. Enumerants are numbers, as a module may have unknown ones.
//!
//! The tables of names and words are in the files of this folder, and a test compares them with rspirv's
//! grammar. Methods of [`Module`](super::Module) return the instructions of certain kinds, and the parts of
//! types.

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
