//! Types and constants that nothing uses, and that a device without some features rejects all the same.

use std::collections::HashSet;

use spirv::Op;

use super::lacked::LackedFeatures;
use super::required::{CodeRequirements, RequiredFeatures};
use crate::analysis::{Analyses, AnalysisError, described_id};
use crate::loader::Instruction;
use crate::transform::Edits;

/// Removes the types and constants of a module that require a missing feature and that nothing uses.
///
/// # Errors
/// If conditional code is malformed, or annotations name an unknown aspect.
pub fn without_unused(analyses: &Analyses, lacked: &LackedFeatures) -> Result<Edits, AnalysisError> {
    let module = analyses.module();
    let code = CodeRequirements::default();
    let required = RequiredFeatures::new(analyses, &code, lacked)?;
    let mut edits = Edits::new(module);
    let mut used = HashSet::new();
    let note_uses = |inst: &Instruction, used: &mut HashSet<u32>| {
        let (result, described) = (inst.result_id(), described_id(inst));
        module.walk(inst, &mut |_: usize, id: u32| {
            if Some(id) != result && Some(id) != described {
                used.insert(id);
            }
        });
    };
    for function in module.functions() {
        module.range(function.lines, function.end).for_each(|inst| note_uses(&inst, &mut used));
    }
    let mut dropped = HashSet::new();
    let globals: Vec<Instruction> = module.globals().collect();
    // Uses come after definitions, except in declarations, names and decorations, and where a pointer is declared before its definition.
    let is_before = |inst: &&Instruction| inst.result_id().is_none();
    globals.iter().filter(is_before).for_each(|inst| note_uses(inst, &mut used));
    for inst in globals.iter().rev() {
        let Some(id) = inst.result_id() else { continue };
        let is_value =
            !matches!(inst.op(), Some(Op::Variable | Op::ExtInst | Op::ExtInstImport | Op::String));
        if is_value && !used.contains(&id) && !required.of_definition(id).is_empty() {
            dropped.insert(id);
            edits.drop(inst);
        } else {
            note_uses(inst, &mut used);
        }
    }
    let describes = |inst: &&Instruction| described_id(inst).is_some_and(|id| dropped.contains(&id));
    globals.iter().filter(describes).for_each(|inst| edits.drop(inst));
    Ok(edits)
}
