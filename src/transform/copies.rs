//! Copies of instructions under new ids, with their decorations.

use std::collections::HashMap;

use spirv::Op;

use super::Edits;
use crate::loader::{Instruction, Module, views};

/// The words of an instruction with some ids replaced.
pub(super) fn renamed(module: &Module, inst: &Instruction, ids: &HashMap<u32, u32>) -> Vec<u32> {
    let mut words = inst.words().to_vec();
    module.walk(inst, &mut |at, id: u32| {
        if let Some(&new) = ids.get(&id) {
            words[at] = new;
        }
    });
    words
}

/// The decorations of some ids: each OpDecorate and OpDecorateId.
pub(super) struct Decorations<'m> {
    by_id: HashMap<u32, Vec<views::Decoration<'m>>>,
}

impl<'m> Decorations<'m> {
    /// Finds the decorations of ids.
    pub fn of(module: &'m Module<'m>, ids: impl Iterator<Item = u32>) -> Decorations<'m> {
        let mut by_id: HashMap<u32, Vec<views::Decoration>> = ids.map(|id| (id, Vec::new())).collect();
        if !by_id.is_empty() {
            let copied = |inst: &views::Decoration| matches!(inst.op(), Some(Op::Decorate | Op::DecorateId));
            for inst in module.decorations().filter(copied) {
                if let Some(found) = by_id.get_mut(&inst.target()) {
                    found.push(inst);
                }
            }
        }
        Decorations { by_id }
    }

    /// Decorates the id `to` as `from` is; `annotations` is the offset at which decorations are inserted.
    pub fn copy(&self, from: u32, to: u32, annotations: u32, edits: &mut Edits) {
        for decoration in self.by_id.get(&from).into_iter().flatten() {
            let mut words = decoration.words().to_vec();
            words[1] = to;
            edits.insert_words(annotations, &words);
        }
    }
}
