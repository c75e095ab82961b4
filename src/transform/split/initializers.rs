//! Entry points that no host calls: they initialize variables before others run, or clean up after them (execution modes
//! Initializer and Finalizer).

use super::{Graph, SplitRoot, state};
use crate::analysis::initializers;

/// An entry point that no host calls.
struct Initializer {
    root: SplitRoot,
    /// The variables that it or its callees may set.
    variables: Vec<u32>,
}

/// Takes initializers and finalizers out of the entry points, and adds each to the roots that use a variable which it may set. One
/// without such a variable is added to all.
pub(super) fn attach(graph: &Graph, roots: &mut Vec<SplitRoot>) {
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
            let is_used = |own: &&Initializer| {
                own.variables.is_empty() || own.variables.iter().any(|&variable| reach.has(variable))
            };
            let (used, unused): (Vec<_>, Vec<_>) = left.into_iter().partition(is_used);
            left = unused;
            if used.is_empty() {
                break;
            }
            for Initializer { root: own, .. } in used {
                reach.add(own.function);
                root.companions.push(own.function);
                root.initializers.extend(own.entry_point);
            }
        }
    }
}

/// The state that an entry point may set: the variables that it or its callees refer to.
fn variables(graph: &Graph, root: &SplitRoot, state: &[u32]) -> Vec<u32> {
    let mut reach = graph.reach();
    reach.add(root.function);
    state.iter().filter(|&&id| reach.has(id)).copied().collect()
}
