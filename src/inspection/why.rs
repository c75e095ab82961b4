//! Why an entry point needs something: the calls that lead to the instruction, and what the instruction is.

use serde::Serialize;
use spirv::{Capability, Op, StorageClass};

use super::model::Name;
use super::question::Question;
use super::requirement_names::requirement_names;
use super::study::{Chosen, InspectionError, Root, Study, capability_name};
use super::when::When;
use crate::analysis::requirements::{Requirement, RequirementId, closure_of};
use crate::analysis::{Chain, Demand, SourcePlaces, interface};
use crate::condition::Condition;
use crate::loader::Instruction;

/// Why one entry point or exported function needs something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// The index of the entry point in [`Inspected::roots`](super::Inspected::roots): entry points, then exported functions.
    pub root: usize,
    /// The causes, one for each requirement; those that come to the same instruction are one.
    pub causes: Vec<Cause>,
}

/// One cause: a requirement, and the shortest way to an instruction that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// What is required there: for each requirement, what meets it.
    pub requires: Vec<&'static [Name]>,
    /// When, if not in any case.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// The functions on the way, from the entry point's to the one that holds the instruction. Empty if the need comes from
    /// outside of functions.
    pub calls: Vec<Step>,
    /// The instruction that needs it.
    pub instruction: Cited,
}

/// A function on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Step {
    /// Its name, demangled.
    pub function: String,
    /// Where in the source it is called; `None` for the first, and where nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_at: Option<String>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cited {
    /// Its opcode.
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

impl Study<'_> {
    /// Why the module's entry points and exported functions need something; those that do not are left out.
    ///
    /// # Errors
    /// Where a condition is out of bounds.
    pub fn why(&mut self, question: &Question) -> Result<Vec<Why>, InspectionError> {
        let places = SourcePlaces::read(self.module);
        let mut found = Vec::new();
        for (index, root) in self.roots().iter().enumerate() {
            let (demand, chosen) = self.demand(root)?;
            let mut causes: Vec<Cause> = Vec::new();
            for (id, condition) in self.asked(&demand, &chosen, question) {
                let Some(cause) = self.cause(root, id, condition, &places)? else { continue };
                let same =
                    |known: &&mut Cause| known.instruction == cause.instruction && known.when == cause.when;
                match causes.iter_mut().find(same) {
                    Some(known) => known.requires.extend(cause.requires),
                    None => causes.push(cause),
                }
            }
            if !causes.is_empty() {
                found.push(Why { root: index, causes });
            }
        }
        Ok(found)
    }

    /// The requirements of a demand that a question is about: those that its subject meets and nothing else does that is
    /// declared and needed too.
    fn asked(
        &self,
        demand: &Demand,
        chosen: &Chosen,
        question: &Question,
    ) -> Vec<(RequirementId, Condition)> {
        let others = |subject: u32| {
            let brought = chosen.iter().map(|&(number, _)| self.declarations.brought(number));
            brought.filter(move |all| !all.iter().any(|&own| own as u32 == subject))
        };
        let meets = |all: &[Capability], any: &[Capability]| all.iter().any(|own| any.contains(own));
        let is_asked = |id: RequirementId| match (id.get(), question) {
            (_, Question::Aspect(aspect)) => self.aspects.of(id).contains(aspect),
            (Requirement::Extensions(any), Question::Extension(name)) => any.contains(&name.as_str()),
            (Requirement::Capabilities(any), &Question::Capability(subject)) => {
                meets(closure_of(subject), any) && !others(subject).any(|all| meets(all, any))
            }
            _ => false,
        };
        demand.iter().filter(|(id, _)| is_asked(*id)).collect()
    }

    fn cause(
        &mut self,
        root: &Root,
        id: RequirementId,
        condition: Condition,
        places: &SourcePlaces,
    ) -> Result<Option<Cause>, InspectionError> {
        let (_, names) = requirement_names(id);
        let requires = vec![names];
        let when = self.when(condition)?;
        let function = root.function();
        if let Some(chain) = self.demands.chain(function, id) {
            let instruction = self.cited(&chain, places);
            return Ok(Some(Cause { requires, when, calls: self.steps(&chain, places), instruction }));
        }
        let Some(inst) = self.outside(root, function, id) else { return Ok(None) };
        let place = places.place(inst.offset()).map(|place| place.to_string());
        let instruction = Cited { place, ..self.cite(&inst) };
        Ok(Some(Cause { requires, when, calls: Vec::new(), instruction }))
    }

    fn steps(&self, chain: &Chain, places: &SourcePlaces) -> Vec<Step> {
        let name = |id: u32| self.names.function_name(id).in_chain();
        let first = chain.calls.first().map_or(chain.function, |call| call.caller);
        let mut steps = vec![Step { function: name(first), called_at: None }];
        steps.extend(chain.calls.iter().map(|call| Step {
            function: name(call.callee),
            called_at: places.place(call.at).map(|place| place.to_string()),
        }));
        steps
    }

    fn cited(&self, chain: &Chain, places: &SourcePlaces) -> Cited {
        let inst = self.module.instruction(chain.at);
        let through = chain.definition.map(|id| self.describe(id)).or_else(|| self.result_type(&inst));
        let place = places.place(chain.at).map(|place| place.to_string());
        Cited { through, place, ..self.cite(&inst) }
    }

    fn cite(&self, inst: &Instruction) -> Cited {
        let defines = inst.result_id().filter(|&id| self.module.is_global(id));
        let opcode = match (defines, inst.op()) {
            (Some(id), _) => self.describe(id),
            (None, Some(Op::Variable)) => self.describe(inst.word(2)),
            (None, Some(Op::Capability)) => format!("OpCapability {}", capability_name(inst.word(1))),
            (None, Some(Op::ConditionalCapabilityINTEL)) => {
                format!("OpConditionalCapabilityINTEL {}", capability_name(inst.word(2)))
            }
            _ => inst.name(),
        };
        Cited { opcode, offset: u64::from(inst.offset()) * 4, through: None, place: None }
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

    /// The instruction outside of functions that makes an entry point need something: its own, one of its execution modes, a
    /// variable of its interface, else the first that needs it, declarations last.
    fn outside(&self, root: &Root, function: u32, id: RequirementId) -> Option<Instruction<'_>> {
        let module = self.module;
        let needs = |inst: &Instruction| self.needs.of(inst).contains(id);
        let own = |inst: &Instruction| match inst.op() {
            Some(Op::EntryPoint) => inst.word(2) == function,
            Some(Op::ConditionalEntryPointINTEL) => inst.word(3) == function,
            Some(Op::ExecutionMode | Op::ExecutionModeId) => inst.word(1) == function,
            _ => false,
        };
        let variables = match root {
            Root::EntryPoint(inst) => interface(inst).1,
            Root::Exported(_) => &[],
        };
        let part = || variables.iter().find_map(|&variable| self.demands.culprit(variable, id));
        let declares =
            |inst: &Instruction| matches!(inst.op(), Some(Op::Capability | Op::ConditionalCapabilityINTEL));
        let found = module.globals().find(|inst| own(inst) && needs(inst));
        found
            .or_else(|| module.definition(part()?))
            .or_else(|| module.globals().find(|inst| !declares(inst) && needs(inst)))
            .or_else(|| module.globals().find(needs))
    }
}

fn storage_class(number: u32) -> String {
    match StorageClass::from_u32(number) {
        Some(class) => format!(" {class:?}"),
        None => format!(" {number}"),
    }
}
