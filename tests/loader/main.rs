//! The loader and the writer: a module is its words, whatever they are, and bad input is one clear error.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod bad_input;
mod corruption;
mod embedded;
mod round_trip;
mod synthesis;
mod walk;
