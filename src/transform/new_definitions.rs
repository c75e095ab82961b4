//! Types and constants that a module has or gets.

use std::collections::HashMap;

use spirv::Op;

use super::Edits;
use super::insertion::InsertionPoints;
use crate::loader::{Instruction, Module};

/// The types and constants of a module, and those that are added to it.
pub struct NewDefinitions {
    /// The ids by [`key`].
    known: HashMap<Vec<u32>, u32>,
    /// The words of those that are added.
    added: Vec<u32>,
    /// The place of those that are added.
    place: u32,
}

impl NewDefinitions {
    /// Reads those of a module.
    pub fn new(module: &Module) -> NewDefinitions {
        NewDefinitions {
            known: module.globals().filter_map(|inst| Some((key(&inst)?, inst.result_id()?))).collect(),
            added: Vec::new(),
            place: InsertionPoints::find(module).globals,
        }
    }

    /// Returns the id of a type.
    pub fn type_(&mut self, op: Op, operands: &[u32], edits: &mut Edits) -> u32 {
        self.definition(op, &[], operands, edits)
    }

    /// Returns the type of unsigned integers of 32 bits.
    pub fn uint(&mut self, edits: &mut Edits) -> u32 {
        self.type_(Op::TypeInt, &[32, 0], edits)
    }

    /// Returns a constant of a type of 32 bits.
    pub fn constant(&mut self, type_: u32, value: u32, edits: &mut Edits) -> u32 {
        self.definition(Op::Constant, &[type_], &[value], edits)
    }

    /// Returns an undefined value of a type.
    pub fn undefined(&mut self, type_: u32, edits: &mut Edits) -> u32 {
        self.definition(Op::Undef, &[type_], &[], edits)
    }

    /// Returns the id of a definition with words before and after its result. It is added if the module does not have it.
    fn definition(&mut self, op: Op, before: &[u32], after: &[u32], edits: &mut Edits) -> u32 {
        let length = (2 + before.len() + after.len()) as u32;
        let key = [&[length << 16 | op as u32], before, after].concat();
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let id = edits.fresh_id();
        self.add(&[&[length << 16 | op as u32], before, &[id], after].concat());
        self.known.insert(key, id);
        id
    }

    /// Adds an instruction.
    pub fn add(&mut self, words: &[u32]) {
        self.added.extend_from_slice(words);
    }

    /// Inserts those that are added.
    pub fn insert(&self, edits: &mut Edits) {
        edits.insert_words(self.place, &self.added);
    }
}

/// Returns the words by which equal types and constants have the same id; `None` for other instructions.
fn key(inst: &Instruction) -> Option<Vec<u32>> {
    let result = match inst.op()? {
        Op::TypeBool | Op::TypeInt | Op::TypePointer | Op::TypeFunction => 1,
        Op::Constant | Op::Undef => 2,
        _ => return None,
    };
    let mut words = inst.words().to_vec();
    words.remove(result);
    Some(words)
}
