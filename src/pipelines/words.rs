//! The words of results. Most results are runs of the module's words. They are joined as late as possible, because a writer does not
//! need one piece.

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
    /// Runs of a module's words, and the module.
    Runs(DeltaWords, &'r [u32]),
}

impl<'r> ModuleBuffer<'r> {
    /// Applies the edits that `find` returns for the module.
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

    /// Returns the pieces in order. The first has the header.
    pub fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        let (whole, runs) = match self {
            ModuleBuffer::Whole(words) => (Some(&words[..]), None),
            ModuleBuffer::Runs(runs, base) => (None, Some(runs.pieces(base))),
        };
        whole.into_iter().chain(runs.into_iter().flatten())
    }

    /// Returns the number of words.
    pub fn word_count(&self) -> usize {
        match self {
            ModuleBuffer::Whole(words) => words.len(),
            ModuleBuffer::Runs(runs, _) => runs.len(),
        }
    }

    /// Returns all words in one piece.
    pub fn whole(&self) -> Cow<'_, [u32]> {
        match self {
            ModuleBuffer::Whole(words) => Cow::Borrowed(words),
            ModuleBuffer::Runs(..) => Cow::Owned(self.joined(Vec::new())),
        }
    }

    /// Converts the words to one owned piece.
    pub fn into_owned(self) -> Vec<u32> {
        match self {
            ModuleBuffer::Whole(words) => words.into_owned(),
            ModuleBuffer::Runs(..) => self.joined(Vec::new()),
        }
    }

    /// Replaces the contents of `list` by the words.
    pub fn joined(&self, mut list: Vec<u32>) -> Vec<u32> {
        list.clear();
        list.reserve(self.word_count());
        self.pieces().for_each(|piece| list.extend_from_slice(piece));
        list
    }

    /// Writes the words to memory of their size.
    pub fn write_to(&self, memory: &mut [u32]) {
        let mut at = 0;
        for piece in self.pieces() {
            memory[at..at + piece.len()].copy_from_slice(piece);
            at += piece.len();
        }
    }

    /// Returns the version of SPIR-V.
    pub fn version(&self) -> Version {
        Version::from_word(self.header()[1])
    }

    /// Returns the header.
    pub fn header(&self) -> [u32; HEADER_WORDS] {
        self.pieces().next().and_then(|first| first.first_chunk()).copied().unwrap_or_default()
    }

    /// Returns the module's declarations, unchanged.
    pub fn declarations(&self) -> ModuleDeclarations {
        let version = Version::from_word(self.header()[1]);
        ModuleDeclarations::from_instructions(instructions(self.pieces()), version)
    }

    /// Returns the words before the first function; see [`Module::before_functions`].
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
