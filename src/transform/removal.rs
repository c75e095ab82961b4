//! What removing ids takes with it: names, decorations, execution modes, places in interface lists, and what debug
//! information says of them.

use rspirv::dr::{Instruction as New, Operand};
use spirv::Op;

use super::Edits;
use crate::analysis::{interface, is_debug, is_debug_operand};
use crate::loader::{Instruction, Module};

/// The number of DebugInfoNone, in every set of debug information that there is.
const DEBUG_INFO_NONE: u32 = 0;

/// Removes what speaks of ids that are gone. `gone` always tells whether an id is not in the result.
#[derive(Default)]
pub struct Removal {
    /// The DebugInfoNone instructions that stand before the place that is looked at: set and result id, one for each set.
    nones: Vec<(u32, u32)>,
}

impl Removal {
    /// Drops an instruction outside of functions if it defines what is gone or only speaks of that; else takes out of it what
    /// is gone, where it is a list or debug information. Entry points are left alone: see [`entry_point`]. Instructions must
    /// come in order. Returns whether it was dropped.
    pub fn outside(
        &mut self,
        module: &Module,
        inst: &Instruction,
        gone: &impl Fn(u32) -> bool,
        edits: &mut Edits,
    ) -> bool {
        let dropped = match inst.op() {
            Some(
                Op::Name | Op::MemberName | Op::TypeForwardPointer | Op::ExecutionMode | Op::ExecutionModeId,
            ) => gone(inst.word(1)),
            Some(
                Op::Decorate
                | Op::DecorateId
                | Op::DecorateString
                | Op::MemberDecorate
                | Op::MemberDecorateString,
            ) => gone(inst.word(1)),
            Some(Op::GroupDecorate) => return group(inst, 1, gone, edits),
            Some(Op::GroupMemberDecorate) => return group(inst, 2, gone, edits),
            _ => inst.result_id().is_some_and(gone),
        };
        if dropped {
            edits.drop(inst);
        } else if is_debug(module, inst) {
            self.debug(module, inst, inst.offset(), gone, edits);
            let known = self.nones.iter().any(|(set, _)| *set == inst.word(3));
            if inst.word(4) == DEBUG_INFO_NONE && inst.offset() < module.globals_end() && !known {
                self.nones.push((inst.word(3), inst.word(2)));
            }
        }
        dropped
    }

    /// Debug information names DebugInfoNone where it named something that is gone. A new DebugInfoNone is put at the offset
    /// `place`, which must be outside of functions.
    pub fn debug(
        &mut self,
        module: &Module,
        inst: &Instruction,
        place: u32,
        gone: &impl Fn(u32) -> bool,
        edits: &mut Edits,
    ) {
        let mut words: Option<Vec<u32>> = None;
        module.walk(inst, &mut |at, id: u32| {
            if is_debug_operand(at) && gone(id) {
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
        if let Some(&(_, none)) = self.nones.iter().find(|(known, _)| *known == set) {
            return none;
        }
        let none = edits.fresh_id();
        let operands = vec![Operand::IdRef(set), Operand::LiteralExtInstInteger(DEBUG_INFO_NONE)];
        edits.insert(place, &New::new(Op::ExtInst, Some(void), Some(none), operands));
        self.nones.push((set, none));
        none
    }
}

/// The words of an entry point without the variables in its interface list that are gone. The word count is not set.
pub fn entry_point(inst: &Instruction, gone: &impl Fn(u32) -> bool) -> Vec<u32> {
    let (start, variables) = interface(inst);
    let mut words = inst.words()[..start].to_vec();
    words.extend(variables.iter().filter(|&&variable| !gone(variable)));
    words
}

/// Sets the word count in the first of the words of an instruction.
pub fn count_words(words: &mut [u32]) {
    words[0] = words[0] & 0xffff | (words.len() as u32) << 16;
}

/// The targets of a decoration group, each of `step` words.
fn group(inst: &Instruction, step: usize, gone: &impl Fn(u32) -> bool, edits: &mut Edits) -> bool {
    let targets = inst.words_from(2);
    let kept: Vec<u32> = targets.chunks(step).filter(|target| !gone(target[0])).flatten().copied().collect();
    let dropped = gone(inst.word(1)) || (kept.is_empty() && !targets.is_empty());
    if dropped {
        edits.drop(inst);
    } else if kept.len() < targets.len() {
        let mut words = [&inst.words()[..2], kept.as_slice()].concat();
        count_words(&mut words);
        edits.replace_words(inst, &words);
    }
    dropped
}
