//! Functions: declarations without a definition in any module, then definitions.

use spirv::{FunctionControl, Op};

use super::code::{BodyRewriter, FunctionCode, mark};
use super::error::LinkError;
use super::globals::Globals;
use super::unit::{Definition, LinkUnit, REFERRED, Replacement, fresh};
use crate::loader::grammar;
use crate::loader::{Function, KnownFunctions, LoadError, LogicalPlace, Module};

/// The functions of the result, as far as they are written.
pub(super) struct Functions {
    /// Functions without a body.
    declarations: Vec<u32>,
    /// Functions with a body.
    definitions: FunctionCode,
    /// The functions of the result in the order of the modules, each with its module.
    pub sources: Vec<(u32, usize)>,
    /// The functions and variables (or constants computed from their addresses) that each function uses, by new ids. The uses of one function are
    /// contiguous.
    pub uses: Vec<(u32, u32)>,
    has_unknown: bool,
    has_conditional_copies: bool,
}

impl Functions {
    /// Creates an empty list for these modules.
    pub fn new(units: &[LinkUnit]) -> Functions {
        let sum = |of: fn(&Module) -> usize| units.iter().map(|unit| of(unit.module)).sum();
        let before = |module: &Module| module.definitions_end() as usize;
        let room = sum(before);
        let words: usize = sum(|module| module.words().len());
        let ids = sum(|module| module.bound() as usize);
        Functions {
            declarations: Vec::new(),
            definitions: FunctionCode::new(room, words - room, ids),
            sources: Vec::new(),
            uses: Vec::new(),
            has_unknown: false,
            has_conditional_copies: false,
        }
    }

    /// Returns the module with these sections before the functions, and each function with its module, in the order of the modules.
    ///
    /// # Errors
    /// If it does not load.
    pub fn module(self, sections: &[&[u32]]) -> Result<(Module<'static>, Vec<(u32, usize)>), LoadError> {
        let (words, known) = self.definitions.behind(&[sections, &[&self.declarations]].concat());
        let module = match self.declarations[..] {
            [] => Module::with_functions(
                words,
                KnownFunctions {
                    has_unknown: self.has_unknown,
                    has_conditional_copies: self.has_conditional_copies,
                    ..known
                },
            )?,
            _ => Module::from_words(words)?,
        };
        Ok((module, self.sources))
    }

    /// Writes the functions of a module, and the instructions between them.
    pub fn add(
        &mut self,
        at: usize,
        units: &mut [LinkUnit],
        globals: &Globals,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = units[at].module;
        let marked = mark(&mut units[at], globals);
        let mut end = module.functions().first().map_or(module.words().len() as u32, |first| first.lines);
        for function in module.functions() {
            self.between(&mut units[at], (end, function.lines), next)?;
            end = function.end;
            match units[at].replacements.get(&function.id) {
                Some(Replacement::Same(_) | Replacement::Cast(_)) => {}
                Some(&Replacement::Bridge(other)) => self.bridge(at, function, other, units, next)?,
                None => self.function(at, function, &mut units[at], next)?,
            }
        }
        self.between(&mut units[at], (end, module.words().len() as u32), next)?;
        marked.into_iter().for_each(|id| units[at].ids[id as usize] &= !REFERRED);
        Ok(())
    }

    /// Writes the instructions outside of functions after the first of them: extended instructions that compute nothing.
    fn between(
        &mut self,
        unit: &mut LinkUnit,
        (start, end): (u32, u32),
        next: &mut u32,
    ) -> Result<(), LinkError> {
        for inst in unit.module.range(start, end) {
            match grammar::layout(inst.opcode()).map(|layout| layout.place) {
                Some(LogicalPlace::Anywhere | LogicalPlace::Unknown) => {}
                None => self.has_unknown = true,
                _ => return Err(unit.outside(&inst)),
            }
            // An OpLine without a following function has no effect.
            if !inst.is_line() {
                let start = self.definitions.words.len();
                unit.write(&inst, next, &mut self.definitions.words)?;
                self.definitions.define_all(start);
            }
        }
        Ok(())
    }

