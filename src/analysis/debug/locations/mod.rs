//! Source locations of instructions: OpLine, and the instruction sets for debug information.
//!
//! An OpLine applies to the instructions up to the next OpLine, the next OpNoLine or the end of the block (specification, 3.3.3 "Debug
//! Instructions"). Likewise, a DebugLine applies up to the next DebugLine, the next DebugNoLine or the end of the block. The two do not end
//! one another. Where both apply, DebugLine takes precedence: its set describes the whole source. A compiler that writes both writes OpLine
//! for consumers that do not know the set.
//!
//! If no line applies, or line 0, the location is the beginning of the scope of a DebugScope, or else of the whole function. So it may be
//! less exact than a line. For inlined code it is the location of the code itself, not of the call.

pub(super) mod debug_sets;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use spirv::Op;

use crate::loader::{Function, Instruction, Module, views};
pub use debug_sets::SourceLocation;
use debug_sets::{DebugInstruction, DebugSets};

/// The source locations of the instructions of a module. Reading it visits the module-scope instructions alone; each query walks
/// the function in question, so it is meant for diagnostics.
#[derive(Clone, Debug)]
pub struct DebugLocations<'m> {
    module: &'m Module<'m>,
    sets: DebugSets<'m>,
    /// The offset of the DebugFunction that names a function, by function.
    described: HashMap<u32, u32>,
}

/// The instructions that apply at some point of a walk, as offsets.
#[derive(Default)]
struct ActiveDebugInfo {
    line: Option<u32>,
    debug_line: Option<u32>,
    scope: Option<u32>,
}

impl<'m> DebugLocations<'m> {
    /// Reads the debug information of a module.
    pub fn read(module: &'m Module<'m>) -> DebugLocations<'m> {
        tally!("debug locations", module, &());
        let sets = DebugSets::find(module);
        let functions =
            module.globals().filter_map(|inst| Some((sets.described_function(&inst)?, inst.offset())));
        let described = functions.collect();
        DebugLocations { module, sets, described }
    }

    /// Returns true if the module names any location: otherwise it was compiled without debug information. Walks up to the first one.
    pub fn has_any(&self) -> bool {
        self.module
            .instructions()
            .any(|inst| self.line(&inst).or_else(|| self.sets.location(&inst)).is_some())
    }

    /// Returns the location of the instruction at an offset (in words). `None` if neither it nor the function that it is in has one.
    pub fn location(&self, offset: u32) -> Option<SourceLocation<'m>> {
        let Some(function) = self.function_around(offset) else {
            let before = self.module.outside_functions().take_while(|inst| inst.offset() <= offset);
            return self.resolve(&self.walk(before, offset));
        };
        let applies = self.walk(self.module.range(function.lines, function.end), offset);
        self.resolve(&applies).or_else(|| self.declaration(function))
    }

    /// Returns the location of the declaration of a function; if only its instructions have locations, the first of those.
    pub fn function(&self, id: u32) -> Option<SourceLocation<'m>> {
        let function = self.module.function(id)?;
        self.declaration(function).or_else(|| {
            self.module.body(function).find_map(|inst| self.line(&inst).or_else(|| self.sets.location(&inst)))
        })
    }

    /// Returns the location in the function's DebugFunction, or else in the OpLine right before the function.
    fn declaration(&self, function: &Function) -> Option<SourceLocation<'m>> {
        let described = self.described.get(&function.id).map(|&offset| self.module.instruction(offset));
        let described = described.or_else(|| self.definition(function));
        described.and_then(|inst| self.sets.location(&inst)).or_else(|| {
            let before = self.module.range(function.lines, function.start);
            self.resolve(&self.walk(before, function.start))
        })
    }

    /// Returns the DebugFunction that the DebugFunctionDefinition in the entry block of a function names.
    pub(crate) fn definition(&self, function: &Function) -> Option<Instruction<'m>> {
        let entry_block = self.module.body(function).take_while(|inst| !ends_block(inst));
        entry_block.filter_map(|inst| self.sets.read(&inst)).find_map(|read| match read {
            DebugInstruction::Definition(id) => self.module.definition(id),
            _ => None,
        })
    }

    /// Returns the files and lines of instructions of a function, by offset. Instructions to which no line applies are left out.
    pub fn lines(&self, function: &Function, offsets: &BTreeSet<u32>) -> BTreeSet<(Cow<'m, str>, u32)> {
        let mut applies = ActiveDebugInfo::default();
        let mut lines = BTreeSet::new();
        for inst in self.module.range(function.lines, function.end) {
            if offsets.contains(&inst.offset()) {
                lines.extend(self.resolve(&applies).map(|location| (location.file, location.line)));
            }
            self.step(&inst, &mut applies);
        }
        lines
    }

    fn walk(&self, instructions: impl Iterator<Item = Instruction<'m>>, offset: u32) -> ActiveDebugInfo {
        let mut applies = ActiveDebugInfo::default();
        for inst in instructions.take_while(|inst| inst.offset() < offset) {
            self.step(&inst, &mut applies);
        }
        applies
    }

    /// Updates the instructions that apply after an instruction.
    fn step(&self, inst: &Instruction<'m>, applies: &mut ActiveDebugInfo) {
        let at = Some(inst.offset());
        match inst.op() {
            Some(Op::Line) => applies.line = at,
            Some(Op::NoLine) => applies.line = None,
            _ if ends_block(inst) => *applies = ActiveDebugInfo::default(),
            _ => match self.sets.read(inst) {
                Some(DebugInstruction::Line) => applies.debug_line = at,
                Some(DebugInstruction::NoLine) => applies.debug_line = None,
                Some(DebugInstruction::Scope(_)) => applies.scope = at,
                Some(DebugInstruction::NoScope) => applies.scope = None,
                _ => {}
            },
        }
    }

    fn resolve(&self, applies: &ActiveDebugInfo) -> Option<SourceLocation<'m>> {
        let at = |offset: Option<u32>| offset.map(|offset| self.module.instruction(offset));
        let debug_line = at(applies.debug_line).and_then(|inst| self.sets.location(&inst));
        let line = || at(applies.line).and_then(|inst| self.line(&inst));
        let scope = || match self.sets.read(&at(applies.scope)?)? {
            DebugInstruction::Scope(id) => self.sets.scope(id),
            _ => None,
        };
        debug_line.or_else(line).or_else(scope)
    }

    /// Returns the location that an OpLine names.
    fn line(&self, inst: &Instruction) -> Option<SourceLocation<'m>> {
        let line = views::Line::new(*inst)?;
        self.sets.location_of(line.file(), line.line(), line.column())
    }

    /// Returns the function that has the instruction at an offset.
    fn function_around(&self, offset: u32) -> Option<&'m Function> {
        let functions = self.module.functions();
        let at = functions.partition_point(|function| function.start <= offset).checked_sub(1)?;
        functions.get(at).filter(|function| offset < function.end)
    }
}

fn ends_block(inst: &Instruction) -> bool {
    inst.ends_block() || inst.is(Op::FunctionEnd)
}
