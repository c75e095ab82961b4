//! The form of a variant in a merged module that was specialized: its version, and its notes alone.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use super::version::{MODULE_PROCESSED, changes};
use crate::loader::{Instruction, Module, Version};
use crate::metadata::property_sets::{VariantForm, carried};
use crate::transform::Edits;

/// Returns the edits that give a specialized module the form of a variant, except the version in its header and its storage buffers. They restore
/// interface lists and remarks of its version, and remove notes of other variants. `merged` is the module that was specialized, and `count` is
/// the number of its notes.
pub fn restore(merged: &Module, module: &Module, count: u32, form: &VariantForm) -> Edits {
    let version = Version::from_word(form.version);
    let mut edits = changes(module, version, BTreeSet::new());
    if notes(merged).count() != count as usize {
        return edits;
    }
    let mut strings = HashSet::new();
    let mut others = Vec::new();
    for (number, note) in (0..).zip(notes(merged)) {
        match note.result_id() {
            Some(id) if !form.has_note(number) => drop(strings.insert(id)),
            Some(_) => {}
            None => others.push(form.has_note(number)),
        }
    }
    let existing: Vec<Instruction> = notes(module).filter(|note| !note.is(Op::String)).collect();
    let mut dropped = HashSet::new();
    if existing.len() == others.len() {
        let superfluous = existing.iter().zip(&others).filter(|(_, stays)| !**stays).map(|(note, _)| *note);
        dropped.extend(superfluous.map(|note| note.offset()));
    }
    // A string stays where something else of the result refers to it.
    let mut is_dropped = false;
    for inst in module.instructions() {
        is_dropped = dropped.contains(&inst.offset()) || is_dropped && inst.is(Op::SourceContinued);
        if is_dropped {
            if !(inst.is(Op::ModuleProcessed) && version < MODULE_PROCESSED) {
                edits.drop(&inst);
            }
        } else if !inst.is(Op::String) {
            module.walk(&inst, &mut |_: usize, id: u32| {
                strings.remove(&id);
            });
        }
    }
    notes(module).filter(|note| note.result_id().is_some_and(|id| strings.contains(&id))).for_each(|note| {
        edits.drop(&note);
    });
    edits
}

/// Returns the strings, sources and remarks of a module, in order, except those that carry its properties.
fn notes<'m>(module: &'m Module<'m>) -> impl Iterator<Item = Instruction<'m>> {
    module.annotations().filter(|inst| {
        matches!(inst.op(), Some(Op::String | Op::Source | Op::SourceExtension | Op::ModuleProcessed))
            && !carried::is_string(inst)
    })
}
