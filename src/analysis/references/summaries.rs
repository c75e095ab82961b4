//! Requirement summaries: the requirements of each function on a device, by its own instructions and through all that it
//! refers to.
//!
//! Requirements propagate from callees and types to their users: types, constants and variables first, in the order of their
//! definitions; then functions, callees before callers.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use spirv::Op;

use super::conditional::{ConditionalReferences, is_definition};
use super::graph::{EdgeKinds, ReferenceGraph};
use crate::analysis::calls::scc::referred_first;
use crate::analysis::conditional::calls::{ConditionalCall, ConditionalCalls};
use crate::analysis::conditional::error::AnalysisError;
use crate::analysis::conditional::existing_conditions::ExistingConditions;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::requirements::{InstructionRequirements, RequirementId, RequirementSet, SetsById};
use crate::collections::{IdMap, OrderedMap};
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::loader::{Instruction, Module, views};

/// The requirements of a function or an entry point.
#[derive(Clone, Debug)]
pub struct RequirementSummary {
    /// Unconditional requirements.
    pub always: RequirementSet,
    /// Requirements under a condition; none that is unconditional too, and no condition that never holds.
    pub conditional: OrderedMap<RequirementId, ConditionId>,
}

impl RequirementSummary {
    const NOTHING: RequirementSummary =
        RequirementSummary { always: RequirementSet::EMPTY, conditional: OrderedMap::new() };

    /// Returns the condition of a requirement.
    pub fn condition(&self, id: RequirementId) -> ConditionId {
        match self.always.contains(id) {
            true => ConditionId::TRUE,
            false => self.conditional.get(&id).copied().unwrap_or(ConditionId::FALSE),
        }
    }

    /// Returns all requirements, with their conditions.
    pub fn iter(&self) -> impl Iterator<Item = (RequirementId, ConditionId)> {
        let always = self.always.iter().map(|id| (id, ConditionId::TRUE));
        always.chain(self.conditional.iter().map(|(&id, &condition)| (id, condition)))
    }

