//! State: what a module defines and keeps from one kernel to the next.

use std::collections::HashSet;

use spirv::{Decoration, Op, StorageClass};

use super::Graph;
use crate::loader::Module;

/// The state of a module, in its order: module-scope variables of global memory that are not decorated Constant, and the storage of
/// pipes. All other variables are constant, last no longer than an invocation or a work-group, or are bound from outside
/// (specification, "Storage Class").
pub fn state(graph: &Graph) -> Vec<u32> {
    const GLOBAL: [StorageClass; 3] =
        [StorageClass::CrossWorkgroup, StorageClass::DeviceOnlyINTEL, StorageClass::HostOnlyINTEL];
    let all = graph.module.globals().filter(|inst| match inst.op() {
        Some(Op::Variable | Op::UntypedVariableKHR) => {
            GLOBAL.iter().any(|&global| inst.word(3) == global as u32)
        }
        op => op == Some(Op::ConstantPipeStorage),
    });
    let all: Vec<u32> = all.filter_map(|inst| inst.result_id()).collect();
    let constant = if all.is_empty() { HashSet::new() } else { constants(graph.module) };
    all.into_iter().filter(|id| !constant.contains(id)).collect()
}

/// The variables that are decorated Constant, themselves or by a group: nobody writes them.
fn constants(module: &Module) -> HashSet<u32> {
    let is_constant = |id: &u32| *id == Decoration::Constant as u32;
    let decorations = module.annotations().filter(|inst| inst.is(Op::Decorate) && is_constant(&inst.word(2)));
    let mut constants: HashSet<u32> = decorations.map(|inst| inst.word(1)).collect();
    for group in module.annotations().filter(|inst| inst.is(Op::GroupDecorate)) {
        if constants.contains(&group.word(1)) {
            constants.extend(group.words_from(2));
        }
    }
    constants
}
