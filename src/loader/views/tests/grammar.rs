//! Comparison of the views' tables with rspirv's grammar: the place and form of each operand, and its kind as
//! far as the grammar has it.

use std::collections::BTreeSet;

use rspirv::grammar::{INSTRUCTION_TABLE, LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use super::ViewTable;
use crate::loader::views::*;

const TABLES: [&[ViewTable]; 3] = [head::TABLES, types::TABLES, code::TABLES];

/// Names that the views use for operands of these kinds.
const NAMES: &[(OperandKind, &[&str])] = &[
    (OperandKind::IdResult, &["id"]),
    (OperandKind::IdResultType, &["type_id"]),
    (OperandKind::StorageClass, &["storage_class"]),
    (OperandKind::ExecutionModel, &["execution_model"]),
    (OperandKind::ExecutionMode, &["mode"]),
    (OperandKind::AddressingModel, &["addressing_model"]),
    (OperandKind::MemoryModel, &["memory_model"]),
    (OperandKind::Capability, &["capability", "capabilities"]),
    (OperandKind::Dim, &["dim"]),
    (OperandKind::ImageFormat, &["image_format"]),
    (OperandKind::AccessQualifier, &["access_qualifier"]),
    (OperandKind::FPEncoding, &["encoding"]),
    (OperandKind::FunctionControl, &["control"]),
    (OperandKind::LoopControl, &["loop_control"]),
    (OperandKind::SelectionControl, &["selection_control"]),
    (OperandKind::MemoryAccess, &["memory_access"]),
    (OperandKind::LiteralSpecConstantOpInteger, &["operation", "operation_number"]),
    (OperandKind::LiteralExtInstInteger, &["instruction"]),
];

fn name_of(kind: OperandKind) -> Option<&'static [&'static str]> {
    NAMES.iter().find(|(known, _)| *known == kind).map(|(_, names)| *names)
}

fn operands_of(op: Op) -> &'static [LogicalOperand] {
    INSTRUCTION_TABLE.iter().find(|inst| inst.opcode == op).map(|inst| inst.operands).unwrap()
}

/// Compares an operand that an opcode has in a view.
fn check(op: Op, operands: &[LogicalOperand], (name, form, at): (&str, &str, usize)) {
    use OperandKind::*;
    let shown = format!("{name} of Op{op:?}");
    let (before, rest) = operands.split_at(operands.len().min(at - 1));
    let one_word = |operand: &LogicalOperand| {
        operand.quantifier != OperandQuantifier::ZeroOrMore
            && !matches!(operand.kind, LiteralString | LiteralContextDependentNumber)
    };
    assert!(before.iter().all(one_word), "{shown} stands at a fixed word");
    let Some(operand) = rest.first() else {
        // The parameters of an enumerant.
        assert!(form == "words" && matches!(before.last(), Some(LogicalOperand { kind: ExecutionMode, .. })));
        return;
    };
    let many = operand.quantifier == OperandQuantifier::ZeroOrMore;
    match form {
        "string" => assert_eq!(operand.kind, LiteralString, "{shown}"),
        "words" => assert!(
            many || matches!(operand.kind, LiteralContextDependentNumber | LiteralSpecConstantOpInteger),
            "{shown}"
        ),
        "pairs" => assert!(many && matches!(operand.kind, PairIdRefIdRef | IdRef), "{shown}"),
        "optional" => assert_eq!(operand.quantifier, OperandQuantifier::ZeroOrOne, "{shown}"),
        "op" => assert!(matches!(operand.kind, LiteralSpecConstantOpInteger | LiteralInteger), "{shown}"),
        _ => assert!(form == "word" && !many && operand.kind != LiteralString, "{shown}"),
    }
    // OpSpecConstantArchitectureINTEL takes the number of an opcode as a literal.
    if op == Op::SpecConstantArchitectureINTEL && operand.kind == LiteralInteger {
        return;
    }
    if let Some(names) = name_of(operand.kind) {
        assert!(names.contains(&name), "{shown} is a {:?}", operand.kind);
    } else {
        let wrong = NAMES.iter().find(|(_, names)| names.contains(&name));
        assert!(wrong.is_none(), "{shown} is a {:?}", operand.kind);
    }
}

#[test]
fn the_tables_are_as_the_grammar_has_it() {
    let mut names = BTreeSet::new();
    for table in TABLES.into_iter().flatten() {
        assert!(names.insert(table.view), "there is one {}", table.view);
        for &op in table.ops {
            let operands = &operands_of(op)[usize::from(table.conditional.contains(&op))..];
            for &field in table.fields {
                // The kinds of the words after an operation depend on the operation.
                let (before, _) = operands.split_at(operands.len().min(field.2 - 1));
                if field.0 == "operands" && op == Op::SpecConstantOp && before.len() == 3 {
                    continue;
                }
                check(op, operands, field);
            }
        }
    }
}

/// Checks that every view has the result of its instructions and its type.
#[test]
fn views_have_the_results_of_their_instructions() {
    for table in TABLES.into_iter().flatten() {
        for &op in table.ops {
            for (at, operand) in (1..).zip(operands_of(op)) {
                if let Some(names) = name_of(operand.kind)
                    && matches!(operand.kind, OperandKind::IdResult | OperandKind::IdResultType)
                {
                    let has_operand =
                        table.fields.iter().any(|(name, _, word)| names.contains(name) && *word == at);
                    assert!(has_operand, "{} has {names:?}", table.view);
                }
            }
        }
    }
}
