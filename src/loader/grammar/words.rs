//! The number of words that operands have.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use super::enumerants::with_parameters;

/// A difference of the operands of an instruction from its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A literal string without an end.
    Unterminated,
    /// Operands are missing, or the last of them is cut off.
    Short,
    /// Words come after the last operand.
    Long,
}

/// The number of words that operands may have. The bounds are exact for operands of fixed sizes; for strings, numbers and
/// parameters of enumerants they are the least and the most of any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// The fewest.
    pub(super) least: u16,
    /// The number of optional words.
    pub(super) more: u16,
}

/// So many optional words that there is no bound.
pub(super) const MANY: u16 = u16::MAX;

impl Words {
    /// Any number of them.
    pub const ANY: Words = Words::new(0, MANY);

    /// So many, and as many more.
    pub(super) const fn new(least: u16, more: u16) -> Words {
        Words { least, more }
    }

    /// The words of logical operands, one after the other.
    pub fn of(operands: &[LogicalOperand]) -> Words {
        let (mut least, mut most) = (0, 0_u16);
        for LogicalOperand { kind, quantifier } in operands {
            let (own, is_exact) = words_of(*kind);
            if *quantifier == OperandQuantifier::One {
                least += own;
            }
            let more = if is_exact && *quantifier != OperandQuantifier::ZeroOrMore { own } else { MANY };
            most = most.saturating_add(more);
        }
        Words { least, more: if most == MANY { MANY } else { most - least } }
    }

    /// The same after so many words more.
    #[cfg(test)]
    pub(super) fn after(self, words: u16) -> Words {
        Words { least: self.least + words, ..self }
    }

    /// The difference of a number of words from the bounds.
    #[inline]
    pub fn differ(self, count: usize) -> Option<Malformed> {
        let over = (count as u32).wrapping_sub(self.least.into());
        match over <= self.more.into() {
            true => None,
            false if count < self.least.into() => Some(Malformed::Short),
            false => Some(Malformed::Long),
        }
    }
}

/// The least number of words of one operand of a kind, with true if it never has more.
fn words_of(kind: OperandKind) -> (u16, bool) {
    use OperandKind::*;
    match kind {
        IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics | LiteralInteger | LiteralFloat => {
            (1, true)
        }
        LiteralString | LiteralContextDependentNumber => (1, false),
        LiteralSpecConstantOpInteger | LiteralExtInstInteger => (1, false),
        PairIdRefIdRef | PairIdRefLiteralInteger => (2, true),
        PairLiteralIntegerIdRef => (2, false),
        _ => (1, with_parameters(kind).is_none()),
    }
}
