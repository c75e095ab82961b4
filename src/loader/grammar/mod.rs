//! The grammar as a dense table by opcode: rspirv's, and that of the instructions and enumerants of which newer ones say more
//! ([`newer`]).
//!
//! rspirv's own look-up walks its list of instructions; a module has hundreds of thousands of instructions, so the list is
//! flattened once for the operand walk.

mod entry;
mod enumerants;
mod newer;
mod sections;
#[cfg(test)]
mod tests;
pub mod versions;
mod words;

use std::sync::LazyLock;

use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

pub use entry::GrammarEntry;
pub use enumerants::{
    Parameters, all_kinds, enumerant, enumerants, find, is_enumerated, members, of_rspirv, parameters,
};
use enumerants::{is_plain_enumerant, with_parameters};
pub use newer::{capability, name_of as newer_name};
use sections::place_of;
pub use sections::{Place, Section, place};
pub use words::{Malformed, Words};

/// The words after the leading ids of an instruction.
#[derive(Clone, Copy, Debug)]
pub enum Tail {
    /// Nothing, or literals only: no id is among the remaining words.
    NoIds,
    /// Only ids, however many.
    Ids,
    /// Only ids, in pairs.
    Pairs,
    /// A literal string and no id.
    String,
    /// A literal number as wide as the result type.
    Number,
    /// One enumerant without parameters, then ids, at most one for each of the other logical operands.
    Gap(&'static [LogicalOperand]),
    /// One enumerant (or mask), and its parameters.
    Enumerant(&'static [LogicalOperand], &'static Parameters),
    /// Anything else: these logical operands, one after the other.
    Operands(&'static [LogicalOperand]),
}

/// The layout of the words of an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Layout {
    /// The number of words after the first that are ids whatever the others hold (result type and result included).
    pub ids: u8,
    /// True if the first of them is a result type.
    pub has_type: bool,
    /// The number of the word that holds the result id, or 0.
    result: u8,
    /// The number of words after the first that may be ids at once: `ids`, or all of them.
    lead: u16,
    /// The number of words that it may have, the first included.
    pub words: Words,
    /// True if it is complete where its last operand ends.
    pub ends: bool,
    /// The sections of a module in which it may be.
    pub place: Place,
    /// True if loading tracks its effect on later instructions.
    pub is_tracked: bool,
    /// True if loading depends neither on its place nor on its opcode.
    pub is_plain: bool,
    /// True if it ends a block.
    pub ends_block: bool,
    /// The words after the ids.
    pub tail: Tail,
}

impl Layout {
    /// The number of the word after those that are ids at once, in an instruction of so many words.
    #[inline]
    pub fn ids_end(&self, count: usize) -> usize {
        count.min(1 + usize::from(self.lead))
    }

    /// True if ids may come after those that are ids at once.
    #[inline]
    pub fn may_have_more_ids(&self) -> bool {
        !matches!(self.tail, Tail::NoIds | Tail::String | Tail::Number | Tail::Ids | Tail::Pairs)
    }

    /// The number of the word that holds the result id.
    #[inline]
    pub fn result_word(&self) -> Option<usize> {
        (self.result != 0).then_some(usize::from(self.result))
    }
}

/// The layouts of all opcodes.
#[derive(Debug)]
pub struct Grammar {
    /// By opcode: 0 for an opcode that is not in the grammar, else 1 + the index in `layouts`.
    index: Vec<u16>,
    layouts: Vec<Layout>,
    /// By index, as the layouts are.
    instructions: Vec<GrammarEntry>,
}

impl Grammar {
    /// The grammar of the core instructions.
    pub fn core() -> &'static Grammar {
        static GRAMMAR: LazyLock<Grammar> = LazyLock::new(|| {
            let newer = newer::instructions();
            let opcodes = INSTRUCTION_TABLE.iter().map(|inst| inst.opcode as usize);
            let end = opcodes.chain(newer.iter().map(|row| row.number as usize)).max().unwrap_or(0) + 1;
            let mut index = vec![0; end];
            let mut instructions: Vec<GrammarEntry> =
                INSTRUCTION_TABLE.iter().map(GrammarEntry::Rspirv).collect();
            for (inst, number) in instructions.iter().zip(1..) {
                index[usize::from(inst.opcode())] = number;
            }
            for row in newer {
                match &mut index[row.number as usize] {
                    0 => {
                        instructions.push(GrammarEntry::Newer(row));
                        index[row.number as usize] = instructions.len() as u16;
                    }
                    number => instructions[usize::from(*number) - 1] = GrammarEntry::Newer(row),
                }
            }
            let layouts = instructions.iter().map(|&inst| flatten(inst)).collect();
            Grammar { index, layouts, instructions }
        });
        &GRAMMAR
    }

