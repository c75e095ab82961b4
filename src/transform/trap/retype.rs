//! Pointer parameters of kernels that point to a missing type: a compiler gives a parameter the type of one of its uses, and the others cast it.

use std::collections::BTreeMap;

use spirv::Op;

use super::definitions::NewDefinitions;
use super::lacked::LackedFeatures;
use super::leaving::Callers;
use super::required::{CodeRequirements, RequiredFeatures};
use crate::analysis::{Analyses, AnalysisError};
use crate::loader::{Function, Instruction, Module, views};
use crate::transform::Edits;

/// Lets parameters of kernels point to 32-bit words where they point to a type that the device does not have. Casts of such a parameter use it as
/// it is, and everything else a cast to the old type. `None` if there is no such parameter.
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
    let callers = Callers::new(module, analyses.names());
    let mut definitions = NewDefinitions::new(module);
    let mut edits = Edits::new(module);
    for (at, function) in module.functions().iter().enumerate() {
        let has_no_caller = callers.leaves[at] && callers.calls[at].is_empty();
        if has_no_caller && !required.of_signature(function).is_empty() {
            retype_function(module, function, &required, &mut definitions, &mut edits);
        }
    }
    definitions.insert(&mut edits);
    Ok((!edits.is_empty()).then_some(edits))
}

/// Changes one function, if every missing type in its type is behind a pointer of its parameters.
fn retype_function(
    module: &Module,
    function: &Function,
    required: &RequiredFeatures,
    definitions: &mut NewDefinitions,
    edits: &mut Edits,
) {
    let Some(type_) = module.function_type(function.id) else { return };
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
    let mut words = views::Function(module.instruction(function.start)).words().to_vec();
    words[4] = definitions.type_(Op::TypeFunction, &signature, edits);
    edits.replace_words(&module.instruction(function.start), &words);
    // The cast of each parameter to its old type.
    let mut casts = BTreeMap::new();
    let mut inserted = Vec::new();
    let retyped = module.parameters(function).filter_map(views::FunctionParameter::new);
    for parameter in retyped.filter(|parameter| new_types.contains_key(&parameter.type_id())) {
        let (old_type, cast) = (parameter.type_id(), edits.fresh_id());
        edits.replace_words(
            &parameter,
            &[3 << 16 | Op::FunctionParameter as u32, new_type(&old_type), parameter.id()],
        );
        inserted.extend([4 << 16 | Op::Bitcast as u32, old_type, cast, parameter.id()]);
        casts.insert(parameter.id(), cast);
    }
    let body = || module.body(function).skip_while(|inst| !inst.is(Op::Label));
    let is_start =
        |inst: &Instruction| matches!(inst.op(), Some(Op::Label | Op::Variable | Op::Line | Op::NoLine));
    if let Some(first) = body().find(|inst| !is_start(inst)) {
        edits.insert_words(first.offset(), &inserted);
    }
    for inst in body().filter(|inst| !inst.is(Op::Bitcast)) {
        let mut words = inst.words().to_vec();
        module.walk(&inst, &mut |at, id: u32| {
            if let Some(&cast) = casts.get(&id) {
                words[at] = cast;
            }
        });
        if words != inst.words() {
            edits.replace_words(&inst, &words);
        }
    }
}
