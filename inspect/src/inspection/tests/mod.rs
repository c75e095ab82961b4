//! Comparison of the findings of `inspect` with independent answers.

mod answer;
mod json;
mod packed;
mod rules;
mod sufficient;

use crate::inspection::{Inspected, with_context};
use spirv_if::engine::analysis::Analyses;
use spirv_if::property_sets::PropertySets;

/// Returns the findings on a module without properties.
fn inspected(analyses: &Analyses) -> Inspected {
    with_context(analyses, &PropertySets::default(), |context| context.inspected(None, true)).unwrap()
}
