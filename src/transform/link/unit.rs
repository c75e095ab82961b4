//! One of the linked modules, with the new ids of its ids.

use std::collections::HashMap;

use spirv::Op;

use super::error::LinkError;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, Visitor};

/// A definition outside of functions: the index of its module, and its id there.
pub(super) type Definition = (u32, u32);

/// The new id of an id that is not in the result and not replaced.
pub(super) const REMOVED: u32 = u32::MAX;

/// Bit in the new ids of functions, variables, and constants with their addresses, while the functions of their module
/// are written.
pub(super) const REFERRED: u32 = 1 << 31;

/// The replacement of a function or variable that another module has under the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// The other definition itself.
    Same(Definition),
    /// A function that calls the other with its arguments cast: their types differ in the pointees.
    Bridge(Definition),
    /// The address of the other variable, cast to the pointer type of this variable.
    Cast(Definition),
}

/// A module, with the new ids of its ids.
pub(super) struct LinkUnit<'m> {
    pub name: &'m str,
    pub module: &'m Module<'m>,
    /// Id in the result for each id, which may have [`REFERRED`] set, or [`REMOVED`], or 0 while it has none.
    pub ids: Vec<u32>,
    /// True for each id whose names and decorations are removed, since its replacement has its own.
    pub silent: Vec<bool>,
    /// The replacements of functions and variables.
    pub replacements: IdMap<Replacement>,
    /// Variable of each new id of a cast address.
    pub casts: HashMap<u32, u32>,
    /// Difference of the function of an entry point from another one of the same name.
    pub differences: IdMap<Box<str>>,
    /// Words of the new name for each offset of an OpName or OpEntryPoint.
    pub texts: IdMap<Vec<u32>>,
}

impl<'m> LinkUnit<'m> {
    pub fn new(name: &'m str, module: &'m Module<'m>) -> LinkUnit<'m> {
        // Zeroed pages that nothing touches take no memory, as in the loader.
        let bound = module.bound() as usize;
        let (ids, silent) = (vec![0; bound], vec![false; bound]);
        LinkUnit {
            name,
            module,
            ids,
            silent,
            replacements: IdMap::new(),
            casts: HashMap::new(),
            differences: IdMap::new(),
            texts: IdMap::new(),
        }
    }

    /// Returns the id in the result for each id, or 0.
    #[cfg(test)]
    pub fn into_ids(mut self) -> Vec<u32> {
        self.ids.iter_mut().filter(|id| **id == REMOVED).for_each(|id| *id = 0);
        self.ids
    }

    /// Returns the id in the result of an id that has one.
    pub fn new_of(&self, id: u32) -> u32 {
        self.ids[id as usize] & !REFERRED
    }

    /// Removes all results inside a function.
    pub fn drop_body(&mut self, id: u32, keeps_parameters: bool) {
        let module = self.module;
        let Some(function) = module.function(id) else { return };
        for inst in module.body(function).skip(1) {
            if keeps_parameters && inst.is(Op::FunctionParameter) {
                continue;
            }
            if let Some(result) = inst.result_id() {
                self.ids[result as usize] = REMOVED;
                self.silent[result as usize] = true;
            }
        }
    }

    pub fn unknown(&self, inst: &Instruction) -> LinkError {
        let (instruction, offset) = place(inst);
        LinkError::Unknown { file: self.name.to_string(), instruction, offset }
    }

    pub fn outside(&self, inst: &Instruction) -> LinkError {
        let (instruction, offset) = place(inst);
        LinkError::Outside { file: self.name.to_string(), instruction, offset }
    }

    /// Writes an instruction with the ids of the result; missing ones are created.
    pub fn write(
        &mut self,
        inst: &Instruction,
        next: &mut u32,
        words: &mut Vec<u32>,
    ) -> Result<(), LinkError> {
        let start = words.len();
        words.extend_from_slice(inst.words());
        self.renumber(inst, None, next, &mut words[start..], &mut |_| {})
    }

    /// Sets the ids in the words of an instruction to those of the result, and calls `seen` for each; the word number `skipped` is left
    /// unchanged.
    #[inline]
    pub fn renumber(
        &mut self,
        inst: &Instruction,
        skipped: Option<usize>,
        next: &mut u32,
        words: &mut [u32],
        seen: &mut impl FnMut(u32),
    ) -> Result<(), LinkError> {
        let module = self.module;
        let mut renumber = Renumber {
            ids: &mut self.ids,
            skipped: skipped.unwrap_or(0),
            next,
            words,
            seen,
            opcode: inst.opcode(),
            doubt: false,
            removed: 0,
        };
        module.walk(inst, &mut renumber);
        match renumber {
            Renumber { doubt: true, .. } => Err(self.unknown(inst)),
            Renumber { removed: 0, .. } => Ok(()),
            Renumber { removed: id, .. } => {
                let (instruction, offset) = place(inst);
                Err(LinkError::Dangling { file: self.name.to_string(), instruction, offset, id })
            }
        }
    }
}

/// Returns the name of an instruction, and its offset in bytes.
pub(super) fn place(inst: &Instruction) -> (String, u64) {
    (inst.name(), u64::from(inst.offset()) * 4)
}

/// Creates a new id. It may be beyond the limit, which is checked in the end.
pub(super) fn fresh(next: &mut u32) -> u32 {
    *next = next.saturating_add(1);
    *next - 1
}

/// Returns the id in the result for an id.
#[inline]
pub(super) fn new_id(ids: &mut [u32], next: &mut u32, id: u32) -> u32 {
    let new = &mut ids[id as usize];
    if *new == 0 {
        *new = fresh(next);
    }
    *new
}

struct Renumber<'r, F> {
    ids: &'r mut [u32],
    /// The number of a word that is left unchanged, or 0.
    skipped: usize,
    next: &'r mut u32,
    words: &'r mut [u32],
    seen: &'r mut F,
    opcode: u16,
    doubt: bool,
    removed: u32,
}

impl<F: FnMut(u32)> Visitor for Renumber<'_, F> {
    #[inline]
    fn id(&mut self, at: usize, id: u32) {
        if at == self.skipped {
            return;
        }
        let new = match new_id(self.ids, self.next, id) {
            REMOVED => {
                self.removed = id;
                REMOVED
            }
            new => new & !REFERRED,
        };
        self.words[at] = new;
        (self.seen)(new);
    }

    fn possible_id(&mut self, at: usize, id: u32) {
        match Op::from_u32(self.opcode.into()) {
            // Decorations and execution modes with ids have instructions of their own, so that ids and literals are known even if the grammar does
            // not have them (specification, OpDecorate, OpDecorateId, OpExecutionModeId).
            Some(Op::Decorate | Op::MemberDecorate | Op::ExecutionMode) => {}
            Some(Op::DecorateId | Op::ExecutionModeId) => self.id(at, id),
            _ => self.doubt = true,
        }
    }
}
