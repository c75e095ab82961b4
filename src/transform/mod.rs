//! Transforms: functions from a module and analysis results to [`Edits`]. To compose two of them, apply the first and load its
//! result.

pub mod adapt;
#[cfg(feature = "split")]
pub mod add_on;
mod body;
pub mod bound_parts;
pub mod cloning;
#[cfg(feature = "pack")]
pub mod condition_constants;
#[cfg(feature = "link")]
pub mod definitions;
mod delta_words;
mod edits;
#[cfg(feature = "pack")]
pub mod expand;
mod fold;
mod insertion;
#[cfg(feature = "link")]
pub mod link;
#[cfg(any(feature = "merge", feature = "split"))]
pub mod link_names;
pub mod lower;
#[cfg(feature = "merge")]
pub mod merge;
mod new_definitions;
#[cfg(feature = "pack")]
pub mod outline;
#[cfg(feature = "pack")]
pub mod pack;
pub mod predicates;
pub mod properties;
mod removal;
pub mod restore;
mod settle;
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
