//! `specialize` on modules in text, one test per rule of the extension and of this project's reading of it.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod conditions;
mod debug;
mod declarations;
mod linked;
mod random;
mod support;
mod sweep;
