//! The roots of a module: entry points, and exported functions without users.

use super::{Graph, initializers};
use crate::analysis::Names;
use crate::loader::{Module, views};

/// An entry point, or an exported function without users in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRoot {
    /// The function's id.
    pub function: u32,
    /// The offset of the OpEntryPoint or OpConditionalEntryPointINTEL, in words; `None` for an exported function.
    pub entry_point: Option<u32>,
    /// The name of the entry point, or the linkage name.
    pub name: String,
    /// The functions that belong to it although it does not call them: the body of a kernel as clang writes it, and the initializers
    /// of its variables.
    pub companions: Vec<u32>,
    /// The offsets of the entry points that initialize its variables, and clean up after it.
    pub initializers: Vec<u32>,
}

impl SplitRoot {
    /// The execution model of an entry point, as a number of the specification's "Execution Model"; `None` for an exported function.
    pub fn execution_model(&self, module: &Module) -> Option<u32> {
        Some(views::EntryPoint(module.instruction(self.entry_point?)).execution_model())
    }

    /// A function as a root, whatever its linkage is.
    pub fn of_function(function: u32, name: &str) -> SplitRoot {
        let name = name.to_owned();
        SplitRoot { function, entry_point: None, name, companions: Vec::new(), initializers: Vec::new() }
    }

    fn of_entry_point(entry: views::EntryPoint) -> SplitRoot {
        SplitRoot {
            function: entry.function(),
            entry_point: Some(entry.offset()),
            name: entry.name().into_owned(),
            companions: Vec::new(),
            initializers: Vec::new(),
        }
    }
}

/// The entry points of a module that a host calls, then the exported functions without users in it, each in the order of the module.
/// Of exported functions that only use each other, the first is a root.
pub fn roots(graph: &Graph, names: &Names) -> Vec<SplitRoot> {
    let module = graph.module;
    let mut roots: Vec<SplitRoot> = module.entry_points().map(SplitRoot::of_entry_point).collect();
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
    // A called function may still not be reachable from a root: if only unused definitions name it, or functions only call each other.
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
    roots.extend(others.into_iter().map(|id| {
        let linkage = names.linkage(id).map(|linkage| linkage.name);
        SplitRoot::of_function(id, &linkage.unwrap_or_default())
    }));
    initializers::attach(graph, &mut roots);
    roots
}
