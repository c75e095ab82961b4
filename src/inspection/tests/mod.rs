//! The findings of `inspect`, compared with independent answers.

mod json;
mod packed;
mod sufficient;

use crate::analysis::Analyses;
use crate::inspection::{Inspected, study};
use crate::loader::Module;
use crate::sidecar::property_sets::PropertySets;

/// The findings on a module without properties.
fn inspected(words: &[u32]) -> Inspected {
    let module = Module::from_words(words).unwrap();
    study(&Analyses::of(&module), &PropertySets::default(), |study| study.inspected(None)).unwrap()
}
