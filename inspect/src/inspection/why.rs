//! The causes of a requirement of an entry point: call paths, and the instructions at their ends.

use std::borrow::Cow;

use serde::Serialize;

use super::cite::{CitationSources, Cited};
use super::context::{ChosenCapabilities, InspectContext, InspectionError};
use super::model::DeclarationName;
use super::question::{WhySubject, requirement_names};
use spirv_if::engine::analysis::ReadableCondition;
use spirv_if::engine::analysis::requirements::{Requirement, RequirementId, RequirementSet, closure_of};
use spirv_if::engine::analysis::{
    CallReference, ConditionalCall, ModuleRoot, RequirementSummary, SourceLocation,
};
use spirv_if::engine::collections::{IdMap, sort};
use spirv_if::engine::condition::ConditionId;
use spirv_if::engine::device::api::uses;
use spirv_if::engine::loader::{Instruction, views};

/// The causes of a feature's requirement by one entry point or exported function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// Index of the entry point in [`Inspected::roots`](super::Inspected::roots): entry points, then exported
    /// functions.
    pub root: usize,
    /// The causes, one for each requirement. Requirements of the same instruction share one.
    pub causes: Vec<RequirementCause>,
}

/// A cause: a requirement, and the shortest call path to an instruction that has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RequirementCause {
    /// The requirements of the instruction, each with its alternatives.
    pub requires: Vec<Cow<'static, [DeclarationName]>>,
    /// Condition of the requirement; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<ReadableCondition>,
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
    /// Result id of the function.
    pub id: u32,
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
    sources: CitationSources<'m>,
    /// The requirements of each conditional call.
    of_calls: Vec<RequirementSet>,
}

impl<'m> CauseFinder<'m> {
    pub fn new(context: &InspectContext<'m, '_>) -> CauseFinder<'m> {
        CauseFinder { sources: CitationSources::new(context), of_calls: context.requirements_of_calls() }
    }

    /// Returns the causes of a root's requirement of a feature.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn find(
        &self,
        context: &mut InspectContext<'m, '_>,
        root: &ModuleRoot<'m>,
        question: &WhySubject,
    ) -> Result<Vec<RequirementCause>, InspectionError> {
        let question = &*question.for_root(root);
        let (summary, chosen) = context.summary(root)?;
        let mut causes: Vec<RequirementCause> = Vec::new();
        let mut add = |cause: RequirementCause| {
            let same = |known: &&mut RequirementCause| {
                known.instruction == cause.instruction
                    && known.when == cause.when
                    && known.until_packed == cause.until_packed
            };
            match causes.iter_mut().find(same) {
                Some(known) => known.requires.extend(cause.requires),
                None => causes.push(cause),
            }
        };
        let in_question = summary.iter().filter(|(id, _)| context.is_in_question(*id, &chosen, question));
        for (id, condition) in in_question.collect::<Vec<_>>() {
            context.cause(root, id, condition, &self.sources)?.into_iter().for_each(&mut add);
        }
        for of_call in context.call_requirements(root, &summary, question, &self.of_calls)? {
            context.cause_of_call(root, &of_call, &self.sources).into_iter().for_each(&mut add);
        }
        Ok(causes)
    }
}

/// A requirement in question that only conditional calls have.
pub(super) struct CallRequirement {
    pub id: RequirementId,
    /// Index of the nearest call; `None` if another capability required by the call has the requirement.
    call: Option<usize>,
}

