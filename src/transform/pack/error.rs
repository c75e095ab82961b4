use thiserror::Error;

use crate::analysis::AnalysisError;
use crate::condition::ConditionError;
use crate::transform::condition_constants::UnwritableCondition;

/// The reason that a module cannot be packed.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum PackError {
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A condition that cannot be written.
    #[error(transparent)]
    Unwritable(#[from] UnwritableCondition),
    /// An id whose condition comes through a decoration group and must change.
    #[error(
        "{0} is conditional through a decoration group and needs a narrower condition: decorate it alone"
    )]
    Grouped(String),
    /// Annotations that are not [expanded](crate::transform::expand::expand).
    #[error("the calls of {0} have an `otherwise`: expand the annotations first")]
    NotExpanded(String),
    /// A function in which one of several pointers would have to be chosen.
    #[error(
        "in {0}, the result of a conditional call is a pointer: with logical addressing, OpConditionalCopyObjectINTEL may not choose \
         between pointers. Have the functions return the value that is read through it, or specialize the module for each device \
         without packing it"
    )]
    PointerResult(String),
}
