//! Enumerants are found, whatever their kind and value.

use std::collections::HashSet;

use rspirv::grammar::OperandKind;

use crate::loader::grammar::enumerants::{collect, is_mask};
use crate::loader::grammar::*;

/// Every kind that the grammar uses and that has enumerants with parameters is in the look-up above: a kind that rspirv
/// adds one day must not be walked as if it had none.
#[test]
fn every_kind_with_parameters_is_looked_up() {
    let kinds = instructions().flat_map(|inst| inst.operands()).map(|operand| operand.kind);
    let mut seen = 0;
    for kind in kinds {
        for (value, operands) in collect(kind) {
            assert_eq!(parameters(kind, value), Some(&operands[..]), "{kind:?} {value}");
            seen += usize::from(!operands.is_empty());
        }
    }
    assert!(seen > 100);
}

/// No enumerant is outside of where they are looked for.
#[test]
fn every_enumerant_is_found() {
    let kinds: HashSet<OperandKind> =
        instructions().flat_map(|inst| inst.operands()).map(|operand| operand.kind).collect();
    for kind in kinds.into_iter().filter(|&kind| !is_mask(kind)) {
        let expected: Vec<u32> = (0..0x2_0000)
            .chain(1_000_000_000..1_001_000_000)
            .filter(|&value| enumerant(kind, value).is_some())
            .collect();
        assert_eq!(members(kind).map(|(value, _)| value).collect::<Vec<_>>(), expected, "{kind:?}");
    }
}

/// Every operand kind of the grammar is an id, a literal, a pair, or an enumeration that `enumerant` knows.
#[test]
fn every_kind_is_known() {
    use OperandKind::*;
    for inst in instructions() {
        for operand in inst.operands() {
            let plain = is_id(operand.kind) || is_plain_literal(operand.kind);
            let special = matches!(
                operand.kind,
                LiteralString
                    | LiteralExtInstInteger
                    | LiteralSpecConstantOpInteger
                    | PairLiteralIntegerIdRef
                    | PairIdRefLiteralInteger
                    | PairIdRefIdRef
            );
            let value = if is_mask(operand.kind) { 1..=16 } else { 0..=4 };
            let enumerated = value.into_iter().any(|value| enumerant(operand.kind, value).is_some());
            assert!(plain || special || enumerated, "{:?} in {}", operand.kind, inst.name());
        }
    }
}
