//! Removes capabilities and extensions that nothing in a module needs.

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use spirv::{Capability, Op};

use crate::analysis::requirements::{
    Declaration, InstructionRequirements, Requirement, RequirementSet, closure_of, cover, is_always_kept,
    is_judged_extension,
};
use crate::loader::{Instruction, Module};
use crate::transform::Edits;

/// What [`trim`] found.
#[derive(Clone, Debug)]
pub struct Trimmed {
    /// The changes to the module.
    pub edits: Edits,
    /// The capabilities that go, in the order of the module.
    pub capabilities: Vec<Capability>,
    /// The extensions that go, in the order of the module.
    pub extensions: Vec<String>,
}

/// Finds the declared capabilities and extensions that nothing in a module needs. What we cannot judge stays, and so does what is
/// declared under a condition; where several would do, one of them stays.
pub fn trim(module: &Module) -> Trimmed {
    let needs = InstructionRequirements::declared(module);
    let mut needed = RequirementSet::EMPTY;
    let declares =
        |inst: &Instruction| matches!(inst.op(), Some(Op::Capability | Op::ConditionalCapabilityINTEL));
    for inst in module.globals().filter(|inst| !declares(inst)) {
        needs.add(&inst, &mut needed);
    }
    for function in module.functions() {
        module.body(function).for_each(|inst| needs.add(&inst, &mut needed));
    }
    unneeded(module, &needs, needed)
}

/// What [`trim`] finds, where it is known already what all instructions need, declarations left out.
pub fn unneeded(module: &Module, needs: &InstructionRequirements, mut needed: RequirementSet) -> Trimmed {
    let mut trimmed = Trimmed { edits: Edits::new(module), capabilities: Vec::new(), extensions: Vec::new() };
    trimmed.capabilities(module, needs, &mut needed);
    trimmed.extensions(module, &needed);
    trimmed
}

impl Trimmed {
    /// The names of what goes.
    pub fn names(&self) -> Vec<String> {
        let capabilities = self.capabilities.iter().map(|capability| format!("{capability:?}"));
        capabilities.chain(self.extensions.iter().cloned()).collect()
    }

    /// Drops capabilities; adds what those that stay need of extensions.
    fn capabilities(
        &mut self,
        module: &Module,
        needs: &InstructionRequirements,
        needed: &mut RequirementSet,
    ) {
        let mut seen = HashSet::new();
        let mut instructions = Vec::new();
        for inst in module.head() {
            match inst.op() {
                Some(Op::ConditionalCapabilityINTEL) => needs.add(&inst, needed),
                Some(Op::Capability) if seen.insert(inst.word(1)) => instructions.push(inst),
                // Linkers may declare one twice.
                Some(Op::Capability) => self.edits.drop(&inst),
                _ => {}
            }
        }
        let declarations: Vec<Declaration<Capability>> = instructions
            .iter()
            .map(|inst| {
                let capability = Capability::from_u32(inst.word(1));
                Declaration {
                    provides: closure_of(inst.word(1)).to_vec(),
                    kept: capability.is_none_or(is_always_kept),
                }
            })
            .collect();
        let requirements = needed.iter().filter_map(|id| match id.get() {
            Requirement::Capabilities(any) => Some(any.as_slice()),
            Requirement::Extensions(_) | Requirement::Aspect(_) => None,
        });
        let kept = cover(&declarations, requirements);
        for ((inst, declaration), kept) in instructions.iter().zip(declarations).zip(kept) {
            if kept {
                // What it implies comes from an extension as well.
                declaration.provides.into_iter().for_each(|implied| needs.declaring(implied, needed));
            } else {
                self.edits.drop(inst);
                self.capabilities.extend(Capability::from_u32(inst.word(1)));
            }
        }
    }

    fn extensions(&mut self, module: &Module, needed: &RequirementSet) {
        let mut seen = HashSet::new();
        let mut instructions = Vec::new();
        for inst in module.head().filter(|inst| inst.is(Op::Extension)) {
            let name = inst.string(1);
            match seen.insert(name.clone()) {
                true => instructions.push((inst, name)),
                false => self.edits.drop(&inst),
            }
        }
        let declarations: Vec<Declaration<&str>> = instructions
            .iter()
            .map(|(_, name)| Declaration { provides: vec![name.as_ref()], kept: !is_judged_extension(name) })
            .collect();
        let requirements = needed.iter().filter_map(|id| match id.get() {
            Requirement::Extensions(any) => Some(any.as_slice()),
            Requirement::Capabilities(_) | Requirement::Aspect(_) => None,
        });
        for ((inst, name), kept) in instructions.iter().zip(cover(&declarations, requirements)) {
            if !kept {
                self.edits.drop(inst);
                self.extensions.push(name.to_string());
            }
        }
    }
}
