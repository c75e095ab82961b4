//! Applies edits in one pass, and writes what goes beside a module.

mod module;

pub use module::{WriteError, apply};
