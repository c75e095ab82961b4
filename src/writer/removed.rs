//! The ids that edits remove.

use crate::loader::{Instructions, Module};
use crate::transform::{Edit, Edits};

/// By id: true if edits remove its definition and add no other. [`Module::without`] checks that nothing refers to it.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::Problem;
    use crate::test_support::{instruction, module_of};

    /// %1 is an integer type, %2 a pointer to it, %3 a function type that takes the pointer.
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
        // This one is void: it is inside the dropped words.
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
        // The definition itself names it first.
        assert_eq!(
            (error.offset, error.problem),
            (36, Problem::Removed { id: 2, opcode: "OpTypePointer".to_owned() })
        );
        let before = Module::from_words(&words[..]).unwrap();
        let mut edits = Edits::new(&before);
        edits.drop(&before.definition(2).unwrap());
        let dropped = crate::writer::apply(&before, &edits).unwrap();
        let error = Module::without(dropped, &removed(&before, &edits)).unwrap_err();
        assert_eq!(error.problem, Problem::Removed { id: 2, opcode: "OpTypeFunction".to_owned() });
        assert!(Module::without(words, &[false; 9]).is_ok());
    }
}
