//! Modules inside any file: a shared library, an executable, an archive.
//!
//! Nothing is known about the file, so a module is found by its own structure. At each possible header
//! ([`candidates`]), the instructions are followed from word count to word count in the order of the
//! specification's logical layout. The module ends before the first instruction that cannot belong to it
//! ([`extent`]). It counts if it loads and is complete ([`is_whole`]).

use std::iter;
use std::ops::Range;

use memchr::memmem;
use spirv::{Capability, Op};

use super::grammar::{self, LogicalPlace, Section, place};
use super::instruction::Instruction;
use super::module::{HEADER_WORDS, MAX_BOUND, Module};
use super::operands::Visitor;
use crate::collections::sort;

/// A module inside a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedModule {
    /// Start of the module, in bytes from the start of the file. Files may align modules in any way.
    pub offset: usize,
    /// Size of the module in bytes.
    pub size: usize,
}

impl EmbeddedModule {
    /// Returns the range of its bytes in the file.
    pub fn range(&self) -> Range<usize> {
        self.offset..self.offset + self.size
    }
}

/// Returns the modules in the bytes of a file, in either byte order, sorted by offset and without overlaps.
/// Each of them loads ([`Module::from_bytes`]); modules that are cut off or damaged are omitted.
///
/// Takes time linear in the file's size, and memory for one module at a time.
#[cfg(test)]
pub fn embedded(bytes: &[u8]) -> impl Iterator<Item = EmbeddedModule> {
    embedded_candidates(bytes, 0..bytes.len()).filter_map(|candidate| Some(candidate.load()?.0))
}

/// A place in a file where a module could start. Candidates may be loaded in any order and in parallel.
#[derive(Clone, Copy)]
pub struct ModuleCandidate<'a> {
    offset: usize,
    words: WordReader<'a>,
}

/// Returns the places where modules could start in a range of the bytes of a file, sorted by offset. Not all of
/// them load, and none is longer than the range.
pub fn embedded_candidates(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = ModuleCandidate<'_>> {
    let start = range.start;
    candidates(&bytes[range]).map(move |(offset, words)| ModuleCandidate { offset: start + offset, words })
}

impl<'a> ModuleCandidate<'a> {
    /// Returns the offset of the candidate, in bytes from the start of the file.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Loads the module and returns it with its range in the file; `None` if there is none.
    pub fn load(&self) -> Option<(EmbeddedModule, Module<'a>)> {
        let ModuleCandidate { offset, words } = *self;
        let size = 4 * extent(&words).filter(|&size| words.bound_is_plausible(size))?;
        let module = Module::from_bytes(&words.bytes[..size]).ok()?;
        is_whole(&module).then_some((EmbeddedModule { offset, size }, module))
    }
}

/// Bytes read as words of one byte order.
#[derive(Clone, Copy)]
struct WordReader<'a> {
    bytes: &'a [u8],
    big_endian: bool,
}

impl WordReader<'_> {
    #[inline]
    fn get(&self, at: usize) -> Option<u32> {
        let word = *self.bytes.get(4 * at..)?.first_chunk()?;
        Some(if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) })
    }

    /// Returns the number of words.
    #[inline]
    fn len(&self) -> usize {
        self.bytes.len() / 4
    }

    /// Returns the opcode and the word count in a word that may start an instruction.
    #[inline]
    fn first_word(&self, at: usize) -> Option<(u16, usize)> {
        let first = self.get(at)?;
        (first >> 16 != 0).then_some((first as u16, (first >> 16) as usize))
    }

    /// Returns true if the words start with the header of a module (specification, 2.3 "Physical Layout"), followed
    /// by an instruction that can be the first of a module.
    fn start_a_module(&self) -> bool {
        let has_version = self.get(1).is_some_and(|version| matches!(version.to_be_bytes(), [0, 1, _, 0]));
        let has_bound = self.get(3).is_some_and(|bound| (1..=MAX_BOUND).contains(&bound));
        let first = self.first_word(HEADER_WORDS).map(|(opcode, _)| place(opcode));
        has_version
            && has_bound
            && self.get(4) == Some(0)
            && matches!(first, Some(LogicalPlace::Section(section)) if section <= Section::MemoryModel)
    }

    /// Returns true if a module of `size` words can have this bound. Loading takes memory in proportion to the bound,
    /// which a file full of tiny modules must not multiply. Ids are sparse in a module cut down from a larger
    /// one, but not this sparse.
    fn bound_is_plausible(&self, size: usize) -> bool {
        const IDS_PER_WORD: usize = 1024;
        self.get(3).is_some_and(|bound| bound as usize / IDS_PER_WORD <= size)
    }

    /// Returns true if the leading ids of an instruction are present and within the bound.
    fn ids_are_plausible(&self, at: usize, opcode: u16, count: usize, bound: u32) -> bool {
        grammar::layout(opcode).is_some_and(|layout| {
            let ids = usize::from(layout.ids);
            let in_range = |at| self.get(at).is_some_and(|id| 0 < id && id < bound);
            ids < count && (at + 1..=at + ids).all(in_range)
        })
    }
}

/// Returns the places where modules could start, each with the bytes up to the next such place. No module
/// contains the header of another one, so every byte of a file is examined for one candidate only.
fn candidates(bytes: &[u8]) -> impl Iterator<Item = (usize, WordReader<'_>)> {
    let mut following = starts(bytes).peekable();
    iter::from_fn(move || {
        let (start, big_endian) = following.next()?;
        let end = following.peek().map_or(bytes.len(), |(next, _)| *next);
        Some((start, WordReader { bytes: &bytes[start..end], big_endian }))
    })
}

