//! State: the variables of a module that keep their values from one kernel to the next.

use std::collections::HashSet;

use spirv::{Decoration, Op, StorageClass};

use super::Graph;
use crate::loader::{Module, views};

/// The state of a module, in its order: module-scope variables of global memory that are not decorated Constant, and the storage of
/// pipes. All other variables are constant, live no longer than an invocation or a work-group, or are bound by the host
/// (specification, "Storage Class").
pub fn state(graph: &Graph) -> Vec<u32> {
    const GLOBAL: [StorageClass; 3] =
        [StorageClass::CrossWorkgroup, StorageClass::DeviceOnlyINTEL, StorageClass::HostOnlyINTEL];
    let is_global = |class: u32| GLOBAL.iter().any(|&global| class == global as u32);
    let all = graph.module.globals().filter(|inst| match inst.op() {
        Some(Op::Variable) => is_global(views::Variable(*inst).storage_class()),
        Some(Op::UntypedVariableKHR) => is_global(views::UntypedVariableKHR(*inst).storage_class()),
        op => op == Some(Op::ConstantPipeStorage),
    });
    let all: Vec<u32> = all.filter_map(|inst| inst.result_id()).collect();
    let constant = if all.is_empty() { HashSet::new() } else { constants(graph.module) };
    all.into_iter().filter(|id| !constant.contains(id)).collect()
}

/// The variables that are decorated Constant, themselves or by a group: they are never written.
fn constants(module: &Module) -> HashSet<u32> {
    let decorations = module.decorations_with(Decoration::Constant);
    let mut constants: HashSet<u32> = decorations.map(views::Decoration::target).collect();
    for group in module.group_decorations().filter(|group| group.is(Op::GroupDecorate)) {
        if constants.contains(&group.group()) {
            constants.extend(group.targets());
        }
    }
    constants
}
