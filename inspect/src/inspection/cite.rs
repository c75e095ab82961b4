//! Citations of instructions: opcodes, definitions that they refer to, and source locations.

use std::fmt;

use serde::Serialize;
use spirv::{
    AddressingModel, BuiltIn, Decoration, ExecutionMode, ExecutionModel, FunctionParameterAttribute,
    MemoryModel, Op, StorageClass,
};

use super::context::{InspectContext, capability_name};
use spirv_if::engine::analysis::requirements::RequirementId;
use spirv_if::engine::analysis::{CallPath, DebugLocations, SourceLocation};
use spirv_if::engine::collections::IdMap;
use spirv_if::engine::loader::{Instruction, views};

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// Opcode. Outside of functions and for a conditional call, with its operand: a declaration, a mode, a
    /// callee.
    pub opcode: String,
    /// Offset of the instruction in the module, in bytes.
    pub offset: u64,
    /// The type, constant or variable among its operands that has the requirement; otherwise the type of its
    /// result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Location in the source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<SourceLocation<'static>>,
}

/// The text before the offset of an instruction.
pub const OFFSET: &str = " (offset 0x";

/// Writes the instruction without its source location.
impl fmt::Display for Cited {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        if let Some(through) = &self.through {
            write!(f, " of {through}")?;
        }
        write!(f, "{OFFSET}{:x})", self.offset)
    }
}

/// Source locations of instructions, and decorations with requirements.
pub(super) struct CitationSources<'m> {
    places: &'m DebugLocations<'m>,
    /// Decorations by their targets: an id, or the function that contains it.
    decorations: IdMap<Vec<Instruction<'m>>>,
}

impl<'m> CitationSources<'m> {
    pub fn new(context: &InspectContext<'m, '_>) -> CitationSources<'m> {
        let module = context.module;
        let mut decorations: IdMap<Vec<Instruction>> = IdMap::new();
        for decoration in module.globals().filter_map(views::Decoration::new) {
            if !context.requirements_of.find(&decoration).is_empty() {
                let target = decoration.target();
                let function = module.function_of(target).map(|at| module.functions()[at].id);
                decorations.entry(function.unwrap_or(target)).or_default().push(*decoration);
            }
        }
        CitationSources { places: context.analyses.debug_locations(), decorations }
    }

    pub fn place(&self, offset: u32) -> Option<SourceLocation<'static>> {
        self.places.location(offset).map(SourceLocation::into_owned)
    }
}

