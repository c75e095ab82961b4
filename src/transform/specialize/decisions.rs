//! Evaluation of conditions, each once. Conditional items are kept, removed or undecided.

use spirv::Op;

use super::error::PendingError;
use super::{Flags, SpecializeContext, SpecializeError};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::Constants;
use crate::loader::{Module, SetKind, views};

/// The values of all conditions, except those of copies.
#[derive(Default)]
pub struct ConditionValues<'m> {
    /// Conditions in order.
    conditions: &'m [u32],
    values: Vec<Option<bool>>,
}

impl ConditionValues<'_> {
    /// Evaluates the conditions.
    ///
    /// # Errors
    /// If a condition is not a Boolean constant.
    pub fn evaluate(context: &mut SpecializeContext) -> Result<(), SpecializeError> {
        let conditions = context.multi_target.all_conditions();
        let mut values = Vec::with_capacity(conditions.len());
        for &condition in conditions {
            let value = condition_value(context.module, &mut context.constants, condition);
            values.push(value.map_err(|problem| problem.describe(context.module))?);
        }
        context.condition_values = ConditionValues { conditions, values };
        Ok(())
    }

    /// Returns the value of a condition, if it is known. Conditions between functions are unknown: no valid module has any.
    pub fn value(&self, condition: u32) -> Option<bool> {
        self.values[self.conditions.binary_search(&condition).ok()?]
    }

    /// Returns the value of the condition with a number (`MultiTarget::condition_number`), if it is known.
    #[inline]
    pub fn value_by_number(&self, number: usize) -> Option<bool> {
        self.values[number]
    }

    /// Returns true if the value of any condition is known.
    pub fn has_known(&self) -> bool {
        self.values.iter().any(Option::is_some)
    }

    /// Returns true if an item with this condition, or without one, stays.
    pub fn keeps(&self, condition: Option<u32>) -> bool {
        condition.and_then(|condition| self.value(condition)) != Some(false)
    }

    /// Returns a condition if its value is not known.
    pub fn unless_known(&self, condition: Option<u32>) -> Option<u32> {
        condition.filter(|&condition| self.value(condition).is_none())
    }
}

/// Returns the value of a condition, if it is known.
fn condition_value(
    module: &Module,
    constants: &mut Constants,
    condition: u32,
) -> Result<Option<bool>, PendingError> {
    let type_id = module.definition(condition).and_then(|inst| inst.result_type());
    if type_id.and_then(|id| module.definition_as(id, Op::TypeBool)).is_none() || !module.is_global(condition)
    {
        return Err(PendingError::Condition(condition));
    }
    Ok(constants.condition(condition))
}

/// Decides all conditional items outside of function bodies, and the decorated calls inside of them.
pub fn decide(context: &mut SpecializeContext) -> Result<(), SpecializeError> {
    ConditionValues::evaluate(context)?;
    let (module, multi_target) = (context.module, context.multi_target);
    for &offset in &multi_target.capabilities {
        let condition = views::Capability(module.instruction(offset)).condition();
        count(context, condition.and_then(|condition| context.condition_values.value(condition)));
    }
    for &offset in &multi_target.extensions {
        let condition = views::Extension(module.instruction(offset)).condition();
        count(context, condition.and_then(|condition| context.condition_values.value(condition)));
    }
    for &offset in &multi_target.entry_points {
        let condition = views::EntryPoint(module.instruction(offset)).condition();
        count(context, condition.and_then(|condition| context.condition_values.value(condition)));
    }
    for &target in multi_target.targets() {
        let number = multi_target.condition_number(target);
        if count(context, number.and_then(|number| context.condition_values.value_by_number(number)))
            == Some(false)
        {
            remove(context, target)?;
        }
    }
    context.dropped.sort_unstable();
    context.has_changed |= context.condition_values.has_known();
    Ok(())
}

/// Counts an item whose condition has this value.
fn count(context: &mut SpecializeContext, value: Option<bool>) -> Option<bool> {
    match value {
        Some(true) => context.report.decided_true += 1,
        Some(false) => context.report.decided_false += 1,
        None => {}
    }
    value
}

fn remove(context: &mut SpecializeContext, target: u32) -> Result<(), SpecializeError> {
    let module = context.module;
    context.flags.set(target, Flags::REMOVED);
    let inst = module.definition(target).filter(|inst| inst.offset() >= module.globals_end());
    if let Some(inst) = inst.filter(|_| module.function_of(target).is_some()) {
        match inst.op() {
            Some(Op::Function) => {
                context.removed.push(target);
                context.report.removed_functions.push(target);
            }
            _ if inst.is_call() || inst.is_extended() => context.dropped.push(inst.offset()),
            _ => {
                let target = describe(module, target);
                return Err(SpecializeError::Target { target, opcode: inst.name() });
            }
        }
    } else {
        context.removed.push(target);
    }
    Ok(())
}

/// The outcome of an OpConditionalCopyObjectINTEL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Copy {
    /// The result is a copy of this operand.
    Decided(u32),
    /// The value of this condition, the first unknown one, is not known.
    Undecided(u32),
}

/// Decides an OpConditionalCopyObjectINTEL.
pub fn decide_copy(
    module: &Module,
    constants: &mut Constants,
    inst: views::ConditionalCopyObjectINTEL,
) -> Result<Copy, PendingError> {
    let mut chosen: Option<[u32; 2]> = None;
    let mut unknown = None;
    for &[condition, value] in inst.choices() {
        match (condition_value(module, constants, condition)?, chosen) {
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

/// Removes non-semantic instructions other than debug information with the ids that they describe. An instruction outside of functions is removed
/// if it refers to a removed id, directly or through other such instructions.
pub fn remove_describing(context: &mut SpecializeContext) {
    let module = context.module;
    if context.removed.is_empty() || !module.has_sets_of(SetKind::NonSemantic) {
        return;
    }
    let mut uses = Vec::new();
    for inst in module.outside_functions() {
        if module.set_kind(&inst) == Some(SetKind::NonSemantic) {
            let user = views::ExtInst(inst).id();
            context.references.each_use(module, user, |id| uses.push((id, user)));
        }
    }
    if uses.is_empty() {
        return;
    }
    uses.sort_unstable();
    let mut stack = context.removed.clone();
    while let Some(removed) = stack.pop() {
        let first = uses.partition_point(|&(id, _)| id < removed);
        for &(_, user) in uses[first..].iter().take_while(|&&(id, _)| id == removed) {
            if !context.flags.has(user, Flags::REMOVED) {
                context.flags.set(user, Flags::REMOVED);
                context.removed.push(user);
                stack.push(user);
            }
        }
    }
}
