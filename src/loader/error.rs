use thiserror::Error;

use super::Version;
use super::grammar::versions::NEWEST;
use super::other_formats::OtherFormat;

/// The reason why bytes cannot be loaded as a SPIR-V module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{problem}{}", .problem.place(*.offset))]
pub struct LoadError {
    /// The position of the problem, in bytes from the start of the module.
    pub offset: u64,
    /// The problem.
    pub(crate) problem: LoadProblem,
}

impl LoadError {
    /// Creates the error for a file without modules inside.
    pub(crate) fn nothing_inside() -> LoadError {
        LoadError { offset: 0, problem: LoadProblem::NothingInside }
    }

    /// Returns true if the bytes do not start as a SPIR-V module.
    pub fn is_of_other_format(&self) -> bool {
        matches!(self.problem, LoadProblem::NotSpirv(_) | LoadProblem::OtherFormat(_))
    }

    /// Returns true if the other format is known and has no modules inside. The error then says how to make a module
    /// from it.
    pub(crate) fn is_of_known_format(&self) -> bool {
        matches!(&self.problem, LoadProblem::OtherFormat(format) if !format.has_modules)
    }
}

/// The errors of modules (SPIR-V specification, 2.3 "Physical Layout" and 2.16 "Validation Rules").
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum LoadProblem {
    #[error("the input is empty: expected a SPIR-V module")]
    #[allow(missing_docs)]
    Empty,
    /// The first word is not the magic number in either byte order.
    #[error("not a SPIR-V module: it starts with {0:#010x} instead of the magic number 0x07230203")]
    NotSpirv(u32),
    /// The file of a format from which modules can be made.
    #[error("not a SPIR-V module, but {}: {}", .0.name, .0.advice)]
    OtherFormat(OtherFormat),
    #[error("it contains no SPIR-V module")]
    #[allow(missing_docs)]
    NothingInside,
    /// The size is not a multiple of the word size, or the header is cut off.
    #[error("truncated module: {0}")]
    Truncated(&'static str),
    /// A version that is newer than the newest known one, with unknown instructions and rules.
    #[error(
        "the module is of SPIR-V {0}, and the newest known version is {NEWEST}: compile it for a known version, or update spirv-if"
    )]
    Version(Version),
    /// The word with the version has bits besides the major and the minor version.
    #[error(
        "malformed version {0:#010x} in the header: expected 0 in its first and last byte, such as 0x00010600 for SPIR-V 1.6"
    )]
    MalformedVersion(u32),
    /// The bound on ids is zero or past the universal limit (specification, 2.17 "Universal Limits").
    #[error("the id bound {0} is out of range: it must be from 1 to 4194303")]
    Bound(u32),
    #[error("instruction with a word count of zero (opcode {0})")]
    #[allow(missing_docs)]
    ZeroWordCount(u16),
    /// The word count of an instruction points past the end of the module.
    #[error("truncated module: {opcode} claims {claimed} words, but {left} are left")]
    Overlong {
        /// Name of the instruction.
        opcode: String,
        /// Word count of the instruction.
        claimed: u32,
        /// Number of words from the start of the instruction to the end of the module.
        left: usize,
    },
    /// An instruction is too short for the operands of its grammar.
    #[error("{opcode} has {words} words, too few for its operands")]
    Short {
        /// Name of the instruction.
        opcode: String,
        /// Word count of the instruction.
        words: usize,
    },
    /// An instruction has words after the operands of its grammar.
    #[error("{opcode} has {words} words, more than its operands take")]
    Long {
        /// Name of the instruction.
        opcode: String,
        /// Word count of the instruction.
        words: usize,
    },
    /// An operand that must be an id is zero or not below the bound.
    #[error("id {id} in {opcode} is out of range: ids are from 1 to {}, below the bound in the header", .bound - 1)]
    Id {
        /// The operand.
        id: u32,
        /// The id bound in the header.
        bound: u32,
        /// Name of the instruction.
        opcode: String,
    },
    #[error("id {0} is defined a second time")]
    #[allow(missing_docs)]
    DuplicateId(u32),
    /// A type that refers to itself or to a later definition. Only a pointer may do so, if it is declared
    /// before.
    #[error(
        "{opcode} refers to %{id}, which is not defined before it: only a pointer that OpTypeForwardPointer declared may be"
    )]
    Forward {
        /// The operand.
        id: u32,
        /// Name of the instruction.
        opcode: String,
    },
    /// OpTypeForwardPointer declares an id that is not a pointer.
    #[error("OpTypeForwardPointer declares %{id}, which is not a pointer but {opcode}")]
    ForwardPointer {
        /// The declared id.
        id: u32,
        /// Name of the instruction that defines it.
        opcode: String,
    },
    /// OpTypeForwardPointer declares a pointer that does not point to a structure.
    #[error("OpTypeForwardPointer declares %{id}, which does not point to a structure but {opcode}")]
    ForwardPointee {
        /// The declared id.
        id: u32,
        /// Name of the instruction that defines the pointee type.
        opcode: String,
    },
    /// A reference to an id whose definition the edits removed.
    #[error("{opcode} refers to %{id}, which is removed")]
    Removed {
        /// The id.
        id: u32,
        /// Name of the instruction.
        opcode: String,
    },
    /// A literal string without a terminating zero byte inside its instruction.
    #[error("unterminated string in {0}")]
    UnterminatedString(String),
    /// OpFunction inside a function, OpFunctionEnd outside of one, or a function that never ends.
    #[error("{0}")]
    Function(&'static str),
}

impl LoadProblem {
    /// Returns the end of a message: the place of the problem, except if it is the file as a whole.
    fn place(&self, offset: u64) -> String {
        match self {
            LoadProblem::OtherFormat(_) | LoadProblem::NothingInside | LoadProblem::Version(_) => {
                String::new()
            }
            _ => format!(" at byte offset {offset:#x} ({offset})"),
        }
    }
}
