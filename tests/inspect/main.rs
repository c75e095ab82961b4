//! What `inspect` finds, against independent answers.

#![allow(clippy::unwrap_used)]

#[path = "../../src/test_support/mod.rs"]
mod common;
mod files;
mod json;
mod packed;
mod sufficient;

use spirv_if::analysis::Annotated;
use spirv_if::inspection::{Inspected, study};
use spirv_if::loader::Module;
use spirv_if::properties::PropertySets;

/// What is found of a module without properties.
fn inspected(words: &[u32]) -> Inspected {
    let module = Module::from_words(words).unwrap();
    study(&module, &PropertySets::default(), &Annotated::default(), |study| study.inspected()).unwrap()
}
