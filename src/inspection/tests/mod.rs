//! Comparison of the findings of `inspect` with independent answers.

mod answer;
mod json;
mod packed;
mod rules;
mod sufficient;

use crate::analysis::Analyses;
use crate::inspection::{Inspected, with_context};
use crate::metadata::property_sets::PropertySets;

/// Returns the findings on a module without properties.
fn inspected(analyses: &Analyses) -> Inspected {
    with_context(analyses, &PropertySets::default(), |context| context.inspected(None, true)).unwrap()
}
