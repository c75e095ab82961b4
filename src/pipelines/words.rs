//! The words of results. They are joined as late as possible: most are runs of the module's words, and a writer does not need them in one
//! piece.

use std::borrow::Cow;

use super::PipelineError;
use crate::compatibility::ModuleDeclarations;
use crate::loader::{HEADER_WORDS, Module, Version};
use crate::transform::{DeltaWords, Edits, instructions};
use crate::writer::apply;

/// The words of a result, in the host's byte order.
#[derive(Clone, Debug)]
pub enum ModuleBuffer<'r> {
    /// All words in one piece, borrowed from the module if nothing changed.
    Whole(Cow<'r, [u32]>),
    /// As runs of the words of a module.
    Runs(DeltaWords, &'r [u32]),
}

impl<'r> ModuleBuffer<'r> {
    /// Returns the words with the edits that a function finds for their module.
    ///
    /// # Errors
    /// If the function fails, the words do not load, or the edits cannot be applied.
    pub fn changed(
        self,
        find: &mut dyn FnMut(&Module) -> Result<Edits, PipelineError>,
    ) -> Result<ModuleBuffer<'r>, PipelineError> {
        let whole = match self {
            ModuleBuffer::Whole(words) => words,
            runs => Cow::Owned(runs.into_owned()),
        };
        let module = Module::from_words(whole)?;
        let edits = find(&module)?;
        Ok(apply(&module, &edits)?.into())
    }

    /// Piece by piece, the header in the first.
    pub fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        let (whole, runs) = match self {
            ModuleBuffer::Whole(words) => (Some(&words[..]), None),
            ModuleBuffer::Runs(runs, base) => (None, Some(runs.pieces(base))),
        };
        whole.into_iter().chain(runs.into_iter().flatten())
    }

    /// Returns the number of words.
    pub fn len(&self) -> usize {
        match self {
            ModuleBuffer::Whole(words) => words.len(),
            ModuleBuffer::Runs(runs, _) => runs.len(),
        }
    }

    /// In one piece.
    pub fn whole(&self) -> Cow<'_, [u32]> {
        match self {
            ModuleBuffer::Whole(words) => Cow::Borrowed(words),
            ModuleBuffer::Runs(..) => Cow::Owned(self.joined(Vec::new())),
        }
    }

    /// In one piece of memory of their own.
    pub fn into_owned(self) -> Vec<u32> {
        match self {
            ModuleBuffer::Whole(words) => words.into_owned(),
            ModuleBuffer::Runs(..) => self.joined(Vec::new()),
        }
    }

    /// Replaces the contents of a list by the words.
    pub fn joined(&self, mut list: Vec<u32>) -> Vec<u32> {
        list.clear();
        list.reserve(self.len());
        self.pieces().for_each(|piece| list.extend_from_slice(piece));
        list
    }

    /// Writes them to memory of their size.
    pub fn write_to(&self, memory: &mut [u32]) {
        let mut at = 0;
        for piece in self.pieces() {
            memory[at..at + piece.len()].copy_from_slice(piece);
            at += piece.len();
        }
    }

    /// The header.
    pub fn header(&self) -> [u32; HEADER_WORDS] {
        self.pieces().next().and_then(|first| first.first_chunk()).copied().unwrap_or_default()
    }

    /// Returns the module's declarations, unchanged.
    pub fn declarations(&self) -> ModuleDeclarations {
        let version = Version::from_word(self.header()[1]);
        ModuleDeclarations::from_instructions(instructions(self.pieces()), version)
    }

    /// The words before the first function, as [`Module::before_functions`] has them.
    pub fn before_functions(&self) -> Cow<'_, [u32]> {
        match self.whole() {
            Cow::Borrowed(words) => Cow::Borrowed(Module::before_functions(words)),
            Cow::Owned(mut words) => {
                words.truncate(Module::before_functions(&words).len());
                Cow::Owned(words)
            }
        }
    }
}

impl From<Vec<u32>> for ModuleBuffer<'_> {
    fn from(words: Vec<u32>) -> Self {
        ModuleBuffer::Whole(Cow::Owned(words))
    }
}

impl<'r> From<&'r [u32]> for ModuleBuffer<'r> {
    fn from(words: &'r [u32]) -> Self {
        ModuleBuffer::Whole(Cow::Borrowed(words))
    }
}
