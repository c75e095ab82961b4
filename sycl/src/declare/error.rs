//! The error of making add-on images.

use thiserror::Error;

use spirv_if::device::Capability;
use spirv_if::engine::analysis::AnalysisError;
use spirv_if::engine::condition::{ConditionError, Expr};

/// The cause for which the conditional actions of a module cannot be in images of their own.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AddOnError {
    /// A conditional entry point.
    #[error(
        "the entry point `{0}` is conditional: an image has its entry points on every device. Specialize the module for each device instead"
    )]
    EntryPoint(String),
    /// A condition on a specialization constant that does not mean a feature of a device.
    #[error(
        "in {function}, a call depends on {constant}, which no property set gives a meaning: the host of an add-on image chooses by the \
         device alone"
    )]
    Unnamed {
        /// The function that holds the call.
        function: String,
        /// The constant.
        constant: String,
    },
    /// A choice between values that are not results of conditional calls of the same arguments.
    #[error(
        "in {0}, OpConditionalCopyObjectINTEL chooses between values that are not the results of calls with the same arguments: an image \
         can only replace a function"
    )]
    Choice(String),
    /// Code outside of conditional calls depends on a condition.
    #[error(
        "in {0}, an instruction that is not a call is conditional, or uses a constant of SPV_INTEL_function_variants: only functions can be in \
         images of their own"
    )]
    Instruction(String),
    /// Conditional actions that call each other in a circle.
    #[error(
        "the conditional action {0} calls itself through other conditional calls: SPIR-V has no recursion"
    )]
    Recursive(String),
    /// Too many images.
    #[error(
        "more than {0} add-on images: each conditional call within a conditional action has images of its own for each way to it. Pack the \
         module instead"
    )]
    TooMany(usize),
    /// A call whose types require a capability that not all of its devices have.
    #[error(
        "{} calls {callee}, whose parameters or result need {capability}, which {} need not have: the call itself would be in an image \
         for it. Pass the value in memory, or pack the module instead", .callers.join(", "), device(.condition)
    )]
    CallType {
        /// The functions that hold the call.
        callers: Vec<String>,
        /// The action.
        callee: String,
        /// The capability.
        capability: Capability,
        /// The condition of the image; none for a main image.
        condition: Option<String>,
    },
    /// A variable that several images share, but that their common image cannot define.
    #[error(
        "{name} is used under several conditions, and its type needs {capability}, which {} need not have: no image that is always \
         there can define it. Give each action a variable of its own, or pack the module instead", device(.condition)
    )]
    Variable {
        /// The variable.
        name: String,
        /// The capability.
        capability: Capability,
        /// The condition of the image; none for a main image.
        condition: Option<String>,
    },
    /// Storage of a pipe that several images share.
    #[error(
        "{0} is the storage of a pipe, which one image cannot import from another: use it in the kernel, or under one condition alone"
    )]
    Pipe(String),
    /// An image would declare a capability that is missing on some of its devices.
    #[error(
        "an image for {} would declare {capability}, which need not be there. Pack the module instead", device(.condition)
    )]
    Capability {
        /// The capability.
        capability: Capability,
        /// The condition of the image; none for a main image.
        condition: Option<String>,
    },
    /// The conditional code is malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition is out of bounds.
    #[error(transparent)]
    Condition(#[from] ConditionError),
}

/// Returns a device on which a condition holds, in words.
fn device(condition: &Option<String>) -> String {
    match condition {
        Some(condition) => format!("a device with {condition}"),
        None => "a device".to_owned(),
    }
}

/// The meaning of the constant of a condition: an expression over features of devices, or a description of the operand
/// without such a meaning.
pub type Meaning = Result<Expr, String>;
