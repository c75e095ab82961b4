//! Causes of requirements that follow from a number in the module: its version, sizes of groups, and limits.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::cite::CitationSources;
use super::context::InspectContext;
use super::cost::CodeCost;
use super::why::{RequirementCause, Why};
use crate::analysis::{ModuleRoot, Sizes, limit_cause};
use crate::compatibility::Missing;
use crate::loader::Version;
use crate::transform::version::newer_instructions;

impl<'m> InspectContext<'m, '_> {
    /// Returns the causes and the cost of a missing version, size or limit; nothing for other features.
    pub(super) fn why_of_number(&self, missing: &Missing) -> (Vec<Why>, CodeCost) {
        let sources = CitationSources::new(self);
        let newest = self.newest_instructions(missing);
        let (mut reasons, mut all) = (Vec::new(), BTreeSet::new());
        for (index, root) in self.roots().iter().enumerate() {
            let places = self.places(root, missing, &newest);
            if let Some(cause) = self.nearest(root, missing, &places, &sources) {
                reasons.push(Why { root: index, causes: vec![cause] });
            }
            all.extend(places);
        }
        (reasons, self.cost_at(&all))
    }

    /// Returns the causes for which a root has a missing version, size or limit.
    pub(super) fn cause_of_number(
        &self,
        root: &ModuleRoot<'m>,
        missing: &Missing,
    ) -> Option<RequirementCause> {
        let places = self.places(root, missing, &self.newest_instructions(missing));
        self.nearest(root, missing, &places, &CitationSources::new(self))
    }

    /// Returns the offsets of the instructions that a missing version was the first to have, in words.
    fn newest_instructions(&self, missing: &Missing) -> BTreeSet<u32> {
        let Missing::Version(version) = missing else { return BTreeSet::new() };
        let before = version.minor.checked_sub(1).map(|minor| Version::new(version.major, minor));
        before.map_or_else(BTreeSet::new, |before| newer_instructions(self.module, before))
    }

    /// Returns the offsets of the instructions for which a root requires what is missing, in words.
    fn places(&self, root: &ModuleRoot<'m>, missing: &Missing, newest: &BTreeSet<u32>) -> BTreeSet<u32> {
        let sizes = self.sizes.get(root.function());
        match missing {
            Missing::Version(_) => {
                let reached: BTreeSet<u32> = self.summaries.reached(root.function()).into_iter().collect();
                let is_reached = |at: &u32| self.holder(*at).is_none_or(|holder| reached.contains(&holder));
                newest.iter().copied().filter(is_reached).collect()
            }
            Missing::WorkGroupSize { size, .. } => {
                let sizes = sizes.filter(|sizes| sizes.least_work_items() == Some(*size));
                let of_sub_groups = |sizes: &Sizes| [sizes.sub_group, sizes.sub_groups];
                match sizes.and_then(|sizes| sizes.work_group) {
                    Some(work_group) => BTreeSet::from([work_group.at]),
                    None => sizes.into_iter().flat_map(of_sub_groups).flatten().map(|size| size.at).collect(),
                }
            }
            Missing::SubGroupSize { size, .. } => {
                let reached = self.summaries.reached(root.function()).into_iter();
                let required = reached.filter_map(|function| self.sizes.get(function)?.sub_group);
                required.filter(|required| required.value == *size).map(|required| required.at).collect()
            }
            Missing::VulkanLimit { limit, at_least, .. } => {
                limit_cause(self.analyses, root, limit, *at_least).into_iter().collect()
            }
            _ => BTreeSet::new(),
        }
    }

    /// Returns the cause at the place that the fewest calls lead to. Instructions outside of functions come last.
    fn nearest(
        &self,
        root: &ModuleRoot<'m>,
        missing: &Missing,
        places: &BTreeSet<u32>,
        sources: &CitationSources<'m>,
    ) -> Option<RequirementCause> {
        let reached = self.summaries.reached(root.function());
        let distance = |at: &u32| {
            let holder = self.holder(*at);
            reached.iter().position(|&function| Some(function) == holder).unwrap_or(usize::MAX)
        };
        let at = *places.iter().min_by_key(|at| distance(at))?;
        let calls = match self.holder(at) {
            Some(holder) => {
                let calls = self.summaries.calls_between(root.function(), holder, &|_| true)?;
                self.steps(root.function(), &calls, sources)
            }
            None => Vec::new(),
        };
        Some(RequirementCause {
            requires: vec![Cow::Owned(vec![missing.name().into()])],
            when: None,
            until_packed: false,
            calls,
            instruction: self.cite_alone(&self.module.instruction(at), sources),
        })
    }

    /// Returns the function that contains an instruction.
    fn holder(&self, at: u32) -> Option<u32> {
        let functions = self.module.functions();
        let after = functions.partition_point(|function| function.start <= at);
        functions[..after].last().filter(|function| at < function.end).map(|function| function.id)
    }
}
