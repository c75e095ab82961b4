//! Operand layout and section of each opcode. A module has hundreds of thousands of instructions, so loading
//! asks the grammar for nothing else. `generated` has the layouts of all opcodes.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::enumerants::{EnumerantParameters, ParametersOf, is_plain_enumerant};
use super::generated::{LAYOUTS, OPCODES, OPERANDS, PARAMETERS};
use super::words::WordCount;

/// The sections of a module, in order (SPIR-V specification, 2.4). Producers and validators disagree on the
/// order of some instructions, which share one section here: entry points with execution modes, and all debug
/// instructions.
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
    /// Returns the section of an instruction that comes after one of this section; `None` where it must not
    /// stand. The first instruction of a function stands for all of it.
    pub fn then(self, place: LogicalPlace) -> Option<Section> {
        let has_memory_model = self >= Section::MemoryModel;
        match place {
            LogicalPlace::Section(Section::MemoryModel) => {
                (!has_memory_model).then_some(Section::MemoryModel)
            }
            LogicalPlace::Section(next) if next < Section::MemoryModel => (self <= next).then_some(next),
            _ if !has_memory_model => None,
            LogicalPlace::Section(next) => (self <= next).then_some(next),
            LogicalPlace::Types => (self <= Section::Types).then_some(Section::Types),
            LogicalPlace::Anywhere => Some(self),
            LogicalPlace::Begin => Some(Section::Functions),
            LogicalPlace::End | LogicalPlace::Body | LogicalPlace::Unknown => None,
        }
    }
}

/// The place of an instruction in the layout of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicalPlace {
    /// Only in this section.
    Section(Section),
    /// Among the types, or in a function.
    Types,
    /// After the memory model: in any section, in a function, between functions, and after the last of them.
    Anywhere,
    /// The first instruction of a function (or a graph).
    Begin,
    /// The last instruction of a function (or a graph).
    End,
    /// Only in a function.
    Body,
    /// Anywhere: OpNop, and instructions missing from the grammar.
    Unknown,
}

/// A range of the table of logical operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandList {
    pub(super) at: u16,
    pub(super) count: u8,
}

impl OperandList {
    /// Creates the list of `count` operands from index `at` of the table.
    pub(super) const fn new(at: u16, count: u8) -> OperandList {
        OperandList { at, count }
    }

    /// Returns the operands.
    pub fn get(self) -> &'static [LogicalOperand] {
        &OPERANDS[usize::from(self.at)..][..self.len()]
    }

    /// Returns the number of operands.
    #[inline]
    pub fn len(self) -> usize {
        usize::from(self.count)
    }

    /// Returns the number of operands if each is a literal of one word that occurs exactly once.
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
pub enum TrailingOperands {
    /// Nothing, or literals only.
    NoIds,
    /// Only ids, in any number.
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
    /// Anything else, described by these logical operands.
    Operands(OperandList),
}

impl ParametersOf {
    /// Returns the parameters.
    #[inline]
    pub fn get(self) -> &'static EnumerantParameters {
        &PARAMETERS[self as usize]
    }
}

/// Operand layout of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstructionLayout {
    /// Number of words after the first that are always ids, result type and result included.
    pub ids: u8,
    /// True if the first id is a result type.
    pub has_type: bool,
    /// Number of the word that holds the result id, or 0.
    result: u8,
    /// Number of words after the first that are read as ids together: `ids`, or all of them.
    lead: u16,
    /// Number of words that the instruction may have, the first included.
    pub words: WordCount,
    /// True if no words may follow the last operand.
    pub ends: bool,
    /// The sections of a module in which the instruction may stand.
    pub place: LogicalPlace,
    /// True if loading tracks the effect of the instruction on later ones.
    pub is_tracked: bool,
    /// True if loading depends neither on the place nor on the opcode of the instruction.
    pub is_plain: bool,
    /// True if the instruction ends a block.
    pub ends_block: bool,
    /// The words after the ids.
    pub tail: TrailingOperands,
}

