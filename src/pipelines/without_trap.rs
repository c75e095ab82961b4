//! In place of `trap`, without the feature `trap`: requests for traps are refused.

use thiserror::Error;

use super::error::kinds_of_errors;
use super::{ModuleBuffer, ModuleProperties, PipelineError, RequestErrorKind, SpecializeRequest};
use crate::analysis::{Analyses, Annotated};
use crate::device::Device;
use crate::transform::trap::{DecidingValues, LackedFeatures, ModuleTraps, Trap, TrapAnalyses};

/// Traps are not in this library.
#[derive(Debug, Error)]
#[error("this build of the library does not write traps: build it with the feature `trap`")]
struct NoTraps;

kinds_of_errors! {
    NoTraps => request(RequestErrorKind::Options),
}

/// Returns none.
///
/// # Errors
/// Never.
pub fn values_without(
    _: &Analyses,
    _: &TrapAnalyses,
    _: &ModuleProperties,
    _: &LackedFeatures,
    _: &SpecializeRequest,
) -> Result<DecidingValues, PipelineError> {
    Ok(DecidingValues::default())
}

/// Refuses the request.
///
/// # Errors
/// Always.
pub fn with_traps<'m>(
    _: &Analyses,
    _: Option<&Annotated>,
    _: ModuleBuffer<'m>,
    _: &Device,
    _: &Trap,
    _: bool,
) -> Result<(ModuleBuffer<'m>, ModuleTraps), PipelineError> {
    Err(NoTraps.into())
}
