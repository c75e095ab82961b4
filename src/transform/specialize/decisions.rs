//! Evaluation of conditions, each once: which conditional items are kept, removed or undecided, and what is removed with them.

use spirv::Op;

use super::error::PendingError;
use super::{Flags, SpecializeError, Work};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::Constants;
use crate::loader::{Module, SetKind, views};

/// The values of all conditions but those of copies.
#[derive(Default)]
pub struct Verdicts<'m> {
    /// In order.
    conditions: &'m [u32],
    values: Vec<Option<bool>>,
}

impl Verdicts<'_> {
    /// Evaluates the conditions.
    ///
    /// # Errors
    /// If one of them is no Boolean constant.
    pub fn find(work: &mut Work) -> Result<(), SpecializeError> {
        let conditions = work.multi_target.all_conditions();
        let mut values = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            let value = verdict(work.module, &mut work.constants, condition);
            values.push(value.map_err(|problem| problem.describe(work.module))?);
        }
        work.verdicts = Verdicts { conditions, values };
        Ok(())
    }

    /// The value of a condition, if it is known. Nothing is known of the condition of what stands between functions, where no valid module has any.
    pub fn of(&self, condition: u32) -> Option<bool> {
        self.values[self.conditions.binary_search(&condition).ok()?]
    }

    /// The value of the condition with a number (`MultiTarget::condition_number`), if it is known.
    #[inline]
    pub fn of_number(&self, number: usize) -> Option<bool> {
        self.values[number]
    }

    /// True if the value of a condition is known.
    pub fn decide_any(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }

    /// True if something stays that has this condition, or none.
    pub fn keeps(&self, condition: Option<u32>) -> bool {
        condition.and_then(|condition| self.of(condition)) != Some(false)
    }

    /// Returns a condition if its value is not known.
    pub fn open(&self, condition: Option<u32>) -> Option<u32> {
        condition.filter(|&condition| self.of(condition).is_none())
    }
}

/// The value of a condition, if it is known.
fn verdict(module: &Module, constants: &mut Constants, condition: u32) -> Result<Option<bool>, PendingError> {
    let type_id = module.definition(condition).and_then(|inst| inst.result_type());
    if type_id.and_then(|id| module.definition_as(id, Op::TypeBool)).is_none() || !module.is_global(condition)
    {
        return Err(PendingError::Condition(condition));
    }
    Ok(constants.condition(condition))
}

/// Decides all conditional items outside of function bodies, and the decorated calls inside of them.
pub fn decide(work: &mut Work) -> Result<(), SpecializeError> {
    Verdicts::find(work)?;
    let (module, multi_target) = (work.module, work.multi_target);
    for &offset in &multi_target.capabilities {
        let condition = views::Capability(module.instruction(offset)).condition();
        count(work, condition.and_then(|condition| work.verdicts.of(condition)));
    }
    for &offset in &multi_target.extensions {
        let condition = views::Extension(module.instruction(offset)).condition();
        count(work, condition.and_then(|condition| work.verdicts.of(condition)));
    }
    for &offset in &multi_target.entry_points {
        let condition = views::EntryPoint(module.instruction(offset)).condition();
        count(work, condition.and_then(|condition| work.verdicts.of(condition)));
    }
    for &target in multi_target.targets() {
        let number = multi_target.condition_number(target);
        if count(work, number.and_then(|number| work.verdicts.of_number(number))) == Some(false) {
            remove(work, target)?;
        }
    }
    work.dropped.sort_unstable();
    work.has_changed |= work.verdicts.decide_any();
    Ok(())
}

/// Counts an item whose condition has this value.
fn count(work: &mut Work, verdict: Option<bool>) -> Option<bool> {
    match verdict {
        Some(true) => work.report.decided_true += 1,
        Some(false) => work.report.decided_false += 1,
        None => {}
    }
    verdict
}

fn remove(work: &mut Work, target: u32) -> Result<(), SpecializeError> {
    let module = work.module;
    work.flags.set(target, Flags::REMOVED);
    let inst = module.definition(target).filter(|inst| inst.offset() >= module.globals_end());
    if let Some(inst) = inst.filter(|_| module.function_of(target).is_some()) {
        match inst.op() {
            Some(Op::Function) => {
                work.removed.push(target);
                work.report.removed_functions.push(target);
            }
            Some(
                Op::FunctionCall | Op::FunctionPointerCallINTEL | Op::ExtInst | Op::ExtInstWithForwardRefsKHR,
            ) => work.dropped.push(inst.offset()),
            _ => {
                let target = describe(module, target);
                return Err(SpecializeError::Target { target, opcode: inst.name() });
            }
        }
    } else {
        work.removed.push(target);
    }
    Ok(())
}

/// The outcome of an OpConditionalCopyObjectINTEL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// The result is a copy of this operand.
    Decided(u32),
    /// This condition, the first of them, is not known.
    Undecided(u32),
}

/// Decides an OpConditionalCopyObjectINTEL.
pub fn copy(
    module: &Module,
    constants: &mut Constants,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<Copy, PendingError> {
    let mut chosen: Option<[u32; 2]> = None;
    let mut unknown = None;
    for &[condition, value] in inst.choices() {
        match (verdict(module, constants, condition)?, chosen) {
            (Some(true), Some([first, _])) => {
                return Err(PendingError::TwoCopies { copy: inst.id(), first, second: condition });
            }
            (Some(true), None) => chosen = Some([condition, value]),
            (Some(false), _) => {}
            (None, _) => unknown = unknown.or(Some(condition)),
        }
    }
    match (unknown, chosen) {
        (Some(condition), _) => Ok(Copy::Undecided(condition)),
        (None, Some([_, operand])) => Ok(Copy::Decided(operand)),
        (None, None) => Err(PendingError::NoCopy(inst.id())),
    }
}

/// Removes non-semantic instructions other than debug information with the ids that they describe: those outside of functions that refer to
/// something removed, those that refer to them, and so on.
pub fn remove_describing(work: &mut Work) {
    let module = work.module;
    if work.removed.is_empty() || !module.has_sets_of(SetKind::NonSemantic) {
        return;
    }
    let mut uses = Vec::new();
    for inst in module.outside_functions() {
        if module.set_kind(&inst) == Some(SetKind::NonSemantic) {
            let user = views::ExtInst(inst).id();
            module.walk(&inst, &mut |_: usize, id: u32| uses.push((id, user)));
        }
    }
    if uses.is_empty() {
        return;
    }
    uses.sort_unstable();
    let mut stack = work.removed.clone();
    while let Some(removed) = stack.pop() {
        let first = uses.partition_point(|&(id, _)| id < removed);
        for &(_, user) in uses[first..].iter().take_while(|&&(id, _)| id == removed) {
            if !work.flags.has(user, Flags::REMOVED) {
                work.flags.set(user, Flags::REMOVED);
                work.removed.push(user);
                stack.push(user);
            }
        }
    }
}
