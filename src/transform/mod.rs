//! Answers in, [`Edits`] out. A transform is a function from a module and analysis results to edits; to compose two of them,
//! apply the first and load its result.

mod carry;
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
pub mod trim;
pub mod variants;
pub mod work_around;

pub use carry::carry;
pub use edits::{Edit, Edits};
