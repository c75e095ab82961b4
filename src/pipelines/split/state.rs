//! Variables that keep their value from one kernel to the next: an image with a copy of its own would not see the stores of others.

use std::collections::BTreeSet;

use spirv::Op;

use super::{PipelineError, Plan, Split};
use crate::analysis::{FunctionName, variables_with};
use crate::check::{Problem, Shared, Warning};
use crate::transform::split::{Part, state};

/// The property of variables that only one image may have (docs/design/compile-time-properties.md,
/// "Properties on a global variable type").
const IMAGE_SCOPE: &str = "sycl-device-image-scope";

/// An image to be made, and the state in it.
struct Holder {
    plan: Plan,
    state: BTreeSet<u32>,
}

impl Split<'_> {
    /// Joins the images that hold the same state and have the same requirements, so that only the mode separates them, and records the
    /// state of which there are copies all the same.
    pub(crate) fn keep_together(&mut self) -> Result<(), PipelineError> {
        if self.plans.len() < 2 {
            return Ok(());
        }
        let scoped = variables_with(self.module(), IMAGE_SCOPE);
        let mut all = scoped.clone();
        all.extend(state(&self.graph));
        all.retain(|&id| self.names().linkage(id).is_none_or(|linkage| !linkage.import));
        let mut holders: Vec<Holder> = Vec::new();
        for plan in std::mem::take(&mut self.plans) {
            let state = self.held(&plan.roots, &all);
            join(&mut holders, Holder { plan, state });
        }
        for id in all {
            let holding: Vec<&Plan> = holders
                .iter()
                .filter(|holder| holder.state.contains(&id))
                .map(|holder| &holder.plan)
                .collect();
            if holding.len() < 2 {
                continue;
            }
            let shared = self.shared(id, &holding);
            if scoped.contains(&id) {
                return Err(PipelineError::ImageScope(shared));
            }
            self.copied.push((id, self.warning_of_copies(id, shared)));
        }
        self.plans = holders.into_iter().map(|holder| holder.plan).collect();
        Ok(())
    }

    /// The state in an image with these roots.
    fn held(&self, roots: &[usize], all: &BTreeSet<u32>) -> BTreeSet<u32> {
        if all.is_empty() {
            return BTreeSet::new();
        }
        let part = Part::new(&self.graph, roots.iter().map(|&number| &self.roots[number]));
        all.iter().filter(|&&id| part.has(id)).copied().collect()
    }

    /// The users of some state in the images that hold it.
    fn shared(&self, id: u32, holding: &[&Plan]) -> Shared {
        let only = BTreeSet::from([id]);
        let uses = |number: &&usize| !self.held(&[**number], &only).is_empty();
        let name = |number: &usize| FunctionName::new(&*self.roots[*number].name).short().into_owned();
        let is_variable = !self.module().definition(id).is_some_and(|inst| inst.is(Op::ConstantPipeStorage));
        let kind = if is_variable { "variable" } else { "pipe storage" };
        Shared {
            name: format!("{kind} '{}'", self.names().function_name(id).short()),
            users: holding.iter().map(|plan| plan.roots.iter().filter(uses).map(name).collect()).collect(),
        }
    }

    /// The warning of copies of some state.
    fn warning_of_copies(&self, id: u32, shared: Shared) -> Warning {
        let place =
            self.module().definition_offset(id).and_then(|at| self.analyses.debug_locations().location(at));
        Warning {
            problem: Problem::Copied(shared),
            place: place.map(|place| place.to_string()),
            chain: Vec::new(),
            without_places: false,
        }
    }
}

/// Adds an image, joined with those that share state with it and have the same requirements.
fn join(holders: &mut Vec<Holder>, mut new: Holder) {
    let shares = |own: &Holder| own.plan.traits == new.plan.traits && !own.state.is_disjoint(&new.state);
    let first = holders.iter().position(shares).unwrap_or(holders.len());
    let joined: Vec<Holder> = holders.extract_if(first.., |own| shares(own)).collect();
    for own in joined {
        new.state.extend(own.state);
        new.plan.roots.extend(own.plan.roots);
        new.plan.source = new.plan.source.filter(|source| own.plan.source.as_ref() == Some(source));
    }
    new.plan.roots.sort_unstable();
    holders.insert(first, new);
}
