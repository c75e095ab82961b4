//! Applies edits to a module in one pass.

use thiserror::Error;

use crate::loader::{Instructions, MAX_BOUND, Module};
use crate::transform::{DeltaWords, Edit, Edits};

/// The reason that edits cannot be applied.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteError {
    /// No ids are left in the module for the new definitions.
    #[error(
        "the result would need {0} ids, and a module can have no more than {MAX_BOUND}: compact its ids first (spirv-opt --compact-ids)"
    )]
    Bound(u32),
}

/// Returns the words of the module after the edits, in the host's byte order. Unedited words are copied in
/// runs, bit for bit.
///
/// # Errors
/// If the new ids exceed the universal limit.
pub fn apply(module: &Module, edits: &Edits) -> Result<Vec<u32>, WriteError> {
    if edits.bound() > MAX_BOUND {
        return Err(WriteError::Bound(edits.bound()));
    }
    let mut words = Vec::with_capacity(module.words().len() + edits.count_new_words());
    edits.splice(&edits.sorted(), module.words(), 0, &mut words);
    words[3] = edits.bound();
    Ok(words)
}

/// Like [`apply`], but returns runs of the module's words.
///
/// # Errors
/// If the new ids exceed the universal limit.
pub fn apply_as_runs(module: &Module, edits: &Edits) -> Result<DeltaWords, WriteError> {
    match edits.bound() {
        bound if bound > MAX_BOUND => Err(WriteError::Bound(bound)),
        _ => Ok(DeltaWords::new(module, edits)),
    }
}

/// Applies a few edits to the words of their module in place.
///
/// # Errors
/// If the new ids exceed the universal limit.
pub fn apply_in_place(words: &mut Vec<u32>, edits: &Edits) -> Result<(), WriteError> {
    if edits.bound() > MAX_BOUND {
        return Err(WriteError::Bound(edits.bound()));
    }
    words[3] = edits.bound();
    for edit in edits.sorted_without_void().iter().rev() {
        words.splice(edit.start as usize..edit.end as usize, edits.new_words(edit).iter().copied());
    }
    Ok(())
}

/// Marks the ids whose definition is removed by edits and not added again. [`Module::without`] checks that
/// nothing refers to them.
pub fn removed(module: &Module, edits: &Edits) -> Vec<bool> {
    let mut removed = vec![false; edits.bound() as usize];
    let mut mark = |instructions: Instructions, is_removed: bool| {
        for id in instructions.filter_map(|inst| inst.result_id()) {
            if let Some(removed) = removed.get_mut(id as usize) {
                *removed = is_removed;
            }
        }
    };
    let all = edits.sorted_without_void();
    all.iter().for_each(|Edit { start, end, .. }| mark(module.range(*start, *end), true));
    all.iter().for_each(|edit| mark(Instructions::new(edits.new_words(edit), 0), false));
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::LoadProblem;
    use crate::test_support::{instruction, module_of};

    /// Returns a module of OpNops that differ only in their offsets.
    fn nops(count: usize) -> Vec<u32> {
        [vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, 10, 0], vec![0x0001_0000; count]].concat()
    }

    #[test]
    fn edits_apply_by_offset_in_any_order() {
        let words = nops(6);
        let module = Module::from_words(&words).unwrap();
        let label = |id| [0x0002_00f8, id];
        let mut edits = Edits::new(&module);
        edits.insert_words(9, &label(3));
        edits.drop_range(6, 8);
        edits.insert_words(7, &label(9)); // inside the dropped words
        edits.replace_words(&module.instruction(10), &label(5));
        edits.insert_words(5, &label(1));
        edits.insert_words(5, &label(2));
        edits.insert_words(11, &label(6));
        assert_eq!(edits.fresh_id(), 10);
        let nop = vec![0x0001_0000];
        let expected = [
            vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, 11, 0],
            [label(1), label(2)].concat(),
            nop.clone(),
            nop.clone(),
            label(3).to_vec(),
            nop,
            label(5).to_vec(),
            label(6).to_vec(),
        ];
        assert_eq!(apply(&module, &edits).unwrap(), expected.concat());
        let mut in_place = words.clone();
        apply_in_place(&mut in_place, &edits).unwrap();
        assert_eq!(in_place, expected.concat());
    }

    #[test]
    fn too_many_ids_are_refused() {
        let mut words = nops(1);
        words[3] = MAX_BOUND;
        let module = Module::from_words(&words).unwrap();
        let mut edits = Edits::new(&module);
        assert_eq!(apply(&module, &edits).unwrap(), words);
        edits.fresh_id();
        assert_eq!(apply(&module, &edits), Err(WriteError::Bound(MAX_BOUND + 1)));
    }

    /// Returns types: %1 is an integer type, %2 a pointer to it, %3 a function type that takes the pointer.
    fn types() -> Vec<u32> {
        let types = [instruction(21, &[1, 32, 0]), instruction(32, &[2, 8, 1]), instruction(33, &[3, 1, 2])];
        module_of(9, &types)
    }

    #[test]
    fn ids_whose_definition_is_dropped_and_not_replaced_are_removed() {
        let words = types();
        let module = Module::from_words(&words[..]).unwrap();
        let [int, pointer, function] = [1, 2, 3].map(|id| module.definition(id).unwrap());
        let mut edits = Edits::new(&module);
        edits.drop_range(pointer.offset(), function.end());
        edits.replace_words(&int, &instruction(21, &[1, 64, 0]));
        // This instruction is void: it is inside the dropped words.
        edits.replace_words(&function, &instruction(33, &[3, 1]));
        let is_removed = removed(&module, &edits);
        assert_eq!(is_removed[..4], [false, false, true, true]);
        assert_eq!(is_removed.len(), 9);
        edits.insert_words(function.end(), &instruction(32, &[2, 7, 1]));
        assert_eq!(removed(&module, &edits)[..4], [false, false, false, true]);
    }

    #[test]
    fn no_instruction_may_refer_to_a_removed_id() {
        let words = types();
        let is_removed = [false, false, true, false];
        let error = Module::without(words.clone(), &is_removed).unwrap_err();
        // The definition itself is the first reference.
        assert_eq!(
            (error.offset, error.problem),
            (36, LoadProblem::Removed { id: 2, opcode: "OpTypePointer".to_owned() })
        );
        let before = Module::from_words(&words[..]).unwrap();
        let mut edits = Edits::new(&before);
        edits.drop(&before.definition(2).unwrap());
        let dropped = crate::writer::apply(&before, &edits).unwrap();
        let error = Module::without(dropped, &removed(&before, &edits)).unwrap_err();
        assert_eq!(error.problem, LoadProblem::Removed { id: 2, opcode: "OpTypeFunction".to_owned() });
        assert!(Module::without(words, &[false; 9]).is_ok());
    }
}
