//! Choices: conditional calls with conditions that exclude each other, so that one is made.

use std::collections::HashSet;

use spirv::Op;

use super::error::AddOnError;
use spirv_if::engine::analysis::Names;
use spirv_if::engine::analysis::conditions::multi_target::MultiTarget;
use spirv_if::engine::collections::{IdMap, sort_by_key};
use spirv_if::engine::condition::{ConditionId, Conditions};
use spirv_if::engine::loader::{Function, Instruction, Module, views};

/// A function that is called under a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alternative {
    pub condition: ConditionId,
    pub function: u32,
}

/// Conditional calls at one place, which become one call.
#[derive(Debug)]
pub struct CallChoice<'m> {
    /// The calls, which have the arguments of the first.
    pub calls: Vec<views::FunctionCall<'m>>,
    /// The OpConditionalCopyObjectINTEL of their results, if these are used.
    pub copy: Option<Instruction<'m>>,
    pub alternatives: Vec<Alternative>,
}

/// Finds the choices of functions.
pub struct ChoiceFinder<'f, 'm> {
    pub module: &'m Module<'m>,
    pub names: &'f Names<'m>,
    pub multi_target: &'f MultiTarget,
    /// Condition under which each constant is true.
    pub meanings: &'f IdMap<ConditionId>,
    pub conditions: &'f mut Conditions,
}

impl<'m> ChoiceFinder<'_, 'm> {
    /// Finds the choices of a function, in its order.
    pub fn find(&mut self, function: &Function) -> Result<Vec<CallChoice<'m>>, AddOnError> {
        let mut choices: Vec<CallChoice> = Vec::new();
        // By result: the choice with one call that is not joined with others.
        let mut single: IdMap<usize> = IdMap::new();
        let mut adjacent = false;
        for inst in self.module.body(function) {
            match inst.op() {
                Some(Op::FunctionCall) => {
                    let call = views::FunctionCall(inst);
                    let Some(condition) = self.condition(call.id()) else {
                        adjacent = false;
                        continue;
                    };
                    let alternative = Alternative { condition, function: call.callee() };
                    let before = choices.last_mut().filter(|_| adjacent);
                    adjacent = true;
                    if let Some(before) = before
                        && self.complements(before, alternative)?
                        && same_arguments(self.module, before.calls[0], call)
                    {
                        before.calls.push(call);
                        before.alternatives.push(alternative);
                        single.insert(call.id(), choices.len() - 1);
                        continue;
                    }
                    single.insert(call.id(), choices.len());
                    choices.push(CallChoice {
                        calls: vec![call],
                        copy: None,
                        alternatives: vec![alternative],
                    });
                }
                Some(Op::ConditionalCopyObjectINTEL) => {
                    let copy = views::ConditionalCopyObjectINTEL(inst);
                    self.join(copy, &mut choices, &single).ok_or_else(|| self.choice_error(function))?;
                    adjacent = false;
                }
                Some(Op::Bitcast | Op::Undef | Op::Line | Op::NoLine) => {}
                _ => adjacent = false,
            }
        }
        choices.retain(|choice| !choice.calls.is_empty());
        Ok(choices)
    }

    fn choice_error(&self, function: &Function) -> AddOnError {
        AddOnError::Choice(self.names.display(function.id))
    }

    /// Returns the condition of a conditional id.
    fn condition(&self, id: u32) -> Option<ConditionId> {
        self.multi_target.condition(id).and_then(|constant| self.meanings.get(&constant)).copied()
    }

    /// Returns true if a choice has one call, and another call is made exactly if the first is not.
    fn complements(&mut self, choice: &CallChoice, alternative: Alternative) -> Result<bool, AddOnError> {
        let [only] = choice.alternatives[..] else { return Ok(false) };
        Ok(self.conditions.not(only.condition)? == alternative.condition)
    }

    /// Joins the calls whose results are copied. `None` for a copy of anything else.
    fn join(
        &self,
        copy: views::ConditionalCopyObjectINTEL<'m>,
        choices: &mut [CallChoice<'m>],
        single: &IdMap<usize>,
    ) -> Option<()> {
        let mut joined = CallChoice { calls: Vec::new(), copy: Some(*copy), alternatives: Vec::new() };
        for &[constant, value] in copy.choices() {
            if self.module.definition_as(value, Op::Undef).is_some() {
                continue;
            }
            let choice = &mut choices[*single.get(&value)?];
            let at = choice.calls.iter().position(|call| call.id() == value)?;
            let call = choice.calls.remove(at);
            let Alternative { function, .. } = choice.alternatives.remove(at);
            let condition = *self.meanings.get(&constant)?;
            joined.alternatives.push(Alternative { condition, function });
            joined.calls.push(call);
        }
        let first = *joined.calls.first()?;
        let alike = joined.calls.iter().all(|&call| same_arguments(self.module, first, call));
        // Where the calls were one after another, they are one choice: the copy takes its place.
        let place = choices.iter_mut().rev().find(|choice| choice.calls.is_empty())?;
        *place = joined;
        alike.then_some(())
    }
}

/// Returns true if two calls have the same result type, and the same arguments except casts.
fn same_arguments(module: &Module, one: views::FunctionCall, other: views::FunctionCall) -> bool {
    let uncast = |&id: &u32| cast_of(module, id).unwrap_or(id);
    one.type_id() == other.type_id()
        && one.arguments().iter().map(uncast).eq(other.arguments().iter().map(uncast))
}

/// Returns the value that an OpBitcast casts.
fn cast_of(module: &Module, id: u32) -> Option<u32> {
    module.definition_as(id, Op::Bitcast).map(|inst| inst.word(3))
}

/// Returns the casts and undefined values in a function that only the dropped calls of a choice use, or its copy.
pub fn only_for<'m>(
    module: &'m Module<'m>,
    function: &Function,
    choice: &CallChoice,
) -> Vec<Instruction<'m>> {
    let copied = choice.copy.map(views::ConditionalCopyObjectINTEL);
    let mut users: HashSet<u32> = choice.calls[1..].iter().map(|call| call.id()).collect();
    users.extend(copied.map(|copy| copy.id()));
    let arguments = choice.calls[1..].iter().flat_map(|call| call.arguments().iter().copied());
    let copied = copied.into_iter().flat_map(|copy| copy.choices().iter().map(|&[_, value]| value));
    let is_undefined = |&id: &u32| module.definition_as(id, Op::Undef).is_some();
    let casts = arguments.filter(|&id| cast_of(module, id).is_some());
    let mut unused: HashSet<u32> = casts.chain(copied.filter(is_undefined)).collect();
    if unused.is_empty() {
        return Vec::new();
    }
    for inst in module.body(function).filter(|inst| inst.result_id().is_none_or(|id| !users.contains(&id))) {
        module.walk(&inst, &mut |_, id: u32| {
            if inst.result_id() != Some(id) {
                unused.remove(&id);
            }
        });
    }
    let inside = |inst: &Instruction| (function.start..function.end).contains(&inst.offset());
    let unused = unused.into_iter().filter_map(|id| module.definition(id)).filter(inside);
    let mut instructions: Vec<Instruction> = unused.collect();
    sort_by_key(&mut instructions, Instruction::offset);
    instructions
}
