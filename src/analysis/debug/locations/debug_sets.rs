//! The extended instruction sets for debug information, as far as they hold source locations.
//!
//! - NonSemantic.Shader.DebugInfo.100 and its successors (101, 102, 200), and NonSemantic.Kernel.DebugInfo.100: all operands are
//!   ids, numbers those of constants.
//! - OpenCL.DebugInfo.100 and the older DebugInfo (`SPIRV.debug`): numbers are literals.
//!
//! They share the numbers of the instructions that are read here and, up to the form of numbers, their operands.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::loader::{Instruction, Module, views};

/// The maximum depth of lexical blocks that are followed.
const MAX_DEPTH: usize = 64;

/// Instruction numbers (OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo.100).
pub mod number {
    pub const DEBUG_FUNCTION: u32 = 20;
    pub const DEBUG_LEXICAL_BLOCK: u32 = 21;
    pub const DEBUG_LEXICAL_BLOCK_DISCRIMINATOR: u32 = 22;
    pub const DEBUG_SCOPE: u32 = 23;
    pub const DEBUG_NO_SCOPE: u32 = 24;
    pub const DEBUG_SOURCE: u32 = 35;
    // Only in the non-semantic sets.
    pub const DEBUG_FUNCTION_DEFINITION: u32 = 101;
    pub const DEBUG_LINE: u32 = 103;
    pub const DEBUG_NO_LINE: u32 = 104;
}

/// A location in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceLocation<'m> {
    /// The file's name or path as the compiler wrote it.
    pub file: Cow<'m, str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 if the compiler gives none.
    pub column: u32,
}

impl SourceLocation<'_> {
    /// Returns a copy without a reference to the module.
    pub fn into_owned(self) -> SourceLocation<'static> {
        SourceLocation { file: Cow::Owned(self.file.into_owned()), line: self.line, column: self.column }
    }
}

/// Serialized as text.
impl Serialize for SourceLocation<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl std::fmt::Display for SourceLocation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

/// A debug instruction that affects source locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DebugInstruction {
    /// DebugLine: the following instructions are from that line.
    Line,
    /// DebugNoLine.
    NoLine,
    /// DebugScope, with the id of the scope of the following instructions.
    Scope(u32),
    /// DebugNoScope.
    NoScope,
    /// DebugFunction.
    Function,
    /// DebugFunctionDefinition, with the id of the DebugFunction that describes the function around it.
    Definition(u32),
    /// DebugLexicalBlock.
    Block,
    /// DebugLexicalBlockDiscriminator, with the id of the scope around it.
    Discriminator(u32),
    /// DebugSource.
    Source,
}

/// The debug instruction sets of a module.
#[derive(Clone, Debug)]
pub(crate) struct DebugSets<'m> {
    module: &'m Module<'m>,
    /// The ids of the sets, each with true if numbers are ids of constants and not literals.
    sets: Vec<(u32, bool)>,
}

