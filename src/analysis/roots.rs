//! Entry points and exported functions: what a module is called from outside by.

use std::borrow::Cow;

use spirv::Op;

use super::context::Analyses;
use super::debug::names::Names;
use super::references::summaries::{RequirementSummaries, RequirementSummary};
use crate::condition::{Condition, ConditionError, Conditions};
use crate::loader::{Instruction, Module};

/// An entry point or an exported function, of which it is asked what it requires.
#[derive(Clone, Copy, Debug)]
pub enum Root<'m> {
    /// The OpEntryPoint or OpConditionalEntryPointINTEL.
    EntryPoint(Instruction<'m>),
    /// The id of the function.
    Exported(u32),
}

impl<'m> Root<'m> {
    /// The entry points of a module, in its order.
    pub fn entry_points(module: &'m Module) -> impl Iterator<Item = Root<'m>> {
        let is_entry_point =
            |inst: &Instruction| matches!(inst.op(), Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL));
        module.head().filter(is_entry_point).map(Root::EntryPoint)
    }

    /// The entry points of a module; of one that has none, all exported functions.
    pub fn all(analyses: &Analyses<'m>) -> Vec<Root<'m>> {
        let module = analyses.module();
        let roots: Vec<Root> = Root::entry_points(module).collect();
        if !roots.is_empty() {
            return roots;
        }
        let functions = module.functions().iter().map(|function| function.id);
        functions.filter(|&id| analyses.names().is_exported(id)).map(Root::Exported).collect()
    }

    /// The id of the function.
    pub fn function(&self) -> u32 {
        match self {
            Root::EntryPoint(inst) => inst.word(if inst.is(Op::EntryPoint) { 2 } else { 3 }),
            Root::Exported(id) => *id,
        }
    }

    /// The name by which it is called: the entry point's, or the linkage name.
    pub fn name(&self, names: &Names<'m>) -> Cow<'m, str> {
        match self {
            Root::EntryPoint(inst) => inst.string(if inst.is(Op::EntryPoint) { 3 } else { 4 }),
            Root::Exported(id) => names.linkage(*id).map(|linkage| linkage.name).unwrap_or_default(),
        }
    }

    /// The number of the execution model; `None` for an exported function.
    pub fn execution_model(&self) -> Option<u32> {
        match self {
            Root::EntryPoint(inst) => Some(inst.word(if inst.is(Op::EntryPoint) { 1 } else { 2 })),
            Root::Exported(_) => None,
        }
    }

    /// The constant that decides whether it is there; `None` if it always is.
    pub fn decided_by(&self) -> Option<u32> {
        match self {
            Root::EntryPoint(inst) if !inst.is(Op::EntryPoint) => Some(inst.word(1)),
            _ => None,
        }
    }

    /// When it is there. `conditions` is a copy of the arena of the demands.
    ///
    /// # Errors
    /// Where the condition is out of bounds.
    pub fn existence(
        &self,
        summaries: &RequirementSummaries,
        conditions: &mut Conditions,
    ) -> Result<Condition, ConditionError> {
        match self.decided_by() {
            Some(constant) => summaries.existing(constant, conditions),
            None => Ok(Condition::TRUE),
        }
    }

    /// What it demands.
    pub fn summary(&self, summaries: &RequirementSummaries) -> RequirementSummary {
        match self {
            Root::EntryPoint(inst) => summaries.of_entry_point(inst),
            Root::Exported(id) => summaries.of_exported(*id),
        }
    }
}
