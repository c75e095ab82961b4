//! Compile-time properties that a file gives to functions, their parameters and variables.

use std::collections::BTreeSet;

use spirv::Op;

use super::function_names::{FunctionNames, id};
use super::{Annotated, Matchable, Unmatched};
use crate::analysis::debug::names::Names;
use crate::loader::Module;
use crate::sidecar::annotations::Annotations;
use crate::text::spelling::nearest;

/// Matches the entries of a file with the functions and variables of a module.
pub fn resolve(module: &Module, names: &Names, annotations: &Annotations, annotated: &mut Annotated) {
    if annotations.properties.is_empty() {
        return;
    }
    let functions = FunctionNames::read(module, names);
    let is_variable = |id: &u32| {
        let definition = module.definition(*id).filter(|_| module.is_global(*id));
        definition.is_some_and(|inst| matches!(inst.op(), Some(Op::Variable | Op::UntypedVariableKHR)))
    };
    let linked = names.linked().map(|(id, linkage)| (id, linkage.name));
    let named = names.named().filter_map(|id| Some((id, names.name(id)?)));
    let variables: Vec<_> = linked.chain(named).filter(|(id, _)| is_variable(id)).collect();
    for entry in &annotations.properties {
        let parameter =
            entry.key.rsplit_once('#').and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let found: BTreeSet<u32> = match (parameter, id(&entry.key)) {
            (Some((name, number)), _) => {
                let own =
                    functions.matching(name).into_iter().filter_map(|function| module.function(function));
                own.filter_map(|function| module.parameters(function).nth(number)?.result_id()).collect()
            }
            (None, Some(id)) => module.definition(id).map(|_| id).into_iter().collect(),
            (None, None) => {
                let own = variables.iter().filter(|(_, name)| *name == entry.key).map(|&(id, _)| id);
                functions.matching(&entry.key).into_iter().chain(own).collect()
            }
        };
        if found.is_empty() {
            let known = variables.iter().map(|(_, name)| &**name);
            let mut nearest: BTreeSet<String> = nearest(&entry.key, known).into_iter().collect();
            nearest.extend(functions.nearest(&entry.key));
            annotated.unmatched.push(Unmatched {
                position: entry.position,
                what: Matchable::Properties,
                name: entry.key.clone(),
                nearest,
            });
        }
        let list = entry.value.iter().cloned().collect::<Vec<_>>().join(",");
        for id in found {
            let own = annotated.properties.entry(id).or_default();
            *own = if own.is_empty() { list.clone() } else { format!("{own},{list}") };
        }
    }
}
