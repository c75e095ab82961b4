//! Modules by naga, with its missing parts.

use std::collections::{HashMap, HashSet};

use spirv::{Capability, Decoration, Op, StorageClass};

use super::values::Constant;
use crate::common::bytes_of;
use crate::drivers::routes::instructions;

/// Returns a module without the excess declarations of naga 30. These are the layouts of arrays and structures outside of buffers, which are
/// invalid, and halves in the interface of an entry point, which not all drivers with halves support.
pub fn without_surplus(words: &[u32]) -> Vec<u32> {
    let blocks: HashSet<u32> = instructions(words)
        .filter(|(opcode, operands)| *opcode == DECORATE && operands[1] == Decoration::Block as u32)
        .map(|(_, operands)| operands[0])
        .collect();
    let is_block = |(opcode, operands): &(u32, &[u32])| {
        *opcode == Op::TypeStruct as u32 && blocks.contains(&operands[0])
    };
    let mut laid_out = blocks.clone();
    laid_out.extend(instructions(words).filter(is_block).flat_map(|(_, operands)| operands[1..].to_vec()));
    let mut result = words[..5].to_vec();
    for (opcode, operands) in instructions(words) {
        let is_layout = match opcode {
            DECORATE => operands[1] == Decoration::ArrayStride as u32,
            MEMBER_DECORATE => operands[2] == Decoration::Offset as u32,
            _ => false,
        };
        if opcode == Op::Capability as u32 && operands[0] == Capability::StorageInputOutput16 as u32 {
            continue;
        }
        if !is_layout || laid_out.contains(&operands[0]) {
            push(&mut result, opcode, operands);
        }
    }
    result
}

/// A module with specialization constants in the place of the private variables of their names. Their defaults are what these begin with.
pub fn with_constants(words: &[u32], constants: &[Constant]) -> Vec<u32> {
    let mut spec_ids = HashMap::new();
    let mut initialized = HashSet::new();
    for (opcode, operands) in instructions(words) {
        if opcode == Op::Name as u32 {
            let name = bytes_of(&operands[1..]);
            let is_named =
                |constant: &&Constant| name.starts_with(format!("{}\0", constant.name()).as_bytes());
            spec_ids.extend(constants.iter().find(is_named).map(|constant| (operands[0], constant.id)));
        } else if opcode == VARIABLE && operands[2] == StorageClass::Private as u32 && operands.len() > 3 {
            initialized.insert(operands[1]);
        }
    }
    spec_ids.retain(|variable, _| initialized.contains(variable));
    // The constants by their variables.
    let numbers: HashMap<u32, u32> = spec_ids.keys().copied().zip(words[3]..).collect();
    let mut result = words[..5].to_vec();
    result[3] += numbers.len() as u32;
    let mut values: HashMap<u32, (u32, &[u32])> = HashMap::new();
    let mut is_decorated = false;
    for (opcode, operands) in instructions(words) {
        let is_type = (Op::TypeVoid as u32..=Op::TypePipe as u32).contains(&opcode);
        if is_type && !std::mem::replace(&mut is_decorated, true) {
            for (variable, id) in &spec_ids {
                push(&mut result, DECORATE, &[numbers[variable], Decoration::SpecId as u32, *id]);
            }
        }
        let specialized = match opcode {
            TRUE => Some(Op::SpecConstantTrue),
            FALSE => Some(Op::SpecConstantFalse),
            CONSTANT => Some(Op::SpecConstant),
            _ => None,
        };
        if let Some(specialized) = specialized {
            values.insert(operands[1], (specialized as u32, operands));
        }
        let variable = match opcode {
            VARIABLE => operands.get(1),
            LOAD => operands.get(2),
            _ => None,
        };
        match variable.and_then(|variable| numbers.get(variable)) {
            Some(number) if opcode == LOAD => {
                push(&mut result, Op::CopyObject as u32, &[operands[0], operands[1], *number]);
            }
            Some(number) => {
                let (opcode, constant) = values[&operands[3]];
                push(&mut result, opcode, &[&[constant[0], *number], &constant[2..]].concat());
            }
            None if opcode == Op::EntryPoint as u32 => {
                let ends = |word: &u32| word.to_le_bytes().contains(&0);
                let name = 3 + operands[2..].iter().position(ends).unwrap_or(0);
                let (head, interface) = operands.split_at(name);
                let kept: Vec<u32> =
                    interface.iter().copied().filter(|variable| !numbers.contains_key(variable)).collect();
                push(&mut result, opcode, &[head, &kept].concat());
            }
            None if opcode == Op::Name as u32 && numbers.contains_key(&operands[0]) => (),
            None => push(&mut result, opcode, operands),
        }
    }
    without_unused(&result, &values.into_values().map(|(_, constant)| constant[1]).collect())
}

/// A module without those of the constants, and of the pointer types of private variables, that nothing uses any more: their types are
/// required of devices.
fn without_unused(words: &[u32], constants: &HashSet<u32>) -> Vec<u32> {
    const WITH_NUMBERS: [Op; 9] = [
        Op::Source,
        Op::Name,
        Op::MemberName,
        Op::String,
        Op::Line,
        Op::Decorate,
        Op::MemberDecorate,
        Op::Constant,
        Op::SpecConstant,
    ];
    let defined = |opcode: u32, operands: &[u32]| match opcode {
        TRUE | FALSE | CONSTANT => Some(operands[1]).filter(|id| constants.contains(id)),
        POINTER if operands[1] == StorageClass::Private as u32 => Some(operands[0]),
        _ => None,
    };
    let mut used: HashSet<u32> = HashSet::new();
    for (opcode, operands) in instructions(words) {
        if !WITH_NUMBERS.iter().any(|op| *op as u32 == opcode) {
            let result = defined(opcode, operands);
            // The number of an extended instruction may look like an id.
            let number = (opcode == Op::ExtInst as u32).then_some(3);
            let ids =
                operands.iter().enumerate().filter(|&(at, &id)| Some(at) != number && Some(id) != result);
            used.extend(ids.map(|(_, id)| id));
        }
    }
    let mut result = words[..5].to_vec();
    for (opcode, operands) in instructions(words) {
        if defined(opcode, operands).is_none_or(|id| used.contains(&id)) {
            push(&mut result, opcode, operands);
        }
    }
    result
}

const DECORATE: u32 = Op::Decorate as u32;
const MEMBER_DECORATE: u32 = Op::MemberDecorate as u32;
const POINTER: u32 = Op::TypePointer as u32;
const VARIABLE: u32 = Op::Variable as u32;
const LOAD: u32 = Op::Load as u32;
const TRUE: u32 = Op::ConstantTrue as u32;
const FALSE: u32 = Op::ConstantFalse as u32;
const CONSTANT: u32 = Op::Constant as u32;

fn push(words: &mut Vec<u32>, opcode: u32, operands: &[u32]) {
    words.push(((operands.len() + 1) as u32) << 16 | opcode);
    words.extend(operands);
}
