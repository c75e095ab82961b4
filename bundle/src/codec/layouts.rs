//! The operand layouts that a bundle carries, and its table of first words.

#[cfg(feature = "write")]
use std::collections::HashMap;

#[cfg(feature = "write")]
use super::ESCAPE;
use super::Kind;

/// The kinds of the words of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    opcode: u16,
    /// The kinds at the start, and those that repeat after them.
    pub(super) kinds: Vec<Kind>,
    /// The index of the first kind that repeats.
    pub(super) repeated: usize,
}

/// The operand layouts of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layouts {
    /// The layout of opcodes that have none: all words are literals. Then the others, sorted by opcode.
    layouts: Vec<Layout>,
    /// The frequent first words of instructions, each with the index of its layout.
    first_words: Vec<(u32, usize)>,
}

impl Layouts {
    /// Creates the layouts, sorted by opcode, with a table of first words.
    fn new(sorted: impl IntoIterator<Item = Layout>, first_words: impl IntoIterator<Item = u32>) -> Layouts {
        let any = Layout { opcode: 0, kinds: vec![Kind::Literal], repeated: 0 };
        let layouts = std::iter::once(any).chain(sorted).collect();
        let mut all = Layouts { layouts, first_words: Vec::new() };
        all.first_words = first_words.into_iter().map(|word| (word, all.index(word))).collect();
        all
    }

    /// Reads the layouts of a bundle; `None` if they are malformed.
    pub fn read(mut bytes: &[u8]) -> Option<Layouts> {
        let count = u16::from_le_bytes(*take(&mut bytes)?);
        let mut layouts: Vec<Layout> = Vec::new();
        for _ in 0..count {
            let opcode = u16::from_le_bytes(*take(&mut bytes)?);
            let [leading, repeated] = *take::<2>(&mut bytes)?;
            let (leading, repeated) = (usize::from(leading), usize::from(repeated));
            let (kinds, rest) = bytes.split_at_checked(leading + repeated)?;
            bytes = rest;
            let is_sorted = layouts.last().is_none_or(|before| before.opcode < opcode);
            let kinds: Vec<Kind> = kinds.iter().map(|&kind| Kind::new(kind)).collect::<Option<_>>()?;
            if !is_sorted || repeated == 0 {
                return None;
            }
            layouts.push(Layout { opcode, kinds, repeated: leading });
        }
        let [count] = *take(&mut bytes)?;
        let (words, rest) = bytes.as_chunks::<4>();
        let fits = words.len() == usize::from(count) && rest.is_empty();
        fits.then(|| Layouts::new(layouts, words.iter().map(|word| u32::from_le_bytes(*word))))
    }

    /// Returns the bytes of the layouts.
    #[cfg(feature = "write")]
    pub fn to_bytes(&self) -> Vec<u8> {
        let layouts = &self.layouts[1..];
        let mut bytes = Vec::from((layouts.len() as u16).to_le_bytes());
        for layout in layouts {
            bytes.extend(layout.opcode.to_le_bytes());
            bytes.extend([layout.repeated as u8, (layout.kinds.len() - layout.repeated) as u8]);
            bytes.extend(layout.kinds.iter().map(|&kind| kind as u8));
        }
        bytes.push(self.first_words.len() as u8);
        bytes.extend(self.first_words.iter().flat_map(|(word, _)| word.to_le_bytes()));
        bytes
    }

    fn index(&self, first_word: u32) -> usize {
        let position = self.layouts[1..].binary_search_by_key(&(first_word as u16), |layout| layout.opcode);
        position.map_or(0, |at| at + 1)
    }

    /// Returns the layout of an instruction with a first word.
    pub(super) fn of(&self, first_word: u32) -> &Layout {
        &self.layouts[self.index(first_word)]
    }

    /// Returns the first word of a number, with its layout.
    #[inline]
    pub(super) fn first_word(&self, number: u8) -> Option<(u32, &Layout)> {
        let &(word, layout) = self.first_words.get(usize::from(number))?;
        Some((word, &self.layouts[layout]))
    }

    /// Returns the number of each first word of the table.
    #[cfg(feature = "write")]
    pub(super) fn numbers(&self) -> HashMap<u32, u8> {
        self.first_words.iter().zip(0..ESCAPE).map(|(&(word, _), number)| (word, number)).collect()
    }
}

impl Kind {
    fn new(number: u8) -> Option<Kind> {
        [Kind::Literal, Kind::Type, Kind::Result, Kind::Id, Kind::String].get(usize::from(number)).copied()
    }
}

/// Removes bytes from the start, and returns them.
fn take<'b, const COUNT: usize>(bytes: &mut &'b [u8]) -> Option<&'b [u8; COUNT]> {
    let (taken, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(taken)
}

/// The first words of all modules, from which layouts are made.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub struct LayoutCounts(HashMap<u32, u64>);

#[cfg(feature = "write")]
impl LayoutCounts {
    /// Counts the first words of a module's instructions.
    pub fn add(&mut self, words: &[u32]) {
        for instruction in super::encode::instructions(words) {
            *self.0.entry(instruction[0]).or_default() += 1;
        }
    }

    /// Makes the layouts of the opcodes that occur, with the most frequent first words.
    pub fn layouts(&self) -> Layouts {
        use spirv_if::module::{WordKind, WordLayout};
        let kind = |kind: &WordKind| match kind {
            WordKind::ResultType => Kind::Type,
            WordKind::Result => Kind::Result,
            WordKind::Id => Kind::Id,
            WordKind::String => Kind::String,
            _ => Kind::Literal,
        };
        let mut opcodes: Vec<u16> = self.0.keys().map(|&word| word as u16).collect();
        opcodes.sort_unstable();
        opcodes.dedup();
        let layouts = opcodes.into_iter().filter_map(|opcode| {
            let WordLayout { leading, repeated, .. } = WordLayout::new(opcode)?;
            let kinds = leading.iter().chain(&repeated).map(kind).collect();
            Some(Layout { opcode, kinds, repeated: leading.len() })
        });
        let mut words: Vec<(u32, u64)> = self.0.iter().map(|(&word, &count)| (word, count)).collect();
        words.sort_unstable_by_key(|&(word, count)| (std::cmp::Reverse(count), word));
        Layouts::new(layouts, words.iter().map(|&(word, _)| word).take(usize::from(ESCAPE)))
    }
}
