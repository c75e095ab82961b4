//! Words as runs of those of a module, which take a fraction of their memory where nearly all are the same.

use super::{Edit, Edits};
use crate::loader::{HEADER_WORDS, Instruction, Instructions, Module};

/// The number of instructions between two runs that are looked through for the next one that is the same.
const MOST_SKIPPED: usize = 64;

/// Words that were made of a module's.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    /// The words that the module does not have, in order.
    own: Vec<u32>,
}

/// Words of its own, and then words of the module.
#[derive(Clone, Debug, Default)]
struct Run {
    own: u32,
    start: u32,
    len: u32,
}

impl Runs {
    /// The runs of a module with edits to it.
    pub fn of_edits(module: &Module, edits: &Edits) -> Runs {
        let (old, made) = (module.words(), edits.made());
        let (of_header, others) =
            made.split_at(made.partition_point(|edit| (edit.start as usize) < HEADER_WORDS));
        let mut header = Vec::with_capacity(HEADER_WORDS);
        edits.splice(of_header, &old[..HEADER_WORDS], 0, &mut header);
        header[3] = edits.bound();
        let count = |edit: &Edit| edits.new_words(edit).len();
        let own = Vec::with_capacity(HEADER_WORDS + others.iter().map(count).sum::<usize>());
        let mut runs = Runs { runs: Vec::with_capacity(others.len() + 1), own };
        runs.copy_own(&header);
        let mut copied = HEADER_WORDS as u32;
        for edit in others {
            runs.copy(copied, edit.start - copied);
            runs.copy_own(edits.new_words(edit));
            copied = edit.end;
        }
        runs.copy(copied, old.len() as u32 - copied);
        runs
    }

    /// The runs of a result. Where it goes on otherwise than the module, the next instruction is found by its result, or in the order of the
    /// module.
    pub fn of(module: &Module, words: &[u32]) -> Runs {
        let base = module.words();
        let mut made = Runs::default();
        let (mut at, mut next) = (HEADER_WORDS.min(words.len()), HEADER_WORDS);
        made.copy_own(&words[..at]);
        while at < words.len() {
            let same = whole_instructions(&words[at..], &base[next..]);
            made.copy(next as u32, same as u32);
            (at, next) = (at + same, next + same);
            let Some(inst) = Instructions::new(&words[at..], at as u32).next() else { break };
            let own = inst.words();
            // Most that are not the same differ in the first word.
            let is_same = |&at: &usize| base[at] == own[0] && base[at..].starts_with(own);
            let found = match inst.result_id().and_then(|id| module.definition_offset(id)) {
                Some(at) => Some(at as usize).filter(is_same),
                None => {
                    let after = Instructions::new(&base[next..], next as u32).take(MOST_SKIPPED);
                    after.map(|inst| inst.offset() as usize).find(is_same)
                }
            };
            match found {
                Some(at) => next = at,
                None => {
                    made.copy_own(own);
                    at += own.len();
                }
            }
        }
        made
    }

    fn copy_own(&mut self, words: &[u32]) {
        if words.is_empty() {
            return;
        }
        self.own.extend_from_slice(words);
        match self.runs.last_mut().filter(|run| run.len == 0) {
            Some(run) => run.own += words.len() as u32,
            None => self.runs.push(Run { own: words.len() as u32, start: 0, len: 0 }),
        }
    }

    fn copy(&mut self, start: u32, len: u32) {
        match self.runs.last_mut() {
            _ if len == 0 => {}
            Some(run) if run.len == 0 => (run.start, run.len) = (start, len),
            Some(run) if run.start + run.len == start => run.len += len,
            _ => self.runs.push(Run { own: 0, start, len }),
        }
    }

    /// The words piece by piece, with those of the module.
    pub fn pieces<'w>(&'w self, base: &'w [u32]) -> impl Iterator<Item = &'w [u32]> {
        let mut own = self.own.as_slice();
        self.runs.iter().flat_map(move |run| {
            let (before, rest) = own.split_at(run.own as usize);
            own = rest;
            [before, &base[run.start as usize..(run.start + run.len) as usize]]
        })
    }

    /// The pieces of words that the module does not have, with the offset of each.
    pub fn own_pieces(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let (mut own, mut at) = (self.own.as_slice(), 0);
        self.runs.iter().map(move |run| {
            let (before, rest) = own.split_at(run.own as usize);
            let start = at;
            (own, at) = (rest, at + before.len() + run.len as usize);
            (start, before)
        })
    }

    /// Adds the words to a list, with those of the module.
    pub fn add_to(&self, base: &[u32], list: &mut Vec<u32>) {
        list.reserve(self.len());
        self.pieces(base).for_each(|piece| list.extend_from_slice(piece));
    }

    /// Writes the words to memory of their size, with those of the module.
    pub fn write_to(&self, base: &[u32], memory: &mut [u32]) {
        let mut at = 0;
        for piece in self.pieces(base) {
            memory[at..at + piece.len()].copy_from_slice(piece);
            at += piece.len();
        }
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.own.len() + self.runs.iter().map(|run| run.len as usize).sum::<usize>()
    }

    /// The words of memory that it takes.
    pub fn size(&self) -> usize {
        self.own.len() + self.runs.len() * size_of::<Run>() / size_of::<u32>()
    }
}

/// The instructions in the pieces of a module, the first of which begins with the header.
pub fn instructions<'w>(pieces: impl Iterator<Item = &'w [u32]>) -> impl Iterator<Item = Instruction<'w>> {
    let mut end = 0;
    pieces.flat_map(move |piece| {
        let of_header = if end == 0 { HEADER_WORDS.min(piece.len()) } else { 0 };
        let start = end + of_header;
        end += piece.len();
        Instructions::new(&piece[of_header..], start as u32)
    })
}

/// The number of words with which both begin, up to the end of an instruction.
fn whole_instructions(words: &[u32], others: &[u32]) -> usize {
    let same = words.iter().zip(others).position(|(own, other)| own != other);
    let same = same.unwrap_or(words.len().min(others.len()));
    let lens = Instructions::new(words, 0).map(|inst| inst.words().len());
    let ends = lens.scan(0, |end, len| {
        *end += len;
        Some(*end)
    });
    ends.take_while(|&end| end <= same).last().unwrap_or(0)
}
