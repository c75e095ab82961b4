//! Transforms: functions from a module and analysis results to [`Edits`]. To compose two of them, apply the first and load its
//! result.

pub mod add_on;
pub mod cloning;
pub mod condition_constants;
pub mod definitions;
mod delta_words;
mod edits;
pub mod expand;
mod fold;
mod insertion;
pub mod link;
pub mod merge;
pub mod outline;
pub mod pack;
pub mod predicates;
pub mod properties;
mod removal;
mod settle;
pub mod specialize;
pub mod split;
mod strip;
pub mod trim;
pub mod version;
pub mod work_around;

pub use delta_words::{DeltaWords, instructions};
pub use edits::{Edit, Edits, NewInstruction};
pub use insertion::carry;
pub use strip::strip;
