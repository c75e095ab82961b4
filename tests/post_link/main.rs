//! The images of programs: for one device and for any, from one translation unit and from several.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;
mod one_unit;
mod support;
mod units;
#[path = "../common/ways.rs"]
mod ways;
