//! Comparison of the findings of `inspect` with independent answers.

mod json;
mod packed;
mod rules;
mod sufficient;

use crate::analysis::Analyses;
use crate::inspection::{Inspected, study};
use crate::metadata::property_sets::PropertySets;

/// Returns the findings on a module without properties.
fn inspected(analyses: &Analyses) -> Inspected {
    study(analyses, &PropertySets::default(), |study| study.inspected(None, true)).unwrap()
}
