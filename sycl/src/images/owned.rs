//! Owners of exported functions that several images use. Add-on images are linked, so one image defines each function and the others import
//! it. Other images have private copies.

use std::collections::{BTreeSet, HashSet};

use super::plan::{SplitPlan, traits};
use super::{Jit, ModuleSplit, PipelineError, UnitNames};
use spirv_if::engine::analysis::AnalysisError;
use spirv_if::engine::analysis::ReadableConditions;
use spirv_if::engine::collections::{IdMap, sort_by_key};
use spirv_if::engine::transform::split::{SplitPart, SplitRoot, state};

/// Functions and variables that one image defines for others.
#[derive(Default)]
pub(super) struct OwnedSymbols {
    /// The functions, each a root of its image.
    functions: BTreeSet<u32>,
    /// The exported conditional callers with copies in several images. No image owns them.
    callers: BTreeSet<u32>,
    /// True if other images import the functions, false if they have copies.
    pub is_imported: bool,
    /// The state that the functions share with other images: its linkage name, and the number of the owner.
    state: IdMap<(String, usize)>,
}

impl OwnedSymbols {
    /// Creates the set of functions with copies in several images.
    pub fn of_copies(shared: SharedExports) -> OwnedSymbols {
        OwnedSymbols { functions: shared.functions, callers: shared.callers, ..OwnedSymbols::default() }
    }

    /// Returns true if a function is a root only because several images hold it.
    pub fn has_function(&self, function: u32) -> bool {
        self.functions.contains(&function)
    }

    /// Returns the definitions that other images own.
    pub fn elsewhere(&self, number: usize, roots: &[&SplitRoot]) -> HashSet<u32> {
        let is_root = |id: &u32| roots.iter().any(|root| root.function == *id);
        let functions = self.functions.iter().copied().filter(|id| !is_root(id));
        let state = self.state.iter().filter(|(_, (_, owner))| *owner != number).map(|(&id, _)| id);
        functions.chain(state).chain(self.callers.iter().copied()).collect()
    }

    /// Returns the linkage names of shared state. The Boolean is true if the image defines it.
    pub fn state(&self, number: usize) -> impl Iterator<Item = (u32, &str, bool)> {
        self.state.iter().map(move |(&id, (name, owner))| (id, &**name, *owner == number))
    }

    /// Returns the linkage name of shared state.
    pub fn name(&self, id: u32) -> Option<String> {
        self.state.get(&id).map(|(name, _)| name.clone())
    }

    fn has_state(&self, id: u32) -> bool {
        self.state.contains_key(&id)
    }
}

/// The exported functions in several images that are not roots.
#[derive(Default)]
pub(super) struct SharedExports {
    /// The functions that other link units may call.
    pub functions: BTreeSet<u32>,
    /// Conditional callers. They call actions only for code of their own module.
    callers: BTreeSet<u32>,
}

impl ModuleSplit<'_> {
    /// Returns the exported functions in several images, except the roots.
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
        // In linked images, conditional actions belong to the images that call them.
        let is_action =
            |id: &u32| self.options.jit == Jit::AddOn && calls.iter().any(|call| call.function == *id);
        let parts: Vec<SplitPart> = plans.iter().map(|plan| self.whole(plan)).collect();
        let several = |id: &u32| parts.iter().filter(|part| part.has(*id)).count() > 1;
        let shared = exported.into_iter().filter(several);
        let (callers, functions): (BTreeSet<u32>, BTreeSet<u32>) = shared.partition(is_caller);
        // The linkage name is the only name of a function without OpName.
        let callers = callers.into_iter().filter(|&id| self.names().name(id).is_some()).collect();
        Ok(SharedExports { functions: functions.into_iter().filter(|id| !is_action(id)).collect(), callers })
    }

    /// Creates a root from an exported function.
    pub(super) fn exported_root(&self, function: u32) -> SplitRoot {
        let name = self.names().linkage(function).map(|linkage| linkage.name.into_owned());
        SplitRoot::from_function(function, &name.unwrap_or_default())
    }

    /// Plans a separate image for each exported function that several images call.
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
        // Callers reach more than their callees. So this order puts a function before its callers, and no two images import from each other.
        let mut in_order: Vec<u32> = functions.iter().copied().collect();
        sort_by_key(&mut in_order, |&function| {
            SplitPart::new(&self.graph, [&SplitRoot::from_function(function, "")]).ids().len()
        });
        for function in in_order {
            let root = self.exported_root(function);
            let traits = traits(self, &root, &mut readable)?;
            let group = self.group(&root);
            self.plans.push(SplitPlan { roots: vec![self.roots.len()], source: None, traits, group });
            self.roots.push(root);
        }
        self.owned = OwnedSymbols { functions, is_imported: true, ..OwnedSymbols::default() };
        self.own_state(first);
        Ok(())
    }

    /// Makes images of exported functions the owners of the state that they share with other images.
    fn own_state(&mut self, first: usize) {
        let parts: Vec<SplitPart> = (0..self.plans.len()).map(|number| self.part(number)).collect();
        let mut owned = IdMap::new();
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

    /// Returns an image with everything that it uses.
    fn whole(&self, plan: &SplitPlan) -> SplitPart<'_, '_> {
        self.part_of(&plan.roots, HashSet::new())
    }

    /// Returns the part of these roots, with the `device_global`s of their translation units.
    pub(super) fn part_of(&self, roots: &[usize], imported: HashSet<u32>) -> SplitPart<'_, '_> {
        let roots: Vec<&SplitRoot> = roots.iter().map(|&number| &self.roots[number]).collect();
        let globals = self.globals.kept(&self.units(roots.iter().copied()));
        SplitPart::with_imports(&self.graph, roots, &globals, imported)
    }

    /// Returns an image without the definitions that others own.
    pub(super) fn part(&self, number: usize) -> SplitPart<'_, '_> {
        let roots: Vec<&SplitRoot> = self.plans[number].roots.iter().map(|&root| &self.roots[root]).collect();
        let imported = match self.owned.is_imported {
            true => self.owned.elsewhere(number, &roots),
            false => HashSet::new(),
        };
        self.part_of(&self.plans[number].roots, imported)
    }
}
