//! Integer constants that a file binds to a condition, although the module has code for more values than 0 and 1: bits of a number, for
//! example. Annotations are read before there are analyses of the module, so the control flow that they share is built again here, if a file
//! binds such a constant.

use spirv::Op;

use super::Annotated;
use super::error::AnnotationWarning;
use crate::analysis::calls::DirectCalls;
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::{Constants, Nothing, find_spec_constants};
use crate::analysis::debug::names::Names;
use crate::analysis::flow::{Flow, Running, Solution};
use crate::loader::Module;
use crate::metadata::annotations::AnnotationsFile;

/// Removes the binding of integer constants if a function has code for other values, and adds a warning for each. Otherwise this code would
/// be removed for every device.
pub fn unbind(module: &Module, names: &Names, annotations: &AnnotationsFile, annotated: &mut Annotated) {
    let is_bound_integer = |id: u32| module.definition_as(id, Op::SpecConstant).is_some();
    let mut bound = find_spec_constants(module);
    bound.retain(|decl| annotated.spec_constants.contains_key(&decl.spec_id) && is_bound_integer(decl.id));
    if bound.is_empty() {
        return;
    }
    let constants = Constants::new(module, &Nothing, &[]);
    let flow = Flow::new(module, &DirectCalls::new(module));
    for at in flow.functions() {
        let function = &module.functions()[at];
        let open = flow.open_constants(at).into_iter();
        let read: Vec<u32> = open.flat_map(|id| constants.inputs(id).spec_ids).collect();
        for constant in &bound {
            if !read.contains(&constant.spec_id) || !annotated.spec_constants.contains_key(&constant.spec_id)
            {
                continue;
            }
            let Some(block) = block_for_other_values(module, &flow, at, constant.spec_id) else { continue };
            let line = annotations.spec_constants.iter().find(|entry| entry.key == constant.spec_id);
            annotated.spec_constants.remove(&constant.spec_id);
            annotated.warnings.push(AnnotationWarning {
                source_name: annotations.source_name().to_owned(),
                line: line.map_or(0, |entry| annotations.line(entry.position)),
                spec_id: constant.spec_id,
                constant: describe(module, constant.id),
                function: names.display(function.id),
                block,
            });
        }
    }
}

/// Returns the label of a block of a function that runs for some value of a constant, and for neither 0 nor 1.
fn block_for_other_values(module: &Module, flow: &Flow, function: usize, spec_id: u32) -> Option<u32> {
    let blocks = flow.blocks(function)?;
    let mut solution = Solution::default();
    let mut solve = |values: &[(u32, u64)]| {
        let mut constants = Constants::new(module, &Nothing, values);
        let solved = flow.solve(module, &mut solution, Running::All, &mut |id| constants.value(id));
        (0..blocks.len()).map(|at| solved.runs(function, at)).collect::<Vec<bool>>()
    };
    let [any, fails, holds] = [solve(&[]), solve(&[(spec_id, 0)]), solve(&[(spec_id, 1)])];
    let at = (0..any.len()).find(|&at| any[at] && !fails[at] && !holds[at])?;
    module.instruction(blocks.get(at).start).result_id()
}
