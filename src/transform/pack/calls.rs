//! Replacement of conditional calls by calls of their actions.

use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::Op;

use super::plan::PackPlan;
use super::{PackContext, PackError, PackOptions};
use crate::analysis::conditional::preparation::unneeded_without;
use crate::analysis::conditions::multi_target::{ConditionalDecoration, MultiTarget};
use crate::analysis::{
    Action, Annotated, ConditionalCall, ConditionalCalls, OwnAction, PresenceConditions, Wrapper,
};
use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId};
use crate::loader::{Instruction, Module, views};
use crate::transform::NewInstruction;
use crate::transform::insertion::{DecorationsById, renamed};
use crate::transform::removal::count_words;
use crate::transform::settle::{allow_optimizing, settle};

/// Rewrites the conditional calls, and plans their conditions. Calls that are never taken are removed.
pub fn rewrite(
    context: &mut PackContext,
    plan: &mut PackPlan,
    annotated: &Annotated,
    options: &PackOptions,
) -> Result<(), PackError> {
    drop_never_taken(context, plan)?;
    let decorations = preparation_decorations(context);
    for call in &context.calls.calls {
        let holder = context.presence.condition(call.holder);
        if holder.is_false() {
            continue;
        }
        let inst = views::Value(context.module.instruction(call.call));
        let taken = taken(context.module, call, context.multi_target, &mut context.presence)?;
        let conditions = &mut context.presence.conditions;
        let condition = conditions.of_expr(&call.condition)?;
        for &carrier in &call.carriers {
            let carrier = context.module.instruction(carrier);
            plan.removed.extend(carrier.result_id());
            context.edits.drop(&carrier);
        }
        if conditions.and(holder, taken)?.is_false() {
            plan.removed.push(inst.id());
            context.edits.drop(&inst);
            context.summary.never_taken += 1;
            continue;
        }
        // If the function that holds the call is only present when the call is taken, the call needs no condition of its own.
        let redundant = conditions.implies(holder, condition)?;
        if !condition.is_true() {
            plan.open.insert(call.function);
        }
        plan.calls.push((inst.id(), if redundant { ConditionId::TRUE } else { condition }));
        CallRewriter { context, call, inst }.rewrite(&decorations);
    }
    narrow_copies(context, plan);
    plan_joins(context, plan, annotated, options)
}

/// Settles the conditional callers that are their own actions, if all their calls are decided. The others lose OptNone.
pub fn settle_decided(context: &mut PackContext, plan: &PackPlan, own_actions: &[OwnAction]) {
    for action in own_actions.iter().filter(|action| !context.presence.condition(action.function).is_false())
    {
        if !plan.open.contains(&action.function) {
            settle(context.module, action, &mut context.edits);
        } else if let Some(inst) = context.module.definition(action.function).and_then(views::Function::new) {
            allow_optimizing(inst, &mut context.edits);
        }
    }
}

/// Removes calls that are never taken from the references of functions, with the instructions that only prepare their arguments. Returns true if
/// such calls exist.
pub fn remove_never_taken(
    module: &Module,
    calls: &mut ConditionalCalls,
    multi_target: &MultiTarget,
    presence: &mut PresenceConditions,
) -> Result<bool, ConditionError> {
    let mut never: IdMap<Vec<usize>> = IdMap::new();
    for (at, call) in calls.calls.iter().enumerate() {
        let holder = presence.condition(call.holder);
        let taken = taken(module, call, multi_target, presence)?;
        if !holder.is_false() && presence.conditions.and(holder, taken)?.is_false() {
            never.entry(call.holder).or_default().push(at);
        }
    }
    for (&holder, of_holder) in &never {
        let offsets = of_holder.iter().map(|&at| calls.calls[at].call).collect();
        let function = module.function(holder);
        let preparation =
            function.map(|function| unneeded_without(module, function, &offsets)).unwrap_or_default();
        calls.calls[of_holder[0]].carriers.extend(preparation);
        for &at in of_holder {
            let call = &mut calls.calls[at];
            call.carriers.push(call.call);
        }
    }
    Ok(!never.is_empty())
}

