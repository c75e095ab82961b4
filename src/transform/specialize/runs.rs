//! Words as runs of those of a module, which take a fraction of their memory where nearly all are the same.

use crate::loader::{HEADER_WORDS, Instructions, Module};

/// The number of instructions between two runs that are looked through for the next one that is the same.
const MOST_SKIPPED: usize = 64;

/// Words that were made of a module's.
#[derive(Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    /// The words that the module does not have, in order.
    own: Vec<u32>,
}

/// Words of its own, and then words of the module.
#[derive(Debug, Default)]
struct Run {
    own: u32,
    start: u32,
    len: u32,
}

impl Runs {
    /// The runs of a result. Instructions of the module are found by their results, or in the order of the module.
    pub fn of(module: &Module, words: &[u32]) -> Runs {
        let base = module.words();
        let mut made = Runs::default();
        let (header, rest) = words.split_at(HEADER_WORDS.min(words.len()));
        made.copy_own(header);
        let mut next = HEADER_WORDS;
        for inst in Instructions::new(rest, HEADER_WORDS as u32) {
            let own = inst.words();
            let defined = inst.result_id().and_then(|id| module.definition_offset(id)).map(|at| at as usize);
            let is_same = |&at: &usize| base[at..].starts_with(own);
            let found = match defined {
                Some(at) => Some(at).filter(is_same),
                None if is_same(&next) => Some(next),
                None => {
                    let after = Instructions::new(&base[next..], next as u32).take(MOST_SKIPPED);
                    after.map(|inst| inst.offset() as usize).find(is_same)
                }
            };
            match found {
                Some(at) => {
                    made.copy(at as u32, own.len() as u32);
                    next = at + own.len();
                }
                None => made.copy_own(own),
            }
        }
        made
    }

    fn copy_own(&mut self, words: &[u32]) {
        self.own.extend_from_slice(words);
        match self.runs.last_mut().filter(|run| run.len == 0) {
            Some(run) => run.own += words.len() as u32,
            None => self.runs.push(Run { own: words.len() as u32, start: 0, len: 0 }),
        }
    }

    fn copy(&mut self, start: u32, len: u32) {
        match self.runs.last_mut() {
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

    /// Their number.
    pub fn len(&self) -> usize {
        self.own.len() + self.runs.iter().map(|run| run.len as usize).sum::<usize>()
    }

    /// The words of memory that it takes.
    pub fn size(&self) -> usize {
        self.own.len() + self.runs.len() * size_of::<Run>() / size_of::<u32>()
    }
}
