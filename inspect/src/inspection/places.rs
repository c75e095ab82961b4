//! Causes of requirements that follow from a number in the module: its version, sizes of groups, and limits.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::cite::CitationSources;
use super::context::InspectContext;
use super::cost::{CodeCost, is_declaration};
use super::why::{RequirementCause, Why};
use spirv_if::device::Device;
use spirv_if::engine::analysis::{ModuleRoot, Sizes, limit_cause};
use spirv_if::engine::collections::{IdMap, OrderedMap};
use spirv_if::engine::compatibility::{DefectPlace, defects_of};
use spirv_if::engine::device::DeviceDriver;
use spirv_if::engine::transform::version::newer_instructions;
use spirv_if::error::Missing;
use spirv_if::module::Version;

/// Finds causes of missing versions, sizes and limits, root by root.
pub(super) struct NumberCauseFinder<'m> {
    sources: CitationSources<'m>,
    /// The offsets of the instructions that each missing version was the first to have, in words.
    newest: OrderedMap<Version, BTreeSet<u32>>,
}

impl<'m> NumberCauseFinder<'m> {
    pub(super) fn new(context: &InspectContext<'m, '_>) -> NumberCauseFinder<'m> {
        NumberCauseFinder { sources: CitationSources::new(context), newest: OrderedMap::new() }
    }

    /// Returns the cause for which a root has a missing version, size or limit.
    pub(super) fn find(
        &mut self,
        context: &InspectContext<'m, '_>,
        root: &ModuleRoot<'m>,
        missing: &Missing,
    ) -> Option<RequirementCause> {
        let places = context.places(root, missing, self.newest_instructions(context, missing));
        context.nearest(root, missing, &places, &self.sources)
    }

    /// Returns the offsets of the instructions that a missing version was the first to have, without declarations, in words.
    fn newest_instructions(&mut self, context: &InspectContext<'m, '_>, missing: &Missing) -> &BTreeSet<u32> {
        static NONE: BTreeSet<u32> = BTreeSet::new();
        let Missing::Version(version) = missing else { return &NONE };
        let Some(minor) = version.minor.checked_sub(1) else { return &NONE };
        self.newest.entry(*version).or_insert_with(|| {
            let mut newest = newer_instructions(context.module, Version::new(version.major, minor));
            newest.retain(|&at| !is_declaration(&context.module.instruction(at)));
            newest
        })
    }
}

impl<'m> InspectContext<'m, '_> {
    /// Returns the causes and the cost of a missing version, size or limit; nothing for other features.
    pub(super) fn why_of_number(&self, missing: &Missing) -> (Vec<Why>, CodeCost) {
        let mut finder = NumberCauseFinder::new(self);
        let (mut reasons, mut all) = (Vec::new(), BTreeSet::new());
        for (index, root) in self.roots().iter().enumerate() {
            let places = self.places(root, missing, finder.newest_instructions(self, missing));
            if let Some(cause) = self.nearest(root, missing, &places, &finder.sources) {
                reasons.push(Why { root: index, causes: vec![cause] });
            }
            all.extend(places);
        }
        (reasons, self.cost_at(&all))
    }

    /// Returns the offsets of the instructions for which a root requires a missing version, size or limit, in words.
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
            Missing::UndecidedCalls(_) => {
                let reached: BTreeSet<u32> = self.summaries.reached(root.function()).into_iter().collect();
                let calls = self.calls.calls.iter().filter(|call| reached.contains(&call.holder));
                calls.map(|call| call.call).collect()
            }
            Missing::DriverDefect { driver } => {
                let reached: BTreeSet<u32> = self.summaries.reached(root.function()).into_iter().collect();
                let of_driver = DeviceDriver::parse(driver).ok();
                let device = Device::default().with_driver(of_driver);
                let places = defects_of(&device).flat_map(|defect| defect.pattern.places(self.module));
                let is_reached =
                    |place: &DefectPlace| place.function.is_none_or(|function| reached.contains(&function));
                places.filter(is_reached).map(|place| place.offset).collect()
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
        let distances: IdMap<usize> = reached.into_iter().zip(0..).collect();
        let distance =
            |at: u32| self.holder(at).and_then(|holder| distances.get(&holder)).unwrap_or(&usize::MAX);
        let at = *places.iter().min_by_key(|at| distance(**at))?;
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
