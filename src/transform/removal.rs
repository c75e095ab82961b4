//! Removal of the mentions of removed ids: names, decorations, execution modes, places in interface lists, and debug information.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use super::{Edits, NewInstruction};
use crate::analysis::{described_id, described_value, fast_math_type, is_debug, is_debug_operand};
use crate::collections::IdMap;
use crate::loader::{Instruction, LogicalPlace, Module, Section, grammar, views};

/// The number of DebugInfoNone in every set of debug information.
const DEBUG_INFO_NONE: u32 = 0;

/// Removes the mentions of removed ids. In all calls, `removed` is true of an id that is not in the result.
#[derive(Default)]
pub struct Removal {
    /// The DebugInfoNone instructions before the current instruction: set and result id, one for each set.
    nones: Vec<(u32, u32)>,
}

impl Removal {
    /// Drops an instruction outside of functions if it defines or only describes removed ids. Otherwise removes these ids from a list or from debug
    /// information. Entry points are left alone: see [`entry_point`]. Instructions must come in order. Returns true if it was dropped.
    pub fn outside(
        &mut self,
        module: &Module,
        inst: &Instruction,
        removed: &impl Fn(u32) -> bool,
        edits: &mut Edits,
    ) -> bool {
        match inst.op() {
            Some(Op::GroupDecorate) => {
                return remove_from_group(views::GroupDecorate(*inst), 1, removed, edits);
            }
            Some(Op::GroupMemberDecorate) => {
                return remove_from_group(views::GroupDecorate(*inst), 2, removed, edits);
            }
            _ => {}
        }
        let dropped = inst.result_id().or_else(|| described_id(inst)).is_some_and(removed)
            || fast_math_type(inst).is_some_and(removed);
        if dropped {
            edits.drop_range(inst.offset(), module.end_with_continuations(inst));
        } else if is_debug(module, inst) {
            self.debug(module, inst, inst.offset(), removed, edits);
            let inst = views::ExtInst(*inst);
            let known = self.nones.iter().any(|(set, _)| *set == inst.set());
            if inst.instruction() == DEBUG_INFO_NONE && inst.offset() < module.globals_end() && !known {
                self.nones.push((inst.set(), inst.id()));
            }
        }
        dropped
    }

    /// Removes debug information that describes a removed variable, and replaces other removed ids in it by DebugInfoNone. A new DebugInfoNone is
    /// inserted at the offset `place`, which must be outside of functions.
    pub fn debug(
        &mut self,
        module: &Module,
        inst: &Instruction,
        place: u32,
        removed: &impl Fn(u32) -> bool,
        edits: &mut Edits,
    ) {
        match self.debug_change(module, inst, place, removed, edits) {
            DebugChange::Kept => {}
            DebugChange::Dropped => edits.drop(inst),
            DebugChange::Replaced(words) => edits.replace_words(inst, &words),
        }
    }

    /// Like [`debug`](Self::debug), but returns the change to the instruction.
    pub fn debug_change(
        &mut self,
        module: &Module,
        inst: &Instruction,
        place: u32,
        removed: &impl Fn(u32) -> bool,
        edits: &mut Edits,
    ) -> DebugChange {
        if described_value(module, inst).is_some_and(removed) {
            return DebugChange::Dropped;
        }
        let mut words: Option<Vec<u32>> = None;
        module.walk(inst, &mut |at, id: u32| {
            if is_debug_operand(at) && removed(id) {
                let none = self.none(views::ExtInst(*inst), place, edits);
                words.get_or_insert_with(|| inst.words().to_vec())[at] = none;
            }
        });
        words.map_or(DebugChange::Kept, DebugChange::Replaced)
    }

    fn none(&mut self, inst: views::ExtInst, place: u32, edits: &mut Edits) -> u32 {
        let (void, set) = (inst.type_id(), inst.set());
        if let Some(&(_, none)) = self.nones.iter().find(|(known, _)| *known == set) {
            return none;
        }
        let none = edits.fresh_id();
        let operands = vec![set, DEBUG_INFO_NONE];
        edits.insert(place, &NewInstruction::new(Op::ExtInst, Some(void), Some(none), operands));
        self.nones.push((set, none));
        none
    }
}

/// The change to an instruction of debug information.
pub enum DebugChange {
    Kept,
    Dropped,
    /// Replaced by these words.
    Replaced(Vec<u32>),
}

/// Returns the words of an entry point without the removed variables of its interface list. The word count is not set.
pub fn entry_point(inst: views::EntryPoint, removed: &impl Fn(u32) -> bool) -> Vec<u32> {
    let (head, variables) = inst.words().split_at(inst.interface_start());
    let mut words = head.to_vec();
    words.extend(variables.iter().filter(|&&variable| !removed(variable)));
    words
}

