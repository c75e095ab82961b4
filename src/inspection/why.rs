//! Why an entry point needs something: the calls that lead to the instruction, and what the instruction is.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;
use spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel,
    FunctionParameterAttribute, MemoryModel, Op, StorageClass,
};

use super::model::Name;
use super::question::Question;
use super::requirement_names::requirement_names;
use super::study::{Chosen, InspectionError, Root, Study, capability_name};
use super::when::When;
use crate::analysis::requirements::{Requirement, RequirementId, RequirementSet, closure_of};
use crate::analysis::{Call, Chain, ConditionalCall, Demand, SourcePlaces, interface};
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
    /// Whether only a conditional call needs it: packed, the module does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub until_packed: bool,
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
    /// Whether it is the body of the kernel before it, which is one function with it in the source.
    #[serde(skip)]
    pub is_kernel_body: bool,
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

/// Where in the source instructions are, and which decorations need something.
struct Sources<'m> {
    places: SourcePlaces<'m>,
    /// By what they are of: an id, or the function that it is in.
    decorations: BTreeMap<u32, Vec<Instruction<'m>>>,
}

impl<'m> Sources<'m> {
    fn read(study: &Study<'m>) -> Sources<'m> {
        let module = study.module;
        let mut decorations: BTreeMap<u32, Vec<Instruction>> = BTreeMap::new();
        for inst in module.globals().filter(is_decoration) {
            if !study.needs.of(&inst).is_empty() {
                let function = module.function_of(inst.word(1)).map(|at| module.functions()[at].id);
                decorations.entry(function.unwrap_or(inst.word(1))).or_default().push(inst);
            }
        }
        Sources { places: SourcePlaces::read(module), decorations }
    }

    fn place(&self, offset: u32) -> Option<String> {
        self.places.place(offset).map(|place| place.to_string())
    }
}

/// Something that was asked about, where only conditional calls need it.
struct OfCall {
    id: RequirementId,
    /// The nearest call, by index; `None` where it needs something else that brings this.
    call: Option<usize>,
}

impl<'m> Study<'m> {
    /// Why the module's entry points and exported functions need something; those that do not are left out.
    ///
    /// # Errors
    /// Where a condition is out of bounds.
    pub fn why(&mut self, question: &Question) -> Result<Vec<Why>, InspectionError> {
        let sources = Sources::read(self);
        let calls = &self.calls.calls;
        let of_calls: Vec<RequirementSet> =
            calls.iter().map(|call| self.demands.of_conditional_call(call)).collect();
        let mut found = Vec::new();
        for (index, root) in self.roots().iter().enumerate() {
            let (demand, chosen) = self.demand(root)?;
            let mut causes: Vec<Cause> = Vec::new();
            let mut add = |cause: Cause| {
                let same = |known: &&mut Cause| {
                    known.instruction == cause.instruction
                        && known.when == cause.when
                        && known.until_packed == cause.until_packed
                };
                match causes.iter_mut().find(same) {
                    Some(known) => known.requires.extend(cause.requires),
                    None => causes.push(cause),
                }
            };
            let asked = demand.iter().filter(|(id, _)| self.is_asked(*id, &chosen, question));
            for (id, condition) in asked.collect::<Vec<_>>() {
                self.cause(root, id, condition, &sources)?.into_iter().for_each(&mut add);
            }
            for of_call in self.asked_of_calls(root, &demand, question, &of_calls)? {
                self.cause_of_call(root, &of_call, &sources).into_iter().for_each(&mut add);
            }
            if !causes.is_empty() {
                found.push(Why { root: index, causes });
            }
        }
        Ok(found)
    }

    /// Whether a question is about a requirement: its subject meets it, and nothing else does that is declared and needed too.
    fn is_asked(&self, id: RequirementId, chosen: &Chosen, question: &Question) -> bool {
        let meets = |all: &[Capability], any: &[Capability]| all.iter().any(|own| any.contains(own));
        match (id.get(), question) {
            (_, Question::Aspect(aspect)) => self.aspects.of(id).contains(aspect),
            (Requirement::Extensions(any), Question::Extension(name)) => any.contains(&name.as_str()),
            (Requirement::Capabilities(any), &Question::Capability(subject)) => {
                let brought = chosen.iter().map(|&(number, _)| self.declarations.brought(number));
                let mut others = brought.filter(|all| !all.iter().any(|&own| own as u32 == subject));
                meets(closure_of(subject), any) && !others.any(|all| meets(all, any))
            }
            _ => false,
        }
    }

