//! The parts of an instruction, besides the opcode, that its requirements depend on, and the words that may hold operands of a kind.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::declarations;
use super::pointers::{is_access_chain, loads_or_stores, may_be_variable_pointer};
use super::values::{self, Values};
use crate::loader::Visitor;
use crate::loader::grammar::{self, GrammarEntry};

bitflags::bitflags! {
    /// The reasons to look at an instruction. The module decides which of them apply.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub struct Reasons: u64 {
        /// The opcode has a requirement by itself.
        const OPCODE = 1;
        /// It is the memory model, a decoration, an import, or a constant that is computed.
        const MODULE = 1 << 1;
        /// It declares a type or a variable.
        const DECLARATION = 1 << 2;
        /// It computes a value that may have a requirement by the types of its operands.
        const VALUE = 1 << 3;
        /// It is an access chain.
        const ACCESS_CHAIN = 1 << 4;
        /// It may make or use a variable pointer.
        const VARIABLE_POINTER = 1 << 5;
        /// It may access members that have requirements.
        const MEMBER = 1 << 6;
        /// It belongs to an extended instruction set.
        const EXTENDED = 1 << 7;
        /// A source lists aspects.
        const ASPECTS = 1 << 8;
        /// It may have scopes.
        const SCOPES = 1 << 9;
        /// It may have memory semantics.
        const SEMANTICS = 1 << 10;
        /// One bit for each kind of operand whose enumerants may have requirements.
        const ENUMERANTS = u64::MAX << 11;
    }
}

impl Reasons {
    /// The reason to look for the enumerants of one kind, by the number of the kind.
    pub fn of_kind(number: usize) -> Reasons {
        Reasons::from_bits_retain(1 << (11 + number))
    }

    /// The reasons that depend on the opcode's own operands.
    pub const ITSELF: Reasons = Reasons::MODULE
        .union(Reasons::DECLARATION)
        .union(Reasons::VALUE)
        .union(Reasons::ACCESS_CHAIN)
        .union(Reasons::VARIABLE_POINTER)
        .union(Reasons::MEMBER)
        .union(Reasons::EXTENDED);
}

/// The parts of instructions with one opcode to look at, in any module.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The reasons to look at it.
    pub reasons: Reasons,
    /// The words that may be scopes.
    pub scopes: WordSet,
    /// The words that may be memory semantics.
    pub semantics: WordSet,
    /// The operands by which it may compute with values of small types.
    pub values: Values,
    /// The number of the word with its memory operands, where no other operand is an enumerant; else 0.
    pub memory_access: u8,
}

impl Look {
    /// The parts to look at for an instruction of the grammar, apart from the opcode and its enumerants.
    pub fn new(inst: GrammarEntry) -> Look {
        let operands = inst.operands();
        let is = |test: fn(Op) -> bool| inst.op().is_some_and(test);
        let scopes = WordSet::of(operands, OperandKind::IdScope);
        let semantics = WordSet::of(operands, OperandKind::IdMemorySemantics);
        let mut reasons = Reasons::empty();
        let mut add = |reason, holds| reasons.set(reason, holds);
        add(
            Reasons::MODULE,
            matches!(
                inst.op(),
                Some(
                    Op::MemoryModel
                        | Op::Decorate
                        | Op::MemberDecorate
                        | Op::SpecConstantOp
                        | Op::ExtInstImport
                )
            ),
        );
        add(Reasons::EXTENDED, matches!(inst.op(), Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)));
        add(Reasons::DECLARATION, is(declarations::looks_at));
        add(Reasons::VALUE, is(values::looks_at));
        add(Reasons::ACCESS_CHAIN, is(is_access_chain));
        add(Reasons::VARIABLE_POINTER, is(may_be_variable_pointer));
        add(Reasons::MEMBER, is(loads_or_stores));
        add(Reasons::ASPECTS, matches!(inst.op(), Some(Op::TypeStruct | Op::Function)));
        add(Reasons::SCOPES, !scopes.is_empty());
        add(Reasons::SEMANTICS, !semantics.is_empty());
        let ids = grammar::layout(inst.opcode()).map_or(0, |layout| usize::from(layout.ids));
        let memory_access = match &operands[ids.min(operands.len())..] {
            [LogicalOperand { kind: OperandKind::MemoryAccess, .. }] => ids as u8 + 1,
            _ => 0,
        };
        Look { values: inst.op().map_or(Values::Any, Values::of), reasons, scopes, semantics, memory_access }
    }
}

/// A set of word numbers. Number 0, the word of the opcode, is in it if enumerants among the operands may have such
/// parameters.
#[derive(Clone, Copy, Debug, Default)]
pub struct WordSet(u32);

impl WordSet {
    /// The words in which operands of a kind are.
    pub fn of(operands: &[LogicalOperand], kind: OperandKind) -> WordSet {
        let mut words = 0;
        let mut at: u32 = 1;
        for operand in operands {
            if operand.kind == kind {
                // Optional operands come last.
                words |= 1_u32.checked_shl(at).unwrap_or(1 << 31);
            } else if kind == OperandKind::IdScope && has_scopes(operand.kind) {
                words |= 1;
            }
            at += u32::from(operand.quantifier == OperandQuantifier::One);
        }
        WordSet(words)
    }

    /// True if it is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// True if a word is in the set.
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
    fn enumerant(&mut self, kind: OperandKind, value: u32) {
        let is_scope = |operand: &LogicalOperand| {
            operand.kind == OperandKind::IdScope || kind == OperandKind::TensorOperands
        };
        let has_scope = || grammar::parameters(kind, value).is_some_and(|all| all.iter().any(is_scope));
        self.is_parameter = self.words.contains(0) && has_scopes(kind) && has_scope();
    }
}

/// True if enumerants of a kind have scopes as parameters; the grammar takes those of tensor operands for any ids.
fn has_scopes(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, MemoryAccess | ImageOperands | TensorOperands)
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use super::*;

    #[test]
    fn kinds_with_scopes_are_known() {
        // The scope of the decoration UniformId is no scope of memory, which all rules are about.
        let decoration = |kind: &OperandKind| *kind == OperandKind::Decoration;
        for kind in grammar::instructions()
            .flat_map(|inst| inst.operands())
            .map(|operand| operand.kind)
            .filter(|kind| !decoration(kind))
        {
            let has = |wanted| kind != wanted && grammar::all_kinds(kind).contains(&wanted);
            assert!(has_scopes(kind) || !has(OperandKind::IdScope), "{kind:?}");
            assert!(!has(OperandKind::IdMemorySemantics), "{kind:?}");
        }
    }

    #[test]
    fn scopes_are_found_where_they_are() {
        let words = |op: Op| {
            let inst = grammar::instructions().find(|inst| inst.op() == Some(op)).unwrap();
            WordSet::of(inst.operands(), OperandKind::IdScope).0
        };
        assert_eq!(words(Op::ControlBarrier), 1 << 1 | 1 << 2);
        assert_eq!(words(Op::AtomicIAdd), 1 << 4);
        assert_eq!(words(Op::GroupNonUniformElect), 1 << 3);
        assert_eq!(words(Op::Load), 1, "what the mask brings");
        assert_eq!(words(Op::IAdd), 0);
    }
}