/// Sets the word count in the first of the words of an instruction.
pub fn count_words(words: &mut [u32]) {
    words[0] = words[0] & 0xffff | (words.len() as u32) << 16;
}

/// Takes removed ids out of the targets of a decoration group, each of `step` words. Returns true if none is left.
pub fn remove_from_group(
    inst: views::GroupDecorate,
    step: usize,
    removed: &impl Fn(u32) -> bool,
    edits: &mut Edits,
) -> bool {
    let (head, targets) = inst.words().split_at(2.min(inst.words().len()));
    let kept: Vec<u32> =
        targets.chunks(step).filter(|target| !removed(target[0])).flatten().copied().collect();
    let dropped = removed(inst.group()) || (kept.is_empty() && !targets.is_empty());
    if dropped {
        edits.drop(&inst);
    } else if kept.len() < targets.len() {
        let mut words = [head, kept.as_slice()].concat();
        count_words(&mut words);
        edits.replace_words(&inst, &words);
    }
    dropped
}

/// Returns true if an id is a string, or a type or constant.
pub fn is_description(module: &Module, id: u32) -> bool {
    let Some(inst) = module.definition(id) else { return false };
    inst.is(Op::String) || grammar::place(inst.opcode()) == LogicalPlace::Section(Section::Types)
}

/// Removes these strings, types and constants, and their operands, if only removed instructions refer to them. `kept` are the operands of new
/// instructions.
pub fn remove_unused(
    module: &Module,
    described: BTreeSet<u32>,
    is_removed: &dyn Fn(&Instruction) -> bool,
    kept: &BTreeSet<u32>,
    edits: &mut Edits,
) {
    if described.is_empty() {
        return;
    }
    let mut users: IdMap<usize> = IdMap::new();
    let mut stack: Vec<u32> = described.iter().copied().collect();
    while let Some(id) = stack.pop() {
        if users.insert(id, usize::from(kept.contains(&id))).is_none() {
            stack.extend(operands(module, id));
        }
    }
    for inst in module.instructions().filter(|inst| !is_removed(inst)) {
        let result = inst.result_id();
        module.walk(&inst, &mut |_: usize, id: u32| {
            if let Some(count) = users.get_mut(&id).filter(|_| result != Some(id)) {
                *count += 1;
            }
        });
    }
    let mut stack: Vec<u32> = described.into_iter().filter(|id| users[id] == 0).collect();
    while let Some(id) = stack.pop() {
        if let Some(inst) = module.definition(id) {
            edits.drop_range(inst.offset(), module.end_with_continuations(&inst));
        }
        for operand in operands(module, id) {
            let Some(count) = users.get_mut(&operand) else { continue };
            *count -= 1;
            if *count == 0 {
                stack.push(operand);
            }
        }
    }
}

/// Removes unused types and constants for which `may_remove` is true.
pub fn without_unused_definitions(module: &Module, may_remove: &dyn Fn(u32) -> bool) -> Edits {
    let mut edits = Edits::new(module);
    let mut used: Vec<bool> = module.table_by_id();
    let note_uses = |inst: &Instruction, used: &mut [bool]| {
        let (result, described) = (inst.result_id(), described_id(inst));
        module.walk(inst, &mut |_: usize, id: u32| {
            if Some(id) != result && Some(id) != described {
                used[id as usize] = true;
            }
        });
    };
    for function in module.functions() {
        module.range(function.lines, function.end).for_each(|inst| note_uses(&inst, &mut used));
    }
    let mut dropped = HashSet::new();
    let globals: Vec<Instruction> = module.globals().collect();
    // Uses come after definitions, except in declarations, names and decorations, and where a pointer is declared before its definition.
    let is_before = |inst: &&Instruction| inst.result_id().is_none();
    globals.iter().filter(is_before).for_each(|inst| note_uses(inst, &mut used));
    for inst in globals.iter().rev() {
        let Some(id) = inst.result_id() else { continue };
        let is_value =
            !matches!(inst.op(), Some(Op::Variable | Op::ExtInst | Op::ExtInstImport | Op::String));
        if is_value && !used[id as usize] && may_remove(id) {
            dropped.insert(id);
            edits.drop(inst);
        } else {
            note_uses(inst, &mut used);
        }
    }
    let describes = |inst: &&Instruction| described_id(inst).is_some_and(|id| dropped.contains(&id));
    globals.iter().filter(describes).for_each(|inst| edits.drop(inst));
    edits
}

/// Returns the types and constants that the definition of an id refers to, each as often as it does.
fn operands(module: &Module, id: u32) -> Vec<u32> {
    let mut operands = Vec::new();
    if let Some(definition) = module.definition(id) {
        for inst in module.with_continuations(&definition) {
            module.walk(&inst, &mut |_: usize, operand: u32| {
                if operand != id && is_description(module, operand) {
                    operands.push(operand);
                }
            });
        }
    }
    operands
}
