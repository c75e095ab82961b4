//! In place of `adapt` and `lower`, without the feature `adapt`: requests for other constructs, an older version or fewer features are refused.

use thiserror::Error;

use super::error::kinds_of_errors;
use super::{ModuleBuffer, PipelineError, RequestErrorKind};
use crate::device::Device;
use crate::loader::Version;
use crate::transform::adapt::AppliedAdaptation;
use crate::transform::lower::{FeaturesToLower, LoweredFeature};
use crate::transform::version::TooNew;

/// Adaptation is not in this library.
#[derive(Debug, Error)]
#[error(
    "this build of the library does not adapt modules to devices and versions: build it with the feature `adapt`"
)]
struct NoAdaptation;

kinds_of_errors! {
    NoAdaptation => request(RequestErrorKind::Options),
}

/// Returns a module of an old enough version unchanged.
///
/// # Errors
/// If the module is of a newer version.
pub(super) fn at_most<'m>(
    version: Version,
    words: ModuleBuffer<'m>,
    _: &mut Vec<AppliedAdaptation>,
    _: &mut Option<TooNew>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    if words.version() <= version { Ok(words) } else { Err(NoAdaptation.into()) }
}

/// Refuses the request.
///
/// # Errors
/// Always.
pub(super) fn adapted<'m>(
    _: &Device,
    _: ModuleBuffer<'m>,
    _: &mut Vec<AppliedAdaptation>,
    _: &mut Option<TooNew>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    Err(NoAdaptation.into())
}

/// Refuses the request.
///
/// # Errors
/// Always.
pub(super) fn lowered<'m>(
    _: &FeaturesToLower,
    _: &[&Device],
    _: ModuleBuffer<'m>,
    _: &mut Vec<LoweredFeature>,
) -> Result<ModuleBuffer<'m>, PipelineError> {
    Err(NoAdaptation.into())
}
