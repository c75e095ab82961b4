//! Transforms: functions from a module and analysis results to [`Edits`]. To compose two of them, apply the first and load its
//! result.

pub mod adapt;
mod body;
pub mod bound_parts;
pub mod cloning;
pub mod condition_constants;
pub mod definitions;
mod delta_words;
mod edits;
pub mod expand;
mod fold;
pub mod insertion;
pub mod link;
pub mod link_names;
pub mod lower;
pub mod merge;
mod new_definitions;
pub mod outline;
pub mod pack;
pub mod predicates;
pub mod properties;
pub mod removal;
pub mod restore;
pub mod settle;
mod spec_ids;
pub mod specialize;
pub mod split;
mod strip;
pub mod trap;
pub mod trim;
pub mod version;
pub mod work_around;

pub use delta_words::{DeltaWords, instructions};
pub use edits::{Edit, Edits, NewInstruction};
pub use insertion::carry;
pub use strip::strip;
