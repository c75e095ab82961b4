//! Definitions of several modules in one result: the parts that [`link`](super::link) and [`merge`](super::merge) have in common.
//!
//! [`Descriptions`] has the names and decorations of each id, [`are_equal`] and [`are_described_equally`] compare definitions of two modules,
//! [`Sections`] is the result before its functions, and [`AddressReferences`] completes the interface lists of entry points.

mod descriptions;
mod equality;
mod head;
mod interfaces;
mod modules;
mod sections;

pub use descriptions::{Description, Descriptions, TooManyDecorations};
pub use equality::{are_described_equally, are_equal, are_equal_definitions};
pub use head::{DistinctInstructions, ResultEntryPoint};
pub use interfaces::{AddressReferences, InterfaceVariables, ReachedValues, is_raised, storage_class};
pub use modules::{
    DifferentMemoryModels, NamedModule, check_memory_models, common_generator, is_multi_target, latest,
};
pub use sections::Sections;
