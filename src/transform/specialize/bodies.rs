//! The functions that change, with their branches and copies decided.

use std::collections::HashSet;

use spirv::Op;

use super::decisions::{Copy, decide_copy};
use super::error::PendingError;
use super::freeze::FrozenState;
use super::known_results::KnownResults;
use super::local_values::LocalValues;
use super::parameters::LostParameters;
use super::{Flags, SpecializeContext};
use crate::analysis::Analyses;
use crate::analysis::conditional::effects::InstructionKind;
use crate::analysis::conditional::preparation::unneeded_without;
use crate::analysis::constants::Constants;
use crate::analysis::flow::{BlockMerge, Blocks, Decision, Running, Solution};
use crate::analysis::requirements::is_of_shaders;
use crate::collections::OrderedMap;
use crate::loader::{Function, Instruction, Module, SetKind, views};
use crate::transform::body::FunctionBody;
use crate::transform::fold::{self, DecidedBranches, FoldedFunction, LeftBlock};
use crate::transform::removal::count_words;

/// The maximum number of times that a function is folded. In real modules, a branch that is decided by variables seldom lets them decide another.
const MAX_ROUNDS: usize = 8;

/// The changes inside of functions.
pub struct Bodies<'a> {
    functions: &'a [Function],
    /// The functions that change and are not removed by conditions, in order.
    pub changed: Vec<ChangedFunction<'a>>,
    /// Debug instructions of other functions that name something which may be removed: function and offset, in order.
    pub debug: Vec<(usize, u32)>,
    /// Errors that count if the function is kept.
    pub problems: Vec<(usize, PendingError)>,
    /// Parameters that nothing uses any more.
    pub parameters: LostParameters,
    /// The values that replace others.
    pub values: LocalValues<'a>,
}

/// A function that changes.
pub struct ChangedFunction<'a> {
    pub body: FunctionBody<'a>,
    /// The outcome of folding, if branches are decided in it.
    pub folding: Option<FoldingOutcome>,
    /// The OpConditionalCopyObjectINTELs, in order: line and outcome.
    pub copies: Vec<(usize, Copy)>,
    /// The lines of debug instructions that name something which may be removed.
    pub debug: Vec<usize>,
}

/// The outcome of folding a function.
pub struct FoldingOutcome {
    /// The blocks that are left, in their order, if it has variables.
    pub left: Vec<LeftBlock>,
    /// The number of decided branches.
    pub branches: usize,
    /// Number of removed blocks.
    pub blocks: usize,
}

impl<'a> ChangedFunction<'a> {
    fn new(body: FunctionBody<'a>, folding: Option<FoldingOutcome>) -> ChangedFunction<'a> {
        ChangedFunction { body, folding, copies: Vec::new(), debug: Vec::new() }
    }
}

impl<'a> Bodies<'a> {
    /// Returns true if a function is not in the result.
    pub fn is_removed(&self, context: &SpecializeContext, function: usize) -> bool {
        context.flags.is_removed(self.functions[function].id)
    }

    /// Returns a function that changes, by its number.
    pub fn changed(&self, function: usize) -> Option<&ChangedFunction<'a>> {
        let at = self.changed.binary_search_by_key(&function, |changed| changed.body.number).ok()?;
        Some(&self.changed[at])
    }
}

