//! Extended instruction sets: what the operands of OpExtInst are.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use rspirv::grammar::{LogicalOperand, OperandKind, ext_inst_table};

use super::grammar::Words;

/// The kind of an extended instruction set, which decides how references from its instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// Its instructions compute something.
    Semantic,
    /// Debug information: it may name anything, and is never a use.
    Debug,
    /// Removable without changing what the module does (SPV_KHR_non_semantic_info), but not debug information.
    NonSemantic,
}

/// The layout of the operand words of the instructions of a set.
#[derive(Clone, Debug)]
enum Operands {
    /// The same for each instruction.
    All(SetOperands),
    /// By instruction number, from rspirv's grammar.
    Table(Arc<[SetOperands]>),
}

/// One OpExtInstImport.
#[derive(Clone, Debug)]
pub(super) struct Set {
    pub id: u32,
    /// The offset of the import, in words from the start of the module.
    pub at: u32,
    pub kind: SetKind,
    operands: Operands,
}

/// The operands of one extended instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum SetOperands {
    /// Only ids, so many. SPV_KHR_non_semantic_info requires it of every set that it covers.
    Ids(Words),
    Listed(&'static [LogicalOperand]),
    /// The grammar does not have it: any word may be an id.
    Unknown,
}

impl SetOperands {
    fn of(operands: &'static [LogicalOperand], set: SetKind) -> SetOperands {
        let is_id = |operand: &LogicalOperand| {
            matches!(operand.kind, OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics)
        };
        match set {
            _ if !operands.iter().all(is_id) => SetOperands::Listed(operands),
            SetKind::Semantic => SetOperands::Ids(Words::of(operands)),
            // Producers write debug information of several versions under one name.
            SetKind::Debug | SetKind::NonSemantic => SetOperands::Ids(Words::ANY),
        }
    }
}

/// The operands of a set by instruction number, if the grammar has it; each set is read once.
fn by_number(name: &str, kind: SetKind) -> Option<Arc<[SetOperands]>> {
    static KNOWN: Mutex<BTreeMap<String, Arc<[SetOperands]>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.get(name) {
        return Some(known.clone());
    }
    let table = ext_inst_table(name)?;
    let mut by_number = Vec::new();
    for inst in table.iter() {
        let number = u32::from(inst.opcode) as usize;
        if by_number.len() <= number {
            by_number.resize(number + 1, SetOperands::Unknown);
        }
        by_number[number] = SetOperands::of(inst.operands, kind);
    }
    Some(known.entry(name.to_owned()).or_insert(by_number.into()).clone())
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
        let operands = match non_semantic {
            true => Operands::All(SetOperands::Ids(Words::ANY)),
            false => by_number(name, kind).map_or(Operands::All(SetOperands::Unknown), Operands::Table),
        };
        Set { id, at, kind, operands }
    }

    pub fn operands(&self, number: u32) -> SetOperands {
        match &self.operands {
            Operands::All(operands) => *operands,
            Operands::Table(by_number) => {
                by_number.get(number as usize).copied().unwrap_or(SetOperands::Unknown)
            }
        }
    }
}
