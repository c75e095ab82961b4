//! Removal of functions and definitions that nothing uses any more.
//!
//! Names, decorations and places in interface lists are not uses: they are removed with their target.

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::error::PendingError;
use super::live_uses::LiveUses;
use super::mark::{UseMarker, UsedDefinitions};
use super::{Flags, IdFlags, SpecializeContext, SpecializeError};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::{Analyses, EdgeKinds, ModuleScopeRole, is_debug_operand};
use crate::loader::{Instruction, SetKind, Visitor, views};

/// Finds the definitions that are removed since nothing uses them any more, and such instructions of functions that change.
///
/// # Errors
/// If something that is kept uses an id that a false condition removed.
pub fn sweep(
    context: &mut SpecializeContext,
    analyses: &Analyses,
    bodies: &mut Bodies,
    attributes: &Attributes,
) -> Result<(), SpecializeError> {
    if !context.has_changed {
        return Ok(());
    }
    let module = context.module;
    let mut uses = LiveUses::new(module, context.references, context.uses, attributes, &context.flags);
    let uses_removed = add_roots(context, &mut uses);
    let decided =
        context.scope.computed.iter().filter_map(|&offset| module.instruction(offset).typed_result());
    let is_left = |id: u32| !context.flags.has(id, Flags::REMOVED);
    for [type_id, id] in decided.filter(|&[_, id]| context.flags.has(id, Flags::DECIDED) && is_left(id)) {
        uses.take_uses(id);
        uses.add(type_id);
    }
    bodies.changed.iter().for_each(|changed| uses.take_uses(changed.body.function().id));
    context.removed.iter().for_each(|&id| uses.take_uses(id));
    uses.find_unused(&mut context.flags);
    let mut parameters = std::mem::take(&mut bodies.parameters);
    let mark = UseMarker::new(analyses, &mut context.flags, bodies, &mut parameters, attributes, uses);
    let marked = mark.finish(&context.removed);
    let joined = marked.apply(module, &parameters, bodies);
    joined.into_iter().for_each(|label| context.flags.set(label, Flags::REMOVED));
    bodies.parameters = parameters;
    if uses_removed || marked.uses_removed || !marked.still_used.is_empty() {
        check_uses(context, bodies, &marked, attributes)?;
    }
    for function in module.functions() {
        if context.flags.has(function.id, Flags::UNUSED) {
            context.report.swept_functions.push(function.id);
            context.flags.remove_results(module, function);
        }
    }
    Ok(())
}

/// Adds the uses by conditional instructions that stay, and by everything that hosts see. Returns true if they use a
/// removed definition.
fn add_roots(context: &SpecializeContext, uses: &mut LiveUses) -> bool {
    let (module, multi_target) = (context.module, context.multi_target);
    let (values, flags) = (&context.condition_values, &context.flags);
    let kept = context.kept.iter().copied().filter(|&id| !flags.has(id, Flags::REMOVED));
    kept.for_each(|id| uses.add(id));
    // Conditional entry points and declarations, as far as they stay.
    let entries =
        multi_target.entry_points.iter().map(|&offset| views::EntryPoint(module.instruction(offset)));
    let entries = entries.filter(|entry| values.keeps(entry.condition())).map(views::EntryPoint::function);
    let conditions = context.references.module_targets(EdgeKinds::CONDITION);
    let mut uses_removed = false;
    entries.chain(conditions.filter(|&id| values.value(id).is_none())).for_each(|id| {
        uses_removed |= flags.has(id, Flags::REMOVED);
        uses.add(id);
    });
    let in_interfaces = &context.uses.in_interfaces;
    if !in_interfaces.is_empty() {
        let is_kept = |entry: &views::EntryPoint| values.keeps(entry.condition());
        let listed = module.entry_points().filter(is_kept).flat_map(|entry| entry.interface());
        let is_only_listed = |id: &&u32| in_interfaces.binary_search(id).is_ok();
        listed.filter(is_only_listed).for_each(|&id| uses.add(id));
    }
    uses_removed
}

