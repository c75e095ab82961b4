//! Removal of linkage from a linked module, except imports that drivers define.

use std::collections::{BTreeSet, HashSet};

use spirv::Decoration;

use super::RuntimeError;
use spirv_if::engine::analysis::Names;
use spirv_if::engine::loader::{Module, views};
use spirv_if::engine::pipelines::PipelineError;
use spirv_if::engine::transform::Edits;
use spirv_if::engine::transform::link::{declares_linkage, drop_capability, is_import, linkage};
use spirv_if::engine::transform::split::{SplitGraph, SplitPart, roots};
use spirv_if::engine::transform::trim::trim;
use spirv_if::engine::writer::apply;

/// Returns the module with these entry points (execution model and name) and everything reachable from them, without imports and exports.
/// A module without linkage and other entry points is unchanged. With `partial`, used imports stay.
///
/// # Errors
/// If no image defines a used import and `partial` is false. `importer` returns the name of the image that imports a name.
pub fn plain<'m>(
    module: Module<'m>,
    entry_points: &BTreeSet<(u32, String)>,
    importer: &dyn Fn(&str) -> String,
    partial: bool,
) -> Result<Module<'m>, PipelineError> {
    let is_kept = |entry: views::EntryPoint| {
        entry_points.contains(&(entry.execution_model(), entry.name().into_owned()))
    };
    let keeps_entry_points = module.entry_points().all(is_kept);
    if !declares_linkage(&module) && keeps_entry_points {
        return Ok(module);
    }
    let graph = SplitGraph::new(&module, []);
    let names = Names::new(&module);
    let mut roots = roots(&graph, &names);
    roots.retain(|root| {
        root.entry_point.is_some_and(|offset| is_kept(views::EntryPoint(module.instruction(offset))))
    });
    let part = SplitPart::new(&graph, &roots);
    let mut edits = part.edits(None);
    let built_in: HashSet<u32> =
        module.decorations_with(Decoration::BuiltIn).map(views::Decoration::target).collect();
    let mut open = false;
    for linkage in module.annotations().filter_map(linkage) {
        let (target, is_import) = (linkage.target(), is_import(&linkage));
        if is_import && part.has(target) && !built_in.contains(&target) {
            if partial {
                open = true;
                continue;
            }
            let name = linkage.text().into_owned();
            return Err(RuntimeError::Unresolved { importer: importer(&name), name }.into());
        }
        edits.drop(&linkage);
    }
    let module = Module::from_words(apply(&module, &edits)?)?;
    // Other declarations may be unneeded now: each image declares the requirements of its own code.
    let trimmed = trim(&module);
    let mut edits: Edits = trimmed.edits;
    if !open {
        drop_capability(&module, &mut edits);
    }
    Ok(Module::from_words(apply(&module, &edits)?)?)
}
