//! Tests of all parts of the library together.

mod corrupted;
mod once;
pub mod tally;
