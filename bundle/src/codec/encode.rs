//! Words to streams.

use std::collections::HashMap;

use super::layouts::Layouts;
use super::numbers::{fold, push};
use super::recent::RecentIds;
use super::{ESCAPE, FUNCTION, HEADER_WORDS, Kind, STREAMS, StreamKind, ends_string};

/// Returns the instructions of a module that [can be coded](is_codable).
pub fn instructions(words: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut rest = words.get(HEADER_WORDS..).unwrap_or_default();
    std::iter::from_fn(move || {
        let count = (*rest.first()? >> 16) as usize;
        let (instruction, after) = rest.split_at_checked(count.max(1))?;
        rest = after;
        Some(instruction)
    })
}

/// Returns true if words are a header and whole instructions. Other words are stored raw.
pub fn is_codable(words: &[u32]) -> bool {
    let has_counts = instructions(words).all(|instruction| instruction[0] >> 16 != 0);
    let covered: usize = instructions(words).map(<[u32]>::len).sum();
    has_counts && words.len() >= HEADER_WORDS && HEADER_WORDS + covered == words.len()
}

/// The streams of a block.
#[derive(Clone, Debug, Default)]
pub struct Streams([Vec<u8>; STREAMS]);

impl Streams {
    /// Adds a module that [can be coded](is_codable).
    pub fn add(&mut self, words: &[u32], layouts: &Layouts) {
        let numbers = layouts.numbers();
        let mut ids = IdEncoder::default();
        words.iter().take(HEADER_WORDS).for_each(|&word| self.number(StreamKind::Literals, word.into()));
        for instruction in instructions(words) {
            let first = instruction[0];
            let number = numbers.get(&first).copied();
            self.stream(StreamKind::FirstWords).push(number.unwrap_or(ESCAPE));
            if number.is_none() {
                self.number(StreamKind::Literals, first.into());
            }
            if first as u16 == FUNCTION {
                ids.start_functions();
            }
            let layout = layouts.of(first);
            let mut at = 0;
            for &word in &instruction[1..] {
                let kind = layout.kinds[at];
                match kind {
                    Kind::Literal => self.number(StreamKind::Literals, word.into()),
                    Kind::Result => ids.result(word, self.stream(StreamKind::Results)),
                    Kind::Type => ids.reference(word, self.stream(StreamKind::Types)),
                    Kind::Id => ids.reference(word, self.stream(StreamKind::Ids)),
                    Kind::String => self.stream(StreamKind::Strings).extend(word.to_le_bytes()),
                }
                if kind != Kind::String || ends_string(word) {
                    at = if at + 1 < layout.kinds.len() { at + 1 } else { layout.repeated };
                }
            }
        }
    }

    /// Adds the streams of another block.
    pub fn append(&mut self, other: &Streams) {
        self.0.iter_mut().zip(&other.0).for_each(|(stream, added)| stream.extend(added));
    }

    /// Returns the size of the block's content.
    pub fn size(&self) -> usize {
        super::STREAM_TABLE + self.0.iter().map(Vec::len).sum::<usize>()
    }

    /// Returns the block's content.
    pub fn content(&self) -> Vec<u8> {
        let mut content = Vec::with_capacity(self.size());
        content.extend(self.0.iter().flat_map(|stream| (stream.len() as u32).to_le_bytes()));
        self.0.iter().for_each(|stream| content.extend(stream));
        content
    }

    fn stream(&mut self, kind: StreamKind) -> &mut Vec<u8> {
        &mut self.0[kind as usize]
    }

    fn number(&mut self, kind: StreamKind, number: u64) {
        push(self.stream(kind), number);
    }
}

/// The ids of a module.
struct IdEncoder {
    /// Ids by the order in which they first occur.
    ordinals: HashMap<u32, u32>,
    /// The last id that occurred first.
    newest: u32,
    /// The number of ids before the first function.
    globals: u32,
    has_functions: bool,
    recent: RecentIds,
}

impl Default for IdEncoder {
    fn default() -> IdEncoder {
        IdEncoder {
            ordinals: HashMap::new(),
            newest: 0,
            globals: 0,
            has_functions: false,
            recent: RecentIds::new(),
        }
    }
}

impl IdEncoder {
    fn start_functions(&mut self) {
        if !self.has_functions {
            self.has_functions = true;
            self.globals = self.ordinals.len() as u32;
        }
    }

    /// Adds a new id, and returns its difference from the one expected.
    fn add(&mut self, id: u32) -> u32 {
        let expected = self.newest.wrapping_add(1);
        self.newest = id;
        self.ordinals.insert(id, self.ordinals.len() as u32);
        fold(id.wrapping_sub(expected))
    }

    fn result(&mut self, id: u32, stream: &mut Vec<u8>) {
        let count = self.ordinals.len() as u32;
        match self.ordinals.get(&id) {
            None => push(stream, u64::from(self.add(id)) << 1),
            Some(ordinal) => push(stream, (u64::from(count - 1 - ordinal) << 1) | 1),
        }
    }

    fn reference(&mut self, id: u32, stream: &mut Vec<u8>) {
        let count = self.ordinals.len() as u32;
        match self.ordinals.get(&id) {
            None => {
                push(stream, 0);
                push(stream, self.add(id).into());
            }
            Some(&ordinal) if ordinal < self.globals => {
                let number = match self.recent.position(ordinal) {
                    Some(position) => {
                        self.recent.promote(position);
                        position
                    }
                    None => {
                        let number = self.recent.len() + (self.globals - 1 - ordinal) as usize;
                        self.recent.add(ordinal);
                        number
                    }
                };
                push(stream, ((number as u64) << 1) + 1);
            }
            Some(ordinal) => push(stream, (u64::from(count - 1 - ordinal) << 1) + 2),
        }
    }
}
