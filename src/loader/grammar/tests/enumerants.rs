//! Look-ups of enumerants, of all kinds and values.

use std::collections::HashSet;

use rspirv::grammar::OperandKind;

use crate::loader::grammar::enumerants::{is_enumerated, is_mask, kind_named};
use crate::loader::grammar::generate::{collect, rows};
use crate::loader::grammar::*;

/// Checks that the look-up has every kind of the grammar whose enumerants have parameters. A kind that rspirv
/// adds must not be walked as if it had none.
#[test]
fn every_kind_with_parameters_is_looked_up() {
    let kinds = entries().flat_map(|inst| inst.operands()).map(|operand| operand.kind);
    let mut seen = 0;
    for kind in kinds {
        for (value, operands) in collect(kind) {
            assert_eq!(parameters(kind, value), Some(&operands[..]), "{kind:?} {value}");
            seen += usize::from(!operands.is_empty());
        }
    }
    assert!(seen > 100);
}

/// Checks that every enumerant is found.
#[test]
fn every_enumerant_is_found() {
    let kinds: HashSet<OperandKind> =
        entries().flat_map(|inst| inst.operands()).map(|operand| operand.kind).collect();
    for kind in kinds.into_iter().filter(|&kind| !is_mask(kind)) {
        let expected: Vec<u32> = (0..0x2_0000)
            .chain(1_000_000_000..1_001_000_000)
            .filter(|&value| enumerant(kind, value).is_some())
            .collect();
        assert_eq!(members(kind).map(|(value, _)| value).collect::<Vec<_>>(), expected, "{kind:?}");
    }
}

/// Checks that tables can name every operand kind of the grammar, and that enumerations have enumerants.
#[test]
fn every_kind_is_known() {
    for inst in entries() {
        for operand in inst.operands() {
            let kind = operand.kind;
            assert_eq!(kind_named(&format!("{kind:?}")), Some(kind), "in {}", inst.name());
            let value = if is_mask(kind) { 1..=16 } else { 0..=4 };
            let has_enumerants = value.into_iter().any(|value| enumerant(kind, value).is_some());
            assert_eq!(is_enumerated(kind), has_enumerants, "{kind:?} in {}", inst.name());
        }
    }
}

/// Checks that aliases have their values in spirv, and that each capability has its name. The newest
/// grammar's aliases are tested in `newest`.
#[test]
fn names_and_aliases_are_spirvs() {
    let mut seen = 0;
    for kind in [OperandKind::Capability, OperandKind::ExecutionMode, OperandKind::Decoration] {
        let spirvs = |name: &str| match kind {
            OperandKind::Capability => name.parse::<spirv::Capability>().map(|known| known as u32),
            OperandKind::ExecutionMode => name.parse::<spirv::ExecutionMode>().map(|known| known as u32),
            _ => name.parse::<spirv::Decoration>().map(|known| known as u32),
        };
        for row in rows::enumerants(kind) {
            for alias in row.aliases.split_whitespace() {
                assert_eq!(aliased(kind, alias), Some(row.number), "{kind:?} {alias}");
                assert!(
                    spirvs(alias).is_ok_and(|known| known == row.number) || spirvs(alias).is_err(),
                    "{alias}"
                );
                seen += usize::from(spirvs(alias).is_ok());
            }
        }
    }
    assert!(seen > 80, "{seen}");
    for known in capabilities() {
        assert_eq!(capability(known.name), Some(known.number));
    }
    let storage = Some(spirv::Capability::UniformAndStorageBuffer16BitAccess as u32);
    assert_eq!(capability("StorageUniform16"), storage);
    assert_eq!(capability("storageuniform16"), None);
    assert_eq!(aliased(OperandKind::Decoration, "StorageUniform16"), None);
    assert_eq!(capability(""), None);
    for kind in [OperandKind::Capability, OperandKind::Decoration, OperandKind::LinkageType] {
        assert_eq!(aliased(kind, ""), None, "{kind:?}");
    }
}
