//! The rules of what needs a capability, as far as they are complete: `spec-extensions/conditional-capabilities.csv` and
//! `spec-extensions/conditional-extensions.csv`.

use std::sync::LazyLock;

use spirv::{Capability, Op};

use crate::loader::{Instruction, Module};

/// What the table calls a pointer to a function, among the types.
const FUNCTION_POINTER: &str = "function*";

/// A kind and width of scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// OpTypeInt or OpTypeFloat.
    pub op: Op,
    /// In bits.
    pub width: u32,
}

impl Scalar {
    /// Whether an instruction declares this type.
    pub fn is_declared_by(&self, inst: &Instruction) -> bool {
        inst.is(self.op) && inst.word(2) == self.width
    }

    /// Whether a type is this one, or a vector of it.
    pub fn is_element_of(&self, module: &Module, type_: u32) -> bool {
        let element = module.definition_as(type_, Op::TypeVector).map_or(type_, |vector| vector.word(2));
        module.definition(element).is_some_and(|inst| self.is_declared_by(&inst))
    }

    fn parse(text: &str) -> Option<Scalar> {
        let (op, width) = match text.strip_prefix("float") {
            Some(width) => (Op::TypeFloat, width),
            None => (Op::TypeInt, text.strip_prefix("int")?),
        };
        Some(Scalar { op, width: width.parse().ok()? })
    }
}

/// What needs a capability.
#[derive(Clone, Debug)]
pub struct Rule {
    /// The capability.
    pub capability: Capability,
    /// The scalar types that need it.
    pub types: Vec<Scalar>,
    /// Whether pointers to functions need it.
    pub function_pointers: bool,
    /// The instructions that need it where they work on values of this type, in place of those that the grammar lists.
    pub instructions: Option<(Vec<Op>, Scalar)>,
}

/// The capabilities that may become conditional, with what needs them.
pub fn capabilities() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        rows(include_str!("../../spec-extensions/conditional-capabilities.csv"))
            .filter_map(|row| rule(&row))
            .collect()
    });
    &RULES
}

/// The extensions that may become conditional, with the capabilities one of which needs each.
pub fn extensions() -> &'static [(String, Vec<Capability>)] {
    static RULES: LazyLock<Vec<(String, Vec<Capability>)>> = LazyLock::new(|| {
        let rows = rows(include_str!("../../spec-extensions/conditional-extensions.csv"));
        rows.map(|row| (row[0].to_string(), words(row[1]).filter_map(|name| name.parse().ok()).collect()))
            .collect()
    });
    &RULES
}

/// The rows of an embedded table, without comments and titles.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| line.split(',').collect())
}

fn words(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split(' ').filter(|word| !word.is_empty())
}

fn rule(row: &[&'static str]) -> Option<Rule> {
    let &[capability, types, instructions, element, _proof] = row else { return None };
    let instructions: Vec<Op> = words(instructions).flat_map(opcodes).collect();
    Some(Rule {
        capability: capability.parse().ok()?,
        types: words(types).filter_map(Scalar::parse).collect(),
        function_pointers: words(types).any(|word| word == FUNCTION_POINTER),
        instructions: Scalar::parse(element).map(|element| (instructions, element)),
    })
}

/// The opcodes of a name, which may end in a star.
fn opcodes(name: &'static str) -> impl Iterator<Item = Op> {
    let name = name.trim_start_matches("Op");
    let all = rspirv::grammar::INSTRUCTION_TABLE.iter();
    let matching = all.filter(move |inst| match name.strip_suffix('*') {
        Some(prefix) => inst.opname.starts_with(prefix),
        None => inst.opname == name,
    });
    matching.map(|inst| inst.opcode)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Nothing in the tables is misspelt: the reader passes over what it does not understand.
    #[test]
    fn every_cell_is_understood() {
        let capability_rows = rows(include_str!("../../spec-extensions/conditional-capabilities.csv"));
        let mut count = 0;
        for row in capability_rows {
            let rule = rule(&row).unwrap_or_else(|| panic!("{row:?}"));
            let types = rule.types.len() + usize::from(rule.function_pointers);
            assert_eq!(types, words(row[1]).count(), "{row:?}");
            assert_eq!(rule.instructions.is_some(), !row[2].is_empty(), "{row:?}");
            assert!(rule.instructions.is_none_or(|(ops, _)| ops.len() >= words(row[2]).count()), "{row:?}");
            count += 1;
        }
        assert_eq!(count, capabilities().len());
        for (row, rule) in
            rows(include_str!("../../spec-extensions/conditional-extensions.csv")).zip(extensions())
        {
            assert_eq!(rule.1.len(), words(row[1]).count(), "{row:?}");
        }
    }
}
