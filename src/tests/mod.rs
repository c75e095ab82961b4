//! Parts of tests that the whole library shares with the packages beside it: they have these files as modules of their own.

mod assembler;
mod batch;
pub mod corpus;
pub mod ways;
