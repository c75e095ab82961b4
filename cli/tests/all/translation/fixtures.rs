//! The fixtures with specialization constants, checked like random programs.

use std::collections::HashMap;

use spirv::{Decoration, Op};

use super::check::{CheckCounts, CheckedModule, TranslationCheck};
use crate::common::{fixtures, is_valid};
use crate::drivers::routes::instructions;
use crate::random::Random;
use crate::search::program::Feature;
use crate::search::values::{Constant, Type, value};

/// Returns the specialization constants of a module, except those of types that random values do not have.
fn constants(words: &[u32], random: &mut Random) -> Vec<Constant> {
    let mut ids: HashMap<u32, u32> = HashMap::new();
    let mut types: HashMap<u32, Type> = HashMap::new();
    let mut constants = Vec::new();
    for (opcode, operands) in instructions(words) {
        match (Op::from_u32(opcode), operands) {
            (Some(Op::Decorate), &[id, decoration, spec_id]) if decoration == Decoration::SpecId as u32 => {
                ids.insert(id, spec_id);
            }
            (Some(Op::TypeBool), &[id]) => drop(types.insert(id, Type::Bool)),
            (Some(Op::TypeInt), &[id, 32, 1]) => drop(types.insert(id, Type::Int)),
            (Some(Op::TypeInt), &[id, 32, _]) => drop(types.insert(id, Type::Uint)),
            (Some(Op::TypeInt), &[id, 16, 0]) => drop(types.insert(id, Type::Wide(Feature::Int16))),
            (Some(Op::TypeInt), &[id, 64, 0]) => drop(types.insert(id, Type::Wide(Feature::Int64))),
            (Some(Op::TypeFloat), &[id, 32]) => drop(types.insert(id, Type::Float)),
            (Some(Op::TypeFloat), &[id, 64]) => drop(types.insert(id, Type::Wide(Feature::Float64))),
            (Some(Op::SpecConstant | Op::SpecConstantTrue | Op::SpecConstantFalse), &[type_id, id, ..]) => {
                if let (Some(&of), Some(&id)) = (types.get(&type_id), ids.get(&id)) {
                    let value = value(random, of);
                    constants.push(Constant {
                        id,
                        of,
                        default: value.clone(),
                        value,
                        bound: Vec::new(),
                        bit: None,
                    });
                }
            }
            _ => {}
        }
    }
    constants
}

fn do_the_same() {
    let mut checked = CheckCounts::default();
    for (name, words) in fixtures() {
        let mut random = Random::new(name.len() as u64);
        let constants = constants(&words, &mut random);
        if constants.is_empty() || !is_valid(&words, "spv1.6") {
            continue;
        }
        let mut check =
            TranslationCheck::new(CheckedModule { words: &words, constants: &constants }, &mut random);
        match check.run(&mut random, &mut |_| {}) {
            // A value that the module must not have, as 0 for the size of work-groups.
            Err(mismatch) if mismatch.is_error => {}
            Err(mismatch) => panic!("{name}: {}: {}", mismatch.step, mismatch.explanation),
            Ok(()) => {}
        }
        checked.add(check.checked);
    }
    assert!(checked.compared > 40, "{checked:?}");
}

tests![do_the_same];
