//! Exported functions that several images would define: each has an image of its own, which the others import.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::plan::{Plan, Traits, of_root};
use super::{PipelineError, Split};
use crate::inspection::ReadableConditions;
use crate::transform::split::{Part, SplitRoot, state};

/// Functions and variables of which one image has the definition.
#[derive(Default)]
pub(super) struct Owned {
    /// The functions, each with an image of its own.
    functions: BTreeSet<u32>,
    /// The state that these use as well as other images: its linkage name, and the number of the image.
    state: BTreeMap<u32, (String, usize)>,
}

impl Owned {
    /// The definitions that an image imports.
    pub fn imported(&self, number: usize, roots: &[&SplitRoot]) -> HashSet<u32> {
        let is_root = |id: &u32| roots.iter().any(|root| root.function == *id);
        let functions = self.functions.iter().copied().filter(|id| !is_root(id));
        let state = self.state.iter().filter(|(_, (_, owner))| *owner != number).map(|(&id, _)| id);
        functions.chain(state).collect()
    }

    /// The linkage names of shared state, each with whether an image defines it.
    pub fn state(&self, number: usize) -> impl Iterator<Item = (u32, &str, bool)> {
        self.state.iter().map(move |(&id, (name, owner))| (id, &**name, *owner == number))
    }

    /// The linkage name of shared state.
    pub fn name(&self, id: u32) -> Option<String> {
        self.state.get(&id).map(|(name, _)| name.clone())
    }

    fn has_state(&self, id: u32) -> bool {
        self.state.contains_key(&id)
    }
}

impl Split<'_> {
    /// Gives each exported function that several images call an image of its own.
    pub(super) fn own_exports(&mut self) -> Result<(), PipelineError> {
        let roots: HashSet<u32> = self
            .roots
            .iter()
            .flat_map(|root| root.companions.iter().copied().chain([root.function]))
            .collect();
        // Conditional actions are for the images that call them.
        let calls = &self.analyses.calls()?.calls;
        let actions: HashSet<u32> = calls.iter().flat_map(|call| [call.caller, call.function]).collect();
        let is_called = |&id: &u32| {
            !roots.contains(&id)
                && !actions.contains(&id)
                && self.module().is_function(id)
                && self.names().kernel_of(id).is_none()
        };
        let exported: Vec<u32> = self.names().exported().filter(is_called).collect();
        if self.plans.len() < 2 || exported.is_empty() {
            return Ok(());
        }
        let parts: Vec<Part> = self.plans.iter().map(|plan| self.whole(plan)).collect();
        let several = |id: &&u32| parts.iter().filter(|part| part.has(**id)).count() > 1;
        let functions: BTreeSet<u32> = exported.iter().filter(several).copied().collect();
        drop(parts);
        let analyses = std::sync::Arc::clone(&self.analyses);
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        let mut readable =
            ReadableConditions::new(module, multi_target, &self.special, &mut self.conditions)?;
        let first = self.plans.len();
        // A function comes before those that call it, which reach more, so that no two images import from each other.
        let mut in_order: Vec<u32> = functions.iter().copied().collect();
        in_order.sort_by_cached_key(|&function| {
            Part::new(&self.graph, [&SplitRoot::of_function(function, "")]).ids().len()
        });
        for function in in_order {
            let name = self.names().linkage(function).map(|linkage| linkage.name.into_owned());
            let root = SplitRoot::of_function(function, &name.unwrap_or_default());
            let traits = match self.fixed_targets(function) {
                Some(targets) => Traits::Fixed(targets.iter().copied().collect()),
                None => of_root(self, &root, &mut readable)?,
            };
            self.plans.push(Plan { roots: vec![self.roots.len()], source: None, traits });
            self.roots.push(root);
        }
        self.owned = Owned { functions, state: BTreeMap::new() };
        self.own_state(first);
        Ok(())
    }

    /// Gives state that an image of an exported function uses, and another image, to the first of these.
    fn own_state(&mut self, first: usize) {
        let parts: Vec<Part> = (0..self.plans.len()).map(|number| self.part(number)).collect();
        let mut owned = BTreeMap::new();
        let mut taken: HashSet<String> =
            self.names().linked().map(|(_, linkage)| linkage.name.into_owned()).collect();
        for id in state(&self.graph) {
            let users: Vec<usize> = (0..parts.len()).filter(|&number| parts[number].has(id)).collect();
            let Some(&owner) = users.iter().find(|&&number| number >= first).filter(|_| users.len() > 1)
            else {
                continue;
            };
            let linkage = self.names().linkage(id);
            if linkage.as_ref().is_some_and(|linkage| linkage.import) {
                continue;
            }
            let base = self.names().name(id).filter(|name| !name.is_empty()).unwrap_or("variable".into());
            let numbered = (2_u32..).map(|number| format!("{base}.{number}"));
            let name = match linkage {
                Some(linkage) => linkage.name.into_owned(),
                None => std::iter::once(base.to_string())
                    .chain(numbered)
                    .find(|name| !taken.contains(name))
                    .unwrap_or_default(),
            };
            taken.insert(name.clone());
            owned.insert(id, (name, owner));
        }
        drop(parts);
        self.owned.state = owned;
        let owned = &self.owned;
        self.copied.retain(|(id, _)| !owned.has_state(*id));
    }

    /// An image with all that it uses.
    fn whole(&self, plan: &Plan) -> Part<'_, '_> {
        Part::new(&self.graph, plan.roots.iter().map(|&number| &self.roots[number]))
    }

    /// An image without what others own.
    pub(super) fn part(&self, number: usize) -> Part<'_, '_> {
        let roots: Vec<&SplitRoot> = self.plans[number].roots.iter().map(|&root| &self.roots[root]).collect();
        let imported = self.owned.imported(number, &roots);
        Part::with_imports(&self.graph, roots, &[], imported)
    }
}
