//! The ids in the bodies of functions: most of what linking does.

use super::globals::{Globals, before_functions};
use super::unit::{LinkUnit, REFERRED, REMOVED, fresh};
use crate::loader::grammar::Layout;
use crate::loader::{Instruction, Module, Visitor};

/// Marks the functions and variables of a module, and the constants that are made of them; returns which.
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
pub(super) struct Body<'r, 'm> {
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

impl<'r, 'm> Body<'r, 'm> {
    /// The body of a function of a module, which has this id in the result.
    pub fn new(
        function: u32,
        unit: &'r mut LinkUnit<'m>,
        next: &'r mut u32,
        uses: &'r mut Vec<(u32, u32)>,
    ) -> Body<'r, 'm> {
        Body { module: unit.module, ids: &mut unit.ids, next, function, uses, last: 0, is_doubtful: false }
    }

    /// Sets the ids in a copy of the words of an instruction of this layout, if all its ids are the first of its words; else false.
    #[inline]
    pub fn write_leading(&mut self, layout: &Layout, words: &mut [u32]) -> bool {
        let end = layout.ids_end(words.len());
        if end < words.len() && layout.may_have_more_ids() {
            return false;
        }
        words[1..end].iter_mut().for_each(|id| *id = self.new_id(*id));
        true
    }

    /// Sets the ids in a copy of the words of any instruction.
    #[inline]
    pub fn write(&mut self, inst: &Instruction, layout: Option<&Layout>, words: &mut [u32]) {
        let module = self.module;
        module.walk_with(layout, inst, &mut Ids { body: self, words });
    }

    /// True if ids are not known from other operands, or are not in the result.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    #[inline]
    fn new_id(&mut self, id: u32) -> u32 {
        let new = self.ids[id as usize];
        // Neither 0 nor marked.
        let is_plain = new.wrapping_sub(1) < REFERRED - 1;
        if is_plain { new } else { self.special(id) }
    }

    /// The new id of an id without one, of one that is referred to, or of none.
    fn special(&mut self, id: u32) -> u32 {
        let new = &mut self.ids[id as usize];
        match *new {
            0 => *new = fresh(self.next),
            REMOVED => self.is_doubtful = true,
            _ => {
                let new = *new & !REFERRED;
                if new != self.last {
                    self.uses.push((self.function, new));
                    self.last = new;
                }
                return new;
            }
        }
        *new
    }
}

struct Ids<'i, 'r, 'm> {
    body: &'i mut Body<'r, 'm>,
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
