//! The requirements of the instructions of one module.

use std::collections::HashSet;

use rspirv::grammar::OperandKind;
use spirv::{Capability, Decoration, ExecutionModel, FunctionControl, MemoryModel, Op};

use super::declarations::is_mere_mention;
use super::declared::closure;
use super::is_core;
use super::look::{OperandRules, Reasons};
use super::pointer_origins::PointerOrigins;
use super::set::LIMIT;
use super::table::{ModuleKind, RequirementTable, Requirements};
use super::types::{Contents, Types};
use super::uses::Use;
use super::values::GROUPS_FOR_ALL;
use super::vulkan;
use super::{Requirement, RequirementId, RequirementSet};
use crate::analysis::{AspectSources, Names, UnknownAspect};
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, Visitor, grammar, views};

/// The requirements of the instructions of one module.
///
/// Extensions are required only if the module declares a sufficient one. A valid module does not declare extensions that its version of
/// SPIR-V includes.
pub struct InstructionRequirements<'m> {
    pub(super) module: &'m Module<'m>,
    pub(super) types: Types,
    table: &'static RequirementTable,
    /// The capabilities that the module declares, with all that they imply.
    pub(super) capabilities: Vec<u32>,
    /// The requirements to find.
    relevant: RequirementSet,
    /// The requirements that a declaration of the module meets.
    met: RequirementSet,
    /// The reasons that apply in this module.
    reasons: Reasons,
    /// True if the module declares a capability that the grammar does not have, and unknown decorations and modes require that alone.
    declares_unknown: bool,
    /// The bits of memory operands that may have a requirement.
    memory_access: u32,
    /// The requirements of values of the small types in the module.
    small_values: Vec<(Contents, RequirementId)>,
    /// The requirement of each use in this module.
    uses: Vec<Option<RequirementId>>,
    /// The imported extended instruction sets whose instructions have requirements.
    sets: Vec<(u32, &'static [Requirements])>,
    /// Built-in members with a requirement only where they are accessed: struct, member, and requirement.
    pub(super) members: Vec<(u32, u32, RequirementId)>,
    /// The types (and groups of decorations) that are decorated Block or BufferBlock, with that decoration; sorted.
    pub(super) blocks: Vec<(u32, u32)>,
    pub(super) facts: Facts,
    /// The storage buffers that pointers point into, if they matter.
    pub(super) origins: Option<PointerOrigins>,
    /// The requirements listed for instructions, by result id: the aspects that a type or function itself requires, or numbers.
    listed: IdMap<RequirementSet>,
    /// The ids and members decorated in a way that decides Vulkan features, if these are to be found.
    pub(super) vulkan_decorations: HashSet<(u32, Option<u32>, Decoration)>,
    /// The execution modes for floats of each entry point, if features of Vulkan are to be found.
    pub(super) float_modes: IdMap<vulkan::FloatModes>,
}

/// Facts on a whole module.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    pub shader: bool,
    /// True if pointers are abstract, those to physical storage excepted.
    pub logical: bool,
    pub vulkan_memory_model: bool,
    /// The version of SPIR-V, as the module's header has it.
    pub version: u32,
    pub non_uniform: bool,
    pub entry_points: bool,
    pub tessellation: bool,
    pub geometry: bool,
    /// True if a vertex or tessellation evaluation shader is among the entry points.
    pub before_geometry: bool,
}

