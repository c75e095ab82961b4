//! What can be wrong with an annotations file for a module.

use thiserror::Error;

use crate::analysis::in_one_line;
use crate::condition::ConditionError;
use crate::sidecar::annotations::{Annotations, Position};

/// An entry of an annotations file that does not fit a module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{source_name}:{line}: {problem}")]
pub struct AnnotationError {
    /// The annotations file.
    pub source_name: String,
    /// The line, from 1.
    pub line: usize,
    /// What does not fit.
    pub problem: Box<AnnotationProblem>,
}

impl AnnotationError {
    pub(super) fn new(annotations: &Annotations, position: Position, problem: AnnotationProblem) -> Self {
        let source_name = annotations.source_name().to_owned();
        AnnotationError { source_name, line: annotations.line(position), problem: Box::new(problem) }
    }
}

/// What does not fit.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationProblem {
    /// Two entries say different things of one function.
    #[error(
        "`{key}` of the function {function} is another in line {other}: let one of the two entries match fewer functions, or let \
         both say the same"
    )]
    Contradiction {
        /// The key.
        key: &'static str,
        /// The function.
        function: String,
        /// The line of the other.
        other: usize,
    },
    /// Two conditions are too large to be compared.
    #[error("the conditions of the function {function} here and in line {other}: {error}")]
    Incomparable {
        /// The function.
        function: String,
        /// The line of the other.
        other: usize,
        /// Why.
        error: ConditionError,
    },
    /// `when` of an entry point.
    #[error(
        "{0} is an entry point, which no call reaches, so `when` has nothing to make conditional: name the functions that it calls"
    )]
    EntryPoint(String),
    /// `when` of a conditional caller.
    #[error(
        "{0} says by its name that its calls are conditional, and its arguments say when: take `when` away, or rename the function"
    )]
    ConditionalCaller(String),
    /// `otherwise` without `when`.
    #[error(
        "`otherwise` says what is called where `when` of the function {0} does not hold, but it has no `when`: add one"
    )]
    NoCondition(String),
    /// `otherwise` names nothing.
    #[error(
        "`otherwise` names `{}`, which no function of the module is called{}",
        in_one_line(name),
        or_left_out(nearest)
    )]
    UnknownFunction {
        /// The name.
        name: String,
        /// Names that look like it.
        nearest: Vec<String>,
    },
    /// `otherwise` names an entry point.
    #[error("`otherwise` names {0}, which is an entry point: no function may call that")]
    OtherwiseEntryPoint(String),
    /// `otherwise` names several functions.
    #[error(
        "`otherwise` names `{}`, which may be any of {}: give more of the name, or the id in quotes",
        in_one_line(name),
        candidates.join(", ")
    )]
    Ambiguous {
        /// The name.
        name: String,
        /// What it may be.
        candidates: Vec<String>,
    },
    /// `otherwise` names a function of another type.
    #[error(
        "{otherwise} cannot be called instead of {function}, as its type is `{found}`, not `{expected}`: name a function with the \
         same parameters and result"
    )]
    Type {
        /// The function that has the condition.
        function: String,
        /// Its type.
        expected: String,
        /// The function to be called instead.
        otherwise: String,
        /// Its type.
        found: String,
    },
    /// `otherwise` names the function itself.
    #[error(
        "{0} cannot be called instead of itself: name another function, or let the entry match fewer functions"
    )]
    Itself(String),
    /// `otherwise` leads back.
    #[error(
        "{otherwise} cannot be called instead of {function}, as it leads to a call of {function} itself, which would never end"
    )]
    Recursive {
        /// The function that has the condition.
        function: String,
        /// The function to be called instead.
        otherwise: String,
    },
    /// A constant that is of no type that can be a condition.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, stands for no condition: it must be an OpSpecConstantTrue or \
         OpSpecConstantFalse, or an OpSpecConstant of an integer type"
    )]
    Constant {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// A constant whose SpecId a group brings.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, has its SpecId from a decoration group, which is not supported: run \
         `spirv-opt --flatten-decorations` before"
    )]
    Grouped {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// An entry that matches nothing in any module.
    #[error("{0}")]
    Unmatched(String),
}

/// The end of a message about a name that nothing has.
pub(super) fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; did you mean `{}`?", in_one_line(&names.join("` or `"))),
    }
}

/// The end of a message about a function that nothing calls yet.
fn or_left_out(nearest: &[String]) -> String {
    match nearest {
        [] => ": compilers leave out what nothing calls, unless they are told to keep it (glslang: `--keep-uncalled`)"
            .to_owned(),
        _ => did_you_mean(nearest),
    }
}
