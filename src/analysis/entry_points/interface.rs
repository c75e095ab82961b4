//! The interface lists of entry points.

use spirv::{Decoration, Op};

use crate::loader::{Instruction, Module};

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

/// Whether a decoration gives a variable, or a member of what it holds, a place in an interface.
pub fn is_location(decoration: u32) -> bool {
    [Decoration::Location as u32, Decoration::Component as u32].contains(&decoration)
}

/// Whether a variable has a place in an interface, itself or a member of its block: `located` tells which ids have the decoration. To
/// remove such a variable from an interface breaks the next stage of the pipeline.
pub fn has_place(module: &Module, variable: u32, located: impl Fn(u32) -> bool) -> bool {
    located(variable) || interface_block(module, variable).is_some_and(located)
}

/// The structure type of an interface block, or of an array of them.
fn interface_block(module: &Module, variable: u32) -> Option<u32> {
    let pointer = module.definition_as(variable, Op::Variable)?.word(1);
    let mut id = module.definition_as(pointer, Op::TypePointer)?.word(3);
    loop {
        let inst = module.definition(id)?;
        match inst.op()? {
            // Elements are defined before their array, so this ends.
            Op::TypeArray if module.definition_offset(inst.word(2)) < Some(inst.offset()) => {
                id = inst.word(2)
            }
            Op::TypeStruct => return Some(id),
            _ => return None,
        }
    }
}
