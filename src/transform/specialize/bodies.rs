//! The one look at function bodies: what each function refers to outside of itself, and what changes inside of it.

use std::collections::BTreeMap;

use spirv::Op;

use super::Work;
use super::decisions::{Copy, copy};
use super::error::Problem;
use super::marks::Flags;
use crate::analysis::{is_debug_operand, is_weak};
use crate::loader::{Instruction, SetKind, Visitor};
use crate::transform::fold::Folding;

/// What the bodies hold.
pub struct Bodies {
    /// What each function refers to outside of itself, each id once per function.
    references: Vec<u32>,
    /// By function: where its references end.
    ends: Vec<u32>,
    /// OpConditionalCopyObjectINTEL: function and offset.
    pub copies: Vec<(usize, u32)>,
    /// Instructions in surviving functions that go.
    pub dropped: Vec<u32>,
    /// Debug instructions that name something which may go: function and offset.
    pub debug: Vec<(usize, u32)>,
    /// Errors that count if the function survives.
    pub problems: Vec<(usize, Problem)>,
    /// Functions in which branches are decided, and what they then refer to.
    pub folded: BTreeMap<usize, (Folding, Vec<u32>)>,
}

impl Bodies {
    /// What a function refers to outside of itself.
    pub fn references(&self, function: usize) -> &[u32] {
        if let Some((_, references)) = self.folded.get(&function) {
            return references;
        }
        let start = function.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.references[start as usize..self.ends[function] as usize]
    }

    /// Whether a function is not in the result.
    pub fn is_gone(&self, work: &Work, function: usize) -> bool {
        work.marks.gone(work.module.functions()[function].id)
    }
}

/// Looks at every body once. Removed functions are looked at too, for what they leave behind.
pub fn scan(work: &mut Work) -> Bodies {
    let module = work.module;
    let functions = module.functions();
    let mut bodies = Bodies {
        references: Vec::new(),
        ends: Vec::with_capacity(functions.len()),
        copies: Vec::new(),
        dropped: Vec::new(),
        debug: Vec::new(),
        problems: Vec::new(),
        folded: BTreeMap::new(),
    };
    let mut seen = vec![0; module.bound() as usize];
    let mut references = Vec::new();
    for (at, function) in functions.iter().enumerate() {
        let mut scan = Scan::new(work, &mut bodies, at, &mut seen, &mut references);
        for inst in module.range(function.lines, function.end) {
            scan.instruction(&inst);
        }
        bodies.ends.push(references.len() as u32);
    }
    bodies.references = references;
    bodies
}

/// Looks again at functions in which branches are decided: what they only used in blocks that go they do not use.
pub fn fold(work: &mut Work, bodies: &mut Bodies, folded: Vec<(usize, Folding)>) {
    let module = work.module;
    for (at, _) in &folded {
        work.seeds.extend_from_slice(bodies.references(*at));
    }
    let again = |at: usize| folded.binary_search_by_key(&at, |(at, _)| *at).is_ok();
    bodies.copies.retain(|&(at, _)| !again(at));
    bodies.debug.retain(|&(at, _)| !again(at));
    bodies.problems.retain(|&(at, _)| !again(at));
    let mut seen = vec![0; module.bound() as usize];
    for (at, folding) in folded {
        let function = &module.functions()[at];
        let body = || module.range(function.lines, function.end);
        for id in body().filter(|inst| folding.drops(inst)).filter_map(|inst| inst.result_id()) {
            work.marks.set(id, Flags::REMOVED);
        }
        let mut references = Vec::new();
        let mut scan = Scan::new(work, bodies, at, &mut seen, &mut references);
        for inst in body().filter(|inst| !folding.drops(inst)) {
            match folding.replaced(&inst) {
                Some(words) => words.iter().enumerate().skip(1).for_each(|(at, &id)| scan.id(at, id)),
                None => scan.instruction(&inst),
            }
        }
        bodies.folded.insert(at, (folding, references));
    }
}

/// One function under the scan.
struct Scan<'s, 'm> {
    work: &'s mut Work<'m>,
    bodies: &'s mut Bodies,
    /// The number of the function.
    at: usize,
    start: u32,
    len: u32,
    removed: bool,
    /// By id: one more than the number of the function that was the last to refer to it.
    seen: &'s mut [u32],
    references: &'s mut Vec<u32>,
    /// Whether the function has a problem already.
    problem: bool,
    /// A removed id of this function that an instruction uses.
    broken: Option<u32>,
}