/// Finds the changes. Removes the definitions in removed functions.
pub fn change<'a>(
    context: &mut SpecializeContext<'a>,
    analyses: &'a Analyses,
    frozen: &FrozenState,
) -> Bodies<'a> {
    let functions = context.module.functions();
    let mut values = LocalValues::new(context.module, context.scope, analyses.effects());
    let mut folded = fold_branches(context, analyses, frozen, &mut values);
    let mut numbers = decided(context);
    numbers.extend(folded.keys());
    numbers.sort_unstable();
    numbers.dedup();
    let is_as_before = |(at, _): &&(usize, u32)| numbers.binary_search(at).is_err();
    let debug = context.references.debug.iter().filter(is_as_before).copied().collect();
    let parameters = LostParameters::new(context, analyses, &folded.keys().copied().collect::<Vec<usize>>());
    context.has_changed |= !numbers.is_empty();
    let mut bodies =
        Bodies { functions, changed: Vec::new(), debug, problems: Vec::new(), parameters, values };
    for number in numbers {
        if context.flags.has(functions[number].id, Flags::REMOVED) {
            context.flags.remove_results(context.module, &functions[number]);
            continue;
        }
        let mut changed = match folded.remove(&number) {
            Some(FoldedFunction { body, left, branches, blocks, removed }) => {
                removed.into_iter().for_each(|id| context.flags.set(id, Flags::REMOVED));
                ChangedFunction::new(body, Some(FoldingOutcome { left, branches, blocks }))
            }
            None => ChangedFunction::new(FunctionBody::new(context.module, number, analyses.effects()), None),
        };
        context.flags.set(functions[number].id, Flags::CHANGED);
        let loses_lines = decide(context, &mut changed, &mut bodies.problems);
        let has_copies = context.multi_target.with_copies.binary_search(&number).is_ok();
        if let Some(folding) = changed.folding.as_ref().filter(|_| loses_lines && !has_copies) {
            bodies.values.forget(&changed.body);
            bodies.values.find(&changed.body, &folding.left);
        }
        bodies.changed.push(changed);
    }
    bodies
}

/// Returns the functions that are removed or have something that is, and those with copies or references to something removed.
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
    decided.extend(&context.multi_target.with_copies);
    decided.extend((0..functions.len()).filter(|&at| references.function_uses(at).any(is_removed)));
    decided
}

/// Folds branches in the functions that refer to a decided constant, or in which one decides a branch. All others are left alone.
fn fold_branches<'a>(
    context: &mut SpecializeContext<'a>,
    analyses: &'a Analyses,
    frozen: &FrozenState,
    values: &mut LocalValues<'a>,
) -> OrderedMap<usize, FoldedFunction<'a>> {
    let mut folded = OrderedMap::new();
    if !frozen.decides() {
        return folded;
    }
    let (module, flow) = (context.module, analyses.flow());
    let mut solution = Solution::default();
    let solved = match context.solution {
        Some(solution) => flow.outcome(solution),
        None => flow.solve(module, &mut solution, Running::Called, &mut |id| context.constants.value(id)),
    };
    // Kernels are not bound to structured control flow (specification, 2.16.1 "Universal Validation Rules").
    let is_structured = is_of_shaders(module);
    let (memory, known) = (fold::FoldMemory::default(), KnownResults::new(module));
    let mut folder = FunctionFolder { is_structured, memory, known, values };
    for at in flow.functions() {
        let function = &module.functions()[at];
        let is_affected = || context.references.function_uses(at).any(|id| frozen.affects(id));
        let is_removed = context.flags.has(function.id, Flags::REMOVED);
        if is_removed || !(context.folds_all || solved.is_decided_by_constants(module, at) || is_affected()) {
            continue;
        }
        let Some(blocks) = flow.blocks(at) else { continue };
        let mut decided =
            DecidedBranches { taken: solved.decisions(at).collect(), closed: solved.closed(module, at) };
        if decided.taken.is_empty() && decided.closed.is_empty() {
            continue;
        }
        decided.add(single_cases(module, blocks));
        let source = FunctionBody::new(module, at, analyses.effects());
        let has_copies = context.multi_target.with_copies.binary_search(&at).is_ok();
        let folding = match has_copies {
            true => fold::fold(&source, blocks, &decided, is_structured, &mut folder.memory),
            false => folder.fold(&source, blocks, decided, &mut context.constants),
        };
        folded.extend(folding.map(|folding| (at, folding)));
    }
    folded
}

/// Folds functions, and forwards values in them.
struct FunctionFolder<'f, 'a> {
    is_structured: bool,
    memory: fold::FoldMemory,
    known: KnownResults<'a>,
    values: &'f mut LocalValues<'a>,
}

