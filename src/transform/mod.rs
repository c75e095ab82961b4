//! Answers in, [`Edits`] out. A transform is a function from a module and analysis results to edits; to compose two of them,
//! apply the first and load its result.

mod copies;
mod edits;
pub mod expand;
mod fold;
pub mod link;
pub mod pack;
mod places;
mod removal;
mod spec_ids;
pub mod specialize;
pub mod split;
mod strings;
pub mod trim;
pub mod variants;
pub mod work_around;

pub use edits::{Edit, Edits};
