//! The sections of a result before its functions.

/// Sections before the functions, in words (specification, 2.4 "Logical Layout of a Module").
#[derive(Default)]
pub struct Sections {
    /// OpCapability.
    pub capabilities: Vec<u32>,
    /// OpExtension.
    pub extensions: Vec<u32>,
    /// OpExtInstImport.
    pub imports: Vec<u32>,
    /// OpMemoryModel.
    pub memory_model: Vec<u32>,
    /// OpEntryPoint.
    pub entry_points: Vec<u32>,
    /// OpExecutionMode, and settings of the whole module.
    pub modes: Vec<u32>,
    /// OpString.
    pub strings: Vec<u32>,
    /// OpSource, OpSourceExtension, OpSourceContinued.
    pub sources: Vec<u32>,
    /// OpName and OpMemberName.
    pub names: Vec<u32>,
    /// OpModuleProcessed.
    pub processed: Vec<u32>,
    /// OpAliasScopeDeclINTEL and its like, which decorations name: DPC++ writes them before those.
    pub aliases: Vec<u32>,
    /// Decorations.
    pub annotations: Vec<u32>,
    /// Types, constants and variables, and the instructions among them.
    pub globals: Vec<u32>,
}

impl Sections {
    /// Returns the words of a module before its functions, in runs.
    pub fn in_order<'s>(&'s self, header: &'s [u32; 5]) -> [&'s [u32]; 14] {
        [
            header,
            &self.capabilities,
            &self.extensions,
            &self.imports,
            &self.memory_model,
            &self.entry_points,
            &self.modes,
            &self.strings,
            &self.sources,
            &self.names,
            &self.processed,
            &self.aliases,
            &self.annotations,
            &self.globals,
        ]
    }
}
