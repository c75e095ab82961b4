//! Where instructions come from in the source: what real compilers write, and the scope rules in text.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod compilers;
mod disassembly;
mod rules;
