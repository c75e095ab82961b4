//! What edits remove.

use crate::loader::{Instructions, Module};
use crate::transform::{Edit, Edits};

/// By id: whether edits remove its definition, and do not bring another one. [`Module::without`] makes sure that nothing refers to it.
pub fn removed(module: &Module, edits: &Edits) -> Vec<bool> {
    let mut removed = vec![false; edits.bound() as usize];
    let mut mark = |instructions: Instructions, is_removed: bool| {
        for id in instructions.filter_map(|inst| inst.result_id()) {
            if let Some(removed) = removed.get_mut(id as usize) {
                *removed = is_removed;
            }
        }
    };
    let made = edits.made();
    made.iter().for_each(|Edit { start, end, .. }| mark(module.range(*start, *end), true));
    made.iter().for_each(|edit| mark(Instructions::new(edits.new_words(edit), 0), false));
    removed
}
