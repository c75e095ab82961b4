//! One marking of used definitions and instructions, along their uses.
//!
//! Definitions outside of functions, and functions that do not change, use what they name. In functions in which branches are decided, instructions
//! with effects are live, and what they use: the others go if they only compute. A write to a variable that only the module sees is live once a
//! live instruction reads the variable. Selections without loops are live once something in them is, or once a value depends on the way through
//! them. Debug information is removed with its subject.

use std::collections::HashMap;
use std::ops::Range;

use spirv::Op;

use super::attributes::Attributes;
use super::bodies::{Bodies, ChangedFunction};
use super::live_uses::LiveUses;
use super::local_values::LocalValues;
use super::parameters::LostParameters;
use super::selections::{self, StructuredSelection};
use super::variable_writes::VariableWrites;
use super::{Flags, IdFlags};
use crate::analysis::conditional::effects::{Effects, InstructionKind};
use crate::analysis::{Analyses, DebugPosition, described_value, is_debug, is_debug_operand, is_weak};
use crate::loader::{Instruction, Module, Visitor, views};

/// An instruction of a changed function, after branches and copies are decided, or a variable outside of functions.
struct MarkedInstruction<'l> {
    inst: Instruction<'l>,
    kind: InstructionKind,
    /// The number of its function among the changed ones.
    function: usize,
    /// The number of its line in the body of the function.
    line: usize,
    /// The number of the innermost selection that has it.
    selection: Option<usize>,
    is_live: bool,
    /// True for a variable that is read as a whole.
    is_read: bool,
}

impl MarkedInstruction<'_> {
    /// Returns true for an instruction in a function, except the one that begins it.
    fn is_inside(&self) -> bool {
        self.function != usize::MAX && !self.inst.is(Op::Function)
    }
}

/// A function that changes.
struct MarkedFunction {
    /// Number of the function in the module.
    at: usize,
    lines: Range<usize>,
    /// True if branches are decided in it.
    is_folded: bool,
    is_live: bool,
}

/// The number of a function among the changed ones, and a line of its body.
type LinePlace = (usize, usize);

/// The result of a mark.
pub struct UsedDefinitions {
    /// True for each function that changes, if something uses it.
    live_functions: Vec<bool>,
    /// The lines that nothing uses in live functions.
    unused: Vec<LinePlace>,
    /// Selections that do nothing. In each function in order.
    idle: Vec<IdleSelection>,
    /// Live debug instructions that name something which may be removed.
    debug: Vec<LinePlace>,
    /// Live calls.
    calls: Vec<LinePlace>,
    /// Uses of removed ids in functions that change: the offset of the user, and the id. In order.
    pub still_used: Vec<(u32, u32)>,
    /// True if anything outside of these functions may use definitions that a false condition removed.
    pub uses_removed: bool,
}

/// A selection that does nothing.
struct IdleSelection {
    /// The number of its function among the changed ones.
    function: usize,
    /// Lines from the merge instruction to the last one before the merge block.
    lines: Range<usize>,
    /// The label of its merge block.
    merge: u32,
}

impl UsedDefinitions {
    /// Removes unused instructions from the bodies of functions, and replaces values. Returns the labels of blocks that
    /// become parts of others.
    pub fn apply(&self, module: &Module, parameters: &LostParameters, bodies: &mut Bodies) -> Vec<u32> {
        let Bodies { changed, values, .. } = bodies;
        for &(function, line) in &self.unused {
            changed[function].body.remove(line);
        }
        for (function, _) in changed.iter_mut().zip(&self.live_functions).filter(|(_, is_live)| **is_live) {
            if function.folding.is_some() {
                values.replace_in(&mut function.body);
            }
        }
        for &(function, line) in &self.calls {
            parameters.shorten(module, &mut changed[function].body, line);
        }
        for IdleSelection { function, lines, merge } in &self.idle {
            changed[*function].body.replace_lines(lines.clone(), &[2 << 16 | Op::Branch as u32, *merge]);
        }
        let mut joined = Vec::new();
        for selections in self.idle.chunk_by(|a, b| a.function == b.function) {
            let body = &mut changed[selections[0].function].body;
            let merges: Vec<u32> = selections.iter().map(|selection| selection.merge).collect();
            joined.extend(selections::join(body, &merges));
        }
        self.debug.iter().for_each(|&(function, line)| changed[function].debug.push(line));
        joined
    }
}

