//! Errors in an annotations file with respect to a module.

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
    /// The problem.
    pub problem: Box<AnnotationProblem>,
}

impl AnnotationError {
    pub(super) fn new(annotations: &Annotations, position: Position, problem: AnnotationProblem) -> Self {
        let source_name = annotations.source_name().to_owned();
        AnnotationError { source_name, line: annotations.line(position), problem: Box::new(problem) }
    }
}

/// The problem with an entry of an annotations file.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnnotationProblem {
    /// Two entries disagree about one function.
    #[error(
        "`{key}` of the function {function} contradicts line {other}: let one of the two entries match fewer functions, or make \
         them agree"
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
    #[error("the conditions of the function {function} here and in line {other} cannot be compared: {error}")]
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
        "{0} is an entry point, which nothing calls, so `when` has no calls to make conditional: name the functions that it calls"
    )]
    EntryPoint(String),
    /// `when` of a conditional caller.
    #[error(
        "{0} is a conditional caller by its name, and its arguments hold the condition: remove `when`, or rename the function"
    )]
    ConditionalCaller(String),
    /// `otherwise` without `when`.
    #[error(
        "`otherwise` applies where `when` of the function {0} does not hold, but the function has no `when`: add one"
    )]
    NoCondition(String),
    /// `otherwise` names nothing.
    #[error(
        "`otherwise` names `{}`, but no function of the module has that name{}",
        in_one_line(name),
        or_removed(nearest)
    )]
    UnknownFunction {
        /// The name.
        name: String,
        /// Names that look like it.
        nearest: Vec<String>,
    },
    /// `otherwise` names an entry point.
    #[error("`otherwise` names {0}, which is an entry point: entry points cannot be called")]
    OtherwiseEntryPoint(String),
    /// `otherwise` names several functions.
    #[error(
        "`otherwise` names `{}`, which is ambiguous ({}): give more of the name, or the id in quotes",
        in_one_line(name),
        candidates.join(", ")
    )]
    Ambiguous {
        /// The name.
        name: String,
        /// The functions that match it.
        candidates: Vec<String>,
    },
    /// `otherwise` names a function of another type.
    #[error(
        "{otherwise} cannot be called instead of {function}: its type is `{found}`, not `{expected}`; name a function with the \
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
    /// `otherwise` leads back to the function.
    #[error(
        "{otherwise} cannot be called instead of {function}: it leads back to {function}, so the call would never end"
    )]
    Recursive {
        /// The function that has the condition.
        function: String,
        /// The function to be called instead.
        otherwise: String,
    },
    /// A constant whose type cannot hold a condition.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, cannot be bound to a condition: it must be an OpSpecConstantTrue, an \
         OpSpecConstantFalse, or an OpSpecConstant of an integer type"
    )]
    Constant {
        /// The SpecId.
        spec_id: u32,
        /// The constant.
        constant: String,
    },
    /// A constant whose SpecId comes from a decoration group.
    #[error(
        "the constant with SpecId {spec_id}, {constant}, has its SpecId from a decoration group, which is not supported: run \
         `spirv-opt --flatten-decorations` first"
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

/// The suggestion at the end of a message about an unknown name.
pub(super) fn did_you_mean(nearest: &[String]) -> String {
    match nearest {
        [] => String::new(),
        names => format!("; did you mean `{}`?", in_one_line(&names.join("` or `"))),
    }
}

/// The end of a message about an unknown function, which a compiler may have removed.
fn or_removed(nearest: &[String]) -> String {
    match nearest {
        [] => ": compilers remove functions that nothing calls, unless an option keeps them (glslang: `--keep-uncalled`)"
            .to_owned(),
        _ => did_you_mean(nearest),
    }
}
