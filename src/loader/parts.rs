//! Removal of instructions from a loaded module. The places of the others are known, so that nothing is
//! walked again.

use std::borrow::Cow;

use super::index::{AnyId, ModuleIndex};
use super::module::{Function, Module};

impl Module<'_> {
    /// Returns the module without the words in these ranges, sorted by start. Each range is made of whole
    /// instructions, or of whole functions with the OpLines before them. The caller ensures that nothing
    /// refers to the ids defined in them.
    pub fn without_parts(&self, parts: &[(u32, u32)]) -> Module<'static> {
        let old = self.words();
        let mut words = Vec::with_capacity(old.len());
        let mut copied = 0;
        for &(start, end) in parts {
            words.extend_from_slice(&old[copied..start as usize]);
            copied = end as usize;
        }
        words.extend_from_slice(&old[copied..]);
        let tables = self.tables.without_parts(parts);
        debug_assert!(
            ModuleIndex::new(&words, words[3], AnyId).is_ok_and(|loaded| {
                loaded.definitions == tables.definitions && loaded.functions == tables.functions
            }),
            "what remains is where loading finds it"
        );
        Module { words: Cow::Owned(words), tables }
    }
}

impl ModuleIndex {
    fn without_parts(&self, parts: &[(u32, u32)]) -> ModuleIndex {
        let mut moves = OffsetMap::new(parts);
        // Most ids are defined in ascending order.
        let definitions = self.definitions.iter().map(|&at| match at {
            0 => 0,
            at => moves.new_place(at).unwrap_or(0),
        });
        let definitions = definitions.collect();
        let mut sets = self.sets.clone();
        sets.retain_mut(|set| moves.new_place(set.at).inspect(|&at| set.at = at).is_some());
        let functions = self.functions.iter().filter_map(|function| {
            let start = moves.new_place(function.start)?;
            let [lines, end] = [function.lines, function.end].map(|at| moves.new_end(at));
            Some(Function { lines, start, end, ..*function })
        });
        let functions = functions.collect();
        ModuleIndex {
            definitions,
            sets,
            functions,
            notes: self.notes.iter().filter_map(|&at| moves.new_place(at)).collect(),
            declarations_end: moves.new_end(self.declarations_end),
            head_end: moves.new_end(self.head_end),
            annotations_end: moves.new_end(self.annotations_end),
            has_unknown: self.has_unknown,
            has_conditional_copies: self.has_conditional_copies,
        }
    }
}

/// The mapping from old to new offsets.
struct OffsetMap<'p> {
    parts: &'p [(u32, u32)],
    /// Number of words removed by each part and those before it.
    removed: Vec<u32>,
    /// Number of parts that start at or before the last queried offset, and the range of offsets with this
    /// number.
    last: (usize, std::ops::Range<u32>),
}

impl<'p> OffsetMap<'p> {
    fn new(parts: &'p [(u32, u32)]) -> OffsetMap<'p> {
        let mut sum = 0;
        let removed = parts.iter().map(|(start, end)| {
            sum += end - start;
            sum
        });
        OffsetMap { parts, removed: removed.collect(), last: (0, 0..0) }
    }

    /// Returns the number of parts that start at or before an offset.
    #[inline]
    fn parts_before(&mut self, at: u32) -> usize {
        if !self.last.1.contains(&at) {
            let count = self.parts.partition_point(|part| part.0 <= at);
            let start = count.checked_sub(1).map_or(0, |last| self.parts[last].0);
            let end = self.parts.get(count).map_or(u32::MAX, |next| next.0);
            self.last = (count, start..end);
        }
        self.last.0
    }

    /// Returns the new offset of an instruction; `None` if it is in a part.
    #[inline]
    fn new_place(&mut self, at: u32) -> Option<u32> {
        match self.parts_before(at) {
            0 => Some(at),
            count if at < self.parts[count - 1].1 => None,
            count => Some(at - self.removed[count - 1]),
        }
    }

    /// Returns the new offset of an end, or of a start that may be in a part.
    fn new_end(&mut self, at: u32) -> u32 {
        match self.parts_before(at) {
            0 => at,
            count => match self.parts[count - 1] {
                (start, end) if at < end => start - (self.removed[count - 1] - (end - start)),
                _ => at - self.removed[count - 1],
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{instruction, module_of};

    #[test]
    fn what_remains_is_where_loading_finds_it() {
        // %1 void, %2 its function type; functions %3 (with an OpLine before it), %5 and %7; names of %3 and %5, a string %9.
        let function = |id: u32| {
            [
                instruction(54, &[1, id, 0, 2]),
                instruction(248, &[id + 1]),
                instruction(253, &[]),
                instruction(56, &[]),
            ]
            .concat()
        };
        let body = [
            instruction(7, &[9, 0]),
            instruction(5, &[3, 0x61]),
            instruction(5, &[5, 0x62]),
            instruction(330, &[0x63]),
            instruction(19, &[1]),
            instruction(33, &[2, 1]),
            instruction(8, &[9, 1, 1]),
            function(3),
            function(5),
            function(7),
        ];
        let words = module_of(10, &body);
        let module = Module::from_words(&words[..]).unwrap();
        let part = |at: usize| {
            let function = &module.functions()[at];
            (function.lines, function.end)
        };
        let name = |at: usize| {
            let name = module.annotations().filter(|inst| inst.opcode() == 5).nth(at).unwrap();
            (name.offset(), name.end())
        };
        let note = module.notes().next().map(|note| (note.offset(), note.end())).unwrap();
        let body = |at: usize| {
            module.body(&module.functions()[at]).nth(2).map(|inst| (inst.offset(), inst.end())).unwrap()
        };
        for parts in [
            vec![],
            vec![part(0)],
            vec![name(1), part(1)],
            vec![name(0), name(1), note, body(0), part(1), part(2)],
        ] {
            let without = module.without_parts(&parts);
            let loaded = Module::from_words(without.words()).unwrap();
            assert!(without.tables == loaded.tables, "{parts:?}");
            let removed: u32 = parts.iter().map(|(start, end)| end - start).sum();
            assert_eq!(without.words().len() + removed as usize, words.len());
        }
    }
}
