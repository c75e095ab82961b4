//! Where new instructions go in the layout of a module (SPIR-V specification, 2.4 "Logical Layout of a Module").

use spirv::Op;

use crate::loader::Module;

/// Offsets at which something new of its kind may be inserted.
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// After the last capability.
    pub capabilities: u32,
    /// After the last extension.
    pub extensions: u32,
    /// After the last name.
    pub names: u32,
    /// Whether the module has names at all.
    pub has_names: bool,
    /// After the last decoration.
    pub annotations: u32,
    /// After the last type, constant and variable, before the OpLines of the first function.
    pub globals: u32,
}

impl Places {
    /// Finds the places. Opcodes that are in no section known here do not move them.
    pub fn find(module: &Module) -> Places {
        let start = module.globals().next().map_or(module.globals_end(), |inst| inst.offset());
        let mut places = Places {
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
                    places.to(end, Section::Capabilities)
                }
                Some(Op::Extension | Op::ConditionalExtensionINTEL) => places.to(end, Section::Extensions),
                Some(Op::Name | Op::MemberName) => {
                    places.has_names = true;
                    places.to(end, Section::Names);
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
                ) => places.to(end, Section::Names),
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
                ) => places.to(end, Section::Annotations),
                _ => {}
            }
        }
        places
    }

    /// Everything up to `end` is of this section or one before it.
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
