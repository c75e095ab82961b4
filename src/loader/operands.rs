//! The operand walk, which finds the ids and enumerants of an instruction.

use std::cmp::Ordering;

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::error::LoadProblem;
use super::grammar::{self, InstructionLayout, Malformed, TrailingOperands, WordCount};
use super::sets::{ExtInstSet, SetOperands};

/// Receives the ids and enumerants of an instruction, in word order. `at` is the number of the word in its
/// instruction.
pub trait Visitor {
    /// Returns true if enumerants matter. Otherwise those without ids in their parameters are skipped.
    #[inline]
    fn wants_enumerants(&self) -> bool {
        false
    }
    /// Visits an id: a result type, a result or a reference.
    fn id(&mut self, at: usize, id: u32);
    /// Visits several ids, from word number `at` on.
    #[inline]
    fn ids(&mut self, at: usize, ids: &[u32]) {
        for (number, &id) in ids.iter().enumerate() {
            self.id(at + number, id);
        }
    }
    /// Visits a word that may be an id, in an instruction (or part of one) missing from the grammar. It is not zero,
    /// and below the bound.
    fn possible_id(&mut self, at: usize, id: u32) {
        self.id(at, id);
    }
    /// Visits an enumerant of an enumerated operand, or a bit of a mask. Called only with [`Visitor::wants_enumerants`].
    fn enumerant(&mut self, _at: usize, _kind: OperandKind, _value: u32) {}
    /// Visits a string, or a whole enumerated operand. Called only with [`Visitor::wants_enumerants`].
    fn operand(&mut self, _at: usize, _kind: OperandKind) {}
    /// Visits a difference from the instruction's grammar.
    fn malformed(&mut self, _how: Malformed) {}
}

impl<F: FnMut(usize, u32)> Visitor for F {
    #[inline]
    fn id(&mut self, at: usize, id: u32) {
        self(at, id);
    }
}

/// The module around an instruction, as far as the walk depends on it.
pub(super) struct WalkContext<'a> {
    /// Offset of the instruction. Only earlier instructions are examined, so that loading, which has seen no
    /// others, checks the same ids as a later walk.
    pub at: u32,
    pub words: &'a [u32],
    pub bound: u32,
    /// Offset of the definition of each id, or 0.
    pub definitions: &'a [u32],
    pub sets: &'a [ExtInstSet],
}

impl WalkContext<'_> {
    /// Returns the words from the definition of an id on; empty if the definition is not earlier.
    fn definition(&self, id: u32) -> &[u32] {
        match self.definitions.get(id as usize) {
            Some(&at) if at != 0 && at < self.at => self.words.get(at as usize..).unwrap_or_default(),
            _ => &[],
        }
    }

    /// Returns the number of words of a literal of OpSwitch, by the type of the selector.
    fn switch_literal_words(&self, selector: u32) -> usize {
        let has_type = |word: &u32| grammar::layout(*word as u16).is_some_and(|layout| layout.has_type);
        let value = self.definition(selector);
        let type_ = value.get(1).filter(|_| value.first().is_some_and(has_type));
        type_.and_then(|&type_| self.number_words(type_)).unwrap_or(1)
    }

    /// Returns the number of words of a literal of a type; `None` if the type is not known to be numeric.
    pub fn number_words(&self, type_: u32) -> Option<usize> {
        match self.definition(type_) {
            [first, _, width, ..]
                if [Op::TypeInt as u16, Op::TypeFloat as u16].contains(&(*first as u16)) =>
            {
                Some(width.div_ceil(32).max(1) as usize)
            }
            _ => None,
        }
    }
}

impl Malformed {
    /// Returns the error in an instruction.
    #[cold]
    pub fn problem(self, words: &[u32]) -> LoadProblem {
        let opcode = grammar::opcode_name(words[0] as u16);
        match self {
            Malformed::Unterminated => LoadProblem::UnterminatedString(opcode),
            Malformed::Short => LoadProblem::Short { opcode, words: words.len() },
            Malformed::Long => LoadProblem::Long { opcode, words: words.len() },
        }
    }
}

