//! Branches in function bodies that depend on decided constants.

use spirv::Capability;

use super::Work;
use super::bodies::{self, Bodies};
use super::flags::Flags;
use super::freeze::Frozen;
use crate::analysis::flow::Flow;
use crate::analysis::requirements::closure;
use crate::transform::fold::Folding;

/// Folds branches in the functions that refer to a decided constant, or to a value that depends on one. All others are left alone.
pub fn fold(work: &mut Work, bodies: &mut Bodies, frozen: &Frozen) {
    if !frozen.decides() {
        return;
    }
    let module = work.module;
    let mut flow = None;
    let mut structured = None;
    let mut folded = Vec::new();
    for (at, function) in module.functions().iter().enumerate() {
        let touched = bodies.references(at).iter().any(|&id| frozen.affects(id));
        if !touched || work.flags.has(function.id, Flags::REMOVED) {
            continue;
        }
        let flow = flow.get_or_insert_with(|| Flow::new(module));
        if !flow.read(function) {
            continue;
        }
        flow.solve(&mut |id| work.constants.value(id));
        // Kernels are not bound to structured control flow (specification, 2.16.1 "Universal Validation Rules").
        let structured = *structured.get_or_insert_with(|| {
            closure(module.capabilities().map(|declared| declared.capability()))
                .contains(&(Capability::Shader as u32))
        });
        if let Some(folding) = Folding::of(module, flow, structured) {
            folded.push((at, folding));
        }
    }
    if !folded.is_empty() {
        bodies::fold(work, bodies, folded);
    }
}
