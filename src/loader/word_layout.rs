//! Kinds of the words of instructions, one for each word.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use super::grammar::{self, TrailingOperands, has_only_ids};

/// The kind of a word of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordKind {
    /// The id of the result type.
    ResultType,
    /// The id that the instruction defines.
    Result,
    /// Another id.
    Id,
    /// A number, an enumerant or a mask.
    Literal,
    /// A string, which ends with the first word that has a zero byte.
    String,
}

/// The kinds of the words of an instruction after the first one.
///
/// They suit nearly all instructions of an opcode. Which words are ids can depend on masks, on instruction sets and on types; the kinds
/// do not, so they are for compression and statistics.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WordLayout {
    /// The kinds at the start. Operands at the end may be missing.
    pub leading: Vec<WordKind>,
    /// The kinds of the words after them, which repeat. Never empty.
    pub repeated: Vec<WordKind>,
}

impl WordLayout {
    /// Returns the kinds of the words of an opcode; `None` if the grammar does not have it.
    pub fn new(opcode: u16) -> Option<WordLayout> {
        let layout = grammar::layout(opcode)?;
        let mut kinds =
            WordLayout { leading: vec![WordKind::Id; usize::from(layout.ids)], repeated: Vec::new() };
        if layout.has_type
            && let Some(first) = kinds.leading.first_mut()
        {
            *first = WordKind::ResultType;
        }
        if let Some(kind) = layout.result_word().and_then(|at| kinds.leading.get_mut(at - 1)) {
            *kind = WordKind::Result;
        }
        match layout.tail {
            TrailingOperands::NoIds | TrailingOperands::Number => {}
            TrailingOperands::Ids | TrailingOperands::Pairs => kinds.repeated.push(WordKind::Id),
            TrailingOperands::String => kinds.leading.push(WordKind::String),
            TrailingOperands::Gap(operands)
            | TrailingOperands::Enumerant(operands, _)
            | TrailingOperands::Operands(operands) => kinds.add(operands.get()),
        }
        if kinds.repeated.is_empty() {
            kinds.repeated.push(WordKind::Literal);
        }
        Some(kinds)
    }

    /// Adds logical operands.
    fn add(&mut self, operands: &[LogicalOperand]) {
        for operand in operands {
            let kinds: &[WordKind] = match operand.kind {
                OperandKind::IdResultType => &[WordKind::ResultType],
                OperandKind::IdResult => &[WordKind::Result],
                OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics => &[WordKind::Id],
                OperandKind::LiteralString => &[WordKind::String],
                OperandKind::PairIdRefIdRef => &[WordKind::Id, WordKind::Id],
                OperandKind::PairIdRefLiteralInteger => &[WordKind::Id, WordKind::Literal],
                OperandKind::PairLiteralIntegerIdRef => &[WordKind::Literal, WordKind::Id],
                _ => &[WordKind::Literal],
            };
            // The operands of the inner instruction follow, and those of an enumerant.
            if operand.kind == OperandKind::LiteralSpecConstantOpInteger || has_only_ids(operand.kind) {
                self.repeated = vec![WordKind::Id];
            }
            match operand.quantifier {
                OperandQuantifier::ZeroOrMore => self.repeated = kinds.to_vec(),
                _ => self.leading.extend(kinds),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use spirv::Op;

    use super::*;

    #[test]
    fn kinds_of_words() {
        use WordKind::{Id, Literal, Result, ResultType, String};
        let layout = |op: Op| WordLayout::new(op as u16).map(|layout| (layout.leading, layout.repeated));
        for (op, leading, repeated) in [
            (Op::Nop, &[][..], Literal),
            (Op::TypeVoid, &[Result], Literal),
            (Op::TypeFunction, &[Result, Id], Id),
            (Op::Load, &[ResultType, Result, Id, Literal], Literal),
            (Op::AccessChain, &[ResultType, Result, Id], Id),
            (Op::Constant, &[ResultType, Result], Literal),
            (Op::SpecConstantOp, &[ResultType, Result, Literal], Id),
            (Op::ExtInst, &[ResultType, Result, Id, Literal], Id),
            (Op::ImageSampleImplicitLod, &[ResultType, Result, Id, Id, Literal], Id),
            (Op::Name, &[Id, String], Literal),
            (Op::EntryPoint, &[Literal, Id, String], Id),
            (Op::Decorate, &[Id, Literal], Literal),
            (Op::Store, &[Id, Id, Literal], Literal),
        ] {
            assert_eq!(layout(op), Some((leading.to_vec(), vec![repeated])), "{op:?}");
        }
        assert_eq!(layout(Op::Switch), Some((vec![Id, Id], vec![Literal, Id])));
        assert_eq!(WordLayout::new(u16::MAX), None);
    }
}
