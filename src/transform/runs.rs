//! Words as runs of those of a module, which take a fraction of their memory where nearly all are the same.

use super::Edits;
use super::edits::without_void;
use crate::loader::{HEADER_WORDS, Instruction, Instructions, Module};

/// The number of instructions between two runs that are looked through for the next one that is the same.
const MOST_SKIPPED: usize = 64;

/// Words that were made of a module's.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    runs: Vec<Run>,
    /// The words that the module does not have, in order.
    own: Vec<u32>,
    /// The end of the last run in the module.
    end: u32,
}

/// Words of its own, and then words of the module. Eight bytes, since many are kept: where a number does not fit, several runs stand for one.
#[derive(Clone, Debug, Default)]
struct Run {
    own: u16,
    /// The words of the module from the end of the run before to those of this one.
    skip: i16,
    len: u32,
}

impl Run {
    /// True if words of the module may follow its own.
    fn waits(&self) -> bool {
        self.skip == 0 && self.len == 0
    }
}

impl Runs {
    /// The runs of a module with edits to it.
    pub fn of_edits(module: &Module, edits: &Edits) -> Runs {
        let (old, sorted) = (module.words(), edits.sorted());
        let (of_header, others) =
            sorted.split_at(sorted.partition_point(|edit| (edit.start as usize) < HEADER_WORDS));
        let mut own = Vec::with_capacity(HEADER_WORDS + edits.count_new_words());
        edits.splice(of_header, &old[..HEADER_WORDS], 0, &mut own);
        own[3] = edits.bound();
        let mut runs = Runs { runs: Vec::with_capacity(others.len() + 1), own, end: 0 };
        let (mut copied, mut count) = (HEADER_WORDS as u32, runs.own.len());
        for edit in others.iter().filter(without_void()) {
            if edit.start > copied {
                runs.add(count, copied, edit.start - copied);
                count = 0;
            }
            let words = edits.new_words(edit);
            runs.own.extend_from_slice(words);
            count += words.len();
            copied = edit.end;
        }
        runs.add(count, copied, old.len() as u32 - copied);
        runs
    }

    /// Adds some of its own words, which are there, and words of the module.
    #[inline]
    fn add(&mut self, own: usize, start: u32, len: u32) {
        let skip = start as i32 - self.end as i32;
        match (u16::try_from(own), i16::try_from(skip)) {
            (Ok(own), Ok(skip)) if len != 0 => {
                self.runs.push(Run { own, skip, len });
                self.end = start + len;
            }
            _ => {
                self.count_own(own);
                self.copy(start, len);
            }
        }
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
        self.own.extend_from_slice(words);
        self.count_own(words.len());
    }

    fn count_own(&mut self, mut left: usize) {
        while left > 0 {
            let run = self.last(|run| run.waits() && run.own < u16::MAX);
            let part = left.min((u16::MAX - run.own).into());
            run.own += part as u16;
            left -= part;
        }
    }

    fn copy(&mut self, start: u32, len: u32) {
        if len == 0 {
            return;
        }
        let mut way = start as i32 - self.end as i32;
        self.end = start + len;
        while way != 0 {
            let skip = way.clamp(i16::MIN.into(), i16::MAX.into());
            self.last(Run::waits).skip = skip as i16;
            way -= skip;
        }
        self.last(|_| true).len += len;
    }

    /// The last run if it goes on, or a new one.
    fn last(&mut self, goes_on: impl Fn(&Run) -> bool) -> &mut Run {
        if !self.runs.last().is_some_and(goes_on) {
            self.runs.push(Run::default());
        }
        let last = self.runs.len() - 1;
        &mut self.runs[last]
    }

    /// Words of its own, and then a range of the words of the module, in turn. Of several runs that stand for one, this is one.
    fn parts(&self) -> impl Iterator<Item = (&[u32], std::ops::Range<usize>)> {
        let (mut runs, mut own, mut end) = (self.runs.iter(), self.own.as_slice(), 0);
        std::iter::from_fn(move || {
            let mut run = runs.next()?;
            let (mut count, mut skip) = (usize::from(run.own), isize::from(run.skip));
            while run.len == 0
                && let Some(next) = runs.next()
            {
                count += usize::from(next.own);
                skip += isize::from(next.skip);
                run = next;
            }
            let (before, rest) = own.split_at(count);
            let start = (end as isize + skip) as usize;
            (own, end) = (rest, start + run.len as usize);
            Some((before, start..end))
        })
    }

    /// The words piece by piece, with those of the module. Each is of whole instructions, if what they were made of was.
    pub fn pieces<'w>(&'w self, base: &'w [u32]) -> impl Iterator<Item = &'w [u32]> {
        self.parts().flat_map(move |(own, range)| [own, &base[range]])
    }

    /// The pieces of words that the module does not have, with the offset of each.
    pub fn own_pieces(&self) -> impl Iterator<Item = (usize, &[u32])> {
        let mut at = 0;
        self.parts().map(move |(own, range)| {
            let start = at;
            at += own.len() + range.len();
            (start, own)
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

    /// Gives back memory that they do not need.
    pub fn shrink(&mut self) {
        self.runs.shrink_to_fit();
        self.own.shrink_to_fit();
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.own.len() + self.runs.iter().map(|run| run.len as usize).sum::<usize>()
    }

    /// The words of memory that it takes.
    pub fn size(&self) -> usize {
        self.own.len() + size_of_val(&self.runs[..]).div_ceil(size_of::<u32>())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Pieces of a module and others, of any length and in any order, are the words that they were made of.
    #[test]
    fn runs_are_what_they_were_made_of() {
        let base: Vec<u32> = (0..400_000).collect();
        let own: Vec<u32> = (0..200_000).map(|word| !word).collect();
        let copies = [
            (0, 5),
            (5, 0),
            (5, 65_530),
            (65_535, 3),
            (65_538, 131_070),
            (300_000, 100_000),
            (399_999, 1),
            (2, 1),
            (32_770, 1),
            (65_539, 1),
            (32_772, 1),
            (0, 1),
            (0, 400_000),
        ];
        for own_lens in [[0, 0], [0, 1], [3, 0], [1, 70_000], [200_000, 65_535]] {
            let (mut runs, mut words) = (Runs::default(), Vec::new());
            for (at, &(start, len)) in copies.iter().enumerate() {
                let before = &own[..own_lens[at % 2]];
                for part in before.chunks(50_000) {
                    runs.copy_own(part);
                }
                runs.copy(start, len);
                words.extend_from_slice(before);
                words.extend_from_slice(&base[start as usize..(start + len) as usize]);
            }
            runs.copy_own(&own[..7]);
            words.extend_from_slice(&own[..7]);
            let mut made = Vec::new();
            runs.add_to(&base, &mut made);
            assert!(made == words, "{own_lens:?}");
            assert_eq!(runs.len(), words.len());
            let mut end = None;
            for (start, piece) in runs.own_pieces() {
                assert_eq!(words[start..start + piece.len()], *piece);
                // What is in one piece is not told in two.
                assert!(end != Some(start) || start == 0, "{own_lens:?}: {start}");
                end = Some(start + piece.len());
            }
            let own: usize = runs.own_pieces().map(|(_, piece)| piece.len()).sum();
            assert_eq!(own, 7 + copies.len().div_ceil(2) * own_lens[0] + copies.len() / 2 * own_lens[1]);
        }
    }
}
