//! `pack` on modules in text and on the fixtures.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod annotated;
mod caller_names;
mod conditional_calls;
mod cut;
mod fixtures;
mod gates;
mod leaves;
mod multi_target;
mod packed;
mod properties;
mod rules;
