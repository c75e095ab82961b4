//! From words to [`Module`].
//!
//! A module *is* its words: instructions are decoded on use only, and never encoded again. An [`Instruction`]
//! is a view of a slice of words, identified by its offset in words from the start of the module. A dense
//! table, generated from rspirv's grammar, says which words of an instruction are ids ([`grammar`]).

mod disassembly;
mod embedded;
mod error;
mod forward;
pub mod grammar;
mod index;
mod instruction;
mod module;
mod offload;
pub mod opcodes;
mod operands;
mod other_formats;
mod parts;
mod pointers;
mod sets;
mod sycl_images;
#[cfg(test)]
mod tests;
mod version;
pub mod views;
mod word_layout;

pub use disassembly::disassembly;
#[cfg(test)]
pub use embedded::{EmbeddedModule, embedded};
pub use embedded::{ModuleCandidate, embedded_candidates};
pub use error::{LoadError, LoadProblem};
pub use grammar::{LogicalPlace, Section};
pub use instruction::{Instruction, Instructions, literal};
pub use module::{Function, KnownFunctions, Module, check_version};
pub(crate) use module::{HEADER_WORDS, MAX_BOUND};
pub use offload::{OffloadImage, offload_images};
pub use operands::Visitor;
pub use sets::SetKind;
pub use sycl_images::{ImageDescription, ImageProperty, SyclImage, is_elf, sycl_images};
pub use version::{Version, VersionError};
pub use word_layout::{WordKind, WordLayout};
