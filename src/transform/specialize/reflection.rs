//! Non-semantic instructions that name SpecIds (`spec-extensions/reflection.csv`), where their constants become ordinary ones.

use std::sync::LazyLock;

use spirv::Op;

use super::{Flags, SpecializeContext};
use crate::loader::{SetKind, views};
use crate::text::csv;
use crate::transform::Edits;

/// The number of the instruction for a kernel, in all sets with counterparts.
const KERNEL: u32 = 1;

/// A row of the table: an instruction that names SpecIds.
#[derive(Debug)]
struct SpecIdInstruction {
    set: &'static str,
    number: u32,
    name: &'static str,
    /// The words that are ids of constants with the SpecIds.
    operands: Vec<usize>,
    /// Number of the counterpart: the instruction for values instead of SpecIds.
    counterpart: Option<u32>,
}

static INSTRUCTIONS: LazyLock<Vec<SpecIdInstruction>> = LazyLock::new(|| rows().filter_map(row).collect());

fn rows() -> impl Iterator<Item = [&'static str; 5]> {
    csv::rows(include_str!("../../../spec-extensions/reflection.csv"))
}

fn row([set, number, name, operands, counterpart]: [&'static str; 5]) -> Option<SpecIdInstruction> {
    Some(SpecIdInstruction {
        set,
        number: number.parse().ok()?,
        name,
        operands: operands.split(' ').map(|word| word.parse().ok()).collect::<Option<_>>()?,
        counterpart: counterpart.split(' ').next().and_then(|number| number.parse().ok()),
    })
}

/// An instruction with the SpecId of a constant that becomes an ordinary one.
pub struct OutdatedReflection {
    offset: u32,
    instruction: &'static SpecIdInstruction,
    /// The removed SpecIds.
    spec_ids: Vec<u32>,
    /// Operands of the counterpart, if all constants have values.
    values: Option<Vec<u32>>,
}

/// Finds these instructions, and keeps the constants that counterparts need.
pub fn find(context: &mut SpecializeContext) -> Vec<OutdatedReflection> {
    let module = context.module;
    if !module.has_sets_of(SetKind::NonSemantic) {
        return Vec::new();
    }
    let instruction = |inst: views::ExtInst| {
        let set = module.imported_set(inst.set())?;
        let is_it =
            |row: &&SpecIdInstruction| row.number == inst.instruction() && set.name().starts_with(row.set);
        INSTRUCTIONS.iter().find(is_it)
    };
    let mut outdated = Vec::new();
    for inst in module.outside_functions().filter_map(views::ExtInst::new) {
        let Some(instruction) = instruction(inst) else { continue };
        let (mut spec_ids, mut values) = (Vec::new(), Some(Vec::new()));
        for &word in &instruction.operands {
            let spec_id =
                context.constants.value(inst.word(word)).and_then(|value| u32::try_from(value).ok());
            let Some(spec_id) = spec_id else { continue };
            let is_set = |id: u32| context.flags.has(id, Flags::DECIDED);
            let mut constants = context
                .constants
                .spec_constants()
                .iter()
                .filter(|constant| constant.spec_id == spec_id)
                .peekable();
            match constants.peek().map(|constant| constant.id) {
                Some(id) if constants.all(|constant| is_set(constant.id)) => {
                    spec_ids.push(spec_id);
                    values.iter_mut().for_each(|values| values.push(id));
                }
                _ => values = None,
            }
        }
        if !spec_ids.is_empty() {
            let values = values.filter(|_| instruction.counterpart.is_some());
            values.iter().flatten().for_each(|&id| context.keep(id));
            outdated.push(OutdatedReflection { offset: inst.offset(), instruction, spec_ids, values });
        }
    }
    outdated
}

/// Replaces the instructions by their counterparts, or removes and reports them.
pub fn write(context: &mut SpecializeContext, edits: &mut Edits) {
    let module = context.module;
    for reflection in find(context) {
        let inst = views::ExtInst(module.instruction(reflection.offset));
        edits.drop(&inst);
        let Some((number, values)) = reflection.instruction.counterpart.zip(reflection.values) else {
            context.report.removed_reflection.push((reflection.instruction.name, reflection.spec_ids));
            continue;
        };
        let of_set = |number: u32| {
            let all = module.outside_functions().filter_map(views::ExtInst::new);
            all.filter(move |other| other.set() == inst.set() && other.instruction() == number)
        };
        for kernel in of_set(KERNEL) {
            // It may be described after the function that follows.
            let (kernel, place) = (kernel.id(), reflection.offset.max(kernel.end()));
            if !of_set(number).any(|other| other.operands().first() == Some(&kernel)) {
                let id = edits.fresh_id();
                let mut words = vec![0, inst.type_id(), id, inst.set(), number, kernel];
                words.extend_from_slice(&values);
                words[0] = (words.len() as u32) << 16 | Op::ExtInst as u32;
                edits.insert_words(place, &words);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_names_the_instructions_of_the_grammars() {
        assert_eq!(rows().count(), INSTRUCTIONS.len());
        for instruction in INSTRUCTIONS.iter() {
            let grammar = rspirv::grammar::ext_inst_table(instruction.set);
            let grammar = grammar.unwrap_or_else(|| panic!("{}", instruction.set));
            let of_number = |number: u32| {
                grammar.iter().find(|inst| u32::from(inst.opcode) == number).expect("an instruction")
            };
            let inst = of_number(instruction.number);
            assert_eq!(inst.opname, instruction.name);
            assert!(instruction.operands.iter().all(|word| (5..5 + inst.operands.len()).contains(word)));
            let counterpart = rows().find(|row| row[2] == instruction.name).unwrap()[4];
            if let Some(number) = instruction.counterpart {
                assert_eq!(format!("{number} {}", of_number(number).opname), counterpart);
            }
        }
    }
}
