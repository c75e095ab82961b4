//! Generation of instruction layouts from the grammar: rspirv's with the newer instructions and enumerants.
//! The test at the end writes `generated.rs`, so that no process flattens the grammar again.

#![allow(clippy::unwrap_used, reason = "only the package `generate` and tests run it")]

mod entry;
mod members;
pub mod rows;

use std::fmt::Write;

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::enumerants::{ParametersOf, is_plain_enumerant, kind_named, with_parameters};
use super::layout::OperandList;
use super::words::MANY;
use super::{InstructionLayout, LogicalPlace, Section, TrailingOperands, WordCount, closure, newer_name};
pub use entry::{GrammarEntry, entries};
#[cfg(any(test, feature = "test-support"))]
pub use members::enumerant_named;
#[cfg(test)]
pub use members::facts;
pub use members::{Enumerant, collect, enumerant, members};

impl ParametersOf {
    const ALL: [ParametersOf; 7] = [
        ParametersOf::Decoration,
        ParametersOf::ExecutionMode,
        ParametersOf::ImageOperands,
        ParametersOf::LoopControl,
        ParametersOf::MemoryAccess,
        ParametersOf::TensorAddressingOperands,
        ParametersOf::TensorOperands,
    ];

    fn kind(self) -> OperandKind {
        kind_named(&format!("{self:?}")).unwrap()
    }
}

/// The operand lists of the table so far.
#[derive(Default)]
struct OperandTable(Vec<LogicalOperand>);

impl OperandTable {
    /// Returns a list of these operands, which may be part of another list.
    fn list(&mut self, operands: &[LogicalOperand]) -> OperandList {
        let known = self.0.windows(operands.len().max(1)).position(|window| window == operands);
        let at = known.unwrap_or_else(|| {
            self.0.extend_from_slice(operands);
            self.0.len() - operands.len()
        });
        OperandList::new(at.try_into().unwrap(), operands.len().try_into().unwrap())
    }
}

/// Returns true if loading tracks the effect of an instruction on later ones, or records the instruction.
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

/// Returns the place of an instruction in the layout of a module. It also works for newer types and constants, whose
/// names begin like older ones.
fn place_of(inst: GrammarEntry) -> LogicalPlace {
    use Section::*;
    let by_name = || match inst.is_of_types() {
        true if inst.is_value() => LogicalPlace::Types,
        true => LogicalPlace::Section(Types),
        false => LogicalPlace::Body,
    };
    let Some(op) = inst.op() else { return by_name() };
    let section = match op {
        Op::Nop => return LogicalPlace::Unknown,
        Op::Function | Op::GraphARM => return LogicalPlace::Begin,
        Op::FunctionEnd | Op::GraphEndARM => return LogicalPlace::End,
        Op::Undef | Op::Variable | Op::UntypedVariableKHR => return LogicalPlace::Types,
        Op::Line | Op::NoLine | Op::ExtInst | Op::ExtInstWithForwardRefsKHR | Op::GraphEntryPointARM
        // The extension does not define a section for these: DPC++ writes them before the decorations.
        | Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => {
            return LogicalPlace::Anywhere;
        }
        Op::Capability | Op::ConditionalCapabilityINTEL => Capabilities,
        Op::Extension | Op::ConditionalExtensionINTEL => Extensions,
        Op::ExtInstImport => Imports,
        Op::MemoryModel => MemoryModel,
        Op::EntryPoint
        | Op::ConditionalEntryPointINTEL
        | Op::ExecutionMode
        | Op::ExecutionModeId
        | Op::SamplerImageAddressingModeNV => EntryPoints,
        Op::String
        | Op::Source
        | Op::SourceContinued
        | Op::SourceExtension
        | Op::Name
        | Op::MemberName
        | Op::ModuleProcessed => Debug,
        Op::Decorate
        | Op::DecorateId
        | Op::DecorateString
        | Op::MemberDecorate
        | Op::MemberDecorateString
        | Op::GroupDecorate
        | Op::GroupMemberDecorate
        | Op::DecorationGroup => Annotations,
        Op::AsmTargetINTEL
        | Op::AsmINTEL
        | Op::GraphConstantARM => Types,
        _ => return by_name(),
    };
    LogicalPlace::Section(section)
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

fn flatten(inst: GrammarEntry, all: &mut OperandTable) -> InstructionLayout {
    let operands = inst.operands();
    let leading = operands
        .iter()
        .take_while(|operand| operand.quantifier == OperandQuantifier::One && is_id(operand.kind))
        .count();
    let (head, rest) = operands.split_at(leading);
    let all_ids =
        |operand: &LogicalOperand| is_id(operand.kind) || operand.kind == OperandKind::PairIdRefIdRef;
    let tail = if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralContextDependentNumber, .. }]) {
        TrailingOperands::Number
    } else if rest.is_empty() || rest.iter().all(|operand| is_plain_literal(operand.kind)) {
        TrailingOperands::NoIds
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::PairIdRefIdRef, .. }]) {
        TrailingOperands::Pairs
    } else if rest.iter().all(all_ids) {
        TrailingOperands::Ids
    } else if matches!(rest, [LogicalOperand { kind: OperandKind::LiteralString, .. }]) {
        TrailingOperands::String
    } else if let [operand] = rest
        && let Some(parameters) = with_parameters(operand.kind)
    {
        TrailingOperands::Enumerant(all.list(rest), parameters)
    } else if is_gap(rest) {
        TrailingOperands::Gap(all.list(rest))
    } else {
        TrailingOperands::Operands(all.list(rest))
    };
    let result = head.iter().position(|operand| operand.kind == OperandKind::IdResult);
    let flat = InstructionLayout::new(
        leading as u8,
        head.first().is_some_and(|operand| operand.kind == OperandKind::IdResultType),
        result.map_or(0, |at| 1 + at as u8),
        WordCount::from_operands(operands).after(1),
        place_of(inst),
        tail,
    );
    let flat = if is_tracked(inst) { flat.tracked() } else { flat };
    if inst.ends_block() { flat.ending_block() } else { flat }
}

