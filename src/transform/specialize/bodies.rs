//! The changes inside of functions in which something is decided.

use std::collections::BTreeMap;

use spirv::Op;

use super::body;
use super::decisions::{Copy, copy};
use super::error::PendingError;
use super::freeze::Frozen;
use super::local_values::LocalValues;
use super::parameters::{LostParameters, callees_first};
use super::{Flags, Work};
use crate::analysis::flow::{Running, Solution};
use crate::analysis::requirements::is_of_shaders;
use crate::analysis::{Analyses, DefinitionUses};
use crate::loader::{Function, views};
use crate::transform::Edits;
use crate::transform::fold::{self, FoldRules, Folding};
use crate::transform::removal::count_words;

/// The changes inside of functions, and what functions refer to outside of themselves.
pub struct Bodies<'a> {
    functions: &'a [Function],
    /// What the functions refer to that do not change.
    uses: &'a DefinitionUses,
    /// What the others refer to, by function.
    pub references: BTreeMap<usize, Vec<u32>>,
    /// The OpConditionalCopyObjectINTELs that stay in some form, in order.
    pub copies: Vec<ChangedCopy>,
    /// The removed instructions in functions that stay, without those of removed blocks. As offsets, in order.
    pub dropped: Vec<u32>,
    /// Debug instructions that name something which may be removed: function and offset, in order.
    pub debug: Vec<(usize, u32)>,
    /// Errors that count if the function is kept.
    pub problems: Vec<(usize, PendingError)>,
    /// By function in which branches are decided.
    pub folded: BTreeMap<usize, Folding>,
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
    /// Returns the ids that a function refers to outside of itself.
    pub fn references(&self, function: usize) -> &[u32] {
        match self.references.get(&function) {
            Some(references) => references,
            None => self.uses.of(self.functions[function].id),
        }
    }

    /// True if a function is not in the result.
    pub fn is_removed(&self, work: &Work, function: usize) -> bool {
        work.flags.is_removed(self.functions[function].id)
    }
}

/// Finds the changes. Removes what functions define that are removed themselves.
pub fn change<'a>(work: &mut Work<'a>, analyses: &'a Analyses, frozen: &Frozen) -> Bodies<'a> {
    let (functions, uses) = (work.module.functions(), work.uses);
    let folded = fold_branches(work, analyses, frozen);
    let mut changed = decided(work);
    changed.extend(folded.keys());
    changed.sort_unstable();
    changed.dedup();
    let is_as_before = |(at, _): &&(usize, u32)| changed.binary_search(at).is_err();
    let mut bodies = Bodies {
        functions,
        uses,
        references: BTreeMap::new(),
        copies: Vec::new(),
        dropped: Vec::new(),
        debug: uses.debug.iter().filter(is_as_before).copied().collect(),
        problems: Vec::new(),
        parameters: LostParameters::new(work, analyses, &folded.keys().copied().collect::<Vec<usize>>()),
        folded,
        replaced: Edits::new(work.module),
    };
    if changed.is_empty() {
        return bodies;
    }
    work.has_changed = true;
    let mut lines_by_id = work.module.table_by_id();
    let mut values = LocalValues::new(work.module);
    let [ordered, in_circles] = callees_first(work, &changed);
    bodies.parameters.keep(&in_circles);
    for at in ordered.into_iter().chain(in_circles) {
        match work.flags.has(functions[at].id, Flags::REMOVED) {
            true => work.flags.remove_results(work.module, &functions[at]),
            false => body::change(work, analyses, at, (&mut lines_by_id, &mut values), &mut bodies),
        }
    }
    bodies.debug.sort_unstable();
    bodies.dropped.sort_unstable();
    bodies.copies.sort_by_key(|copy| copy.offset);
    bodies.problems.sort_by_key(|&(at, _)| at);
    bodies
}

/// The functions that are removed or have something that is, and those with copies or references to something removed.
fn decided(work: &Work) -> Vec<usize> {
    let (module, uses) = (work.module, work.uses);
    if work.multi_target.is_empty() {
        return Vec::new();
    }
    let is_removed = |id: u32| work.flags.has(id, Flags::REMOVED);
    let functions = module.functions();
    let holder = |offset: &u32| functions.partition_point(|function| function.start <= *offset) - 1;
    let mut decided: Vec<usize> = work.dropped.iter().map(holder).collect();
    decided.extend(work.report.removed_functions.iter().filter_map(|&id| module.function_index(id)));
    decided.extend(&uses.with_copies);
    let refers = |function: &Function| uses.of(function.id).iter().any(|&id| is_removed(id));
    decided.extend((0..).zip(functions).filter(|(_, function)| refers(function)).map(|(at, _)| at));
    decided
}

/// Folds branches in the functions that refer to a decided constant, or in which one decides a branch. All others are left alone.
fn fold_branches(work: &mut Work, analyses: &Analyses, frozen: &Frozen) -> BTreeMap<usize, Folding> {
    let mut folded = BTreeMap::new();
    if !frozen.decides() {
        return folded;
    }
    let (module, flow) = (work.module, analyses.flow());
    let mut solution = Solution::default();
    let solved = flow.solve(module, &mut solution, Running::Called, &mut |id| work.constants.value(id));
    // Kernels are not bound to structured control flow (specification, 2.16.1 "Universal Validation Rules").
    let is_structured = is_of_shaders(module);
    // Positions in the source hold until the end of a block.
    let rules = FoldRules { is_structured, joins: !work.scope.has_strings };
    let mut tables = fold::Tables::default();
    for at in flow.functions() {
        let function = &module.functions()[at];
        let is_affected = || work.uses.of(function.id).iter().any(|&id| frozen.affects(id));
        let is_removed = work.flags.has(function.id, Flags::REMOVED);
        if is_removed || !(work.folds_all || solved.is_decided_by_constants(at) || is_affected()) {
            continue;
        }
        let Some(blocks) = flow.blocks(at) else { continue };
        let folding = Folding::of(module, blocks, solved.decisions(at), rules, &mut tables);
        folded.extend(folding.map(|folding| (at, folding)));
    }
    folded
}

/// Decides an OpConditionalCopyObjectINTEL.
///
/// # Errors
/// See [`copy`].
pub fn changed_copy(
    work: &mut Work,
    function: usize,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<ChangedCopy, PendingError> {
    let outcome = copy(work.module, &mut work.constants, inst)?;
    let mut words = inst.words()[..3].to_vec();
    match outcome {
        Copy::Decided(operand) => {
            words[0] = Op::CopyObject as u32;
            words.push(operand);
        }
        Copy::Undecided(_) => {
            for choice @ &[condition, _] in inst.choices() {
                if work.constants.condition(condition) != Some(false) {
                    words.extend_from_slice(choice);
                }
            }
        }
    }
    count_words(&mut words);
    Ok(ChangedCopy { function, offset: inst.offset(), outcome, words })
}
