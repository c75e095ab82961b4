//! Presence conditions: when each function and each module-scope definition is required at all.
//!
//! The presence condition of a root is true. Any other is the OR, over all references to the id, of the presence condition
//! of the referring id AND the condition of the reference. That is a least fixed point over the [`ConditionalReferences`]:
//! cycles without a reference from outside are not required.

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use spirv::{BuiltIn, Decoration, Op};

use super::conditional::{ConditionalReferences, is_definition};
use super::declaration_uses::{DeclarationUses, RequirementUses};
use super::graph::{EdgeKinds, ReferenceGraph};
use crate::analysis::conditional::calls::ConditionalCalls;
use crate::analysis::conditional::error::AnalysisError;
use crate::analysis::conditional::existing_conditions::ExistingConditions;
use crate::analysis::conditions::multi_target::MultiTarget;
use crate::analysis::debug::names::Names;
use crate::analysis::entry_points::interface::{has_location, is_bound, is_location, push_constants};
use crate::analysis::requirements::InstructionRequirements;
use crate::condition::{ConditionError, ConditionId, Conditions, ConditionsById};
use crate::loader::{Instruction, Module, views};

/// The exports that are roots besides the entry points and the exports that nothing in the module calls.
#[derive(Clone, Debug, Default)]
pub struct Exports {
    /// Names (linkage names or OpNames) of functions that are roots.
    pub named: Vec<String>,
    /// True if all exported functions and variables are.
    pub all: bool,
    /// True if variables with a binding and push constants are kept.
    pub keep_interface: bool,
    /// Exported functions that entry points called before branches were decided. No call is left, but they do not become roots.
    pub called_before: BTreeSet<u32>,
}

/// The presence conditions of a module.
pub struct PresenceConditions {
    /// The arena of all conditions below.
    pub conditions: Conditions,
    /// The presence condition of each id.
    presence: ConditionsById,
    /// The uses of the declared capabilities and extensions.
    pub declaration_uses: DeclarationUses,
    existing: ExistingConditions,
    /// Exported functions and variables other than roots.
    pub conditional_exports: Vec<u32>,
    /// Variables that are kept only because they have a Location or Component in an interface. Each has the ids that only it requires
    /// unconditionally.
    pub interface_only: Vec<(u32, BTreeSet<u32>)>,
}

impl PresenceConditions {
    /// Computes the presence conditions of a module, in an empty arena.
    ///
    /// # Errors
    /// If a condition is out of bounds, or an export is named that does not exist.
    pub fn compute(
        module: &Module,
        references: &Arc<ReferenceGraph>,
        names: &Names,
        calls: &ConditionalCalls,
        (multi_target, mut conditions): (&MultiTarget, Conditions),
        requirements: &InstructionRequirements,
        exports: &Exports,
    ) -> Result<PresenceConditions, AnalysisError> {
        tally!("presence conditions", module, &(calls, exports));
        let mut graph = ConditionalReferences::read(
            module,
            references,
            calls,
            multi_target,
            requirements,
            &mut conditions,
        )?;
        let mut roots = PresenceRoots::find(module, names, calls, &graph, exports, requirements)?;
        // The conditions are written with them.
        roots.always.extend(calls.regions.constants.keys());
        let mut existing = std::mem::take(&mut graph.existing);
        let bound = module.bound() as usize;
        let presence = ConditionsById::new(bound);
        let mut spread = PresencePropagation {
            graph: &graph,
            conditions,
            presence,
            sure: Vec::new(),
            open: VecDeque::new(),
        };
        for &root in &roots.always {
            spread.join(root, ConditionId::TRUE)?;
        }
        for &(root, condition) in &roots.conditional {
            let condition = existing.condition(module, condition, &mut spread.conditions)?;
            spread.join(root, condition)?;
        }
        spread.run()?;
        let conditional_exports = spread.unreached_exports(module, names, calls, &roots, exports)?;
        let interface_only = spread.interface_only(&roots);
        for &variable in &roots.interface {
            spread.join(variable, ConditionId::TRUE)?;
        }
        spread.run()?;
        let PresencePropagation { conditions, presence, .. } = spread;
        let mut presence = PresenceConditions {
            conditions,
            presence,
            declaration_uses: DeclarationUses::default(),
            existing,
            conditional_exports,
            interface_only,
        };
        presence.find_declaration_uses(module, &graph, calls, requirements)?;
        Ok(presence)
    }

