//! Tests of all parts of the library together.

pub mod corpus;
mod corrupted;
mod once;
pub mod tally;
