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
pub struct WordCount {
    /// Smallest number of words.
    pub(super) min: u16,
    /// Number of optional words.
    pub(super) optional: u16,
}

/// Number of optional words that stands for no upper bound.
pub(super) const MANY: u16 = u16::MAX;

impl WordCount {
    /// Any number of words.
    pub const ANY: WordCount = WordCount::new(0, MANY);

    /// Creates bounds from `min` to `min + optional` words.
    pub(super) const fn new(min: u16, optional: u16) -> WordCount {
        WordCount { min, optional }
    }

    /// Returns the bounds of a sequence of logical operands.
    pub fn from_operands(operands: &[LogicalOperand]) -> WordCount {
        let (mut min, mut max) = (0, 0_u16);
        for LogicalOperand { kind, quantifier } in operands {
            let (count, is_exact) = words_of(*kind);
            if *quantifier == OperandQuantifier::One {
                min += count;
            }
            let most = if is_exact && *quantifier != OperandQuantifier::ZeroOrMore { count } else { MANY };
            max = max.saturating_add(most);
        }
        WordCount { min, optional: if max == MANY { MANY } else { max - min } }
    }

    /// Returns the bounds with `words` words before them.
    #[cfg(any(test, feature = "generate"))]
    pub(super) fn after(self, words: u16) -> WordCount {
        WordCount { min: self.min + words, ..self }
    }

    /// Compares a number of words with the bounds.
    #[inline]
    pub fn mismatch(self, count: usize) -> Option<Malformed> {
        let over = (count as u32).wrapping_sub(self.min.into());
        match over <= self.optional.into() {
            true => None,
            false if count < self.min.into() => Some(Malformed::Short),
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
