//! The public interface of the library, which the program uses too. Everything else is internal to the engine.
//!
//! One file per call, with its options and results; public modules join files by subject. A call creates the analyses of a module
//! ([`Analyses`](crate::analysis::Analyses)) and runs the pipelines; no decision about a module is made here.

mod annotations;
mod assembly;
mod condition;
mod device;
pub mod error;
mod hints;
mod host_values;
mod ids;
mod interface;
mod key;
pub mod link;
pub mod merge;
pub mod module;
pub mod pack;
mod properties;
pub mod property_sets;
pub mod ready;
pub mod specialize;
#[cfg(test)]
mod tests;
pub mod trim;
mod validate;

pub use condition::Condition;
