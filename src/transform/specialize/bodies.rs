//! The ids that each function refers to outside of itself, and the changes inside of those in which something is decided.

use std::collections::BTreeMap;

use spirv::Op;

use super::decisions::{Copy, copy};
use super::error::PendingError;
use super::freeze::Frozen;
use super::{Flags, Work};
use crate::analysis::requirements::is_of_shaders;
use crate::analysis::{Analyses, Collector, DefinitionUses, is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, SetKind, Visitor, views};
use crate::transform::fold::{self, Fate, Folding};

/// The references and changes of the function bodies.
pub struct Bodies<'a> {
    functions: &'a [Function],
    /// The uses of the functions in which nothing is decided.
    uses: &'a DefinitionUses,
    /// What the others refer to outside of themselves.
    changed: BTreeMap<usize, Vec<u32>>,
    /// OpConditionalCopyObjectINTEL: function and offset.
    pub copies: Vec<(usize, u32)>,
    /// Removed instructions in kept functions.
    pub dropped: Vec<u32>,
    /// Debug instructions that name something which may be removed: function and offset.
    pub debug: Vec<(usize, u32)>,
    /// Errors that count if the function is kept.
    pub problems: Vec<(usize, PendingError)>,
    /// Functions in which branches are decided.
    pub folded: Vec<(usize, Folding)>,
}

impl Bodies<'_> {
    /// The ids that a function refers to outside of itself.
    pub fn references(&self, function: usize) -> &[u32] {
        match self.changed.get(&function) {
            Some(references) => references,
            None => self.uses.of(self.functions[function].id),
        }
    }

    /// True if a function is not in the result.
    pub fn is_removed(&self, work: &Work, function: usize) -> bool {
        work.flags.is_removed(work.module.functions()[function].id)
    }
}

/// Finds the ids that lose uses in the bodies in which something is decided, also those of removed functions. The analyses have what the others
/// refer to.
pub fn scan<'a>(work: &mut Work<'a>, analyses: &'a Analyses) -> Bodies<'a> {
    let (module, uses) = (work.module, analyses.uses());
    let mut bodies = Bodies {
        functions: module.functions(),
        uses,
        changed: BTreeMap::new(),
        copies: Vec::new(),
        dropped: Vec::with_capacity(work.dropped.len()),
        debug: uses.debug.clone(),
        problems: Vec::new(),
        folded: Vec::new(),
    };
    if work.multi_target.is_empty() {
        return bodies;
    }
    let mut collector = Collector::new(module);
    let decided = decided(work, uses);
    work.has_changed |= !decided.is_empty();
    bodies.debug.retain(|(at, _)| decided.binary_search(at).is_err());
    for at in decided {
        let function = &module.functions()[at];
        let mut references = Vec::new();
        let mut scan = Scan::new(work, &mut bodies, at, &mut collector, &mut references);
        for inst in module.range(function.lines, function.end) {
            scan.instruction(&inst);
        }
        bodies.changed.insert(at, references);
    }
    bodies.debug.sort_unstable();
    bodies
}

/// The functions in which something is decided, in order: those that are removed or have something that is, and those with copies or references to
/// something removed.
fn decided(work: &Work, uses: &DefinitionUses) -> Vec<usize> {
    let module = work.module;
    let is_removed = |id: u32| work.flags.has(id, Flags::REMOVED);
    let functions = module.functions();
    let holder = |offset: &u32| functions.partition_point(|function| function.start <= *offset) - 1;
    let mut decided: Vec<usize> = work.dropped.iter().map(holder).collect();
    decided.extend(work.report.removed_functions.iter().filter_map(|&id| module.function_index(id)));
    decided.extend(&uses.with_copies);
    let refers = |function: &Function| uses.of(function.id).iter().any(|&id| is_removed(id));
    decided.extend((0..).zip(functions).filter(|(_, function)| refers(function)).map(|(at, _)| at));
    decided.sort_unstable();
    decided.dedup();
    decided
}

