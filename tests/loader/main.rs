//! The loader and the writer: a module is its words, whatever they are, and bad input is one clear error.

#![allow(clippy::unwrap_used)]

#[path = "../common/mod.rs"]
mod common;

mod bad_input;
mod corruption;
mod round_trip;
mod synthesis;
mod walk;
