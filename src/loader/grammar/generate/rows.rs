//! Rows of the tables of newer instructions, enumerants and capabilities.

use std::sync::LazyLock;

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};

use super::members::Enumerant;
use crate::loader::grammar::enumerants::{
    NEWER_CAPABILITIES, NEWER_ENUMERANTS, NEWER_INSTRUCTIONS, capability, kind_named,
};
use crate::text::csv;

/// An instruction, or an enumerant.
#[derive(Debug)]
pub struct GrammarRow {
    /// Opcode or value.
    pub number: u32,
    /// Name; that of an instruction without `Op`.
    pub name: &'static str,
    /// Operands of an instruction, or parameters of an enumerant.
    pub operands: Vec<LogicalOperand>,
    /// The capabilities of which it requires one. For a capability, those that it implies.
    capabilities: &'static str,
    extensions: &'static str,
    /// Further names, for tests.
    #[cfg_attr(not(test), expect(dead_code))]
    pub aliases: &'static str,
    /// Place in a module, where the name does not show it.
    pub role: Option<InstructionRole>,
}

/// The place of an instruction, where the name does not show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionRole {
    /// A terminator of a block.
    Terminator,
    /// A value, which may also stand among the types.
    Value,
}

impl GrammarRow {
    /// Returns the numbers of the capabilities.
    pub fn capabilities(&self) -> Vec<u32> {
        let numbers = self.capabilities.split_whitespace().filter_map(capability);
        numbers.collect()
    }

    /// Returns the extensions.
    pub fn extensions(&self) -> Vec<&'static str> {
        self.extensions.split_whitespace().collect()
    }

    /// Returns the facts on an enumerant.
    pub fn enumerant(&self) -> Enumerant {
        Enumerant {
            parameters: self.operands.clone(),
            capabilities: self.capabilities(),
            extensions: self.extensions(),
        }
    }
}

/// Returns the instructions, sorted by opcode.
pub fn instructions() -> &'static [GrammarRow] {
    static ROWS: LazyLock<Vec<GrammarRow>> = LazyLock::new(|| {
        csv::rows(NEWER_INSTRUCTIONS)
            .filter_map(|[number, name, operands, capabilities, extensions, role]: [&str; 6]| {
                let role = match role {
                    "terminator" => Some(InstructionRole::Terminator),
                    "value" => Some(InstructionRole::Value),
                    _ => None,
                };
                let (number, operands) = (number.parse().ok()?, parse(operands)?);
                Some(GrammarRow { number, name, operands, capabilities, extensions, aliases: "", role })
            })
            .collect()
    });
    &ROWS
}

/// Returns the enumerants of a kind, sorted by value.
pub fn enumerants(kind: OperandKind) -> &'static [GrammarRow] {
    static ROWS: LazyLock<Vec<(OperandKind, Vec<GrammarRow>)>> = LazyLock::new(|| {
        let mut all: Vec<(OperandKind, Vec<GrammarRow>)> = Vec::new();
        for [kind, number, name, operands, capabilities, extensions, aliases] in csv::rows(NEWER_ENUMERANTS) {
            let (Some(kind), Ok(number), Some(operands)) =
                (kind_named(kind), number.parse(), parse(operands))
            else {
                continue;
            };
            if all.last().is_none_or(|(last, _)| *last != kind) {
                all.push((kind, Vec::new()));
            }
            if let Some((_, rows)) = all.last_mut() {
                rows.push(GrammarRow {
                    number,
                    name,
                    operands,
                    capabilities,
                    extensions,
                    aliases,
                    role: None,
                });
            }
        }
        all
    });
    static CAPABILITY_ROWS: LazyLock<Vec<GrammarRow>> = LazyLock::new(|| {
        let row = |[number, name, capabilities, extensions, aliases]: [&'static str; 5]| {
            let number = number.parse().ok()?;
            Some(GrammarRow {
                number,
                name,
                operands: Vec::new(),
                capabilities,
                extensions,
                aliases,
                role: None,
            })
        };
        csv::rows(NEWER_CAPABILITIES).filter_map(row).collect()
    });
    match kind {
        OperandKind::Capability => &CAPABILITY_ROWS,
        _ => ROWS.iter().find(|(row_kind, _)| *row_kind == kind).map_or(&[], |(_, rows)| rows),
    }
}

/// Parses operands: their kinds, with a question mark after an optional operand and a star after one that repeats.
fn parse(operands: &str) -> Option<Vec<LogicalOperand>> {
    let parsed = operands.split_whitespace().map(|operand| {
        let (name, quantifier) = match operand.strip_suffix(['?', '*']) {
            Some(name) if operand.ends_with('?') => (name, OperandQuantifier::ZeroOrOne),
            Some(name) => (name, OperandQuantifier::ZeroOrMore),
            None => (operand, OperandQuantifier::One),
        };
        Some(LogicalOperand { kind: kind_named(name)?, quantifier })
    });
    parsed.collect()
}