impl<'s, 'm> Scan<'s, 'm> {
    fn new(
        work: &'s mut Work<'m>,
        bodies: &'s mut Bodies,
        at: usize,
        seen: &'s mut [u32],
        references: &'s mut Vec<u32>,
    ) -> Self {
        let function = work.module.functions()[at];
        let removed = work.marks.has(function.id, Flags::REMOVED);
        let len = function.end - function.start;
        Scan {
            work,
            bodies,
            at,
            start: function.start,
            len,
            removed,
            seen,
            references,
            problem: false,
            broken: None,
        }
    }

    #[inline]
    fn instruction(&mut self, inst: &Instruction) {
        let module = self.work.module;
        match inst.op() {
            _ if self.removed => self.any(inst),
            Some(Op::FunctionCall | Op::FunctionPointerCallINTEL) => self.call(inst),
            Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => match module.set_kind(inst) {
                Some(SetKind::NonSemantic) if self.names_removed(inst) => {
                    self.work.marks.set(inst.word(2), Flags::REMOVED);
                    self.call(inst);
                }
                Some(SetKind::Debug) if !self.work.marks.has(inst.word(2), Flags::REMOVED) => {
                    if self.debug(inst) {
                        self.bodies.debug.push((self.at, inst.offset()));
                    }
                }
                _ => self.call(inst),
            },
            Some(Op::ConditionalCopyObjectINTEL) => {
                self.bodies.copies.push((self.at, inst.offset()));
                match copy(module, &mut self.work.constants, inst) {
                    Ok(outcome) => self.copy(inst, outcome),
                    Err(error) => self.problem(error),
                }
            }
            _ => self.any(inst),
        }
        if let Some(id) = self.broken.take() {
            self.problem(Problem::StillUsed { removed: id, user: inst.offset() });
        }
    }

    fn problem(&mut self, problem: Problem) {
        if !std::mem::replace(&mut self.problem, true) {
            self.bodies.problems.push((self.at, problem));
        }
    }

    #[inline]
    fn any(&mut self, inst: &Instruction) {
        self.work.module.walk(inst, self);
    }

    /// A call, which a false condition removes.
    fn call(&mut self, inst: &Instruction) {
        if self.work.marks.has(inst.word(2), Flags::REMOVED) {
            self.bodies.dropped.push(inst.offset());
            let (module, seeds) = (self.work.module, &mut self.work.seeds);
            module.walk(inst, &mut |_: usize, id: u32| seeds.push(id));
        } else {
            self.any(inst);
        }
    }

    /// Whether an instruction refers to something removed.
    fn names_removed(&self, inst: &Instruction) -> bool {
        let mut found = false;
        let (module, marks) = (self.work.module, &self.work.marks);
        module.walk(inst, &mut |_: usize, id: u32| found |= marks.has(id, Flags::REMOVED));
        found
    }

    /// A debug instruction; whether it names something that may go.
    fn debug(&mut self, inst: &Instruction) -> bool {
        let module = self.work.module;
        let mut may_go = false;
        module.walk(inst, &mut |at: usize, id: u32| {
            if is_debug_operand(at) && (self.work.marks.has(id, Flags::REMOVED) || is_weak(module, id)) {
                may_go = true;
            } else {
                self.id(at, id);
            }
        });
        may_go
    }

    /// An OpConditionalCopyObjectINTEL uses what it keeps of its operands.
    fn copy(&mut self, inst: &Instruction, outcome: Copy) {
        self.id(1, inst.word(1));
        for (at, pair) in inst.words_from(3).chunks_exact(2).enumerate() {
            let at = 3 + 2 * at;
            match (outcome, self.work.constants.condition(pair[0])) {
                (Copy::Decided(_), Some(true)) => {
                    self.work.seeds.push(pair[0]);
                    self.id(at + 1, pair[1]);
                }
                (Copy::Undecided(_), None | Some(true)) => {
                    self.id(at, pair[0]);
                    self.id(at + 1, pair[1]);
                }
                _ => self.work.seeds.extend_from_slice(pair),
            }
        }
    }
}

impl Visitor for Scan<'_, '_> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        let offset = self.work.module.definition_offset(id).unwrap_or(0);
        if offset.wrapping_sub(self.start) < self.len {
            if self.removed {
                self.work.marks.set(id, Flags::REMOVED);
            } else if self.work.marks.has(id, Flags::REMOVED) {
                self.broken = self.broken.or(Some(id));
            }
        } else if self.seen[id as usize] != self.at as u32 + 1 {
            self.seen[id as usize] = self.at as u32 + 1;
            self.references.push(id);
        }
    }

    /// A word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, at: usize, id: u32) {
        if self.removed || !self.work.marks.has(id, Flags::REMOVED) {
            self.id(at, id);
        }
    }
}
