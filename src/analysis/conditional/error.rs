use thiserror::Error;

use crate::analysis::conditions::multi_target::MultiTargetError;
use crate::analysis::requirements::aspect_sources::UnknownAspect;
use crate::analysis::sycl::declared_aspects::AspectError;
use crate::condition::ConditionError;

/// What can be wrong with the conditional code of a module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnalysisError {
    /// A conditional call whose arguments are no Condition Expression.
    #[error("in {caller}, the call of {callee} (byte offset {offset:#x}): {problem}")]
    Call {
        /// The function that holds the call.
        caller: String,
        /// The conditional caller.
        callee: String,
        /// Where the call stands, in bytes.
        offset: u64,
        /// What is wrong with it.
        problem: Box<CallProblem>,
    },
    /// A condition that is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
    /// What the module has conditional already contradicts itself.
    #[error(transparent)]
    MultiTarget(#[from] MultiTargetError),
    /// What a function declares of aspects cannot be read.
    #[error(transparent)]
    Aspects(#[from] AspectError),
    /// A type or function is said to need an aspect that does not exist.
    #[error(transparent)]
    UnknownAspect(#[from] UnknownAspect),
    /// The result of a function with a condition is used, and nothing says what it is where the condition does not hold.
    #[error(
        "{caller} uses the result of {function} (byte offset {offset:#x}), and there is none where its condition does not hold: \
         name with `otherwise` a function of the same type to call instead, or `otherwise: undef` if any value will do"
    )]
    NoOtherwise {
        /// The function with a condition.
        function: String,
        /// The function that uses its result.
        caller: String,
        /// Where the call stands, in bytes.
        offset: u64,
    },
    /// A function depends on too many constants of which annotations say what they stand for.
    #[error(
        "what runs in {function} depends on {count} constants that stand for conditions, and no more than {limit} can be told \
         apart: say of fewer what they stand for"
    )]
    Constants {
        /// The function.
        function: String,
        /// How many constants.
        count: usize,
        /// How many there may be.
        limit: usize,
    },
    /// `--export` names no function.
    #[error("no function is called {0}: give its OpName or linkage name, as `spirv-dis` prints it")]
    UnknownFunction(String),
}

/// What is wrong with one conditional call.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallProblem {
    /// The integer arguments are missing.
    #[error(
        "it has no trailing integer arguments, which hold the condition: an optimizer dropped them, or the wrapper was \
         written without. Put the condition into the wrapper's name, as the headers in include/spirv_if do, or keep the \
         arguments alive (an external function that is not inlined, or the form that passes a function pointer)"
    )]
    NoCondition,
    /// The name of the conditional caller begins as if it carried a condition, and there are no arguments that do.
    #[error(
        "its name is no condition from `{0}` on, and it has no trailing integer arguments that are one. Macros of \
         spirv_if/device_if.h write such a name if they do not know the aspect, architecture or capability that they are given"
    )]
    Name(String),
    /// The name of the conditional caller and its arguments both carry a condition.
    #[error("its name says the condition is [{name}], but its arguments say [{arguments}]")]
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
    /// The integers are no Condition Expression.
    #[error("its condition [{series}] is not one Condition Expression: {error}")]
    Series {
        /// The integers, separated by commas.
        series: String,
        /// Where they go wrong.
        error: ConditionError,
    },
    /// The conditional caller is only declared, and its first argument is not a function.
    #[error(
        "{0} has no body, so its first argument must be a function pointer (OpConstantFunctionPointerINTEL) to what is \
         called conditionally"
    )]
    NoPointer(String),
    /// The function pointer's function takes other arguments than the call gives.
    #[error(
        "{function} takes {expected} arguments, but {given} stand between the function pointer and the condition"
    )]
    Arguments {
        /// The conditional action.
        function: String,
        /// How many parameters it has.
        expected: usize,
        /// How many arguments the call passes on.
        given: usize,
    },
    /// The result of the call is used, and it would not exist where the condition is false.
    #[error(
        "its result {0} is used, but there is none where the condition is false: return nothing, and write the result \
         through a pointer"
    )]
    ResultUsed(String),
}
