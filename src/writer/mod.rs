//! Applies edits in one pass, and writes what goes beside a module.

mod module;
mod properties;
mod removed;

pub use module::{WriteError, apply, apply_in_place};
pub use properties::{carry_over, property_sets};
pub use removed::removed;
