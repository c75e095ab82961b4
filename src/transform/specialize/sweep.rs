//! Removal of definitions that nothing uses any more, by one mark from the roots.
//!
//! Roots are what has a meaning without any use, and what nothing used in the module as it was. Names, decorations and places in interface lists
//! are no uses: they go with what they describe.

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::decisions::Verdicts;
use super::error::PendingError;
use super::{Flags, IdFlags, SpecializeError, Work};
use crate::analysis::conditions::multi_target::{MultiTarget, OP_DEVICE_REGISTRY_VERSION, describe};
use crate::analysis::is_debug_operand;
use crate::loader::{Instruction, Module, SetKind, Visitor, views};

/// Finds the definitions that are removed since nothing uses them any more.
///
/// # Errors
/// If something that is kept uses an id that a false condition removed.
pub fn sweep(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    if !work.has_changed {
        return Ok(());
    }
    let module = work.module;
    let mut mark = Mark { flags: &mut work.flags, stack: Vec::new(), meets_removed: false };
    let kept = work.uses.roots.iter().chain(&work.kept);
    kept.for_each(|&id| mark.keep(id));
    each_conditional(module, work.multi_target, &work.verdicts, |id| mark.use_id(id));
    if !work.uses.in_interfaces.is_empty() {
        let is_kept = |entry: &views::EntryPoint| work.verdicts.keeps(entry.condition());
        let listed = module.entry_points().filter(is_kept).flat_map(|entry| entry.interface());
        let is_only_listed = |id: &&u32| work.uses.in_interfaces.binary_search(id).is_ok();
        listed.filter(is_only_listed).for_each(|&id| mark.keep(id));
    }
    while let Some(id) = mark.stack.pop() {
        let constant = module.definition(id).filter(|_| mark.flags.has(id, Flags::DECIDED));
        match (constant, module.function_index(id)) {
            // The words that define it name nothing but its type.
            (Some(inst), _) => mark.use_id(views::Value(inst).type_id()),
            (None, Some(at)) => bodies.references(at).iter().for_each(|&id| mark.use_id(id)),
            (None, None) => work.uses.of(id).iter().for_each(|&id| mark.use_id(id)),
        }
        attributes.of(id).for_each(|id| mark.use_id(id));
    }
    let meets_removed = mark.meets_removed;
    for &id in &work.uses.removable {
        if !work.flags.has(id, Flags::LIVE | Flags::REMOVED) {
            work.flags.set(id, Flags::UNUSED);
        }
    }
    if meets_removed {
        check_uses(work, bodies, attributes)?;
    }
    for function in module.functions() {
        if work.flags.has(function.id, Flags::UNUSED) {
            work.report.swept_functions.push(function.id);
            work.flags.remove_results(module, function);
        }
    }
    Ok(())
}

/// Marks what is used, from one id to the next.
struct Mark<'w> {
    flags: &'w mut IdFlags,
    stack: Vec<u32>,
    /// True if something that a false condition removed may be in use.
    meets_removed: bool,
}

impl Mark<'_> {
    fn use_id(&mut self, id: u32) {
        self.meets_removed |= self.flags.has(id, Flags::REMOVED);
        self.keep(id);
    }

    /// Marks what stays by itself, unless a false condition removed it.
    fn keep(&mut self, id: u32) {
        if !self.flags.has(id, Flags::REMOVED | Flags::LIVE) {
            self.flags.set(id, Flags::LIVE);
            self.stack.push(id);
        }
    }
}

/// Calls a function with the functions and conditions that conditional entry points and declarations use, as far as these stay.
fn each_conditional(
    module: &Module,
    multi_target: &MultiTarget,
    verdicts: &Verdicts,
    mut each: impl FnMut(u32),
) {
    for &offset in &multi_target.entry_points {
        let entry = views::EntryPoint(module.instruction(offset));
        if verdicts.keeps(entry.condition()) {
            each(entry.function());
        }
        verdicts.open(entry.condition()).into_iter().for_each(&mut each);
    }
    let capability = |&offset: &u32| views::Capability(module.instruction(offset)).condition();
    let extension = |&offset: &u32| views::Extension(module.instruction(offset)).condition();
    let capabilities = multi_target.capabilities.iter().map(capability);
    let conditions = capabilities.chain(multi_target.extensions.iter().map(extension));
    conditions.filter_map(|condition| verdicts.open(condition)).for_each(each);
}

