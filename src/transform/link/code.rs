//! Functions of the result as words: the ids in their bodies, which are most of the work of linking, and their
//! definitions.

use super::globals::{Globals, before_functions};
use super::unit::{LinkUnit, REFERRED, REMOVED, fresh};
use crate::loader::grammar::{self, InstructionLayout};
use crate::loader::{Function, Instruction, KnownFunctions, Module, Visitor};

/// The words of functions, after room for the sections before them.
#[derive(Default)]
pub(super) struct FunctionCode {
    pub words: Vec<u32>,
    /// The number of words at the start that are not written.
    room: usize,
    /// Places of the functions in these words.
    functions: Vec<Function>,
    pub defined: DefinitionOffsets,
}

impl FunctionCode {
    /// Starts without functions, with room for `room` words before them, and with capacity for their words and ids.
    pub fn new(room: usize, words: usize, ids: usize) -> FunctionCode {
        let mut all = Vec::with_capacity(room + words);
        all.resize(room, 0);
        FunctionCode { words: all, room, functions: Vec::new(), defined: DefinitionOffsets(vec![0; ids]) }
    }

    /// Records the definitions in the instructions from `start` on.
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

    /// Returns the words of a module with these sections before the functions, and the known facts of the functions.
    pub fn behind(mut self, sections: &[&[u32]]) -> (Vec<u32>, KnownFunctions) {
        let count: usize = sections.iter().map(|section| section.len()).sum();
        let FunctionCode { words, room, .. } = &mut self;
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

/// Offset of the definition of each new id in some words, or 0.
#[derive(Default)]
pub(super) struct DefinitionOffsets(Vec<u32>);

impl DefinitionOffsets {
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

/// Marks the functions and variables of a module, and the constants that contain their addresses. Returns the marked
/// ids.
pub(super) fn mark(unit: &mut LinkUnit, globals: &Globals) -> Vec<u32> {
    let module = unit.module;
    let results = before_functions(module).filter_map(|inst| inst.result_id());
    let functions = module.functions().iter().map(|function| function.id);
    let is_marked = |id: &u32| unit.ids[*id as usize] != REMOVED && globals.carries(unit.ids[*id as usize]);
    let marked: Vec<u32> = results.chain(functions).filter(is_marked).collect();
    marked.iter().for_each(|&id| unit.ids[id as usize] |= REFERRED);
    marked
}

/// Sets the ids in the words of the instructions of a function to those of the result.
pub(super) struct BodyRewriter<'r, 'm> {
    module: &'m Module<'m>,
    ids: &'r mut [u32],
    next: &'r mut u32,
    /// The function, by its new id.
    function: u32,
    uses: &'r mut Vec<(u32, u32)>,
    /// The last of the function's uses.
    last: u32,
    is_doubtful: bool,
}

impl<'r, 'm> BodyRewriter<'r, 'm> {
    /// Creates the body of a function of a module, which has this id in the result.
    pub fn new(
        function: u32,
        unit: &'r mut LinkUnit<'m>,
        next: &'r mut u32,
        uses: &'r mut Vec<(u32, u32)>,
    ) -> BodyRewriter<'r, 'm> {
        BodyRewriter {
            module: unit.module,
            ids: &mut unit.ids,
            next,
            function,
            uses,
            last: 0,
            is_doubtful: false,
        }
    }

    /// Sets the ids in a copy of the words of an instruction of this layout. Returns false unless the ids are the first words.
    #[inline]
    pub fn write_leading(&mut self, layout: &InstructionLayout, words: &mut [u32]) -> bool {
        let end = layout.ids_end(words.len());
        if end < words.len() && layout.may_have_more_ids() {
            return false;
        }
        // Most instructions have few: no loop is worth its start.
        match &mut words[1..end] {
            [a] => *a = self.new_id(*a),
            [a, b] => [*a, *b] = [*a, *b].map(|id| self.new_id(id)),
            [a, b, c] => [*a, *b, *c] = [*a, *b, *c].map(|id| self.new_id(id)),
            [a, b, c, d] => [*a, *b, *c, *d] = [*a, *b, *c, *d].map(|id| self.new_id(id)),
            ids => ids.iter_mut().for_each(|id| *id = self.new_id(*id)),
        }
        true
    }

    /// Sets the ids in a copy of the words of any instruction.
    #[inline]
    pub fn write(&mut self, inst: &Instruction, layout: Option<&InstructionLayout>, words: &mut [u32]) {
        let module = self.module;
        module.walk_with(layout, inst, &mut Ids { body: self, words });
    }

    /// Returns true if ids are not known from other operands, or are not in the result.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    #[inline]
    fn new_id(&mut self, id: u32) -> u32 {
        let new = &mut self.ids[id as usize];
        if *new == 0 {
            *new = fresh(self.next);
        }
        let new = *new;
        // Not marked.
        if new < REFERRED { new } else { self.special(new) }
    }

    /// Returns the new id of one that is referred to, or of none.
    fn special(&mut self, new: u32) -> u32 {
        if new == REMOVED {
            self.is_doubtful = true;
            return REMOVED;
        }
        let new = new & !REFERRED;
        if new != self.last {
            self.uses.push((self.function, new));
            self.last = new;
        }
        new
    }
}

struct Ids<'i, 'r, 'm> {
    body: &'i mut BodyRewriter<'r, 'm>,
    words: &'i mut [u32],
}

impl Visitor for Ids<'_, '_, '_> {
    #[inline]
    fn id(&mut self, at: usize, id: u32) {
        self.words[at] = self.body.new_id(id);
    }

    fn possible_id(&mut self, _at: usize, _id: u32) {
        self.body.is_doubtful = true;
    }
}
