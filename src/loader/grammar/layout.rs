//! How the words of an instruction lie, and in which section of a module it may stand, by opcode. A module has hundreds of thousands of instructions, so this is all that loading asks of the
//! grammar; `generated` has the layouts of all opcodes.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::enumerants::{EnumerantParameters, ParametersOf, is_plain_enumerant};
use super::generated::{LAYOUTS, OPCODES, OPERANDS, PARAMETERS};
use super::words::Words;

/// The sections of a module, in order (SPIR-V specification, 2.4). What producers and validators have disagreed on is one section here:
/// entry points and execution modes, and all debug instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// OpCapability.
    Capabilities,
    /// OpExtension.
    Extensions,
    /// OpExtInstImport.
    Imports,
    /// The one OpMemoryModel.
    MemoryModel,
    /// Entry points and their execution modes.
    EntryPoints,
    /// Strings, sources, names.
    Debug,
    /// Decorations.
    Annotations,
    /// Types, constants, and variables.
    Types,
    /// Functions (and graphs).
    Functions,
}

impl Section {
    /// The section of an instruction that comes after one of this section; `None` where it must not stand. One that begins a
    /// function stands for all of it.
    pub fn then(self, place: Place) -> Option<Section> {
        let has_memory_model = self >= Section::MemoryModel;
        match place {
            Place::Section(Section::MemoryModel) => (!has_memory_model).then_some(Section::MemoryModel),
            Place::Section(next) if next < Section::MemoryModel => (self <= next).then_some(next),
            _ if !has_memory_model => None,
            Place::Section(next) => (self <= next).then_some(next),
            Place::Types => (self <= Section::Types).then_some(Section::Types),
            Place::Anywhere => Some(self),
            Place::Begin => Some(Section::Functions),
            Place::End | Place::Body | Place::Unknown => None,
        }
    }
}

/// The place of an instruction in the layout of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Only in this section.
    Section(Section),
    /// Among the types, or in a function.
    Types,
    /// After the memory model: in any section, in a function, between functions, and after the last of them.
    Anywhere,
    /// It opens a function (or a graph).
    Begin,
    /// It ends one.
    End,
    /// Only in a function.
    Body,
    /// The grammar does not have it, or it is OpNop: it may be anywhere.
    Unknown,
}

/// Logical operands that follow each other in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandList {
    pub(super) at: u16,
    pub(super) count: u8,
}

impl OperandList {
    /// So many operands from a place in the table.
    pub(super) const fn new(at: u16, count: u8) -> OperandList {
        OperandList { at, count }
    }

    /// The operands.
    pub fn get(self) -> &'static [LogicalOperand] {
        &OPERANDS[usize::from(self.at)..][..self.len()]
    }

    /// The number of operands.
    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.count)
    }

    /// The number of operands, if each is there exactly once and a literal of one word.
    pub(super) const fn literals(self) -> Option<u8> {
        let mut number = 0;
        while number < self.count {
            let LogicalOperand { kind, quantifier } = &OPERANDS[self.at as usize + number as usize];
            let is_literal = matches!(kind, OperandKind::LiteralInteger) || is_plain_enumerant(*kind);
            if !is_literal || !matches!(quantifier, OperandQuantifier::One) {
                return None;
            }
            number += 1;
        }
        Some(self.count)
    }
}

/// The words after the leading ids of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    Gap(OperandList),
    /// One enumerant (or mask), and its parameters.
    Enumerant(OperandList, ParametersOf),
    /// Anything else: these logical operands, one after the other.
    Operands(OperandList),
}

impl ParametersOf {
    /// The parameters themselves.
    #[inline]
    pub fn get(self) -> &'static EnumerantParameters {
        &PARAMETERS[self as usize]
    }
}

/// The layout of the words of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// The layout with so many leading ids, of which `has_type` says whether the first is a result type, and `result` which word is the result.
    pub(super) const fn new(
        ids: u8,
        has_type: bool,
        result: u8,
        words: Words,
        place: Place,
        tail: Tail,
    ) -> Layout {
        Layout {
            ids,
            has_type,
            result,
            lead: if matches!(tail, Tail::Ids | Tail::Pairs) { u16::MAX } else { ids as u16 },
            words,
            ends: matches!(tail, Tail::String | Tail::Number | Tail::Pairs),
            place,
            is_tracked: false,
            is_plain: !matches!(place, Place::Section(_)),
            ends_block: false,
            tail,
        }
    }

    /// The same of an instruction whose effect on later ones loading tracks.
    pub(super) const fn tracked(self) -> Layout {
        Layout { is_tracked: true, is_plain: false, ..self }
    }

    /// The same of an instruction that ends a block.
    pub(super) const fn ending_block(self) -> Layout {
        Layout { ends_block: true, ..self }
    }

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

/// One more than the largest opcode of the grammar.
const END: usize = {
    let (mut end, mut at) = (0, 0);
    while at < OPCODES.len() {
        let next = OPCODES[at].0 as usize + 1;
        end = if next > end { next } else { end };
        at += 1;
    }
    end
};

/// By opcode: its number in the tables, or one that is too large.
static NUMBERS: [u16; END] = {
    let (mut numbers, mut at) = ([u16::MAX; END], 0);
    while at < OPCODES.len() {
        numbers[OPCODES[at].0 as usize] = at as u16;
        at += 1;
    }
    numbers
};

/// By opcode: every look at an instruction starts here, and a table is faster than the comparisons of [`Op::from_u32`].
static OPS: [Option<Op>; END] = {
    let (mut ops, mut at) = ([None; END], 0);
    while at < OPCODES.len() {
        ops[OPCODES[at].0 as usize] = OPCODES[at].1;
        at += 1;
    }
    ops
};

/// An instruction of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct KnownInstruction {
    op: Option<Op>,
    place: Place,
}

impl KnownInstruction {
    /// Its opcode, if rspirv has it.
    pub fn op(self) -> Option<Op> {
        self.op
    }

    /// True if it defines an id among the types of a module.
    pub fn is_of_types(self) -> bool {
        let other = matches!(self.op, Some(Op::AsmTargetINTEL | Op::AsmINTEL | Op::GraphConstantARM));
        !other && matches!(self.place, Place::Types | Place::Section(Section::Types))
    }
}

/// The instructions of the grammar, by their numbers.
pub fn instructions() -> impl Iterator<Item = KnownInstruction> {
    OPCODES.iter().zip(&LAYOUTS).map(|(&(_, op), layout)| KnownInstruction { op, place: layout.place })
}

/// A number for each opcode of the grammar, for tables without gaps: its index in [`instructions`]. A larger one for what
/// the grammar does not have.
#[inline]
pub fn number(opcode: u16) -> usize {
    NUMBERS.get(usize::from(opcode)).map_or(usize::MAX, |&number| usize::from(number))
}

/// The layout of an opcode, or `None` where the grammar does not have it.
#[inline]
pub fn layout(opcode: u16) -> Option<&'static Layout> {
    LAYOUTS.get(number(opcode))
}

/// The place of instructions with this opcode.
#[inline]
pub fn place(opcode: u16) -> Place {
    layout(opcode).map_or(Place::Unknown, |layout| layout.place)
}

/// The opcode with this number, if rspirv knows it.
#[inline]
pub fn known_op(number: u32) -> Option<Op> {
    match OPS.get(number as usize) {
        Some(&op) => op,
        None => None,
    }
}

/// The place of what may stand in one section only.
pub(super) const fn only(section: Section) -> Place {
    Place::Section(section)
}
