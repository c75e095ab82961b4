//! The instructions that are left of a function in which something is decided.
//!
//! With calls that a false condition removes goes what only prepared their arguments, as it does where a module is packed for one device. Where
//! branches are decided, one mark from the instructions with effects finds what is used: the others go if they only compute, and so do variables of
//! the function that nothing reads, with what is written to them, also by calls. Debug information on either goes with it. Values replace the loads that
//! are known to read them.

use std::collections::HashSet;

use spirv::Op;

use super::bodies::{Bodies, ChangedCopy, changed_copy};
use super::error::PendingError;
use super::local_values::LocalValues;
use super::parameters::LostParameters;
use super::{Flags, Work};
use crate::analysis::conditional::effects::Effects;
use crate::analysis::conditional::preparation::of_calls;
use crate::analysis::{Analyses, DebugPosition, described_value, is_debug, is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Instructions, SetKind, Visitor, views};
use crate::transform::fold::{Fate, Folding};

/// An instruction as it is after branches and copies are decided.
pub struct Line<'l> {
    pub inst: Instruction<'l>,
    pub is_live: bool,
}

/// Finds the instructions of a function that are removed, and what the others refer to. `lines_by_id` is a table of zeros for what the function
/// defines.
pub fn change(
    work: &mut Work,
    analyses: &Analyses,
    at: usize,
    (lines_by_id, values): (&mut [u32], &mut LocalValues),
    bodies: &mut Bodies,
) {
    let (module, function) = (work.module, &work.module.functions()[at]);
    let folding = bodies.folded.remove(&at);
    let unfolded = Folding::default();
    let after = folding.as_ref().unwrap_or(&unfolded);
    let removed = after.removed(module).filter_map(|inst| inst.result_id());
    removed.for_each(|id| work.flags.set(id, Flags::REMOVED));
    let copies = copies(work, at, after, &mut bodies.problems);
    // Their words are lent to the lines.
    let mut parameters = std::mem::take(&mut bodies.parameters);
    parameters.shorten_calls(module, at);
    let (mut lines, mut dropped) = lines(work, function, after, &copies, &parameters);
    if folding.is_none() && !dropped.is_empty() {
        let prepares = of_calls(module, function, &dropped.iter().copied().collect::<HashSet<u32>>());
        lines.retain(|line: &Line| prepares.binary_search(&line.inst.offset()).is_err());
        let removed = prepares.iter().filter_map(|&offset| module.instruction(offset).result_id());
        removed.for_each(|id| work.flags.set(id, Flags::REMOVED));
        dropped.extend(prepares);
    }
    if folding.is_some() && work.uses.with_copies.binary_search(&at).is_err() {
        values.find(work, analyses.effects(), &lines, &after.left);
    }
    let mut mark = BodyMark::new(work, analyses.effects(), function, &mut lines, (lines_by_id, values));
    match folding {
        Some(_) => mark.mark_used(analyses, parameters.may_lose(at)),
        None => mark.mark_all(),
    }
    let BodyMark { mut references, debug, problem, .. } = mark;
    values.write_edits(module, &lines, &mut bodies.replaced);
    for line in lines.iter().filter(|line| !line.is_live) {
        dropped.push(line.inst.offset());
        line.inst.result_id().into_iter().for_each(|id| work.flags.set(id, Flags::REMOVED));
    }
    references.extend(parameters.lose(work, at));
    bodies.parameters = parameters;
    bodies.references.insert(at, references);
    bodies.debug.extend(debug.into_iter().map(|offset| (at, offset)));
    bodies.problems.extend(problem.map(|problem| (at, problem)));
    dropped.sort_unstable();
    let is_left = |copy: &ChangedCopy| dropped.binary_search(&copy.offset).is_err();
    bodies.copies.extend(copies.into_iter().filter(is_left));
    bodies.dropped.append(&mut dropped);
    bodies.folded.extend(folding.map(|folding| (at, folding)));
}

