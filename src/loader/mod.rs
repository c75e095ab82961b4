//! Words in, [`Module`] out.
//!
//! A module *is* its words: instructions are decoded on use only, and never encoded again. An [`Instruction`] is a view on a
//! slice of words, and its offset in words from the start of the module is its identity. The words of an instruction that
//! are ids are known from rspirv's grammar, flattened into a dense table once ([`grammar`]).

mod embedded;
mod error;
mod forward;
pub mod grammar;
mod index;
mod instruction;
mod module;
mod offload;
mod operands;
mod other_formats;
mod parts;
mod sets;
#[cfg(test)]
mod tests;
pub mod views;

pub use embedded::{Candidate, embedded_candidates};
#[cfg(test)]
pub use embedded::{Embedded, embedded};
pub use error::{LoadError, Problem};
pub use grammar::{Place, Section};
pub use instruction::{Instruction, Instructions, literal};
pub use module::{Function, KnownFunctions, Module, check_version};
pub(crate) use module::{HEADER_WORDS, MAX_BOUND};
pub use offload::{OffloadImage, offload_images};
pub use operands::Visitor;
pub use sets::SetKind;
