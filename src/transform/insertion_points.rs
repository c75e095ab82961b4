//! Insertion points of new instructions in the layout of a module (SPIR-V specification, 2.4 "Logical Layout of a Module").

use spirv::Op;

use crate::loader::Module;

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
    /// Finds the insertion points. Opcodes of sections that are not known here do not move them.
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
            let end = inst.end();
            match inst.op() {
                Some(Op::Capability | Op::ConditionalCapabilityINTEL) => {
                    points.to(end, Section::Capabilities)
                }
                Some(Op::Extension | Op::ConditionalExtensionINTEL) => points.to(end, Section::Extensions),
                Some(Op::Name | Op::MemberName) => {
                    points.has_names = true;
                    points.to(end, Section::Names);
                }
                Some(
                    Op::ExtInstImport
                    | Op::MemoryModel
                    | Op::EntryPoint
                    | Op::ConditionalEntryPointINTEL
                    | Op::ExecutionMode
                    | Op::ExecutionModeId
                    | Op::String
                    | Op::Source
                    | Op::SourceContinued
                    | Op::SourceExtension,
                ) => points.to(end, Section::Names),
                Some(
                    Op::ModuleProcessed
                    | Op::Decorate
                    | Op::DecorateId
                    | Op::DecorateString
                    | Op::MemberDecorate
                    | Op::MemberDecorateString
                    | Op::GroupDecorate
                    | Op::GroupMemberDecorate
                    | Op::DecorationGroup,
                ) => points.to(end, Section::Annotations),
                _ => {}
            }
        }
        points
    }

    /// Moves the insertion points of a section and of those after it to `end`.
    fn to(&mut self, end: u32, section: Section) {
        self.annotations = end;
        if section <= Section::Names {
            self.names = end;
        }
        if section <= Section::Extensions {
            self.extensions = end;
        }
        if section == Section::Capabilities {
            self.capabilities = end;
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Capabilities,
    Extensions,
    Names,
    Annotations,
}
