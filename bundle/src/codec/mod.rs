//! The coding of instructions: streams by kind, which zstd compresses well (`spec-extensions/bundle.md`, "Coded blocks").
//!
//! Ids are numbered in the order in which they first occur, so that variants of a shader with other ids have the same numbers. Coding
//! depends on nothing but the words and the layouts that the bundle carries, and any words come back bit for bit.

mod decode;
#[cfg(feature = "write")]
mod encode;
mod layouts;
mod numbers;
mod recent;

pub use decode::BlockDecoder;
#[cfg(feature = "write")]
pub use encode::{Streams, instructions, is_codable};
#[cfg(feature = "write")]
pub use layouts::LayoutCounts;
pub use layouts::Layouts;
#[cfg(feature = "write")]
pub use numbers::push;
pub use numbers::take;

/// The number of words before the first instruction.
pub const HEADER_WORDS: usize = 5;
/// The opcode of OpFunction. Ids before the first one are global.
const FUNCTION: u16 = 54;
/// The byte for a first word that the table of first words does not have.
const ESCAPE: u8 = u8::MAX;
/// The number of streams.
const STREAMS: usize = 6;
/// The size of the table of streams at the start of a block.
const STREAM_TABLE: usize = 4 * STREAMS;

/// A stream of a block, by its position.
#[cfg(feature = "write")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StreamKind {
    FirstWords,
    Literals,
    Results,
    Types,
    Ids,
    Strings,
}

/// The kind of a word. The numbers are those of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Literal = 0,
    Type = 1,
    Result = 2,
    Id = 3,
    String = 4,
}

/// Returns true if a word is the last one of a string.
fn ends_string(word: u32) -> bool {
    word.to_le_bytes().contains(&0)
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests;
