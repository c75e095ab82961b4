//! Functions of the result as words, with what they define.

use crate::loader::{Function, KnownFunctions, grammar};

/// Functions, one after the other.
#[derive(Default)]
pub(super) struct Code {
    pub words: Vec<u32>,
    /// Their places in these words.
    functions: Vec<Function>,
    pub defined: Defined,
}

impl Code {
    /// None yet, of modules with so many words and ids.
    pub fn new(words: usize, ids: usize) -> Code {
        Code { words: Vec::with_capacity(words), functions: Vec::new(), defined: Defined(vec![0; ids]) }
    }

    /// Notes what instructions define that were written from `start` on.
    pub fn define_all(&mut self, start: usize) {
        let mut at = start;
        while let Some(&first) = self.words.get(at) {
            if let Some(result) = grammar::layout(first as u16).and_then(|layout| layout.result_word()) {
                self.defined.set(self.words[at + result], at);
            }
            at += (first >> 16) as usize;
        }
    }

    /// Notes a function that was written from `lines` on, with its OpFunction at `start`.
    pub fn close(&mut self, id: u32, lines: usize, start: usize) {
        let [lines, start, end] = [lines, start, self.words.len()].map(|at| at as u32);
        self.functions.push(Function { id, lines, start, end });
    }

    /// Adds the functions, and what they define, where the words follow `before` others.
    pub fn known(&self, before: usize, known: &mut KnownFunctions) {
        let before = before as u32;
        known.functions.extend(self.functions.iter().map(|function| Function {
            lines: function.lines + before,
            start: function.start + before,
            end: function.end + before,
            ..*function
        }));
        if known.definitions.len() < self.defined.0.len() {
            known.definitions.resize(self.defined.0.len(), 0);
        }
        for (known, &own) in known.definitions.iter_mut().zip(&self.defined.0) {
            *known += if own == 0 { 0 } else { own + before - 1 };
        }
    }
}


/// By new id: 1 + the offset of its definition in some words, or 0.
#[derive(Default)]
pub(super) struct Defined(Vec<u32>);

impl Defined {
    #[inline]
    pub fn set(&mut self, id: u32, at: usize) {
        let id = id as usize;
        if id >= self.0.len() {
            // Only ids that no module has, which are few.
            self.0.resize(id + 1, 0);
        }
        self.0[id] = at as u32 + 1;
    }
}
