//! Device code split, on every fixture: what is in an image, that it stands alone, and what it requires.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;
mod images;
mod requirements;
mod support;
