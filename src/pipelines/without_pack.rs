//! In place of `pack`, without the feature `pack`: conditional calls of a compiler's module cannot be decided.

use super::{DecidedCalls, PipelineError};
use crate::analysis::{Analyses, AnalysisError};
use crate::device::Device;
use crate::transform::cloning::CloneLimit;

/// Refuses the module.
///
/// # Errors
/// Always.
pub fn decide_calls(_: &Analyses, _: &Device, _: CloneLimit) -> Result<DecidedCalls, PipelineError> {
    Err(AnalysisError::NotPacked.into())
}