    /// Adds the requirements of another summary where a condition holds. Returns true if that changes anything.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn add(
        &mut self,
        other: &RequirementSummary,
        condition: ConditionId,
        conditions: &mut Conditions,
    ) -> Result<bool, ConditionError> {
        let mut changed = false;
        if condition.is_true() {
            changed |= self.always.extend(&other.always);
        }
        let conditional = if condition.is_true() { &RequirementSet::EMPTY } else { &other.always };
        let conditional = conditional.iter().map(|id| (id, ConditionId::TRUE));
        for (id, when) in conditional.chain(other.conditional.iter().map(|(&id, &when)| (id, when))) {
            if self.always.contains(id) {
                continue;
            }
            let when = conditions.and(when, condition)?;
            let before = self.conditional.get(&id).copied().unwrap_or(ConditionId::FALSE);
            let joined = conditions.or(before, when)?;
            if joined != before {
                self.conditional.insert(id, joined);
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Removes conditional requirements that have become unconditional: to be called after [`RequirementSummary::add`].
    pub fn normalize(&mut self) {
        let now: Vec<RequirementId> =
            self.conditional.iter().filter(|(_, when)| when.is_true()).map(|(&id, _)| id).collect();
        now.into_iter().for_each(|id| self.always.insert(id));
        let always = self.always;
        self.conditional.retain(|&id, when| !always.contains(id) && !when.is_false());
    }
}

/// The functions that a function reaches within a part of the module, each with its condition.
#[derive(Debug, Default)]
pub struct ReachedFunctions {
    /// The functions in the part, the first one included.
    pub inside: IdMap<ConditionId>,
    /// The other functions that these refer to.
    pub outside: IdMap<ConditionId>,
}

/// The requirement summaries of the functions of a module.
pub struct RequirementSummaries<'m> {
    pub(crate) module: &'m Module<'m>,
    /// The requirements of instructions.
    pub requirements: InstructionRequirements<'m>,
    /// The arena of all conditions here. Derived conditions are added to a copy.
    pub conditions: Conditions,
    pub(crate) graph: ConditionalReferences<'m>,
    /// The requirements of the instructions of each function and of their decorations.
    pub(crate) function_requirements: Vec<RequirementSet>,
    /// The requirements of definitions outside of functions and of their parts, by id. Definitions without requirements have no entry.
    pub(crate) definitions: SetsById,
    /// The definitions outside of functions that contain pointers to functions, directly or in their parts, each with
    /// these functions.
    pub(crate) pointers: IdMap<Vec<u32>>,
    /// The summary of each function.
    summaries: Vec<RequirementSummary>,
    /// The conditional calls: the offset and the callee of each.
    pub(crate) conditional_calls: Vec<(u32, u32)>,
    /// The requirements of every entry point: of the memory model and the like.
    pub(crate) everywhere: RequirementSet,
    /// The requirements of entry points and execution modes, by function.
    pub(crate) entries: IdMap<RequirementSet>,
}

impl<'m> RequirementSummaries<'m> {
    /// Computes the requirement summaries of a module, with an empty arena for their conditions.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn compute(
        module: &'m Module<'m>,
        references: &Arc<ReferenceGraph>,
        requirements: InstructionRequirements<'m>,
        calls: &ConditionalCalls,
        (multi_target, mut conditions): (&MultiTarget, Conditions),
    ) -> Result<RequirementSummaries<'m>, AnalysisError> {
        let graph = ConditionalReferences::read(
            module,
            references,
            calls,
            multi_target,
            &requirements,
            &mut conditions,
        )?;
        let mut summaries = RequirementSummaries {
            module,
            requirements,
            conditions,
            function_requirements: graph.requirements.clone(),
            graph,
            definitions: SetsById::new(module.bound()),
            pointers: function_pointers(module, references),
            summaries: Vec::new(),
            conditional_calls: calls.calls.iter().flat_map(called_by).collect(),
            everywhere: RequirementSet::EMPTY,
            entries: IdMap::new(),
        };
        summaries.read_globals();
        summaries.spread()?;
        Ok(summaries)
    }

    fn read_globals(&mut self) {
        let module = self.module;
        let mut points_forward = false;
        let mut next = RequirementSet::EMPTY;
        for inst in module.globals() {
            points_forward |= inst.is(Op::TypeForwardPointer);
            self.requirements.add(&inst, &mut next);
            if next.is_empty() {
                continue;
            }
            let required = std::mem::replace(&mut next, RequirementSet::EMPTY);
            match inst.op() {
                Some(Op::Capability | Op::ConditionalCapabilityINTEL) => {}
                _ if is_definition(&inst) => self.of_definition(inst.result_id().unwrap_or(0), &required),
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    self.of_entry(views::EntryPoint(inst).function(), &required);
                }
                Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                    match self.graph.references.mode_type(&inst) {
                        // Code with the type has it, under its conditions.
                        Some(type_) => self.of_definition(type_, &required),
                        None => self.of_entry(views::ExecutionMode(inst).entry_point(), &required),
                    }
                }
                _ => match self.decorated(inst) {
                    Some(target) => match module.function_of(target) {
                        Some(function) => drop(self.function_requirements[function].extend(&required)),
                        None => self.of_definition(target, &required),
                    },
                    None => drop(self.everywhere.extend(&required)),
                },
            }
        }
        self.compose(points_forward);
    }

    /// Returns the target of a decoration, if it is defined.
    fn decorated(&self, inst: Instruction) -> Option<u32> {
        let target = views::Decoration::new(inst)?.target();
        self.module.definition_offset(target).map(|_| target)
    }

    fn of_definition(&mut self, id: u32, required: &RequirementSet) {
        self.definitions.extend(id, required);
    }

    fn of_entry(&mut self, function: u32, required: &RequirementSet) {
        self.entries.entry(function).or_insert(RequirementSet::EMPTY).extend(required);
    }

    /// Adds the requirements of the parts of definitions. Parts are defined first, except the pointees of forward pointers.
    fn compose(&mut self, points_forward: bool) {
        let module = self.module;
        if !points_forward {
            for inst in module.globals() {
                if let Some(id) = inst.result_id().filter(|_| is_definition(&inst)) {
                    self.compose_one(id);
                }
            }
            return;
        }
        let parts = |id: usize, parts: &mut Vec<usize>| {
            if module.is_global(id as u32) {
                self.graph.references.each_use(module, id as u32, |used| parts.push(used as usize));
            }
        };
        for group in referred_first(module.bound() as usize, parts).iter() {
            let mut all = RequirementSet::EMPTY;
            for &id in group {
                if module.definition(id as u32).is_some_and(|inst| is_definition(&inst)) {
                    self.compose_one(id as u32);
                    all.extend(self.definitions.get(id as u32).unwrap_or(&RequirementSet::EMPTY));
                }
            }
            for &id in group.iter().filter(|_| group.len() > 1) {
                self.of_definition(id as u32, &all);
            }
        }
    }

    fn compose_one(&mut self, id: u32) {
        let definitions = &mut self.definitions;
        self.graph.references.each_use(self.module, id, |used| definitions.extend_from(id, used));
    }

    /// Returns the requirements of a function's own instructions and of the definitions that it refers to.
    pub(crate) fn direct(&self, at: usize) -> RequirementSet {
        let mut set = self.function_requirements[at];
        self.graph.for_each(self.module.functions()[at].id, |target| {
            if let Some(required) = self.definitions.get(target) {
                set.extend(required);
            }
        });
        set
    }

    fn spread(&mut self) -> Result<(), AnalysisError> {
        let module = self.module;
        let functions = module.functions();
        self.summaries = (0..functions.len())
            .map(|at| RequirementSummary { always: self.direct(at), ..RequirementSummary::NOTHING })
            .collect();
        for (at, condition, always) in &self.graph.conditional_requirements {
            let other = RequirementSummary { always: *always, ..RequirementSummary::NOTHING };
            self.summaries[*at].add(&other, *condition, &mut self.conditions)?;
        }
        let callees = |at, callees: &mut Vec<usize>| callees.extend(self.callees(at, &|_| true));
        for group in referred_first(functions.len(), callees).iter() {
            // A cycle is repeated until nothing changes.
            loop {
                let mut changed = false;
                for &at in group {
                    changed |= self.of_callees(at)?;
                }
                if !changed || group.len() == 1 {
                    break;
                }
            }
            group.iter().for_each(|&at| self.summaries[at].normalize());
        }
        Ok(())
    }

    /// Returns the functions that a function refers to, by index: always, or under a condition that counts.
    pub fn callees(&self, at: usize, counts: &dyn Fn(ConditionId) -> bool) -> Vec<usize> {
        let edges = self.edges(at).into_iter();
        let counts = edges.filter(|(_, condition)| condition.is_true() || counts(*condition));
        counts.filter_map(|(target, _)| self.module.function_index(target)).collect()
    }

    /// Returns the references of a function with their conditions: to functions, itself or through pointers to them in constants and
    /// initializers, and to definitions.
    pub fn edges(&self, at: usize) -> Vec<(u32, ConditionId)> {
        let id = self.module.functions()[at].id;
        let mut edges = Vec::new();
        self.graph.for_each(id, |target| edges.push((target, ConditionId::TRUE)));
        edges.extend(self.graph.conditional(id).iter().map(|used| (used.target, used.condition)));
        if !self.pointers.is_empty() {
            for at in 0..edges.len() {
                let (target, condition) = edges[at];
                let functions = self.pointers.get(&target).into_iter().flatten();
                edges.extend(functions.map(|&function| (function, condition)));
            }
        }
        edges
    }

    /// Returns the functions that a function reaches over calls and other references, including itself, each with the
    /// condition. Conditions are in a copy of the arena.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn reached_when(
        &self,
        function: u32,
        conditions: &mut Conditions,
    ) -> Result<IdMap<ConditionId>, ConditionError> {
        Ok(self.reached_within(function, &|_| true, conditions)?.inside)
    }

    /// Like [`reached_when`](RequirementSummaries::reached_when), but follows functions inside of a part of the module only.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn reached_within(
        &self,
        function: u32,
        is_inside: &dyn Fn(u32) -> bool,
        conditions: &mut Conditions,
    ) -> Result<ReachedFunctions, ConditionError> {
        let mut reached = ReachedFunctions::default();
        let Some(start) = self.module.function_index(function) else { return Ok(reached) };
        reached.inside.insert(function, ConditionId::TRUE);
        let mut open = VecDeque::from([start]);
        while let Some(at) = open.pop_front() {
            let reached_when = reached.inside[&self.module.functions()[at].id];
            for (target, condition) in self.edges(at) {
                let Some(callee) = self.module.function_index(target) else { continue };
                let is_inside = is_inside(target);
                let when = if is_inside { &mut reached.inside } else { &mut reached.outside };
                let through = conditions.and(reached_when, condition)?;
                let before = when.get(&target).copied().unwrap_or(ConditionId::FALSE);
                let joined = conditions.or(before, through)?;
                if joined != before {
                    when.insert(target, joined);
                    open.extend(is_inside.then_some(callee));
                }
            }
        }
        Ok(reached)
    }

    /// Returns the requirements of functions by themselves and by the definitions that they refer to, of each where a condition holds.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn of_functions(
        &self,
        functions: &IdMap<ConditionId>,
        conditions: &mut Conditions,
    ) -> Result<RequirementSummary, ConditionError> {
        let mut all = RequirementSummary::NOTHING;
        let mut add = |always, when| {
            let summary = RequirementSummary { always, ..RequirementSummary::NOTHING };
            all.add(&summary, when, conditions).map(drop)
        };
        let mut conditional = Vec::new();
        for (&function, &when) in functions {
            let Some(at) = self.module.function_index(function) else { continue };
            add(self.direct(at), when)?;
            let regions = self.graph.conditional_requirements.iter().filter(|(function, ..)| *function == at);
            conditional.extend(regions.map(|&(_, condition, always)| (always, condition, when)));
            let used = self.graph.conditional(function).iter();
            let used = used.filter_map(|used| Some((*self.definitions.get(used.target)?, used.condition)));
            conditional.extend(used.map(|(always, condition)| (always, condition, when)));
        }
        for (always, condition, when) in conditional {
            let summary = RequirementSummary { always, ..RequirementSummary::NOTHING };
            let when = conditions.and(condition, when)?;
            all.add(&summary, when, conditions)?;
        }
        all.normalize();
        Ok(all)
    }

    /// Returns the functions that others refer to, always or under a condition.
    pub fn called(&self) -> BTreeSet<u32> {
        let functions = self.module.functions();
        let callees = (0..functions.len())
            .flat_map(|at| self.callees(at, &|_| true).into_iter().filter(move |&callee| callee != at));
        callees.map(|callee| functions[callee].id).collect()
    }

    /// Adds the requirements of the callees of a function. Returns true if that changes anything.
    fn of_callees(&mut self, at: usize) -> Result<bool, ConditionError> {
        let edges = self.edges(at);
        let mut summary = std::mem::replace(&mut self.summaries[at], RequirementSummary::NOTHING);
        let mut changed = false;
        for (target, condition) in edges {
            match self.module.function_index(target) {
                Some(callee) if callee != at => {
                    changed |= summary.add(&self.summaries[callee], condition, &mut self.conditions)?;
                }
                None if !condition.is_true() => {
                    if let Some(&always) = self.definitions.get(target) {
                        let other = RequirementSummary { always, ..RequirementSummary::NOTHING };
                        changed |= summary.add(&other, condition, &mut self.conditions)?;
                    }
                }
                _ => {}
            }
        }
        self.summaries[at] = summary;
        Ok(changed)
    }

    /// Returns the requirement summary of a function, including everything that it calls or refers to. The summary is empty for any other
    /// id.
    pub fn summary(&self, function: u32) -> &RequirementSummary {
        static NOTHING: RequirementSummary = RequirementSummary::NOTHING;
        self.module.function_index(function).map_or(&NOTHING, |at| &self.summaries[at])
    }

    /// Returns the requirements of the whole module, reachable or not, except those of its declarations.
    pub fn everything(&self) -> RequirementSet {
        let mut all = self.everywhere;
        let sets =
            self.function_requirements.iter().chain(self.definitions.values()).chain(self.entries.values());
        for set in sets.chain(self.graph.conditional_requirements.iter().map(|(_, _, set)| set)) {
            all.extend(set);
        }
        all
    }

    /// Returns the requirements of a part of the module: of these functions (by index), entry points (by function) and
    /// definitions, and of everything that is in each part. Functions are in ascending order. Requirements of
    /// conditional calls are included, those of declarations are not.
    pub fn of_part(&self, functions: &[usize], entries: &[u32], definitions: &[u32]) -> RequirementSet {
        let mut all = self.everywhere;
        let direct = functions.iter().map(|&at| &self.function_requirements[at]);
        let entries = entries.iter().filter_map(|id| self.entries.get(id));
        let definitions = definitions.iter().filter_map(|&id| self.definitions.get(id));
        let conditional = self.graph.conditional_requirements.iter();
        let conditional = conditional.filter(|(at, ..)| functions.binary_search(at).is_ok());
        for set in direct.chain(entries).chain(definitions).chain(conditional.map(|(_, _, set)| set)) {
            all.extend(set);
        }
        all
    }

    /// Returns true if anything refers to an id; names, decorations, entry points and debug information do not.
    pub fn is_referenced(&self, id: u32) -> bool {
        self.graph.referenced.get(id as usize) == Some(&true)
    }

    /// Returns the requirement summary of an entry point: of its function, its execution model and modes, its interface, and the
    /// whole module.
    pub fn of_entry_point(&self, entry_point: views::EntryPoint) -> RequirementSummary {
        self.at_entry_point(entry_point, self.summary(entry_point.function()).clone())
    }

    /// Returns the requirement summary of an entry point whose code has this summary.
    pub fn at_entry_point(
        &self,
        entry_point: views::EntryPoint,
        mut summary: RequirementSummary,
    ) -> RequirementSummary {
        let function = entry_point.function();
        summary.always.extend(&self.everywhere);
        summary.always.extend(self.entries.get(&function).unwrap_or(&RequirementSet::EMPTY));
        for variable in entry_point.interface() {
            if let Some(required) = self.definitions.get(*variable).filter(|_| self.is_located(*variable)) {
                summary.always.extend(required);
            }
        }
        summary.normalize();
        summary
    }

    /// Returns the requirement summary of a function that other modules call, joined with that of the whole module.
    pub fn of_exported(&self, function: u32) -> RequirementSummary {
        let mut summary = self.summary(function).clone();
        summary.always.extend(&self.everywhere);
        summary.normalize();
        summary
    }

    /// Returns true if a variable is an input or output: it has a place in an interface, used or not.
    fn is_located(&self, variable: u32) -> bool {
        use spirv::StorageClass::{Input, Output};
        let variable = self.module.definition(variable).and_then(views::Variable::new);
        let class = variable.map(|variable| variable.storage_class());
        class.is_some_and(|class| class == Input as u32 || class == Output as u32)
    }

    /// Returns the condition that a module already has for an id, as a constant.
    ///
    /// # Errors
    /// If it is out of bounds.
    pub fn existing(
        &self,
        constant: u32,
        conditions: &mut Conditions,
    ) -> Result<ConditionId, ConditionError> {
        ExistingConditions::default().condition(self.module, constant, conditions)
    }
}

/// Returns the functions that a conditional call may call, each with the offset of the call.
fn called_by(call: &ConditionalCall) -> impl Iterator<Item = (u32, u32)> {
    let at = call.call;
    let otherwise = call.otherwise.iter().filter_map(|(_, otherwise)| otherwise.function());
    std::iter::once(call.function).chain(otherwise).map(move |function| (at, function))
}

/// Returns the definitions of a module that hold pointers to functions, each with these functions.
fn function_pointers(module: &Module, references: &ReferenceGraph) -> IdMap<Vec<u32>> {
    let mut holding: IdMap<Vec<u32>> = IdMap::new();
    if !module.globals().any(|inst| inst.is(Op::ConstantFunctionPointerINTEL)) {
        return holding;
    }
    for inst in module.globals().filter(is_definition) {
        let Some(id) = inst.result_id() else { continue };
        let mut functions = Vec::new();
        references.each_target(module, id, EdgeKinds::OPERAND, |used| {
            functions.extend(module.is_function(used).then_some(used));
            functions.extend(holding.get(&used).into_iter().flatten());
        });
        functions.sort_unstable();
        functions.dedup();
        if !functions.is_empty() {
            holding.insert(id, functions);
        }
    }
    holding
}
