//! What needs a capability: every rule of `spec-extensions/capability-rules.csv`, what comes from the grammar, and what is not
//! known, judged by `trim` and by spirv-val.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;

mod added;
mod cases;
mod declarations;
mod families;
mod indices;
mod rules;
mod subject;
mod unknown;