/// Returns the condition of a call within its holder: its own, and an existing one in the module.
fn taken(
    module: &Module,
    call: &ConditionalCall,
    multi_target: &MultiTarget,
    presence: &mut PresenceConditions,
) -> Result<ConditionId, ConditionError> {
    let id = views::Value(module.instruction(call.call)).id();
    let existing = match multi_target.condition(id) {
        Some(existing) => presence.existing(module, existing)?,
        None => ConditionId::TRUE,
    };
    let condition = presence.conditions.of_expr(&call.condition)?;
    presence.conditions.and(condition, existing)
}

/// Removes the results of calls that are never taken from the choices of OpConditionalCopyObjectINTELs.
fn narrow_copies(context: &mut PackContext, plan: &PackPlan) {
    let module = context.module;
    let removed: HashSet<u32> = plan.removed.iter().copied().collect();
    let holders: BTreeSet<usize> = removed.iter().filter_map(|&id| module.function_of(id)).collect();
    let bodies = holders.into_iter().flat_map(|holder| module.body(&module.functions()[holder]));
    for inst in bodies.filter_map(views::ConditionalCopyObjectINTEL::new) {
        let mut words = inst.words()[..3].to_vec();
        words.extend(inst.choices().iter().filter(|[_, value]| !removed.contains(value)).flatten());
        if words.len() < inst.words().len() {
            count_words(&mut words);
            context.edits.replace_words(&inst, &words);
        }
    }
}

/// Plans the copies of the result of the call that is taken. A copy in a function that exists only if a certain call is
/// taken is a copy of that call's result.
fn plan_joins(
    context: &mut PackContext,
    plan: &mut PackPlan,
    annotated: &Annotated,
    options: &PackOptions,
) -> Result<(), PackError> {
    for (&copy, parts) in &annotated.joins {
        let module = context.module;
        let (Some(inst), Some(holder)) = (module.definition(copy), module.function_of(copy)) else {
            continue;
        };
        let holder = context.presence.condition(module.functions()[holder].id);
        if holder.is_false() {
            continue;
        }
        let conditions = &mut context.presence.conditions;
        let mut possible = Vec::new();
        for (expr, value) in parts {
            let condition = conditions.of_expr(expr)?;
            let condition = options.with_known(|known| conditions.restrict_for_all(condition, known))?;
            if !conditions.and(holder, condition)?.is_false() {
                possible.push((condition, *value));
            }
        }
        match possible[..] {
            [(_, value)] => {
                let words = [4 << 16 | Op::CopyObject as u32, views::Value(inst).type_id(), copy, value];
                context.edits.replace_words(&inst, &words);
            }
            _ if module.is_logical_pointer(views::Value(inst).type_id()) => {
                let caller = module.functions()[module.function_of(copy).unwrap_or_default()].id;
                return Err(PackError::PointerResult(context.names.display(caller)));
            }
            _ => plan.joins.push((inst.offset(), possible)),
        }
    }
    Ok(())
}

/// Drops ordinary calls and other instructions with a condition that are never taken. A module that is already multi-target may have
/// some, with removed operands.
fn drop_never_taken(context: &mut PackContext, plan: &mut PackPlan) -> Result<(), PackError> {
    for &ConditionalDecoration { target, condition, .. } in &context.multi_target.decorations {
        let is_instruction = |inst: &Instruction| inst.is_call() || inst.is_extended();
        let Some(inst) = context.module.definition(target).filter(is_instruction) else { continue };
        let Some(holder) = context.module.function_of(target).map(|at| context.module.functions()[at].id)
        else {
            continue;
        };
        let holder = context.presence.condition(holder);
        let existing = context.presence.existing(context.module, condition)?;
        let conditional = context.calls.calls.binary_search_by_key(&inst.offset(), |call| call.call).is_ok();
        if !conditional && !holder.is_false() && context.presence.conditions.and(holder, existing)?.is_false()
        {
            plan.removed.push(target);
            context.edits.drop(&inst);
            context.summary.never_taken += 1;
        }
    }
    Ok(())
}

