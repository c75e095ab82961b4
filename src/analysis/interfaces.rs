//! The interface lists of entry points.

use spirv::Op;

use crate::loader::Instruction;

/// The interface list of an OpEntryPoint (its name at word 3) or an OpConditionalEntryPointINTEL (at word 4), and the number
/// of the word at which it starts.
pub fn interface<'m>(inst: &Instruction<'m>) -> (usize, &'m [u32]) {
    let name = if inst.is(Op::EntryPoint) { 3 } else { 4 };
    let ends = |word: &u32| word.to_le_bytes().contains(&0);
    let start = match inst.words_from(name).iter().position(ends) {
        Some(last) => name + last + 1,
        None => inst.words().len(),
    };
    (start, inst.words_from(start))
}
