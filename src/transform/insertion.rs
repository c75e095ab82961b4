//! Insertions of transforms: copies of instructions, property sets, and the places of insertions.

use std::collections::HashMap;

use spirv::Op;

use super::Edits;
use crate::collections::IdMap;
use crate::loader::{Instruction, LogicalPlace, Module, Section, grammar, views};
use crate::metadata::property_sets::{PropertyError, PropertySets, carried};

/// The offsets at which new instructions may be inserted, by section.
#[derive(Clone, Copy, Debug)]
pub struct InsertionPoints {
    /// Place after the last capability.
    pub capabilities: u32,
    /// Place after the last extension.
    pub extensions: u32,
    /// Place after the last name.
    pub names: u32,
    /// True if the module has names.
    pub has_names: bool,
    /// Place after the last decoration.
    pub annotations: u32,
    /// Place after the last type, constant and variable, before the OpLines of the first function.
    pub globals: u32,
}

impl InsertionPoints {
    /// Finds the insertion points. Opcodes that the grammar does not have do not move them.
    pub fn find(module: &Module) -> InsertionPoints {
        let start = module.globals().next().map_or(module.globals_end(), |inst| inst.offset());
        let mut points = InsertionPoints {
            capabilities: start,
            extensions: start,
            names: start,
            has_names: false,
            annotations: start,
            globals: module.definitions_end(),
        };
        for inst in module.globals() {
            let LogicalPlace::Section(section) = grammar::place(inst.opcode()) else { continue };
            points.has_names |= matches!(inst.op(), Some(Op::Name | Op::MemberName));
            let end = inst.end();
            if section <= Section::Capabilities {
                points.capabilities = end;
            }
            if section <= Section::Extensions {
                points.extensions = end;
            }
            // OpModuleProcessed comes after all names.
            if section <= Section::Debug && !inst.is(Op::ModuleProcessed) {
                points.names = end;
            }
            if section <= Section::Annotations {
                points.annotations = end;
            }
        }
        points
    }
}

/// Returns the words of an instruction with some ids replaced.
pub(super) fn renamed(module: &Module, inst: &Instruction, ids: &HashMap<u32, u32>) -> Vec<u32> {
    let mut words = inst.words().to_vec();
    module.walk(inst, &mut |at, id: u32| {
        if let Some(&new) = ids.get(&id) {
            words[at] = new;
        }
    });
    words
}

/// The decorations of some ids: each OpDecorate and OpDecorateId.
pub struct DecorationsById<'m> {
    by_id: IdMap<Vec<views::Decoration<'m>>>,
}

impl<'m> DecorationsById<'m> {
    /// Finds the decorations of ids.
    pub fn new(module: &'m Module<'m>, ids: impl Iterator<Item = u32>) -> DecorationsById<'m> {
        let mut by_id: IdMap<Vec<views::Decoration>> = ids.map(|id| (id, Vec::new())).collect();
        if !by_id.is_empty() {
            let copied = |inst: &views::Decoration| matches!(inst.op(), Some(Op::Decorate | Op::DecorateId));
            for inst in module.decorations().filter(copied) {
                if let Some(decorations) = by_id.get_mut(&inst.target()) {
                    decorations.push(inst);
                }
            }
        }
        DecorationsById { by_id }
    }

    /// Decorates the id `to` as `from` is; `annotations` is the offset at which decorations are inserted.
    pub fn copy(&self, from: u32, to: u32, annotations: u32, edits: &mut Edits) {
        for decoration in self.by_id.get(&from).into_iter().flatten() {
            let mut words = decoration.words().to_vec();
            words[1] = to;
            edits.insert_words(annotations, &words);
        }
    }
}

/// Replaces the property sets that a module carries; `None` removes them.
///
/// # Errors
/// If they cannot be written into a module.
pub fn carry(module: &Module, sets: Option<&PropertySets>, edits: &mut Edits) -> Result<(), PropertyError> {
    let words = sets.map_or(Ok(Vec::new()), |sets| carried::write(sets, module))?;
    let mut before = carried::strings(module);
    match before.next() {
        Some(first) => edits.replace_words(&first, &words),
        None if !words.is_empty() => edits.insert_words(carried::offset(module), &words),
        None => {}
    }
    before.for_each(|inst| edits.drop(&inst));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_support::{instruction, module_of};

    /// Each instruction of a section moves its point and those after it, whichever instruction it is.
    #[test]
    fn points_are_behind_their_sections() {
        let op = |op: Op, operands: &[u32]| instruction(op as u16, operands);
        let points = |instructions: &[Vec<u32>]| {
            let words = module_of(9, instructions);
            let points = InsertionPoints::find(&Module::from_words(&words[..]).unwrap());
            [points.capabilities, points.extensions, points.names, points.annotations, points.globals]
        };
        let capability = op(Op::Capability, &[1]);
        let model = op(Op::MemoryModel, &[0, 1]);
        let type_ = op(Op::TypeVoid, &[1]);
        assert_eq!(points(&[capability.clone(), model.clone(), type_.clone()]), [7, 7, 10, 10, 12]);
        let mode = op(Op::SamplerImageAddressingModeNV, &[64]);
        let processed = op(Op::ModuleProcessed, &[0]);
        assert_eq!(points(&[capability, model, mode, processed, type_]), [7, 7, 12, 14, 16]);
    }
}
