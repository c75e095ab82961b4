//! Removal of calls of stubs that do nothing, before images are linked.

use std::collections::{BTreeSet, HashSet};

use spirv::Op;

use super::image::LoadedImage;
use spirv_if::engine::analysis::Names;
use spirv_if::engine::analysis::conditional::preparation::unneeded_without;
use spirv_if::engine::collections::gather;
use spirv_if::engine::loader::{Function, Module, views};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::Edits;
use spirv_if::engine::transform::link::{is_import, linkage};
use spirv_if::engine::transform::split::{SplitGraph, SplitPart, roots};
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;

/// Removes the calls of stubs that do nothing, the instructions that only prepare their arguments, and declarations that only these require.
/// The result is false for stubs that nothing imports any more: they need not be linked.
pub fn remove(images: &[&LoadedImage], modules: &mut [Module]) -> Result<Vec<bool>, PipelineError> {
    let is_stub = |image: &LoadedImage| image.add_on.as_ref().is_some_and(|record| !record.real);
    let stubs: Vec<usize> = (0..images.len()).filter(|&at| is_stub(images[at])).collect();
    let mut required = vec![true; images.len()];
    let idle = unneeded_stubs(&stubs.iter().map(|&at| &modules[at]).collect::<Vec<_>>());
    if idle.is_empty() {
        return Ok(required);
    }
    for (image, module) in images.iter().zip(modules.iter_mut()) {
        if image.imports.iter().any(|(name, _)| idle.contains(name)) {
            *module = without_calls(module, &idle)?;
        }
    }
    let linkages = modules.iter().flat_map(|module| module.annotations().filter_map(linkage));
    let imported: BTreeSet<_> = gather(linkages.filter(is_import).map(|linkage| linkage.text()));
    for at in stubs {
        required[at] = images[at].source.symbols.iter().any(|name| imported.contains(&**name));
    }
    Ok(required)
}

/// Removes the calls of these imported functions. Entry points and exports stay.
fn without_calls(module: &Module, idle: &BTreeSet<String>) -> Result<Module<'static>, PipelineError> {
    let imports = module.annotations().filter_map(linkage).filter(is_import);
    let called: HashSet<u32> = imports
        .filter(|linkage| idle.contains(&*linkage.text()) && module.is_function(linkage.target()))
        .map(|linkage| linkage.target())
        .collect();
    let mut edits = Edits::new(module);
    // True for each id whose definition is removed.
    let (mut removed, mut count, mut others) = (vec![false; module.bound() as usize], 0, 0);
    let calls_any = |function: &&Function| {
        let words = &module.words()[function.start as usize..function.end as usize];
        called.iter().any(|id| *id != function.id && words.contains(id))
    };
    for function in module.functions().iter().filter(calls_any) {
        let calls = module.body(function).filter_map(views::FunctionCall::new);
        let calls: Vec<_> = calls.filter(|call| called.contains(&call.callee())).collect();
        if calls.is_empty() {
            continue;
        }
        count += calls.len();
        let offsets = calls.iter().map(|call| call.offset()).collect();
        let preparation =
            unneeded_without(module, function, &offsets).into_iter().map(|at| module.instruction(at));
        others += preparation.len();
        for inst in preparation.chain(calls.into_iter().map(|call| *call)) {
            inst.result_id().into_iter().for_each(|id| removed[id as usize] = true);
            edits.drop(&inst);
        }
    }
    // If all uses are calls without arguments, nothing else is removed, and no search is necessary.
    let is_all = others == 0 && is_whole_without(module, &called, count);
    if is_all {
        for function in module.functions().iter().filter(|function| called.contains(&function.id)) {
            edits.drop_range(function.lines, function.end);
            removed[function.id as usize] = true;
        }
    }
    let annotations = module.annotations().filter_map(views::Annotation::new);
    annotations.filter(|inst| removed[inst.target() as usize]).for_each(|inst| edits.drop(&inst));
    if is_all {
        let parts: Vec<_> = edits.sorted_without_void().iter().map(|edit| (edit.start, edit.end)).collect();
        return Ok(module.without_parts(&parts));
    }
    let module = Module::from_words(apply(module, &edits)?)?;
    let names = Names::new(&module);
    let graph = SplitGraph::new(&module, []);
    let exported: Vec<u32> = names.exported().collect();
    let part = SplitPart::with_imports(&graph, &roots(&graph, &names), &exported, HashSet::new());
    let module = Module::from_words(apply(&module, &part.edits(None))?)?;
    let trimmed = trim(&module);
    Ok(Module::from_words(apply(&module, &trimmed.edits)?)?)
}

