//! The size of the code that requires a feature.

use std::collections::BTreeSet;

use serde::Serialize;

use super::context::{InspectContext, InspectionError};
use super::question::WhySubject;
use spirv_if::engine::analysis::requirements::{RequirementId, RequirementSet};
use spirv_if::engine::loader::{Instruction, views};

/// The size of the instructions that require a feature, themselves or through a type, constant or variable.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct CodeCost {
    /// The number of functions that contain some.
    pub functions: usize,
    /// The size of the instructions in bytes. Declarations do not count.
    pub bytes: usize,
    /// The number of source lines of the instructions in functions; `None` without debug information.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<usize>,
}

impl InspectContext<'_, '_> {
    /// Returns the size of the code that requires a feature.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub(super) fn cost(&mut self, question: &WhySubject) -> Result<CodeCost, InspectionError> {
        let of_calls = self.requirements_of_calls();
        let mut ids = BTreeSet::new();
        for root in self.roots() {
            let question = &*question.for_root(&root);
            let (summary, chosen) = self.summary(&root)?;
            let all = summary.iter().map(|(id, _)| id);
            ids.extend(all.filter(|&id| self.is_in_question(id, &chosen, question)));
            let until_packed = self.call_requirements(&root, &summary, question, &of_calls)?;
            ids.extend(until_packed.iter().map(|required| required.id));
        }
        Ok(self.cost_of(&ids.into_iter().collect::<Vec<_>>()))
    }

    /// Returns the size of the instructions at these offsets, in words.
    pub(super) fn cost_at(&self, offsets: &BTreeSet<u32>) -> CodeCost {
        let places = self.analyses.debug_locations();
        let size = |at: &u32| bytes(&self.module.instruction(*at));
        let mut cost = CodeCost { bytes: offsets.iter().map(size).sum(), ..CodeCost::default() };
        let mut lines = BTreeSet::new();
        for function in self.module.functions() {
            let inside: BTreeSet<u32> = offsets.range(function.start..function.end).copied().collect();
            if !inside.is_empty() {
                cost.functions += 1;
                lines.extend(places.lines(function, &inside));
            }
        }
        cost.lines = Some(lines.len()).filter(|&lines| lines > 0);
        cost
    }

    fn cost_of(&self, ids: &[RequirementId]) -> CodeCost {
        let is_any = |required: &RequirementSet| ids.iter().any(|&id| required.contains(id));
        let requires = |inst: &Instruction| is_any(&self.requirements_of.find(inst));
        let functions = self.module.functions().iter();
        let functions =
            functions.filter(|function| is_any(&self.summaries.function_requirements(function.id)));
        let code = functions
            .flat_map(|function| self.module.body(function))
            .filter(|inst| requires(inst) || self.uses(inst, ids));
        let outside = self.module.globals().filter(|inst| !is_declaration(inst) && requires(inst));
        self.cost_at(&code.chain(outside).map(|inst| inst.offset()).collect())
    }

    /// Returns true if an instruction refers to a type, constant or variable with one of the requirements.
    fn uses(&self, inst: &Instruction, ids: &[RequirementId]) -> bool {
        let mut uses = false;
        self.module.walk(inst, &mut |_, used: u32| {
            uses |= ids.iter().any(|&id| self.summaries.has_requirement(used, id));
        });
        uses
    }
}

fn bytes(inst: &Instruction) -> usize {
    4 * (inst.end() - inst.offset()) as usize
}

/// Returns true if an instruction only declares a capability or an extension.
pub(super) fn is_declaration(inst: &Instruction) -> bool {
    views::Capability::new(*inst).is_some() || views::Extension::new(*inst).is_some()
}
