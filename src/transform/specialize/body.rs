//! The instructions that are left of a function in which something is decided.
//!
//! With calls that a false condition removes goes what only prepared their arguments, as it does where a module is packed for one device. Where
//! branches are decided, one mark from the instructions with effects finds what is used: the others go if they only compute, and so do variables of
//! the function that nothing reads, with what is written to them. Debug information on either goes with it.

use std::collections::HashSet;

use spirv::Op;

use super::bodies::{Bodies, ChangedCopy, changed_copy};
use super::error::PendingError;
use super::{Flags, Work};
use crate::analysis::conditional::preparation::of_calls;
use crate::analysis::{Analyses, DebugPosition, described_value, is_debug, is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Instructions, SetKind, Visitor, views};
use crate::transform::fold::{Fate, Folding};

/// An instruction as it is after branches and copies are decided.
struct Line<'l> {
    inst: Instruction<'l>,
    is_live: bool,
}

/// Finds the instructions of a function that are removed, and what the others refer to. `lines_by_id` is a table of zeros for what the function
/// defines.
pub fn change(work: &mut Work, analyses: &Analyses, at: usize, lines_by_id: &mut [u32], bodies: &mut Bodies) {
    let (module, function) = (work.module, &work.module.functions()[at]);
    let folding = bodies.folded.remove(&at);
    let unfolded = Folding::default();
    let after = folding.as_ref().unwrap_or(&unfolded);
    let removed = after.removed(module).filter_map(|inst| inst.result_id());
    removed.for_each(|id| work.flags.set(id, Flags::REMOVED));
    let copies = copies(work, at, after, &mut bodies.problems);
    let (mut lines, mut dropped) = lines(work, function, after, &copies);
    if folding.is_none() && !dropped.is_empty() {
        let prepares = of_calls(module, function, &dropped.iter().copied().collect::<HashSet<u32>>());
        lines.retain(|line: &Line| prepares.binary_search(&line.inst.offset()).is_err());
        let removed = prepares.iter().filter_map(|&offset| module.instruction(offset).result_id());
        removed.for_each(|id| work.flags.set(id, Flags::REMOVED));
        dropped.extend(prepares);
    }
    let mut mark = BodyMark::new(work, function, &mut lines, lines_by_id);
    match folding {
        Some(_) => mark.mark_used(analyses),
        None => mark.mark_all(),
    }
    let BodyMark { references, debug, problem, .. } = mark;
    bodies.references.insert(at, references);
    bodies.debug.extend(debug.into_iter().map(|offset| (at, offset)));
    bodies.problems.extend(problem.map(|problem| (at, problem)));
    for line in lines.iter().filter(|line| !line.is_live) {
        dropped.push(line.inst.offset());
        line.inst.result_id().into_iter().for_each(|id| work.flags.set(id, Flags::REMOVED));
    }
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
                copy.map_or(inst.words(), |at| &copies[at].words)
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
    function: &'b Function,
    lines: &'b mut [Line<'l>],
    /// By id that a line defines: one more than its number.
    lines_by_id: &'b mut [u32],
    /// The line of a variable of the function, and one that writes to it and does nothing else. In order once all are found.
    writes: Vec<(usize, usize)>,
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
        function: &'b Function,
        lines: &'b mut [Line<'l>],
        lines_by_id: &'b mut [u32],
    ) -> BodyMark<'b, 'm, 'l> {
        for (number, line) in (1..).zip(&*lines) {
            line.inst.result_id().into_iter().for_each(|id| lines_by_id[id as usize] = number);
        }
        BodyMark {
            work,
            function,
            lines,
            lines_by_id,
            writes: Vec::new(),
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
    fn mark_used(&mut self, analyses: &Analyses) {
        let (module, function, effects) = (self.work.module, self.function, analyses.effects());
        // What is called may be something else once conditional calls are decided.
        let calls_can_go = analyses.has_no_calls();
        let can_go = |inst: &Instruction| {
            effects.can_go(module, function, inst) && (calls_can_go || !inst.is(Op::FunctionCall))
        };
        for number in 0..self.lines.len() {
            let inst = self.lines[number].inst;
            let variable = effects.written_variable(module, function, &inst);
            if let Some(line) = variable.and_then(|id| self.line_of(id)) {
                self.writes.push((line, number));
            } else if described_value(module, &inst).is_some() {
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
                false => module.walk(&inst, self),
            }
            if inst.is(Op::Variable) {
                let first = self.writes.partition_point(|&(variable, _)| variable < line);
                let after = self.writes.partition_point(|&(variable, _)| variable <= line);
                (first..after).for_each(|write| self.live(self.writes[write].1));
            }
        }
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
                false => self.id(at, id),
            }
        });
        self.debug.extend(names_removable.then_some(inst.offset()));
    }
}

impl Visitor for BodyMark<'_, '_, '_> {
    fn id(&mut self, _at: usize, id: u32) {
        if self.work.module.place_in(self.function, id).is_none() {
            self.references.push(id);
        } else if self.work.flags.has(id, Flags::REMOVED) {
            let problem = PendingError::StillUsed { removed: id, user: self.current };
            self.problem.get_or_insert(problem);
        } else if let Some(line) = self.line_of(id) {
            self.live(line);
        }
    }

    /// A word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, at: usize, id: u32) {
        if !self.work.flags.has(id, Flags::REMOVED) {
            self.id(at, id);
        }
    }
}