impl InstructionLayout {
    /// Creates a layout with `ids` leading ids. `has_type` says whether the first of them is a result type,
    /// and `result` is the number of the result's word.
    pub(super) const fn new(
        ids: u8,
        has_type: bool,
        result: u8,
        words: WordCount,
        place: LogicalPlace,
        tail: TrailingOperands,
    ) -> InstructionLayout {
        InstructionLayout {
            ids,
            has_type,
            result,
            lead: if matches!(tail, TrailingOperands::Ids | TrailingOperands::Pairs) {
                u16::MAX
            } else {
                ids as u16
            },
            words,
            ends: matches!(
                tail,
                TrailingOperands::String | TrailingOperands::Number | TrailingOperands::Pairs
            ),
            place,
            is_tracked: false,
            is_plain: !matches!(place, LogicalPlace::Section(_)),
            ends_block: false,
            tail,
        }
    }

    /// Returns the layout of an instruction whose effect on later ones is tracked.
    pub(super) const fn tracked(self) -> InstructionLayout {
        InstructionLayout { is_tracked: true, is_plain: false, ..self }
    }

    /// Returns the layout of an instruction that ends a block.
    pub(super) const fn ending_block(self) -> InstructionLayout {
        InstructionLayout { ends_block: true, ..self }
    }

    /// Returns the number of the first word after the leading ids, in an instruction of `count` words.
    #[inline]
    pub fn ids_end(&self, count: usize) -> usize {
        count.min(1 + usize::from(self.lead))
    }

    /// Returns true if ids may follow the leading ones.
    #[inline]
    pub fn may_have_more_ids(&self) -> bool {
        !matches!(
            self.tail,
            TrailingOperands::NoIds
                | TrailingOperands::String
                | TrailingOperands::Number
                | TrailingOperands::Ids
                | TrailingOperands::Pairs
        )
    }

    /// Returns the number of the word that holds the result id.
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

/// Index of each opcode in the tables, or one past their end.
static NUMBERS: [u16; END] = {
    let (mut numbers, mut at) = ([u16::MAX; END], 0);
    while at < OPCODES.len() {
        numbers[OPCODES[at].0 as usize] = at as u16;
        at += 1;
    }
    numbers
};

/// An instruction of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct KnownInstruction {
    op: Option<Op>,
    place: LogicalPlace,
}

impl KnownInstruction {
    /// Returns the opcode, if rspirv has it.
    pub fn op(self) -> Option<Op> {
        self.op
    }

    /// Returns true if the instruction defines an id among the types of a module.
    pub fn is_of_types(self) -> bool {
        let other = matches!(self.op, Some(Op::AsmTargetINTEL | Op::AsmINTEL | Op::GraphConstantARM));
        !other && matches!(self.place, LogicalPlace::Types | LogicalPlace::Section(Section::Types))
    }
}

/// Returns the instructions of the grammar, ordered by their [`number`].
pub fn instructions() -> impl Iterator<Item = KnownInstruction> {
    OPCODES.iter().zip(&LAYOUTS).map(|(&(_, op), layout)| KnownInstruction { op, place: layout.place })
}

/// Returns the index of an opcode in [`instructions`], for tables without gaps. Opcodes missing from the
/// grammar get a larger number.
#[inline]
pub fn number(opcode: u16) -> usize {
    NUMBERS.get(usize::from(opcode)).map_or(usize::MAX, |&number| usize::from(number))
}

/// Returns the layout of an opcode; `None` if the grammar does not have it.
#[inline]
pub fn layout(opcode: u16) -> Option<&'static InstructionLayout> {
    LAYOUTS.get(number(opcode))
}

/// Returns the place of instructions with this opcode.
#[inline]
pub fn place(opcode: u16) -> LogicalPlace {
    layout(opcode).map_or(LogicalPlace::Unknown, |layout| layout.place)
}

/// Returns the opcode with this number, if rspirv knows it. A table is faster than the comparisons of [`Op::from_u32`].
#[inline]
pub fn known_op(opcode: u32) -> Option<Op> {
    let number = NUMBERS.get(opcode as usize)?;
    OPCODES.get(usize::from(*number))?.1
}

/// Returns the place of an instruction that may stand in one section only.
pub(super) const fn in_section(section: Section) -> LogicalPlace {
    LogicalPlace::Section(section)
}
