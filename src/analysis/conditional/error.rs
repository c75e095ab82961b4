//! Errors of the analyses.

use thiserror::Error;

use crate::analysis::conditions::multi_target::MultiTargetError;
use crate::analysis::conditions::predicates::PredicateError;
use crate::analysis::requirements::aspect_sources::UnknownAspect;
use crate::analysis::sycl::declared_aspects::AspectError;
use crate::condition::ConditionError;

/// An error in the conditional code of a module, or in its declarations.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A conditional call whose arguments are not a Condition Expression.
    #[error("in {caller}, the call of {callee} (byte offset {offset:#x}): {problem}")]
    Call {
        /// The function that holds the call.
        caller: String,
        /// The conditional caller.
        callee: String,
        /// The byte offset of the call.
        offset: u64,
        /// The problem.
        problem: Box<CallProblem>,
    },
    /// A condition that is too large.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// A contradiction between the module's own conditions.
    #[error(transparent)]
    MultiTarget(#[from] MultiTargetError),
    /// A table of predicates that cannot be read.
    #[error(transparent)]
    Predicates(#[from] PredicateError),
    /// Declared aspects that cannot be read.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// An unknown aspect, as the requirement of a type or function.
    #[error(transparent)]
    UnknownAspect(#[from] UnknownAspect),
    /// The result of a function with a condition is used, but undefined where the condition does not hold.
    #[error(
        "{caller} uses the result of {function} (byte offset {offset:#x}), which has none where its condition does not hold: \
         name a function of the same type to call instead with `otherwise`, or write `otherwise: undef` if any value will do"
    )]
    NoOtherwise {
        /// The function with a condition.
        function: String,
        /// The function that uses its result.
        caller: String,
        /// The byte offset of the call.
        offset: u64,
    },
    /// A function depends on too many bound specialization constants.
    #[error(
        "the control flow of {function} depends on {count} bound constants; at most {conditions} different conditions, with \
         {cases} combinations of values, are supported in a function: bind fewer constants, or several to one condition"
    )]
    Constants {
        /// The function.
        function: String,
        /// The number of bound constants.
        count: usize,
        /// The greatest number of different conditions that is supported.
        conditions: usize,
        /// The greatest number of combinations of values that is supported.
        cases: usize,
    },
    /// `--export` names no function.
    #[error("no function is named {0}: give its OpName or linkage name, as `spirv-dis` prints it")]
    UnknownFunction(String),
}

/// The problem with one conditional call.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallProblem {
    /// The integer arguments are missing.
    #[error(
        "it has no trailing integer arguments that hold the condition: an optimizer removed them, or the wrapper was \
         written without them. Put the condition into the wrapper's name, as the headers in include/spirv_if do, or keep the \
         arguments alive (an external function that is not inlined, or the form that passes a function pointer)"
    )]
    NoCondition,
    /// The name of the conditional caller starts like a condition but is not a condition, and no arguments hold one.
    #[error(
        "its name is not a condition from `{0}` on, and it has no trailing integer arguments that are one. Macros of \
         spirv_if/device_if.h generate such a name for an unknown aspect, architecture or capability"
    )]
    Name(String),
    /// The name of the conditional caller and its arguments hold different conditions.
    #[error("the condition in its name is [{name}], but the one in its arguments is [{arguments}]")]
    Disagreement {
        /// The integers in the name, separated by commas.
        name: String,
        /// The integers in the arguments.
        arguments: String,
    },
    /// An argument is OpUndef.
    #[error(
        "argument {0} is OpUndef: an optimizer replaced the condition because the wrapper does not read it. Put the \
         condition into the wrapper's name, as the headers in include/spirv_if do, or keep the arguments alive (an external function that is not inlined)"
    )]
    Undefined(usize),
    /// An argument has no constant value.
    #[error(
        "argument {0} of the condition is not a constant ({1}): a condition must be known when the module is compiled"
    )]
    NotConstant(usize, String),
    /// The integers are not a Condition Expression.
    #[error("its condition [{series}] is not a Condition Expression: {error}")]
    Series {
        /// The integers, separated by commas.
        series: String,
        /// The error in them.
        error: ConditionError,
    },
    /// The conditional caller is only declared, and its first argument is not a function.
    #[error(
        "{0} has no body, so its first argument must be the conditional action, or a function pointer \
         (OpConstantFunctionPointerINTEL) to it"
    )]
    NoPointer(String),
    /// The function pointer's function takes another number of arguments.
    #[error(
        "{function} takes {expected} arguments, but there are {given} between the function pointer and the condition"
    )]
    Arguments {
        /// The conditional action.
        function: String,
        /// The number of its parameters.
        expected: usize,
        /// The number of arguments that the call passes on.
        given: usize,
    },
    /// The result of the call is used, but undefined where the condition does not hold.
    #[error(
        "its result {0} is used, but undefined where the condition does not hold: return nothing, and write the result \
         through a pointer"
    )]
    ResultUsed(String),
}
