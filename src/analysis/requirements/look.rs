//! The parts of an instruction, besides the opcode, that its requirements depend on, and the words that may hold operands of a kind.

use rspirv::grammar::{LogicalOperand, OperandKind};

use super::values::ComputedOperands;
use crate::loader::Visitor;
use crate::loader::grammar;

bitflags::bitflags! {
    /// The reasons to look at an instruction. The module decides which of them apply.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Reasons: u64 {
        /// The opcode itself has a requirement.
        const OPCODE = 1;
        /// The instruction is the memory model, a decoration, an import, or a constant that is computed.
        const MODULE = 1 << 1;
        /// The instruction declares a type or a variable.
        const DECLARATION = 1 << 2;
        /// The instruction computes a value that may have a requirement by the types of its operands.
        const VALUE = 1 << 3;
        /// The instruction is an access chain.
        const ACCESS_CHAIN = 1 << 4;
        /// The instruction may make or use a variable pointer.
        const VARIABLE_POINTER = 1 << 5;
        /// The instruction reads or writes memory whose contents may have requirements.
        const MEMORY = 1 << 6;
        /// The instruction belongs to an extended instruction set.
        const EXTENDED = 1 << 7;
        /// Requirements are listed for its result: aspects, or numbers.
        const LISTED = 1 << 8;
        /// The instruction may have scopes.
        const SCOPES = 1 << 9;
        /// The instruction may have memory semantics.
        const SEMANTICS = 1 << 10;
        /// The instruction may require a feature of Vulkan that no capability names.
        const VULKAN = 1 << 11;
        /// A bit for each kind of operand whose enumerants may have requirements.
        const ENUMERANTS = u64::MAX << 12;
    }
}

impl Reasons {
    /// Returns the reason to look for the enumerants of one kind, by the number of the kind.
    pub fn of_kind(number: usize) -> Reasons {
        Reasons::from_bits_retain(1 << (12 + number))
    }

    /// The reasons that depend on the opcode's own operands.
    pub const ITSELF: Reasons = Reasons::MODULE
        .union(Reasons::DECLARATION)
        .union(Reasons::VALUE)
        .union(Reasons::ACCESS_CHAIN)
        .union(Reasons::VARIABLE_POINTER)
        .union(Reasons::MEMORY)
        .union(Reasons::EXTENDED);
}

/// The parts of instructions with one opcode to look at, in any module.
#[derive(Clone, Copy, Debug)]
pub struct OperandRules {
    /// The reasons to look at it.
    pub reasons: Reasons,
    /// The words that may be scopes.
    pub scopes: WordSet,
    /// The words that may be memory semantics.
    pub semantics: WordSet,
    /// The operands by which it may compute with values of small types.
    pub values: ComputedOperands,
    /// The number of the word with its memory operands, where no other operand is an enumerant; else 0.
    pub memory_access: u8,
}

/// A set of word numbers. Number 0, the word of the opcode, is in it if enumerants among the operands may have such
/// parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordSet(pub(super) u32);

impl WordSet {
    /// Returns true if a word is in the set.
    #[inline]
    pub fn contains(self, at: usize) -> bool {
        self.0 & 1 << at.min(31) != 0
    }
}

/// Visits the ids in some words, and the scopes in parameters of enumerants.
pub struct InWords<F> {
    words: WordSet,
    /// True if the ids that follow are parameters of an enumerant.
    is_parameter: bool,
    show: F,
}

impl<F: FnMut(u32)> InWords<F> {
    pub fn new(words: WordSet, show: F) -> Self {
        InWords { words, is_parameter: false, show }
    }
}

impl<F: FnMut(u32)> Visitor for InWords<F> {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, at: usize, id: u32) {
        if self.is_parameter || self.words.contains(at) {
            (self.show)(id);
        }
    }
    fn enumerant(&mut self, _at: usize, kind: OperandKind, value: u32) {
        let is_scope = |operand: &LogicalOperand| {
            operand.kind == OperandKind::IdScope || kind == OperandKind::TensorOperands
        };
        let has_scope = || grammar::parameters(kind, value).is_some_and(|all| all.iter().any(is_scope));
        self.is_parameter = self.words.contains(0) && has_scopes(kind) && has_scope();
    }
}

/// Returns true if enumerants of a kind have scopes as parameters; the grammar takes those of tensor operands for any ids.
pub(super) fn has_scopes(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, MemoryAccess | ImageOperands | TensorOperands)
}