impl<'m> InspectContext<'m, '_> {
    /// Returns the causes of the requirements of a feature, for each root of the module. Roots that do not
    /// require it are omitted.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn why(&mut self, question: &WhySubject) -> Result<Vec<Why>, InspectionError> {
        let causes = CauseFinder::new(self);
        let mut reasons = Vec::new();
        for (index, root) in self.roots().iter().enumerate() {
            let causes = causes.find(self, root, question)?;
            if !causes.is_empty() {
                reasons.push(Why { root: index, causes });
            }
        }
        Ok(reasons)
    }

    /// Returns true if a question is about a requirement: its subject meets it, and no other declared and required
    /// capability does.
    pub(super) fn is_in_question(
        &self,
        id: RequirementId,
        chosen: &ChosenCapabilities,
        question: &WhySubject,
    ) -> bool {
        let meets = |all: &[u32], any: &[u32]| all.iter().any(|number| any.contains(number));
        match (id.get(), question) {
            (_, WhySubject::Aspect(aspect)) => self.aspects.implied(id).contains(aspect),
            (Requirement::Extensions(any), WhySubject::Extension(name)) => any.contains(&name.as_str()),
            (Requirement::Capabilities(any), &WhySubject::Capability(subject)) => {
                let brought = chosen.iter().map(|&(number, _)| self.declarations.closure(number));
                let mut others = brought.filter(|all| !all.contains(&subject));
                meets(closure_of(subject), any) && !others.any(|all| meets(all, any))
            }
            (Requirement::Feature(use_), WhySubject::VulkanUses(names)) => {
                uses().iter().any(|known| known.use_ == *use_ && names.contains(&known.name.as_str()))
            }
            _ => false,
        }
    }

    /// Returns the requirements of each conditional call.
    pub(super) fn requirements_of_calls(&self) -> Vec<RequirementSet> {
        self.calls.calls.iter().map(|call| self.summaries.of_conditional_call(call)).collect()
    }

    /// Returns the requirements in question that only conditional calls below a root have. `of_calls` has the
    /// requirements of each call.
    pub(super) fn call_requirements(
        &mut self,
        root: &ModuleRoot,
        summary: &RequirementSummary,
        question: &WhySubject,
        of_calls: &[RequirementSet],
    ) -> Result<Vec<CallRequirement>, InspectionError> {
        if of_calls.is_empty() {
            return Ok(Vec::new());
        }
        let reached = self.summaries.reached(root.function());
        let holders: IdMap<usize> = reached.into_iter().zip(0..).collect();
        let distance = |call: &ConditionalCall| holders.get(&call.holder).copied();
        let mut near: Vec<(usize, usize)> =
            self.calls.calls.iter().zip(0..).filter_map(|(call, at)| Some((distance(call)?, at))).collect();
        sort(&mut near);
        let mut as_it_is = summary.clone();
        for &(_, at) in &near {
            as_it_is.always.extend(&of_calls[at]);
        }
        let chosen = self.with_extensions(&mut as_it_is)?;
        let more = as_it_is.always.iter().filter(|&id| summary.condition(id).is_false());
        let in_question = more.filter(|&id| self.is_in_question(id, &chosen, question));
        let call = |id| near.iter().map(|&(_, at)| at).find(|&at| of_calls[at].contains(id));
        Ok(in_question.map(|id| CallRequirement { id, call: call(id) }).collect())
    }

    fn cause_of_call(
        &self,
        root: &ModuleRoot,
        CallRequirement { id, call }: &CallRequirement,
        sources: &CitationSources,
    ) -> Option<RequirementCause> {
        let (id, function) = (*id, root.function());
        let (_, names) = requirement_names(id);
        let cause = |calls, instruction| RequirementCause {
            requires: vec![Cow::Borrowed(names)],
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
            calls.push(CallReference { caller: call.holder, callee: call.caller, at: call.call });
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
        root: &ModuleRoot,
        id: RequirementId,
        condition: ConditionId,
        sources: &CitationSources,
    ) -> Result<Option<RequirementCause>, InspectionError> {
        let (_, names) = requirement_names(id);
        let requires = vec![Cow::Borrowed(names)];
        let when = self.when(condition)?;
        let function = root.function();
        if let Some(chain) = self.summaries.call_path(function, id) {
            let calls = self.steps(function, &chain.calls, sources);
            let instruction = self.cited(&chain, id, sources);
            return Ok(Some(RequirementCause { requires, when, until_packed: false, calls, instruction }));
        }
        let Some(inst) = self.outside(root, function, id) else { return Ok(None) };
        let instruction = self.cite(&inst, id, sources);
        Ok(Some(RequirementCause { requires, when, until_packed: false, calls: Vec::new(), instruction }))
    }

    pub(super) fn steps(
        &self,
        function: u32,
        calls: &[CallReference],
        sources: &CitationSources,
    ) -> Vec<PathStep> {
        let step = |id: u32, called_at, is_kernel_body| PathStep {
            id,
            function: self.names.function_name(id).in_chain(),
            called_at,
            is_kernel_body,
        };
        let is_body = |call: &CallReference| self.names.kernel_of(call.callee) == Some(call.caller);
        let rest = calls.iter().map(|call| step(call.callee, sources.place(call.at), is_body(call)));
        std::iter::once(step(function, None, false)).chain(rest).collect()
    }

    /// Returns the instruction outside of functions that has a requirement of an entry point. Preferred are
    /// the entry point itself, its execution modes and its interface variables; then the first in the module,
    /// declarations last.
    fn outside(&self, root: &ModuleRoot, function: u32, id: RequirementId) -> Option<Instruction<'_>> {
        let module = self.module;
        let requires = |inst: &Instruction| self.requirements_of.find(inst).contains(id);
        let belongs_to_root = |inst: &Instruction| {
            views::EntryPoint::new(*inst).is_some_and(|entry| entry.function() == function)
                || views::ExecutionMode::new(*inst).is_some_and(|mode| mode.entry_point() == function)
        };
        let variables = match root {
            ModuleRoot::EntryPoint(entry_point) => entry_point.interface(),
            ModuleRoot::Exported(_) => &[],
        };
        let part = || variables.iter().find_map(|&variable| self.summaries.required_by(variable, id));
        let declares = |inst: &Instruction| views::Capability::new(*inst).is_some();
        let nearest = module.globals().find(|inst| belongs_to_root(inst) && requires(inst));
        nearest
            .or_else(|| module.definition(part()?))
            .or_else(|| module.globals().find(|inst| !declares(inst) && requires(inst)))
            .or_else(|| module.globals().find(requires))
    }
}
