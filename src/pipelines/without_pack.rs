//! In place of `pack`, without the feature `pack`: conditional calls of a compiler's module cannot be decided.

use thiserror::Error;

use super::error::kinds_of_errors;
use super::{DecidedCalls, ModuleErrorKind, PipelineError};
use crate::analysis::Analyses;
use crate::device::Device;
use crate::transform::cloning::CloneLimit;

/// The module has conditional calls, and nothing in this build decides them.
#[derive(Debug, Error)]
#[error(
    "the module has conditional calls and is not packed, and this build of the library has no packing: pack the module \
     first (spirv-if pack)"
)]
struct NotPacked;

kinds_of_errors! {
    NotPacked => module(ModuleErrorKind::Pack),
}

/// Refuses the module.
///
/// # Errors
/// Always.
pub fn decide_calls(_: &Analyses, _: &Device, _: CloneLimit) -> Result<DecidedCalls, PipelineError> {
    Err(NotPacked.into())
}
