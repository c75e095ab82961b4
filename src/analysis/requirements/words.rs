//! Which words of an instruction may hold operands of a kind.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use crate::loader::{Visitor, grammar};

/// A set of word numbers. Number 0, the word of the opcode, says that enumerants among the operands may bring more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words(u32);

impl Words {
    /// The words in which operands of a kind are.
    pub fn of(operands: &[LogicalOperand], kind: OperandKind) -> Words {
        let mut words = 0;
        let mut at: u32 = 1;
        for operand in operands {
            if operand.kind == kind {
                // What is not always there comes last.
                words |= 1_u32.checked_shl(at).unwrap_or(1 << 31);
            } else if kind == OperandKind::IdScope && brings_scopes(operand.kind) {
                words |= 1;
            }
            at += u32::from(operand.quantifier == OperandQuantifier::One);
        }
        Words(words)
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a word is among them.
    #[inline]
    pub fn contains(self, at: usize) -> bool {
        self.0 & 1 << at.min(31) != 0
    }
}

/// Shows the ids in some words, and the scopes that enumerants bring.
pub struct InWords<F> {
    words: Words,
    /// Whether the ids that follow are what an enumerant brings.
    brought: bool,
    show: F,
}

impl<F: FnMut(u32)> InWords<F> {
    pub fn new(words: Words, show: F) -> Self {
        InWords { words, brought: false, show }
    }
}

impl<F: FnMut(u32)> Visitor for InWords<F> {
    const ENUMERANTS: bool = true;
    fn id(&mut self, at: usize, id: u32) {
        if self.brought || self.words.contains(at) {
            (self.show)(id);
        }
    }
    fn enumerant(&mut self, kind: OperandKind, value: u32) {
        let is_scope = |operand: &LogicalOperand| {
            operand.kind == OperandKind::IdScope || kind == OperandKind::TensorOperands
        };
        let brings = || grammar::parameters(kind, value).is_some_and(|all| all.iter().any(is_scope));
        self.brought = self.words.contains(0) && brings_scopes(kind) && brings();
    }
}

/// Whether enumerants of a kind bring scopes as parameters; the grammar takes those of tensor operands for any ids.
fn brings_scopes(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, MemoryAccess | ImageOperands | TensorOperands)
}

#[cfg(test)]
mod tests {
    use rspirv::grammar::INSTRUCTION_TABLE;
    use spirv::Op;

    use super::*;

    #[test]
    fn what_brings_scopes_is_known() {
        // The scope of the decoration UniformId is no scope of memory, which all rules are about.
        let decoration = |kind: &OperandKind| *kind == OperandKind::Decoration;
        for kind in INSTRUCTION_TABLE
            .iter()
            .flat_map(|inst| inst.operands)
            .map(|operand| operand.kind)
            .filter(|kind| !decoration(kind))
        {
            let brings = |wanted| kind != wanted && grammar::all_kinds(kind).contains(&wanted);
            assert!(brings_scopes(kind) || !brings(OperandKind::IdScope), "{kind:?}");
            assert!(!brings(OperandKind::IdMemorySemantics), "{kind:?}");
        }
    }

    #[test]
    fn scopes_are_found_where_they_are() {
        let words = |op: Op| {
            let inst = INSTRUCTION_TABLE.iter().find(|inst| inst.opcode == op).unwrap();
            Words::of(inst.operands, OperandKind::IdScope).0
        };
        assert_eq!(words(Op::ControlBarrier), 1 << 1 | 1 << 2);
        assert_eq!(words(Op::AtomicIAdd), 1 << 4);
        assert_eq!(words(Op::GroupNonUniformElect), 1 << 3);
        assert_eq!(words(Op::Load), 1, "what the mask brings");
        assert_eq!(words(Op::IAdd), 0);
    }
}
