//! The headers for device code in `include/spirv_if`, and the pages about them.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod built;
mod conditions;
mod host;
mod pages;