    /// Returns the presence condition of a function or module-scope definition.
    pub fn condition(&self, id: u32) -> ConditionId {
        self.presence.condition(id)
    }

    /// Returns the condition that a module already has for an id, as a constant.
    ///
    /// # Errors
    /// If it is out of bounds.
    pub fn existing(&mut self, module: &Module, constant: u32) -> Result<ConditionId, ConditionError> {
        self.existing.condition(module, constant, &mut self.conditions)
    }

    fn find_declaration_uses(
        &mut self,
        module: &Module,
        graph: &ConditionalReferences,
        calls: &ConditionalCalls,
        requirements: &InstructionRequirements,
    ) -> Result<(), ConditionError> {
        let mut uses = RequirementUses::new();
        for (function, required) in module.functions().iter().zip(&graph.requirements) {
            let present_when = self.condition(function.id);
            let mut required = *required;
            // Only the compiler's optimizer was to keep away from it.
            if calls.inlined.contains(&function.id) {
                required.subtract(&requirements.of_optnone());
            }
            uses.add(&required, present_when, Some(function.id), &mut self.conditions)?;
        }
        for &(function, condition, ref required) in &graph.conditional_requirements {
            let function = module.functions()[function].id;
            let present_when = self.conditions.and(self.condition(function), condition)?;
            uses.add(required, present_when, Some(function), &mut self.conditions)?;
        }
        for inst in module.globals() {
            if inst.is(Op::Capability) || inst.is(Op::ConditionalCapabilityINTEL) {
                continue;
            }
            let required = requirements.find(&inst);
            if required.is_empty() {
                continue;
            }
            let (id, present_when) = match inst.op() {
                _ if is_definition(&inst) => match inst.result_id() {
                    Some(id) => (Some(id), self.condition(id)),
                    None => continue,
                },
                Some(Op::EntryPoint) => (Some(views::EntryPoint(inst).function()), ConditionId::TRUE),
                Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                    (Some(views::ExecutionMode(inst).entry_point()), ConditionId::TRUE)
                }
                _ => match views::Decoration::new(inst) {
                    Some(decoration) => (Some(decoration.target()), self.of_decoration(module, decoration)),
                    // The memory model, which has no id.
                    None => (None, ConditionId::TRUE),
                },
            };
            uses.add(&required, present_when, id, &mut self.conditions)?;
        }
        self.declaration_uses = DeclarationUses::compute(module, requirements, uses, &mut self.conditions)?;
        Ok(())
    }

    /// Returns the presence condition of a decoration: the condition of its target, or of the function that defines the target. Targets of
    /// decoration groups count as required unconditionally.
    fn of_decoration(&self, module: &Module, decoration: views::Decoration) -> ConditionId {
        let target = decoration.target();
        let definition = module.definition(target);
        match module.function_of(target) {
            Some(at) => self.condition(module.functions()[at].id),
            None if module.is_global(target) && definition.is_some_and(|inst| is_definition(&inst)) => {
                self.condition(target)
            }
            None => ConditionId::TRUE,
        }
    }
}

/// The roots from which presence conditions propagate.
struct PresenceRoots {
    always: Vec<u32>,
    /// Entry points that already have a condition in the module, with the condition.
    conditional: Vec<(u32, u32)>,
    /// Variables with a Location or Component in an interface list.
    interface: BTreeSet<u32>,
}

