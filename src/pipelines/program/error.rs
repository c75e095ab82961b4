//! The errors of linking translation units.

use thiserror::Error;

use crate::metadata::property_sets::PropertyError;
use crate::pipelines::error::kinds_of_errors;
use crate::pipelines::{ModuleErrorKind, PipelineError};
use crate::transform::link::LinkError;

/// The cause of a failure to link translation units to a program.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The properties beside a translation unit are malformed.
    #[error("{unit}: its properties: {error}")]
    UnitProperty {
        /// The unit.
        unit: String,
        /// The cause.
        error: PropertyError,
    },
    /// A translation unit is for fixed targets, and its list of targets is empty.
    #[error("{0}: its properties say that it runs on fixed targets only, and name none")]
    NoTarget(String),
}

impl ProgramError {
    /// Returns the kind of the error.
    fn kind(&self) -> ModuleErrorKind {
        match self {
            ProgramError::UnitProperty { .. } | ProgramError::NoTarget(_) => ModuleErrorKind::PropertySets,
        }
    }
}

impl From<ProgramError> for PipelineError {
    fn from(error: ProgramError) -> PipelineError {
        PipelineError::module(error.kind(), error)
    }
}

kinds_of_errors! {
    LinkError => module(ModuleErrorKind::Link),
}
