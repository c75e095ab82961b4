//! Word counts of operands.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use super::enumerants::with_parameters;

/// A difference of the operands of an instruction from its grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Malformed {
    /// A literal string without a terminating zero byte.
    Unterminated,
    /// Operands are missing, or the last of them is cut off.
    Short,
    /// Words come after the last operand.
    Long,
}

/// Bounds on the number of words of operands. They are exact for operands of fixed size. For strings, numbers
/// and parameters of enumerants they hold for every value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Smallest number of words.
    pub(super) least: u16,
    /// Number of optional words.
    pub(super) more: u16,
}

/// Number of optional words that stands for no upper bound.
pub(super) const MANY: u16 = u16::MAX;

impl Words {
    /// Any number of words.
    pub const ANY: Words = Words::new(0, MANY);

    /// Creates bounds from `min` to `min + optional` words.
    pub(super) const fn new(least: u16, more: u16) -> Words {
        Words { least, more }
    }

    /// Returns the bounds of a sequence of logical operands.
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

    /// Returns the bounds with `words` words before them.
    #[cfg(test)]
    pub(super) fn after(self, words: u16) -> Words {
        Words { least: self.least + words, ..self }
    }

    /// Compares a number of words with the bounds.
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

/// Returns the smallest number of words of an operand of a kind, and true if it never has more.
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
