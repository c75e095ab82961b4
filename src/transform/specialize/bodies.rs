//! The changes inside of functions in which something is decided.

use std::collections::{BTreeMap, HashSet};

use spirv::Op;

use super::decisions::{Copy, decide_copy};
use super::error::PendingError;
use super::freeze::FrozenState;
use super::mark::IdleSelection;
use super::parameters::LostParameters;
use super::{Flags, SpecializeContext};
use crate::analysis::Analyses;
use crate::analysis::conditional::effects::{Effects, InstructionKind};
use crate::analysis::conditional::preparation::unneeded_without;
use crate::analysis::flow::{Running, Solution};
use crate::analysis::requirements::is_of_shaders;
use crate::loader::{Function, Instruction, Instructions, Module, SetKind, views};
use crate::transform::Edits;
use crate::transform::fold::{self, DecidedBranches, FoldRules, Folding, InstructionAction};
use crate::transform::removal::count_words;

/// The changes inside of functions.
pub struct Bodies<'a> {
    functions: &'a [Function],
    /// The functions that change and are not removed by conditions, in order.
    pub changed: Vec<usize>,
    /// The OpConditionalCopyObjectINTELs that stay in some form, in order.
    pub copies: Vec<ChangedCopy>,
    /// The removed instructions in functions that stay, without those of removed blocks. As offsets, in order.
    pub dropped: Vec<u32>,
    /// The selections that do nothing, in functions that stay. In order.
    pub idle: Vec<IdleSelection>,
    /// Debug instructions that name something which may be removed: function and offset, in order.
    pub debug: Vec<(usize, u32)>,
    /// Errors that count if the function is kept.
    pub problems: Vec<(usize, PendingError)>,
    /// Folding of each function in which branches are decided.
    pub folded: BTreeMap<usize, Folding>,
    /// Folding of the other functions.
    unfolded: Folding,
    /// Parameters that nothing uses any more.
    pub parameters: LostParameters,
    /// The instructions that use other values.
    pub replaced: Edits,
}

/// An OpConditionalCopyObjectINTEL that stays in some form.
pub struct ChangedCopy {
    pub function: usize,
    pub offset: u32,
    pub outcome: Copy,
    /// The words of the instruction that it becomes.
    pub words: Vec<u32>,
}

