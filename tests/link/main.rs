//! Linking: compilers' modules, against spirv-link, against what they were before, and every error.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

mod alone;
mod apart;
#[path = "../../src/test_support/mod.rs"]
mod common;
mod compare;
mod errors;
mod fixtures;
mod made;
mod names;
mod support;
