//! Types before their definition: only pointers that OpTypeForwardPointer declares may be referred to (specification, 2.16.1
//! "Universal Validation Rules"), and only those that point to a structure. So a type that contains itself does so through a pointer.

use std::collections::HashSet;

use spirv::Op;

use super::error::Problem;
use super::grammar::{self, Tail, opcode_name};
use super::operands::{Surroundings, walk};

/// The word of OpTypePointer that holds the type pointed to.
const POINTEE: usize = 3;

/// The pointers that are declared before their definition.
#[derive(Default)]
pub(super) struct Forward {
    pointers: HashSet<u32>,
    /// The offset of the declaration of each, in words.
    declared: Vec<(u32, u32)>,
    /// The references of types after an instruction that the grammar does not have, which may define the id: offset and id.
    open: Vec<(u32, u32)>,
}

impl Forward {
    /// Notes the OpTypeForwardPointer at an offset.
    pub fn declare(&mut self, id: u32, at: u32) {
        if self.pointers.insert(id) {
            self.declared.push((id, at));
        }
    }

    /// Checks that a type refers to what stands before it, or to a pointer that is declared.
    pub fn check(
        &mut self,
        words: &[u32],
        around: Surroundings,
        has_unknown: bool,
    ) -> Result<(), Box<Problem>> {
        let layout = grammar::layout(words[0] as u16);
        if layout.is_some_and(|layout| layout.ids == 1 && matches!(layout.tail, Tail::NoIds)) {
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
            Some(id) => Err(Box::new(Problem::Forward { id, opcode: opcode_name(words[0] as u16) })),
            None => Ok(()),
        }
    }

    /// The first type that refers to what is defined after it, as instructions that the grammar does not have did not define it before.
    pub fn not_before(&self, words: &[u32], definitions: &[u32]) -> Option<(u32, Problem)> {
        let &(at, id) = self.open.iter().find(|(_, id)| definitions[*id as usize] != 0)?;
        Some((at, Problem::Forward { id, opcode: opcode_name(words[at as usize] as u16) }))
    }

    /// The first that is declared and turns out to be something else than a pointer to a structure, with the offset of its declaration.
    /// Instructions that the grammar does not have may define what is not defined.
    pub fn wrong_pointer(&self, words: &[u32], definitions: &[u32]) -> Option<(u32, Problem)> {
        let definition = |id: u32| Some(definitions[id as usize] as usize).filter(|&at| at != 0);
        let opcode = |at: usize| words[at] as u16;
        self.declared.iter().find_map(|&(id, at)| {
            let pointer = definition(id)?;
            if opcode(pointer) != Op::TypePointer as u16 {
                return Some((at, Problem::ForwardPointer { id, opcode: opcode_name(opcode(pointer)) }));
            }
            let pointee = definition(words[pointer + POINTEE])?;
            let is_structure = opcode(pointee) == Op::TypeStruct as u16;
            (!is_structure)
                .then(|| (at, Problem::ForwardPointee { id, opcode: opcode_name(opcode(pointee)) }))
        })
    }
}