/// Returns the places where modules could start, with true for the other byte order. Both byte orders are
/// searched for in one piece of the file while it is in the processor's cache.
fn starts(bytes: &[u8]) -> impl Iterator<Item = (usize, bool)> {
    const PIECE: usize = 1 << 16;
    const LITTLE: [u8; 4] = spirv::MAGIC_NUMBER.to_le_bytes();
    const BIG: [u8; 4] = spirv::MAGIC_NUMBER.to_be_bytes();
    let finders = [(memmem::Finder::new(&LITTLE), false), (memmem::Finder::new(&BIG), true)];
    (0..bytes.len()).step_by(PIECE).flat_map(move |piece| {
        let end = bytes.len().min(piece + PIECE + LITTLE.len() - 1);
        let mut in_piece = Vec::new();
        for (finder, big_endian) in &finders {
            let starts = finder.find_iter(&bytes[piece..end]).map(|start| piece + start);
            let starts = starts.filter(|&start| {
                WordReader { bytes: &bytes[start..], big_endian: *big_endian }.start_a_module()
            });
            in_piece.extend(starts.map(|start| (start, *big_endian)));
        }
        sort(&mut in_piece);
        in_piece
    })
}

/// Returns the number of words in the module at the start of these words, by the logical layout. They start with a
/// header. `None` if they are not a module, or are cut off.
fn extent(words: &WordReader) -> Option<usize> {
    let bound = words.get(3)?;
    let mut section = Section::Capabilities;
    let mut at = HEADER_WORDS;
    let mut end = None;
    while let Some((opcode, count)) = words.first_word(at) {
        let place = place(opcode);
        let next = at + count;
        // An unknown instruction may be a type of a newer version, but a module does not end with it.
        if place == LogicalPlace::Unknown && section < Section::Functions {
            at = next;
            continue;
        }
        let fits = next <= words.len();
        if fits && !words.ids_are_plausible(at, opcode, count, bound) {
            break;
        }
        // The instruction is out of place or cut off. If a function precedes it, the module ended there;
        // otherwise the module is damaged.
        let Some(reached) = section.then(place).filter(|_| fits) else {
            return end.filter(|_| section == Section::Functions);
        };
        section = reached;
        at = if place == LogicalPlace::Begin { function_end(words, next)? } else { next };
        end = Some(at);
    }
    end.filter(|_| section >= Section::MemoryModel)
}

/// Returns the end of the function whose second instruction is at word `at`.
fn function_end(words: &WordReader, mut at: usize) -> Option<usize> {
    loop {
        let (opcode, count) = words.first_word(at)?;
        at += count;
        match place(opcode) {
            LogicalPlace::End => return (count == 1).then_some(at),
            LogicalPlace::Begin | LogicalPlace::Section(_) => return None,
            LogicalPlace::Types | LogicalPlace::Anywhere | LogicalPlace::Body | LogicalPlace::Unknown => {}
        }
    }
}

/// Returns true if a module defines all ids that it refers to before its types. In a module that was cut off between
/// two instructions, ids of its entry points, names and decorations are missing. Only a library can have no
/// functions.
fn is_whole(module: &Module) -> bool {
    let mut defined = DefinitionCheck { module, all: true };
    let mut may_end_here = !module.functions().is_empty();
    for inst in module.globals() {
        match place(inst.opcode()) {
            LogicalPlace::Section(Section::Types) if may_end_here => break,
            LogicalPlace::Begin => may_end_here = true,
            _ => may_end_here |= declares_linkage(&inst),
        }
        module.walk(&inst, &mut defined);
    }
    may_end_here && (defined.all || module.has_unknown_instructions())
}

fn declares_linkage(inst: &Instruction) -> bool {
    inst.is(Op::Capability) && inst.words()[1..] == [Capability::Linkage as u32]
}

/// Checks that all ids are defined.
struct DefinitionCheck<'m> {
    module: &'m Module<'m>,
    all: bool,
}

impl Visitor for DefinitionCheck<'_> {
    fn id(&mut self, _at: usize, id: u32) {
        self.all &= self.module.definition_offset(id).is_some();
    }
    fn possible_id(&mut self, _at: usize, _id: u32) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A header, and the first instructions of a module that continues with the words that follow.
    const START: [u32; 10] = [spirv::MAGIC_NUMBER, 0x0001_0000, 0, 100, 0, 0x0002_0011, 5, 0x0003_000e, 0, 1];

    fn bytes_of(words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|word| word.to_le_bytes()).collect()
    }

    /// Checks that every byte of any file is examined for one candidate at most. All work belongs to one candidate and
    /// is linear in its size.
    #[test]
    fn every_byte_belongs_to_one_candidate() {
        let open = [&START[..], &[0x0005_0036, 1, 2, 0, 3]].concat();
        let nops = vec![0x0001_0000; 1000];
        let voids: Vec<u32> = (1..90).flat_map(|id| [0x0002_0013, id]).collect();
        // Headers in the operands of an instruction of the module before: all of them would end at the same
        // place.
        let nested = [&open[..], &[0x0010_7fff]].concat();
        let chain = |start: &[u32], rest: &[u32]| bytes_of(&[start, rest].concat()).repeat(50);
        for hostile in [
            chain(&START, &nops),
            chain(&START, &voids),
            chain(&open, &nops),
            chain(&open, &[0xffff_7fff]),
            [nested.repeat(2000), nops.clone()].concat().iter().flat_map(|word| word.to_le_bytes()).collect(),
            [nested.repeat(2000), nops].concat().iter().flat_map(|word| word.to_be_bytes()).collect(),
        ] {
            let mut end = 0;
            let mut count = 0;
            for (offset, words) in candidates(&hostile) {
                assert!(end <= offset && !words.bytes.is_empty());
                end = offset + words.bytes.len();
                count += 1;
            }
            assert!(end <= hostile.len() && count >= 50);
        }
    }
}
