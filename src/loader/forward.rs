//! References of types to later definitions. Only pointers declared by OpTypeForwardPointer may be referred
//! to before their definition (specification, 2.16.1 "Universal Validation Rules"), and only if they point to
//! a structure. So a type can contain itself only through a pointer.

use std::collections::HashSet;

use spirv::Op;

use super::error::LoadProblem;
use super::grammar::{self, TrailingOperands, opcode_name};
use super::operands::{WalkContext, walk};

/// Number of the word of OpTypePointer that holds the pointee type.
const POINTEE: usize = 3;

/// The pointers that are declared before their definition, and the references that are still undecided.
#[derive(Default)]
pub(super) struct ForwardPointers {
    pointers: HashSet<u32>,
    /// Each declared pointer with the offset of its declaration, in words.
    declared: Vec<(u32, u32)>,
    /// References that follow an instruction missing from the grammar, which may define the id: offset and
    /// id.
    open: Vec<(u32, u32)>,
}

impl ForwardPointers {
    /// Records the OpTypeForwardPointer at offset `at`.
    pub fn declare(&mut self, id: u32, at: u32) {
        if self.pointers.insert(id) {
            self.declared.push((id, at));
        }
    }

    /// Checks that a type refers only to earlier definitions or to declared pointers.
    pub fn check(
        &mut self,
        words: &[u32],
        around: WalkContext,
        has_unknown: bool,
    ) -> Result<(), Box<LoadProblem>> {
        let layout = grammar::layout(words[0] as u16);
        if layout.is_some_and(|layout| layout.ids == 1 && matches!(layout.tail, TrailingOperands::NoIds)) {
            return Ok(());
        }
        let result = layout.and_then(|layout| layout.result_word());
        let mut wrong = None;
        let (definitions, start) = (around.definitions, around.at);
        let itself = result.map_or(0, |result| words[result]);
        let mut is_wrong = |at: usize, id: u32| {
            let known = id != itself && (definitions[id as usize] != 0 || self.pointers.contains(&id));
            if known || Some(at) == result {
                return;
            }
            match has_unknown && id != itself {
                true => self.open.push((start, id)),
                false => drop(wrong.get_or_insert(id)),
            }
        };
        walk(layout, words, &mut is_wrong, || around);
        match wrong {
            Some(id) => Err(Box::new(LoadProblem::Forward { id, opcode: opcode_name(words[0] as u16) })),
            None => Ok(()),
        }
    }

    /// Returns the first type that refers to a later definition, if no unknown instruction defined the id
    /// before it.
    pub fn not_before(&self, words: &[u32], definitions: &[u32]) -> Option<(u32, LoadProblem)> {
        let &(at, id) = self.open.iter().find(|(_, id)| definitions[*id as usize] != 0)?;
        Some((at, LoadProblem::Forward { id, opcode: opcode_name(words[at as usize] as u16) }))
    }

    /// Returns the offset of the first declaration whose id is not a pointer to a structure. Undefined ids
    /// are accepted, since unknown instructions may define them.
    pub fn wrong_pointer(&self, words: &[u32], definitions: &[u32]) -> Option<(u32, LoadProblem)> {
        let definition = |id: u32| Some(definitions[id as usize] as usize).filter(|&at| at != 0);
        let opcode = |at: usize| words[at] as u16;
        self.declared.iter().find_map(|&(id, at)| {
            let pointer = definition(id)?;
            if opcode(pointer) != Op::TypePointer as u16 {
                return Some((at, LoadProblem::ForwardPointer { id, opcode: opcode_name(opcode(pointer)) }));
            }
            let pointee = definition(words[pointer + POINTEE])?;
            let is_structure = opcode(pointee) == Op::TypeStruct as u16;
            (!is_structure)
                .then(|| (at, LoadProblem::ForwardPointee { id, opcode: opcode_name(opcode(pointee)) }))
        })
    }
}
