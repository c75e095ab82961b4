//! The conditional constructs of a module that is already multi-target (SPV_INTEL_function_variants).

use spirv::{Capability, Decoration, Op};
use thiserror::Error;

use crate::loader::{HEADER_WORDS, Instruction, Module, views};

/// The extension's name, as OpExtension declares it.
pub const EXTENSION: &str = "SPV_INTEL_function_variants";
/// The draft that [`EXTENSION`] absorbed.
pub const DRAFT_EXTENSION: &str = "SPV_INTEL_spec_conditional";
/// OpDeviceRegistryVersion, which the Khronos headers do not have (SPV_INTEL_function_variants, revision 0.13).
pub const OP_DEVICE_REGISTRY_VERSION: u16 = 6260;

/// The capabilities of the extension.
const CAPABILITIES: [Capability; 2] = [Capability::SpecConditionalINTEL, Capability::FunctionVariantsINTEL];

/// A contradiction between the conditional constructs of a module.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum MultiTargetError {
    /// An id with two ConditionalINTEL decorations, of its own or through decoration groups.
    #[error("{0} has more than one ConditionalINTEL decoration: combine their conditions in one")]
    Twice(String),
}

/// One ConditionalINTEL decoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConditionalDecoration {
    /// The decorated id, or decoration group.
    pub target: u32,
    /// The constant that is the condition.
    pub condition: u32,
    /// The offset of the decoration, in words.
    pub offset: u32,
}

/// The conditional constructs of a module. Offsets are in words, in the order of the module.
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
    /// The declarations of the extension: OpCapability, OpExtension and OpDeviceRegistryVersion.
    pub declarations: Vec<u32>,
    /// The decorations as written: groups are not expanded.
    pub decorations: Vec<ConditionalDecoration>,
    /// The functions with an OpConditionalCopyObjectINTEL, in order.
    pub with_copies: Vec<usize>,
    /// One more than the number of an id's condition, or 0, by id. Groups are expanded.
    numbers: Vec<u32>,
    targets: Vec<u32>,
    /// The conditions, each once, in order.
    all_conditions: Vec<u32>,
}

/// The conditions of a module without multi-target instructions.
pub static NOTHING: MultiTarget = MultiTarget {
    capabilities: Vec::new(),
    extensions: Vec::new(),
    entry_points: Vec::new(),
    device_constants: Vec::new(),
    declarations: Vec::new(),
    decorations: Vec::new(),
    with_copies: Vec::new(),
    numbers: Vec::new(),
    targets: Vec::new(),
    all_conditions: Vec::new(),
};

impl MultiTarget {
    /// Finds them all in one pass over the instructions before the first function.
    ///
    /// # Errors
    /// If an id is decorated twice.
    pub fn find(module: &Module) -> Result<MultiTarget, MultiTargetError> {
        tally!("conditionals", module, &());
        let mut multi_target = MultiTarget::default();
        if module.has_conditional_copies() {
            let functions = module.functions().iter().enumerate();
            let copies = functions.filter(|(_, function)| {
                module.body(function).any(|inst| inst.is(Op::ConditionalCopyObjectINTEL))
            });
            multi_target.with_copies.extend(copies.map(|(at, _)| at));
        }
        let mut groups = Vec::new();
        for inst in module.globals() {
            let Some(kind) = kind(inst) else { continue };
            match kind {
                MultiTargetKind::Capability => {
                    multi_target.capabilities.push(inst.offset());
                    multi_target.all_conditions.extend(views::Capability(inst).condition());
                }
                MultiTargetKind::Extension => {
                    multi_target.extensions.push(inst.offset());
                    multi_target.all_conditions.extend(views::Extension(inst).condition());
                }
                MultiTargetKind::EntryPoint => {
                    multi_target.entry_points.push(inst.offset());
                    multi_target.all_conditions.extend(views::EntryPoint(inst).condition());
                }
                MultiTargetKind::DeviceConstant => multi_target.device_constants.push(inst.offset()),
                MultiTargetKind::Declaration => multi_target.declarations.push(inst.offset()),
                MultiTargetKind::Decoration(decoration) => {
                    multi_target.decorations.push(ConditionalDecoration {
                        target: decoration.target(),
                        condition: decoration.condition(),
                        offset: inst.offset(),
                    })
                }
                MultiTargetKind::Group(group) => groups.push(group),
            }
        }
        if !multi_target.decorations.is_empty() {
            // Memory that is zero from the start: most of it is never touched.
            multi_target.numbers = vec![0; module.bound() as usize];
            multi_target
                .all_conditions
                .extend(multi_target.decorations.iter().map(|decoration| decoration.condition));
        }
        multi_target.all_conditions.sort_unstable();
        multi_target.all_conditions.dedup();
        for at in 0..multi_target.decorations.len() {
            let ConditionalDecoration { target, condition, .. } = multi_target.decorations[at];
            multi_target.add(module, target, condition)?;
        }
        for group in groups {
            let Some(condition) = multi_target.condition(group.group()) else { continue };
            for target in group.targets() {
                multi_target.add(module, target, condition)?;
            }
        }
        multi_target.targets.retain(|&target| module.definition_as(target, Op::DecorationGroup).is_none());
        Ok(multi_target)
    }

    fn add(&mut self, module: &Module, target: u32, condition: u32) -> Result<(), MultiTargetError> {
        let number = &mut self.numbers[target as usize];
        if *number != 0 {
            return Err(MultiTargetError::Twice(describe(module, target)));
        }
        *number = self.all_conditions.partition_point(|&other| other <= condition) as u32;
        self.targets.push(target);
        Ok(())
    }

