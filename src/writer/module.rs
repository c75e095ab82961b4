use thiserror::Error;

use crate::loader::{MAX_BOUND, Module};
use crate::transform::Edits;

/// The reason that edits cannot be applied.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum WriteError {
    /// The module has no ids left for the new definitions.
    #[error(
        "the result would need {0} ids, and a module can have no more than {MAX_BOUND}: compact its ids first (spirv-opt --compact-ids)"
    )]
    Bound(u32),
}

/// The words of the module after the edits, in the host's byte order. Unedited words are copied in runs, bit for bit.
///
/// # Errors
/// If the new ids do not fit under the universal limit.
pub fn apply(module: &Module, edits: &Edits) -> Result<Vec<u32>, WriteError> {
    if edits.bound() > MAX_BOUND {
        return Err(WriteError::Bound(edits.bound()));
    }
    let old = module.words();
    let made = edits.made();
    let added: usize = made.iter().map(|edit| edits.new_words(edit).len()).sum();
    let mut words = Vec::with_capacity(old.len() + added);
    edits.splice(&made, old, 0, &mut words);
    words[3] = edits.bound();
    Ok(words)
}

/// Applies a few edits to the words of their module in place.
///
/// # Errors
/// If the new ids do not fit under the universal limit.
pub fn apply_in_place(words: &mut Vec<u32>, edits: &Edits) -> Result<(), WriteError> {
    if edits.bound() > MAX_BOUND {
        return Err(WriteError::Bound(edits.bound()));
    }
    words[3] = edits.bound();
    for edit in edits.made().iter().rev() {
        words.splice(edit.start as usize..edit.end as usize, edits.new_words(edit).iter().copied());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of OpNops that differ only in their offsets.
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
}
