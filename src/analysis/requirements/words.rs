//! The words of an instruction that may hold operands of a kind.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use crate::loader::{Visitor, grammar};

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
