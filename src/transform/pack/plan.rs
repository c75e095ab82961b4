//! The plan of packing: the condition of each definition and declaration, and the removed ids.

use std::collections::{BTreeSet, HashMap};

use spirv::{Decoration, Op};

use super::{Dialect, PackContext, PackError, declarations};
use crate::analysis::{Annotated, is_debug, is_definition};
use crate::collections::{gather, sort};
use crate::condition::ConditionId;
use crate::loader::{Function, Instruction, Module, SetKind, views};
use crate::transform::NewInstruction;
use crate::transform::condition_constants::ConditionIds;
use crate::transform::removal::{Removal, count_words, entry_point};

/// The planned changes to a module.
#[derive(Default)]
pub struct PackPlan {
    /// Calls that may be taken, by result id, with their conditions.
    pub calls: Vec<(u32, ConditionId)>,
    /// Functions that calls with an open condition call.
    pub open: BTreeSet<u32>,
    /// Ids that get a ConditionalINTEL decoration.
    decorated: Vec<(u32, ConditionId)>,
    /// Copies of one of several values: the offset, and the values with their conditions.
    pub joins: Vec<(u32, Vec<(ConditionId, u32)>)>,
    /// Capabilities that become conditional: the instruction without its condition, and the condition.
    pub capabilities: Vec<(NewInstruction, ConditionId)>,
    /// Extensions with the condition of their declaration.
    pub extensions: Vec<(NewInstruction, ConditionId)>,
    /// Removed ids that are neither functions nor module-scope definitions.
    pub removed: Vec<u32>,
    /// The offsets of the ConditionalINTEL decorations that the module has, by target.
    existing: HashMap<u32, u32>,
}

impl PackPlan {
    /// Gives conditions to functions, module-scope definitions and calls.
    pub fn decide(&mut self, context: &mut PackContext) -> Result<(), PackError> {
        let module = context.module;
        let existing = &context.multi_target.decorations;
        self.existing = existing.iter().map(|decoration| (decoration.target, decoration.offset)).collect();
        let mut wanted: Vec<(u32, ConditionId)> = std::mem::take(&mut self.calls);
        let ids = definitions(module).chain(module.functions().iter().map(|function| function.id));
        wanted.extend(ids.map(|id| (id, context.presence.condition(id))));
        sort(&mut wanted);
        for (id, condition) in wanted {
            if condition.is_false() || condition.is_true() {
                continue;
            }
            let condition = match context.multi_target.condition(id) {
                None => condition,
                Some(existing) => match self.narrow(context, id, existing, condition)? {
                    Some(condition) => condition,
                    None => continue,
                },
            };
            self.decorated.push((id, condition));
        }
        Ok(())
    }

    /// Returns the conjunction of the old condition of an id and a new condition; `None` if the old condition implies
    /// the new one.
    fn narrow(
        &self,
        context: &mut PackContext,
        id: u32,
        existing: u32,
        condition: ConditionId,
    ) -> Result<Option<ConditionId>, PackError> {
        let old = context.presence.existing(context.module, existing)?;
        let conditions = &mut context.presence.conditions;
        if conditions.implies(old, condition)? {
            return Ok(None);
        }
        let decoration = self.existing.get(&id);
        let &decoration = decoration.ok_or_else(|| PackError::Grouped(context.names.display(id)))?;
        context.edits.drop(&context.module.instruction(decoration));
        Ok(Some(conditions.and(old, condition)?))
    }

    /// Returns all conditions of the plan.
    pub fn conditions(&self) -> BTreeSet<ConditionId> {
        let decorated = self.decorated.iter().map(|&(_, condition)| condition);
        let declared = self.capabilities.iter().chain(&self.extensions).map(|&(_, condition)| condition);
        let joined = self.joins.iter().flat_map(|(_, parts)| parts).map(|&(condition, _)| condition);
        gather(decorated.chain(declared).chain(joined))
    }