/// Walks the operands of an instruction with this layout. Few instructions depend on the module around them.
#[inline]
pub(super) fn walk<'a, V: Visitor>(
    layout: Option<&InstructionLayout>,
    words: &[u32],
    visitor: &mut V,
    around: impl FnOnce() -> WalkContext<'a>,
) {
    let Some(layout) = layout else { return possible(around().bound, words, 1, visitor) };
    let at = layout.ids_end(words.len());
    visitor.ids(1, &words[1..at]);
    if at == words.len() {
        return;
    }
    let operands = match layout.tail {
        TrailingOperands::NoIds
        | TrailingOperands::String
        | TrailingOperands::Number
        | TrailingOperands::Ids
        | TrailingOperands::Pairs => return,
        TrailingOperands::Gap(operands)
            if !visitor.wants_enumerants() && words.len() - at <= operands.len() =>
        {
            return visitor.ids(at + 1, &words[at + 1..]);
        }
        TrailingOperands::Enumerant(_, parameters)
            if !visitor.wants_enumerants() && parameters.get().is_without_ids(&words[at..]) =>
        {
            return;
        }
        TrailingOperands::Gap(operands)
        | TrailingOperands::Enumerant(operands, _)
        | TrailingOperands::Operands(operands) => operands,
    };
    Walk { around: &around(), words, visitor }.tail(operands.get(), at);
}

/// Passes everything from word `at` on as possible ids.
fn possible(bound: u32, words: &[u32], at: usize, visitor: &mut dyn Visitor) {
    for (at, &word) in words.iter().enumerate().skip(at) {
        if word != 0 && word < bound {
            visitor.possible_id(at, word);
        }
    }
}

/// The walk over operands that few instructions have. It is compiled once, not for each visitor.
struct Walk<'w> {
    around: &'w WalkContext<'w>,
    words: &'w [u32],
    visitor: &'w mut dyn Visitor,
}