/// Marks used definitions and instructions.
pub struct UseMarker<'b, 'm> {
    module: &'m Module<'m>,
    flags: &'b mut IdFlags,
    parameters: &'b mut LostParameters,
    changed: &'b [ChangedFunction<'b>],
    attributes: &'b Attributes,
    effects: &'b Effects,
    /// False if conditional calls that are still undecided may change the callee.
    calls_have_their_callee: bool,
    functions: Vec<MarkedFunction>,
    /// Lines: first the variables outside of functions, then functions.
    lines: Vec<MarkedInstruction<'b>>,
    /// Selections in the order of lines, each with true if it is live.
    selections: Vec<(StructuredSelection, bool)>,
    /// The values that replace loads.
    values: &'b LocalValues<'b>,
    /// Number of the line that defines each id plus 1. Empty if no function changes.
    lines_by_id: Vec<u32>,
    writes: VariableWrites,
    /// Arguments of live calls for each line of a parameter that is not live, each with the offset of the call.
    arguments: HashMap<usize, Vec<(u32, u32)>>,
    /// The lines of debug information that describe a variable or value.
    described: Vec<usize>,
    /// Lines that became live.
    stack: Vec<usize>,
    /// Ids outside of these functions that became live.
    ids: Vec<u32>,
    uses: LiveUses<'b>,
    /// Scratch for the uses of an instruction.
    used: Vec<u32>,
    /// Offset and result of the visited line. Or 0.
    current: u32,
    result: u32,
    debugs: Vec<LinePlace>,
    still_used: Vec<(u32, u32)>,
}

