//! What only the removed code needed.
//!
//! Candidates are all that removed and rewritten instructions referred to, and what those refer to in turn. A candidate
//! stays if something that is no candidate needs it, directly or through other candidates. So leftovers that refer to each
//! other go, and what nothing referred to in the first place stays.

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::Bodies;
use super::error::Problem;
use super::marks::{Flags, Marks};
use super::{SpecializeError, Work};
use crate::analysis::conditions::multi_target::{OP_DEVICE_REGISTRY_VERSION, describe};
use crate::analysis::{is_debug_operand, is_weak};
use crate::loader::{Instruction, Module, SetKind, Visitor};

/// Marks what goes.
///
/// # Errors
/// Where something that stays needs something that a decision removed.
pub fn sweep(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    candidates(work, bodies, attributes);
    mark(work, bodies, attributes)?;
    let module = work.module;
    for function in module.functions() {
        if work.marks.gone(function.id) && !work.marks.has(function.id, Flags::REMOVED) {
            work.report.swept_functions.push(function.id);
            for inst in module.body(function) {
                inside(module, &inst, &mut work.marks);
            }
        }
    }
    Ok(())
}

/// What a removed function defines is removed.
fn inside(module: &Module, inst: &Instruction, marks: &mut Marks) {
    if let Some(id) = inst.result_id().filter(|&id| module.definition_as(id, Op::Function).is_none()) {
        marks.set(id, Flags::REMOVED);
    }
}

fn candidates(work: &mut Work, bodies: &Bodies, attributes: &Attributes) {
    let module = work.module;
    let marks = &mut work.marks;
    let mut stack = work.removed.clone();
    let add = |marks: &mut Marks, stack: &mut Vec<u32>, id: u32| {
        if !marks.has(id, Flags::REMOVED | Flags::CANDIDATE | Flags::KEPT) && can_go(module, id) {
            marks.set(id, Flags::CANDIDATE);
            stack.push(id);
        }
    };
    for seed in std::mem::take(&mut work.seeds) {
        add(marks, &mut stack, seed);
    }
    while let Some(id) = stack.pop() {
        if let Some(function) = function(module, id) {
            for &id in bodies.references(function) {
                add(marks, &mut stack, id);
            }
        } else if let Some(inst) = module.definition(id) {
            module.walk(&inst, &mut |_: usize, id: u32| add(marks, &mut stack, id));
        }
        for id in attributes.of(id) {
            add(marks, &mut stack, id);
        }
    }
}

/// The number of a function in the order of the module.
fn function(module: &Module, id: u32) -> Option<usize> {
    module.definition_as(id, Op::Function).and_then(|_| module.function_of(id))
}

/// Whether an id is one that the sweep may remove: a function, or something at module scope that describes nothing.
fn can_go(module: &Module, id: u32) -> bool {
    match module.definition(id) {
        None => true,
        Some(inst) => match inst.op() {
            Some(Op::Function) => true,
            Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => false,
            _ => module.is_global(id),
        },
    }
}

/// Follows what survives.
struct Mark<'w> {
    marks: &'w mut Marks,
    stack: Vec<u32>,
    /// A removed id that is needed.
    broken: Option<u32>,
}

