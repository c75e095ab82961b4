//! Answers in, [`Edits`] out. A transform is a function from a module and analysis results to edits; to compose two of them,
//! apply the first and load its result.

mod edits;
mod fold;
pub mod pack;
mod removal;
pub mod specialize;
pub mod trim;

pub use edits::{Edit, Edits};