/// Decides the OpConditionalCopyObjectINTELs in the blocks that are left of a function.
fn copies(
    work: &mut Work,
    at: usize,
    folding: &Folding,
    problems: &mut Vec<(usize, PendingError)>,
) -> Vec<ChangedCopy> {
    let module = work.module;
    let mut copies = Vec::new();
    if work.uses.with_copies.binary_search(&at).is_err() {
        return copies;
    }
    for (inst, fate) in folding.fates(module.body(&module.functions()[at])) {
        let Some(inst) = views::ConditionalCopyObjectINTEL::of(inst) else { continue };
        if let Fate::Kept = fate {
            match changed_copy(work, at, inst) {
                Ok(copy) => copies.push(copy),
                Err(problem) => problems.push((at, problem)),
            }
        }
    }
    copies
}

/// Returns the instructions that a function has after its branches and copies are decided, and the offsets of those that false conditions remove.
fn lines<'l, 'm: 'l>(
    work: &mut Work<'m>,
    function: &Function,
    folding: &'l Folding,
    copies: &'l [ChangedCopy],
    parameters: &'l LostParameters,
) -> (Vec<Line<'l>>, Vec<u32>) {
    let (mut lines, mut dropped) = (Vec::new(), Vec::new());
    for (inst, fate) in folding.fates(work.module.range(function.lines, function.end)) {
        let words = match fate {
            Fate::Dropped => continue,
            Fate::Kept if is_dropped(work, &inst) => {
                dropped.push(inst.offset());
                continue;
            }
            Fate::Kept => {
                let copy = copies.binary_search_by_key(&inst.offset(), |copy| copy.offset);
                let call = || parameters.call(&inst).unwrap_or(inst.words());
                copy.map_or_else(|_| call(), |at| &copies[at].words)
            }
            Fate::Replaced(words) => words,
        };
        let inst = Instructions::new(words, inst.offset()).next();
        lines.extend(inst.map(|inst| Line { inst, is_live: false }));
    }
    (lines, dropped)
}

/// True for a call that a false condition removes, and for a non-semantic instruction that refers to something removed, which is then removed, too.
fn is_dropped(work: &mut Work, inst: &Instruction) -> bool {
    let (module, flags) = (work.module, &mut work.flags);
    match inst.op() {
        Some(Op::FunctionCall | Op::FunctionPointerCallINTEL) => flags.has(inst.word(2), Flags::REMOVED),
        Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => {
            let id = views::ExtInst(*inst).id();
            if module.set_kind(inst) == Some(SetKind::NonSemantic) {
                let mut names_removed = false;
                module.walk(inst, &mut |_: usize, id: u32| names_removed |= flags.has(id, Flags::REMOVED));
                if names_removed {
                    flags.set(id, Flags::REMOVED);
                }
            }
            flags.has(id, Flags::REMOVED)
        }
        _ => false,
    }
}

/// Marks what is used in a function, from one instruction to those that it uses.
struct BodyMark<'b, 'm, 'l> {
    work: &'b mut Work<'m>,
    effects: &'b Effects,
    function: &'b Function,
    lines: &'b mut [Line<'l>],
    /// By id that a line defines: one more than its number.
    lines_by_id: &'b mut [u32],
    values: &'b LocalValues,
    /// Lines that write to a variable of the function and do nothing else, with the line of that and the element. In order once all are found.
    writes: Vec<(usize, Option<u32>, usize)>,
    /// The parts of variables whose writes are live.
    parts_read: HashSet<(usize, Option<u32>)>,
    /// The lines of debug information that describe a variable or value.
    described: Vec<usize>,
    stack: Vec<usize>,
    /// The ids outside of the function that live lines refer to.
    references: Vec<u32>,
    /// The offsets of debug instructions that name something which may be removed.
    debug: Vec<u32>,
    problem: Option<PendingError>,
    /// The offset of the line that is visited.
    current: u32,
}

