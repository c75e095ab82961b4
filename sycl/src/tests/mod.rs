//! Tests of all parts of the package together.

mod add_on;
mod carried;
mod clones;
mod program;
mod results;
mod units_and_images;

#[path = "../../../src/tests/corpus.rs"]
pub mod corpus;
#[path = "../../../src/tests/ways.rs"]
pub mod ways;
