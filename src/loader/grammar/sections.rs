//! The logical layout of a module (SPIR-V specification, 2.4): in which section an instruction may stand.

/// The sections of a module, in order. What producers and validators have disagreed on is one section here:
/// entry points and execution modes, and all debug instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Section {
    /// OpCapability.
    Capabilities,
    /// OpExtension.
    Extensions,
    /// OpExtInstImport.
    Imports,
    /// The one OpMemoryModel.
    MemoryModel,
    /// Entry points and their execution modes.
    EntryPoints,
    /// Strings, sources, names.
    Debug,
    /// Decorations.
    Annotations,
    /// Types, constants, and variables.
    Types,
    /// Functions (and graphs).
    Functions,
}

impl Section {
    /// The section of an instruction that comes after one of this section; `None` where it must not stand. One that begins a
    /// function stands for all of it.
    pub fn then(self, place: Place) -> Option<Section> {
        let has_memory_model = self >= Section::MemoryModel;
        match place {
            Place::Section(Section::MemoryModel) => (!has_memory_model).then_some(Section::MemoryModel),
            Place::Section(next) if next < Section::MemoryModel => (self <= next).then_some(next),
            _ if !has_memory_model => None,
            Place::Section(next) => (self <= next).then_some(next),
            Place::Types => (self <= Section::Types).then_some(Section::Types),
            Place::Anywhere => Some(self),
            Place::Begin => Some(Section::Functions),
            Place::End | Place::Body | Place::Unknown => None,
        }
    }
}

/// The place of an instruction in the layout of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Only in this section.
    Section(Section),
    /// Among the types, or in a function.
    Types,
    /// After the memory model: in any section, in a function, between functions, and after the last of them.
    Anywhere,
    /// It opens a function (or a graph).
    Begin,
    /// It ends one.
    End,
    /// Only in a function.
    Body,
    /// The grammar does not have it, or it is OpNop: it may be anywhere.
    Unknown,
}
