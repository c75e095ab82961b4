//! The instructions of the grammar, as rspirv or a newer grammar describes them. The tables are generated
//! from them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rspirv::grammar::{INSTRUCTION_TABLE, Instruction};
use spirv::Op;

use super::rows;

/// Returns all instructions of the grammar: those of rspirv, updated from the newest grammar, then those that
/// newer grammars add.
pub fn entries() -> impl Iterator<Item = GrammarEntry> {
    let mut rest: BTreeMap<u16, &rows::GrammarRow> =
        rows::instructions().iter().map(|row| (row.number as u16, row)).collect();
    let older = INSTRUCTION_TABLE.iter().map(|inst| match rest.remove(&(inst.opcode as u16)) {
        Some(row) => GrammarEntry::Newer(row),
        None => GrammarEntry::Rspirv(inst),
    });
    let mut entries: Vec<GrammarEntry> = older.collect();
    entries.extend(rest.into_values().map(GrammarEntry::Newer));
    entries.into_iter()
}

/// An instruction of the grammar.
#[derive(Clone, Copy, Debug)]
pub enum GrammarEntry {
    /// An instruction of rspirv's grammar.
    Rspirv(&'static Instruction<'static>),
    /// An instruction of a newer grammar.
    Newer(&'static rows::GrammarRow),
}

impl GrammarEntry {
    /// Returns the opcode, if rspirv has it.
    pub fn op(self) -> Option<Op> {
        match self {
            GrammarEntry::Rspirv(inst) => Some(inst.opcode),
            GrammarEntry::Newer(row) => Op::from_u32(row.number),
        }
    }

    /// Returns the name, without `Op`.
    pub fn name(self) -> &'static str {
        match self {
            GrammarEntry::Rspirv(inst) => inst.opname,
            GrammarEntry::Newer(row) => row.name,
        }
    }

    /// Returns true if it defines an id among the types of a module.
    pub fn is_of_types(self) -> bool {
        let named = ["Type", "Constant", "SpecConstant"].iter().any(|start| self.name().starts_with(start));
        named || self.is_value()
    }

    /// Returns true if it is a newer instruction that may stand among the types as well as in functions.
    pub fn is_value(self) -> bool {
        matches!(self, GrammarEntry::Newer(rows::GrammarRow { role: Some(rows::InstructionRole::Value), .. }))
    }

    /// Returns the number of the opcode.
    pub fn opcode(self) -> u16 {
        match self {
            GrammarEntry::Rspirv(inst) => inst.opcode as u16,
            GrammarEntry::Newer(row) => row.number as u16,
        }
    }

    /// Returns the operands, result type and result included.
    pub fn operands(self) -> &'static [rspirv::grammar::LogicalOperand] {
        match self {
            GrammarEntry::Rspirv(inst) => inst.operands,
            GrammarEntry::Newer(row) => &row.operands,
        }
    }

    /// Returns the capabilities of which the instruction requires one.
    pub fn capabilities(self) -> Vec<u32> {
        match self {
            GrammarEntry::Rspirv(inst) => {
                inst.capabilities.iter().map(|&capability| capability as u32).collect()
            }
            GrammarEntry::Newer(row) => row.capabilities(),
        }
    }

    /// Returns the extensions that add the instruction; any one of them suffices.
    pub fn extensions(self) -> Cow<'static, [&'static str]> {
        match self {
            GrammarEntry::Rspirv(inst) => Cow::Borrowed(inst.extensions),
            GrammarEntry::Newer(row) => Cow::Owned(row.extensions()),
        }
    }

    /// Returns true if it ends a block.
    pub fn ends_block(self) -> bool {
        match self {
            GrammarEntry::Rspirv(inst) => rspirv::grammar::reflect::is_block_terminator(inst.opcode),
            GrammarEntry::Newer(row) => row.role == Some(rows::InstructionRole::Terminator),
        }
    }
}