impl Mark<'_> {
    #[inline]
    fn need(&mut self, id: u32) {
        if self.marks.has(id, Flags::REMOVED) {
            self.broken = self.broken.or(Some(id));
        } else if self.marks.has(id, Flags::CANDIDATE) && !self.marks.has(id, Flags::LIVE) {
            self.marks.set(id, Flags::LIVE);
            self.stack.push(id);
        }
    }

    fn check(&self, module: &Module, user: &Instruction) -> Result<(), SpecializeError> {
        match self.broken {
            Some(removed) => Err(Problem::StillUsed { removed, user: user.offset() }.describe(module)),
            None => Ok(()),
        }
    }

    fn instruction(&mut self, module: &Module, inst: &Instruction) -> Result<(), SpecializeError> {
        if module.set_kind(inst) == Some(SetKind::Debug) {
            module.walk(inst, &mut |at: usize, id: u32| {
                let keeps = !self.marks.has(id, Flags::REMOVED) && !is_weak(module, id);
                if keeps || !is_debug_operand(at) {
                    self.need(id);
                }
            });
        } else if inst.result_id().is_some_and(|id| self.marks.has(id, Flags::DECIDED)) {
            self.need(inst.word(1));
        } else {
            module.walk(inst, self);
        }
        self.check(module, inst)
    }

    fn function(&mut self, module: &Module, bodies: &Bodies, at: usize) -> Result<(), SpecializeError> {
        for &id in bodies.references(at) {
            self.need(id);
        }
        let Some(broken) = self.broken else { return Ok(()) };
        let function = &module.functions()[at];
        let uses = |inst: &Instruction| {
            let mut found = false;
            module.walk(inst, &mut |_: usize, id: u32| found |= id == broken);
            // What goes itself is not what the message is about.
            found && inst.result_id().is_none_or(|id| !self.marks.has(id, Flags::REMOVED))
        };
        // A copy may have dropped the operand; where another instruction uses it, that is the one to name.
        let copies = |inst: &Instruction| inst.is(Op::ConditionalCopyObjectINTEL);
        let user = module.body(function).find(|inst| uses(inst) && !copies(inst));
        let user = user.or_else(|| module.body(function).find(uses));
        let user = user.unwrap_or(module.instruction(function.start));
        self.check(module, &user)
    }

    fn attributes(&mut self, module: &Module, target: u32, operand: u32) -> Result<(), SpecializeError> {
        self.need(operand);
        let Some(broken) = self.broken else { return Ok(()) };
        let removed = describe(module, broken);
        let user = format!("a decoration or execution mode of {}", describe(module, target));
        Err(SpecializeError::StillUsed { removed, user })
    }
}

impl Visitor for Mark<'_> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        self.need(id);
    }

    /// It may keep something, but it proves no use.
    fn possible_id(&mut self, _at: usize, id: u32) {
        if !self.marks.has(id, Flags::REMOVED) {
            self.need(id);
        }
    }
}

fn mark(work: &mut Work, bodies: &Bodies, attributes: &Attributes) -> Result<(), SpecializeError> {
    let module = work.module;
    let mut mark = Mark { marks: &mut work.marks, stack: Vec::new(), broken: None };
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
            Some(Op::EntryPoint) => {
                mark.need(inst.word(2));
                mark.check(module, &inst)?;
            }
            Some(Op::ConditionalEntryPointINTEL) => {
                let value = work.constants.condition(inst.word(1));
                if value != Some(false) {
                    mark.need(inst.word(3));
                }
                if value.is_none() {
                    mark.need(inst.word(1));
                }
                mark.check(module, &inst)?;
            }
            Some(Op::ConditionalCapabilityINTEL | Op::ConditionalExtensionINTEL) => {
                if work.constants.condition(inst.word(1)).is_none() {
                    mark.need(inst.word(1));
                    mark.check(module, &inst)?;
                }
            }
            // Its operand is a number, whatever an unknown instruction's may be.
            None if inst.opcode() == OP_DEVICE_REGISTRY_VERSION => {}
            _ => {
                if inst.result_id().is_none_or(|id| !mark.marks.has(id, Flags::REMOVED | Flags::CANDIDATE)) {
                    mark.instruction(module, &inst)?;
                }
            }
        }
    }
    for (at, function) in module.functions().iter().enumerate() {
        if !mark.marks.has(function.id, Flags::REMOVED | Flags::CANDIDATE) {
            mark.function(module, bodies, at)?;
        }
    }
    for &(target, operand) in &attributes.edges {
        if !mark.marks.has(target, Flags::REMOVED | Flags::CANDIDATE) {
            mark.attributes(module, target, operand)?;
        }
    }
    while let Some(id) = mark.stack.pop() {
        if let Some(function) = function(module, id) {
            mark.function(module, bodies, function)?;
        } else if let Some(inst) = module.definition(id) {
            mark.instruction(module, &inst)?;
        }
        for operand in attributes.of(id) {
            mark.attributes(module, id, operand)?;
        }
    }
    Ok(())
}