    /// Removes the definitions that no device requires. These are the conditional callers, functions reached only by calls that are never taken,
    /// and the definitions that only these used.
    pub fn remove(&self, context: &mut PackContext, annotated: &Annotated) {
        let module = context.module;
        let mut removed = vec![false; module.bound() as usize];
        for &id in &self.removed {
            removed[id as usize] = true;
        }
        for id in definitions(module) {
            removed[id as usize] = context.presence.condition(id).is_false();
        }
        let mut any = removed.contains(&true);
        let replaced = context.calls.replaced();
        for function in module.functions() {
            if context.presence.condition(function.id).is_false() {
                any = true;
                module
                    .body(function)
                    .filter_map(|inst| inst.result_id())
                    .for_each(|id| removed[id as usize] = true);
                context.edits.drop_range(function.lines, function.end);
                if !replaced.contains(&function.id) && !annotated.clones.contains_key(&function.id) {
                    context.summary.removed_functions.push(context.names.display(function.id));
                }
            }
        }
        if any {
            remove_mentions(context, &mut removed);
        }
    }

    /// Writes the planned instructions, with the ids of the conditions.
    pub fn write(
        &self,
        context: &mut PackContext,
        conditions: &ConditionIds,
        dialect: Dialect,
        has_device_constants: bool,
    ) {
        if conditions.is_empty() && !has_device_constants {
            return;
        }
        // The extension's own capability and name come before the declarations that they allow.
        declarations::declare_capability(context, dialect);
        let with_condition = |(inst, condition): &(NewInstruction, ConditionId)| {
            let mut inst = inst.clone();
            inst.operands.insert(0, conditions[condition]);
            inst
        };
        for declaration in &self.capabilities {
            context.edits.insert(context.points.capabilities, &with_condition(declaration));
        }
        declarations::declare_extension(context);
        for declaration in &self.extensions {
            context.edits.insert(context.points.extensions, &with_condition(declaration));
        }
        for (id, condition) in &self.decorated {
            let operands = vec![*id, Decoration::ConditionalINTEL as u32, conditions[condition]];
            context
                .edits
                .insert(context.points.annotations, &NewInstruction::new(Op::Decorate, None, None, operands));
            context.summary.decorated += 1;
        }
        for (offset, parts) in &self.joins {
            let copy = context.module.instruction(*offset);
            let pairs = parts.iter().flat_map(|(condition, value)| [conditions[condition], *value]);
            let operands = pairs.collect();
            let op = Op::ConditionalCopyObjectINTEL;
            context
                .edits
                .replace(&copy, &NewInstruction::new(op, copy.result_type(), copy.result_id(), operands));
        }
    }
}

/// Returns the module-scope definitions that may become conditional or be removed: not the Boolean type of the conditions themselves.
fn definitions(module: &Module) -> impl Iterator<Item = u32> {
    let definitions = module.globals().filter(is_definition);
    definitions.filter(|inst| !inst.is(Op::TypeBool)).filter_map(|inst| inst.result_id())
}

/// Removes the mentions of removed ids, outside and inside of functions: names, decorations, debug information and the like.
fn remove_mentions(context: &mut PackContext, removed: &mut [bool]) {
    let module = context.module;
    // Without a DebugInfoNone, a NonSemantic instruction is removed with its operands, and so are its users.
    let remove = |inst: &Instruction, removed: &mut [bool]| {
        let mut names_removed = false;
        module.walk(inst, &mut |at, id: u32| names_removed |= at > 3 && removed[id as usize]);
        removed[views::ExtInst(*inst).id() as usize] |= names_removed;
        names_removed
    };
    let is_other = |inst: &Instruction| module.set_kind(inst) == Some(SetKind::NonSemantic);
    for inst in module.outside_functions().filter(is_other) {
        remove(&inst, removed);
    }
    let kept = module.functions().iter().filter(|function| !removed[function.id as usize]);
    let kept: Vec<&Function> = kept.collect();
    let inside = || kept.iter().flat_map(|function| module.body(function));
    if module.has_sets_of(SetKind::NonSemantic) {
        for inst in inside().filter(is_other) {
            if remove(&inst, removed) {
                context.edits.drop(&inst);
            }
        }
    }
    let is_removed = |id: u32| removed[id as usize];
    let mut removal = Removal::default();
    for inst in module.outside_functions() {
        if let Some(entry) = views::EntryPoint::new(inst) {
            let mut words = entry_point(entry, &is_removed);
            count_words(&mut words);
            if words != inst.words() {
                context.edits.replace_words(&inst, &words);
            }
        } else {
            removal.outside(module, &inst, &is_removed, &mut context.edits);
        }
    }
    if module.globals().any(|inst| is_debug(module, &inst)) {
        for inst in inside().filter(|inst| is_debug(module, inst)) {
            removal.debug(module, &inst, context.points.globals, &is_removed, &mut context.edits);
        }
    }
}
