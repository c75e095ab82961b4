//! Specialization constants with one SpecId, which the host sets together.

use spirv::Op;

use super::error::LinkWarning;
use super::unit::LinkUnit;
use crate::analysis::constants::{SpecConstantDecl, find_spec_constants};
use crate::collections::IdMap;
use crate::loader::{Module, views};

/// A specialization constant: its module, its id there, and the words of its type and of its value.
struct LinkedConstant<'m> {
    unit: usize,
    id: u32,
    type_: &'m [u32],
    /// The opcode, and the words of the default.
    value: (u16, &'m [u32]),
}

/// Returns the warnings about constants of different modules with one SpecId and different types or defaults. Ids must
/// be those of the result.
pub(super) fn check(units: &[LinkUnit]) -> Vec<LinkWarning> {
    let mut first: IdMap<LinkedConstant> = IdMap::new();
    let mut warnings = Vec::new();
    for (at, unit) in units.iter().enumerate() {
        let module = unit.module;
        for SpecConstantDecl { id, spec_id, .. } in find_spec_constants(module) {
            let Some(constant) = module.definition(id) else { continue };
            let Some(type_) = module.definition(views::Value(constant).type_id()) else { continue };
            let constant = LinkedConstant {
                unit: at,
                id,
                type_: type_.words_from(2),
                value: (constant.opcode(), views::Value(constant).operands()),
            };
            let other = first.entry(spec_id).or_insert(LinkedConstant { ..constant });
            if other.unit == at || (other.type_ == constant.type_ && other.value == constant.value) {
                continue;
            }
            let (first, second) = (&units[other.unit], unit);
            warnings.push(LinkWarning::SpecId {
                spec_id,
                first: first.name.to_string(),
                first_value: show(first.module, other.id),
                second: second.name.to_string(),
                second_value: show(second.module, constant.id),
            });
        }
    }
    warnings
}

/// Returns the type and the default of a constant in words.
fn show(module: &Module, id: u32) -> String {
    let Some(constant) = module.definition(id) else { return String::new() };
    let constant = views::SpecConstant(constant);
    let type_ = module.definition(constant.type_id());
    let bits = match constant.value() {
        [low] => u64::from(*low),
        [low, high, ..] => u64::from(*high) << 32 | u64::from(*low),
        [] => 0,
    };
    match (constant.op(), type_.and_then(|inst| inst.op())) {
        (Some(Op::SpecConstantTrue), _) => "bool true".to_string(),
        (Some(Op::SpecConstantFalse), _) => "bool false".to_string(),
        (_, Some(op @ (Op::TypeInt | Op::TypeFloat))) => {
            let width = type_.map_or(0, |inst| views::TypeNumber(inst).width());
            match (op, width) {
                (Op::TypeFloat, 32) => format!("float32 {:?}", f32::from_bits(bits as u32)),
                (Op::TypeFloat, 64) => format!("float64 {:?}", f64::from_bits(bits)),
                (Op::TypeFloat, _) => format!("float{width} {bits:#x}"),
                _ => format!("int{width} {bits}"),
            }
        }
        _ => constant.name(),
    }
}