impl Bodies<'_> {
    /// True if a function is not in the result.
    pub fn is_removed(&self, context: &SpecializeContext, function: usize) -> bool {
        context.flags.is_removed(self.functions[function].id)
    }

    /// True if the instruction at an offset is removed from a function that stays.
    pub fn drops(&self, offset: u32) -> bool {
        let idle = self.idle.partition_point(|idle| idle.words.end <= offset);
        self.dropped.binary_search(&offset).is_ok()
            || self.idle.get(idle).is_some_and(|idle| idle.words.contains(&offset))
    }

    /// Returns the instructions that a function has after its branches and copies are decided, with their kinds.
    pub fn instructions<'b, 'm: 'b>(
        &'b self,
        module: &'m Module,
        at: usize,
        effects: &'b Effects,
    ) -> impl Iterator<Item = (Instruction<'b>, InstructionKind)> {
        let replaced = move |inst: Instruction, words: &'b [u32]| {
            let inst = Instructions::new(words, inst.offset()).next()?;
            Some((inst, effects.kind(module, &inst)))
        };
        let actions = self.actions(module, at).zip(effects.kinds(at));
        actions.filter_map(move |((inst, action), &kind)| match action {
            InstructionAction::Dropped => None,
            InstructionAction::Kept if self.dropped.binary_search(&inst.offset()).is_ok() => None,
            InstructionAction::Kept => {
                match self.copies.binary_search_by_key(&inst.offset(), |copy| copy.offset) {
                    Ok(copy) => replaced(inst, &self.copies[copy].words),
                    Err(_) => Some((inst, kind)),
                }
            }
            InstructionAction::Replaced(words) => replaced(inst, words),
        })
    }

    /// Returns the instructions that a function has, and what branches make of each.
    fn actions<'b, 'm: 'b>(
        &'b self,
        module: &'m Module,
        at: usize,
    ) -> impl Iterator<Item = (Instruction<'m>, InstructionAction<'b>)> {
        let Function { lines, end, .. } = self.functions[at];
        self.folded.get(&at).unwrap_or(&self.unfolded).actions(module.range(lines, end))
    }

    /// Decides the copies of a function, and finds the instructions that false conditions remove.
    fn decide(&mut self, context: &mut SpecializeContext, at: usize) {
        let (module, function) = (context.module, &self.functions[at]);
        let folding = self.folded.get(&at);
        let removed = folding.into_iter().flat_map(|folding| folding.removed(module));
        removed.filter_map(|inst| inst.result_id()).for_each(|id| context.flags.set(id, Flags::REMOVED));
        if context.multi_target.is_empty() && !module.has_sets_of(SetKind::NonSemantic) {
            return;
        }
        let (mut copies, mut problems, mut dropped) = (Vec::new(), Vec::new(), Vec::new());
        for (inst, _) in
            self.actions(module, at).filter(|(_, action)| matches!(action, InstructionAction::Kept))
        {
            if is_dropped(context, &inst) {
                dropped.push(inst.offset());
            } else if let Some(copy) = views::ConditionalCopyObjectINTEL::new(inst) {
                match changed_copy(context, at, copy) {
                    Ok(copy) => copies.push(copy),
                    Err(problem) => problems.push((at, problem)),
                }
            }
        }
        if folding.is_none() && !dropped.is_empty() {
            let prepares =
                unneeded_without(module, function, &dropped.iter().copied().collect::<HashSet<u32>>());
            let removed = prepares.iter().filter_map(|&offset| module.instruction(offset).result_id());
            removed.for_each(|id| context.flags.set(id, Flags::REMOVED));
            dropped.extend(prepares);
            dropped.sort_unstable();
        }
        self.copies.append(&mut copies);
        self.problems.append(&mut problems);
        self.dropped.append(&mut dropped);
    }
}

/// Returns true for a call that a false condition removes, and for a non-semantic instruction with a removed operand. The latter is removed, too.
fn is_dropped(context: &mut SpecializeContext, inst: &Instruction) -> bool {
    let (module, flags) = (context.module, &mut context.flags);
    match inst.op() {
        Some(Op::FunctionCall | Op::FunctionPointerCallINTEL) => flags.has(inst.word(2), Flags::REMOVED),
        Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => {
            let id = views::ExtInst(*inst).id();
            if module.set_kind(inst) == Some(SetKind::NonSemantic) {
                let mut names_removed = false;
                module.walk(inst, &mut |_: usize, id: u32| names_removed |= flags.has(id, Flags::REMOVED));
                if names_removed {
                    flags.set(id, Flags::REMOVED);
                }
            }
            flags.has(id, Flags::REMOVED)
        }
        _ => false,
    }
}

/// Finds the changes. Removes what functions define that are removed themselves.
pub fn change<'a>(
    context: &mut SpecializeContext<'a>,
    analyses: &'a Analyses,
    frozen: &FrozenState,
) -> Bodies<'a> {
    let functions = context.module.functions();
    let folded = fold_branches(context, analyses, frozen);
    let mut changed = decided(context);
    changed.extend(folded.keys());
    changed.sort_unstable();
    changed.dedup();
    let is_as_before = |(at, _): &&(usize, u32)| changed.binary_search(at).is_err();
    let mut bodies = Bodies {
        functions,
        copies: Vec::new(),
        dropped: Vec::new(),
        idle: Vec::new(),
        debug: context.references.debug.iter().filter(is_as_before).copied().collect(),
        problems: Vec::new(),
        parameters: LostParameters::new(context, analyses, &folded.keys().copied().collect::<Vec<usize>>()),
        folded,
        unfolded: Folding::default(),
        replaced: Edits::new(context.module),
        changed,
    };
    context.has_changed |= !bodies.changed.is_empty();
    bodies.changed.retain(|&at| {
        let is_removed = context.flags.has(functions[at].id, Flags::REMOVED);
        if is_removed {
            context.flags.remove_results(context.module, &functions[at]);
        }
        !is_removed
    });
    for at in bodies.changed.clone() {
        bodies.decide(context, at);
    }
    bodies
}

