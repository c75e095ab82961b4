//! Pointer parameters of kernels that point to a missing type: a compiler gives a parameter the type of one of its
//! uses, and casts it for the others.

use std::collections::{BTreeMap, HashMap};

use spirv::Op;

use super::lacked::LackedFeatures;
use super::leaving::Callers;
use super::required::{CodeRequirements, RequiredFeatures};
use crate::analysis::{Analyses, AnalysisError};
use crate::loader::{Module, views};
use crate::transform::Edits;
use crate::transform::body::FunctionBody;
use crate::transform::new_definitions::NewDefinitions;

/// Changes parameters of kernels that point to a type which the device does not have: they point to 32-bit words. Casts
/// of such a parameter use it directly, and other uses get a cast to the old type. `None` if no such parameter exists.
///
/// # Errors
/// If conditional code is malformed, or annotations name an unknown aspect.
pub fn retype(
    analyses: &Analyses,
    code: &CodeRequirements,
    lacked: &LackedFeatures,
) -> Result<Option<Edits>, AnalysisError> {
    let module = analyses.module();
    if lacked.is_empty() || !module.has_addresses() {
        return Ok(None);
    }
    let required = RequiredFeatures::new(analyses, code, lacked)?;
    let callers = Callers::new(analyses);
    let mut definitions = NewDefinitions::new(module);
    let mut edits = Edits::new(module);
    for (at, function) in module.functions().iter().enumerate() {
        let has_no_caller = callers.leaves[at] && !callers.calls.is_called(at);
        if has_no_caller && !required.of_signature(function).is_empty() {
            retype_function(module, at, &required, &mut definitions, &mut edits);
        }
    }
    definitions.insert(&mut edits);
    Ok((!edits.is_empty()).then_some(edits))
}

/// Changes one function, if every missing type in its type is behind a pointer of its parameters.
fn retype_function(
    module: &Module,
    number: usize,
    required: &RequiredFeatures,
    definitions: &mut NewDefinitions,
    edits: &mut Edits,
) {
    let Some(type_) = module.function_type(module.functions()[number].id) else { return };
    let is_missing = |type_: u32| !required.of_definition(type_).is_empty();
    let is_pointer = |&type_: &u32| module.pointer_type(type_).is_some();
    let of_parameters = type_.parameters().iter().filter(|type_| is_missing(**type_));
    if is_missing(type_.return_type()) || !of_parameters.clone().all(is_pointer) {
        return;
    }
    let word = definitions.uint(edits);
    let mut new_types = BTreeMap::new();
    for &pointer_type in of_parameters {
        if let Some(pointer) = module.pointer_type(pointer_type) {
            let new_type = definitions.type_(Op::TypePointer, &[pointer.storage_class(), word], edits);
            new_types.insert(pointer_type, new_type);
        }
    }
    let new_type = |type_: &u32| new_types.get(type_).copied().unwrap_or(*type_);
    let signature =
        std::iter::once(&type_.return_type()).chain(type_.parameters()).map(new_type).collect::<Vec<_>>();
    let function_type = definitions.type_(Op::TypeFunction, &signature, edits);
    let source = FunctionBody::decode(module, number);
    let mut body = FunctionBody::empty(module, number, source.all_lines().len());
    // The cast of each parameter to its old type.
    let (mut casts, mut inserted) = (HashMap::new(), Vec::new());
    let mut is_in_block = false;
    for (line, inst) in source.lines() {
        is_in_block |= inst.is(Op::Label);
        let is_start = matches!(inst.op(), Some(Op::Label | Op::Variable | Op::Line | Op::NoLine));
        if is_in_block && !is_start {
            body.push_all(inst.offset(), &std::mem::take(&mut inserted));
        }
        body.extend(&source, line..line + 1);
        let last = body.all_lines().len() - 1;
        match inst.op() {
            Some(Op::Function) => {
                let mut words = inst.words().to_vec();
                words[4] = function_type;
                body.replace(last, &words);
            }
            Some(Op::FunctionParameter) => {
                let parameter = views::FunctionParameter(inst);
                if let Some(&new_type) = new_types.get(&parameter.type_id()) {
                    let cast = edits.fresh_id();
                    body.replace(last, &[inst.words()[0], new_type, parameter.id()]);
                    inserted.extend([
                        4 << 16 | Op::Bitcast as u32,
                        parameter.type_id(),
                        cast,
                        parameter.id(),
                    ]);
                    casts.insert(parameter.id(), cast);
                }
            }
            Some(Op::Bitcast) => {}
            _ => body.rename_in(last, &casts),
        }
    }
    body.emit(edits);
}
