//! Extended instruction sets: what the operands of OpExtInst are.

use rspirv::grammar::{LogicalOperand, OperandKind, ext_inst_table};

/// What an extended instruction set is for, as far as it decides how references from its instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// Its instructions compute something.
    Semantic,
    /// Debug information: it may name anything, and is never a use.
    Debug,
    /// Removable without changing what the module does (SPV_KHR_non_semantic_info), but not debug information.
    NonSemantic,
}

/// How the operand words of the instructions of a set are read.
#[derive(Clone, Debug)]
enum Operands {
    /// Every word is an id: SPV_KHR_non_semantic_info demands it of every set that it covers.
    AllIds,
    /// By instruction number, from rspirv's grammar; `None` where all words are ids.
    Table(Vec<Option<&'static [LogicalOperand]>>),
    /// The set is not in the grammar: any word may be an id.
    Unknown,
}

/// One OpExtInstImport.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub id: u32,
    /// Where the import stands, in words from the start of the module.
    pub at: u32,
    pub kind: SetKind,
    operands: Operands,
}

/// The operands of one extended instruction.
pub(super) enum SetOperands {
    AllIds,
    Listed(&'static [LogicalOperand]),
    Unknown,
}

impl Set {
    pub fn new(id: u32, at: u32, name: &str) -> Set {
        let debug = name.contains("DebugInfo") || name == "SPIRV.debug";
        let non_semantic = name.starts_with("NonSemantic.");
        let kind = match (debug, non_semantic) {
            (true, _) => SetKind::Debug,
            (false, true) => SetKind::NonSemantic,
            (false, false) => SetKind::Semantic,
        };
        let operands = match ext_inst_table(name) {
            _ if non_semantic => Operands::AllIds,
            None => Operands::Unknown,
            Some(table) => {
                let mut by_number = Vec::new();
                for inst in table.iter() {
                    let number = u32::from(inst.opcode) as usize;
                    if by_number.len() <= number {
                        by_number.resize(number + 1, Some(&[] as &[_]));
                    }
                    let all_ids = inst.operands.iter().all(|operand| {
                        matches!(
                            operand.kind,
                            OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics
                        )
                    });
                    by_number[number] = if all_ids { None } else { Some(inst.operands) };
                }
                Operands::Table(by_number)
            }
        };
        Set { id, at, kind, operands }
    }

    pub fn operands(&self, number: u32) -> SetOperands {
        match &self.operands {
            Operands::AllIds => SetOperands::AllIds,
            Operands::Unknown => SetOperands::Unknown,
            Operands::Table(by_number) => match by_number.get(number as usize) {
                Some(None) => SetOperands::AllIds,
                Some(Some(operands)) => SetOperands::Listed(operands),
                None => SetOperands::Unknown,
            },
        }
    }
}
