//! Calls whose types require the features of their condition.

use std::collections::{BTreeSet, HashSet};

use super::tree::FamilyTree;
use super::{AddOnSource, FamilyOptions};
use spirv_if::device::Capability;
use spirv_if::engine::analysis::promises;
use spirv_if::engine::analysis::requirements::{
    InstructionRequirements, Requirement, RequirementId, is_of_kernels,
};
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::pipelines::PipelineError;

/// A call that cannot be in the image that makes it.
pub(super) struct BadCall {
    /// The number of the action.
    pub action: usize,
    /// A capability that the types of the call require.
    pub capability: Capability,
}

impl FamilyTree {
    /// Finds a call that makes the image itself require the condition of its action.
    pub fn bad_call(
        &mut self,
        number: usize,
        source: &AddOnSource,
        module: &Module,
        options: &FamilyOptions,
    ) -> Result<Option<BadCall>, PipelineError> {
        let (node, conditions) = (&self.nodes[number], &mut self.conditions);
        if node.table.is_empty() {
            return Ok(None);
        }
        let requirements = InstructionRequirements::declared(module);
        let imports: HashSet<u32> = node.table.iter().map(|(at, _)| source.actions[*at].import).collect();
        let mut needed_anyway: Vec<(RequirementId, bool)> = Vec::new();
        for &(action, _) in &node.table {
            let action_condition = conditions.of_expr(&source.actions[action].condition)?;
            for required in requirements_of_signature(module, &requirements, source.actions[action].import) {
                let Requirement::Capabilities(any) = required.get() else { continue };
                let of_kernels = is_of_kernels(module);
                let devices = Some(options.devices);
                if !promises(conditions, devices, action_condition, required, of_kernels)?
                    || promises(conditions, devices, node.path, required, of_kernels)?
                {
                    continue;
                }
                let known = needed_anyway.iter().find(|(id, _)| *id == required).map(|(_, anyway)| *anyway);
                let anyway = known.unwrap_or_else(|| in_code(module, &requirements, required, &imports));
                needed_anyway.push((required, anyway));
                if let (false, Some(&capability)) = (anyway, any.first()) {
                    return Ok(Some(BadCall { action, capability: Capability(capability) }));
                }
            }
        }
        Ok(None)
    }
}

/// Returns the requirements of the types of a function's parameters and result.
fn requirements_of_signature(
    module: &Module,
    requirements: &InstructionRequirements,
    function: u32,
) -> BTreeSet<RequirementId> {
    let mut required = BTreeSet::new();
    let function_type =
        module.definition(function).and_then(views::Function::new).map(|function| function.function_type());
    let mut stack: Vec<u32> = function_type.into_iter().collect();
    let mut seen: HashSet<u32> = HashSet::new();
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Some(inst) = module.definition(id) else { continue };
        required.extend(requirements.find(&inst).iter());
        module.walk(&inst, &mut |_, id: u32| stack.push(id));
    }
    required
}

/// Returns true if the code of a module has a requirement besides calls of these functions.
fn in_code(
    module: &Module,
    requirements: &InstructionRequirements,
    required: RequirementId,
    imports: &HashSet<u32>,
) -> bool {
    let mut having: HashSet<u32> = HashSet::new();
    for inst in module.globals() {
        let Some(id) = inst.result_id() else { continue };
        let mut has = requirements.find(&inst).contains(required);
        module.walk(&inst, &mut |_, id: u32| has |= having.contains(&id));
        if has {
            having.insert(id);
        }
    }
    let has = |inst: &spirv_if::engine::loader::Instruction| {
        let call = views::FunctionCall::new(*inst).is_some_and(|call| imports.contains(&call.callee()));
        let mut has = requirements.find(inst).contains(required);
        module.walk(inst, &mut |_, id: u32| has |= having.contains(&id));
        has && !call
    };
    let functions = module.functions().iter().filter(|function| !imports.contains(&function.id));
    functions.into_iter().any(|function| module.body(function).any(|inst| has(&inst)))
}