impl PresenceRoots {
    fn find(
        module: &Module,
        names: &Names,
        calls: &ConditionalCalls,
        graph: &ConditionalReferences,
        exports: &Exports,
        requirements: &InstructionRequirements,
    ) -> Result<PresenceRoots, AnalysisError> {
        let mut roots =
            PresenceRoots { always: graph.kept.clone(), conditional: Vec::new(), interface: BTreeSet::new() };
        roots.always.extend(graph.references.attributes(EdgeKinds::EXECUTION_MODE).map(|(_, id)| id));
        let mut located = BTreeSet::new();
        let mut listed = Vec::new();
        let mut bound: Vec<u32> = Vec::new();
        if exports.keep_interface {
            bound.extend(push_constants(module));
        }
        for inst in module.globals() {
            match inst.op() {
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    let entry_point = views::EntryPoint(inst);
                    match entry_point.condition() {
                        None => roots.always.push(entry_point.function()),
                        Some(condition) => roots.conditional.push((entry_point.function(), condition)),
                    }
                    listed.extend(entry_point.interface());
                }
                Some(Op::MemberDecorate | Op::Decorate) => {
                    let decoration = views::Decoration(inst);
                    let target = decoration.target();
                    let is_sized = decoration.is_built_in(BuiltIn::WorkgroupSize);
                    let is_unreferenced_constant =
                        || decoration.is_a(Decoration::SpecId) && !graph.referenced[target as usize];
                    if exports.keep_interface
                        && decoration.member().is_none()
                        && is_bound(decoration.decoration())
                    {
                        bound.push(target);
                    }
                    if is_location(decoration.decoration()) {
                        located.insert(target);
                    } else if decoration.member().is_none() && (is_sized || is_unreferenced_constant()) {
                        roots.always.push(target);
                    }
                }
                // Unreferenced definitions are kept, since their purpose is not known, except types and constants with
                // requirements beyond those of code.
                _ if is_definition(&inst) => {
                    let id = inst.result_id().filter(|&id| !graph.referenced[id as usize]);
                    let id = id.filter(|_| {
                        !is_plain(&inst) || !requires_something(module, graph, requirements, &inst)
                    });
                    roots.always.extend(id.filter(|&id| exports.all || !names.is_exported(id)));
                }
                _ => {}
            }
        }
        let in_place = |id: &u32| has_location(module, *id, |id| located.contains(&id));
        roots.interface = listed.into_iter().filter(in_place).chain(bound).collect();
        let replaced = calls.replaced();
        for id in names.exported() {
            // A conditional caller would make its action required unconditionally: it is exported only to keep it from being
            // inlined.
            let wanted = exports.all && !replaced.contains(&id);
            if wanted || !graph.referenced[id as usize] && !exports.called_before.contains(&id) {
                roots.always.push(id);
            }
        }
        for name in &exports.named {
            let is_named = |id: u32| {
                names.linkage(id).is_some_and(|linkage| linkage.name == *name)
                    || names.name(id).is_some_and(|other| other == *name)
            };
            let before = roots.always.len();
            roots
                .always
                .extend(module.functions().iter().map(|function| function.id).filter(|&id| is_named(id)));
            if roots.always.len() == before {
                return Err(AnalysisError::UnknownFunction(name.clone()));
            }
        }
        Ok(roots)
    }
}

/// Returns true if an instruction is known to define a type or an ordinary constant. Only code can refer to these, but conditions and hosts
/// refer to specialization constants.
fn is_plain(inst: &Instruction) -> bool {
    let is_other = inst.is(Op::ExtInstImport) || inst.is(Op::SpecConstantCompositeContinuedINTEL);
    is_definition(inst) && !is_other && !inst.is_variable() && !inst.is_open_constant()
}

/// Returns true if a type or constant, or a part of it, has a requirement.
fn requires_something(
    module: &Module,
    graph: &ConditionalReferences,
    requirements: &InstructionRequirements,
    inst: &Instruction,
) -> bool {
    let mut seen = BTreeSet::new();
    let mut stack: Vec<u32> = inst.result_id().into_iter().collect();
    while let Some(id) = stack.pop() {
        if let Some(part) = module.definition(id).filter(|_| module.is_global(id) && seen.insert(id)) {
            if !requirements.find(&part).is_empty() {
                return true;
            }
            graph.references.each_use(module, id, |used| stack.push(used));
        }
    }
    false
}

