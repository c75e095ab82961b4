//! Control flow.

views! {
    /// The begin of a block.
    Label: Label { id: word 1 }

    /// A branch.
    Branch: Branch { target_label: word 1 }

    /// A branch to one of two blocks.
    BranchConditional: BranchConditional {
        condition: word 1, true_label: word 2, false_label: word 3, branch_weights: words 4,
    }

    /// A branch to one of many blocks. See also `cases`.
    Switch: Switch { selector: word 1, default: word 2 }

    /// A value that depends on where the block was come from. The pairs are of a value and a label.
    Phi: Phi { type_id: word 1, id: word 2, incoming: pairs 3 }

    /// The end of a function with a result.
    ReturnValue: ReturnValue { value: word 1 }

    /// The declaration of a loop.
    LoopMerge: LoopMerge { merge_block: word 1, continue_target: word 2, loop_control: word 3 }

    /// The declaration of a selection.
    SelectionMerge: SelectionMerge { merge_block: word 1, selection_control: word 2 }

    /// The declaration of a loop or a selection.
    Merge: LoopMerge | SelectionMerge { merge_block: word 1 }
}

impl<'a> Switch<'a> {
    /// The literals and labels of the cases, for a selector as wide as this in bits: the number of words of a literal
    /// depends on the type of the selector.
    pub fn cases(self, width: u32) -> impl Iterator<Item = (&'a [u32], u32)> + use<'a> {
        let literal = if width > 32 { 2 } else { 1 };
        self.words_from(3).chunks_exact(literal + 1).map(move |case| (&case[..literal], case[literal]))
    }
}