impl<'m> DebugSets<'m> {
    pub fn find(module: &'m Module<'m>) -> DebugSets<'m> {
        let known = module.imported_sets().filter_map(|import| {
            let name = import.name();
            let ids = name.starts_with("NonSemantic.Shader.DebugInfo.")
                || name == "NonSemantic.Kernel.DebugInfo.100";
            let literals = matches!(&*name, "OpenCL.DebugInfo.100" | "DebugInfo" | "SPIRV.debug");
            (ids || literals).then_some((import.id(), ids))
        });
        DebugSets { module, sets: known.collect() }
    }

    /// Reads an instruction; `None` if it is in none of these sets, or irrelevant for locations.
    pub fn read(&self, inst: &Instruction) -> Option<DebugInstruction> {
        use number::*;
        let non_semantic = self.numbers_are_ids(inst)?;
        Some(match views::ExtInst(*inst).instruction() {
            DEBUG_FUNCTION => DebugInstruction::Function,
            DEBUG_LEXICAL_BLOCK => DebugInstruction::Block,
            DEBUG_LEXICAL_BLOCK_DISCRIMINATOR => {
                DebugInstruction::Discriminator(views::DebugLexicalBlockDiscriminator(*inst).parent())
            }
            DEBUG_SCOPE => DebugInstruction::Scope(views::DebugScope(*inst).scope()),
            DEBUG_NO_SCOPE => DebugInstruction::NoScope,
            DEBUG_SOURCE => DebugInstruction::Source,
            DEBUG_FUNCTION_DEFINITION if non_semantic => {
                DebugInstruction::Definition(views::DebugFunctionDefinition(*inst).function())
            }
            DEBUG_LINE if non_semantic => DebugInstruction::Line,
            DEBUG_NO_LINE if non_semantic => DebugInstruction::NoLine,
            _ => return None,
        })
    }

    /// Returns the OpFunction that a DebugFunction names, in the sets with literals.
    pub fn described_function(&self, inst: &Instruction) -> Option<u32> {
        let function = match (self.read(inst)?, self.numbers_are_ids(inst)?) {
            (DebugInstruction::Function, false) => views::DebugFunction(*inst).function(),
            _ => return None,
        };
        self.module.function(function).map(|function| function.id)
    }

    /// Returns the location that a DebugLine, DebugFunction or DebugLexicalBlock names.
    pub fn location(&self, inst: &Instruction) -> Option<SourceLocation<'m>> {
        let (file, line, column) = match self.read(inst)? {
            DebugInstruction::Line => {
                let line = views::DebugLine(*inst);
                (line.source(), line.line_start(), line.column_start())
            }
            DebugInstruction::Function => {
                let function = views::DebugFunction(*inst);
                (function.source(), function.line(), function.column())
            }
            DebugInstruction::Block => {
                let block = views::DebugLexicalBlock(*inst);
                (block.source(), block.line(), block.column())
            }
            _ => return None,
        };
        let ids = self.numbers_are_ids(inst)?;
        let number = |operand: u32| if ids { self.constant(operand) } else { operand };
        self.location_of(file, number(line), number(column))
    }

    /// Returns the location of the beginning of a scope. A block without a line has the location of the scope around it.
    pub fn scope(&self, mut id: u32) -> Option<SourceLocation<'m>> {
        for _ in 0..MAX_DEPTH {
            let inst = self.module.definition(id)?;
            match (self.read(&inst)?, self.location(&inst)) {
                (_, Some(location)) => return Some(location),
                (DebugInstruction::Block, None) => id = views::DebugLexicalBlock(inst).parent(),
                (DebugInstruction::Discriminator(parent), None) => id = parent,
                _ => return None,
            }
        }
        None
    }

    /// Returns a location, or `None` if the file is missing. Also returns `None` for line 0, which compilers write for generated code.
    pub fn location_of(&self, file: u32, line: u32, column: u32) -> Option<SourceLocation<'m>> {
        let file = self.file(file).filter(|_| line != 0)?;
        Some(SourceLocation { file, line, column })
    }

    /// Returns the name of a file, by its OpString or its DebugSource.
    fn file(&self, id: u32) -> Option<Cow<'m, str>> {
        let inst = self.module.definition(id)?;
        let string = match self.read(&inst) {
            Some(DebugInstruction::Source) => self.module.definition(views::DebugSource(inst).file())?,
            // llvm-spirv's DebugLine names the OpString itself.
            _ => inst,
        };
        views::String::new(string).map(views::String::text)
    }

    fn constant(&self, id: u32) -> u32 {
        self.module.constant(id).map_or(0, |constant| constant.low_word())
    }

    /// Returns true if the numbers of a debug instruction are ids of constants; `None` for other instructions.
    fn numbers_are_ids(&self, inst: &Instruction) -> Option<bool> {
        let set = views::ExtInst::new(*inst)?.set();
        self.sets.iter().find(|(known, _)| *known == set).map(|&(_, ids)| ids)
    }
}
