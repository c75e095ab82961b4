//! Annotations of specialization constants.

use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use super::error::{AnnotationError, AnnotationProblem};
use super::{Annotated, Matchable, Unmatched};
use crate::analysis::conditions::multi_target::describe;
use crate::analysis::constants::{SpecId, find_spec_ids};
use crate::loader::{Module, views};
use crate::sidecar::annotations::Annotations;

/// Binds the specialization constants of a module to the conditions that a file states.
pub fn resolve(
    module: &Module,
    annotations: &Annotations,
    annotated: &mut Annotated,
) -> Result<(), AnnotationError> {
    if annotations.spec_constants.is_empty() {
        return Ok(());
    }
    let mut constants: BTreeMap<u32, Vec<SpecId>> = BTreeMap::new();
    for spec_id in find_spec_ids(module) {
        constants.entry(spec_id.spec_id).or_default().push(spec_id);
    }
    for entry in &annotations.spec_constants {
        let spec_id = entry.key;
        let Some(own) = constants.get(&spec_id) else {
            let known: BTreeSet<String> = constants.keys().map(u32::to_string).collect();
            annotated.unmatched.push(Unmatched {
                position: entry.position,
                what: Matchable::SpecConstant,
                name: spec_id.to_string(),
                nearest: known,
            });
            continue;
        };
        for constant in own {
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

/// True if a constant can be bound to a condition: it is a Boolean, or an integer, which is 0 or 1 then.
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
