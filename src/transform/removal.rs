//! What removing an id takes with it: names, decorations, execution modes, places in interface lists, and what debug
//! information says of it.

use rspirv::dr::{Instruction as New, Operand};
use spirv::Op;

use super::Edits;
use crate::analysis::interface_list;
use crate::loader::{Instruction, Module, SetKind};

/// The number of DebugInfoNone, in every set of debug information that there is.
const DEBUG_INFO_NONE: u32 = 0;

/// Removes what speaks of ids that are gone.
pub struct Removal<'g> {
    gone: &'g dyn Fn(u32) -> bool,
    /// The DebugInfoNone instructions that stand before the place that is looked at: set and result id.
    nones: Vec<(u32, u32)>,
}

impl<'g> Removal<'g> {
    /// `gone` tells whether an id is not in the result.
    pub fn new(gone: &'g dyn Fn(u32) -> bool) -> Removal<'g> {
        Removal { gone, nones: Vec::new() }
    }

    /// Edits an instruction that stands outside of functions, if something that it speaks of is gone. Instructions must come
    /// in order. Returns whether it was dropped.
    pub fn global(&mut self, module: &Module, inst: &Instruction, edits: &mut Edits) -> bool {
        let gone = self.gone;
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
            Some(Op::GroupDecorate) => return self.group(inst, 1, edits),
            Some(Op::GroupMemberDecorate) => return self.group(inst, 2, edits),
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                if let Some(words) = self.entry_point(module, inst) {
                    edits.replace_words(inst, &words);
                }
                false
            }
            _ => inst.result_id().is_some_and(gone),
        };
        if dropped {
            edits.drop(inst);
        } else if module.set_kind(inst) == Some(SetKind::Debug) {
            self.debug(module, inst, inst.offset(), edits);
            if inst.word(4) == DEBUG_INFO_NONE {
                self.nones.push((inst.word(3), inst.word(2)));
            }
        }
        dropped
    }

    /// An entry point without the variables in its interface that are gone; `None` if there are none.
    pub fn entry_point(&self, module: &Module, inst: &Instruction) -> Option<Vec<u32>> {
        let list = interface_list(module, inst);
        if !list.iter().any(|&id| (self.gone)(id)) {
            return None;
        }
        let mut words = inst.words()[..inst.words().len() - list.len()].to_vec();
        words.extend(list.iter().filter(|&&id| !(self.gone)(id)));
        words[0] = words[0] & 0xffff | (words.len() as u32) << 16;
        Some(words)
    }

    /// The targets of a decoration group, each of `step` words.
    fn group(&self, inst: &Instruction, step: usize, edits: &mut Edits) -> bool {
        let targets = inst.words_from(2);
        let kept: Vec<u32> =
            targets.chunks(step).filter(|target| !(self.gone)(target[0])).flatten().copied().collect();
        let dropped = (self.gone)(inst.word(1)) || (kept.is_empty() && !targets.is_empty());
        if dropped {
            edits.drop(inst);
        } else if kept.len() < targets.len() {
            let first = (kept.len() as u32 + 2) << 16 | u32::from(inst.opcode());
            edits.replace_words(inst, &[&[first, inst.word(1)], kept.as_slice()].concat());
        }
        dropped
    }

    /// Debug information names DebugInfoNone where it named something that is gone. A new DebugInfoNone is put at the offset
    /// `place`, which must be outside of functions.
    pub fn debug(&mut self, module: &Module, inst: &Instruction, place: u32, edits: &mut Edits) {
        let mut words: Option<Vec<u32>> = None;
        module.walk(inst, &mut |at, id: u32| {
            if at > 4 && (self.gone)(id) {
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
