//! Comparison of definitions of two modules, whose ids are compared by the caller.

use super::Description;
use crate::loader::{Instruction, Module, grammar};

/// Returns true if two instructions have the same words except for ids, and `is_same` holds for each word with an id: its number, the id and
/// the id of the other instruction.
#[inline]
pub fn are_equal(
    module: &Module,
    inst: &Instruction,
    other: &Instruction,
    mut is_same: impl FnMut(usize, u32, u32) -> bool,
) -> bool {
    let (words, others) = (inst.words(), other.words());
    if words[0] != others[0] {
        return false;
    }
    let (mut next, mut equal) = (1, true);
    module.walk(inst, &mut |at: usize, id: u32| {
        equal = equal && words[next..at] == others[next..at] && is_same(at, id, others[at]);
        next = at + 1;
    });
    equal && words[next..] == others[next..]
}

/// Returns true if two definitions, each with its module and the instructions that continue it, have the same words except for ids, and
/// `is_same` holds for each pair of ids in them but their own.
pub fn are_equal_definitions(
    (module, inst): (&Module, &Instruction),
    (other_module, other_inst): (&Module, &Instruction),
    mut is_same: impl FnMut(u32, u32) -> bool,
) -> bool {
    let mut parts = module.with_continuations(inst);
    let mut other_parts = other_module.with_continuations(other_inst);
    loop {
        match (parts.next(), other_parts.next()) {
            (None, None) => return true,
            (Some(part), Some(other_part)) => {
                let result = grammar::layout(part.opcode()).and_then(|layout| layout.result_word());
                let are_equal = are_equal(module, &part, &other_part, |at, id, other_id| {
                    Some(at) == result || is_same(id, other_id)
                });
                if !are_equal {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// Returns true if the descriptions of two ids, each with its module, are the same except for ids, and `is_same` holds for these.
pub fn are_described_equally(
    (module, list): (&Module, &[Description]),
    (other_module, others): (&Module, &[Description]),
    mut is_same: impl FnMut(u32, u32) -> bool,
) -> bool {
    list.len() == others.len()
        && list.iter().zip(others).all(|(description, other_description)| {
            let (words, other_words) = (description.words(module), other_description.words(other_module));
            if (description.opcode, description.member, words.len())
                != (other_description.opcode, other_description.member, other_words.len())
            {
                return false;
            }
            let (mut next, mut equal) = (0, true);
            description.ids(module, &mut |at, id| {
                equal = equal && words[next..at] == other_words[next..at] && is_same(id, other_words[at]);
                next = at + 1;
            });
            equal && words[next..] == other_words[next..]
        })
}
