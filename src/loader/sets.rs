//! Extended instruction sets, and the operands of their instructions.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier, ext_inst_table};

use super::grammar::WordCount;
use crate::collections::OrderedMap;
use crate::text::csv;

/// The kind of an extended instruction set. It decides how references from its instructions count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// Instructions that compute values.
    Semantic,
    /// Debug information. It may name anything, and is never a use.
    Debug,
    /// Removable without changing what the module does (SPV_KHR_non_semantic_info), but not debug information.
    NonSemantic,
}

/// The operands of all instructions of a set.
#[derive(Clone, Debug)]
enum InstructionOperands {
    /// Equal operands of each instruction.
    All(SetOperands),
    /// Operands by instruction number, from rspirv's grammar.
    Table(Arc<[SetOperands]>),
}

/// One OpExtInstImport.
#[derive(Clone, Debug)]
pub(super) struct ExtInstSet {
    pub id: u32,
    /// Offset of the import, in words from the start of the module.
    pub at: u32,
    pub kind: SetKind,
    operands: InstructionOperands,
}

/// The operands of one extended instruction.
#[derive(Clone, Copy, Debug)]
pub(super) enum SetOperands {
    /// Only ids, in this number. SPV_KHR_non_semantic_info requires this of every set that it covers.
    Ids(WordCount),
    Listed(&'static [LogicalOperand]),
    /// The operands of the specification, or another form that producers write.
    Forms(&'static [LogicalOperand], &'static DebugForm),
    /// Missing from the grammar: any word may be an id.
    Unknown,
}

impl SetOperands {
    fn new(operands: &'static [LogicalOperand], set: SetKind) -> SetOperands {
        let is_id = |operand: &LogicalOperand| {
            matches!(operand.kind, OperandKind::IdRef | OperandKind::IdScope | OperandKind::IdMemorySemantics)
        };
        match set {
            _ if !operands.iter().all(is_id) => SetOperands::Listed(operands),
            SetKind::Semantic => SetOperands::Ids(WordCount::from_operands(operands)),
            // Producers write debug information of several versions under one name.
            SetKind::Debug | SetKind::NonSemantic => SetOperands::Ids(WordCount::ANY),
        }
    }
}

/// A form of a debug instruction that differs from the specification (`spec-extensions/debug-forms.csv`).
#[derive(Debug)]
pub(super) struct DebugForm {
    set: &'static str,
    number: u32,
    operands: Vec<LogicalOperand>,
    /// Index of the operand that is 0 in this form, and an id in the specification's.
    zero: usize,
}

static DEBUG_FORMS: LazyLock<Vec<DebugForm>> = LazyLock::new(|| {
    let operand = |token| {
        let (kind, quantifier) = match token {
            "id" => (OperandKind::IdRef, OperandQuantifier::One),
            "id*" => (OperandKind::IdRef, OperandQuantifier::ZeroOrMore),
            _ => (OperandKind::LiteralInteger, OperandQuantifier::One),
        };
        LogicalOperand { kind, quantifier }
    };
    csv::rows(include_str!("../../spec-extensions/debug-forms.csv"))
        .filter_map(|[set, _instruction, number, operands, zero, _producer]| {
            let operands = operands.split(' ').map(operand).collect();
            let (number, zero) = (number.parse().ok()?, zero.parse().ok()?);
            Some(DebugForm { set, number, operands, zero })
        })
        .collect()
});

impl DebugForm {
    /// Returns the operands of this form, if an instruction with these operand words has it.
    pub fn operands(&self, words: &[u32]) -> Option<&[LogicalOperand]> {
        let has_form = words.get(self.zero) == Some(&0)
            && WordCount::from_operands(&self.operands).mismatch(words.len()).is_none();
        has_form.then_some(&self.operands)
    }
}

/// Returns the operands of a set by instruction number, if the grammar has it. Each set is read once.
fn by_number(name: &str, kind: SetKind) -> Option<Arc<[SetOperands]>> {
    static KNOWN: Mutex<OrderedMap<String, Arc<[SetOperands]>>> = Mutex::new(OrderedMap::new());
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
        let form = DEBUG_FORMS.iter().find(|form| form.set == name && form.number as usize == number);
        by_number[number] = match form {
            Some(form) => SetOperands::Forms(inst.operands, form),
            None => SetOperands::new(inst.operands, kind),
        };
    }
    Some(known.entry(name.to_owned()).or_insert(by_number.into()).clone())
}

impl ExtInstSet {
    pub fn new(id: u32, at: u32, name: &str) -> ExtInstSet {
        let debug = name.contains("DebugInfo") || name == "SPIRV.debug";
        let non_semantic = name.starts_with("NonSemantic.");
        let kind = match (debug, non_semantic) {
            (true, _) => SetKind::Debug,
            (false, true) => SetKind::NonSemantic,
            (false, false) => SetKind::Semantic,
        };
        let operands = match non_semantic {
            true => InstructionOperands::All(SetOperands::Ids(WordCount::ANY)),
            false => by_number(name, kind)
                .map_or(InstructionOperands::All(SetOperands::Unknown), InstructionOperands::Table),
        };
        ExtInstSet { id, at, kind, operands }
    }

    pub fn operands(&self, number: u32) -> SetOperands {
        match &self.operands {
            InstructionOperands::All(operands) => *operands,
            InstructionOperands::Table(by_number) => {
                by_number.get(number as usize).copied().unwrap_or(SetOperands::Unknown)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_is_of_an_instruction_and_has_a_zero_where_that_has_an_id() {
        let text = include_str!("../../spec-extensions/debug-forms.csv");
        assert_eq!(DEBUG_FORMS.len(), text.lines().filter(|line| !line.starts_with('#')).count() - 1);
        for (form, [_, name, _, operands]) in DEBUG_FORMS.iter().zip(csv::rows(text)) {
            let table = ext_inst_table(form.set).unwrap();
            let inst = table.iter().find(|inst| u32::from(inst.opcode) == form.number).unwrap();
            assert_eq!(inst.opname, name);
            assert_eq!(operands.split(' ').nth(form.zero), Some("zero"), "{name}");
            let last = inst.operands.last().unwrap();
            let operand = inst.operands.get(form.zero).unwrap_or(last);
            assert_eq!(operand.kind, OperandKind::IdRef, "{name}");
            assert!(operands.split(' ').all(|word| ["id", "id*", "literal", "zero"].contains(&word)));
        }
    }
}
