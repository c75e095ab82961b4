use thiserror::Error;

use crate::analysis::AnalysisError;
use crate::condition::ConditionError;

/// The reason that annotations cannot be expanded.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExpandError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
}
