//! Trials of specialization constants' values: each is set, to find the parts of the module that it removes.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::constants::{BranchIndex, Dependents};
use super::context::{InspectContext, capability_name};
use super::model::DeclarationName;
use spirv_if::engine::analysis::constants::Nothing;
use spirv_if::engine::collections::sort_by_key;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::transform::specialize::{self, SpecializeOptions};
use spirv_if::engine::transform::trap::TakenBranch;
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;

/// Limit on the words of modules and functions that are read to try the values of all constants of a module.
const MAX_WORDS: usize = 1 << 26;

/// Sets the values of constants, one constant at a time, within a limit on the work.
pub(super) struct Trials<'s, 'm, 'w> {
    context: &'s InspectContext<'m, 'w>,
    /// The number of words that may still be read.
    left: usize,
}

/// Effects of a constant's values if no other constant is set.
#[derive(Default)]
pub(super) struct TrialResult {
    /// The branches that any of the values decides.
    pub branches: BTreeSet<BranchIndex>,
    /// Effect of each value. Of values that decide the same branches alike, only the first is included.
    pub outcomes: Vec<TrialEffect>,
}

/// The parts of a module that a value removes.
pub(super) struct TrialEffect {
    pub value: u64,
    /// The number of removed blocks in functions that remain.
    pub blocks: usize,
    pub functions: usize,
    /// The capabilities that are no longer required.
    pub capabilities: Vec<DeclarationName>,
}

impl TrialEffect {
    pub fn removes(&self) -> bool {
        self.blocks > 0 || self.functions > 0 || !self.capabilities.is_empty()
    }
}

impl<'s, 'm, 'w> Trials<'s, 'm, 'w> {
    pub fn new(context: &'s InspectContext<'m, 'w>) -> Self {
        Trials { context, left: MAX_WORDS }
    }

    /// Tries the values of the constants with a SpecId that decide different branches, or `undecided` if none decides any. With `each`, values that
    /// decide the same branches are reported too, the highest first. Returns `None` if the limit on the work is reached.
    pub fn try_values(
        &mut self,
        spec_id: u32,
        dependents: &Dependents,
        undecided: &[u64],
        each: bool,
    ) -> Option<TrialResult> {
        let InspectContext { analyses, traps, .. } = self.context;
        let of_constant = traps.values_of(analyses, spec_id)?;
        let mut values: Vec<(u64, &[TakenBranch])> =
            of_constant.iter().map(|(value, decided)| (*value, &**decided)).collect();
        if values.is_empty() {
            values = undecided.iter().map(|&value| (value, &[][..])).collect();
        } else if each {
            sort_by_key(&mut values, |&(value, _)| Reverse(value));
        }
        let mut tried = TrialResult::default();
        let mut groups: Vec<&[TakenBranch]> = Vec::new();
        let is_multi_target = !self.context.multi_target.is_empty();
        for (value, decided) in values {
            let decides = !decided.is_empty();
            tried.branches.extend(decided.iter().map(|&(function, (block, _))| (function, block as usize)));
            let is_known = groups.contains(&decided);
            if is_known && !each && !is_multi_target {
                continue;
            }
            if !is_known {
                groups.push(decided);
            }
            tried.outcomes.extend(match decides || dependents.frees || is_multi_target {
                true => {
                    self.spend(self.context.module.words().len())?;
                    self.outcome(&[(spec_id, value)])
                }
                false => Some(TrialEffect { value, blocks: 0, functions: 0, capabilities: Vec::new() }),
            });
        }
        Some(tried)
    }

    fn spend(&mut self, words: usize) -> Option<()> {
        self.left = self.left.checked_sub(words)?;
        Some(())
    }

    /// Returns the capabilities that are no longer required with values of several constants; `None` if they cannot be set, or the limit on the work
    /// is reached.
    pub fn capabilities_without(&mut self, set: &[(u32, u64)]) -> Option<Vec<DeclarationName>> {
        self.spend(self.context.module.words().len())?;
        Some(self.outcome(set)?.capabilities)
    }

    /// Returns the effect of values of different constants, the first of which it names; `None` if they cannot be set.
    fn outcome(&self, set: &[(u32, u64)]) -> Option<TrialEffect> {
        let InspectContext { analyses, module, unneeded, .. } = self.context;
        let value = set.first()?.1;
        let specialized =
            specialize::specialize(analyses, &Nothing, set, SpecializeOptions::default()).ok()?;
        let result = Module::from_words(apply(module, &specialized.edits).ok()?).ok()?;
        let trimmed = trim(&result).capabilities;
        let required: BTreeSet<u32> = result
            .capabilities()
            .map(views::Capability::capability)
            .filter(|number| !trimmed.contains(number))
            .collect();
        let before = module.capabilities().map(views::Capability::capability);
        let removed: BTreeSet<u32> = before
            .filter(|number| !required.contains(number) && !unneeded.capabilities.contains(number))
            .collect();
        Some(TrialEffect {
            value,
            blocks: specialized.report.blocks,
            functions: specialized.report.removed_functions.len() + specialized.report.swept_functions.len(),
            capabilities: removed.into_iter().map(capability_name).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::constants::dependents;
    use super::super::with_context;
    use super::*;
    use crate::tests::corpus::fixture;
    use spirv_if::engine::analysis::constants::Constants;
    use spirv_if::property_sets::PropertySets;

    #[test]
    fn what_takes_too_much_work_is_not_tried() {
        let fixture = fixture("spec/precision.spv").plain.analyses();
        let inspected = with_context(fixture, &PropertySets::default(), |context| {
            let constants = Constants::defaults(context.module);
            let dependents = dependents(context.analyses, &constants);
            let tried = |left: usize| {
                let mut trials = Trials { context, left };
                let tried = trials.try_values(2, &dependents[&2], &[], false);
                tried.map(|tried| {
                    (left - trials.left, tried.outcomes.iter().filter(|effect| effect.removes()).count())
                })
            };
            let spent = 3 * context.module.words().len();
            assert_eq!(tried(MAX_WORDS), Some((spent, 3)));
            assert_eq!(tried(spent), Some((spent, 3)));
            assert!(tried(spent - 1).is_none());
            Ok(())
        });
        inspected.unwrap();
    }
}