/// Returns true if a module stays complete without these imported functions and their `calls` calls. The functions have no parameters,
/// nothing else mentions them, and other functions have their types.
fn is_whole_without(module: &Module, called: &HashSet<u32>, calls: usize) -> bool {
    let (stubs, others): (Vec<_>, Vec<_>) =
        module.functions().iter().partition(|function| called.contains(&function.id));
    let type_of = |function: &&Function| views::Function(module.instruction(function.start)).function_type();
    let has_type = |stub: &&Function| others.iter().any(|other| type_of(other) == type_of(stub));
    let has_parameter = |stub: &&Function| module.body(stub).any(|inst| inst.is(Op::FunctionParameter));
    if !stubs.iter().all(|stub| has_type(stub) && !has_parameter(stub)) {
        return false;
    }
    let mut is_mentioned = false;
    for inst in module.globals().filter(|inst| views::Annotation::new(*inst).is_none()) {
        module.walk(&inst, &mut |_, id: u32| is_mentioned |= called.contains(&id));
    }
    // In functions, a literal with such a number only costs time.
    let code = module.functions().first().map_or(&[][..], |first| &module.words()[first.lines as usize..]);
    let mentions = |id: &u32| code.iter().filter(|word| *word == id).count();
    !is_mentioned && called.iter().map(mentions).sum::<usize>() == called.len() + calls
}

/// Returns the exported functions of stubs that do nothing, or only call other such functions.
fn unneeded_stubs(stubs: &[&Module]) -> BTreeSet<String> {
    let names: Vec<Names> = stubs.iter().map(|module| Names::new(module)).collect();
    let mut open: Vec<(usize, &Function, String)> = Vec::new();
    for (at, module) in stubs.iter().enumerate() {
        let exported = |function: &&Function| names[at].is_exported(function.id);
        open.extend(
            module.functions().iter().filter(exported).filter_map(|function| {
                Some((at, function, names[at].linkage(function.id)?.name.into_owned()))
            }),
        );
    }
    let mut idle = BTreeSet::new();
    loop {
        let before = open.len();
        open.retain(|(at, function, name)| {
            let is_idle =
                |id: u32| names[*at].linkage(id).is_some_and(|linkage| idle.contains(&*linkage.name));
            let does_nothing = does_nothing(stubs[*at], function, &is_idle);
            if does_nothing {
                idle.insert(name.clone());
            }
            !does_nothing
        });
        if open.len() == before {
            return idle;
        }
    }
}

/// Returns true if a function has one block that returns no value and only calls functions that do nothing.
fn does_nothing(module: &Module, function: &Function, is_idle: &dyn Fn(u32) -> bool) -> bool {
    let (mut blocks, mut returns) = (0, 0);
    let only = module.body(function).all(|inst| match inst.op() {
        Some(Op::FunctionCall) => is_idle(views::FunctionCall(inst).callee()),
        Some(Op::Label) => std::mem::replace(&mut blocks, 1) == 0,
        Some(Op::Return) => std::mem::replace(&mut returns, 1) == 0,
        Some(
            Op::Bitcast | Op::Line | Op::NoLine | Op::Function | Op::FunctionParameter | Op::FunctionEnd,
        ) => true,
        _ => false,
    });
    only && returns == 1
}
