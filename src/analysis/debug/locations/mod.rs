//! Where in the source an instruction comes from: OpLine, and the instruction sets for debug information.
//!
//! An OpLine says it for what follows up to the next OpLine, the next OpNoLine or the end of the block (specification, 3.3.3
//! "Debug Instructions"), a DebugLine likewise up to the next DebugLine, the next DebugNoLine or the end of the block. The two do
//! not end one another. Where both apply, DebugLine wins: its set describes the whole source, and a compiler that writes both
//! writes OpLine for those who do not know the set.
//!
//! Where no line applies, or line 0, the scope that a DebugScope names does, at the place where it begins; then what is known of
//! the whole function. So a place may be less exact than a line. Of inlined code it is the place of the code itself, not of the call.

mod debug_sets;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use rspirv::grammar::reflect::is_block_terminator;
use spirv::Op;

use crate::loader::{Function, Instruction, Module};
pub use debug_sets::Place;
use debug_sets::{DebugSets, Said};

/// Says where the instructions of a module come from. Reading it looks at the module-scope instructions alone; each question
/// walks the function that it is about, so it is meant for diagnostics.
#[derive(Clone, Debug)]
pub struct DebugLocations<'m> {
    module: &'m Module<'m>,
    sets: DebugSets<'m>,
    /// By function: the DebugFunction that names it, as an offset.
    described: HashMap<u32, u32>,
}

/// What applies at some point of a walk, as offsets of the instructions that said so.
#[derive(Default)]
struct Applies {
    line: Option<u32>,
    debug_line: Option<u32>,
    scope: Option<u32>,
}

impl<'m> DebugLocations<'m> {
    /// Reads what the module says of its source.
    pub fn read(module: &'m Module<'m>) -> DebugLocations<'m> {
        #[cfg(test)]
        crate::tests::tally::note("source places", module, &());
        let sets = DebugSets::read(module);
        let functions =
            module.globals().filter_map(|inst| Some((sets.described_function(&inst)?, inst.offset())));
        let described = functions.collect();
        DebugLocations { module, sets, described }
    }

    /// Whether the module names any place: else its compiler was not asked for debug information. Walks up to the first one.
    pub fn has_any(&self) -> bool {
        self.module.instructions().any(|inst| self.line(&inst).or_else(|| self.sets.place(&inst)).is_some())
    }

    /// Where the instruction at an offset (in words) comes from. `None` if nothing is said of it, nor of the function that it
    /// is in.
    pub fn place(&self, offset: u32) -> Option<Place<'m>> {
        let Some(function) = self.function_around(offset) else {
            let before = self.module.outside_functions().take_while(|inst| inst.offset() <= offset);
            return self.resolve(self.walk(before, offset));
        };
        let applies = self.walk(self.module.range(function.lines, function.end), offset);
        self.resolve(applies).or_else(|| self.declaration(function))
    }

    /// Where the function with this id is declared; where only its instructions have places, the first of those.
    pub fn function(&self, id: u32) -> Option<Place<'m>> {
        let function = self.module.function(id)?;
        self.declaration(function).or_else(|| {
            self.module.body(function).find_map(|inst| self.line(&inst).or_else(|| self.sets.place(&inst)))
        })
    }

    /// What its DebugFunction says of a function, else the OpLine right before it.
    fn declaration(&self, function: &Function) -> Option<Place<'m>> {
        let described = self.described.get(&function.id).map(|&offset| self.module.instruction(offset));
        let described = described.or_else(|| self.definition(function));
        described.and_then(|inst| self.sets.place(&inst)).or_else(|| {
            let before = self.module.range(function.lines, function.start);
            self.resolve(self.walk(before, function.start))
        })
    }

    /// The DebugFunction that the DebugFunctionDefinition in the entry block of a function names.
    fn definition(&self, function: &Function) -> Option<Instruction<'m>> {
        let entry_block = self.module.body(function).take_while(|inst| !ends_block(inst));
        entry_block.filter_map(|inst| self.sets.said(&inst)).find_map(|said| match said {
            Said::Definition(id) => self.module.definition(id),
            _ => None,
        })
    }

    fn walk(&self, instructions: impl Iterator<Item = Instruction<'m>>, offset: u32) -> Applies {
        let mut applies = Applies::default();
        for inst in instructions.take_while(|inst| inst.offset() < offset) {
            let at = Some(inst.offset());
            match inst.op() {
                Some(Op::Line) => applies.line = at,
                Some(Op::NoLine) => applies.line = None,
                _ if ends_block(&inst) => applies = Applies::default(),
                _ => match self.sets.said(&inst) {
                    Some(Said::Line) => applies.debug_line = at,
                    Some(Said::NoLine) => applies.debug_line = None,
                    Some(Said::Scope(_)) => applies.scope = at,
                    Some(Said::NoScope) => applies.scope = None,
                    _ => {}
                },
            }
        }
        applies
    }

    fn resolve(&self, applies: Applies) -> Option<Place<'m>> {
        let at = |offset: Option<u32>| offset.map(|offset| self.module.instruction(offset));
        let debug_line = at(applies.debug_line).and_then(|inst| self.sets.place(&inst));
        let line = || at(applies.line).and_then(|inst| self.line(&inst));
        let scope = || match self.sets.said(&at(applies.scope)?)? {
            Said::Scope(id) => self.sets.scope(id),
            _ => None,
        };
        debug_line.or_else(line).or_else(scope)
    }

    /// The place that an OpLine names.
    fn line(&self, inst: &Instruction) -> Option<Place<'m>> {
        if !inst.is(Op::Line) {
            return None;
        }
        self.sets.place_of(inst.word(1), inst.word(2), inst.word(3))
    }

    /// The function that has the instruction at an offset.
    fn function_around(&self, offset: u32) -> Option<&'m Function> {
        let functions = self.module.functions();
        let at = functions.partition_point(|function| function.start <= offset).checked_sub(1)?;
        functions.get(at).filter(|function| offset < function.end)
    }
}

fn ends_block(inst: &Instruction) -> bool {
    inst.op().is_some_and(|op| is_block_terminator(op) || op == Op::FunctionEnd)
}