/// Returns true if operands are an enumerant without parameters, followed by ids.
fn is_gap(operands: &[LogicalOperand]) -> bool {
    let is_one_id =
        |operand: &LogicalOperand| is_id(operand.kind) && operand.quantifier != OperandQuantifier::ZeroOrMore;
    let [LogicalOperand { kind, quantifier: OperandQuantifier::One }, ids @ ..] = operands else {
        return false;
    };
    is_plain_enumerant(*kind) && ids.iter().all(is_one_id)
}

fn source_of_list(list: OperandList) -> String {
    format!("at({}, {})", list.at, list.count)
}

fn source_of_layout(layout: &InstructionLayout) -> String {
    let tail = match layout.tail {
        TrailingOperands::Gap(list) => format!("Gap({})", source_of_list(list)),
        TrailingOperands::Operands(list) => format!("Operands({})", source_of_list(list)),
        TrailingOperands::Enumerant(list, of) => {
            format!("Enumerant({}, ParametersOf::{of:?})", source_of_list(list))
        }
        plain => format!("{plain:?}"),
    };
    let place = match layout.place {
        LogicalPlace::Section(section) => format!("in_section(Section::{section:?})"),
        place => format!("{place:?}"),
    };
    let WordCount { min, optional } = layout.words;
    let optional = if optional == MANY { "MANY".to_owned() } else { optional.to_string() };
    let has_type = layout.has_type;
    let result = layout.result_word().unwrap_or_default();
    let mut source = format!(
        "InstructionLayout::new({}, {has_type}, {result}, WordCount::new({min}, {optional}), {place}, {tail})",
        layout.ids
    );
    source += if layout.is_tracked { ".tracked()" } else { "" };
    source + if layout.ends_block { ".ending_block()" } else { "" }
}

