//! Constants that are set, the branches that they decide, and what goes with these.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod compare;
mod flow;
mod phis;
mod planted;
mod shapes;
#[path = "../specialize/support.rs"]
mod support;