    /// The layout of an opcode, or `None` where the grammar does not have it.
    #[inline]
    pub fn layout(&self, opcode: u16) -> Option<&Layout> {
        self.layouts.get(self.number(opcode))
    }

    /// The opcodes that the grammar has, numbered one after the other; for any other a number that is larger.
    #[inline]
    fn number(&self, opcode: u16) -> usize {
        self.index.get(usize::from(opcode)).map_or(usize::MAX, |&index| usize::from(index).wrapping_sub(1))
    }
}

/// All instructions of the grammar: those of rspirv, each as the newest grammar has it, and then those that newer ones add.
pub fn instructions() -> impl Iterator<Item = GrammarEntry> {
    Grammar::core().instructions.iter().copied()
}

/// A number for each opcode of the grammar, for tables without gaps: its index in [`instructions`]. A larger one for what the
/// grammar does not have.
#[inline]
pub fn number(opcode: u16) -> usize {
    Grammar::core().number(opcode)
}

/// The layout of an opcode in the grammar of the core instructions.
#[inline]
pub fn layout(opcode: u16) -> Option<&'static Layout> {
    Grammar::core().layout(opcode)
}

/// The name of an opcode as the specification writes it, or `Op<number>` where the grammar does not have it.
pub fn opcode_name(opcode: u16) -> String {
    let entry = || Grammar::core().instructions.get(number(opcode));
    match Op::from_u32(opcode.into()) {
        Some(op) => format!("Op{op:?}"),
        None => entry().map_or_else(|| format!("Op{opcode}"), |inst| format!("Op{}", inst.name())),
    }
}

/// True if loading tracks the effect of an instruction on later ones, or takes note of it.
fn is_tracked(inst: GrammarEntry) -> bool {
    use Op::*;
    let op = inst.op();
    matches!(
        op,
        Some(
            Function
                | FunctionEnd
                | ExtInstImport
                | Line
                | NoLine
                | ModuleProcessed
                | SourceExtension
                | ConditionalCopyObjectINTEL
        )
    ) || inst.name().starts_with("Type")
}

fn is_id(kind: OperandKind) -> bool {
    use OperandKind::*;
    matches!(kind, IdResultType | IdResult | IdRef | IdScope | IdMemorySemantics)
}

fn is_plain_literal(kind: OperandKind) -> bool {
    matches!(
        kind,
        OperandKind::LiteralInteger | OperandKind::LiteralFloat | OperandKind::LiteralContextDependentNumber
    )
}

fn flatten(inst: GrammarEntry) -> Layout {
    let operands = inst.operands();
    let leading = operands
        .iter()
        .take_while(|operand| operand.quantifier == OperandQuantifier::One && is_id(operand.kind))
        .count();
    let (head, rest) = operands.split_at(leading);
    let all_ids =
        |operand: &LogicalOperand| is_id(operand.kind) || operand.kind == OperandKind::PairIdRefIdRef;
    let tail = if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralContextDependentNumber, .. }]) {
        Tail::Number
    } else if rest.is_empty() || rest.iter().all(|operand| is_plain_literal(operand.kind)) {
        Tail::NoIds
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::PairIdRefIdRef, .. }]) {
        Tail::Pairs
    } else if rest.iter().all(all_ids) {
        Tail::Ids
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralString, .. }]) {
        Tail::String
    } else if let [operand] = rest
        && let Some(parameters) = with_parameters(operand.kind)
    {
        Tail::Enumerant(rest, parameters)
    } else if is_gap(rest) {
        Tail::Gap(rest)
    } else {
        Tail::Operands(rest)
    };
    let (place, is_tracked) = (place_of(inst), is_tracked(inst));
    Layout {
        ids: leading as u8,
        has_type: head.first().is_some_and(|operand| operand.kind == OperandKind::IdResultType),
        result: head
            .iter()
            .position(|operand| operand.kind == OperandKind::IdResult)
            .map_or(0, |at| 1 + at as u8),
        lead: if matches!(tail, Tail::Ids | Tail::Pairs) { u16::MAX } else { leading as u16 },
        words: Words::of(operands).after(1),
        ends: matches!(tail, Tail::String | Tail::Number | Tail::Pairs),
        place,
        is_tracked,
        is_plain: !is_tracked && !matches!(place, Place::Section(_)),
        ends_block: inst.ends_block(),
        tail,
    }
}

/// True if operands are an enumerant without parameters, and ids.
fn is_gap(operands: &[LogicalOperand]) -> bool {
    let is_one_id =
        |operand: &LogicalOperand| is_id(operand.kind) && operand.quantifier != OperandQuantifier::ZeroOrMore;
    let [LogicalOperand { kind, quantifier: OperandQuantifier::One }, ids @ ..] = operands else {
        return false;
    };
    is_plain_enumerant(*kind) && ids.iter().all(is_one_id)
}