/// Scans the functions again, without the ids that they used only in removed blocks.
fn scan_folded(work: &mut Work, bodies: &mut Bodies, folded: &[(usize, Folding)]) {
    let module = work.module;
    let again = |at: usize| folded.binary_search_by_key(&at, |(at, _)| *at).is_ok();
    bodies.copies.retain(|&(at, _)| !again(at));
    bodies.debug.retain(|&(at, _)| !again(at));
    bodies.problems.retain(|&(at, _)| !again(at));
    let mut collector = Collector::new(module);
    for (at, folding) in folded {
        let mut references = Vec::new();
        let (at, function) = (*at, &module.functions()[*at]);
        for id in folding.removed(module).filter_map(|inst| inst.result_id()) {
            work.flags.set(id, Flags::REMOVED);
        }
        let mut scan = Scan::new(work, bodies, at, &mut collector, &mut references);
        for (inst, fate) in folding.fates(module.range(function.lines, function.end)) {
            match fate {
                Fate::Kept => scan.instruction(&inst),
                Fate::Replaced(words) => {
                    words.iter().enumerate().skip(1).for_each(|(at, &id)| scan.id(at, id))
                }
                Fate::Dropped => {}
            }
        }
        bodies.changed.insert(at, references);
    }
}

/// One function under the scan.
struct Scan<'s, 'm, 'a> {
    work: &'s mut Work<'m>,
    bodies: &'s mut Bodies<'a>,
    /// The number of the function.
    at: usize,
    removed: bool,
    collector: &'s mut Collector<'m>,
    references: &'s mut Vec<u32>,
    /// The number of the next instruction in [`Work::dropped`].
    dropped: usize,
    /// True if the function has a problem already.
    problem: bool,
    /// A removed id of this function that an instruction uses.
    broken: Option<u32>,
}

impl<'s, 'm, 'a> Scan<'s, 'm, 'a> {
    fn new(
        work: &'s mut Work<'m>,
        bodies: &'s mut Bodies<'a>,
        at: usize,
        collector: &'s mut Collector<'m>,
        references: &'s mut Vec<u32>,
    ) -> Self {
        let function = &work.module.functions()[at];
        let removed = work.flags.has(function.id, Flags::REMOVED);
        let dropped = work.dropped.partition_point(|&offset| offset < function.lines);
        collector.enter(at);
        Scan { work, bodies, at, removed, collector, references, dropped, problem: false, broken: None }
    }

    #[inline]
    fn instruction(&mut self, inst: &Instruction) {
        let module = self.work.module;
        match inst.op() {
            _ if self.removed => self.any(inst),
            _ if self.is_dropped(inst) => self.drop(inst),
            Some(Op::FunctionCall | Op::FunctionPointerCallINTEL) => self.call(inst),
            Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR) => match module.set_kind(inst) {
                Some(SetKind::NonSemantic) if self.names_removed(inst) => {
                    self.work.flags.set(views::ExtInst(*inst).id(), Flags::REMOVED);
                    self.call(inst);
                }
                Some(SetKind::Debug) if !self.work.flags.has(views::ExtInst(*inst).id(), Flags::REMOVED) => {
                    if self.debug(inst) {
                        self.bodies.debug.push((self.at, inst.offset()));
                    }
                }
                _ => self.call(inst),
            },
            Some(Op::ConditionalCopyObjectINTEL) => {
                self.bodies.copies.push((self.at, inst.offset()));
                let inst = views::ConditionalCopyObjectINTEL(*inst);
                match copy(module, &mut self.work.constants, inst) {
                    Ok(outcome) => self.copy(inst, outcome),
                    Err(error) => self.problem(error),
                }
            }
            _ => self.any(inst),
        }
        if let Some(id) = self.broken.take() {
            self.problem(PendingError::StillUsed { removed: id, user: inst.offset() });
        }
    }

    fn problem(&mut self, problem: PendingError) {
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
        if self.work.flags.has(views::Value(*inst).id(), Flags::REMOVED) {
            self.drop(inst);
        } else {
            self.any(inst);
        }
    }

    /// An instruction that is removed.
    fn drop(&mut self, inst: &Instruction) {
        self.bodies.dropped.push(inst.offset());
    }

    /// True if an instruction is a removed call, or only prepares the arguments of such calls. They come in order.
    #[inline]
    fn is_dropped(&mut self, inst: &Instruction) -> bool {
        let left = &self.work.dropped[self.dropped..];
        self.dropped += left.iter().take_while(|&&offset| offset < inst.offset()).count();
        self.work.dropped.get(self.dropped) == Some(&inst.offset())
    }

    /// True if an instruction refers to something removed.
    fn names_removed(&self, inst: &Instruction) -> bool {
        let mut found = false;
        let (module, flags) = (self.work.module, &self.work.flags);
        module.walk(inst, &mut |_: usize, id: u32| found |= flags.has(id, Flags::REMOVED));
        found
    }

    /// Scans a debug instruction; true if it names something that may be removed.
    fn debug(&mut self, inst: &Instruction) -> bool {
        let module = self.work.module;
        let mut names_removable = false;
        module.walk(inst, &mut |at: usize, id: u32| {
            if is_debug_operand(at) && (self.work.flags.has(id, Flags::REMOVED) || is_weak(module, inst, id))
            {
                names_removable = true;
            } else {
                self.id(at, id);
            }
        });
        names_removable
    }

    /// An OpConditionalCopyObjectINTEL, which uses only the operands that it keeps.
    fn copy(&mut self, inst: views::ConditionalCopyObjectINTEL, outcome: Copy) {
        self.id(1, inst.type_id());
        for (at, &[condition, value]) in inst.choices().iter().enumerate() {
            let at = 3 + 2 * at;
            match (outcome, self.work.constants.condition(condition)) {
                (Copy::Decided(_), Some(true)) => {
                    self.id(at + 1, value);
                }
                (Copy::Undecided(_), None | Some(true)) => {
                    self.id(at, condition);
                    self.id(at + 1, value);
                }
                _ => {}
            }
        }
    }
}

