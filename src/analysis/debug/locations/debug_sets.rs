//! The extended instruction sets that say where in the source code comes from, as far as that goes.
//!
//! - NonSemantic.Shader.DebugInfo.100 and its successors (101, 102, 200), and NonSemantic.Kernel.DebugInfo.100: all operands are
//!   ids, numbers those of constants.
//! - OpenCL.DebugInfo.100 and the older DebugInfo (`SPIRV.debug`): numbers are literals.
//!
//! They share the numbers of what is read here and, up to the form of numbers, its operands.

use std::borrow::Cow;

use spirv::Op;

use crate::loader::{Instruction, Module};

/// How deep lexical blocks are followed.
const MAX_DEPTH: usize = 64;

/// Instruction numbers (OpenCL.DebugInfo.100, NonSemantic.Shader.DebugInfo.100).
mod number {
    pub const DEBUG_FUNCTION: u32 = 20;
    pub const DEBUG_LEXICAL_BLOCK: u32 = 21;
    pub const DEBUG_LEXICAL_BLOCK_DISCRIMINATOR: u32 = 22;
    pub const DEBUG_SCOPE: u32 = 23;
    pub const DEBUG_NO_SCOPE: u32 = 24;
    pub const DEBUG_SOURCE: u32 = 35;
    // Of the non-semantic sets alone.
    pub const DEBUG_FUNCTION_DEFINITION: u32 = 101;
    pub const DEBUG_LINE: u32 = 103;
    pub const DEBUG_NO_LINE: u32 = 104;
}

/// Where something stands in the source.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place<'m> {
    /// The file's name or path as the compiler wrote it.
    pub file: Cow<'m, str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 where the compiler gives none.
    pub column: u32,
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{}:{}", self.file, self.line)?;
        match self.column {
            0 => Ok(()),
            column => write!(f, ":{column}"),
        }
    }
}

/// What a debug instruction says that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// DebugLine: what follows comes from that line.
    Line,
    /// DebugNoLine.
    NoLine,
    /// DebugScope, with the id of the scope: what follows is in it.
    Scope(u32),
    /// DebugNoScope.
    NoScope,
    /// DebugFunction.
    Function,
    /// DebugFunctionDefinition, with the id of the DebugFunction: the OpFunction around it is that one.
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
    /// By set: its id, and whether numbers are constants and not literals.
    sets: Vec<(u32, bool)>,
}

impl<'m> DebugSets<'m> {
    pub fn read(module: &'m Module<'m>) -> DebugSets<'m> {
        let imports = module.globals().filter(|inst| inst.is(Op::ExtInstImport));
        let known = imports.filter_map(|inst| {
            let name = inst.string(2);
            let ids = name.starts_with("NonSemantic.Shader.DebugInfo.")
                || name == "NonSemantic.Kernel.DebugInfo.100";
            let literals = matches!(&*name, "OpenCL.DebugInfo.100" | "DebugInfo" | "SPIRV.debug");
            (ids || literals).then_some((inst.word(1), ids))
        });
        DebugSets { module, sets: known.collect() }
    }

    /// What an instruction says; `None` if it is none of these sets or says nothing of places.
    pub fn said(&self, inst: &Instruction) -> Option<Said> {
        use number::*;
        let non_semantic = self.numbers_are_ids(inst)?;
        Some(match inst.word(4) {
            DEBUG_FUNCTION => Said::Function,
            DEBUG_LEXICAL_BLOCK => Said::Block,
            DEBUG_LEXICAL_BLOCK_DISCRIMINATOR => Said::Discriminator(inst.word(7)),
            DEBUG_SCOPE => Said::Scope(inst.word(5)),
            DEBUG_NO_SCOPE => Said::NoScope,
            DEBUG_SOURCE => Said::Source,
            DEBUG_FUNCTION_DEFINITION if non_semantic => Said::Definition(inst.word(5)),
            DEBUG_LINE if non_semantic => Said::Line,
            DEBUG_NO_LINE if non_semantic => Said::NoLine,
            _ => return None,
        })
    }

    /// The OpFunction that a DebugFunction names itself: in the sets with literals it is the operand after the scope's line.
    pub fn described_function(&self, inst: &Instruction) -> Option<u32> {
        match (self.said(inst)?, self.numbers_are_ids(inst)?) {
            (Said::Function, false) => Some(inst.word(14)).filter(|&id| self.module.function(id).is_some()),
            _ => None,
        }
    }

    /// The place that a DebugLine, DebugFunction or DebugLexicalBlock names.
    pub fn place(&self, inst: &Instruction) -> Option<Place<'m>> {
        let (file, line, column) = match self.said(inst)? {
            Said::Line => (5, 6, 8),
            Said::Function => (7, 8, 9),
            Said::Block => (5, 6, 7),
            _ => return None,
        };
        let ids = self.numbers_are_ids(inst)?;
        let number = |at: usize| if ids { self.constant(inst.word(at)) } else { inst.word(at) };
        self.place_of(inst.word(file), number(line), number(column))
    }

    /// Where a scope begins. A block without a line is as good as the scope around it.
    pub fn scope(&self, mut id: u32) -> Option<Place<'m>> {
        for _ in 0..MAX_DEPTH {
            let inst = self.module.definition(id)?;
            match (self.said(&inst)?, self.place(&inst)) {
                (_, Some(place)) => return Some(place),
                (Said::Block, None) => id = inst.word(8),
                (Said::Discriminator(parent), None) => id = parent,
                _ => return None,
            }
        }
        None
    }

    /// A place; `None` where there is no such file, and for line 0, which compilers write for code of their own.
    pub fn place_of(&self, file: u32, line: u32, column: u32) -> Option<Place<'m>> {
        let file = self.file(file).filter(|_| line != 0)?;
        Some(Place { file, line, column })
    }

    /// The name of a file, by its OpString or its DebugSource.
    fn file(&self, id: u32) -> Option<Cow<'m, str>> {
        let inst = self.module.definition(id)?;
        let string = match self.said(&inst) {
            Some(Said::Source) => self.module.definition_as(inst.word(5), Op::String)?,
            // llvm-spirv's DebugLine names the OpString itself.
            _ => Some(inst).filter(|inst| inst.is(Op::String))?,
        };
        Some(string.string(2))
    }

    fn constant(&self, id: u32) -> u32 {
        self.module.definition_as(id, Op::Constant).map_or(0, |inst| inst.word(3))
    }

    /// Whether the numbers of a debug instruction are ids of constants; `None` for other instructions.
    fn numbers_are_ids(&self, inst: &Instruction) -> Option<bool> {
        if !inst.is(Op::ExtInst) && !inst.is(Op::ExtInstWithForwardRefsKHR) {
            return None;
        }
        self.sets.iter().find(|(set, _)| *set == inst.word(3)).map(|&(_, ids)| ids)
    }
}