impl<'m> InspectContext<'m, '_> {
    pub(super) fn cited(&self, chain: &CallPath, id: RequirementId, sources: &CitationSources<'m>) -> Cited {
        let inst = self.module.instruction(chain.at);
        let place = sources.place(chain.at);
        // A decoration of an id inside a function belongs to the function.
        if inst.is(Op::Function)
            && chain.definition.is_none()
            && let Some(decoration) = self.decoration(chain.function, id, sources)
        {
            return Cited { place, ..self.cite(decoration, id, sources) };
        }
        let through = chain.definition.map(|definition| self.describe_cause(definition, id, sources));
        Cited { through: through.or_else(|| self.result_type(&inst)), ..self.cite(&inst, id, sources) }
    }

    pub(super) fn cite(&self, inst: &Instruction, id: RequirementId, sources: &CitationSources<'m>) -> Cited {
        let defines = inst.result_id().filter(|&id| self.module.is_global(id));
        let opcode = match (defines, inst.op()) {
            (Some(defined), _) => self.describe_cause(defined, id, sources),
            (None, Some(Op::Variable)) => self.describe(views::Variable(*inst).id()),
            _ => with_details(inst),
        };
        let decorated = views::Decoration::new(*inst).map(|decoration| self.describe(decoration.target()));
        let offset = u64::from(inst.offset()) * 4;
        Cited { opcode, offset, through: decorated, place: sources.place(inst.offset()) }
    }

    /// Like [`cite`](Self::cite), for an instruction that has a requirement by its operands alone.
    pub(super) fn cite_alone(&self, inst: &Instruction, sources: &CitationSources<'m>) -> Cited {
        let defines = inst.result_id().filter(|&id| self.module.is_global(id));
        let opcode = defines.map_or_else(|| with_details(inst), |id| self.describe(id));
        Cited {
            opcode,
            offset: u64::from(inst.offset()) * 4,
            through: views::Decoration::new(*inst).map(|decoration| self.describe(decoration.target())),
            place: sources.place(inst.offset()),
        }
    }

    /// Returns the first decoration with a requirement, of an id or of anything in a function.
    fn decoration<'s>(
        &self,
        id: u32,
        requirement: RequirementId,
        sources: &'s CitationSources<'m>,
    ) -> Option<&'s Instruction<'m>> {
        sources
            .decorations
            .get(&id)?
            .iter()
            .find(|inst| self.requirements_of.find(inst).contains(requirement))
    }

    /// Describes a definition that has a requirement, directly or by a decoration.
    pub(super) fn describe_cause(
        &self,
        definition: u32,
        id: RequirementId,
        sources: &CitationSources<'m>,
    ) -> String {
        let text = self.describe(definition);
        let by_itself = self
            .module
            .definition(definition)
            .is_some_and(|inst| self.requirements_of.find(&inst).contains(id));
        match self.decoration(definition, id, sources).filter(|_| !by_itself) {
            Some(decoration) => format!("{text} decorated {}", details(decoration).join(" ")),
            None => text,
        }
    }

    /// Describes a definition: its opcode, its distinguishing operand, and its name.
    fn describe(&self, id: u32) -> String {
        let Some(inst) = self.module.definition(id) else { return format!("%{id}") };
        let mut text = inst.name();
        match inst.op() {
            Some(Op::TypeInt | Op::TypeFloat) => text += &format!(" {}", views::TypeNumber(inst).width()),
            Some(Op::TypePointer) => text += &storage_class(views::TypePointer(inst).storage_class()),
            Some(Op::Variable) => text += &storage_class(views::Variable(inst).storage_class()),
            _ => {}
        }
        match self.names.name(id).filter(|name| !name.is_empty()) {
            Some(name) => format!("{text} `{name}`"),
            None => text,
        }
    }

    /// Returns the type of an instruction's result, or the type that its result points to.
    fn result_type(&self, inst: &Instruction) -> Option<String> {
        let id = inst.result_type()?;
        let pointee = self.module.definition(id).and_then(views::TypePointer::new);
        let pointee = pointee.map(|pointer| pointer.pointee());
        Some(self.describe(pointee.unwrap_or(id)))
    }
}

/// Returns the opcode of an instruction with its distinguishing operands.
fn with_details(inst: &Instruction) -> String {
    let details = details(inst).into_iter().map(|detail| format!(" {detail}"));
    inst.name() + &details.collect::<String>()
}

/// Returns the distinguishing operands of an instruction outside of functions: its declaration, decoration or
/// mode.
fn details(inst: &Instruction) -> Vec<String> {
    let inst = *inst;
    fn name<T: std::fmt::Debug>(value: Option<T>, number: u32) -> String {
        value.map_or_else(|| number.to_string(), |value| format!("{value:?}"))
    }
    let decoration = |decoration: views::Decoration| {
        let number = decoration.decoration();
        let known = Decoration::from_u32(number);
        let mut details = vec![name(known, number)];
        let value = decoration.operands().first().copied();
        match (known, value) {
            (Some(Decoration::BuiltIn), Some(value)) => details.push(name(BuiltIn::from_u32(value), value)),
            (Some(Decoration::FuncParamAttr), Some(value)) => {
                details.push(name(FunctionParameterAttribute::from_u32(value), value));
            }
            _ => {}
        }
        details
    };
    let model = |number: u32| name(ExecutionModel::from_u32(number), number);
    match inst.op() {
        Some(Op::Capability | Op::ConditionalCapabilityINTEL) => {
            vec![capability_name(views::Capability(inst).capability()).into_owned()]
        }
        Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
            vec![model(views::EntryPoint(inst).execution_model())]
        }
        Some(Op::ExecutionMode | Op::ExecutionModeId) => {
            let mode = views::ExecutionMode(inst).mode();
            vec![name(ExecutionMode::from_u32(mode), mode)]
        }
        Some(Op::MemoryModel) => {
            let model = views::MemoryModel(inst);
            let (addressing, memory) = (model.addressing_model(), model.memory_model());
            vec![
                name(AddressingModel::from_u32(addressing), addressing),
                name(MemoryModel::from_u32(memory), memory),
            ]
        }
        _ => views::Decoration::new(inst).map(decoration).unwrap_or_default(),
    }
}

fn storage_class(number: u32) -> String {
    match StorageClass::from_u32(number) {
        Some(class) => format!(" {class:?}"),
        None => format!(" {number}"),
    }
}
