//! Variables that keep their values between kernels. An image with its own copy does not see the stores of other images.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use super::{ModuleSplit, PipelineError, SplitError, SplitPlan};
use crate::checks::{CheckWarning, SharedVariable, WarningProblem};
use spirv_if::engine::analysis::{FunctionName, SourceLocation};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::transform::split::state;

/// The property of variables that only one image may have (docs/design/compile-time-properties.md,
/// "Properties on a global variable type").
const IMAGE_SCOPE: &str = "sycl-device-image-scope";

/// A planned image, and its state.
struct ImageWithState {
    plan: SplitPlan,
    state: BTreeSet<u32>,
}

impl ModuleSplit<'_> {
    /// Joins images that hold the same state and have the same requirements: only the mode separates them. Records the state
    /// that still has copies.
    pub(crate) fn keep_together(&mut self) -> Result<(), PipelineError> {
        if self.plans.len() < 2 {
            return Ok(());
        }
        let scoped = self.analyses.properties().variables_with(self.module(), IMAGE_SCOPE);
        let mut all = scoped.clone();
        all.extend(state(&self.graph));
        all.retain(|&id| self.names().linkage(id).is_none_or(|linkage| !linkage.import));
        all.retain(|&id| !self.globals.is_shared(id));
        let mut holders = StateHolders::default();
        for plan in std::mem::take(&mut self.plans) {
            let state = self.held_state(&plan.roots, &all);
            holders.add(ImageWithState { plan, state });
        }
        for id in all {
            let holding: Vec<&SplitPlan> = holders.holders(id).map(|holder| &holder.plan).collect();
            if holding.len() < 2 {
                continue;
            }
            let shared = self.shared(id, &holding);
            if scoped.contains(&id) {
                return Err(SplitError::ImageScope(shared).into());
            }
            self.copied.push((id, self.warning_of_copies(id, shared)));
        }
        self.plans = holders.plans();
        Ok(())
    }

    /// Returns the state in an image with these roots.
    fn held_state(&self, roots: &[usize], all: &BTreeSet<u32>) -> BTreeSet<u32> {
        if all.is_empty() {
            return BTreeSet::new();
        }
        let part = self.part_of(roots, HashSet::new());
        all.iter().filter(|&&id| part.has(id)).copied().collect()
    }

    /// Returns the users of a variable in the images that hold it.
    fn shared(&self, id: u32, holding: &[&SplitPlan]) -> SharedVariable {
        let only = BTreeSet::from([id]);
        let uses = |number: &&usize| !self.held_state(&[**number], &only).is_empty();
        let name = |number: &usize| FunctionName::new(&*self.roots[*number].name).short().into_owned();
        let users = |plan: &&SplitPlan| {
            let roots: BTreeSet<usize> = plan.roots.iter().copied().collect();
            roots.iter().filter(uses).map(name).collect()
        };
        let is_variable = !self.module().definition(id).is_some_and(|inst| inst.is(Op::ConstantPipeStorage));
        let kind = if is_variable { "variable" } else { "pipe storage" };
        SharedVariable {
            name: format!("{kind} '{}'", self.names().function_name(id).short()),
            users: holding.iter().map(users).collect(),
        }
    }

    /// Returns the warning about copies of a variable.
    fn warning_of_copies(&self, id: u32, shared: SharedVariable) -> CheckWarning {
        let at = self.module().definition_offset(id);
        let place = at.and_then(|at| self.analyses.debug_locations().location(at));
        CheckWarning {
            problem: WarningProblem::Copied(shared),
            place: place.map(SourceLocation::into_owned),
            id: Some(id),
            offset: at.map(|at| u64::from(at) * 4),
            chain: Vec::new(),
            without_places: false,
        }
    }
}

/// Planned images. Images that share state and have the same requirements are joined.
#[derive(Default)]
struct StateHolders {
    /// The images in the order of their first parts; `None` for an image joined with an earlier one.
    images: Vec<Option<ImageWithState>>,
    /// The images that hold a variable, in order, by variable.
    by_state: IdMap<BTreeSet<usize>>,
}

impl StateHolders {
    /// Returns the images that hold a variable.
    fn holders(&self, id: u32) -> impl Iterator<Item = &ImageWithState> {
        self.by_state.get(&id).into_iter().flatten().filter_map(|&at| self.images[at].as_ref())
    }

    /// Adds an image.
    fn add(&mut self, new: ImageWithState) {
        let same = |at: &&usize| {
            let image = self.images[**at].as_ref().map(|image| &image.plan);
            image.is_some_and(|plan| (&plan.traits, plan.group) == (&new.plan.traits, new.plan.group))
        };
        let holding = new.state.iter().filter_map(|id| self.by_state.get(id)).flatten();
        let sharing: BTreeSet<usize> = holding.filter(same).copied().collect();
        let at = sharing.first().copied().unwrap_or(self.images.len());
        self.images.resize_with(self.images.len().max(at + 1), || None);
        let mut image = self.images[at].take();
        let others: Vec<ImageWithState> =
            sharing.iter().skip(1).filter_map(|&other| self.images[other].take()).collect();
        for other in others.into_iter().chain([new]) {
            for &id in &other.state {
                self.by_state.entry(id).or_default().insert(at);
            }
            image = Some(match image {
                Some(image) => image.joined(other),
                None => other,
            });
        }
        self.images[at] = image;
    }

    fn plans(self) -> Vec<SplitPlan> {
        let sorted = |ImageWithState { mut plan, .. }: ImageWithState| {
            plan.roots.sort_unstable();
            plan
        };
        self.images.into_iter().flatten().map(sorted).collect()
    }
}

impl ImageWithState {
    fn joined(mut self, other: ImageWithState) -> ImageWithState {
        self.state.extend(other.state);
        self.plan.roots.extend(other.plan.roots);
        self.plan.source = self.plan.source.filter(|source| other.plan.source.as_ref() == Some(source));
        self
    }
}