/// Checks that nothing which is kept uses an id that a false condition removed.
fn check_uses(work: &Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    let (module, flags) = (work.module, &work.flags);
    for inst in module.outside_functions() {
        if let Some(removed) = removed_operand(work, &inst) {
            return Err(PendingError::StillUsed { removed, user: inst.offset() }.describe(module));
        }
    }
    for (at, function) in module.functions().iter().enumerate() {
        let mut used = bodies.references(at).iter();
        let removed = used.find(|&&id| !flags.is_removed(function.id) && flags.has(id, Flags::REMOVED));
        let Some(&removed) = removed else { continue };
        let uses = |inst: &Instruction| {
            let mut is_found = false;
            module.walk(inst, &mut |_: usize, id: u32| is_found |= id == removed);
            // A user that is removed as well is not the one to report.
            is_found && inst.result_id().is_none_or(|id| !flags.has(id, Flags::REMOVED))
        };
        // A copy may have dropped the operand: prefer another user.
        let copies = |inst: &Instruction| inst.is(Op::ConditionalCopyObjectINTEL);
        let user = module.body(function).find(|inst| uses(inst) && !copies(inst));
        let user = user.or_else(|| module.body(function).find(uses));
        let user = user.map_or(function.start, |user| user.offset());
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
fn removed_operand(work: &Work, inst: &Instruction) -> Option<u32> {
    let (module, flags) = (work.module, &work.flags);
    let removed = |id: u32| flags.has(id, Flags::REMOVED).then_some(id);
    match inst.op() {
        Some(
            Op::Name
            | Op::MemberName
            | Op::Decorate
            | Op::DecorateId
            | Op::DecorateString
            | Op::MemberDecorate
            | Op::MemberDecorateString
            | Op::GroupDecorate
            | Op::GroupMemberDecorate
            | Op::ExecutionMode
            | Op::ExecutionModeId
            | Op::TypeForwardPointer,
        ) => None,
        Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
            let entry = views::EntryPoint(*inst);
            let function = Some(entry.function()).filter(|_| work.verdicts.keeps(entry.condition()));
            let condition = work.verdicts.open(entry.condition());
            function.and_then(removed).or_else(|| condition.and_then(removed))
        }
        Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
            let condition = views::Capability(*inst).condition().or(views::Extension(*inst).condition());
            work.verdicts.open(condition).and_then(removed)
        }
        // Its operand is a number, not an id.
        None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => None,
        _ if inst.result_id().is_some_and(|id| flags.is_removed(id)) => None,
        _ if inst.result_id().is_some_and(|id| flags.has(id, Flags::DECIDED)) => {
            removed(views::Value(*inst).type_id())
        }
        _ => {
            let is_debug = module.set_kind(inst) == Some(SetKind::Debug);
            let mut finder = RemovedOperand { flags, is_debug, found: None };
            module.walk(inst, &mut finder);
            finder.found
        }
    }
}

/// Finds the first id that an instruction uses though a false condition removed it. Debug information may name such ids.
struct RemovedOperand<'w> {
    flags: &'w IdFlags,
    is_debug: bool,
    found: Option<u32>,
}

impl Visitor for RemovedOperand<'_> {
    fn id(&mut self, at: usize, id: u32) {
        if self.flags.has(id, Flags::REMOVED) && !(self.is_debug && is_debug_operand(at)) {
            self.found = self.found.or(Some(id));
        }
    }

    /// A word of an instruction that the grammar does not have proves no use.
    fn possible_id(&mut self, _at: usize, _id: u32) {}
}