    /// What was asked about and a root does not demand, but conditional calls on its way need. `of_calls` is what each needs.
    fn asked_of_calls(
        &mut self,
        root: &Root,
        demand: &Demand,
        question: &Question,
        of_calls: &[RequirementSet],
    ) -> Result<Vec<OfCall>, InspectionError> {
        if of_calls.is_empty() {
            return Ok(Vec::new());
        }
        let reached = self.demands.reached(root.function());
        let holders: HashMap<u32, usize> = reached.into_iter().zip(0..).collect();
        let distance = |call: &ConditionalCall| holders.get(&call.holder).copied();
        let mut near: Vec<(usize, usize)> =
            self.calls.calls.iter().zip(0..).filter_map(|(call, at)| Some((distance(call)?, at))).collect();
        near.sort_unstable();
        let mut as_it_is = demand.clone();
        for &(_, at) in &near {
            as_it_is.always.extend(&of_calls[at]);
        }
        let chosen = self.with_extensions(&mut as_it_is)?;
        let more = as_it_is.always.iter().filter(|&id| demand.of(id).is_false());
        let asked = more.filter(|&id| self.is_asked(id, &chosen, question));
        let call = |id| near.iter().map(|&(_, at)| at).find(|&at| of_calls[at].contains(id));
        Ok(asked.map(|id| OfCall { id, call: call(id) }).collect())
    }

    fn cause_of_call(&self, root: &Root, OfCall { id, call }: &OfCall, sources: &Sources) -> Option<Cause> {
        let (id, function) = (*id, root.function());
        let (_, names) = requirement_names(id);
        let cause = |calls, instruction| Cause {
            requires: vec![names],
            when: None,
            until_packed: true,
            calls,
            instruction,
        };
        let Some(call) = call.map(|at| &self.calls.calls[at]) else {
            let inst = self.outside(root, function, id)?;
            return Some(cause(Vec::new(), self.cite(&inst, id, sources)));
        };
        let mut calls = self.demands.calls_between(function, call.holder, &|_| true)?;
        if let Some(chain) = self.demands.chain(call.caller, id) {
            calls.push(Call { caller: call.holder, callee: call.caller, at: call.call });
            calls.extend(&chain.calls);
            return Some(cause(self.steps(function, &calls, sources), self.cited(&chain, id, sources)));
        }
        let inst = self.module.instruction(call.call);
        let carriers = call.carriers.iter().map(|&offset| self.module.instruction(offset));
        let mut culprits = Vec::new();
        for inst in carriers.chain([inst]) {
            self.module.walk(&inst, &mut |_, used: u32| culprits.extend(self.demands.culprit(used, id)));
        }
        // A value says more than its type.
        let is_value =
            |id: &&u32| self.module.definition(**id).is_some_and(|inst| inst.result_type().is_some());
        let through = culprits.iter().find(is_value).or(culprits.first()).copied();
        let caller = self.names.function_name(call.caller).in_chain();
        let instruction = Cited {
            opcode: format!("{} {caller}", inst.name()),
            offset: u64::from(call.call) * 4,
            through: through.map(|through| self.describe_need(through, id, sources)),
            place: sources.place(call.call),
        };
        Some(cause(self.steps(function, &calls, sources), instruction))
    }

    fn cause(
        &mut self,
        root: &Root,
        id: RequirementId,
        condition: Condition,
        sources: &Sources,
    ) -> Result<Option<Cause>, InspectionError> {
        let (_, names) = requirement_names(id);
        let requires = vec![names];
        let when = self.when(condition)?;
        let function = root.function();
        if let Some(chain) = self.demands.chain(function, id) {
            let calls = self.steps(function, &chain.calls, sources);
            let instruction = self.cited(&chain, id, sources);
            return Ok(Some(Cause { requires, when, until_packed: false, calls, instruction }));
        }
        let Some(inst) = self.outside(root, function, id) else { return Ok(None) };
        let instruction = self.cite(&inst, id, sources);
        Ok(Some(Cause { requires, when, until_packed: false, calls: Vec::new(), instruction }))
    }

    fn steps(&self, function: u32, calls: &[Call], sources: &Sources) -> Vec<Step> {
        let step = |id: u32, called_at, is_kernel_body| Step {
            function: self.names.function_name(id).in_chain(),
            called_at,
            is_kernel_body,
        };
        let is_body = |call: &Call| self.names.kernel_of(call.callee) == Some(call.caller);
        let rest = calls.iter().map(|call| step(call.callee, sources.place(call.at), is_body(call)));
        std::iter::once(step(function, None, false)).chain(rest).collect()
    }

    fn cited(&self, chain: &Chain, id: RequirementId, sources: &Sources) -> Cited {
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

    fn cite(&self, inst: &Instruction, id: RequirementId, sources: &Sources) -> Cited {
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
    fn describe_need(&self, definition: u32, id: RequirementId, sources: &Sources) -> String {
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
