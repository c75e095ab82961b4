//! Removal of definitions that only removed code used.
//!
//! Where uses are counted and nothing refers to itself, an id is removed with its last use ([`Counted`]). Elsewhere, candidates are all ids that
//! removed and rewritten instructions used, and the ids that those use in turn. A candidate is kept if an instruction that is no candidate uses it,
//! directly or through other candidates. So leftovers that refer to each other are removed. Either way, ids that had no use in the first place are
//! kept.

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::decisions::Verdicts;
use super::error::PendingError;
use super::{Flags, IdFlags, SpecializeError, Work};
use crate::analysis::conditions::multi_target::{MultiTarget, OP_DEVICE_REGISTRY_VERSION, describe};
use crate::analysis::{is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Module, SetKind, Visitor, views};

/// What the list of swept ids has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swept {
    /// All that are removed.
    All,
    /// Some of them.
    Some,
}

/// Marks the definitions that are removed.
///
/// # Errors
/// If a kept instruction uses an id that a false condition removed.
pub fn sweep(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<Swept, SpecializeError> {
    let is_counted = sweep_counted(work, bodies, attributes);
    if !is_counted {
        find_candidates(work, bodies, attributes);
        mark(work, bodies, attributes)?;
    }
    let module = work.module;
    for function in module.functions() {
        if work.flags.is_removed(function.id) && !work.flags.has(function.id, Flags::REMOVED) {
            work.report.swept_functions.push(function.id);
            work.flags.remove_results(module, function);
        }
    }
    Ok(if is_counted && !work.flags.has_removed { Swept::All } else { Swept::Some })
}

/// Marks the definitions that are removed. False, with nothing marked, if numbers do not tell which these are, or something that stays uses what
/// a false condition removed.
fn sweep_counted(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> bool {
    let (module, outside) = (work.module, work.outside);
    if !outside.is_counted || outside.may_be_cyclic || bodies.may_recurse() {
        return false;
    }
    let mut counted = Counted {
        module,
        all: &outside.uses,
        lost: module.table_by_id(),
        found: std::mem::take(&mut work.tables.swept),
        stack: std::mem::take(&mut work.tables.stack),
        flags: &mut work.flags,
        has_removed: !work.removed.is_empty(),
    };
    counted.lose_references(bodies, &work.seeds);
    let is_sound = {
        attributes.edges.iter().for_each(|&(_, operand)| counted.keep(operand));
        each_conditional(module, work.multi_target, &work.verdicts, |id| counted.keep(id));
        let computed = outside.computed.iter().map(|&offset| views::Value(module.instruction(offset)));
        for inst in computed.filter(|inst| counted.flags.has(inst.id(), Flags::DECIDED)) {
            module.walk(&inst, &mut |at: usize, id: u32| counted.lost[id as usize] += i32::from(at > 2));
        }
        counted.stack.extend_from_slice(&work.removed);
        work.seeds.iter().for_each(|&seed| counted.check(seed));
        counted.remove_unused(bodies, attributes);
        !work.removed.iter().any(|&id| counted.is_used(id))
    };
    if !is_sound {
        counted.found.iter().for_each(|&id| counted.flags.clear(id, Flags::CANDIDATE));
        counted.found.clear();
    }
    let Counted { lost, found, stack, .. } = counted;
    (work.tables.counts, work.tables.swept, work.tables.stack) = (lost, found, stack);
    is_sound
}

struct Counted<'w, 'm> {
    module: &'m Module<'m>,
    /// By id: all uses but conditional ones, its definition outside of functions among them, and those of a function as one.
    all: &'w [u16],
    /// By id: how many of these are lost, less the other uses that are left.
    lost: Vec<i32>,
    /// The ids that are no longer used.
    found: Vec<u32>,
    stack: Vec<u32>,
    flags: &'w mut IdFlags,
    /// True if a false condition removed something.
    has_removed: bool,
}

impl Counted<'_, '_> {
    /// Takes back what functions no longer refer to.
    fn lose_references(&mut self, bodies: &Bodies, seeds: &[u32]) {
        let module = self.module;
        let functions = module.functions();
        let lost = |lost: &mut [i32], ids: &[u32]| ids.iter().for_each(|&id| lost[id as usize] += 1);
        for (at, of_seeds) in bodies.changed() {
            if self.flags.has(functions[at].id, Flags::REMOVED) {
                continue;
            }
            match of_seeds {
                Some(range) => lost(&mut self.lost, &seeds[range.clone()]),
                None => {
                    lost(&mut self.lost, bodies.references_before(at));
                    bodies.references(at).iter().for_each(|&id| self.keep(id));
                }
            }
        }
        if self.has_removed {
            let is_removed = |function: &Function| self.flags.has(function.id, Flags::REMOVED);
            for at in (0..functions.len()).filter(|&at| is_removed(&functions[at])) {
                lost(&mut self.lost, bodies.references_before(at));
            }
        }
    }

    #[inline]
    fn keep(&mut self, id: u32) {
        self.lost[id as usize] -= 1;
    }

    /// True if a use of an id is left, its definition among them if that is outside of functions and stays.
    fn is_used(&self, id: u32) -> bool {
        i32::from(self.all[id as usize]) > self.lost[id as usize]
    }

    /// Follows removed ids to those that they used.
    fn remove_unused(&mut self, bodies: &Bodies, attributes: &Attributes) {
        let module = self.module;
        while let Some(id) = self.stack.pop() {
            match module.definition(id) {
                Some(inst) if inst.is(Op::Function) => {
                    // What functions refer to that a condition removed was not counted.
                    let was_counted = i32::from(!self.flags.has(id, Flags::REMOVED));
                    let at = module.function_index(id);
                    for &id in at.map(|at| bodies.references(at)).unwrap_or_default() {
                        self.lost[id as usize] += was_counted;
                        self.check(id);
                    }
                }
                // Its other operands are no longer used anyway.
                Some(inst) if self.flags.has(id, Flags::DECIDED) => {
                    inst.words_from(1).iter().take(2).for_each(|&id| self.lose(id));
                }
                Some(inst) => module.walk(&inst, &mut |_: usize, id: u32| self.lose(id)),
                None => {}
            }
            attributes.of(id).for_each(|id| self.lose(id));
        }
    }

    #[inline(always)]
    fn lose(&mut self, id: u32) {
        self.lost[id as usize] += 1;
        self.check(id);
    }

    /// Removes an id, if only its definition is left.
    #[inline(always)]
    fn check(&mut self, id: u32) {
        let is_decided = self.flags.has(id, Flags::REMOVED | Flags::CANDIDATE | Flags::KEPT);
        if !is_decided && i32::from(self.all[id as usize]) <= self.lost[id as usize] + 1 {
            self.remove(id);
        }
    }

    fn remove(&mut self, id: u32) {
        // The definition of a function is not among its uses.
        if is_removable(self.module, id) && !(self.module.is_function(id) && self.is_used(id)) {
            self.flags.set(id, Flags::CANDIDATE);
            self.stack.push(id);
            self.found.push(id);
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
        let value = entry.condition().map_or(Some(true), |condition| verdicts.of(condition));
        if value != Some(false) {
            each(entry.function());
        }
        entry.condition().filter(|_| value.is_none()).into_iter().for_each(&mut each);
    }
    let capability = |&offset: &u32| views::Capability(module.instruction(offset)).condition();
    let extension = |&offset: &u32| views::Extension(module.instruction(offset)).condition();
    let capabilities = multi_target.capabilities.iter().filter_map(capability);
    let conditions = capabilities.chain(multi_target.extensions.iter().filter_map(extension));
    conditions.filter(|&condition| verdicts.of(condition).is_none()).for_each(each);
}

/// Marks all candidates.
fn find_candidates(work: &mut Work, bodies: &Bodies, attributes: &Attributes) {
    let (module, flags, stack) = (work.module, &mut work.flags, &mut work.tables.stack);
    stack.extend_from_slice(&work.removed);
    let add = |stack: &mut Vec<u32>, flags: &mut IdFlags, id: u32| {
        let is_known = flags.has(id, Flags::REMOVED | Flags::CANDIDATE | Flags::KEPT);
        if !is_known && is_removable(module, id) {
            flags.set(id, Flags::CANDIDATE);
            stack.push(id);
        }
    };
    work.seeds.iter().for_each(|&seed| add(stack, flags, seed));
    while let Some(id) = stack.pop() {
        match module.definition(id) {
            Some(inst) if inst.is(Op::Function) => {
                let function = module.function_index(id);
                for &id in function.map(|at| bodies.references(at)).unwrap_or_default() {
                    add(stack, flags, id);
                }
            }
            Some(inst) => module.walk(&inst, &mut |_: usize, id: u32| add(stack, flags, id)),
            None => {}
        }
        attributes.of(id).for_each(|id| add(stack, flags, id));
    }
}

/// True if the sweep may remove an id: a function, or a module-scope id that is not an extended instruction.
fn is_removable(module: &Module, id: u32) -> bool {
    module.definition(id).is_none_or(|inst| match inst.offset() < module.globals_end() {
        true => !inst.is(Op::ExtInst) && !inst.is(Op::ExtInstWithForwardRefsKHR),
        false => inst.is(Op::Function),
    })
}

/// Marks the candidates that are used.
struct Mark<'w> {
    flags: &'w mut IdFlags,
    stack: Vec<u32>,
    /// A removed id that is used.
    broken: Option<u32>,
}

impl Mark<'_> {
    #[inline]
    fn use_id(&mut self, id: u32) {
        if self.flags.has(id, Flags::REMOVED) {
            self.broken = self.broken.or(Some(id));
        } else if self.flags.has(id, Flags::CANDIDATE) {
            self.flags.clear(id, Flags::CANDIDATE);
            self.stack.push(id);
        }
    }

    fn check(&self, module: &Module, user: &Instruction) -> Result<(), SpecializeError> {
        match self.broken {
            Some(removed) => Err(PendingError::StillUsed { removed, user: user.offset() }.describe(module)),
            None => Ok(()),
        }
    }

    /// All instructions outside of functions.
    fn outside(&mut self, module: &Module, verdicts: &Verdicts) -> Result<(), SpecializeError> {
        for inst in module.outside_functions() {
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
                ) => {}
                Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL) => {
                    self.entry_point(module, views::EntryPoint(inst), verdicts)?;
                }
                Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                    let condition =
                        views::Capability(inst).condition().or(views::Extension(inst).condition());
                    self.declaration(module, &inst, condition, verdicts)?;
                }
                // Its operand is a number, not an id.
                None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => {}
                _ => {
                    if inst
                        .result_id()
                        .is_none_or(|id| !self.flags.has(id, Flags::REMOVED | Flags::CANDIDATE))
                    {
                        self.instruction(module, &inst)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn entry_point(
        &mut self,
        module: &Module,
        entry: views::EntryPoint,
        verdicts: &Verdicts,
    ) -> Result<(), SpecializeError> {
        let condition = entry.condition();
        let value = condition.map_or(Some(true), |condition| verdicts.of(condition));
        if value != Some(false) {
            self.use_id(entry.function());
        }
        if value.is_none() {
            condition.into_iter().for_each(|condition| self.use_id(condition));
        }
        self.check(module, &entry)
    }

    /// A conditional declaration, which uses its condition.
    fn declaration(
        &mut self,
        module: &Module,
        inst: &Instruction,
        condition: Option<u32>,
        verdicts: &Verdicts,
    ) -> Result<(), SpecializeError> {
        if let Some(condition) = condition.filter(|&condition| verdicts.of(condition).is_none()) {
            self.use_id(condition);
            self.check(module, inst)?;
        }
        Ok(())
    }

    fn instruction(&mut self, module: &Module, inst: &Instruction) -> Result<(), SpecializeError> {
        if module.set_kind(inst) == Some(SetKind::Debug) {
            module.walk(inst, &mut |at: usize, id: u32| {
                let keeps = !self.flags.has(id, Flags::REMOVED) && !is_weak(module, inst, id);
                if keeps || !is_debug_operand(at) {
                    self.use_id(id);
                }
            });
        } else if inst.result_id().is_some_and(|id| self.flags.has(id, Flags::DECIDED)) {
            self.use_id(views::Value(*inst).type_id());
        } else {
            module.walk(inst, self);
        }
        self.check(module, inst)
    }

    fn function(&mut self, module: &Module, bodies: &Bodies, at: usize) -> Result<(), SpecializeError> {
        for &id in bodies.references(at) {
            self.use_id(id);
        }
        let Some(broken) = self.broken else { return Ok(()) };
        let function = &module.functions()[at];
        let uses = |inst: &Instruction| {
            let mut found = false;
            module.walk(inst, &mut |_: usize, id: u32| found |= id == broken);
            // A user that is removed as well is not the one to report.
            found && inst.result_id().is_none_or(|id| !self.flags.has(id, Flags::REMOVED))
        };
        // A copy may have dropped the operand: prefer another user.
        let copies = |inst: &Instruction| inst.is(Op::ConditionalCopyObjectINTEL);
        let user = module.body(function).find(|inst| uses(inst) && !copies(inst));
        let user = user.or_else(|| module.body(function).find(uses));
        let user = user.unwrap_or(module.instruction(function.start));
        self.check(module, &user)
    }

    fn attributes(&mut self, module: &Module, target: u32, operand: u32) -> Result<(), SpecializeError> {
        self.use_id(operand);
        let Some(broken) = self.broken else { return Ok(()) };
        let removed = describe(module, broken);
        let user = format!("a decoration or execution mode of {}", describe(module, target));
        Err(SpecializeError::StillUsed { removed, user })
    }
}

impl Visitor for Mark<'_> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        self.use_id(id);
    }

    /// A word that may be an id: it may keep a definition, but it proves no use.
    fn possible_id(&mut self, _at: usize, id: u32) {
        if !self.flags.has(id, Flags::REMOVED) {
            self.use_id(id);
        }
    }
}

fn mark(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    let module = work.module;
    let mut mark =
        Mark { flags: &mut work.flags, stack: std::mem::take(&mut work.tables.stack), broken: None };
    mark.outside(module, &work.verdicts)?;
    for (at, function) in module.functions().iter().enumerate() {
        if !mark.flags.has(function.id, Flags::REMOVED | Flags::CANDIDATE) {
            mark.function(module, bodies, at)?;
        }
    }
    for &(target, operand) in &attributes.edges {
        if !mark.flags.has(target, Flags::REMOVED | Flags::CANDIDATE) {
            mark.attributes(module, target, operand)?;
        }
    }
    while let Some(id) = mark.stack.pop() {
        match module.definition(id) {
            Some(inst) if inst.is(Op::Function) => {
                module.function_index(id).map_or(Ok(()), |at| mark.function(module, bodies, at))?;
            }
            Some(inst) => mark.instruction(module, &inst)?,
            None => {}
        }
        for operand in attributes.of(id) {
            mark.attributes(module, id, operand)?;
        }
    }
    work.tables.stack = mark.stack;
    Ok(())
}
