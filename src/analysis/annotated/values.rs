//! Entries on specialization constants, on the conditions that they are bound to, and on compile-time properties of functions, parameters
//! and variables.

use std::collections::BTreeSet;

use spirv::Op;

use super::error::{AnnotationError, AnnotationProblem};
use super::function_names::{FunctionNames, id};
use super::{Annotated, Matchable, Unmatched};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::{SpecConstantDecl, find_spec_constants};
use crate::analysis::debug::names::Names;
use crate::collections::{IdMap, gather};
use crate::loader::{Module, views};
use crate::metadata::annotations::AnnotationsFile;
use crate::text::spelling::nearest;

/// Binds the specialization constants of a module to the conditions that a file states.
pub fn resolve_constants(
    module: &Module,
    annotations: &AnnotationsFile,
    annotated: &mut Annotated,
) -> Result<(), AnnotationError> {
    if annotations.spec_constants.is_empty() && annotations.parts.is_empty() {
        return Ok(());
    }
    let constants = declarations_by_spec_id(module);
    let whole = annotations.spec_constants.iter().map(|entry| (entry.key, entry.position));
    let parts = annotations.parts.iter().map(|entry| (entry.key.0, entry.position));
    for (spec_id, position) in whole.chain(parts).filter(|(spec_id, _)| !constants.contains_key(spec_id)) {
        annotated.unmatched.push(Unmatched {
            position,
            what: Matchable::SpecConstant,
            name: spec_id.to_string(),
            nearest: constants.keys().map(u32::to_string).collect(),
        });
    }
    for entry in &annotations.spec_constants {
        let spec_id = entry.key;
        let Some(same_spec_id) = constants.get(&spec_id) else { continue };
        for constant in same_spec_id {
            let text = || describe(module, constant.id);
            let problem = match constant.decoration {
                None => AnnotationProblem::Grouped { spec_id, constant: text() },
                Some(_) if can_be_bound(module, constant.id) => continue,
                Some(_) => AnnotationProblem::Constant { spec_id, constant: text() },
            };
            return Err(AnnotationError::new(annotations, entry.position, problem));
        }
        annotated.spec_constants.insert(spec_id, entry.value.clone());
    }
    Ok(())
}

/// Returns the specialization constants of a module, by SpecId.
pub(super) fn declarations_by_spec_id(module: &Module) -> IdMap<Vec<SpecConstantDecl>> {
    let mut constants: IdMap<Vec<SpecConstantDecl>> = IdMap::new();
    for constant in find_spec_constants(module) {
        constants.entry(constant.spec_id).or_default().push(constant);
    }
    constants
}

/// Returns true if a constant can be bound to a condition: it is a Boolean, or an integer, which is 0 or 1 then.
fn can_be_bound(module: &Module, id: u32) -> bool {
    let Some(inst) = module.definition(id) else { return false };
    match inst.op() {
        Some(Op::SpecConstantTrue | Op::SpecConstantFalse) => true,
        Some(Op::SpecConstant) => {
            module.definition_as(views::SpecConstant(inst).type_id(), Op::TypeInt).is_some()
        }
        _ => false,
    }
}

/// Matches the entries of a file with the functions and variables of a module.
pub fn resolve_properties(
    module: &Module,
    names: &Names,
    annotations: &AnnotationsFile,
    annotated: &mut Annotated,
) {
    if annotations.properties.is_empty() {
        return;
    }
    let functions = FunctionNames::read(module, names);
    let is_variable = |id: &u32| {
        let definition = module.definition(*id).filter(|_| module.is_global(*id));
        definition.is_some_and(|inst| inst.is_variable())
    };
    let linked = names.linked().map(|(id, linkage)| (id, linkage.name));
    let named = names.named().filter_map(|id| Some((id, names.name(id)?)));
    let variables: Vec<_> = linked.chain(named).filter(|(id, _)| is_variable(id)).collect();
    for entry in &annotations.properties {
        let parameter =
            entry.key.rsplit_once('#').and_then(|(name, number)| Some((name, number.parse().ok()?)));
        let ids: BTreeSet<u32> = match (parameter, id(&entry.key)) {
            (Some((name, number)), _) => {
                let matching =
                    functions.matching(name).into_iter().filter_map(|function| module.function(function));
                matching.filter_map(|function| module.parameters(function).nth(number)?.result_id()).collect()
            }
            (None, Some(id)) => module.definition(id).map(|_| id).into_iter().collect(),
            (None, None) => {
                let named = variables.iter().filter(|(_, name)| *name == entry.key).map(|&(id, _)| id);
                functions.matching(&entry.key).into_iter().chain(named).collect()
            }
        };
        if ids.is_empty() {
            let known = variables.iter().map(|(_, name)| &**name);
            let mut nearest: BTreeSet<String> = gather(nearest(&entry.key, known));
            nearest.extend(functions.nearest(&entry.key));
            annotated.unmatched.push(Unmatched {
                position: entry.position,
                what: Matchable::Properties,
                name: entry.key.clone(),
                nearest,
            });
        }
        let list = entry.value.iter().cloned().collect::<Vec<_>>().join(",");
        for id in ids {
            let properties = annotated.properties.entry(id).or_default();
            *properties = if properties.is_empty() { list.clone() } else { format!("{properties},{list}") };
        }
    }
}
