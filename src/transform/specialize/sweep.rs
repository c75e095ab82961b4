//! Removal of definitions that only removed code used.
//!
//! Candidates are all ids that removed and rewritten instructions used, and the ids that those use in turn. A candidate is kept if
//! an instruction that is no candidate uses it, directly or through other candidates. So leftovers that refer to each other are
//! removed, and ids that had no use in the first place are kept. Where uses are counted and definitions cannot refer to each other, only those
//! are candidates that no other definition uses any more.

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::decisions::Verdicts;
use super::error::PendingError;
use super::{Flags, IdFlags, SpecializeError, Work};
use crate::analysis::conditions::multi_target::{MultiTarget, OP_DEVICE_REGISTRY_VERSION, describe};
use crate::analysis::{Outside, is_debug_operand, is_weak};
use crate::loader::{Instruction, Module, SetKind, Visitor, views};

/// Marks the definitions that are removed.
///
/// # Errors
/// If a kept instruction uses an id that a false condition removed.
pub fn sweep(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    let (candidates, uses) = Candidates::find(work, bodies, attributes);
    mark(work, bodies, attributes, &candidates, uses.as_deref())?;
    (work.tables.candidates, work.tables.counts) = (candidates, uses.unwrap_or_default());
    let module = work.module;
    for function in module.functions() {
        if work.flags.is_removed(function.id) && !work.flags.has(function.id, Flags::REMOVED) {
            work.report.swept_functions.push(function.id);
            work.flags.remove_results(module, function);
        }
    }
    Ok(())
}

/// The candidates.
struct Candidates<'w> {
    ids: Vec<u32>,
    stack: &'w mut Vec<u32>,
    flags: &'w mut IdFlags,
    outside: &'w Outside,
    /// By id: the number of its uses by instructions outside of functions that do not keep it, since they are candidates or change; where
    /// [`Outside::uses`] tells of all.
    uses: Option<Vec<u16>>,
}

impl Candidates<'_> {
    /// Finds them, and counts their uses.
    fn find(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> (Vec<u32>, Option<Vec<u16>>) {
        let (module, outside) = (work.module, work.outside);
        let mut uses =
            outside.uses.is_some().then(|| module.table_by_id(std::mem::take(&mut work.tables.counts)));
        let decided = outside.computed.iter().map(|&offset| module.instruction(offset));
        let decided = decided.filter(|inst| work.flags.has(views::Value(*inst).id(), Flags::DECIDED));
        if let Some(uses) = &mut uses {
            decided.for_each(|inst| {
                module.walk(&inst, &mut |at: usize, id: u32| uses[id as usize] += u16::from(at > 2));
            });
        }
        let (ids, stack) = (std::mem::take(&mut work.tables.candidates), &mut work.tables.stack);
        stack.extend_from_slice(&work.removed);
        let mut candidates = Candidates { ids, stack, flags: &mut work.flags, outside, uses };
        work.seeds.iter().for_each(|&seed| candidates.add(module, seed));
        while let Some(id) = candidates.stack.pop() {
            match module.definition(id) {
                Some(inst) if inst.is(Op::Function) => {
                    let function = module.function_index(id);
                    for &id in function.map(|at| bodies.references(at)).unwrap_or_default() {
                        candidates.add(module, id);
                    }
                }
                // Its other operands are no longer used anyway.
                Some(inst) if candidates.flags.has(id, Flags::DECIDED) => {
                    inst.words_from(1).iter().take(2).for_each(|&id| candidates.lose(module, id));
                }
                Some(inst) => {
                    module.walk(&inst, &mut |_: usize, id: u32| candidates.lose(module, id));
                }
                None => {}
            }
            attributes.of(id).for_each(|id| candidates.add(module, id));
        }
        (candidates.ids, candidates.uses)
    }

    /// An id loses a use outside of functions.
    #[inline(always)]
    fn lose(&mut self, module: &Module, id: u32) {
        if let Some(uses) = &mut self.uses {
            uses[id as usize] += 1;
        }
        self.add(module, id);
    }

    #[inline(always)]
    fn add(&mut self, module: &Module, id: u32) {
        // Most are known, or something else uses them.
        let is_known = self.flags.has(id, Flags::REMOVED | Flags::CANDIDATE | Flags::KEPT);
        if !is_known && self.may_be_unused(id) {
            self.add_new(module, id);
        }
    }

    fn add_new(&mut self, module: &Module, id: u32) {
        if is_removable(module, id) {
            self.flags.set(id, Flags::CANDIDATE);
            self.stack.push(id);
            self.ids.push(id);
        }
    }

    /// False if something outside of functions still uses an id, besides its definition. What may refer to each other may be unused together.
    #[inline]
    fn may_be_unused(&self, id: u32) -> bool {
        match (&self.outside.uses, &self.uses) {
            (Some(all), Some(own)) if !self.outside.may_be_cyclic => all[id as usize] <= own[id as usize] + 1,
            _ => true,
        }
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

    /// The same where the uses by all but what is conditional are counted. False if one uses what is removed.
    fn counted(
        &mut self,
        work: (&Module, &MultiTarget, &Verdicts),
        removed: &[u32],
        candidates: &[u32],
        is_used: impl Fn(u32) -> bool,
    ) -> Result<bool, SpecializeError> {
        let (module, multi_target, verdicts) = work;
        if removed.iter().any(|&id| is_used(id)) {
            return Ok(false);
        }
        candidates.iter().filter(|&&id| is_used(id)).for_each(|&id| self.use_id(id));
        for &offset in &multi_target.entry_points {
            self.entry_point(module, views::EntryPoint(module.instruction(offset)), verdicts)?;
        }
        for &offset in &multi_target.capabilities {
            let inst = module.instruction(offset);
            self.declaration(module, &inst, views::Capability(inst).condition(), verdicts)?;
        }
        for &offset in &multi_target.extensions {
            let inst = module.instruction(offset);
            self.declaration(module, &inst, views::Extension(inst).condition(), verdicts)?;
        }
        Ok(true)
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

fn mark(
    work: &mut Work,
    bodies: &Bodies,
    attributes: &Attributes,
    candidates: &[u32],
    uses: Option<&[u16]>,
) -> Result<(), SpecializeError> {
    let module = work.module;
    let mut mark =
        Mark { flags: &mut work.flags, stack: std::mem::take(&mut work.tables.stack), broken: None };
    let is_counted = match (&work.outside.uses, uses) {
        (Some(all), Some(own)) => {
            let is_used = |id: u32| all[id as usize] > own[id as usize];
            let conditional = (module, work.multi_target, &work.verdicts);
            mark.counted(conditional, &work.removed, candidates, is_used)?
        }
        _ => false,
    };
    if !is_counted {
        mark.outside(module, &work.verdicts)?;
    }
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
