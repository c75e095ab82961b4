//! Debug information names things without needing them: where they are gone, it names DebugInfoNone.

use spirv::Op;

use super::marks::Marks;
use crate::loader::{Instruction, Module};
use crate::transform::Edits;

/// The number of DebugInfoNone, in every set of debug information that there is.
const DEBUG_INFO_NONE: u32 = 0;

/// Whether the word of this number in an OpExtInst is an operand of the extended instruction.
pub fn is_reference(at: usize) -> bool {
    at > 4
}

/// Whether debug information alone does not keep an id: functions and module-scope variables. It does keep the constants,
/// types and strings that it names.
pub fn is_weak(module: &Module, id: u32) -> bool {
    match module.definition(id).and_then(|inst| inst.op()) {
        Some(Op::Function) => true,
        Some(Op::Variable) => module.is_global(id),
        _ => false,
    }
}

/// The DebugInfoNone instructions that stand before the place that is looked at.
#[derive(Default)]
pub struct Nones {
    /// Extended instruction set and result id; one for each set.
    known: Vec<(u32, u32)>,
}

impl Nones {
    /// Takes note of a debug instruction that stays, if it is a DebugInfoNone.
    pub fn see(&mut self, inst: &Instruction) {
        if inst.word(4) == DEBUG_INFO_NONE && !self.known.iter().any(|(known, _)| *known == inst.word(3)) {
            self.known.push((inst.word(3), inst.word(2)));
        }
    }

    /// Replaces what is gone in a debug instruction. A new DebugInfoNone is put at the offset `place`.
    pub fn replace(
        &mut self,
        module: &Module,
        marks: &Marks,
        inst: &Instruction,
        place: u32,
        edits: &mut Edits,
    ) {
        let mut words: Option<Vec<u32>> = None;
        module.walk(inst, &mut |at: usize, id: u32| {
            if is_reference(at) && marks.gone(id) {
                let none = self.none(inst, place, edits);
                words.get_or_insert_with(|| inst.words().to_vec())[at] = none;
            }
        });
        if let Some(words) = words {
            edits.replace_words(inst, &words);
        }
    }

    fn none(&mut self, inst: &Instruction, place: u32, edits: &mut Edits) -> u32 {
        let (void, set) = (inst.word(1), inst.word(3));
        if let Some(&(_, none)) = self.known.iter().find(|(known, _)| *known == set) {
            return none;
        }
        let none = edits.fresh_id();
        edits.insert_words(place, &[5 << 16 | Op::ExtInst as u32, void, none, set, DEBUG_INFO_NONE]);
        self.known.push((set, none));
        none
    }
}