impl Visitor for Scan<'_, '_, '_> {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        if !self.collector.defines(id, self.references) {
            return;
        }
        if self.removed {
            self.work.flags.set(id, Flags::REMOVED);
        } else if self.work.flags.has(id, Flags::REMOVED) {
            self.broken = self.broken.or(Some(id));
        }
    }

    /// A word of an instruction that the grammar does not have: it may keep something, but it proves no use.
    fn possible_id(&mut self, at: usize, id: u32) {
        if self.removed || !self.work.flags.has(id, Flags::REMOVED) {
            self.id(at, id);
        }
    }
}

/// Folds branches in the functions that refer to a decided constant, or to a value that depends on one. All others are left alone.
pub fn fold_branches(work: &mut Work, analyses: &Analyses, bodies: &mut Bodies, frozen: &Frozen) {
    if !frozen.decides() {
        return;
    }
    let is_touched = |at: &usize| {
        let is_removed = work.flags.has(work.module.functions()[*at].id, Flags::REMOVED);
        !is_removed && bodies.references(*at).iter().any(|&id| frozen.affects(id))
    };
    let touched: Vec<usize> = (0..work.module.functions().len()).filter(is_touched).collect();
    if touched.is_empty() {
        return;
    }
    let folded = foldings(work, analyses, &touched);
    if !folded.is_empty() {
        work.has_changed = true;
        scan_folded(work, bodies, &folded);
        bodies.folded = folded;
    }
}

/// Those of the functions in which branches are decided.
fn foldings(work: &mut Work, analyses: &Analyses, functions: &[usize]) -> Vec<(usize, Folding)> {
    let module = work.module;
    // Kernels are not bound to structured control flow (specification, 2.16.1 "Universal Validation Rules").
    let structured = is_of_shaders(module);
    let mut folded = Vec::new();
    analyses.with_flow(|flow| {
        let mut tables = fold::Tables::default();
        for &at in functions {
            if !flow.read(&module.functions()[at]) {
                continue;
            }
            flow.solve(&mut |id| work.constants.value(id));
            let (blocks, decided) = (flow.blocks(), flow.decisions());
            let folding = Folding::of(module, blocks, decided, structured, &mut tables);
            folded.extend(folding.map(|folding| (at, folding)));
        }
    });
    folded
}