impl<'b, 'm, 'l> BodyMark<'b, 'm, 'l> {
    fn new(
        work: &'b mut Work<'m>,
        effects: &'b Effects,
        function: &'b Function,
        lines: &'b mut [Line<'l>],
        (lines_by_id, values): (&'b mut [u32], &'b LocalValues),
    ) -> BodyMark<'b, 'm, 'l> {
        for (number, line) in (1..).zip(&*lines) {
            line.inst.result_id().into_iter().for_each(|id| lines_by_id[id as usize] = number);
        }
        BodyMark {
            work,
            effects,
            function,
            lines,
            lines_by_id,
            values,
            writes: Vec::new(),
            parts_read: HashSet::new(),
            described: Vec::new(),
            stack: Vec::new(),
            references: Vec::new(),
            debug: Vec::new(),
            problem: None,
            current: 0,
        }
    }

    /// Marks all lines.
    fn mark_all(&mut self) {
        (0..self.lines.len()).for_each(|line| self.live(line));
        self.follow();
    }

    /// Marks the lines with effects, and what they use.
    fn mark_used(&mut self, analyses: &Analyses, may_lose_parameters: bool) {
        let (module, function, effects) = (self.work.module, self.function, self.effects);
        // What is called may be something else once conditional calls are decided.
        let calls_can_go = analyses.has_no_calls();
        let can_go = |inst: &Instruction| match inst.op() {
            Some(Op::FunctionParameter) => may_lose_parameters,
            _ => effects.can_go(module, function, inst),
        };
        for number in 0..self.lines.len() {
            let inst = self.lines[number].inst;
            if self.add_write(number, calls_can_go) {
                continue;
            }
            if described_value(module, &inst).is_some() {
                self.described.push(number);
            } else if DebugPosition::new(module, &inst).is_none() && !can_go(&inst) {
                self.live(number);
            }
        }
        self.writes.sort_unstable();
        self.follow();
        for number in std::mem::take(&mut self.described) {
            let value = described_value(module, &self.lines[number].inst);
            if value.is_none_or(|id| self.is_left(id)) {
                self.live(number);
                self.follow();
            }
        }
        self.positions();
        self.follow();
    }

    /// Adds the writes of a line that does nothing but write to variables of the function, and compute. Returns true if it is one.
    fn add_write(&mut self, number: usize, calls_can_go: bool) -> bool {
        let (module, function) = (self.work.module, self.function);
        let inst = self.lines[number].inst;
        let write = |variable: u32, element| Some((self.line_of(variable)?, element, number));
        let Some(call) = views::FunctionCall::of(inst).filter(|_| calls_can_go) else {
            let part = self.effects.written_part(module, function, &inst);
            let written = part.and_then(|part| write(part.variable, part.element));
            self.writes.extend(written);
            return written.is_some();
        };
        let variables = self.effects.written_by_call(module, function, call);
        let writes = |ids: Vec<u32>| ids.into_iter().map(|id| write(id, None)).collect();
        let written: Option<Vec<_>> = variables.and_then(writes);
        self.writes.extend(written.iter().flatten());
        written.is_some()
    }

    /// Marks the positions in the source that hold for a live line.
    fn positions(&mut self) {
        let mut holds = [false; 3];
        for number in (0..self.lines.len()).rev() {
            match DebugPosition::new(self.work.module, &self.lines[number].inst) {
                Some(kind) if std::mem::take(&mut holds[kind as usize]) => self.live(number),
                Some(_) => {}
                None if self.lines[number].is_live => holds = [true; 3],
                None => {}
            }
        }
    }

    /// Returns the line that defines an id, if the function does.
    fn line_of(&self, id: u32) -> Option<usize> {
        self.work.module.place_in(self.function, id)?;
        (self.lines_by_id[id as usize] as usize).checked_sub(1)
    }

    /// True if an id is defined outside of the function, or by a live line.
    fn is_left(&self, id: u32) -> bool {
        let is_inside = self.work.module.place_in(self.function, id).is_some();
        !is_inside || self.line_of(id).is_some_and(|line| self.lines[line].is_live)
    }

    fn live(&mut self, line: usize) {
        if !std::mem::replace(&mut self.lines[line].is_live, true) {
            self.stack.push(line);
        }
    }

    /// Marks what lines use that became live, what these use, and so on.
    fn follow(&mut self) {
        let module = self.work.module;
        while let Some(line) = self.stack.pop() {
            let inst = self.lines[line].inst;
            self.current = inst.offset();
            match is_debug(module, &inst) {
                true => self.debug(&inst),
                false => match self.element(&inst) {
                    Some((variable, element)) => self.read_element(&inst, variable, element),
                    None => module.walk(&inst, self),
                },
            }
        }
    }

    /// Returns the line of a variable of the function and the number of the element that an instruction points into.
    fn element(&self, inst: &Instruction) -> Option<(usize, u32)> {
        let variable = self.line_of(views::AccessChain::of(*inst)?.base())?;
        let element = self.effects.element(self.work.module, inst)?;
        self.lines[variable].inst.is(Op::Variable).then_some((variable, element))
    }

    /// Follows a pointer into an element of a variable: what is written to others is not read.
    fn read_element(&mut self, inst: &Instruction, variable: usize, element: u32) {
        let module = self.work.module;
        let definition = self.lines[variable].inst;
        let mut walk = |inst: &Instruction| {
            module.walk(inst, &mut |at: usize, id: u32| {
                if Some(id) != definition.result_id() {
                    self.id(at, id);
                }
            });
        };
        walk(inst);
        walk(&definition);
        self.lines[variable].is_live = true;
        self.read(variable, Some(element));
    }

    /// Marks the writes to a part of a variable, all of it or an element.
    fn read(&mut self, variable: usize, element: Option<u32>) {
        if !self.parts_read.insert((variable, element)) {
            return;
        }
        let written = |part: (usize, Option<u32>)| {
            let first = self.writes.partition_point(|write| (write.0, write.1) < part);
            let after = self.writes.partition_point(|write| (write.0, write.1) <= part);
            first..after
        };
        let whole = written((variable, None));
        let writes = match element {
            Some(_) => written((variable, element)),
            None => whole.end..self.writes.partition_point(|write| write.0 <= variable),
        };
        whole.chain(writes).for_each(|at| self.live(self.writes[at].2));
    }

    /// Follows a debug instruction, which may name what is removed.
    fn debug(&mut self, inst: &Instruction) {
        let module = self.work.module;
        let mut names_removable = false;
        module.walk(inst, &mut |at: usize, id: u32| {
            let is_named = is_debug_operand(at)
                && (self.work.flags.has(id, Flags::REMOVED) || is_weak(module, inst, id));
            match is_named {
                true => names_removable = true,
                false => self.use_id(id),
            }
        });
        self.debug.extend(names_removable.then_some(inst.offset()));
    }

    fn use_id(&mut self, id: u32) {
        if self.work.module.place_in(self.function, id).is_none() {
            self.references.push(id);
        } else if self.work.flags.has(id, Flags::REMOVED) {
            let problem = PendingError::StillUsed { removed: id, user: self.current };
            self.problem.get_or_insert(problem);
        } else if let Some(line) = self.line_of(id) {
            self.live(line);
            if self.lines[line].inst.is(Op::Variable) {
                self.read(line, None);
            }
        }
    }
}

impl Visitor for BodyMark<'_, '_, '_> {
    fn id(&mut self, _at: usize, id: u32) {
        self.use_id(self.values.of(id));
    }

    /// A word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, _at: usize, id: u32) {
        if !self.work.flags.has(id, Flags::REMOVED) {
            self.use_id(id);
        }
    }
}
