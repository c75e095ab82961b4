//! Instructions as a person reads them: what they are, what they refer to, and where in the source they are.

use std::collections::BTreeMap;

use serde::Serialize;
use spirv::{
    AddressingModel, BuiltIn, Decoration, ExecutionMode, ExecutionModel, FunctionParameterAttribute,
    MemoryModel, Op, StorageClass,
};

use super::study::{Study, capability_name};
use crate::analysis::requirements::RequirementId;
use crate::analysis::{CallPath, DebugLocations};
use crate::loader::Instruction;

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// Its opcode; outside of functions, and of a conditional call, with what it declares, sets or calls.
    pub opcode: String,
    /// Where it starts, in bytes from the start of the module.
    pub offset: u64,
    /// The type, constant or variable that it refers to and that has the need; else the type of its result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
    /// Where in the source it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
}

/// Where in the source instructions are, and which decorations need something.
pub(super) struct Sources<'m> {
    places: &'m DebugLocations<'m>,
    /// By what they are of: an id, or the function that it is in.
    decorations: BTreeMap<u32, Vec<Instruction<'m>>>,
}

impl<'m> Sources<'m> {
    pub fn read(study: &Study<'m, '_>) -> Sources<'m> {
        let module = study.module;
        let mut decorations: BTreeMap<u32, Vec<Instruction>> = BTreeMap::new();
        for inst in module.globals().filter(is_decoration) {
            if !study.needs.of(&inst).is_empty() {
                let function = module.function_of(inst.word(1)).map(|at| module.functions()[at].id);
                decorations.entry(function.unwrap_or(inst.word(1))).or_default().push(inst);
            }
        }
        Sources { places: study.analyses.places(), decorations }
    }

    pub fn place(&self, offset: u32) -> Option<String> {
        self.places.place(offset).map(|place| place.to_string())
    }
}

impl<'m> Study<'m, '_> {
    pub(super) fn cited(&self, chain: &CallPath, id: RequirementId, sources: &Sources<'m>) -> Cited {
        let inst = self.module.instruction(chain.at);
        let place = sources.place(chain.at);
        // A decoration of something inside makes the function need it.
        if inst.is(Op::Function)
            && chain.definition.is_none()
            && let Some(decoration) = self.decoration(chain.function, id, sources)
        {
            return Cited { place, ..self.cite(decoration, id, sources) };
        }
        let through = chain.definition.map(|definition| self.describe_need(definition, id, sources));
        Cited { through: through.or_else(|| self.result_type(&inst)), ..self.cite(&inst, id, sources) }
    }

    pub(super) fn cite(&self, inst: &Instruction, id: RequirementId, sources: &Sources<'m>) -> Cited {
        let defines = inst.result_id().filter(|&id| self.module.is_global(id));
        let opcode = match (defines, inst.op()) {
            (Some(defined), _) => self.describe_need(defined, id, sources),
            (None, Some(Op::Variable)) => self.describe(inst.word(2)),
            _ => {
                let details = details(inst).into_iter().map(|detail| format!(" {detail}"));
                inst.name() + &details.collect::<String>()
            }
        };
        let decorated = is_decoration(inst).then(|| self.describe(inst.word(1)));
        let offset = u64::from(inst.offset()) * 4;
        Cited { opcode, offset, through: decorated, place: sources.place(inst.offset()) }
    }

    /// The first decoration of an id, or of anything in a function, that needs something.
    fn decoration<'s>(
        &self,
        id: u32,
        needed: RequirementId,
        sources: &'s Sources<'m>,
    ) -> Option<&'s Instruction<'m>> {
        sources.decorations.get(&id)?.iter().find(|inst| self.needs.of(inst).contains(needed))
    }

    /// A definition that has a need, by itself or by a decoration.
    pub(super) fn describe_need(&self, definition: u32, id: RequirementId, sources: &Sources<'m>) -> String {
        let text = self.describe(definition);
        let by_itself =
            self.module.definition(definition).is_some_and(|inst| self.needs.of(&inst).contains(id));
        match self.decoration(definition, id, sources).filter(|_| !by_itself) {
            Some(decoration) => format!("{text} decorated {}", details(decoration).join(" ")),
            None => text,
        }
    }

    /// A definition as a person reads it: its opcode, what tells it from others of its kind, and its name.
    fn describe(&self, id: u32) -> String {
        let Some(inst) = self.module.definition(id) else { return format!("%{id}") };
        let mut text = inst.name();
        match inst.op() {
            Some(Op::TypeInt | Op::TypeFloat) => text += &format!(" {}", inst.word(2)),
            Some(Op::TypePointer) => text += &storage_class(inst.word(2)),
            Some(Op::Variable) => text += &storage_class(inst.word(3)),
            _ => {}
        }
        match self.names.name(id).filter(|name| !name.is_empty()) {
            Some(name) => format!("{text} `{name}`"),
            None => text,
        }
    }

    /// What tells an instruction from others of its opcode: the type of its result, and of what its result points to.
    fn result_type(&self, inst: &Instruction) -> Option<String> {
        let id = inst.result_type()?;
        let pointee = self.module.definition_as(id, Op::TypePointer).map(|pointer| pointer.word(3));
        Some(self.describe(pointee.unwrap_or(id)))
    }
}

fn is_decoration(inst: &Instruction) -> bool {
    use Op::*;
    let op = inst.op();
    matches!(op, Some(Decorate | DecorateId | DecorateString | MemberDecorate | MemberDecorateString))
}

/// What tells an instruction outside of functions from others of its opcode: what it declares, says or sets.
fn details(inst: &Instruction) -> Vec<String> {
    fn name<T: std::fmt::Debug>(value: Option<T>, number: u32) -> String {
        value.map_or_else(|| number.to_string(), |value| format!("{value:?}"))
    }
    let decoration = |at: usize| {
        let number = inst.word(at);
        let known = Decoration::from_u32(number);
        let mut details = vec![name(known, number)];
        let value = inst.words().get(at + 1).copied();
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
        Some(Op::Capability) => vec![capability_name(inst.word(1)).into_owned()],
        Some(Op::ConditionalCapabilityINTEL) => vec![capability_name(inst.word(2)).into_owned()],
        Some(Op::EntryPoint) => vec![model(inst.word(1))],
        Some(Op::ConditionalEntryPointINTEL) => vec![model(inst.word(2))],
        Some(Op::ExecutionMode | Op::ExecutionModeId) => {
            vec![name(ExecutionMode::from_u32(inst.word(2)), inst.word(2))]
        }
        Some(Op::MemoryModel) => vec![
            name(AddressingModel::from_u32(inst.word(1)), inst.word(1)),
            name(MemoryModel::from_u32(inst.word(2)), inst.word(2)),
        ],
        Some(Op::Decorate | Op::DecorateId | Op::DecorateString) => decoration(2),
        Some(Op::MemberDecorate | Op::MemberDecorateString) => decoration(3),
        _ => Vec::new(),
    }
}

fn storage_class(number: u32) -> String {
    match StorageClass::from_u32(number) {
        Some(class) => format!(" {class:?}"),
        None => format!(" {number}"),
    }
}
