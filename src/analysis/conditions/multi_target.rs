//! What is conditional in a module that is already multi-target (SPV_INTEL_function_variants).

use spirv::{Decoration, Op};
use thiserror::Error;

use crate::loader::{Instruction, Module};

/// The extension's name, as OpExtension declares it.
pub const EXTENSION: &str = "SPV_INTEL_function_variants";
/// The draft that [`EXTENSION`] absorbed.
pub const DRAFT_EXTENSION: &str = "SPV_INTEL_spec_conditional";
/// OpDeviceRegistryVersion, which the Khronos headers do not have (SPV_INTEL_function_variants, revision 0.13).
pub const OP_DEVICE_REGISTRY_VERSION: u16 = 6260;

/// Why the conditional parts of a module cannot be told.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MultiTargetError {
    /// An id with two ConditionalINTEL decorations, of its own or through decoration groups.
    #[error("{0} has more than one ConditionalINTEL decoration: join their conditions into one")]
    Twice(String),
}

/// One ConditionalINTEL decoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// What is decorated: an id, or a decoration group.
    pub target: u32,
    /// The constant that decides.
    pub condition: u32,
    /// Where the decoration is, in words.
    pub offset: u32,
}

/// What is conditional in a module. Offsets are in words, in the order of the module.
#[derive(Clone, Debug, Default)]
pub struct MultiTarget {
    /// Each OpConditionalCapabilityINTEL.
    pub capabilities: Vec<u32>,
    /// Each OpConditionalExtensionINTEL.
    pub extensions: Vec<u32>,
    /// Each OpConditionalEntryPointINTEL.
    pub entry_points: Vec<u32>,
    /// The three kinds of device constants (OpSpecConstantTargetINTEL, ...ArchitectureINTEL, ...CapabilitiesINTEL).
    pub device_constants: Vec<u32>,
    /// What declares the extension: OpCapability, OpExtension and OpDeviceRegistryVersion.
    pub declarations: Vec<u32>,
    /// The decorations as they stand: groups are not expanded.
    pub decorations: Vec<Conditional>,
    /// By id: its condition, or 0. Groups are expanded.
    conditions: Vec<u32>,
    targets: Vec<u32>,
}

impl MultiTarget {
    /// Finds everything in one pass over what stands before the first function.
    ///
    /// # Errors
    /// Where an id is decorated twice.
    pub fn find(module: &Module) -> Result<MultiTarget, MultiTargetError> {
        #[cfg(test)]
        crate::tests::tally::note("conditionals", module, &());
        let mut found = MultiTarget::default();
        let mut groups = Vec::new();
        for inst in module.globals() {
            let Some(op) = kind(&inst) else { continue };
            match op {
                Kind::Capability => found.capabilities.push(inst.offset()),
                Kind::Extension => found.extensions.push(inst.offset()),
                Kind::EntryPoint => found.entry_points.push(inst.offset()),
                Kind::DeviceConstant => found.device_constants.push(inst.offset()),
                Kind::Declaration => found.declarations.push(inst.offset()),
                Kind::Decoration => found.decorations.push(Conditional {
                    target: inst.word(1),
                    condition: inst.word(3),
                    offset: inst.offset(),
                }),
                Kind::Group => groups.push(inst),
            }
        }
        if !found.decorations.is_empty() {
            found.conditions.resize(module.bound() as usize, 0);
        }
        for at in 0..found.decorations.len() {
            let Conditional { target, condition, .. } = found.decorations[at];
            found.of(module, target, condition)?;
        }
        for group in groups {
            let Some(condition) = found.condition(group.word(1)) else { continue };
            for &target in group.words_from(2) {
                found.of(module, target, condition)?;
            }
        }
        found.targets.retain(|&target| module.definition_as(target, Op::DecorationGroup).is_none());
        Ok(found)
    }

    fn of(&mut self, module: &Module, target: u32, condition: u32) -> Result<(), MultiTargetError> {
        let slot = &mut self.conditions[target as usize];
        if *slot != 0 {
            return Err(MultiTargetError::Twice(describe(module, target)));
        }
        *slot = condition;
        self.targets.push(target);
        Ok(())
    }

    /// The condition of an id, if it has one.
    pub fn condition(&self, id: u32) -> Option<u32> {
        self.conditions.get(id as usize).copied().filter(|&condition| condition != 0)
    }

    /// The ids that are conditional; decoration groups are expanded.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Whether the module has nothing of the extension.
    pub fn is_empty(&self) -> bool {
        self.capabilities.is_empty()
            && self.extensions.is_empty()
            && self.entry_points.is_empty()
            && self.device_constants.is_empty()
            && self.declarations.is_empty()
            && self.decorations.is_empty()
    }
}

/// Whether a module declares the extension: what has something conditional does.
pub fn declares_extension(module: &Module) -> bool {
    let mut extensions = module.head().filter(|inst| inst.is(Op::Extension));
    extensions.any(|inst| [EXTENSION, DRAFT_EXTENSION].contains(&&*inst.string(1)))
}

enum Kind {
    Capability,
    Extension,
    EntryPoint,
    DeviceConstant,
    Declaration,
    Decoration,
    Group,
}

fn kind(inst: &Instruction) -> Option<Kind> {
    if inst.opcode() == OP_DEVICE_REGISTRY_VERSION {
        return Some(Kind::Declaration);
    }
    match inst.op()? {
        Op::ConditionalCapabilityINTEL => Some(Kind::Capability),
        Op::ConditionalExtensionINTEL => Some(Kind::Extension),
        Op::ConditionalEntryPointINTEL => Some(Kind::EntryPoint),
        Op::SpecConstantTargetINTEL
        | Op::SpecConstantArchitectureINTEL
        | Op::SpecConstantCapabilitiesINTEL => Some(Kind::DeviceConstant),
        Op::Capability => {
            let own = [spirv::Capability::SpecConditionalINTEL, spirv::Capability::FunctionVariantsINTEL];
            own.iter().any(|&capability| inst.word(1) == capability as u32).then_some(Kind::Declaration)
        }
        Op::Extension => {
            let name = inst.string(1);
            (name == EXTENSION || name == DRAFT_EXTENSION).then_some(Kind::Declaration)
        }
        Op::Decorate | Op::DecorateId => condition_of(inst).map(|_| Kind::Decoration),
        Op::GroupDecorate => Some(Kind::Group),
        _ => None,
    }
}

/// The condition of a ConditionalINTEL decoration; `None` for all other instructions.
pub fn condition_of(inst: &Instruction) -> Option<u32> {
    let decorates = inst.is(Op::Decorate) || inst.is(Op::DecorateId);
    (decorates && inst.word(2) == Decoration::ConditionalINTEL as u32).then(|| inst.word(3))
}

/// An id as messages show it: with its OpName, if it has one. Looks through the whole module.
pub(crate) fn describe(module: &Module, id: u32) -> String {
    let name = module.annotations().find(|inst| inst.is(Op::Name) && inst.word(1) == id);
    match name.map(|name| name.string(2)) {
        Some(name) if !name.is_empty() => format!("%{id} ({name})"),
        _ => format!("%{id}"),
    }
}