/// Returns the decorations of the instructions in conditional callers that prepare arguments, for the copies of these.
fn preparation_decorations<'m>(context: &PackContext<'m>) -> DecorationsById<'m> {
    let module = context.module;
    let wrappers = context.calls.calls.iter().filter_map(|call| match &call.action {
        Action::Wrapped(wrapper) => Some(wrapper),
        Action::Pointer | Action::Caller => None,
    });
    let results = wrappers.flat_map(|wrapper| &wrapper.preparation);
    DecorationsById::new(module, results.filter_map(|&at| module.instruction(at).result_id()))
}

/// One call under rewriting.
struct CallRewriter<'s, 'm> {
    context: &'s mut PackContext<'m>,
    call: &'s ConditionalCall,
    inst: views::Value<'m>,
}

impl CallRewriter<'_, '_> {
    fn rewrite(&mut self, decorations: &DecorationsById) {
        let passed = &self.inst.words()[self.call.passed.clone()];
        let arguments = match &self.call.action {
            Action::Caller => return,
            Action::Wrapped(wrapper) => self.prepare(wrapper, passed, decorations),
            Action::Pointer => self.cast(),
        };
        let result_type =
            self.context.module.definition(self.call.function).and_then(|function| function.result_type());
        let mut operands = vec![self.call.function];
        operands.extend(arguments);
        let direct = NewInstruction::new(Op::FunctionCall, result_type, Some(self.inst.id()), operands);
        self.context.edits.replace(&self.inst, &direct);
    }

    /// Copies the instructions of the wrapper that prepare the arguments of the action, and returns these arguments.
    fn prepare(&mut self, wrapper: &Wrapper, passed: &[u32], decorations: &DecorationsById) -> Vec<u32> {
        let module = self.context.module;
        let parameters_of_caller = parameters(module, self.call.caller).map(views::FunctionParameter::id);
        let mut ids: HashMap<u32, u32> = parameters_of_caller.zip(passed.iter().copied()).collect();
        for &offset in &wrapper.preparation {
            let inst = module.instruction(offset);
            if let Some(result) = inst.result_id() {
                let fresh = self.context.edits.fresh_id();
                ids.insert(result, fresh);
                decorations.copy(result, fresh, self.context.points.annotations, &mut self.context.edits);
            }
            let words = renamed(module, &inst, &ids);
            let place = if inst.is(Op::Variable) { self.entry_block() } else { self.inst.offset() };
            self.context.edits.insert_words(place, &words);
        }
        let call = views::FunctionCall(module.instruction(wrapper.call));
        call.arguments().iter().map(|id| ids.get(id).copied().unwrap_or(*id)).collect()
    }

    /// Returns the insertion point for variables of the function that holds the call: after its first label.
    fn entry_block(&self) -> u32 {
        let module = self.context.module;
        let holder = module.function(self.call.holder);
        let mut instructions = holder.into_iter().flat_map(|function| module.body(function));
        instructions.find(|inst| inst.is(Op::Label)).map_or(self.inst.offset(), |label| label.end())
    }

    /// Returns the arguments, cast where necessary.
    fn cast(&mut self) -> Vec<u32> {
        let cast = |(argument, wanted): (u32, Option<u32>)| {
            let Some(wanted) = wanted else { return argument };
            let cast = self.context.edits.fresh_id();
            let bitcast = NewInstruction::new(Op::Bitcast, Some(wanted), Some(cast), vec![argument]);
            self.context.edits.insert(self.inst.offset(), &bitcast);
            cast
        };
        self.call.casts(self.context.module).map(cast).collect()
    }
}

/// Returns the parameters of a function.
fn parameters<'m>(module: &'m Module, function: u32) -> impl Iterator<Item = views::FunctionParameter<'m>> {
    let function = module.function(function).into_iter();
    function.flat_map(|function| module.parameters(function)).map(views::FunctionParameter)
}
