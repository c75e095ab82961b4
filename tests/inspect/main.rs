//! What `inspect` prints.

#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;
mod files;
