//! Applies edits in one pass, and writes what goes beside a module.

mod module;
mod removed;

pub use module::{WriteError, apply, apply_in_place};
pub use removed::removed;
