//! The headers for device code in `include/spirv_if`.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

mod names;
