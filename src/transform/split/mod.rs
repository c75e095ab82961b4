//! Parts of a module that stand alone: some of its roots, and what only these need (seed "optional kernel features", "Changes to
//! the device code split algorithm").
//!
//! What refers to what is read once ([`Graph`]). A part is then made of what is in it, not by a look at all that is not: so many
//! parts of a large module cost little more than what is in them.

mod about;
mod beside;
mod graph;
mod initializers;
mod part;
mod roots;
mod state;

pub use graph::Graph;
pub use part::Part;
pub use roots::{Root, roots};
pub use state::state;