impl<'a> FunctionFolder<'_, 'a> {
    /// Folds a function, and again while forwarded values decide more branches.
    fn fold(
        &mut self,
        source: &FunctionBody<'a>,
        blocks: &Blocks,
        mut decided: DecidedBranches,
        constants: &mut Constants,
    ) -> Option<FoldedFunction<'a>> {
        let mut folded = fold::fold(source, blocks, &decided, self.is_structured, &mut self.memory)?;
        // Those that constants do not decide by themselves do not count.
        let branches = folded.branches;
        for round in 1.. {
            self.values.find(&folded.body, &folded.left);
            let decisions = self.known.decisions(&folded.body, self.values, constants, blocks);
            if round == MAX_ROUNDS || !decided.add(decisions) {
                break;
            }
            self.values.forget(&folded.body);
            folded = fold::fold(source, blocks, &decided, self.is_structured, &mut self.memory)?;
        }
        Some(FoldedFunction { branches, ..folded })
    }
}

/// Returns the switches with a single target. Compilers write them for code that is left early, and they go once nothing leaves it any more.
fn single_cases(module: &Module, blocks: &Blocks) -> Vec<Decision> {
    let single = |(header, _): (usize, BlockMerge)| {
        let terminator = module.instruction(blocks.get(header).terminator);
        let mut targets = blocks.successors(header).filter(|_| terminator.is(Op::Switch));
        let target = targets.next()?;
        targets.next().is_none().then_some((header as u32, target as u32))
    };
    blocks.merges().filter_map(single).collect()
}

/// Decides the copies of a function, and removes the instructions that false conditions remove. Returns true if any
/// were removed.
fn decide(
    context: &mut SpecializeContext,
    changed: &mut ChangedFunction,
    problems: &mut Vec<(usize, PendingError)>,
) -> bool {
    let module = context.module;
    if context.multi_target.is_empty() && !module.has_sets_of(SetKind::NonSemantic) {
        return false;
    }
    let body = &mut changed.body;
    let mut dropped = HashSet::new();
    for line in 0..body.all_lines().len() {
        let inst = body.instruction(line);
        if is_dropped(context, &inst) {
            dropped.insert(inst.offset());
            body.remove(line);
        } else if let Some(copy) = views::ConditionalCopyObjectINTEL::new(inst) {
            match decided_copy(context, copy) {
                Ok((outcome, words)) => {
                    match outcome {
                        Copy::Decided(_) => body.become_kind(line, InstructionKind::Computes, &words),
                        Copy::Undecided(_) => body.replace(line, &words),
                    }
                    changed.copies.push((line, outcome));
                }
                Err(problem) => problems.push((body.number, problem)),
            }
        }
    }
    if changed.folding.is_none() && !dropped.is_empty() {
        let prepares = unneeded_without(module, body.function(), &dropped);
        for line in 0..body.all_lines().len() {
            let inst = body.instruction(line);
            if prepares.binary_search(&inst.offset()).is_ok() {
                inst.result_id().into_iter().for_each(|id| context.flags.set(id, Flags::REMOVED));
                body.remove(line);
            }
        }
    }
    !dropped.is_empty()
}

/// Returns true for a call that a false condition removes, and for a non-semantic instruction with a removed operand. The latter is removed, too.
fn is_dropped(context: &mut SpecializeContext, inst: &Instruction) -> bool {
    let (module, flags) = (context.module, &mut context.flags);
    if !inst.is_call() && !inst.is_extended() {
        return false;
    }
    let id = inst.word(2);
    if module.set_kind(inst) == Some(SetKind::NonSemantic) {
        let mut names_removed = false;
        module.walk(inst, &mut |_: usize, id: u32| names_removed |= flags.has(id, Flags::REMOVED));
        if names_removed {
            flags.set(id, Flags::REMOVED);
        }
    }
    flags.has(id, Flags::REMOVED)
}

/// Decides an OpConditionalCopyObjectINTEL, and returns the words of the instruction that it becomes.
///
/// # Errors
/// See [`decide_copy`].
fn decided_copy(
    context: &mut SpecializeContext,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<(Copy, Vec<u32>), PendingError> {
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
    Ok((outcome, words))
}
