//! Streams to words.

use super::layouts::Layouts;
use super::numbers::{take, unfold};
use super::recent::RecentIds;
use super::{ESCAPE, FUNCTION, HEADER_WORDS, Kind, STREAM_TABLE, STREAMS, ends_string};

/// Decodes the modules of a block, one after the other.
pub struct BlockDecoder<'b> {
    first_words: &'b [u8],
    literals: &'b [u8],
    results: &'b [u8],
    types: &'b [u8],
    ids: &'b [u8],
    strings: &'b [u8],
    layouts: &'b Layouts,
    decoder: IdDecoder,
}

impl<'b> BlockDecoder<'b> {
    /// Starts with the content of a block; `None` if its table of streams is malformed.
    pub fn new(content: &'b [u8], layouts: &'b Layouts) -> Option<BlockDecoder<'b>> {
        let (table, mut rest) = content.split_first_chunk::<STREAM_TABLE>()?;
        let mut streams = [&[][..]; STREAMS];
        for (stream, size) in streams.iter_mut().zip(table.as_chunks::<4>().0) {
            (*stream, rest) = rest.split_at_checked(u32::from_le_bytes(*size) as usize)?;
        }
        let [first_words, literals, results, types, ids, strings] = streams;
        let decoder = IdDecoder::new();
        let block = BlockDecoder { first_words, literals, results, types, ids, strings, layouts, decoder };
        rest.is_empty().then_some(block)
    }

    /// Returns true if nothing follows the modules that were decoded.
    pub fn is_at_end(&self) -> bool {
        let streams = [self.first_words, self.literals, self.results, self.types, self.ids, self.strings];
        streams.iter().all(|stream| stream.is_empty())
    }

    /// Replaces words by those of the next module, which has `count` words; `None` if it is malformed.
    ///
    /// The caller knows that `count` is at most the size of the block's content.
    pub fn next(&mut self, count: usize, words: &mut Vec<u32>) -> Option<()> {
        words.try_reserve_exact(count.saturating_sub(words.len())).ok()?;
        words.resize(count, 0);
        self.decoder.clear();
        let (header, mut rest) = words.split_at_mut_checked(HEADER_WORDS)?;
        for word in header {
            *word = take(&mut self.literals)? as u32;
        }
        while !rest.is_empty() {
            rest = self.instruction(rest)?;
        }
        Some(())
    }

    /// Decodes an instruction to the start of words, and returns the others.
    #[inline]
    fn instruction<'w>(&mut self, words: &'w mut [u32]) -> Option<&'w mut [u32]> {
        let (&number, rest) = self.first_words.split_first()?;
        self.first_words = rest;
        let (first, layout) = match number {
            ESCAPE => {
                let first = take(&mut self.literals)? as u32;
                (first, self.layouts.of(first))
            }
            number => self.layouts.first_word(number)?,
        };
        let (instruction, rest) = words.split_at_mut_checked((first >> 16) as usize)?;
        let (first_word, operands) = instruction.split_first_mut()?;
        *first_word = first;
        if first as u16 == FUNCTION {
            self.decoder.start_functions();
        }
        let mut at = 0;
        for word in operands {
            let kind = layout.kinds[at];
            *word = match kind {
                Kind::Literal => take(&mut self.literals)? as u32,
                Kind::Result => self.decoder.result(&mut self.results)?,
                Kind::Type => self.decoder.reference(&mut self.types)?,
                Kind::Id => self.decoder.reference(&mut self.ids)?,
                Kind::String => {
                    let (bytes, rest) = self.strings.split_first_chunk()?;
                    self.strings = rest;
                    u32::from_le_bytes(*bytes)
                }
            };
            if kind != Kind::String || ends_string(*word) {
                at = if at + 1 < layout.kinds.len() { at + 1 } else { layout.repeated };
            }
        }
        Some(rest)
    }
}

/// The ids of a module.
struct IdDecoder {
    /// The ids in the order in which they first occur.
    ids: Vec<u32>,
    /// The last id that occurred first.
    newest: u32,
    /// The number of ids before the first function.
    globals: usize,
    has_functions: bool,
    recent: RecentIds,
}

impl IdDecoder {
    fn new() -> IdDecoder {
        IdDecoder { ids: Vec::new(), newest: 0, globals: 0, has_functions: false, recent: RecentIds::new() }
    }

    fn clear(&mut self) {
        self.ids.clear();
        self.newest = 0;
        self.globals = 0;
        self.has_functions = false;
        self.recent.clear();
    }

    fn start_functions(&mut self) {
        if !self.has_functions {
            self.has_functions = true;
            self.globals = self.ids.len();
        }
    }

    /// Adds a new id, by its difference from the one expected.
    #[inline]
    fn add(&mut self, difference: u64) -> u32 {
        self.newest = self.newest.wrapping_add(1).wrapping_add(unfold(difference as u32));
        self.ids.push(self.newest);
        self.newest
    }

    /// Returns the id that is `distance` ids before the last.
    #[inline]
    fn nth_last(&self, distance: u64) -> Option<u32> {
        self.ids.iter().nth_back(distance as usize).copied()
    }

    #[inline]
    fn result(&mut self, stream: &mut &[u8]) -> Option<u32> {
        let code = take(stream)?;
        match code & 1 {
            0 => Some(self.add(code >> 1)),
            _ => self.nth_last(code >> 1),
        }
    }

    #[inline]
    fn reference(&mut self, stream: &mut &[u8]) -> Option<u32> {
        let code = take(stream)?;
        if code == 0 {
            let difference = take(stream)?;
            return Some(self.add(difference));
        }
        let number = ((code - 1) >> 1) as usize;
        if code & 1 == 0 {
            return self.nth_last(number as u64);
        }
        let ordinal = match number.checked_sub(self.recent.len()) {
            None => self.recent.promote(number),
            Some(distance) => {
                let ordinal = self.globals.checked_sub(1)?.checked_sub(distance)? as u32;
                self.recent.add(ordinal);
                ordinal
            }
        };
        self.ids.get(ordinal as usize).copied()
    }
}
