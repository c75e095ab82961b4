use thiserror::Error;

use crate::condition::ConditionError;
use crate::loader::MAX_BOUND;
use crate::transform::condition_constants::UnwritableCondition;
use crate::transform::link::DifferentMemoryModels;

/// The reason that variants cannot be merged.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum MergeError {
    /// No variant is left.
    #[error("there is nothing to merge: no variant is ever chosen")]
    Nothing,
    /// An instruction that the grammar does not have: which of its words are ids is not known.
    #[error("{file}: {instruction} at byte offset {offset:#x} ({offset}) is unknown, and cannot be merged")]
    Unknown {
        /// The variant.
        file: String,
        /// Its opcode.
        instruction: String,
        /// Its offset in bytes.
        offset: u64,
    },
    /// An id without a definition.
    #[error(
        "{file}: {instruction} at byte offset {offset:#x} ({offset}) refers to %{id}, which nothing defines"
    )]
    Dangling {
        /// The variant.
        file: String,
        /// The name of the instruction.
        instruction: String,
        /// Its offset in bytes.
        offset: u64,
        /// The id.
        id: u32,
    },
    /// A variant that is packed already.
    #[error("{0} has conditional code already: merge the modules that it was made of")]
    MultiTarget(String),
    /// A compiler's module with conditional calls.
    #[error("{0} has conditional calls: specialize it for the devices that its variant is for")]
    ConditionalCalls(String),
    /// Memory models differ.
    #[error(transparent)]
    MemoryModel(#[from] DifferentMemoryModels),
    /// Versions of SPIR-V differ.
    #[error(
        "{first} is SPIR-V {first_version}, and {second} is SPIR-V {second_version}: compile both for one version"
    )]
    Version {
        /// The first variant.
        first: String,
        /// Its version.
        first_version: String,
        /// Another variant.
        second: String,
        /// Its version.
        second_version: String,
    },
    /// A type of which a module can have only one, with different decorations.
    #[error("{first} and {second} decorate {type_} differently, and a module can have it only once")]
    Type {
        /// The first variant.
        first: String,
        /// Another variant.
        second: String,
        /// The name of the type's opcode.
        type_: String,
    },
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition cannot be written.
    #[error(transparent)]
    Unwritable(#[from] UnwritableCondition),
    /// Too many ids.
    #[error("the result would have more than {MAX_BOUND} ids")]
    Bound,
}
