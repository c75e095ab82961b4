//! The errors of splitting.

use thiserror::Error;

use crate::checks::{CheckError, SharedVariable};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::error::ModuleErrorKind;
use spirv_if::kinds_of_errors;

/// The cause of a failure to split a module.
#[derive(Debug, Error)]
pub enum SplitError {
    /// A module without entry points cannot be split by kernel.
    #[error(
        "the module has no entry point, so there is nothing to split by kernel; split it by source, or not at all (off)"
    )]
    NoEntryPoint,
    /// The module has neither entry points nor exported functions.
    #[error(
        "the module has neither an entry point nor an exported function, so all images would be empty: add one"
    )]
    NoRoots,
    /// The module has graphs, which no image would have.
    #[error("the module has graphs (OpGraphARM), which cannot be split: use it as it is")]
    Graphs,
    /// Several images require a variable that only one image may have.
    #[error("{0}; its property 'sycl-device-image-scope' allows only one")]
    ImageScope(SharedVariable),
    /// A fixed target has no aspect, so the property cannot name it.
    #[error(
        "device `{0}` cannot be a fixed target: it has no known architecture, so no aspect names it. Use a device with an architecture"
    )]
    NoArchitecture(String),
}

impl SplitError {
    /// Returns the kind of the error.
    fn kind(&self) -> ModuleErrorKind {
        match self {
            SplitError::NoArchitecture(_) => ModuleErrorKind::Device,
            _ => ModuleErrorKind::Split,
        }
    }
}

impl From<SplitError> for PipelineError {
    fn from(error: SplitError) -> PipelineError {
        PipelineError::module(error.kind(), error)
    }
}

kinds_of_errors! {
    CheckError => module(ModuleErrorKind::ConditionalCode),
}
