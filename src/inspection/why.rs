//! The causes of a requirement of an entry point: call paths, and the instructions at their ends.

use std::collections::HashMap;

use serde::Serialize;
use spirv::Op;

use super::cite::{Cited, Sources};
use super::model::Name;
use super::question::{Question, requirement_names};
use super::study::{Chosen, InspectionError, Study};
use crate::analysis::When;
use crate::analysis::requirements::{Requirement, RequirementId, RequirementSet, closure_of};
use crate::analysis::{Call, ConditionalCall, RequirementSummary, Root, SourceLocation};
use crate::condition::Condition;
use crate::loader::{Instruction, views};

/// The causes for which one entry point or exported function requires a feature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// Index of the entry point in [`Inspected::roots`](super::Inspected::roots): entry points, then exported
    /// functions.
    pub root: usize,
    /// The causes, one for each requirement. Requirements of the same instruction share one.
    pub causes: Vec<Cause>,
}

/// A cause: a requirement, and the shortest call path to an instruction that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// The requirements of the instruction, each with its alternatives.
    pub requires: Vec<&'static [Name]>,
    /// Condition of the requirement; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<When>,
    /// True if only a conditional call has the requirement: the packed module does not have it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub until_packed: bool,
    /// The functions of the call path, from the entry point's to the one that contains the instruction. Empty
    /// for an instruction outside of functions.
    pub calls: Vec<PathStep>,
    /// The instruction that requires it.
    pub instruction: Cited,
}

/// A function on a call path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PathStep {
    /// Name of the function, demangled.
    pub function: String,
    /// Source location of the call; `None` for the first function, and if it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called_at: Option<SourceLocation<'static>>,
    /// True if the function is the body of the kernel before it. Both are one function in the source.
    #[serde(skip)]
    pub is_kernel_body: bool,
}

/// Finds the causes of requirements in one module.
pub(super) struct CauseFinder<'m> {
    sources: Sources<'m>,
    /// The requirements of each conditional call.
    of_calls: Vec<RequirementSet>,
}

impl<'m> CauseFinder<'m> {
    pub fn new(study: &Study<'m, '_>) -> CauseFinder<'m> {
        let of_call = |call| study.summaries.of_conditional_call(call);
        CauseFinder {
            sources: Sources::read(study),
            of_calls: study.calls.calls.iter().map(of_call).collect(),
        }
    }

    /// Returns the causes because of which a root requires a feature.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn of(
        &self,
        study: &mut Study<'m, '_>,
        root: &Root<'m>,
        question: &Question,
    ) -> Result<Vec<Cause>, InspectionError> {
        let (summary, chosen) = study.summary(root)?;
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
        let in_question = summary.iter().filter(|(id, _)| study.is_in_question(*id, &chosen, question));
        for (id, condition) in in_question.collect::<Vec<_>>() {
            study.cause(root, id, condition, &self.sources)?.into_iter().for_each(&mut add);
        }
        for of_call in study.only_of_calls(root, &summary, question, &self.of_calls)? {
            study.cause_of_call(root, &of_call, &self.sources).into_iter().for_each(&mut add);
        }
        Ok(causes)
    }
}

/// A requirement in question that only conditional calls have.
struct OfCall {
    id: RequirementId,
    /// Index of the nearest call; `None` if another capability required by the call has the requirement.
    call: Option<usize>,
}

