//! Specialization constants in place of conditions: every module then branches on them, with the control flow of all
//! compilers.

use std::collections::BTreeMap;

use spirv::{Decoration, Op};

use crate::loader::Module;
use crate::test_support::instruction;
use crate::transform::Edits;
use crate::writer::apply;

/// The SpecId of the first constant.
pub const FIRST: u32 = 0x1_0000;

/// Returns a module in which about half of the conditions are new specialization constants, chosen by a seed; `None` if there are none.
pub fn planted(words: &[u32], seed: u64) -> Option<Vec<u32>> {
    let module = Module::from_words(words).ok()?;
    let mut edits = Edits::new(&module);
    let mut state = seed.wrapping_add(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 33
    };
    // By type: the constants of it.
    let mut constants: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for inst in module.functions().iter().flat_map(|function| module.body(function)) {
        if !matches!(inst.op(), Some(Op::BranchConditional | Op::Switch)) || next() % 2 == 0 {
            continue;
        }
        let type_id = module.definition(inst.word(1))?.result_type()?;
        let is_narrow = module.definition(type_id)?.word(2) <= 32;
        if inst.is(Op::Switch) && !is_narrow {
            continue;
        }
        let of_type = constants.entry(type_id).or_default();
        // Some decide several branches.
        let id = match of_type.last() {
            Some(&last) if next() % 4 == 0 => last,
            _ => edits.fresh_id(),
        };
        if of_type.last() != Some(&id) {
            of_type.push(id);
        }
        let mut words = inst.words().to_vec();
        words[1] = id;
        edits.replace_words(&inst, &words);
    }
    // Where types begin, decorations are over.
    let types = module.globals().find(|inst| inst.name().starts_with("OpType"))?;
    let mut spec_id = FIRST;
    for (&type_id, ids) in &constants {
        let type_ = module.definition(type_id)?;
        for &id in ids {
            edits.insert_words(
                types.offset(),
                &instruction(Op::Decorate as u16, &[id, Decoration::SpecId as u32, spec_id]),
            );
            spec_id += 1;
            let constant = match type_.is(Op::TypeBool) {
                true => instruction(Op::SpecConstantTrue as u16, &[type_id, id]),
                false => instruction(Op::SpecConstant as u16, &[type_id, id, 1]),
            };
            edits.insert_words(type_.end(), &constant);
        }
    }
    (!constants.is_empty()).then(|| apply(&module, &edits).unwrap())
}