impl Walk<'_> {
    /// Walks the operands after the leading ids. Words that the grammar does not cover are possible ids.
    #[inline(never)]
    fn tail(&mut self, operands: &[LogicalOperand], at: usize) {
        let end = match operands[0].kind {
            OperandKind::LiteralExtInstInteger => self.extended(at),
            OperandKind::LiteralSpecConstantOpInteger => self.spec_constant_op(at),
            OperandKind::PairLiteralIntegerIdRef if self.words[0] as u16 == Op::Switch as u16 => {
                self.switch(at)
            }
            _ => self.operands(operands, at),
        };
        match end.cmp(&self.words.len()) {
            Ordering::Equal => {}
            Ordering::Greater => self.visitor.malformed(Malformed::Short),
            Ordering::Less => {
                self.visitor.malformed(Malformed::Long);
                self.possible(end);
            }
        }
    }

    /// Walks the operands of OpExtInst: the word before the instruction number is the set.
    fn extended(&mut self, at: usize) -> usize {
        let set = self.words[at - 1];
        let imported = self.around.sets.iter().find(|known| known.id == set && known.at < self.around.at);
        match imported.map_or(SetOperands::Unknown, |set| set.operands(self.words[at])) {
            SetOperands::Ids(count) => self.ids(at + 1, count),
            SetOperands::Listed(operands) => self.operands(operands, at + 1),
            SetOperands::Forms(operands, form) => {
                let form_operands = form.operands(self.words.get(at + 1..).unwrap_or_default());
                self.operands(form_operands.unwrap_or(operands), at + 1)
            }
            SetOperands::Unknown => self.possible(at + 1),
        }
    }

    /// Walks the operands of OpSpecConstantOp: those of the inner opcode, without result type and result.
    fn spec_constant_op(&mut self, at: usize) -> usize {
        let Some(inner) = u16::try_from(self.words[at]).ok().and_then(grammar::layout) else {
            return self.possible(at + 1);
        };
        let absent = usize::from(inner.has_type) + usize::from(inner.result_word().is_some());
        let ids = usize::from(inner.ids).saturating_sub(absent);
        let mut next = at + 1;
        for _ in 0..ids {
            next = self.id(next);
        }
        // The inner instruction has no first word, result type or result here; the number of its opcode
        // replaces them.
        self.count(inner.words, self.words.len() - (at + 1) + 1 + absent);
        match inner.tail {
            TrailingOperands::NoIds | TrailingOperands::Number => self.words.len(),
            TrailingOperands::Ids | TrailingOperands::Pairs => self.ids(next, WordCount::ANY),
            TrailingOperands::String => self.string(next),
            TrailingOperands::Operands(operands)
                if operands.get()[0].kind == OperandKind::LiteralSpecConstantOpInteger =>
            {
                self.possible(next)
            }
            TrailingOperands::Gap(operands)
            | TrailingOperands::Enumerant(operands, _)
            | TrailingOperands::Operands(operands) => self.operands(operands.get(), next),
        }
    }

    /// Walks the operands of OpSwitch: pairs of a literal as wide as the selector, and a label.
    fn switch(&mut self, mut at: usize) -> usize {
        let literal = self.around.switch_literal_words(self.words[1]);
        while at < self.words.len() {
            at = self.id(at + literal);
        }
        at
    }

    fn operands(&mut self, operands: &[LogicalOperand], mut at: usize) -> usize {
        for operand in operands {
            let repeats = operand.quantifier == OperandQuantifier::ZeroOrMore;
            if at >= self.words.len() && operand.quantifier == OperandQuantifier::One {
                self.visitor.malformed(Malformed::Short);
            }
            while at < self.words.len() {
                at = self.operand(operand.kind, at);
                if !repeats {
                    break;
                }
            }
        }
        at
    }

    fn operand(&mut self, kind: OperandKind, at: usize) -> usize {
        use OperandKind::*;
        if self.visitor.wants_enumerants() && (kind == LiteralString || grammar::is_enumerated(kind)) {
            self.visitor.operand(at, kind);
        }
        match kind {
            IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics => self.id(at),
            PairIdRefIdRef => {
                let next = self.id(at);
                self.id(next)
            }
            PairIdRefLiteralInteger => self.id(at) + 1,
            PairLiteralIntegerIdRef => self.id(at + 1),
            LiteralString => self.string(at),
            LiteralContextDependentNumber => self.words.len(),
            LiteralInteger | LiteralFloat | LiteralExtInstInteger | LiteralSpecConstantOpInteger => at + 1,
            Debuginfo(_)
            | NonsemanticClspvreflection(_)
            | NonsemanticShaderDebuginfo100(_)
            | OpenclDebuginfo100(_) => at + 1,
            _ => {
                let mut next = at + 1;
                for value in grammar::enumerants(kind, self.words[at]) {
                    if self.visitor.wants_enumerants() {
                        self.visitor.enumerant(at, kind, value);
                    }
                    let parameters =
                        grammar::parameters(kind, value).filter(|_| !grammar::is_longer(kind, value));
                    let Some(parameters) = parameters else {
                        // Unknown decorations and modes have ids only in OpDecorateId and OpExecutionModeId (specification, 3.3.2 and 3.3.5).
                        let op = Op::from_u32(self.words[0] & 0xffff);
                        return match op {
                            Some(Op::Decorate | Op::MemberDecorate | Op::ExecutionMode) => self.words.len(),
                            _ => self.possible(next),
                        };
                    };
                    next = self.operands(parameters, next);
                }
                next
            }
        }
    }

    #[inline]
    fn id(&mut self, at: usize) -> usize {
        if let Some(&id) = self.words.get(at) {
            self.visitor.id(at, id);
        }
        at + 1
    }

    /// Passes all remaining words as ids, and checks their count.
    fn ids(&mut self, at: usize, count: WordCount) -> usize {
        self.count(count, self.words.len().saturating_sub(at));
        self.visitor.ids(at, self.words.get(at..).unwrap_or_default());
        self.words.len()
    }

    /// Passes all remaining words as possible ids.
    fn possible(&mut self, at: usize) -> usize {
        possible(self.around.bound, self.words, at, self.visitor);
        self.words.len().max(at)
    }

    fn count(&mut self, allowed: WordCount, count: usize) {
        if let Some(how) = allowed.mismatch(count) {
            self.visitor.malformed(how);
        }
    }

    fn string(&mut self, at: usize) -> usize {
        match string_words(self.words.get(at..).unwrap_or_default()) {
            Some(words) => at + words,
            None => {
                self.visitor.malformed(Malformed::Unterminated);
                self.words.len()
            }
        }
    }
}

/// Returns the number of words of the literal string at the start of `words`; `None` if it does not end.
pub(super) fn string_words(words: &[u32]) -> Option<usize> {
    words.iter().position(|word| word.to_le_bytes().contains(&0)).map(|last| last + 1)
}
