//! The roots of a module: entry points, with the initializers of their state, and exported functions without users.

use std::collections::HashSet;

use spirv::{Decoration, Op, StorageClass};

use super::SplitGraph;
use crate::analysis::{Names, initializers};
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
    /// Functions that the root requires without calling them: the body of a kernel as clang writes it, and the
    /// initializers of its variables.
    pub companions: Vec<u32>,
    /// The offsets of the entry points that initialize its variables, and clean up after it.
    pub initializers: Vec<u32>,
}

impl SplitRoot {
    /// Returns the execution model of an entry point, as a number of the specification's "Execution Model"; `None` for an exported function.
    pub fn execution_model(&self, module: &Module) -> Option<u32> {
        Some(views::EntryPoint(module.instruction(self.entry_point?)).execution_model())
    }

    /// Creates a root from a function with any linkage.
    pub fn from_function(function: u32, name: &str) -> SplitRoot {
        let name = name.to_owned();
        SplitRoot { function, entry_point: None, name, companions: Vec::new(), initializers: Vec::new() }
    }

    fn from_entry_point(entry: views::EntryPoint) -> SplitRoot {
        SplitRoot {
            function: entry.function(),
            entry_point: Some(entry.offset()),
            name: entry.name().into_owned(),
            companions: Vec::new(),
            initializers: Vec::new(),
        }
    }
}

/// Returns the entry points of a module that a host calls, then the exported functions without users in it, each in the order of the module.
/// Of exported functions that only use each other, the first is a root.
pub fn roots(graph: &SplitGraph, names: &Names) -> Vec<SplitRoot> {
    let module = graph.module;
    let mut roots: Vec<SplitRoot> = module.entry_points().map(SplitRoot::from_entry_point).collect();
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
    module.sort_by_definition(&mut others);
    roots.extend(others.into_iter().map(|id| {
        let linkage = names.linkage(id).map(|linkage| linkage.name);
        SplitRoot::from_function(id, &linkage.unwrap_or_default())
    }));
    attach_initializers(graph, &mut roots);
    roots
}

/// An entry point that no host calls.
struct Initializer {
    root: SplitRoot,
    /// The variables that it or its callees may set.
    variables: Vec<u32>,
}

/// Separates the entry points that no host calls (execution modes Initializer and Finalizer). Each is added to the
/// roots that use one of its variables, or to all roots if none does.
fn attach_initializers(graph: &SplitGraph, roots: &mut Vec<SplitRoot>) {
    let by_themselves = initializers(graph.module);
    let (initializers, others): (Vec<SplitRoot>, Vec<SplitRoot>) =
        std::mem::take(roots).into_iter().partition(|root| by_themselves.contains(&root.function));
    *roots = others;
    if initializers.is_empty() {
        return;
    }
    let state = state(graph);
    let initializers: Vec<Initializer> = initializers
        .into_iter()
        .map(|root| Initializer { variables: variables(graph, &root, &state), root })
        .collect();
    for root in roots {
        let mut reach = graph.reach();
        reach.add(root.function);
        root.companions.iter().for_each(|&companion| reach.add(companion));
        let mut left: Vec<&Initializer> = initializers.iter().collect();
        // One may use a variable that another sets.
        loop {
            let is_used = |initializer: &&Initializer| {
                initializer.variables.is_empty()
                    || initializer.variables.iter().any(|&variable| reach.has(variable))
            };
            let (used, unused): (Vec<_>, Vec<_>) = left.into_iter().partition(is_used);
            left = unused;
            if used.is_empty() {
                break;
            }
            for Initializer { root: initializer, .. } in used {
                reach.add(initializer.function);
                root.companions.push(initializer.function);
                root.initializers.extend(initializer.entry_point);
            }
        }
    }
}

/// Returns the state that an entry point may set: the variables that it or its callees refer to.
fn variables(graph: &SplitGraph, root: &SplitRoot, state: &[u32]) -> Vec<u32> {
    let mut reach = graph.reach();
    reach.add(root.function);
    state.iter().filter(|&&id| reach.has(id)).copied().collect()
}

/// Returns the state of a module, in its order: module-scope variables of global memory that are not decorated Constant, and the storage of
/// pipes. All other variables are constant, live no longer than an invocation or a work-group, or are bound by the host
/// (specification, "Storage Class").
pub fn state(graph: &SplitGraph) -> Vec<u32> {
    const GLOBAL: [StorageClass; 3] =
        [StorageClass::CrossWorkgroup, StorageClass::DeviceOnlyINTEL, StorageClass::HostOnlyINTEL];
    let is_global = |class: u32| GLOBAL.iter().any(|&global| class == global as u32);
    let all = graph.module.globals().filter(|inst| match inst.op() {
        Some(Op::Variable) => is_global(views::Variable(*inst).storage_class()),
        Some(Op::UntypedVariableKHR) => is_global(views::UntypedVariableKHR(*inst).storage_class()),
        op => op == Some(Op::ConstantPipeStorage),
    });
    let all: Vec<u32> = all.filter_map(|inst| inst.result_id()).collect();
    if all.is_empty() {
        return all;
    }
    // Of these, those that are decorated Constant are never written.
    let constants = graph.module.decorated_with(Decoration::Constant);
    let constants: HashSet<u32> = constants.into_iter().map(|(id, _)| id).collect();
    all.into_iter().filter(|id| !constants.contains(id)).collect()
}
