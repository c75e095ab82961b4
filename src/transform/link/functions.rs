//! Functions: declarations without a definition in any module, then definitions.

use spirv::{FunctionControl, Op};

use super::error::LinkError;
use super::globals::Globals;
use super::unit::{Definition, LinkUnit, Replacement, fresh};
use crate::loader::{Function, Module, Place, grammar};

/// The functions of the result, as far as they are written.
#[derive(Default)]
pub(super) struct Functions {
    /// Functions without a body.
    pub declarations: Vec<u32>,
    /// Functions with a body.
    pub definitions: Vec<u32>,
    /// The functions of the result in the order of the modules, each with its module.
    pub sources: Vec<(u32, usize)>,
    /// The functions and variables (or constants computed from their addresses) that each function uses, by new ids.
    pub uses: Vec<(u32, u32)>,
}

impl Functions {
    /// Writes the functions of a module, and the instructions between them.
    pub fn add(
        &mut self,
        at: usize,
        units: &mut [LinkUnit],
        globals: &Globals,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = units[at].module;
        let mut end = module.functions().first().map_or(module.words().len() as u32, |first| first.lines);
        for function in module.functions() {
            self.between(&mut units[at], (end, function.lines), next)?;
            end = function.end;
            match units[at].replacements.get(&function.id) {
                Some(Replacement::Same(_) | Replacement::Cast(_)) => {}
                Some(&Replacement::Bridge(other)) => self.bridge(at, function, other, units, next)?,
                None => self.function(at, function, &mut units[at], globals, next)?,
            }
        }
        self.between(&mut units[at], (end, module.words().len() as u32), next)
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
                Some(Place::Anywhere | Place::Unknown) | None => {}
                _ => return Err(unit.outside(&inst)),
            }
            // An OpLine without a following function has no effect.
            if !inst.is(Op::Line) && !inst.is(Op::NoLine) {
                unit.write(&inst, next, &mut self.definitions)?;
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
        globals: &Globals,
        next: &mut u32,
    ) -> Result<(), LinkError> {
        let module = unit.module;
        let has_body = module.body(function).any(|inst| inst.is(Op::Label));
        let words = if has_body { &mut self.definitions } else { &mut self.declarations };
        let start = words.len();
        words.extend_from_slice(&module.words()[function.lines as usize..function.end as usize]);
        let id = unit.ids[function.id as usize];
        let uses = &mut self.uses;
        let mut last = 0;
        for inst in module.range(function.lines, function.end) {
            let from = start + (inst.offset() - function.lines) as usize;
            let words = &mut words[from..from + inst.words().len()];
            unit.renumber(&inst, None, next, words, &mut |new| {
                if globals.carries(new) && new != last {
                    uses.push((id, new));
                    last = new;
                }
            })?;
        }
        self.sources.push((id, at));
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
        let callee = units[other.0 as usize].ids[other.1 as usize];
        let callee_types = signature(&units[other.0 as usize], other.1);
        let own_types = signature(&units[at], function.id);
        let words = &mut self.definitions;
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
                    arguments.push(units[at].ids[inst.word(2) as usize]);
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
        let (Some((&result, own)), Some((&callee_result, expected))) =
            (own_types.split_first(), callee_types.split_first())
        else {
            return Err(units[at].outside(&module.instruction(function.start)));
        };
        for ((argument, own), &expected) in arguments.iter_mut().zip(own).zip(expected) {
            if *own != expected {
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
        let id = units[at].ids[function.id as usize];
        self.uses.push((id, callee));
        self.sources.push((id, at));
        Ok(())
    }
}

/// The types of the result and the parameters of a function, by new ids.
fn signature(unit: &LinkUnit, function: u32) -> Vec<u32> {
    let type_ = unit.module.definition(function).map_or(0, |inst| inst.word(4));
    let ids = unit.module.definition_as(type_, Op::TypeFunction);
    let ids = ids.map_or(&[][..], |inst| inst.words_from(2));
    ids.iter().map(|&id| unit.ids[id as usize]).collect()
}

fn returns_nothing(module: &Module, function: &Function) -> bool {
    let result = module.instruction(function.start).word(1);
    module.definition_as(result, Op::TypeVoid).is_some()
}
