//! Which words of an instruction may hold operands of a kind.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

/// A set of word numbers; the last stands for all from there on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Words(u32);

impl Words {
    /// The words in which operands of a kind may be, or in which enumerants bring them as parameters.
    pub fn of(operands: &[LogicalOperand], kind: OperandKind) -> Words {
        let mut words = 0;
        let mut at: u32 = 1;
        // Operands that are not always there may move those that follow.
        let mut exact = true;
        for operand in operands {
            let own = 1_u32.checked_shl(at).unwrap_or(1 << 31);
            let and_all_after = !(own - 1);
            if operand.kind == kind {
                words |= if exact { own } else { and_all_after };
            } else if kind == OperandKind::IdScope && brings_scopes(operand.kind) {
                words |= and_all_after;
            }
            exact &= operand.quantifier == OperandQuantifier::One;
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
    use crate::loader::grammar;

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
        assert_eq!(words(Op::Load), !0 << 4, "what the mask brings");
        assert_eq!(words(Op::IAdd), 0);
    }
}
