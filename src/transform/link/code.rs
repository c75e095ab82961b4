//! Functions of the result as words, with what they define.

use crate::loader::{Function, KnownFunctions, grammar};

/// Functions, one after the other, behind room for what will stand before them.
#[derive(Default)]
pub(super) struct Code {
    pub words: Vec<u32>,
    /// The number of words at the start that are not written.
    room: usize,
    /// Their places in these words.
    functions: Vec<Function>,
    pub defined: Defined,
}

impl Code {
    /// None yet: room for so many words before them, and memory for so many words and ids of their own.
    pub fn new(room: usize, words: usize, ids: usize) -> Code {
        let mut all = Vec::with_capacity(room + words);
        all.resize(room, 0);
        Code { words: all, room, functions: Vec::new(), defined: Defined(vec![0; ids]) }
    }

    /// Notes what instructions define that were written from `start` on.
    pub fn define_all(&mut self, start: usize) {
        let mut at = start;
        while let Some(&first) = self.words.get(at) {
            if let Some(result) = grammar::layout(first as u16).and_then(|layout| layout.result_word()) {
                self.defined.set(self.words[at + result], at as u32);
            }
            at += (first >> 16) as usize;
        }
    }

    /// Notes a function that was written from `lines` on, with its OpFunction at `start`.
    pub fn close(&mut self, id: u32, lines: usize, start: usize) {
        let [lines, start, end] = [lines, start, self.words.len()].map(|at| at as u32);
        self.functions.push(Function { id, lines, start, end });
    }

    /// The words of a module of which these sections stand before the functions, and what is known of the functions.
    pub fn behind(mut self, sections: &[&[u32]]) -> (Vec<u32>, KnownFunctions) {
        let count: usize = sections.iter().map(|section| section.len()).sum();
        let Code { words, room, .. } = &mut self;
        if count > *room {
            let more = count - *room;
            words.splice(0..0, std::iter::repeat_n(0, more));
        } else {
            words.copy_within(*room.., count);
            words.truncate(words.len() - (*room - count));
        }
        let mut at = 0;
        for section in sections {
            words[at..at + section.len()].copy_from_slice(section);
            at += section.len();
        }
        // Offsets wrap around where functions move to the front.
        let moved = (count as u32).wrapping_sub(*room as u32);
        self.defined.0.iter_mut().for_each(|at| *at = if *at == 0 { 0 } else { at.wrapping_add(moved) });
        self.functions.iter_mut().for_each(|function| {
            let Function { lines, start, end, .. } = function;
            [lines, start, end].into_iter().for_each(|at| *at = at.wrapping_add(moved));
        });
        let known = KnownFunctions {
            functions: self.functions,
            definitions: self.defined.0,
            ..KnownFunctions::default()
        };
        (self.words, known)
    }
}

/// By new id: the offset of its definition in some words, or 0.
#[derive(Default)]
pub(super) struct Defined(Vec<u32>);

impl Defined {
    #[inline]
    pub fn set(&mut self, id: u32, at: u32) {
        let id = id as usize;
        if id >= self.0.len() {
            // Only ids that no module has, which are few.
            self.0.resize(id + 1, 0);
        }
        self.0[id] = at;
    }
}
