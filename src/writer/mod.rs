//! Applies edits in one pass, and writes what goes beside a module.

mod module;
pub mod property_sets;

pub use module::{WriteError, apply};
