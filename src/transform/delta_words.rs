//! Words as runs of a module's words and new ones. They take a fraction of the memory if most words are unchanged.

use super::Edits;
use super::edits::without_void;
use crate::loader::{HEADER_WORDS, Instruction, Instructions, Module};

/// The words of an edited module, as differences from the original.
#[derive(Clone, Debug, Default)]
pub struct DeltaWords {
    runs: Vec<Run>,
    /// The words that the module does not have, in order.
    new_words: Vec<u32>,
}

/// New words, and then words of the module.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// The end of the new words in [`DeltaWords::new_words`]. They begin at the end of the previous run.
    new_end: u32,
    /// The range of the words of the module.
    start: u32,
    end: u32,
}

impl DeltaWords {
    /// Makes the runs of a module with edits to it.
    pub fn new(module: &Module, edits: &Edits) -> DeltaWords {
        let (old, sorted) = (module.words(), edits.sorted());
        let (of_header, others) =
            sorted.split_at(sorted.partition_point(|edit| (edit.start as usize) < HEADER_WORDS));
        let mut new_words = Vec::with_capacity(HEADER_WORDS + edits.count_new_words());
        edits.splice(of_header, &old[..HEADER_WORDS], 0, &mut new_words);
        new_words[3] = edits.bound();
        let mut runs = Vec::with_capacity(others.len() + 1);
        let mut copied = HEADER_WORDS as u32;
        for edit in others.iter().filter(without_void()) {
            if edit.start > copied {
                runs.push(Run { new_end: new_words.len() as u32, start: copied, end: edit.start });
            }
            new_words.extend_from_slice(edits.new_words(edit));
            copied = edit.end;
        }
        runs.push(Run { new_end: new_words.len() as u32, start: copied, end: old.len() as u32 });
        DeltaWords { runs, new_words }
    }

    /// Returns the words piece by piece, with those of the module. Each piece is of whole instructions.
    pub fn pieces<'w>(&'w self, base: &'w [u32]) -> impl Iterator<Item = &'w [u32]> {
        let mut start = 0;
        self.runs.iter().flat_map(move |run| {
            let new_words = &self.new_words[start..run.new_end as usize];
            start = run.new_end as usize;
            [new_words, &base[run.start as usize..run.end as usize]]
        })
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        self.new_words.len() + self.runs.iter().map(|run| (run.end - run.start) as usize).sum::<usize>()
    }
}

/// Returns the instructions in the pieces of a module. The first piece begins with the header.
pub fn instructions<'w>(pieces: impl Iterator<Item = &'w [u32]>) -> impl Iterator<Item = Instruction<'w>> {
    let mut end = 0;
    pieces.flat_map(move |piece| {
        let of_header = if end == 0 { HEADER_WORDS.min(piece.len()) } else { 0 };
        let start = end + of_header;
        end += piece.len();
        Instructions::new(&piece[of_header..], start as u32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writer::apply;

    /// Checks that edits of the header, adjacent edits, edits at the end, and void edits make the same words as
    /// applying them.
    #[test]
    fn runs_are_what_edits_make() {
        let words = [vec![spirv::MAGIC_NUMBER, 0x0001_0000, 0, 10, 0], vec![0x0001_0000; 9]].concat();
        let module = Module::from_words(&words).unwrap();
        let label = |id: u32| [0x0002_00f8, id];
        let mut edits = Edits::new(&module);
        let mut compare = |change: &dyn Fn(&mut Edits)| {
            change(&mut edits);
            let runs = DeltaWords::new(&module, &edits);
            let joined: Vec<u32> = runs.pieces(&words).flatten().copied().collect();
            assert_eq!(joined, apply(&module, &edits).unwrap());
            assert_eq!(runs.len(), joined.len());
        };
        compare(&|_| {});
        compare(&|edits| edits.insert_words(9, &label(3)));
        compare(&|edits| edits.drop_range(6, 8));
        compare(&|edits| edits.insert_words(7, &label(9)));
        compare(&|edits| edits.replace_words(&module.instruction(8), &label(5)));
        compare(&|edits| edits.insert_words(5, &label(1)));
        compare(&|edits| edits.insert_words(14, &label(2)));
        compare(&|edits| edits.set_version(0x0001_0300));
        compare(&|edits| assert_eq!(edits.fresh_id(), 10));
        compare(&|edits| edits.drop_range(13, 14));
    }
}
