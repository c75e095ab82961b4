//! Calls of stubs that do nothing: they are removed, as where conditions are decided in the code.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use super::super::PipelineError;
use crate::analysis::Names;
use crate::analysis::conditional::preparation::of_calls;
use crate::loader::{Function, Module, views};
use crate::transform::Edits;
use crate::writer::apply;

/// The linked module without the calls of stubs that do nothing, and without what only prepared their arguments; `None` if it has none.
/// `stubs` are the names that stub images export.
pub fn without_calls(
    module: &Module,
    stubs: &BTreeSet<&str>,
) -> Result<Option<Module<'static>>, PipelineError> {
    if stubs.is_empty() {
        return Ok(None);
    }
    let idle = idle(module, stubs);
    let (mut edits, mut removed) = (Edits::new(module), HashSet::new());
    for function in module.functions() {
        let calls = module.body(function).filter_map(views::FunctionCall::of);
        let calls: Vec<_> = calls.filter(|call| idle.contains(&call.callee())).collect();
        if calls.is_empty() {
            continue;
        }
        let offsets = calls.iter().map(|call| call.offset()).collect();
        let preparation = of_calls(module, function, &offsets).into_iter().map(|at| module.instruction(at));
        for inst in preparation.chain(calls.into_iter().map(|call| *call)) {
            removed.extend(inst.result_id());
            edits.drop(&inst);
        }
    }
    if edits.is_empty() {
        return Ok(None);
    }
    let annotations = module.annotations().filter_map(views::Annotation::of);
    annotations.filter(|inst| removed.contains(&inst.target())).for_each(|inst| edits.drop(&inst));
    Ok(Some(Module::from_words(apply(module, &edits)?)?))
}

/// The stubs that do nothing, or only call others of them.
fn idle(module: &Module, stubs: &BTreeSet<&str>) -> HashSet<u32> {
    let names = Names::new(module);
    let is_stub = |function: &&Function| {
        names.linkage(function.id).is_some_and(|linkage| !linkage.import && stubs.contains(&*linkage.name))
    };
    let mut open: Vec<&Function> = module.functions().iter().filter(is_stub).collect();
    let mut idle = HashSet::new();
    loop {
        let before = open.len();
        open.retain(|function| {
            let does_nothing = does_nothing(module, function, &idle);
            idle.extend(does_nothing.then_some(function.id));
            !does_nothing
        });
        if open.len() == before {
            return idle;
        }
    }
}

/// True if a function has one block, which returns no value and calls nothing else than functions that do nothing.
fn does_nothing(module: &Module, function: &Function, idle: &HashSet<u32>) -> bool {
    let (mut blocks, mut returns) = (0, 0);
    let only = module.body(function).all(|inst| match inst.op() {
        Some(Op::FunctionCall) => idle.contains(&views::FunctionCall(inst).callee()),
        Some(Op::Label) => std::mem::replace(&mut blocks, 1) == 0,
        Some(Op::Return) => std::mem::replace(&mut returns, 1) == 0,
        Some(
            Op::Bitcast | Op::Line | Op::NoLine | Op::Function | Op::FunctionParameter | Op::FunctionEnd,
        ) => true,
        _ => false,
    });
    only && returns == 1
}