/// Returns the text of `generated.rs`.
pub fn tables() -> String {
    let mut all = OperandTable::default();
    let layouts: Vec<(GrammarEntry, InstructionLayout)> =
        entries().map(|inst| (inst, flatten(inst, &mut all))).collect();
    let mut parameters = String::new();
    for of in ParametersOf::ALL {
        let kind = of.kind();
        writeln!(parameters, "    EnumerantParameters::new(OperandKind::{kind:?}, &[").unwrap();
        for (value, operands) in collect(kind) {
            writeln!(parameters, "        ({value}, {}),", source_of_list(all.list(&operands))).unwrap();
        }
        writeln!(parameters, "    ]),").unwrap();
    }
    let mut text = String::from(
        "//! The grammar, flattened: `cargo run -p generate` writes this file.\n\n\
         use rspirv::grammar::OperandKind::*;\n\
         use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier::*};\n\
         use spirv::Op;\n\n\
         use super::Capability;\n\
         use super::enumerants::{EnumerantParameters, ParametersOf};\n\
         use super::layout::{InstructionLayout, LogicalPlace::*, OperandList, Section, TrailingOperands::*, in_section};\n\
         use super::words::{MANY, WordCount};\n\n\
         const fn at(at: u16, count: u8) -> OperandList {\n    OperandList::new(at, count)\n}\n\n",
    );
    writeln!(text, "/// The logical operands of layouts that are not simpler.").unwrap();
    writeln!(text, "pub(super) static OPERANDS: [LogicalOperand; {}] = [", all.0.len()).unwrap();
    for LogicalOperand { kind, quantifier } in &all.0 {
        writeln!(text, "    LogicalOperand {{ kind: {kind:?}, quantifier: {quantifier:?} }},").unwrap();
    }
    writeln!(text, "];\n\n/// The parameters of enumerants.").unwrap();
    writeln!(text, "pub(super) static PARAMETERS: [EnumerantParameters; {}] = [", ParametersOf::ALL.len())
        .unwrap();
    writeln!(text, "{parameters}];\n\n/// All opcodes of the grammar, with those of rspirv.").unwrap();
    writeln!(text, "pub(super) static OPCODES: [(u16, Option<Op>); {}] = [", layouts.len()).unwrap();
    for (inst, _) in &layouts {
        let op = inst.op().map_or_else(|| "None".to_owned(), |op| format!("Some(Op::{op:?})"));
        writeln!(text, "    ({}, {op}),", inst.opcode()).unwrap();
    }
    writeln!(text, "];\n\n/// The capabilities, sorted by number.").unwrap();
    let capabilities: Vec<u32> = members(OperandKind::Capability).map(|(number, _)| number).collect();
    writeln!(text, "pub(super) static CAPABILITIES: [Capability; {}] = [", capabilities.len()).unwrap();
    let mut names: Vec<(String, usize)> = Vec::new();
    for (at, number) in capabilities.into_iter().enumerate() {
        let newer = || newer_name(OperandKind::Capability, number).unwrap_or_default().to_owned();
        let name = spirv::Capability::from_u32(number).map_or_else(newer, |known| format!("{known:?}"));
        let capability = |number| enumerant(OperandKind::Capability, number).unwrap();
        let Enumerant { capabilities: implied, extensions, .. } = capability(number);
        let closure = closure([number], |number| capability(number).capabilities);
        writeln!(text, "    Capability {{ number: {number}, name: {name:?}, implied: &{implied:?}, closure: &{closure:?}, extensions: &{extensions:?} }},")
            .unwrap();
        names.push((name, at));
    }
    names.sort();
    let places: Vec<usize> = names.into_iter().map(|(_, at)| at).collect();
    writeln!(text, "];\n\n/// Indexes of the capabilities, sorted by name.").unwrap();
    writeln!(text, "pub(super) static BY_NAME: [u16; {}] = {places:?};", places.len()).unwrap();
    writeln!(text, "\n/// The layouts of all opcodes.").unwrap();
    writeln!(text, "pub(super) static LAYOUTS: [InstructionLayout; {}] = [", layouts.len()).unwrap();
    for (inst, layout) in &layouts {
        writeln!(text, "    {}, // {}", source_of_layout(layout), inst.name()).unwrap();
    }
    text + "];\n"
}

/// Compares the instructions known at run time with the grammar.
#[test]
fn instructions_are_the_entries() {
    use super::layout::instructions;
    assert_eq!(instructions().count(), entries().count());
    for (known, entry) in instructions().zip(entries()) {
        assert_eq!(known.op(), entry.op());
        let also = matches!(entry.op(), Some(Op::Undef | Op::Variable | Op::UntypedVariableKHR));
        assert_eq!(known.is_of_types(), entry.is_of_types() || also, "{}", entry.name());
    }
}

/// Checks that the tables have an entry for each opcode of the grammar, and none for others.
#[test]
fn every_opcode_has_its_own_entry() {
    use super::layout::{known_op, layout, number};
    let all: Vec<GrammarEntry> = entries().collect();
    for opcode in 0..=u16::MAX {
        let at = all.iter().position(|inst| inst.opcode() == opcode);
        assert_eq!(layout(opcode).map(|_| number(opcode)), at, "{opcode}");
        assert_eq!(known_op(opcode.into()), Op::from_u32(opcode.into()), "{opcode}");
    }
}
