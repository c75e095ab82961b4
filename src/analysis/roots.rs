//! The roots of a module: entry points and exported functions.

use std::borrow::Cow;

use super::context::Analyses;
use super::debug::names::Names;
use super::references::summaries::{RequirementSummaries, RequirementSummary};
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::loader::{Module, views};

/// An entry point or an exported function, with requirements of its own.
#[derive(Clone, Copy, Debug)]
pub enum ModuleRoot<'m> {
    /// The OpEntryPoint or OpConditionalEntryPointINTEL.
    EntryPoint(views::EntryPoint<'m>),
    /// The id of the function.
    Exported(u32),
}

impl<'m> ModuleRoot<'m> {
    /// Returns the entry points of a module, in its order.
    pub fn entry_points(module: &'m Module) -> impl Iterator<Item = ModuleRoot<'m>> {
        module.entry_points().map(ModuleRoot::EntryPoint)
    }

    /// Returns the entry points of a module; of one that has none, all exported functions.
    pub fn all(analyses: &Analyses<'m>) -> Vec<ModuleRoot<'m>> {
        let module = analyses.module();
        let roots: Vec<ModuleRoot> = ModuleRoot::entry_points(module).collect();
        if !roots.is_empty() {
            return roots;
        }
        let functions = module.functions().iter().map(|function| function.id);
        functions.filter(|&id| analyses.names().is_exported(id)).map(ModuleRoot::Exported).collect()
    }

    /// Returns the id of the function.
    pub fn function(&self) -> u32 {
        match self {
            ModuleRoot::EntryPoint(entry_point) => entry_point.function(),
            ModuleRoot::Exported(id) => *id,
        }
    }

    /// Returns the offset of the entry point, in words; `None` for an exported function.
    pub fn entry_point(&self) -> Option<u32> {
        match self {
            ModuleRoot::EntryPoint(entry_point) => Some(entry_point.offset()),
            ModuleRoot::Exported(_) => None,
        }
    }

    /// Returns the name by which hosts call it: that of the entry point, or the linkage name.
    pub fn name(&self, names: &Names<'m>) -> Cow<'m, str> {
        match self {
            ModuleRoot::EntryPoint(entry_point) => entry_point.name(),
            ModuleRoot::Exported(id) => names.linkage(*id).map(|linkage| linkage.name).unwrap_or_default(),
        }
    }

    /// Like [`ModuleRoot::name`], but reads the names of the module only if the root requires them.
    pub fn name_in(&self, analyses: &Analyses<'m>) -> Cow<'m, str> {
        match self {
            ModuleRoot::EntryPoint(entry_point) => entry_point.name(),
            ModuleRoot::Exported(_) => self.name(analyses.names()),
        }
    }

    /// Returns the number of the execution model; `None` for an exported function.
    pub fn execution_model(&self) -> Option<u32> {
        match self {
            ModuleRoot::EntryPoint(entry_point) => Some(entry_point.execution_model()),
            ModuleRoot::Exported(_) => None,
        }
    }

    /// Returns the constant that decides whether the root exists, or `None` if it always does.
    pub fn decided_by(&self) -> Option<u32> {
        match self {
            ModuleRoot::EntryPoint(entry_point) => entry_point.condition(),
            ModuleRoot::Exported(_) => None,
        }
    }

    /// Returns the condition under which the root exists. `conditions` is a copy of the arena of the requirement summaries.
    ///
    /// # Errors
    /// If the condition is out of bounds.
    pub fn existence(
        &self,
        summaries: &RequirementSummaries,
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        match self.decided_by() {
            Some(constant) => summaries.existing(constant, conditions),
            None => Ok(ConditionId::TRUE),
        }
    }

    /// Returns the root's requirement summary.
    pub fn summary(&self, summaries: &RequirementSummaries) -> RequirementSummary {
        match self {
            ModuleRoot::EntryPoint(entry_point) => summaries.of_entry_point(*entry_point),
            ModuleRoot::Exported(id) => summaries.of_exported(*id),
        }
    }
}
