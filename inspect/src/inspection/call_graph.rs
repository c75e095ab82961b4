//! The call graph of a module, as plain data.

use std::collections::BTreeSet;

use serde::Serialize;

use spirv_if::device::Capability;

use super::context::{InspectContext, InspectionError};
use spirv_if::engine::analysis::requirements::{Requirement, RequirementId, RequirementSet};
use spirv_if::engine::analysis::{ModuleRoot, ReferenceKind, closure};
use spirv_if::engine::condition::Conditions;
use spirv_if::engine::device::DeviceNames;
use spirv_if::engine::loader::Module;

/// The calls between the functions of a module, with their conditions, and other references to functions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CallGraph {
    #[serde(skip)]
    pub(crate) title: String,
    #[serde(rename = "functions")]
    pub(crate) nodes: Vec<CallGraphNode>,
    pub(crate) edges: Vec<Edge>,
}

/// A function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct CallGraphNode {
    /// Result id of the function.
    #[serde(rename = "id")]
    pub function: u32,
    /// Demangled name of the function.
    pub name: String,
    /// Requirements of the function beyond those of the whole module.
    pub requires: Vec<String>,
    /// True if it is an entry point.
    #[serde(rename = "entry_point", skip_serializing_if = "std::ops::Not::not")]
    pub is_entry_point: bool,
}

/// References from a function to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Edge {
    /// The id of the function that refers to the other.
    pub from: u32,
    /// The id of the referenced function.
    pub to: u32,
    /// The number of calls; `None` for other references.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls: Option<usize>,
    /// The condition in text; `None` for always.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
}

impl InspectContext<'_, '_> {
    /// Returns the call graph of the module, under a title.
    ///
    /// # Errors
    /// If a condition is too large to be written.
    pub fn call_graph(&self, title: &str) -> Result<CallGraph, InspectionError> {
        let InspectContext { module, names, calls, summaries, .. } = self;
        let replaced = calls.replaced();
        let declared = closure(module.capabilities().map(|declared| declared.capability()));
        let base = summaries.base();
        let entry_points = entry_points(module);
        let functions = module.functions().iter().map(|function| function.id);
        let nodes = functions.filter(|function| !replaced.contains(function)).map(|function| CallGraphNode {
            function,
            name: names.function_name(function).short().into_owned(),
            requires: requires(&summaries.function_requirements(function), &base, &declared),
            is_entry_point: entry_points.contains(&function),
        });
        let mut graph = CallGraph { title: title.to_owned(), nodes: nodes.collect(), edges: Vec::new() };
        let mut conditions: Conditions = summaries.conditions.clone();
        for reference in summaries.call_graph(calls) {
            let calls = match reference.kind {
                ReferenceKind::Calls(count) => Some(count),
                ReferenceKind::Names => None,
            };
            let when = match reference.condition.is_true() {
                true => None,
                false => Some(conditions.expr_of(reference.condition)?.display(&DeviceNames).to_string()),
            };
            graph.edges.push(Edge { from: reference.from, to: reference.to, calls, when });
        }
        Ok(graph)
    }
}

/// Returns the functions that are entry points.
fn entry_points(module: &Module) -> BTreeSet<u32> {
    ModuleRoot::entry_points(module).map(|root| root.function()).collect()
}

/// Returns the requirements beyond the base, except features of Vulkan. Of alternatives, only the declared ones are named.
fn requires(required: &RequirementSet, base: &RequirementSet, declared: &[u32]) -> Vec<String> {
    let is_feature = |id: RequirementId| matches!(id.get(), Requirement::Feature(_));
    let beyond = required.iter().filter(|&id| !base.contains(id) && !is_feature(id));
    let names = beyond.map(|id| match id.get() {
        Requirement::Capabilities(any) => {
            let known = any.iter().find(|&capability| declared.contains(capability));
            known.map_or_else(|| id.get().to_string(), |&capability| Capability(capability).to_string())
        }
        Requirement::Extensions(_) | Requirement::Aspect(_) | Requirement::Feature(_) => id.get().to_string(),
    });
    // Different requirements may have the same name here.
    names.collect::<BTreeSet<String>>().into_iter().collect()
}
