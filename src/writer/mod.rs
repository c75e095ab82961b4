//! Applies edits to a module in one pass.

mod module;
mod removed;

pub use module::{WriteError, apply, apply_in_place};
pub use removed::removed;
