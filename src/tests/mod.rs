//! Tests of all parts of the library together.

mod batch;
pub mod corpus;
mod corrupted;
pub mod damage;
pub mod once;
pub mod tally;
