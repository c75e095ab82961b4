//! Insertion points of new instructions in the layout of a module (SPIR-V specification, 2.4 "Logical Layout of a Module").

use spirv::Op;

use crate::loader::{Module, Place, Section, grammar};

/// The offsets at which new instructions may be inserted, by section.
#[derive(Clone, Copy, Debug)]
pub struct InsertionPoints {
    /// After the last capability.
    pub capabilities: u32,
    /// After the last extension.
    pub extensions: u32,
    /// After the last name.
    pub names: u32,
    /// True if the module has names.
    pub has_names: bool,
    /// After the last decoration.
    pub annotations: u32,
    /// After the last type, constant and variable, before the OpLines of the first function.
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
            let Place::Section(section) = grammar::place(inst.opcode()) else { continue };
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
