//! Types and constants that nothing uses, and that a device without some features rejects all the same.

use super::lacked::LackedFeatures;
use super::required::{CodeRequirements, RequiredFeatures};
use crate::analysis::{Analyses, AnalysisError};
use crate::transform::Edits;
use crate::transform::removal::without_unused_definitions;

/// Removes the types and constants of a module that require a missing feature and that nothing uses.
///
/// # Errors
/// If conditional code is malformed, or annotations name an unknown aspect.
pub fn without_unused(analyses: &Analyses, lacked: &LackedFeatures) -> Result<Edits, AnalysisError> {
    let module = analyses.module();
    let code = CodeRequirements::default();
    let required = RequiredFeatures::new(analyses, &code, lacked)?;
    Ok(without_unused_definitions(module, &|id| !required.of_definition(id).is_empty()))
}
