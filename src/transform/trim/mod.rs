//! Removes declared capabilities and extensions that no instruction of a module requires. Declares an implied
//! capability instead of another if it is enough. Decorates storage that nothing writes NonWritable, where a stage
//! otherwise requires a feature of Vulkan.

mod read_only;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use spirv::Op;

use crate::analysis::requirements::{
    CoverCandidate, InstructionRequirements, Requirement, RequirementSet, closure_of, cover, is_always_kept,
    is_core, is_judged, is_judged_extension,
};
use crate::device::Capability;
use crate::device::capabilities::{extensions_of, is_or_implies};
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
    /// The capabilities that are declared instead of removed ones that imply them.
    pub narrowed: Vec<NarrowedCapability>,
    /// The removed extensions, in the order of the module.
    pub extensions: Vec<String>,
    /// The variables that are now decorated NonWritable, in the order of the module.
    pub read_only: Vec<u32>,
}

/// A capability that is declared instead of one that implies it, since nothing requires more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NarrowedCapability {
    /// The removed capability.
    pub from: u32,
    /// The capability that is declared instead.
    pub to: u32,
}

/// A declaration of a capability or an extension.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Declaration<'d> {
    /// A capability, by number.
    Capability(u32),
    /// An extension, by name.
    Extension(&'d str),
}

/// Finds the declared capabilities and extensions that no instruction of a module requires. Declarations without
/// complete rules are kept, as are conditional declarations and one of several sufficient alternatives. Storage that
/// nothing writes becomes NonWritable if that lowers the requirements on Vulkan.
pub fn trim(module: &Module) -> TrimResult {
    let mut trimmed = trim_declarations(module, &|_| true);
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

/// Like [`trim`], but removes only declarations for which `may_remove` is true.
pub fn trim_declarations(module: &Module, may_remove: &dyn Fn(Declaration) -> bool) -> TrimResult {
    let of_instructions = InstructionRequirements::declared(module);
    let mut required = RequirementSet::EMPTY;
    let declares = |inst: &Instruction| views::Capability::new(*inst).is_some();
    for inst in module.globals().filter(|inst| !declares(inst)) {
        of_instructions.add(&inst, &mut required);
    }
    for function in module.functions() {
        module.body(function).for_each(|inst| of_instructions.add(&inst, &mut required));
    }
    unneeded_of(module, &of_instructions, required, may_remove)
}

/// Like [`trim`], but with known requirements of all instructions other than declarations.
pub fn unneeded(
    module: &Module,
    of_instructions: &InstructionRequirements,
    required: RequirementSet,
) -> TrimResult {
    unneeded_of(module, of_instructions, required, &|_| true)
}

fn unneeded_of(
    module: &Module,
    of_instructions: &InstructionRequirements,
    mut required: RequirementSet,
    may_remove: &dyn Fn(Declaration) -> bool,
) -> TrimResult {
    let mut trimmed = TrimResult {
        edits: Edits::new(module),
        capabilities: Vec::new(),
        narrowed: Vec::new(),
        extensions: Vec::new(),
        read_only: Vec::new(),
    };
    trimmed.capabilities(module, of_instructions, &mut required, may_remove);
    trimmed.extensions(module, &required, may_remove);
    trimmed
}

impl TrimResult {
    /// Returns the names of the removed capabilities and extensions. A capability instead of which others are declared is followed by them, as in
    /// `UniformAndStorageBuffer16BitAccess (narrowed to StorageBuffer16BitAccess)`.
    pub fn names(&self) -> Vec<String> {
        let name = |&number: &u32| match &self.narrower(number)[..] {
            [] => Capability(number).to_string(),
            others => format!("{} (narrowed to {})", Capability(number), others.join(" and ")),
        };
        self.capabilities.iter().map(name).chain(self.extensions.iter().cloned()).collect()
    }

    /// Returns the names of the capabilities that are declared instead of a removed one.
    pub fn narrower(&self, removed: u32) -> Vec<String> {
        let narrowed = self.narrowed.iter().filter(|narrowed| narrowed.from == removed);
        narrowed.map(|narrowed| Capability(narrowed.to).to_string()).collect()
    }

    /// Drops and narrows capabilities; adds the extensions that the kept ones require.
    fn capabilities(
        &mut self,
        module: &Module,
        of_instructions: &InstructionRequirements,
        required: &mut RequirementSet,
        may_remove: &dyn Fn(Declaration) -> bool,
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
        let is_fixed = |number: u32| is_always_kept(number) || !may_remove(Declaration::Capability(number));
        let narrower = narrower(module, &seen, &|number| !is_fixed(number));
        let declared = instructions.iter().map(|inst| (inst.capability(), is_fixed(inst.capability())));
        let declarations: Vec<CoverCandidate<u32>> = declared
            .chain(narrower.iter().map(|&number| (number, false)))
            .map(|(number, kept)| CoverCandidate { provides: closure_of(number).to_vec(), kept })
            .collect();
        let requirements = required.iter().filter_map(|id| match id.get() {
            Requirement::Capabilities(any) => Some(*any),
            Requirement::Extensions(_) | Requirement::Aspect(_) | Requirement::Feature(_) => None,
        });
        let kept = cover(&declarations, requirements);
        // What a declaration implies comes from an extension as well.
        for (declaration, _) in declarations.iter().zip(&kept).filter(|&(_, &kept)| kept) {
            declaration.provides.iter().for_each(|&implied| of_instructions.declaring(implied, required));
        }
        let (kept, kept_narrower) = kept.split_at(instructions.len());
        let mut added: Vec<u32> = narrower
            .into_iter()
            .zip(kept_narrower)
            .filter(|&(_, &kept)| kept)
            .map(|(number, _)| number)
            .collect();
        for (inst, _) in instructions.iter().zip(kept).filter(|&(_, &kept)| !kept) {
            let from = inst.capability();
            self.capabilities.push(from);
            self.edits.drop(inst);
            for to in added.extract_if(.., |number| is_or_implies(from, *number)) {
                self.narrowed.push(NarrowedCapability { from, to });
                let declaration = NewInstruction::new(Op::Capability, None, None, vec![to]);
                self.edits.insert(inst.end(), &declaration);
            }
        }
    }

    fn extensions(
        &mut self,
        module: &Module,
        required: &RequirementSet,
        may_remove: &dyn Fn(Declaration) -> bool,
    ) {
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
                kept: !is_judged_extension(name) || !may_remove(Declaration::Extension(name)),
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

/// Returns the capabilities that may be declared instead of removable declarations that imply them. Nothing declares
/// these capabilities, the tables have all their uses, and the module declares their extension if they require one.
fn narrower(module: &Module, declared: &HashSet<u32>, is_removable: &dyn Fn(u32) -> bool) -> Vec<u32> {
    let has_extension = |number: u32| {
        let any = extensions_of(number).unwrap_or_default();
        let is_there = |name: &str| {
            is_core(name, module.version_word()) || module.extensions().any(|inst| inst.name() == name)
        };
        any.is_empty() || any.iter().any(|name| is_there(name))
    };
    let removable = declared.iter().copied().filter(|&number| is_removable(number));
    let mut narrower: Vec<u32> = removable.flat_map(closure_of).copied().collect();
    narrower.sort_unstable();
    narrower.dedup();
    narrower.retain(|number| !declared.contains(number) && is_judged(*number) && has_extension(*number));
    narrower
}