/// Checks that no kept instruction uses an id that a false condition removed.
fn check_uses(
    context: &SpecializeContext,
    bodies: &Bodies,
    marked: &UsedDefinitions,
    attributes: &Attributes,
) -> Result<(), SpecializeError> {
    let (module, flags) = (context.module, &context.flags);
    for inst in module.outside_functions() {
        if let Some(removed) = removed_operand(context, &inst) {
            return Err(PendingError::StillUsed { removed, user: inst.offset() }.describe(module));
        }
    }
    for (at, function) in module.functions().iter().enumerate() {
        if flags.is_removed(function.id) {
            continue;
        }
        if bodies.changed(at).is_some() {
            let first = marked.still_used.partition_point(|&(user, _)| user < function.start);
            let used = marked.still_used.get(first).filter(|(user, _)| *user < function.end);
            let Some(&(user, removed)) = used else { continue };
            return Err(PendingError::StillUsed { removed, user }.describe(module));
        }
        let mut used = context.references.function_uses(at);
        let Some(removed) = used.find(|&id| flags.has(id, Flags::REMOVED)) else { continue };
        let uses = |inst: &Instruction| {
            let mut is_found = false;
            module.walk(inst, &mut |_: usize, id: u32| is_found |= id == removed);
            // A user that is removed as well is not the one to report.
            is_found && inst.result_id().is_none_or(|id| !flags.has(id, Flags::REMOVED))
        };
        let user = module.body(function).find(uses).map_or(function.start, |user| user.offset());
        return Err(PendingError::StillUsed { removed, user }.describe(module));
    }
    for &(target, operand) in &attributes.edges {
        if flags.has(operand, Flags::REMOVED) && !flags.is_removed(target) {
            let removed = describe(module, operand);
            let user = format!("a decoration or execution mode of {}", describe(module, target));
            return Err(SpecializeError::StillUsed { removed, user });
        }
    }
    Ok(())
}

/// Returns an id that an instruction outside of functions uses though a false condition removed it.
fn removed_operand(context: &SpecializeContext, inst: &Instruction) -> Option<u32> {
    let (module, flags) = (context.module, &context.flags);
    let removed = |id: u32| flags.has(id, Flags::REMOVED).then_some(id);
    match ModuleScopeRole::new(inst) {
        ModuleScopeRole::Description
        | ModuleScopeRole::Decoration
        | ModuleScopeRole::Group
        | ModuleScopeRole::ExecutionMode
        | ModuleScopeRole::Continuation
        | ModuleScopeRole::Number => None,
        ModuleScopeRole::EntryPoint => {
            let entry = views::EntryPoint(*inst);
            let function =
                Some(entry.function()).filter(|_| context.condition_values.keeps(entry.condition()));
            let condition = context.condition_values.unless_known(entry.condition());
            function.and_then(removed).or_else(|| condition.and_then(removed))
        }
        ModuleScopeRole::ConditionalDeclaration => {
            let condition = views::Capability(*inst).condition().or(views::Extension(*inst).condition());
            context.condition_values.unless_known(condition).and_then(removed)
        }
        _ if inst.result_id().is_some_and(|id| flags.is_removed(id)) => None,
        _ if inst.result_id().is_some_and(|id| flags.has(id, Flags::DECIDED)) => {
            removed(views::Value(*inst).type_id())
        }
        _ => {
            let is_debug = module.set_kind(inst) == Some(SetKind::Debug);
            let mut finder = RemovedOperand { flags, is_debug, removed_id: None };
            module.walk(inst, &mut finder);
            module.continuations(inst).for_each(|continuation| module.walk(&continuation, &mut finder));
            finder.removed_id
        }
    }
}

/// Finds the first id that an instruction uses though a false condition removed it. Debug information may name such ids.
struct RemovedOperand<'w> {
    flags: &'w IdFlags,
    is_debug: bool,
    removed_id: Option<u32>,
}

impl Visitor for RemovedOperand<'_> {
    fn id(&mut self, at: usize, id: u32) {
        if self.flags.has(id, Flags::REMOVED) && !(self.is_debug && is_debug_operand(at)) {
            self.removed_id = self.removed_id.or(Some(id));
        }
    }

    /// Ignores a word of an instruction that the grammar does not have: it proves no use.
    fn possible_id(&mut self, _at: usize, _id: u32) {}
}