/// The functions that are removed or have something that is, and those with copies or references to something removed.
fn decided(context: &SpecializeContext) -> Vec<usize> {
    let (module, references) = (context.module, context.references);
    if context.multi_target.is_empty() {
        return Vec::new();
    }
    let is_removed = |id: u32| context.flags.has(id, Flags::REMOVED);
    let functions = module.functions();
    let holder = |offset: &u32| functions.partition_point(|function| function.start <= *offset) - 1;
    let mut decided: Vec<usize> = context.dropped.iter().map(holder).collect();
    decided.extend(context.report.removed_functions.iter().filter_map(|&id| module.function_index(id)));
    decided.extend(&context.roots.with_copies);
    let refers = |function: &Function| references.uses(function.id).any(is_removed);
    decided.extend((0..).zip(functions).filter(|(_, function)| refers(function)).map(|(at, _)| at));
    decided
}

/// Folds branches in the functions that refer to a decided constant, or in which one decides a branch. All others are left alone.
fn fold_branches(
    context: &mut SpecializeContext,
    analyses: &Analyses,
    frozen: &FrozenState,
) -> BTreeMap<usize, Folding> {
    let mut folded = BTreeMap::new();
    if !frozen.decides() {
        return folded;
    }
    let (module, flow) = (context.module, analyses.flow());
    let mut solution = Solution::default();
    let solved = flow.solve(module, &mut solution, Running::Called, &mut |id| context.constants.value(id));
    // Kernels are not bound to structured control flow (specification, 2.16.1 "Universal Validation Rules").
    let is_structured = is_of_shaders(module);
    // Positions in the source hold until the end of a block.
    let rules = FoldRules { is_structured, joins: !context.scope.has_strings };
    let mut tables = fold::FoldMemory::default();
    for at in flow.functions() {
        let function = &module.functions()[at];
        let is_affected = || context.references.uses(function.id).any(|id| frozen.affects(id));
        let is_removed = context.flags.has(function.id, Flags::REMOVED);
        if is_removed || !(context.folds_all || solved.is_decided_by_constants(module, at) || is_affected()) {
            continue;
        }
        let Some(blocks) = flow.blocks(at) else { continue };
        let decided = DecidedBranches { taken: &mut solved.decisions(at), closed: solved.closed(module, at) };
        let folding = Folding::new(module, blocks, decided, rules, &mut tables);
        folded.extend(folding.map(|folding| (at, folding)));
    }
    folded
}

/// Decides an OpConditionalCopyObjectINTEL.
///
/// # Errors
/// See [`decide_copy`].
pub fn changed_copy(
    context: &mut SpecializeContext,
    function: usize,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<ChangedCopy, PendingError> {
    let outcome = decide_copy(context.module, &mut context.constants, inst)?;
    let mut words = inst.words()[..3].to_vec();
    match outcome {
        Copy::Decided(operand) => {
            words[0] = Op::CopyObject as u32;
            words.push(operand);
        }
        Copy::Undecided(_) => {
            for choice @ &[condition, _] in inst.choices() {
                if context.constants.condition(condition) != Some(false) {
                    words.extend_from_slice(choice);
                }
            }
        }
    }
    count_words(&mut words);
    Ok(ChangedCopy { function, offset: inst.offset(), outcome, words })
}