impl<'m> InstructionRequirements<'m> {
    /// Sets up the rules for a module, for the requirements that declarations of the module meet.
    pub fn declared(module: &'m Module<'m>) -> InstructionRequirements<'m> {
        InstructionRequirements::new(module, |_| {})
    }

    /// Sets up the rules for a module, for all requirements, independent of the module's declarations. Those on features of Vulkan that no
    /// capability names are among them.
    pub fn all(module: &'m Module<'m>) -> InstructionRequirements<'m> {
        let mut requirements = InstructionRequirements::new(module, |relevant| {
            let is_met = |id: &RequirementId| matches!(id.get(), Requirement::Capabilities(_));
            RequirementId::all().filter(is_met).for_each(|id| relevant.insert(id));
        });
        requirements.declares_unknown =
            module.capabilities().any(|declared| grammar::capability_of(declared.capability()).is_none());
        requirements.add_features();
        requirements
    }

    /// Sets up the rules for the features of Vulkan that no capability names, and no others. A module that does not declare Shader has none of
    /// these requirements.
    pub fn vulkan(module: &'m Module<'m>) -> InstructionRequirements<'m> {
        let mut requirements = InstructionRequirements::new(module, |_| {});
        (requirements.relevant, requirements.met) = (RequirementSet::EMPTY, RequirementSet::EMPTY);
        requirements.reasons = Reasons::empty();
        requirements.add_features();
        requirements
    }

    /// Adds the rules for the features of Vulkan that no capability names.
    fn add_features(&mut self) {
        if self.facts.shader {
            self.table.by_feature.iter().for_each(|&(_, id)| self.relevant.insert(id));
            self.reasons |= Reasons::VULKAN;
            self.vulkan_decorations = vulkan::decorations(self.module);
            self.float_modes = vulkan::FloatModes::read(self.module);
        }
    }

    /// Sets up the rules for types and instructions with numbers, by result id: their requirements are these numbers
    /// ([`RequirementId::index`]) instead of those of the table. Numbers that no set has room for are left out.
    pub fn numbered(module: &'m Module<'m>, numbers: &[(u32, usize)]) -> InstructionRequirements<'m> {
        let mut requirements = InstructionRequirements::new(module, |_| {});
        (requirements.relevant, requirements.met) = (RequirementSet::EMPTY, RequirementSet::EMPTY);
        requirements.small_values = Vec::new();
        requirements.reasons = Reasons::LISTED;
        for &(id, number) in numbers.iter().filter(|(_, number)| *number < LIMIT) {
            requirements
                .listed
                .entry(id)
                .or_insert(RequirementSet::EMPTY)
                .insert(RequirementId(number as u16));
        }
        requirements
    }

    /// Sets up the rules for the requirements that declarations of the module meet, and those that `add` adds.
    fn new(module: &'m Module<'m>, add: fn(&mut RequirementSet)) -> InstructionRequirements<'m> {
        let table = RequirementTable::get();
        let capabilities = closure(module.capabilities().map(|declared| declared.capability()));
        let extensions: Vec<_> = module.extensions().map(|declared| declared.name()).collect();
        let version = module.version_word();
        let of_declared = extensions.iter().flat_map(|name| table.met_by_extension(name));
        let not_core = of_declared.filter(|id| match id.get() {
            Requirement::Extensions(any) => !any.iter().any(|name| is_core(name, version)),
            _ => false,
        });
        let mut met = RequirementSet::EMPTY;
        for id in capabilities.iter().flat_map(|&capability| table.met_by_capability(capability)) {
            met.insert(id);
        }
        not_core.for_each(|id| met.insert(id));
        let mut relevant = met;
        add(&mut relevant);
        let mut requirements = InstructionRequirements {
            module,
            types: Types::read(module),
            table,
            relevant,
            met,
            reasons: Reasons::empty(),
            declares_unknown: false,
            memory_access: 0,
            small_values: Vec::new(),
            uses: Vec::new(),
            sets: Vec::new(),
            members: Vec::new(),
            blocks: Vec::new(),
            facts: Facts {
                version,
                shader: capabilities.contains(&(Capability::Shader as u32)),
                ..Facts::default()
            },
            capabilities,
            origins: None,
            listed: IdMap::new(),
            vulkan_decorations: HashSet::new(),
            float_modes: IdMap::new(),
        };
        requirements.read_module();
        requirements.set_up_uses();
        requirements.set_up_reasons();
        requirements
    }

    /// Adds the aspects that types and functions require in addition to those of their instructions.
    ///
    /// # Errors
    /// If an aspect is not a known one.
    pub fn with_aspects(
        mut self,
        names: &Names,
        sources: &AspectSources,
    ) -> Result<InstructionRequirements<'m>, UnknownAspect> {
        for (id, aspects) in sources.aspects_in(self.module, names) {
            self.reasons |= Reasons::LISTED;
            let set = self.listed.entry(id).or_insert(RequirementSet::EMPTY);
            for &aspect in aspects {
                set.insert(RequirementId::from_aspect(aspect).ok_or(UnknownAspect(aspect))?);
            }
        }
        Ok(self)
    }

    fn read_module(&mut self) {
        let facts = &mut self.facts;
        // The blocks by target. The decoration of a group applies to the members of the group.
        let mut block_groups: IdMap<Vec<u32>> = IdMap::new();
        for inst in self.module.annotations() {
            match inst.op() {
                Some(Op::MemoryModel) => {
                    let model = views::MemoryModel(inst);
                    facts.logical = !self.module.has_addresses();
                    facts.vulkan_memory_model = model.memory_model() == MemoryModel::Vulkan as u32;
                }
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    facts.entry_point(views::EntryPoint(inst).execution_model());
                }
                Some(Op::Decorate) => {
                    let decoration = views::Decoration(inst);
                    match Decoration::from_u32(decoration.decoration()) {
                        Some(Decoration::NonUniform) => facts.non_uniform = true,
                        Some(Decoration::Block | Decoration::BufferBlock) => {
                            let (target, block) = (decoration.target(), decoration.decoration());
                            self.blocks.push((target, block));
                            if self.module.definition_as(target, Op::DecorationGroup).is_some() {
                                block_groups.entry(target).or_default().push(block);
                            }
                        }
                        _ => {}
                    }
                }
                Some(Op::GroupDecorate) => {
                    let applied = views::GroupDecorate(inst);
                    let decorations = block_groups.get(&applied.group());
                    let blocks = decorations
                        .into_iter()
                        .flatten()
                        .flat_map(|&block| applied.targets().map(move |target| (target, block)));
                    self.blocks.extend(blocks);
                }
                Some(Op::MemberDecorate) => {
                    let decoration = views::Decoration(inst);
                    let built_in = decoration.built_in();
                    if let Some(member) = decoration.member()
                        && decoration.is_a(Decoration::BuiltIn)
                        && is_mere_mention(built_in)
                    {
                        let required =
                            self.table.enumerant(OperandKind::BuiltIn, built_in).unwrap_or_default();
                        self.members.extend(required.iter().map(|&id| (decoration.target(), member, id)));
                    }
                }
                Some(Op::ExtInstImport) => {
                    let import = views::ExtInstImport(inst);
                    let required = self.table.extended(&import.name());
                    if !required.is_empty() {
                        self.sets.push((import.id(), required));
                    }
                }
                _ => {}
            }
        }
        self.blocks.sort_unstable();
    }

    fn set_up_uses(&mut self) {
        let kernel = self.capabilities.contains(&(Capability::Kernel as u32));
        let in_module = |of: ModuleKind| match of {
            ModuleKind::Any => true,
            ModuleKind::Shader => self.facts.shader,
            ModuleKind::Kernel => kernel,
        };
        let uses = Use::ALL.iter().map(|&(use_, _)| {
            let (id, of) = self.table.use_(use_)?;
            (in_module(of) && self.relevant.contains(id)).then_some(id)
        });
        self.uses = uses.collect();
    }

    fn set_up_reasons(&mut self) {
        let wanted = |use_: Use| self.requirement_of_use(use_).is_some();
        let scopes = self.facts.vulkan_memory_model && wanted(Use::DeviceScope)
            || self.facts.version < GROUPS_FOR_ALL && wanted(Use::SubgroupScope);
        let mut reasons = self.table.reasons(&self.relevant)
            | Reasons::OPCODE
            | Reasons::MODULE
            | Reasons::DECLARATION
            | Reasons::VALUE
            | Reasons::ACCESS_CHAIN;
        reasons.set(Reasons::VARIABLE_POINTER, self.facts.logical && wanted(Use::VariablePointer));
        let untyped = self.capabilities.contains(&(Capability::UntypedPointersKHR as u32));
        reasons.set(Reasons::MEMORY, !self.members.is_empty() || untyped);
        reasons.set(Reasons::EXTENDED, !self.sets.is_empty());
        reasons.set(Reasons::SCOPES, scopes);
        reasons.set(Reasons::SEMANTICS, wanted(Use::UniformSemantics));
        let origins = self.facts.logical && wanted(Use::UnconfinedPointer);
        self.reasons = reasons;
        self.origins = origins.then(|| PointerOrigins::read(self.module));
        let matters = |&bit: &u32| match self.table.enumerant(OperandKind::MemoryAccess, bit) {
            Some(required) => required.iter().any(|&id| self.relevant.contains(id)),
            None => true,
        };
        self.memory_access = (0..32).map(|at| 1 << at).filter(matters).sum();
        let values = [
            (Contents::INT8, Use::Int8Value),
            (Contents::INT16, Use::Int16Value),
            (Contents::FLOAT16, Use::Float16Value),
        ];
        let small = self.types.any_small();
        let values = values.into_iter().filter(|(contents, _)| small.contains(*contents));
        self.small_values =
            values.filter_map(|(contents, use_)| Some((contents, self.requirement_of_use(use_)?))).collect();
    }

    /// Returns the requirement of a use in this module, if it is to be found.
    #[inline]
    pub(super) fn requirement_of_use(&self, use_: Use) -> Option<RequirementId> {
        self.uses.get(use_ as usize).copied().flatten()
    }

    /// Returns true if a capability that the module declares meets the requirement of a use.
    pub(super) fn is_met(&self, use_: Use) -> bool {
        let required = self.requirement_of_use(use_).map(RequirementId::get);
        matches!(required, Some(Requirement::Capabilities(any)) if any.iter().any(|capability| self.capabilities.contains(capability)))
    }

    /// Adds the requirements of an instruction.
    #[inline]
    pub fn add(&self, inst: &Instruction, set: &mut RequirementSet) {
        let Some(look) = self.table.look(inst.opcode()) else { return self.unknown(set) };
        let reasons = look.reasons & self.reasons;
        if !reasons.is_empty() {
            self.add_looking(inst, look, reasons, set);
        }
        if !self.small_values.iter().all(|&(_, id)| set.contains(id)) {
            self.small_value(inst, look.values, set);
        }
    }

    fn add_looking(
        &self,
        inst: &Instruction,
        look: &OperandRules,
        reasons: Reasons,
        set: &mut RequirementSet,
    ) {
        if reasons.contains(Reasons::OPCODE) {
            self.table.opcode(inst.opcode()).iter().for_each(|&id| self.require(id, set));
        }
        // Most loads and stores have no memory operands with requirements.
        let plain = look.memory_access != 0 && inst.word(look.memory_access.into()) & self.memory_access == 0;
        if reasons.intersects(Reasons::ENUMERANTS) && !plain {
            let mut visitor = EnumerantCollector { requirements: self, inst, set };
            self.module.walk(inst, &mut visitor);
        }
        if reasons.intersects(Reasons::ITSELF) {
            self.look_at(inst, reasons, set);
        }
        if reasons.contains(Reasons::VULKAN)
            && let Some(op) = inst.op()
        {
            self.vulkan_use(op, inst, set);
        }
        if reasons.contains(Reasons::SCOPES) && !plain {
            self.scopes(inst, look.scopes, set);
        }
        if reasons.contains(Reasons::SEMANTICS) {
            self.semantics(inst, look.semantics, set);
        }
        if reasons.contains(Reasons::LISTED) {
            let listed = inst.result_id().and_then(|id| self.listed.get(&id));
            if let Some(listed) = listed {
                set.extend(listed);
            }
        }
    }

    /// Finds the requirements of an instruction.
    pub fn find(&self, inst: &Instruction) -> RequirementSet {
        let mut set = RequirementSet::EMPTY;
        self.add(inst, &mut set);
        set
    }

    /// Returns the requirements of the function control OptNone.
    pub fn of_optnone(&self) -> RequirementSet {
        let required =
            self.table.enumerant(OperandKind::FunctionControl, FunctionControl::OPT_NONE_EXT.bits());
        required.unwrap_or_default().iter().copied().filter(|&id| self.relevant.contains(id)).collect()
    }

    /// Adds the requirement of the declaration of a capability: an extension.
    pub fn declaring(&self, capability: u32, set: &mut RequirementSet) {
        let required = self.table.enumerant(OperandKind::Capability, capability).unwrap_or_default();
        required.iter().for_each(|&id| self.require(id, set));
    }

    #[inline]
    pub(super) fn require(&self, id: RequirementId, set: &mut RequirementSet) {
        if self.relevant.contains(id) {
            set.insert(id);
        }
    }

    /// Adds the requirement of a use.
    #[inline]
    pub(super) fn require_use(&self, use_: Use, set: &mut RequirementSet) {
        if let Some(id) = self.requirement_of_use(use_) {
            set.insert(id);
        }
    }

    /// Adds the requirement of a use of Vulkan features.
    pub(super) fn require_feature(&self, use_: &str, set: &mut RequirementSet) {
        let id = self.table.feature(use_);
        debug_assert!(id.is_some(), "{use_}");
        id.into_iter().for_each(|id| self.require(id, set));
    }

    /// Adds the requirements of an instruction or enumerant that the grammar does not have: it may require anything that is declared, and
    /// nothing else.
    fn unknown(&self, set: &mut RequirementSet) {
        set.extend(&self.met);
    }

    fn look_at(&self, inst: &Instruction, reasons: Reasons, set: &mut RequirementSet) {
        let Some(op) = inst.op() else { return };
        if reasons.contains(Reasons::MODULE) {
            self.module_wide(op, inst, set);
        }
        if reasons.contains(Reasons::EXTENDED) {
            let extended = views::ExtInst(*inst);
            let required = self.sets.iter().find(|(id, _)| *id == extended.set());
            let required = required.and_then(|(_, required)| required.get(extended.instruction() as usize));
            required.iter().flat_map(|ids| ids.iter()).for_each(|&id| self.require(id, set));
        }
        if reasons.contains(Reasons::DECLARATION) {
            self.declaration(op, inst, set);
        }
        if reasons.contains(Reasons::VALUE) {
            self.value(op, inst, set);
        }
        if reasons.contains(Reasons::ACCESS_CHAIN) {
            self.access_chain(inst, set);
        }
        if reasons.contains(Reasons::VARIABLE_POINTER) {
            self.pointer(op, inst, set);
        }
        if reasons.contains(Reasons::MEMORY) {
            self.memory_access(op, inst, set);
        }
    }

    fn module_wide(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        match op {
            Op::ExtInstImport => {
                let name = views::ExtInstImport(*inst).name();
                self.table.import(&name).into_iter().for_each(|id| self.require(id, set));
            }
            Op::MemoryModel if !self.facts.entry_points => self.require_use(Use::NoEntryPoint, set),
            Op::Decorate | Op::MemberDecorate => self.decoration(views::Decoration(*inst), set),
            Op::SpecConstantOp => {
                let constant = views::SpecConstantOp(*inst);
                let number = constant.operation_number() as u16;
                self.table.opcode(number).iter().for_each(|&id| self.require(id, set));
                match constant.operation() {
                    Some(op) => self.specialized(op, set),
                    None => self.unknown(set),
                }
            }
            _ => {}
        }
    }
}

