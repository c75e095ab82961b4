//! Removes declared capabilities and extensions that no instruction of a module requires, and decorates storage NonWritable that nothing
//! writes, where a stage otherwise requires a feature of Vulkan.

mod read_only;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use spirv::Op;

use crate::analysis::requirements::{
    CoverCandidate, InstructionRequirements, Requirement, RequirementSet, closure_of, cover, is_always_kept,
    is_judged_extension,
};
use crate::device::Capability;
use crate::loader::{Instruction, Module, views};
use crate::transform::Edits;
use crate::transform::edits::NewInstruction;
use crate::transform::insertion::InsertionPoints;

/// The result of [`trim`].
#[derive(Clone, Debug)]
pub struct TrimResult {
    /// The changes to the module.
    pub edits: Edits,
    /// The removed capabilities, in the order of the module.
    pub capabilities: Vec<u32>,
    /// The removed extensions, in the order of the module.
    pub extensions: Vec<String>,
    /// The variables that are now decorated NonWritable, in the order of the module.
    pub read_only: Vec<u32>,
}

/// Finds the declared capabilities and extensions that no instruction of a module requires. Those without complete rules are kept,
/// and so are those declared under a condition; where one of several is enough, one is kept. Storage that nothing writes becomes NonWritable
/// where that lowers the requirements of the module on Vulkan.
pub fn trim(module: &Module) -> TrimResult {
    let of_instructions = InstructionRequirements::declared(module);
    let mut required = RequirementSet::EMPTY;
    let declares =
        |inst: &Instruction| matches!(inst.op(), Some(Op::Capability | Op::ConditionalCapabilityINTEL));
    for inst in module.globals().filter(|inst| !declares(inst)) {
        of_instructions.add(&inst, &mut required);
    }
    for function in module.functions() {
        module.body(function).for_each(|inst| of_instructions.add(&inst, &mut required));
    }
    let mut trimmed = unneeded(module, &of_instructions, required);
    trimmed.read_only = read_only::read_only_variables(module);
    if !trimmed.read_only.is_empty() {
        let place = InsertionPoints::find(module).annotations;
        for &variable in &trimmed.read_only {
            let operands = read_only::decoration(variable);
            trimmed.edits.insert(place, &NewInstruction::new(Op::Decorate, None, None, operands));
        }
    }
    trimmed
}

/// Like [`trim`], but with known requirements of all instructions other than declarations.
pub fn unneeded(
    module: &Module,
    of_instructions: &InstructionRequirements,
    mut required: RequirementSet,
) -> TrimResult {
    let mut trimmed = TrimResult {
        edits: Edits::new(module),
        capabilities: Vec::new(),
        extensions: Vec::new(),
        read_only: Vec::new(),
    };
    trimmed.capabilities(module, of_instructions, &mut required);
    trimmed.extensions(module, &required);
    trimmed
}

impl TrimResult {
    /// The names of the removed capabilities and extensions.
    pub fn names(&self) -> Vec<String> {
        let capabilities = self.capabilities.iter().map(|&number| Capability(number).to_string());
        capabilities.chain(self.extensions.iter().cloned()).collect()
    }

    /// Drops capabilities; adds the extensions that the kept ones require.
    fn capabilities(
        &mut self,
        module: &Module,
        of_instructions: &InstructionRequirements,
        required: &mut RequirementSet,
    ) {
        let mut seen = HashSet::new();
        let mut instructions = Vec::new();
        for inst in module.declarations() {
            match inst.op() {
                Some(Op::ConditionalCapabilityINTEL) => of_instructions.add(&inst, required),
                Some(Op::Capability) => match views::Capability(inst) {
                    inst if seen.insert(inst.capability()) => instructions.push(inst),
                    // Linkers may declare one twice.
                    inst => self.edits.drop(&inst),
                },
                _ => {}
            }
        }
        let declarations: Vec<CoverCandidate<u32>> = instructions
            .iter()
            .map(|inst| {
                let number = inst.capability();
                let kept = is_always_kept(number);
                CoverCandidate { provides: closure_of(number).to_vec(), kept }
            })
            .collect();
        let requirements = required.iter().filter_map(|id| match id.get() {
            Requirement::Capabilities(any) => Some(*any),
            Requirement::Extensions(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        });
        let kept = cover(&declarations, requirements);
        for ((inst, declaration), kept) in instructions.iter().zip(declarations).zip(kept) {
            if kept {
                // What it implies comes from an extension as well.
                declaration
                    .provides
                    .into_iter()
                    .for_each(|implied| of_instructions.declaring(implied, required));
            } else {
                self.edits.drop(inst);
                self.capabilities.push(inst.capability());
            }
        }
    }

    fn extensions(&mut self, module: &Module, required: &RequirementSet) {
        let mut seen = HashSet::new();
        let mut instructions = Vec::new();
        for inst in module.extensions().filter(|inst| inst.condition().is_none()) {
            let name = inst.name();
            match seen.insert(name.clone()) {
                true => instructions.push((inst, name)),
                false => self.edits.drop(&inst),
            }
        }
        let declarations: Vec<CoverCandidate<&str>> = instructions
            .iter()
            .map(|(_, name)| CoverCandidate {
                provides: vec![name.as_ref()],
                kept: !is_judged_extension(name),
            })
            .collect();
        let requirements = required.iter().filter_map(|id| match id.get() {
            Requirement::Extensions(any) => Some(*any),
            Requirement::Capabilities(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        });
        for ((inst, name), kept) in instructions.iter().zip(cover(&declarations, requirements)) {
            if !kept {
                self.edits.drop(inst);
                self.extensions.push(name.to_string());
            }
        }
    }
}
