//! Aspects and sizes, and what `check` says of them.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod aspects;
mod sizes;
mod warnings;