    /// Returns the condition of an id, if it has one.
    pub fn condition(&self, id: u32) -> Option<u32> {
        self.condition_number(id).map(|number| self.all_conditions[number])
    }

    /// Returns the number of the condition of an id among [all](MultiTarget::all_conditions), if it has one.
    #[inline]
    pub fn condition_number(&self, id: u32) -> Option<usize> {
        (*self.numbers.get(id as usize)? as usize).checked_sub(1)
    }

    /// Returns the conditions of all conditional instructions except copies: each once, in order.
    pub fn targets(&self) -> &[u32] {
        &self.targets
    }

    /// Returns the conditions of all conditional constructs, except copies: each once, in order.
    pub fn all_conditions(&self) -> &[u32] {
        &self.all_conditions
    }

    /// Returns true if the module has nothing of the extension.
    pub fn is_empty(&self) -> bool {
        self.capabilities.is_empty()
            && self.extensions.is_empty()
            && self.entry_points.is_empty()
            && self.device_constants.is_empty()
            && self.declarations.is_empty()
            && self.decorations.is_empty()
            && self.with_copies.is_empty()
    }

    /// Returns the declarations of the extension that its constructs require and the module does not have, as messages show them.
    pub fn undeclared(&self, module: &Module) -> Vec<String> {
        use spirv::Capability::{FunctionVariantsINTEL, SpecConditionalINTEL};
        let conditional = !self.with_copies.is_empty()
            || !self.targets.is_empty()
            || [&self.capabilities, &self.extensions, &self.entry_points].iter().any(|all| !all.is_empty());
        let device_constants = !self.device_constants.is_empty();
        let declares =
            |capability| module.capabilities().any(|declared| declared.capability() == capability as u32);
        let mut missing = Vec::new();
        if device_constants && !declares(FunctionVariantsINTEL) {
            missing.push(format!("OpCapability {FunctionVariantsINTEL:?}"));
        } else if conditional && ![SpecConditionalINTEL, FunctionVariantsINTEL].into_iter().any(declares) {
            missing.push(format!("OpCapability {SpecConditionalINTEL:?}"));
        }
        if (conditional || device_constants) && !declares_extension(module) {
            missing.push(format!("OpExtension \"{EXTENSION}\""));
        }
        missing
    }
}

/// Returns true if the words of a module declare a capability of the extension, as every module with conditional constructs must. Reads only the
/// capabilities, which come first.
pub fn declares_conditional_code(words: &[u32]) -> bool {
    let is_swapped = words.first() == Some(&spirv::MAGIC_NUMBER.swap_bytes());
    let word = |index: usize| words.get(index).map(|&word| if is_swapped { word.swap_bytes() } else { word });
    let mut offset = HEADER_WORDS;
    while let Some(first) = word(offset) {
        let declared = match first & 0xffff {
            opcode if opcode == Op::Capability as u32 => word(offset + 1),
            opcode if opcode == Op::ConditionalCapabilityINTEL as u32 => None,
            _ => return false,
        };
        if declared.is_some_and(|number| CAPABILITIES.iter().any(|&capability| number == capability as u32)) {
            return true;
        }
        offset += (first >> 16).max(1) as usize;
    }
    false
}

/// Returns true if a module declares the extension, as every module with conditional constructs must.
pub fn declares_extension(module: &Module) -> bool {
    let mut extensions = module.extensions().filter(|extension| extension.condition().is_none());
    extensions.any(|extension| is_extension(extension))
}

fn is_extension(extension: views::Extension) -> bool {
    [EXTENSION, DRAFT_EXTENSION].contains(&&*extension.name())
}

enum MultiTargetKind<'m> {
    Capability,
    Extension,
    EntryPoint,
    DeviceConstant,
    Declaration,
    Decoration(views::Decoration<'m>),
    Group(views::GroupDecorate<'m>),
}

fn kind(inst: Instruction) -> Option<MultiTargetKind> {
    if inst.opcode() == OP_DEVICE_REGISTRY_VERSION {
        return Some(MultiTargetKind::Declaration);
    }
    match inst.op()? {
        Op::ConditionalCapabilityINTEL => Some(MultiTargetKind::Capability),
        Op::ConditionalExtensionINTEL => Some(MultiTargetKind::Extension),
        Op::ConditionalEntryPointINTEL => Some(MultiTargetKind::EntryPoint),
        _ if inst.is_device_constant() => Some(MultiTargetKind::DeviceConstant),
        Op::Capability => {
            let declared = views::Capability(inst).capability();
            CAPABILITIES
                .iter()
                .any(|&capability| declared == capability as u32)
                .then_some(MultiTargetKind::Declaration)
        }
        Op::Extension => is_extension(views::Extension(inst)).then_some(MultiTargetKind::Declaration),
        Op::Decorate | Op::DecorateId => {
            views::Decoration::with(inst, Decoration::ConditionalINTEL).map(MultiTargetKind::Decoration)
        }
        Op::GroupDecorate => Some(MultiTargetKind::Group(views::GroupDecorate(inst))),
        _ => None,
    }
}

/// Returns the condition of a ConditionalINTEL decoration; `None` for all other instructions.
pub fn condition_of(inst: &Instruction) -> Option<u32> {
    views::Decoration::with(*inst, Decoration::ConditionalINTEL).map(|decoration| decoration.condition())
}

/// Returns an id as messages show it: with its OpName, if it has one. Takes time linear in the module.
pub(crate) fn describe(module: &Module, id: u32) -> String {
    match module.names().find(|name| name.target() == id).map(|name| name.name()) {
        Some(name) if !name.is_empty() => format!("%{id} ({name})"),
        _ => format!("%{id}"),
    }
}