    /// Writes a function: its words are copied at once, then its ids are set.
    fn function(
        &mut self,
        at: usize,
        function: &Function,
        unit: &mut LinkUnit,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = unit.module;
        let id = unit.new_of(function.id);
        self.sources.push((id, at));
        if module.is_declaration(function) {
            let mut instructions = module.range(function.lines, function.end);
            return instructions.try_for_each(|inst| unit.write(&inst, next, &mut self.declarations));
        }
        let code = &mut self.definitions;
        let lines = code.words.len();
        code.words.extend_from_slice(&module.words()[function.lines as usize..function.end as usize]);
        let mut body = BodyRewriter::new(id, unit, next, &mut self.uses);
        let moved = (lines as u32).wrapping_sub(function.lines);
        let (mut rest, mut at) = (&mut code.words[lines..], lines as u32);
        let (mut has_unknown, mut has_conditional_copies) = (false, false);
        while let Some(&first) = rest.first() {
            let count = (first >> 16) as usize;
            let Some((words, after)) = rest.split_at_mut_checked(count) else { break };
            let layout = grammar::layout(first as u16);
            match layout {
                Some(layout) if body.write_leading(layout, words) => {}
                _ => body.write(&module.instruction(at.wrapping_sub(moved)), layout, words),
            }
            if let Some(layout) = layout {
                if let Some(result) = layout.result_word() {
                    code.defined.set(words[result], at);
                }
                has_conditional_copies |=
                    layout.is_tracked && first as u16 == Op::ConditionalCopyObjectINTEL as u16;
            } else {
                has_unknown = true;
            }
            (rest, at) = (after, at + count as u32);
        }
        self.has_unknown |= has_unknown;
        self.has_conditional_copies |= has_conditional_copies;
        if body.is_doubtful() {
            code.words.truncate(lines);
            for inst in module.range(function.lines, function.end) {
                unit.write(&inst, next, &mut code.words)?;
            }
            code.define_all(lines);
        }
        code.close(id, lines, lines + (function.start - function.lines) as usize);
        Ok(())
    }

    /// Writes a function of its own type that calls another, whose parameters and result differ only in pointees.
    fn bridge(
        &mut self,
        at: usize,
        function: &Function,
        other: Definition,
        units: &mut [LinkUnit],
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = units[at].module;
        let callee = units[other.0 as usize].new_of(other.1);
        let callee_types = signature(&units[other.0 as usize], other.1);
        let own_types = signature(&units[at], function.id);
        let words = &mut self.definitions.words;
        let lines = words.len();
        let mut arguments = Vec::new();
        for inst in module.body(function) {
            match inst.op() {
                Some(Op::Function) => {
                    let start = words.len();
                    units[at].write(&inst, next, words)?;
                    // LLVM's translator rejects a function that must be inlined and calls one that must not be.
                    words[start + 3] = FunctionControl::NONE.bits();
                }
                Some(Op::FunctionParameter) => {
                    units[at].write(&inst, next, words)?;
                    arguments.push(units[at].new_of(inst.word(2)));
                }
                Some(Op::Line | Op::NoLine) => {}
                _ => break,
            }
        }
        let mut write = |op: Op, operands: &[u32]| {
            words.push((operands.len() as u32 + 1) << 16 | op as u32);
            words.extend_from_slice(operands);
        };
        write(Op::Label, &[fresh(next)]);
        let (Some((&result, actual)), Some((&callee_result, expected))) =
            (own_types.split_first(), callee_types.split_first())
        else {
            return Err(units[at].outside(&module.instruction(function.start)));
        };
        for ((argument, actual), &expected) in arguments.iter_mut().zip(actual).zip(expected) {
            if *actual != expected {
                let cast = fresh(next);
                write(Op::Bitcast, &[expected, cast, *argument]);
                *argument = cast;
            }
        }
        let value = fresh(next);
        write(Op::FunctionCall, &[&[callee_result, value, callee], &arguments[..]].concat());
        if returns_nothing(module, function) {
            write(Op::Return, &[]);
        } else if result == callee_result {
            write(Op::ReturnValue, &[value]);
        } else {
            let cast = fresh(next);
            write(Op::Bitcast, &[result, cast, value]);
            write(Op::ReturnValue, &[cast]);
        }
        write(Op::FunctionEnd, &[]);
        let id = units[at].new_of(function.id);
        self.definitions.define_all(lines);
        self.definitions.close(id, lines, lines);
        self.uses.push((id, callee));
        self.sources.push((id, at));
        Ok(())
    }
}

/// Returns the types of the result and the parameters of a function, by new ids.
fn signature(unit: &LinkUnit, function: u32) -> Vec<u32> {
    let type_ = unit.module.definition(function).map_or(0, |inst| inst.word(4));
    let ids = unit.module.definition_as(type_, Op::TypeFunction);
    let ids = ids.map_or(&[][..], |inst| inst.words_from(2));
    ids.iter().map(|&id| unit.new_of(id)).collect()
}

fn returns_nothing(module: &Module, function: &Function) -> bool {
    let result = module.instruction(function.start).word(1);
    module.definition_as(result, Op::TypeVoid).is_some()
}
