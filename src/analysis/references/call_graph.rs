//! The call graph: the references between functions, how many, and under which conditions; and the exports that entry points lead to.

use std::collections::BTreeSet;

use super::graph::{EdgeKinds, ReferenceGraph};
use super::summaries::RequirementSummaries;
use crate::analysis::conditional::calls::ConditionalCalls;
use crate::analysis::debug::names::Names;
use crate::analysis::requirements::RequirementSet;
use crate::collections::{OrderedMap, sort};
use crate::condition::ConditionId;
use crate::loader::{Module, views};

/// The kind of a reference from one function to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// The function calls the other function in this number of places.
    Calls(usize),
    /// The function refers to the other function without a call, directly or through a constant: for example, it takes
    /// the address.
    Names,
}

/// An edge of the call graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reference {
    /// The function that refers.
    pub from: u32,
    /// The function that it refers to; for a conditional call, the conditional action.
    pub to: u32,
    /// The condition, in [`RequirementSummaries::conditions`].
    pub condition: ConditionId,
    /// The kind of the reference.
    pub kind: ReferenceKind,
}

impl RequirementSummaries<'_> {
    /// Returns the edges of the call graph, sorted by the referring and then by the referenced function. Calls of the same function under
    /// the same condition are one edge. Conditional callers between a conditional call and its action have no edge: `calls` has them.
    pub fn call_graph(&self, calls: &ConditionalCalls) -> Vec<Reference> {
        let replaced = calls.replaced();
        let mut graph = Vec::new();
        for function in self.module.functions().iter().filter(|function| !replaced.contains(&function.id)) {
            self.references_of(function.id, &mut graph);
        }
        graph
    }

    fn references_of(&self, from: u32, graph: &mut Vec<Reference>) {
        let Some(function) = self.module.function(from) else { return };
        // By index of the function referred to: how often it is called at all, and under each condition.
        let mut called: OrderedMap<usize, usize> = OrderedMap::new();
        let mut conditional: OrderedMap<(usize, ConditionId), usize> = OrderedMap::new();
        for call in self.module.body(function).filter_map(views::FunctionCall::new) {
            let at = self.conditional_calls.binary_search_by_key(&call.offset(), |&(at, _)| at);
            let callee = at.map_or(call.callee(), |at| self.conditional_calls[at].1);
            if let Some(callee) = self.module.function_index(callee) {
                *called.entry(callee).or_default() += 1;
            }
        }
        for used in self.graph.conditional(from) {
            if let Some(callee) = self.module.function_index(used.target) {
                *conditional.entry((callee, used.condition)).or_default() += 1;
                if let Some(called) = called.get_mut(&callee) {
                    *called -= 1;
                }
            }
        }
        let mut named = BTreeSet::new();
        self.graph.for_each(from, |target| {
            let direct = self.module.function_index(target);
            let through = self.pointers.get(&target).into_iter().flatten();
            named.extend(direct.into_iter().chain(through.filter_map(|&id| self.module.function_index(id))));
        });
        named.retain(|target| called.get(target).is_none_or(|&count| count == 0));
        let edge = |(to, condition, kind): (usize, ConditionId, ReferenceKind)| Reference {
            from,
            to: self.module.functions()[to].id,
            condition,
            kind,
        };
        let called = called.into_iter().filter(|&(_, count)| count > 0);
        let mut edges: Vec<_> =
            called.map(|(to, count)| (to, ConditionId::TRUE, ReferenceKind::Calls(count))).collect();
        edges.extend(
            conditional.into_iter().map(|((to, when), count)| (to, when, ReferenceKind::Calls(count))),
        );
        edges.extend(named.into_iter().map(|to| (to, ConditionId::TRUE, ReferenceKind::Names)));
        sort(&mut edges);
        graph.extend(edges.into_iter().map(edge));
    }

    /// Returns the requirements of a function's own instructions, and of the types, constants and variables that it refers to.
    pub fn function_requirements(&self, function: u32) -> RequirementSet {
        self.module.function_index(function).map_or(RequirementSet::EMPTY, |at| self.direct(at))
    }

    /// Returns the requirements of the module apart from functions: its memory model, its entry points and their execution modes.
    pub fn base(&self) -> RequirementSet {
        let mut base = self.everywhere;
        for required in self.entries.values() {
            base.extend(required);
        }
        base
    }
}

/// Returns the exported functions that an entry point calls, or names in any other way, itself or through other functions.
pub fn called_exports(module: &Module, references: &ReferenceGraph, names: &Names) -> BTreeSet<u32> {
    let mut exported: BTreeSet<u32> = names.exported().filter(|&id| module.is_function(id)).collect();
    if exported.is_empty() {
        return exported;
    }
    let mut stack: Vec<u32> = module.entry_points().map(|entry_point| entry_point.function()).collect();
    let mut reached: BTreeSet<u32> = stack.iter().copied().collect();
    while let Some(function) = stack.pop() {
        references.each_target(module, function, EdgeKinds::USES | EdgeKinds::DEBUG, |id| {
            if module.is_function(id) && reached.insert(id) {
                stack.push(id);
            }
        });
    }
    exported.retain(|id| reached.contains(id));
    exported
}
