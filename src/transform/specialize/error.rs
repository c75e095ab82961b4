use thiserror::Error;

use crate::analysis::AnalysisError;
use crate::analysis::conditions::multi_target::describe;
use crate::loader::{Function, Module};

/// The reason that a module cannot be specialized.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SpecializeError {
    /// The module's conditional constructs are malformed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A condition that is not a scalar Boolean constant.
    #[error("the condition {condition} is not a scalar Boolean constant: fix the tool that made the module")]
    Condition {
        /// The id that is used as a condition.
        condition: String,
    },
    /// ConditionalINTEL on something that it may not decorate.
    #[error(
        "ConditionalINTEL decorates {target}, an {opcode} inside a function: only functions, calls, extended \
         instructions and module-scope ids can be conditional"
    )]
    Target {
        /// The decorated id.
        target: String,
        /// Name of its instruction.
        opcode: String,
    },
    /// A setting for a specialization constant that the module does not have.
    #[error("no specialization constant has {constant}; {existing}")]
    UnknownConstant {
        /// The requested SpecId, or the name.
        constant: String,
        /// The constants that exist, in words.
        existing: String,
    },
    /// A setting for an ambiguous name.
    #[error("{constant} stands for {meanings}: use {instead} instead")]
    AmbiguousName {
        /// The requested name.
        constant: String,
        /// The meanings of the name, in words.
        meanings: &'static str,
        /// The unambiguous names of each.
        instead: String,
    },
    /// A value that is too large for the type of its specialization constant.
    #[error("{value} is not a value for {constant} (SpecId {spec_id}), which is {expected}")]
    Value {
        /// The SpecId.
        spec_id: u32,
        /// The given value, or its bits.
        value: String,
        /// The constant.
        constant: String,
        /// The constant's type, in words.
        expected: String,
    },
    /// Text that is not a value of any type, for a constant that the module does not have.
    #[error("`{text}` is not a value for {constant}: expected `true`, `false` or a number of up to 64 bits")]
    Unreadable {
        /// The requested SpecId, or the name.
        constant: String,
        /// The text.
        text: String,
    },
    /// All conditions of an OpConditionalCopyObjectINTEL are false.
    #[error(
        "no condition of the OpConditionalCopyObjectINTEL {0} is true for this device: make its conditions cover every \
         device on which it runs"
    )]
    NoCopy(String),
    /// Two or more conditions of an OpConditionalCopyObjectINTEL are true.
    #[error(
        "conditions {first} and {second} of the OpConditionalCopyObjectINTEL {copy} are both true: make them exclude each \
         other"
    )]
    TwoCopies {
        /// The instruction's result.
        copy: String,
        /// One condition.
        first: String,
        /// The other one.
        second: String,
    },
    /// An operand that a decided constant, or a new default, moves out of its range, or a length that then does not fit
    /// the code.
    #[error("{place} would be {value}, as {constant} is by {spec_ids}: {limit}")]
    Range {
        /// The operand, in words.
        place: String,
        /// The constant that is the operand.
        constant: String,
        /// The value that the operand would have.
        value: i64,
        /// The SpecIds that it is computed from.
        spec_ids: String,
        /// The limit, and the type or instruction that it applies to, in words.
        limit: String,
    },
    /// Sizes, or an explicit layout, that decided constants or new defaults make impossible.
    #[error("{what}, as {constants}: {limit}")]
    Sizes {
        /// The size, or the part of a type, that does not fit, in words.
        what: String,
        /// The constants that decide it, with their values and SpecIds.
        constants: String,
        /// The limit, in words.
        limit: String,
    },
    /// Two remaining entry points have one name and execution model.
    #[error(
        "two entry points are named `{name}` on this device ({first}; {second}): make their conditions exclude each other"
    )]
    TwoEntryPoints {
        /// The name.
        name: String,
        /// The reason for keeping the first one.
        first: String,
        /// The reason for keeping the other one.
        second: String,
    },
    /// A capability that is required, without the extension that it requires.
    #[error(
        "the condition of {extension} is false for this device, but the module requires {capability}, which requires it: give \
         {capability} and what uses it the same condition"
    )]
    Stranded {
        /// The name of the capability.
        capability: String,
        /// The name of the extension.
        extension: String,
    },
    /// A removed id with a use that is kept.
    #[error(
        "{removed} is removed because its condition is false, but {user} still uses it: give the user a condition that \
         implies it"
    )]
    StillUsed {
        /// The removed id.
        removed: String,
        /// The instruction that uses it.
        user: String,
    },
}

/// An error that counts only if its function is kept. A message takes a walk over the module, so only the reported
/// error gets one.
#[derive(Clone, Copy, Debug)]
pub enum PendingError {
    /// This id is not a condition.
    Condition(u32),
    /// No condition of this copy is true.
    NoCopy(u32),
    /// Two conditions of this copy are true.
    TwoCopies { copy: u32, first: u32, second: u32 },
    /// The instruction at the offset `user` uses the removed id.
    StillUsed { removed: u32, user: u32 },
}

impl PendingError {
    pub fn describe(self, module: &Module) -> SpecializeError {
        let describe = |id| describe(module, id);
        match self {
            PendingError::Condition(id) => SpecializeError::Condition { condition: describe(id) },
            PendingError::NoCopy(copy) => SpecializeError::NoCopy(describe(copy)),
            PendingError::TwoCopies { copy, first, second } => SpecializeError::TwoCopies {
                copy: describe(copy),
                first: describe(first),
                second: describe(second),
            },
            PendingError::StillUsed { removed, user } => {
                let inst = module.instruction(user);
                let mut user = inst.name();
                if let Some(id) = inst.result_id() {
                    user += &format!(" {}", describe(id));
                }
                let inside = |function: &&Function| (function.start..function.end).contains(&inst.offset());
                if let Some(function) = module.functions().iter().find(inside) {
                    user += &format!(" in function {}", describe(function.id));
                }
                SpecializeError::StillUsed { removed: describe(removed), user }
            }
        }
    }
}
