//! The public interface of the library, which the program uses too. Everything else is internal to the engine.
//!
//! One file per call, with its options and results; public modules join files by subject. A call creates the analyses of a module
//! ([`Analyses`](crate::analysis::Analyses)) and runs the pipelines; no decision about a module is made here.

#[cfg(feature = "split")]
mod add_on;
mod annotations;
#[cfg(feature = "inspect")]
mod check;
mod condition;
mod device;
pub mod error;
mod hints;
mod host_values;
mod ids;
#[cfg(feature = "split")]
mod images;
#[cfg(feature = "inspect")]
pub mod inspect;
mod interface;
mod key;
#[cfg(feature = "link")]
pub mod link;
#[cfg(feature = "merge")]
pub mod merge;
pub mod module;
#[cfg(feature = "pack")]
pub mod pack;
#[cfg(feature = "split")]
mod post_link;
#[cfg(feature = "program")]
pub mod program;
mod properties;
pub mod property_sets;
pub mod ready;
pub mod specialize;
#[cfg(feature = "split")]
pub mod split;
#[cfg(test)]
mod tests;
#[cfg(feature = "inspect")]
mod trials;
pub mod trim;
mod validate;
#[cfg(feature = "inspect")]
mod vulkan;
#[cfg(all(feature = "inspect", not(feature = "split")))]
mod without_images;
#[cfg(all(feature = "inspect", not(feature = "split")))]
use without_images as images;

pub use condition::Condition;
