//! The instructions of the grammar, as rspirv or as a newer grammar describes them.

use rspirv::grammar::Instruction;
use spirv::Op;

use super::newer;

/// An instruction of the grammar.
#[derive(Clone, Copy, Debug)]
pub enum GrammarEntry {
    /// As rspirv has it.
    Rspirv(&'static Instruction<'static>),
    /// As a newer grammar has it.
    Newer(&'static newer::Row),
}

impl GrammarEntry {
    /// Its opcode, if rspirv has it.
    pub fn op(self) -> Option<Op> {
        match self {
            GrammarEntry::Rspirv(inst) => Some(inst.opcode),
            GrammarEntry::Newer(row) => Op::from_u32(row.number),
        }
    }

    /// Its name, without `Op`.
    pub fn name(self) -> &'static str {
        match self {
            GrammarEntry::Rspirv(inst) => inst.opname,
            GrammarEntry::Newer(row) => row.name,
        }
    }

    /// True if it defines an id among the types of a module.
    pub fn is_of_types(self) -> bool {
        let named = ["Type", "Constant", "SpecConstant"].iter().any(|start| self.name().starts_with(start));
        named || self.is_value()
    }

    /// True if it is a newer instruction that may stand among the types as well as in functions.
    pub fn is_value(self) -> bool {
        matches!(self, GrammarEntry::Newer(newer::Row { role: Some(newer::Role::Value), .. }))
    }
}

/// What the tables are made of.
#[cfg(test)]
impl GrammarEntry {
    /// Its opcode.
    pub fn opcode(self) -> u16 {
        match self {
            GrammarEntry::Rspirv(inst) => inst.opcode as u16,
            GrammarEntry::Newer(row) => row.number as u16,
        }
    }

    /// Its operands, result type and result included.
    pub fn operands(self) -> &'static [rspirv::grammar::LogicalOperand] {
        match self {
            GrammarEntry::Rspirv(inst) => inst.operands,
            GrammarEntry::Newer(row) => &row.operands,
        }
    }

    /// The capabilities that it requires, any one of them.
    pub fn capabilities(self) -> Vec<u32> {
        match self {
            GrammarEntry::Rspirv(inst) => {
                inst.capabilities.iter().map(|&capability| capability as u32).collect()
            }
            GrammarEntry::Newer(row) => row.capabilities(),
        }
    }

    /// The extensions that add it, any one of them.
    pub fn extensions(self) -> std::borrow::Cow<'static, [&'static str]> {
        match self {
            GrammarEntry::Rspirv(inst) => std::borrow::Cow::Borrowed(inst.extensions),
            GrammarEntry::Newer(row) => std::borrow::Cow::Owned(row.extensions()),
        }
    }

    /// True if it ends a block.
    pub fn ends_block(self) -> bool {
        match self {
            GrammarEntry::Rspirv(inst) => rspirv::grammar::reflect::is_block_terminator(inst.opcode),
            GrammarEntry::Newer(row) => row.role == Some(newer::Role::Terminator),
        }
    }
}
