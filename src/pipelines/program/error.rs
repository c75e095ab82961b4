//! The errors of linking translation units.

use thiserror::Error;

use crate::metadata::property_sets::PropertyError;
use crate::pipelines::error::kinds_of_errors;
use crate::pipelines::{ModuleErrorKind, PipelineError};
use crate::transform::link::LinkError;

/// The cause of a failure to link translation units to a program.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// The properties of two translation units contradict each other.
    #[error(
        "{first} and {second}: their properties differ in `{property}` of [{set}], which can have one value in a program"
    )]
    Conflict {
        /// The unit that comes first.
        first: String,
        /// The other.
        second: String,
        /// The property set.
        set: String,
        /// The property.
        property: String,
    },
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
            ProgramError::Conflict { .. } => ModuleErrorKind::Link,
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
