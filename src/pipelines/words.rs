//! The words of results, which are put together as late as possible: most are runs of the words of the module, and who writes them to a
//! file need not have them in one piece.

use std::borrow::Cow;
use std::cell::Cell;

use super::PipelineError;
use crate::compatibility::Declarations;
use crate::loader::{HEADER_WORDS, Module, ModuleMemory};
use crate::transform::specialize::Again;
use crate::transform::{Edits, Runs, instructions};
use crate::writer::apply_in_memory;

/// The memory of modules that are made only to be changed, and of what they become.
#[derive(Default)]
struct Memory {
    module: ModuleMemory,
    edits: Edits,
    /// Of words.
    lists: Vec<Vec<u32>>,
}

impl Memory {
    /// The bytes that it takes.
    fn size(&self) -> usize {
        let words: usize = self.lists.iter().map(Vec::capacity).sum();
        self.module.size() + self.edits.memory() + words * size_of::<u32>()
    }

    /// Memory for so many words.
    fn list(&mut self, count: usize) -> Vec<u32> {
        let large = self.lists.iter().position(|list| list.capacity() >= count);
        let found = large.map(|at| self.lists.swap_remove(at)).or_else(|| self.lists.pop());
        let mut list = found.unwrap_or_default();
        list.clear();
        list.reserve_exact(count);
        list
    }

    /// Takes the memory of words, if it is theirs. A change needs two lists.
    fn keep(&mut self, words: Cow<[u32]>) {
        let Cow::Owned(words) = words else { return };
        match &mut self.lists[..] {
            [one, other] => {
                let smaller = if one.capacity() < other.capacity() { one } else { other };
                if smaller.capacity() < words.capacity() {
                    *smaller = words;
                }
            }
            _ => self.lists.push(words),
        }
    }
}

thread_local! {
    static MEMORY: Cell<Option<Box<Memory>>> = const { Cell::new(None) };
}

/// The bytes of it that a thread keeps at most.
const MOST_OF_THREAD: usize = 1 << 21;

/// Works with the memory of the thread.
fn with_memory<R>(work: impl FnOnce(&mut Memory) -> R) -> R {
    let mut memory = MEMORY.try_with(Cell::take).ok().flatten().unwrap_or_default();
    let result = work(&mut memory);
    if memory.size() <= MOST_OF_THREAD {
        // Where the thread ends, nobody needs it.
        let _ = MEMORY.try_with(|own| own.set(Some(memory)));
    }
    result
}

/// The words of a result, in the host's byte order.
#[derive(Clone, Debug)]
pub enum Words<'r> {
    /// In one piece: those of the module where nothing changed.
    Whole(Cow<'r, [u32]>),
    /// As runs of the words of a module.
    Runs(Runs, &'r [u32]),
    /// Those of an earlier result, with other literals.
    Again(Again<'r>),
}

impl<'r> Words<'r> {
    /// The words with what a function finds to change in the module that they are. It is given edits without changes, whose memory may be large
    /// enough.
    ///
    /// # Errors
    /// Those of the function, and if the words do not load or the edits cannot be applied.
    pub fn changed(
        self,
        find: &mut dyn FnMut(&Module, Edits) -> Result<Edits, PipelineError>,
    ) -> Result<Words<'r>, PipelineError> {
        with_memory(|memory| {
            let whole = match self {
                Words::Whole(words) => words,
                other => Cow::Owned(other.joined(memory.list(other.len()))),
            };
            let module = Module::in_memory(whole, &mut memory.module)?;
            let edits = Edits::in_memory_of(&module, std::mem::take(&mut memory.edits));
            let edits = find(&module, edits)?;
            let list = memory.list(module.words().len() + edits.count_new_words());
            let result = apply_in_memory(&module, &edits, list)?;
            memory.edits = edits;
            let words = module.leave(&mut memory.module);
            memory.keep(words);
            Ok(result.into())
        })
    }

    /// Leaves their memory for the next that are changed.
    pub fn leave(self) {
        if let Words::Whole(words) = self {
            with_memory(|memory| memory.keep(words));
        }
    }

    /// Piece by piece, the header in the first. In [`Words::Again`], the literals of some constants are others.
    pub fn pieces(&self) -> impl Iterator<Item = &[u32]> {
        let (whole, runs) = match self {
            Words::Whole(words) => (Some(&words[..]), None),
            Words::Runs(runs, base) => (None, Some((runs, *base))),
            Words::Again(again) => (None, Some(again.runs())),
        };
        whole.into_iter().chain(runs.into_iter().flat_map(|(runs, base)| runs.pieces(base)))
    }

    /// Their number.
    pub fn len(&self) -> usize {
        match self {
            Words::Whole(words) => words.len(),
            Words::Runs(runs, _) => runs.len(),
            Words::Again(again) => again.runs().0.len(),
        }
    }

    /// In one piece.
    pub fn whole(&self) -> Cow<'_, [u32]> {
        match self {
            Words::Whole(words) => Cow::Borrowed(words),
            _ => Cow::Owned(self.joined(Vec::new())),
        }
    }

    /// In one piece of memory of their own.
    pub fn into_owned(self) -> Vec<u32> {
        match self {
            Words::Whole(words) => words.into_owned(),
            _ => self.joined(Vec::new()),
        }
    }

    /// In a list, in place of what is in it.
    pub fn joined(&self, mut list: Vec<u32>) -> Vec<u32> {
        list.clear();
        match self {
            Words::Whole(words) => list.extend_from_slice(words),
            Words::Runs(runs, base) => runs.add_to(base, &mut list),
            Words::Again(again) => again.add_to(&mut list),
        }
        list
    }

    /// Writes them to memory of their size.
    pub fn write_to(&self, memory: &mut [u32]) {
        match self {
            Words::Whole(words) => memory.copy_from_slice(words),
            Words::Runs(runs, base) => runs.write_to(base, memory),
            Words::Again(again) => again.write_to(memory),
        }
    }

    /// The header.
    pub fn header(&self) -> [u32; HEADER_WORDS] {
        self.pieces().next().and_then(|first| first.first_chunk()).copied().unwrap_or_default()
    }

    /// What they declare, as it stands.
    pub fn declarations(&self) -> Declarations {
        let [_, major, minor, _] = self.header()[1].to_be_bytes();
        Declarations::of(instructions(self.pieces()), (major, minor))
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

impl From<Vec<u32>> for Words<'_> {
    fn from(words: Vec<u32>) -> Self {
        Words::Whole(Cow::Owned(words))
    }
}

impl<'r> From<&'r [u32]> for Words<'r> {
    fn from(words: &'r [u32]) -> Self {
        Words::Whole(Cow::Borrowed(words))
    }
}
