//! The one look at function bodies: what each function refers to outside of itself, and what changes inside of it.

use spirv::Op;

use super::Work;
use super::decisions::{Copy, copy};
use super::error::Problem;
use super::marks::{Flags, Marks};
use crate::analysis::{is_debug_operand, is_weak};
use crate::loader::{Instruction, Module, SetKind, Visitor};

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
}

impl Bodies {
    /// What a function refers to outside of itself.
    pub fn references(&self, function: usize) -> &[u32] {
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
    };
    let mut seen = vec![0; module.bound() as usize];
    for (at, function) in functions.iter().enumerate() {
        let mut scan = Scan {
            module,
            start: function.start,
            len: function.end - function.start,
            removed: work.marks.has(function.id, Flags::REMOVED),
            number: at as u32 + 1,
            seen: &mut seen,
            marks: &mut work.marks,
            references: &mut bodies.references,
            broken: None,
        };
        let mut problem = None;
        for inst in module.range(function.lines, function.end) {
            match inst.op() {
                _ if scan.removed => scan.any(&inst),
                Some(Op::FunctionCall | Op::FunctionPointerCallINTEL) => {
                    scan.call(&inst, &mut bodies.dropped, &mut work.seeds)
                }
                Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => match module.set_kind(&inst) {
                    Some(SetKind::NonSemantic) if scan.names_removed(&inst) => {
                        scan.marks.set(inst.word(2), Flags::REMOVED);
                        scan.call(&inst, &mut bodies.dropped, &mut work.seeds);
                    }
                    Some(SetKind::Debug) if !scan.marks.has(inst.word(2), Flags::REMOVED) => {
                        if scan.debug(&inst) {
                            bodies.debug.push((at, inst.offset()));
                        }
                    }
                    _ => scan.call(&inst, &mut bodies.dropped, &mut work.seeds),
                },
                Some(Op::ConditionalCopyObjectINTEL) => {
                    bodies.copies.push((at, inst.offset()));
                    match copy(module, &mut work.constants, &inst) {
                        Ok(outcome) => {
                            let seeds = &mut work.seeds;
                            scan.copy(&inst, outcome, |id| work.constants.condition(id), seeds);
                        }
                        Err(error) => problem = problem.or(Some(error)),
                    }
                }
                _ => scan.any(&inst),
            }
            if let Some(id) = scan.broken.take() {
                problem = problem.or(Some(Problem::StillUsed { removed: id, user: inst.offset() }));
            }
        }
        bodies.problems.extend(problem.map(|problem| (at, problem)));
        bodies.ends.push(bodies.references.len() as u32);
    }
    bodies
}

/// One function under the scan.
struct Scan<'s, 'm> {
    module: &'m Module<'m>,
    start: u32,
    len: u32,
    removed: bool,
    /// Tells this function's references from those of others in `seen`.
    number: u32,
    seen: &'s mut [u32],
    marks: &'s mut Marks,
    references: &'s mut Vec<u32>,
    /// A removed id of this function that an instruction uses.
    broken: Option<u32>,
}

impl Scan<'_, '_> {
    #[inline]
    fn any(&mut self, inst: &Instruction) {
        self.module.walk(inst, self);
    }

    /// A call, which a false condition removes.
    fn call(&mut self, inst: &Instruction, dropped: &mut Vec<u32>, seeds: &mut Vec<u32>) {
        if self.marks.has(inst.word(2), Flags::REMOVED) {
            dropped.push(inst.offset());
            self.module.walk(inst, &mut |_: usize, id: u32| seeds.push(id));
        } else {
            self.any(inst);
        }
    }

    /// Whether an instruction refers to something removed.
    fn names_removed(&self, inst: &Instruction) -> bool {
        let mut found = false;
        self.module.walk(inst, &mut |_: usize, id: u32| found |= self.marks.has(id, Flags::REMOVED));
        found
    }

    /// A debug instruction; whether it names something that may go.
    fn debug(&mut self, inst: &Instruction) -> bool {
        let module = self.module;
        let mut may_go = false;
        module.walk(inst, &mut |at: usize, id: u32| {
            if is_debug_operand(at) && (self.marks.has(id, Flags::REMOVED) || is_weak(module, id)) {
                may_go = true;
            } else {
                self.id(at, id);
            }
        });
        may_go
    }

    /// An OpConditionalCopyObjectINTEL uses what it keeps of its operands.
    fn copy(
        &mut self,
        inst: &Instruction,
        outcome: Copy,
        mut value: impl FnMut(u32) -> Option<bool>,
        seeds: &mut Vec<u32>,
    ) {
        self.id(1, inst.word(1));
        for (at, pair) in inst.words_from(3).chunks_exact(2).enumerate() {
            let at = 3 + 2 * at;
            match (outcome, value(pair[0])) {
                (Copy::Decided(_), Some(true)) => {
                    seeds.push(pair[0]);
                    self.id(at + 1, pair[1]);
                }
                (Copy::Undecided(_), None | Some(true)) => {
                    self.id(at, pair[0]);
                    self.id(at + 1, pair[1]);
                }
                _ => seeds.extend_from_slice(pair),
            }
        }
    }
}

impl Visitor for Scan<'_, '_> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        let offset = self.module.definition_offset(id).unwrap_or(0);
        if offset.wrapping_sub(self.start) < self.len {
            if self.removed {
                self.marks.set(id, Flags::REMOVED);
            } else if self.marks.has(id, Flags::REMOVED) {
                self.broken = self.broken.or(Some(id));
            }
        } else if self.seen[id as usize] != self.number {
            self.seen[id as usize] = self.number;
            self.references.push(id);
        }
    }

    /// A word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, at: usize, id: u32) {
        if self.removed || !self.marks.has(id, Flags::REMOVED) {
            self.id(at, id);
        }
    }
}