impl<'b, 'm: 'b> UseMarker<'b, 'm> {
    /// Starts without anything that is used.
    pub fn new(
        analyses: &'b Analyses<'m>,
        flags: &'b mut IdFlags,
        bodies: &'b Bodies<'b>,
        parameters: &'b mut LostParameters,
        attributes: &'b Attributes,
        uses: LiveUses<'b>,
    ) -> UseMarker<'b, 'm> {
        let mut mark = UseMarker {
            module: analyses.module(),
            flags,
            parameters,
            changed: &bodies.changed,
            attributes,
            effects: analyses.effects(),
            calls_have_their_callee: analyses.has_no_calls(),
            functions: Vec::new(),
            lines: Vec::new(),
            selections: Vec::new(),
            values: &bodies.values,
            lines_by_id: Vec::new(),
            writes: VariableWrites::default(),
            arguments: HashMap::new(),
            described: Vec::new(),
            stack: Vec::new(),
            ids: Vec::new(),
            uses,
            used: Vec::new(),
            current: 0,
            result: 0,
            debugs: Vec::new(),
            still_used: Vec::new(),
        };
        if !bodies.changed.is_empty() {
            mark.add_lines();
        }
        mark
    }

    fn add_lines(&mut self) {
        let (module, changed, effects) = (self.module, self.changed, self.effects);
        self.lines_by_id = module.table_by_id();
        self.lines.reserve(changed.iter().map(|changed| changed.body.all_lines().len()).sum());
        for inst in effects.internal_variables().iter().filter_map(|&id| module.definition(id)) {
            self.add_line(inst, InstructionKind::Computes, (usize::MAX, 0));
        }
        for (function, ChangedFunction { body, folding, .. }) in changed.iter().enumerate() {
            let start = self.lines.len();
            for (line, inst) in body.lines() {
                self.add_line(inst, body.all_lines()[line].kind(), (function, line));
            }
            let (lines, is_folded) = (start..self.lines.len(), folding.is_some());
            if is_folded {
                self.add_selections(lines.clone());
            }
            self.functions.push(MarkedFunction { at: body.number, lines, is_folded, is_live: false });
        }
        self.writes.sort();
    }

    /// Adds a line, and the variable that it writes to. Variables come before their writes.
    fn add_line(&mut self, inst: Instruction<'b>, kind: InstructionKind, (function, line): LinePlace) {
        let (module, number) = (self.module, self.lines.len());
        if let Some(id) = inst.result_id() {
            self.lines_by_id[id as usize] = number as u32 + 1;
        }
        match kind {
            InstructionKind::Writes => {
                let part = self.effects.written_part(module, &inst);
                let variable = part.and_then(|part| self.line_of(part.variable));
                self.writes.add(variable, part.and_then(|part| part.element), number);
            }
            InstructionKind::Calls => match self.effects.written_by_call(module, views::FunctionCall(inst)) {
                Some(variables) => variables.iter().for_each(|&id| {
                    let variable = self.line_of(id);
                    self.writes.add(variable, None, number);
                }),
                None => self.writes.add(None, None, number),
            },
            _ => {}
        }
        let (selection, is_live, is_read) = (None, false, false);
        self.lines.push(MarkedInstruction { inst, kind, function, line, selection, is_live, is_read });
    }

    fn add_selections(&mut self, lines: Range<usize>) {
        let instruction = |number: usize| self.lines[number].inst;
        let selections =
            selections::find(self.module, lines.clone(), self.selections.len(), instruction, |id| {
                self.line_of(id)
            });
        let first = self.selections.len();
        self.selections.extend(selections.into_iter().map(|selection| (selection, false)));
        let (mut next, mut innermost) = (first, None);
        for number in lines {
            while let Some(at) = innermost.filter(|&at: &usize| self.selections[at].0.lines.end <= number) {
                innermost = self.selections[at].0.outer;
            }
            if self.selections.get(next).is_some_and(|(selection, _)| selection.lines.start == number) {
                innermost = Some(next);
                next += 1;
            }
            self.lines[number].selection = innermost;
        }
    }

    /// Marks an id that is used.
    pub fn use_id(&mut self, id: u32) {
        match self.flags.has(id, Flags::REMOVED) {
            true => self.still_used.push((self.current, id)),
            false => self.keep_left(id),
        }
    }

    /// Marks the roots that no false condition removed.
    pub fn keep(&mut self, id: u32) {
        if !self.flags.has(id, Flags::REMOVED) {
            self.keep_left(id);
        }
    }

    /// Marks an id that no false condition removed.
    fn keep_left(&mut self, id: u32) {
        let line = self.line_of(id);
        // Nothing counts the uses of what functions define.
        if line.is_none_or(|line| !self.lines[line].is_inside()) {
            self.uses.revive(id, self.flags, &mut self.ids);
        }
        if let Some(line) = line {
            self.live(line);
            if self.lines[line].inst.is(Op::Variable) {
                self.read(line, None);
            }
        }
    }

    /// Marks everything that live instructions require, and removes the other lines of live functions. `removed` are
    /// the definitions outside of functions that false conditions removed.
    pub fn finish(mut self, removed: &[u32]) -> UsedDefinitions {
        let functions = self.functions.iter().map(|function| function.lines.clone());
        let variables = 0..self.functions.first().map_or(0, |function| function.lines.start);
        for number in functions
            .flatten()
            .filter(|&line| self.lines[line].inst.is(Op::Function))
            .chain(variables)
            .collect::<Vec<usize>>()
        {
            let used = self.lines[number].inst.result_id().filter(|&id| !self.flags.has(id, Flags::UNUSED));
            used.into_iter().for_each(|id| self.keep(id));
        }
        self.follow();
        let mut next = 0;
        while let Some(&number) = self.described.get(next) {
            next += 1;
            let value = described_value(self.module, &self.lines[number].inst);
            if !self.is_idle(number) && value.is_none_or(|id| self.is_left(id)) {
                self.live(number);
                self.follow();
            }
        }
        self.positions();
        self.follow();
        self.lose_parameters();
        self.follow();
        let (mut unused, mut calls) = (Vec::new(), Vec::new());
        for line in &self.lines {
            let is_in_live = self.functions.get(line.function).is_some_and(|function| function.is_live);
            if line.is_live && line.inst.is(Op::FunctionCall) {
                calls.push((line.function, line.line));
            } else if !line.is_live && is_in_live {
                unused.push((line.function, line.line));
                line.inst.result_id().into_iter().for_each(|id| self.flags.set(id, Flags::REMOVED));
            }
        }
        let idle = self.idle();
        self.still_used.sort_unstable();
        UsedDefinitions {
            live_functions: self.functions.iter().map(|function| function.is_live).collect(),
            unused,
            idle,
            debug: self.debugs,
            calls,
            still_used: self.still_used,
            uses_removed: removed.iter().any(|&id| self.uses.is_used(id)),
        }
    }

    /// Returns the selections of live functions that do nothing, and that no other one has.
    fn idle(&self) -> Vec<IdleSelection> {
        let is_idle = |(StructuredSelection { lines, outer, .. }, is_live): &&(StructuredSelection, bool)| {
            let function = &self.functions[self.lines[lines.start].function];
            !is_live && function.is_live && outer.is_none_or(|outer| self.selections[outer].1)
        };
        let idle =
            self.selections.iter().filter(is_idle).map(|(StructuredSelection { lines, merge, .. }, _)| {
                let [first, last] = [lines.start, lines.end - 1].map(|line| &self.lines[line]);
                IdleSelection { function: first.function, lines: first.line..last.line + 1, merge: *merge }
            });
        idle.collect()
    }

    /// Follows lines and ids that became live, and their uses.
    fn follow(&mut self) {
        loop {
            if let Some(line) = self.stack.pop() {
                self.line(line);
            } else if let Some(id) = self.ids.pop() {
                self.definition(id);
            } else {
                return;
            }
        }
    }

    /// Marks the uses of a definition outside of functions, or of an unchanged function.
    fn definition(&mut self, id: u32) {
        (self.current, self.result) = (0, 0);
        let mut used = std::mem::take(&mut self.used);
        self.uses.add_uses_of(id, self.flags, &mut used);
        used.drain(..).for_each(|id| self.use_id(id));
        self.used = used;
    }

    /// Marks the uses of a line.
    fn line(&mut self, number: usize) {
        let (module, attributes) = (self.module, self.attributes);
        let MarkedInstruction { inst, function, line, selection, .. } = self.lines[number];
        selection.into_iter().for_each(|selection| self.enter(selection));
        (self.current, self.result) = (inst.offset(), inst.result_id().unwrap_or(0));
        if self.result != 0 {
            attributes.references(self.result).for_each(|id| self.use_id(id));
        }
        match inst.op() {
            Some(Op::Function) => {
                self.start(function);
                match self.parameters.may_lose(self.functions[function].at) {
                    // Its type may change.
                    true => self.use_id(views::Function(inst).type_id()),
                    false => module.walk(&inst, self),
                }
            }
            Some(Op::FunctionParameter) => {
                module.walk(&inst, self);
                for (call, argument) in self.arguments.remove(&number).unwrap_or_default() {
                    self.current = call;
                    self.use_id(argument);
                }
            }
            Some(Op::FunctionCall) => self.call(views::FunctionCall(inst)),
            _ if is_debug(module, &inst) => self.debug(&inst, (function, line)),
            _ => match self.element(&inst) {
                Some((variable, element)) => {
                    self.live(variable);
                    if !self.lines[variable].is_inside() {
                        let id = self.lines[variable].inst.result_id();
                        id.into_iter().for_each(|id| self.uses.revive(id, self.flags, &mut self.ids));
                    }
                    self.read(variable, Some(element));
                    let pointers = [self.lines[variable].inst.result_id(), inst.result_id()];
                    module.walk(&inst, &mut |_: usize, id: u32| {
                        if !pointers.contains(&Some(id)) {
                            self.use_id(self.values.replacement(id));
                        }
                    });
                }
                None => module.walk(&inst, self),
            },
        }
    }

    /// Marks the lines of a function that have effects.
    fn start(&mut self, function: usize) {
        self.functions[function].is_live = true;
        let MarkedFunction { at, is_folded, .. } = self.functions[function];
        let may_lose_parameters = self.parameters.may_lose(at);
        for number in self.functions[function].lines.clone() {
            let MarkedInstruction { kind, selection, .. } = self.lines[number];
            let is_live = match kind {
                InstructionKind::Writes => self.writes.is_read(number) || !is_folded,
                _ if !is_folded => true,
                InstructionKind::Effect => true,
                InstructionKind::Parameter => !may_lose_parameters,
                InstructionKind::Calls => !self.calls_have_their_callee || self.writes.is_read(number),
                // It is live once something in the selection is.
                InstructionKind::ControlFlow => selection.is_none(),
                InstructionKind::Describes => {
                    self.described.push(number);
                    false
                }
                InstructionKind::Computes | InstructionKind::Position => false,
            };
            if is_live {
                self.live(number);
            }
        }
    }

    /// Marks the control flow of a selection, and of the enclosing ones.
    fn enter(&mut self, mut selection: usize) {
        while !std::mem::replace(&mut self.selections[selection].1, true) {
            let StructuredSelection { lines, outer, .. } = self.selections[selection].0.clone();
            let (mut number, mut inner) = (lines.start, selection + 1);
            while number < lines.end {
                match self.selections.get(inner).map(|(inner, _)| inner.lines.clone()) {
                    // The merge instruction and the branch of another one belong to that.
                    Some(selection) if selection.start == number => {
                        number = selection.end;
                        inner +=
                            self.selections[inner..].partition_point(|(next, _)| next.lines.start < number);
                    }
                    _ => {
                        if self.lines[number].kind == InstructionKind::ControlFlow {
                            self.live(number);
                        }
                        number += 1;
                    }
                }
            }
            let Some(outer) = outer else { return };
            selection = outer;
        }
    }

    /// Returns true for a line of a selection in which nothing is live.
    fn is_idle(&self, number: usize) -> bool {
        self.lines[number].selection.is_some_and(|selection| !self.selections[selection].1)
    }

    /// Marks the uses of a call: arguments once their parameters are live.
    fn call(&mut self, call: views::FunctionCall) {
        let module = self.module;
        let callee = module.function_index(call.callee()).filter(|&callee| self.parameters.may_lose(callee));
        let Some(callee) = callee else { return module.walk(&call, self) };
        self.use_id(call.type_id());
        self.use_id(call.callee());
        let parameters = module.parameters(&module.functions()[callee]).map(views::FunctionParameter);
        for (parameter, &argument) in parameters.zip(call.arguments()) {
            match self.line_of(parameter.id()).filter(|&line| !self.lines[line].is_live) {
                Some(line) => self
                    .arguments
                    .entry(line)
                    .or_default()
                    .push((call.offset(), self.values.replacement(argument))),
                None => self.use_id(self.values.replacement(argument)),
            }
        }
    }

    /// Finds the parameters that live functions lose, and marks the types that they have then.
    fn lose_parameters(&mut self) {
        let module = self.module;
        (self.current, self.result) = (0, 0);
        for function in 0..self.functions.len() {
            let MarkedFunction { at, is_live, .. } = self.functions[function];
            if is_live && self.parameters.may_lose(at) {
                let parameters = module.parameters(&module.functions()[at]).map(views::FunctionParameter);
                let is_kept = parameters.map(|parameter| self.is_left(parameter.id())).collect();
                let type_id = self.parameters.lose(module, at, is_kept);
                type_id.into_iter().for_each(|id| self.use_id(id));
            }
        }
    }

    /// Marks the positions in the source that hold for a live line.
    fn positions(&mut self) {
        let module = self.module;
        for function in 0..self.functions.len() {
            let mut holds = [false; 3];
            for number in self.functions[function].lines.clone().rev() {
                let MarkedInstruction { inst, kind, is_live, .. } = self.lines[number];
                if kind != InstructionKind::Position {
                    holds = if is_live { [true; 3] } else { holds };
                } else if !self.is_idle(number) {
                    let kind = DebugPosition::new(module, &inst);
                    let is_last = kind.is_some_and(|kind| std::mem::take(&mut holds[kind as usize]));
                    if is_last {
                        self.live(number);
                    }
                }
            }
        }
    }

    /// Returns the line that defines an id, if one does.
    fn line_of(&self, id: u32) -> Option<usize> {
        (*self.lines_by_id.get(id as usize)? as usize).checked_sub(1)
    }

    /// Returns true if a definition stays: its line is live, or it has no line and is not removed.
    fn is_left(&self, id: u32) -> bool {
        match self.line_of(id) {
            Some(line) => self.lines[line].is_live,
            None => !self.flags.has(id, Flags::REMOVED),
        }
    }

    fn live(&mut self, line: usize) {
        if !std::mem::replace(&mut self.lines[line].is_live, true) {
            self.stack.push(line);
        }
    }

    /// Returns the line of a variable and the number of the element that an instruction points into.
    fn element(&self, inst: &Instruction) -> Option<(usize, u32)> {
        let variable = self.line_of(views::AccessChain::new(*inst)?.base())?;
        let element = self.effects.element(self.module, inst)?;
        self.lines[variable].inst.is(Op::Variable).then_some((variable, element))
    }

    /// Marks the writes to a part of a variable, all of it or an element.
    fn read(&mut self, variable: usize, element: Option<u32>) {
        // All of it is read once.
        if element.is_none() && std::mem::replace(&mut self.lines[variable].is_read, true) {
            return;
        }
        let (lines, functions, stack) = (&mut self.lines, &self.functions, &mut self.stack);
        self.writes.read(variable, element, |line| {
            let is_running = functions[lines[line].function].is_live;
            if is_running && !std::mem::replace(&mut lines[line].is_live, true) {
                stack.push(line);
            }
        });
    }

    /// Follows a debug instruction, which may name removed ids.
    fn debug(&mut self, inst: &Instruction, line: LinePlace) {
        let module = self.module;
        let mut names_removable = false;
        module.walk(inst, &mut |at: usize, id: u32| {
            let is_named =
                is_debug_operand(at) && (self.flags.has(id, Flags::REMOVED) || is_weak(module, inst, id));
            match is_named {
                true => names_removable = true,
                false if id != self.result => self.use_id(id),
                false => {}
            }
        });
        if names_removable {
            self.debugs.push(line);
        }
    }
}

impl<'b, 'm: 'b> Visitor for UseMarker<'b, 'm> {
    fn id(&mut self, _at: usize, id: u32) {
        if id != self.result {
            self.use_id(self.values.replacement(id));
        }
    }

    /// Visits a word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, _at: usize, id: u32) {
        self.keep(id);
    }
}
