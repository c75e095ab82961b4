//! Removal of what nothing uses any more, by one mark from the roots.
//!
//! Roots are definitions with a meaning without any use, and definitions that were unused in the original module. Names, decorations and places in
//! interface lists are not uses: they are removed with their target.

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::error::PendingError;
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
    let (module, roots, multi_target) = (context.module, context.roots, context.multi_target);
    let mut parameters = std::mem::take(&mut bodies.parameters);
    let mut mark = UseMarker::new(analyses, &mut context.flags, bodies, &mut parameters, attributes);
    let kept = roots.kept.iter().chain(&context.kept);
    kept.for_each(|&id| mark.keep(id));
    // Conditional entry points and declarations, as far as they stay.
    let values = &context.condition_values;
    let entries =
        multi_target.entry_points.iter().map(|&offset| views::EntryPoint(module.instruction(offset)));
    let entries = entries.filter(|entry| values.keeps(entry.condition())).map(views::EntryPoint::function);
    let conditions = context.references.module_targets(EdgeKinds::CONDITION);
    entries.chain(conditions.filter(|&id| values.value(id).is_none())).for_each(|id| mark.use_id(id));
    if !roots.in_interfaces.is_empty() {
        let is_kept = |entry: &views::EntryPoint| context.condition_values.keeps(entry.condition());
        let listed = module.entry_points().filter(is_kept).flat_map(|entry| entry.interface());
        let is_only_listed = |id: &&u32| roots.in_interfaces.binary_search(id).is_ok();
        listed.filter(is_only_listed).for_each(|&id| mark.keep(id));
    }
    let marked = mark.finish();
    marked.apply(module, &parameters, &mut bodies.changed);
    bodies.parameters = parameters;
    for &id in &roots.removable {
        if !context.flags.has(id, Flags::LIVE | Flags::REMOVED) {
            context.flags.set(id, Flags::UNUSED);
        }
    }
    if marked.meets_removed {
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
        let mut used = context.references.uses(function.id);
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

    /// A word of an instruction that the grammar does not have proves no use.
    fn possible_id(&mut self, _at: usize, _id: u32) {}
}
