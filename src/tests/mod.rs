//! What tests of the whole library share, also those of the packages beside this one: they have these files as modules of their own.

mod batch;
pub mod corpus;
pub mod ways;
