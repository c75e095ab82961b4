//! Errors in an annotations file itself.

use thiserror::Error;

/// An annotations file that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{source_name}:{line}: {message}")]
pub struct AnnotationsError {
    /// The file.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// The error and its remedy.
    pub message: String,
}
