//! Variables that only conditional calls write, but that are read on devices that take none of these. An `out` or `inout` parameter is undefined
//! there.

use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap, HashSet};

use spirv::{Op, StorageClass};

use super::{PackContext, PackError, PackWarning};
use crate::analysis::conditional::preparation::unneeded_without;
use crate::analysis::debug::is_debug;
use crate::analysis::{ConditionalCall, ConditionalCalls};
use crate::collections::IdMap;
use crate::condition::ConditionId;
use crate::device::DeviceNames;
use crate::loader::{Function, Instruction, Module, views};

/// The uses of the variables of a function that conditional calls get pointers to, as offsets in order.
#[derive(Default)]
struct VariableUses {
    /// Conditional calls of each variable, by their index, each with the number of the parameter.
    calls: IdMap<Vec<(usize, usize)>>,
    reads: IdMap<Vec<u32>>,
    /// First instruction besides conditional calls that may write each variable.
    written: HashMap<u32, u32>,
}

/// Warns of each variable that some devices read before any write, since only conditional calls write it.
pub fn warn(context: &mut PackContext) -> Result<(), PackError> {
    let (module, calls) = (context.module, context.calls);
    let mut by_holder: IdMap<Vec<usize>> = IdMap::new();
    for (at, call) in calls.calls.iter().enumerate() {
        by_holder.entry(call.holder).or_default().push(at);
    }
    for (holder, calls_of_holder) in by_holder {
        let Some(function) = module.function(holder) else { continue };
        let present = context.presence.condition(holder);
        if present.is_false() {
            continue;
        }
        let uses = VariableUses::find(module, function, calls, &calls_of_holder);
        let mut gone: HashMap<ConditionId, BTreeSet<u32>> = HashMap::new();
        for (variable, passed) in &uses.calls {
            // Calls and reads are in order, so that the condition of all calls before a read is carried on.
            let mut passed = passed.iter().peekable();
            let (mut taken, mut last) = (ConditionId::FALSE, None);
            for &read in uses.reads.get(variable).into_iter().flatten() {
                if uses.written.get(variable).is_some_and(|&written| written < read) {
                    break;
                }
                while let Some(&(at, parameter)) = passed.next_if(|&&(at, _)| calls.calls[at].call < read) {
                    let condition = context.presence.conditions.of_expr(&calls.calls[at].condition)?;
                    taken = context.presence.conditions.or(taken, condition)?;
                    last = Some((at, parameter));
                }
                let Some((last, parameter)) = last else { continue };
                if context.presence.conditions.implies(present, taken)? {
                    continue;
                }
                if let Entry::Vacant(entry) = gone.entry(taken) {
                    entry.insert(instructions_removed_with_calls(
                        context,
                        function,
                        &calls_of_holder,
                        taken,
                    )?);
                }
                if gone.get(&taken).is_some_and(|gone| gone.contains(&read)) {
                    continue;
                }
                let condition = context.presence.conditions.expr_of(taken)?.display(&DeviceNames).to_string();
                let call = &calls.calls[last];
                context.summary.warnings.push(PackWarning::Unwritten {
                    caller: context.names.display(holder),
                    callee: context.names.display(call.function),
                    parameter: name_of_parameter(module, call, parameter),
                    condition,
                });
                break;
            }
        }
    }
    Ok(())
}

/// Returns the instructions that only prepare calls that are not taken when `taken` is false.
fn instructions_removed_with_calls(
    context: &mut PackContext,
    function: &Function,
    calls: &[usize],
    taken: ConditionId,
) -> Result<BTreeSet<u32>, PackError> {
    let conditions = &mut context.presence.conditions;
    let mut gone = HashSet::new();
    for &at in calls {
        let call = &context.calls.calls[at];
        let condition = conditions.of_expr(&call.condition)?;
        if conditions.implies(condition, taken)? {
            gone.insert(call.call);
        }
    }
    Ok(unneeded_without(context.module, function, &gone).into_iter().collect())
}

/// Returns the name of a parameter of the function that is called in the end, or its number.
fn name_of_parameter(module: &Module, call: &ConditionalCall, number: usize) -> String {
    let parameter = module.function(call.function).and_then(|action| module.parameters(action).nth(number));
    let id = parameter.and_then(|parameter| parameter.result_id());
    let name = id.and_then(|id| module.names().find(|name| name.target() == id));
    name.map_or_else(|| format!("#{number}"), |name| name.name().into_owned())
}

impl VariableUses {
    fn find(
        module: &Module,
        function: &Function,
        calls: &ConditionalCalls,
        call_indexes: &[usize],
    ) -> VariableUses {
        let by_offset: IdMap<usize> = call_indexes.iter().map(|&at| (calls.calls[at].call, at)).collect();
        let mut uses = VariableUses::default();
        for inst in module.body(function) {
            if inst.result_id().and_then(|pointer| variable(module, pointer)).is_none() {
                uses.add(module, &inst, by_offset.get(&inst.offset()).map(|&at| (at, &calls.calls[at])));
            }
        }
        uses
    }

    fn add(&mut self, module: &Module, inst: &Instruction, call: Option<(usize, &ConditionalCall)>) {
        let variable_at = |word: usize| variable(module, inst.word(word));
        if let Some((at, call)) = call {
            for (number, word) in call.passed.clone().enumerate() {
                if let Some(variable) = variable_at(word) {
                    self.calls.entry(variable).or_default().push((at, number));
                }
            }
            return;
        }
        let (read, neutral) = match inst.op() {
            Some(Op::Load) => (Some(3), true),
            Some(Op::CopyMemory | Op::CopyMemorySized) => (Some(2), false),
            Some(Op::LifetimeStart | Op::LifetimeStop) => (None, true),
            _ => (None, is_debug(module, inst)),
        };
        let read = read.and_then(variable_at);
        if let Some(variable) = read {
            self.reads.entry(variable).or_default().push(inst.offset());
        }
        if neutral {
            return;
        }
        // Whatever else has the address may write.
        let mut written = BTreeSet::new();
        module.walk(inst, &mut |_, id: u32| written.extend(variable(module, id)));
        let keeps = |variable: &u32| read == Some(*variable) && variable_at(1) != read;
        for variable in written.into_iter().filter(|variable| !keeps(variable)) {
            self.written.entry(variable).or_insert(inst.offset());
        }
    }
}

/// Returns the variable of a function, without an initial value, that a pointer points into.
fn variable(module: &Module, pointer: u32) -> Option<u32> {
    let variable = module.pointer_root(pointer).and_then(views::Variable::new)?;
    let is_unset =
        variable.storage_class() == StorageClass::Function as u32 && variable.initializer().is_none();
    is_unset.then(|| variable.id())
}
