//! What a module is needed for from outside.

use spirv::Op;

use super::{Graph, initializers};
use crate::analysis::Names;
use crate::loader::{Instruction, Module};

/// An entry point, or an exported function that nothing in the module needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The function's id.
    pub function: u32,
    /// Where the OpEntryPoint or OpConditionalEntryPointINTEL stands, in words; `None` for an exported function.
    pub entry_point: Option<u32>,
    /// The name of the entry point, or the linkage name.
    pub name: String,
    /// The functions that go with it although it does not call them: what clang made the body of a kernel, and what sets up its
    /// variables.
    pub companions: Vec<u32>,
    /// Where the entry points stand that set up its variables, and clean up after it.
    pub initializers: Vec<u32>,
}

impl Root {
    /// What kind of entry point it is, as a number of the specification's "Execution Model"; `None` for an exported function.
    pub fn execution_model(&self, module: &Module) -> Option<u32> {
        let inst = module.instruction(self.entry_point?);
        Some(inst.word(if inst.is(Op::EntryPoint) { 1 } else { 2 }))
    }

    pub(super) fn of_entry_point(inst: &Instruction) -> Root {
        let at = if inst.is(Op::EntryPoint) { 2 } else { 3 };
        let (function, name) = (inst.word(at), inst.string(at + 1).into_owned());
        Root {
            function,
            entry_point: Some(inst.offset()),
            name,
            companions: Vec::new(),
            initializers: Vec::new(),
        }
    }
}

/// The entry points of a module that a host calls, then the exported functions that nothing in it calls or names, each in the order
/// of the module. Of exported functions that only need each other, the first counts.
pub fn roots(graph: &Graph, names: &Names) -> Vec<Root> {
    let module = graph.module;
    let entry_points = module
        .globals()
        .filter(|inst| matches!(inst.op(), Some(Op::EntryPoint | Op::ConditionalEntryPointINTEL)))
        .map(|inst| Root::of_entry_point(&inst));
    let mut roots: Vec<Root> = entry_points.collect();
    let entries = roots.len();
    let mut reached = graph.reach();
    let mut called = vec![false; module.functions().len()];
    for caller in 0..called.len() {
        for callee in graph.functions_of(caller) {
            called[callee] |= callee != caller;
        }
    }
    roots.iter().for_each(|root| reached.add(root.function));
    let exported = |index: usize| names.is_exported(module.functions()[index].id);
    let free = (0..called.len()).filter(|&at| exported(at) && !called[at]);
    // What is called may still be reached from no root: what only unused definitions name, or what only calls each other.
    let rest = (0..called.len()).filter(|&at| exported(at) && called[at]);
    let mut others = Vec::new();
    for index in free.chain(rest) {
        let id = module.functions()[index].id;
        if reached.has(id) {
            continue;
        }
        reached.add(id);
        match names.kernel_of(id) {
            Some(kernel) => {
                let kernels = roots[..entries].iter_mut().filter(|root| root.function == kernel);
                kernels.for_each(|root| root.companions.push(id));
            }
            None => others.push(id),
        }
    }
    others.sort_unstable_by_key(|&id| module.function_index(id));
    roots.extend(others.into_iter().map(|id| Root {
        function: id,
        entry_point: None,
        name: names.linkage(id).map(|linkage| linkage.name.to_string()).unwrap_or_default(),
        companions: Vec::new(),
        initializers: Vec::new(),
    }));
    initializers::attach(graph, &mut roots);
    roots
}
