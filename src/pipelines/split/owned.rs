//! Exported functions that several images would define: one image has each for others. Add-on images are linked, so that other images import
//! it there; else they have copies, which are nobody else's.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::plan::{SplitPlan, traits};
use super::{Jit, ModuleSplit, PipelineError, UnitNames};
use crate::analysis::AnalysisError;
use crate::analysis::ReadableConditions;
use crate::transform::split::{SplitPart, SplitRoot, state};

/// Functions and variables that one image has for others.
#[derive(Default)]
pub(super) struct OwnedSymbols {
    /// The functions, each a root of its image.
    functions: BTreeSet<u32>,
    /// The exported conditional callers with copies in several images: no image owns them.
    callers: BTreeSet<u32>,
    /// True if other images import the functions, false if they have copies.
    pub is_imported: bool,
    /// The state that these use as well as other images: its linkage name, and the number of the image.
    state: BTreeMap<u32, (String, usize)>,
}

impl OwnedSymbols {
    /// Creates the set of functions that several images have copies of.
    pub fn of_copies(shared: SharedExports) -> OwnedSymbols {
        OwnedSymbols { functions: shared.functions, callers: shared.callers, ..OwnedSymbols::default() }
    }

    /// True if a function is a root only because several images hold it.
    pub fn has_function(&self, function: u32) -> bool {
        self.functions.contains(&function)
    }

    /// The definitions that an image may use and another one has for others.
    pub fn elsewhere(&self, number: usize, roots: &[&SplitRoot]) -> HashSet<u32> {
        let is_root = |id: &u32| roots.iter().any(|root| root.function == *id);
        let functions = self.functions.iter().copied().filter(|id| !is_root(id));
        let state = self.state.iter().filter(|(_, (_, owner))| *owner != number).map(|(&id, _)| id);
        functions.chain(state).chain(self.callers.iter().copied()).collect()
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

/// The exported functions that several images hold and that are not roots.
#[derive(Default)]
pub(super) struct SharedExports {
    /// The functions that other link units may call.
    pub functions: BTreeSet<u32>,
    /// Conditional callers, which call their actions only for the code that they are compiled with.
    callers: BTreeSet<u32>,
}

impl ModuleSplit<'_> {
    /// Returns the exported functions that several images of these roots hold, except the roots.
    pub(super) fn shared_exports(&self, plans: &[SplitPlan]) -> Result<SharedExports, AnalysisError> {
        let roots: HashSet<u32> = self
            .roots
            .iter()
            .flat_map(|root| root.companions.iter().copied().chain([root.function]))
            .collect();
        let is_called = |&id: &u32| {
            !roots.contains(&id) && self.module().is_function(id) && self.names().kernel_of(id).is_none()
        };
        let exported: Vec<u32> = self.names().exported().filter(is_called).collect();
        if plans.len() < 2 || exported.is_empty() {
            return Ok(SharedExports::default());
        }
        let calls = &self.analyses.calls()?.calls;
        let is_caller = |id: &u32| calls.iter().any(|call| call.caller == *id);
        // Where images are linked, conditional actions are for the images that call them.
        let is_action =
            |id: &u32| self.options.jit == Jit::AddOn && calls.iter().any(|call| call.function == *id);
        let parts: Vec<SplitPart> = plans.iter().map(|plan| self.whole(plan)).collect();
        let several = |id: &u32| parts.iter().filter(|part| part.has(*id)).count() > 1;
        let shared = exported.into_iter().filter(several);
        let (callers, functions): (BTreeSet<u32>, BTreeSet<u32>) = shared.partition(is_caller);
        // A function without another name is known by its linkage name.
        let callers = callers.into_iter().filter(|&id| self.names().name(id).is_some()).collect();
        Ok(SharedExports { functions: functions.into_iter().filter(|id| !is_action(id)).collect(), callers })
    }

    /// An exported function as a root.
    pub(super) fn exported_root(&self, function: u32) -> SplitRoot {
        let name = self.names().linkage(function).map(|linkage| linkage.name.into_owned());
        SplitRoot::from_function(function, &name.unwrap_or_default())
    }

    /// Gives each exported function that several images call an image of its own.
    pub(super) fn own_images(&mut self) -> Result<(), PipelineError> {
        let functions = self.shared_exports(&self.plans)?.functions;
        if functions.is_empty() {
            return Ok(());
        }
        let analyses = std::sync::Arc::clone(&self.analyses);
        let (module, multi_target) = (analyses.module(), analyses.multi_target()?);
        let mut readable =
            ReadableConditions::new(module, multi_target, &self.special, &mut self.conditions)?;
        let first = self.plans.len();
        // A function comes before its callers, which reach more, so that no two images import from each other.
        let mut in_order: Vec<u32> = functions.iter().copied().collect();
        in_order.sort_by_cached_key(|&function| {
            SplitPart::new(&self.graph, [&SplitRoot::from_function(function, "")]).ids().len()
        });
        for function in in_order {
            let root = self.exported_root(function);
            let traits = traits(self, &root, &mut readable)?;
            self.plans.push(SplitPlan { roots: vec![self.roots.len()], source: None, traits });
            self.roots.push(root);
        }
        self.owned = OwnedSymbols { functions, is_imported: true, ..OwnedSymbols::default() };
        self.own_state(first);
        Ok(())
    }

    /// Gives state that an image of an exported function uses, and another image, to the first of these.
    fn own_state(&mut self, first: usize) {
        let parts: Vec<SplitPart> = (0..self.plans.len()).map(|number| self.part(number)).collect();
        let mut owned = BTreeMap::new();
        let mut taken = UnitNames::new(self.module());
        self.names().linked().for_each(|(_, linkage)| taken.reserve(&linkage.name));
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
            let name = match linkage {
                Some(linkage) => linkage.name.into_owned(),
                None => taken.unique(&base),
            };
            owned.insert(id, (name, owner));
        }
        drop(parts);
        self.owned.state = owned;
        let owned = &self.owned;
        self.copied.retain(|(id, _)| !owned.has_state(*id));
    }

    /// An image with all that it uses.
    fn whole(&self, plan: &SplitPlan) -> SplitPart<'_, '_> {
        SplitPart::new(&self.graph, plan.roots.iter().map(|&number| &self.roots[number]))
    }

    /// An image without what others own.
    pub(super) fn part(&self, number: usize) -> SplitPart<'_, '_> {
        let roots: Vec<&SplitRoot> = self.plans[number].roots.iter().map(|&root| &self.roots[root]).collect();
        let imported = match self.owned.is_imported {
            true => self.owned.elsewhere(number, &roots),
            false => HashSet::new(),
        };
        SplitPart::with_imports(&self.graph, roots, &[], imported)
    }
}
