//! The public interface of the library, which the program uses too. Everything else is internal to the engine.
//!
//! One file per call, with its options and results; public modules join files by subject. A call creates the analyses of a module
//! ([`Analyses`](crate::analysis::Analyses)) and runs the pipelines; no decision about a module is made here.

mod add_on;
mod annotations;
mod check;
mod condition;
mod device;
pub mod error;
mod host_values;
mod ids;
pub mod inspect;
mod interface;
mod key;
pub mod link;
pub mod merge;
pub mod module;
pub mod pack;
mod post_link;
pub mod program;
mod properties;
pub mod property_sets;
pub mod specialize;
pub mod split;
#[cfg(test)]
mod tests;
pub mod trim;

pub use condition::Condition;
