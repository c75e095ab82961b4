//! What only prepared the arguments of removed calls is removed with them.

use std::collections::{BTreeMap, HashSet};

use spirv::Op;

use super::Work;
use super::flags::Flags;
use crate::analysis::conditional::preparation::of_calls;

/// Finds it in functions that stay. Most calls have a decoration of their own, so that only functions with removed calls are looked at.
pub fn find(work: &mut Work) {
    let module = work.module;
    let mut by_function: BTreeMap<usize, HashSet<u32>> = BTreeMap::new();
    for &target in work.multi_target.targets().iter().filter(|&&id| work.flags.has(id, Flags::REMOVED)) {
        let call = module.definition_as(target, Op::FunctionCall);
        if let Some((call, function)) = call.zip(module.function_of(target)) {
            by_function.entry(function).or_default().insert(call.offset());
        }
    }
    for (at, calls) in by_function {
        let function = &module.functions()[at];
        if work.flags.has(function.id, Flags::REMOVED) {
            continue;
        }
        for offset in of_calls(module, function, &calls) {
            if let Some(id) = module.instruction(offset).result_id() {
                work.flags.set(id, Flags::REMOVED);
            }
            work.preparation.push(offset);
        }
    }
}