impl Facts {
    fn entry_point(&mut self, model: u32) {
        self.entry_points = true;
        match ExecutionModel::from_u32(model) {
            Some(ExecutionModel::Vertex) => self.before_geometry = true,
            Some(ExecutionModel::TessellationControl) => self.tessellation = true,
            Some(ExecutionModel::TessellationEvaluation) => {
                self.tessellation = true;
                self.before_geometry = true;
            }
            Some(ExecutionModel::Geometry) => self.geometry = true,
            _ => {}
        }
    }
}

struct EnumerantCollector<'a, 'm> {
    requirements: &'a InstructionRequirements<'m>,
    inst: &'a Instruction<'a>,
    set: &'a mut RequirementSet,
}

impl Visitor for EnumerantCollector<'_, '_> {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, _at: usize, _id: u32) {}
    fn enumerant(&mut self, _at: usize, kind: OperandKind, value: u32) {
        if self.inst.is(Op::MemberDecorate) && kind == OperandKind::BuiltIn && is_mere_mention(value) {
            return;
        }
        match self.requirements.table.enumerant(kind, value) {
            Some(required) => required.iter().for_each(|&id| self.requirements.require(id, self.set)),
            // No source language has a requirement.
            None if kind == OperandKind::SourceLanguage => {}
            None if self.requirements.declares_unknown
                && matches!(kind, OperandKind::Decoration | OperandKind::ExecutionMode) => {}
            None => self.requirements.unknown(self.set),
        }
    }
}