/// The state of the propagation of presence conditions along references.
struct PresencePropagation<'u, 'm> {
    graph: &'u ConditionalReferences<'m>,
    conditions: Conditions,
    presence: ConditionsById,
    /// Nodes that are required unconditionally, with references still to follow. These come first, since no later node can change them.
    sure: Vec<u32>,
    /// Other nodes whose presence condition has changed.
    open: VecDeque<u32>,
}

impl PresencePropagation<'_, '_> {
    fn join(&mut self, id: u32, condition: ConditionId) -> Result<(), ConditionError> {
        if id as usize >= self.presence.count() {
            return Ok(());
        }
        let present_when = self.presence.condition(id);
        let joined = self.conditions.or(present_when, condition)?;
        if joined != present_when {
            self.presence.set(id, joined);
            if joined.is_true() {
                self.sure.push(id);
            } else {
                self.open.push_back(id);
            }
        }
        Ok(())
    }

    fn run(&mut self) -> Result<(), ConditionError> {
        let graph = self.graph;
        let mut targets = Vec::new();
        while let Some(id) = self.sure.pop().or_else(|| self.open.pop_front()) {
            let present_when = self.presence.condition(id);
            targets.clear();
            graph.for_each(id, |target| targets.push(target));
            for &target in &targets {
                self.join(target, present_when)?;
            }
            for conditional in graph.conditional(id) {
                let condition = self.conditions.and(present_when, conditional.condition)?;
                self.join(conditional.target, condition)?;
            }
        }
        Ok(())
    }

    /// Returns the exports that are not roots. A called export is not a root for its export alone, unless all its callers are in a cycle
    /// that nothing else reaches. Then the export is the way in.
    fn unreached_exports(
        &mut self,
        module: &Module,
        names: &Names,
        calls: &ConditionalCalls,
        roots: &PresenceRoots,
        exports: &Exports,
    ) -> Result<Vec<u32>, ConditionError> {
        let replaced = calls.replaced();
        let mut reached = vec![false; self.presence.count()];
        self.reach(&mut reached, &roots.always);
        self.reach(&mut reached, &roots.conditional.iter().map(|&(id, _)| id).collect::<Vec<u32>>());
        let exported = names.exported().filter(|id| module.definition_offset(*id).is_some());
        let mut exported: Vec<u32> = exported.filter(|id| !replaced.contains(id)).collect();
        module.sort_by_definition(&mut exported);
        for &id in &exported {
            if !reached[id as usize] && !exports.called_before.contains(&id) {
                self.join(id, ConditionId::TRUE)?;
                self.reach(&mut reached, &[id]);
            }
        }
        self.run()?;
        exported.retain(|&id| !self.presence.condition(id).is_true());
        Ok(exported)
    }

    /// Marks the nodes that can be reached under any condition.
    fn reach(&self, reached: &mut [bool], from: &[u32]) {
        let mut stack = from.to_vec();
        while let Some(id) = stack.pop() {
            let Some(seen) = reached.get_mut(id as usize) else { continue };
            if !std::mem::replace(seen, true) {
                self.graph.for_each(id, |target| stack.push(target));
                stack.extend(self.graph.conditional(id).iter().map(|conditional| conditional.target));
            }
        }
    }

    /// Returns the interface variables that only the interface requires unconditionally. Each has the ids that become unconditional with it.
    fn interface_only(&self, roots: &PresenceRoots) -> Vec<(u32, BTreeSet<u32>)> {
        let conditional =
            roots.interface.iter().copied().filter(|&id| !self.presence.condition(id).is_true());
        let with_parts = conditional.map(|variable| {
            let mut stack = vec![variable];
            let mut parts = BTreeSet::new();
            while let Some(id) = stack.pop() {
                // Ids that are required unconditionally anyway cost nothing.
                if !self.presence.condition(id).is_true() && parts.insert(id) {
                    self.graph.for_each(id, |target| stack.push(target));
                }
            }
            (variable, parts)
        });
        with_parts.collect()
    }
}
