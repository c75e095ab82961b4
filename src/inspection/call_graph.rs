//! The call graph of a module, as plain data.

use std::collections::BTreeSet;

use spirv::{Capability, Op};

use super::study::{InspectionError, Study};
use crate::analysis::requirements::{Requirement, RequirementSet};
use crate::analysis::{References, Root, closure};
use crate::condition::Conditions;
use crate::device::Tables;
use crate::loader::Module;

/// Who calls whom in a module, and when; what refers to a function in another way counts too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallGraph {
    pub(crate) title: String,
    pub(crate) nodes: Vec<Node>,
    pub(crate) edges: Vec<Edge>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    /// Its id.
    pub function: u32,
    /// Its name as people read it.
    pub name: String,
    /// What it needs itself, beyond what the whole module does.
    pub needs: Vec<String>,
    /// Whether it is an entry point.
    pub is_entry_point: bool,
}

/// References from a function to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// The id of the function that refers to the other.
    pub from: u32,
    /// The id of the other.
    pub to: u32,
    /// How many calls they are; `None` for references that are no calls.
    pub calls: Option<usize>,
    /// When, in text, if not in any case.
    pub when: Option<String>,
}

impl Study<'_, '_> {
    /// The call graph of the module, under a title.
    ///
    /// # Errors
    /// Where a condition is too large to be written.
    pub fn call_graph(&self, title: &str) -> Result<CallGraph, InspectionError> {
        let Study { module, names, calls, summaries, .. } = self;
        let replaced = calls.replaced();
        let declared = closure(declared(module));
        let base = summaries.base();
        let entry_points = entry_points(module);
        let functions = module.functions().iter().map(|function| function.id);
        let nodes = functions.filter(|function| !replaced.contains(function)).map(|function| Node {
            function,
            name: names.function_name(function).short().into_owned(),
            needs: needs(&summaries.own(function), &base, &declared),
            is_entry_point: entry_points.contains(&function),
        });
        let mut graph = CallGraph { title: title.to_owned(), nodes: nodes.collect(), edges: Vec::new() };
        let mut conditions: Conditions = summaries.conditions.clone();
        for reference in summaries.call_graph(calls) {
            let calls = match reference.kind {
                References::Calls(count) => Some(count),
                References::Names => None,
            };
            let when = match reference.condition.is_true() {
                true => None,
                false => Some(conditions.expr_of(reference.condition)?.display(&Tables).to_string()),
            };
            graph.edges.push(Edge { from: reference.from, to: reference.to, calls, when });
        }
        Ok(graph)
    }
}

fn declared<'m>(module: &'m Module) -> impl Iterator<Item = u32> + use<'m> {
    module.globals().filter_map(|inst| match inst.op()? {
        Op::Capability => Some(inst.word(1)),
        Op::ConditionalCapabilityINTEL => Some(inst.word(2)),
        _ => None,
    })
}

/// The functions that are entry points.
fn entry_points(module: &Module) -> BTreeSet<u32> {
    Root::entry_points(module).map(|root| root.function()).collect()
}

/// What is needed beyond the base, by the names that the module declares where there is a choice.
fn needs(own: &RequirementSet, base: &RequirementSet, declared: &[Capability]) -> Vec<String> {
    let beyond = own.iter().filter(|&id| !base.contains(id));
    let names = beyond.map(|id| match id.get() {
        Requirement::Capabilities(any) => {
            let known = any.iter().find(|capability| declared.contains(capability));
            known.map_or_else(|| id.get().to_string(), |capability| format!("{capability:?}"))
        }
        Requirement::Extensions(_) | Requirement::Aspect(_) => id.get().to_string(),
    });
    // What several instructions need in different words is one thing here.
    names.collect::<BTreeSet<String>>().into_iter().collect()
}
