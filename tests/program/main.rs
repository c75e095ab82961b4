//! What the program does that takes more than a case of `tests/cases`.

// Tests may unwrap; the lint only knows it of test functions, not of what they share.
#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;
mod facade;
mod frontends;
mod headers;
mod inspect;
mod post_link;
#[cfg(all(feature = "probe", target_os = "linux"))]
mod probe;
mod readme;