impl<'m> Study<'m, '_> {
    /// Returns the causes because of which the module's roots require a feature. Roots that do not require it
    /// are omitted.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn why(&mut self, question: &Question) -> Result<Vec<Why>, InspectionError> {
        let causes = CauseFinder::new(self);
        let mut found = Vec::new();
        for (index, root) in self.roots().iter().enumerate() {
            let causes = causes.of(self, root, question)?;
            if !causes.is_empty() {
                found.push(Why { root: index, causes });
            }
        }
        Ok(found)
    }

    /// True if a question is about a requirement: its subject meets it, and no other declared and required
    /// capability does.
    fn is_in_question(&self, id: RequirementId, chosen: &Chosen, question: &Question) -> bool {
        let meets = |all: &[u32], any: &[u32]| all.iter().any(|own| any.contains(own));
        match (id.get(), question) {
            (_, Question::Aspect(aspect)) => self.aspects.of(id).contains(aspect),
            (Requirement::Extensions(any), Question::Extension(name)) => any.contains(&name.as_str()),
            (Requirement::Capabilities(any), &Question::Capability(subject)) => {
                let brought = chosen.iter().map(|&(number, _)| self.declarations.brought(number));
                let mut others = brought.filter(|all| !all.contains(&subject));
                meets(closure_of(subject), any) && !others.any(|all| meets(all, any))
            }
            _ => false,
        }
    }

    /// Returns the requirements in question that only conditional calls below a root have. `of_calls` has the
    /// requirements of each call.
    fn only_of_calls(
        &mut self,
        root: &Root,
        summary: &RequirementSummary,
        question: &Question,
        of_calls: &[RequirementSet],
    ) -> Result<Vec<OfCall>, InspectionError> {
        if of_calls.is_empty() {
            return Ok(Vec::new());
        }
        let reached = self.summaries.reached(root.function());
        let holders: HashMap<u32, usize> = reached.into_iter().zip(0..).collect();
        let distance = |call: &ConditionalCall| holders.get(&call.holder).copied();
        let mut near: Vec<(usize, usize)> =
            self.calls.calls.iter().zip(0..).filter_map(|(call, at)| Some((distance(call)?, at))).collect();
        near.sort_unstable();
        let mut as_it_is = summary.clone();
        for &(_, at) in &near {
            as_it_is.always.extend(&of_calls[at]);
        }
        let chosen = self.with_extensions(&mut as_it_is)?;
        let more = as_it_is.always.iter().filter(|&id| summary.of(id).is_false());
        let in_question = more.filter(|&id| self.is_in_question(id, &chosen, question));
        let call = |id| near.iter().map(|&(_, at)| at).find(|&at| of_calls[at].contains(id));
        Ok(in_question.map(|id| OfCall { id, call: call(id) }).collect())
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
        let mut calls = self.summaries.calls_between(function, call.holder, &|_| true)?;
        if let Some(chain) = self.summaries.call_path(call.caller, id) {
            calls.push(Call { caller: call.holder, callee: call.caller, at: call.call });
            calls.extend(&chain.calls);
            return Some(cause(self.steps(function, &calls, sources), self.cited(&chain, id, sources)));
        }
        let inst = self.module.instruction(call.call);
        let carriers = call.carriers.iter().map(|&offset| self.module.instruction(offset));
        let mut users = Vec::new();
        for inst in carriers.chain([inst]) {
            self.module.walk(&inst, &mut |_, used: u32| users.extend(self.summaries.required_by(used, id)));
        }
        // A value is more specific than its type.
        let is_value =
            |id: &&u32| self.module.definition(**id).is_some_and(|inst| inst.result_type().is_some());
        let through = users.iter().find(is_value).or(users.first()).copied();
        let caller = self.names.function_name(call.caller).in_chain();
        let instruction = Cited {
            opcode: format!("{} {caller}", inst.name()),
            offset: u64::from(call.call) * 4,
            through: through.map(|through| self.describe_cause(through, id, sources)),
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
        if let Some(chain) = self.summaries.call_path(function, id) {
            let calls = self.steps(function, &chain.calls, sources);
            let instruction = self.cited(&chain, id, sources);
            return Ok(Some(Cause { requires, when, until_packed: false, calls, instruction }));
        }
        let Some(inst) = self.outside(root, function, id) else { return Ok(None) };
        let instruction = self.cite(&inst, id, sources);
        Ok(Some(Cause { requires, when, until_packed: false, calls: Vec::new(), instruction }))
    }

    fn steps(&self, function: u32, calls: &[Call], sources: &Sources) -> Vec<PathStep> {
        let step = |id: u32, called_at, is_kernel_body| PathStep {
            function: self.names.function_name(id).in_chain(),
            called_at,
            is_kernel_body,
        };
        let is_body = |call: &Call| self.names.kernel_of(call.callee) == Some(call.caller);
        let rest = calls.iter().map(|call| step(call.callee, sources.place(call.at), is_body(call)));
        std::iter::once(step(function, None, false)).chain(rest).collect()
    }

    /// Returns the instruction outside of functions that has a requirement of an entry point. Preferred are
    /// the entry point itself, its execution modes and its interface variables; then the first in the module,
    /// declarations last.
    fn outside(&self, root: &Root, function: u32, id: RequirementId) -> Option<Instruction<'_>> {
        let module = self.module;
        let requires = |inst: &Instruction| self.requirements_of.of(inst).contains(id);
        let own = |inst: &Instruction| match inst.op() {
            Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                views::EntryPoint(*inst).function() == function
            }
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                views::ExecutionMode(*inst).entry_point() == function
            }
            _ => false,
        };
        let variables = match root {
            Root::EntryPoint(entry_point) => entry_point.interface(),
            Root::Exported(_) => &[],
        };
        let part = || variables.iter().find_map(|&variable| self.summaries.required_by(variable, id));
        let declares =
            |inst: &Instruction| matches!(inst.op(), Some(Op::Capability | Op::ConditionalCapabilityINTEL));
        let found = module.globals().find(|inst| own(inst) && requires(inst));
        found
            .or_else(|| module.definition(part()?))
            .or_else(|| module.globals().find(|inst| !declares(inst) && requires(inst)))
            .or_else(|| module.globals().find(requires))
    }
}
