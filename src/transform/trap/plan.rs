//! The blocks that become traps, and the blocks that cannot but would have to.

use std::collections::BTreeSet;

use super::lacked::LackedFeatures;
use super::leaving::Callers;
use super::regions::{doomed, in_continue_constructs, reached_from};
use super::required::{CodeRequirements, FunctionRequirements, RequiredFeatures};
use super::waiting::{WaitingInstructions, name};
use super::{BlockPlace, Trap, TrapObstacle, TrappedBranch, UntrappedBranch};
use crate::analysis::calls::DirectCall;
use crate::analysis::conditional::effects::InstructionKind;
use crate::analysis::flow::{BlockMerge, Blocks};
use crate::analysis::requirements::RequirementSet;
use crate::analysis::{Analyses, AnalysisError};
use crate::collections::{sort, sort_by_key};
use crate::loader::{Instruction, Module, views};

/// The traps of a module on a device.
#[derive(Clone, Debug, Default)]
pub struct TrapPlan {
    /// The blocks that become traps, in the order of the module.
    pub points: Vec<TrapPoint>,
    /// The blocks that cannot become traps but would have to. If one exists, no trap lets the device run the whole
    /// module.
    pub untrapped: Vec<UntrappedBranch>,
}

/// A block that becomes a trap.
#[derive(Clone, Debug)]
pub struct TrapPoint {
    /// The index of the function.
    pub function: usize,
    /// The offset of the block's OpLabel.
    pub block: u32,
    /// The offset after the block's last OpPhi, or after its OpLabel.
    pub body: u32,
    /// The offset of the block's OpLoopMerge, if it has one: no branch leads back to a trap.
    pub loop_merge: Option<u32>,
    /// The block, as reports name it.
    pub branch: TrappedBranch,
}

impl TrapPlan {
    /// Finds the traps of a module that let a device without some features run it. `code` has the requirements of the same module.
    ///
    /// # Errors
    /// If conditional code is malformed, or annotations name an unknown aspect.
    pub fn new(
        analyses: &Analyses,
        code: &CodeRequirements,
        lacked: &LackedFeatures,
        trap: &Trap,
    ) -> Result<TrapPlan, AnalysisError> {
        if lacked.is_empty() {
            return Ok(TrapPlan::default());
        }
        let module = analyses.module();
        let calls = analyses.direct_calls();
        let mut planner = Planner {
            analyses,
            module,
            lacked,
            trap,
            callers: Callers::new(analyses),
            waiting: WaitingInstructions::new(module, calls),
            has_effects: vec![false; module.functions().len()],
            plan: TrapPlan::default(),
        };
        let mut required = RequiredFeatures::new(analyses, code, lacked)?;
        for at in calls.callees_first() {
            required.of_calls[at] = planner.function(at, &required);
        }
        planner.keep_useful();
        let mut plan = planner.plan;
        sort_by_key(&mut plan.points, |point| point.block);
        sort(&mut plan.untrapped);
        Ok(plan)
    }

    /// Returns the blocks for a device without OpAbortKHR, where traps are to abort.
    pub fn without_abort(self) -> Vec<UntrappedBranch> {
        let untrapped = |TrappedBranch { place, requires, .. }| UntrappedBranch {
            place,
            requires,
            obstacle: TrapObstacle::NoAbort,
        };
        self.points.into_iter().map(|point| untrapped(point.branch)).collect()
    }

    /// Returns true if traps let the device run the module, if only requirements of code are missing on it.
    pub fn helps(&self) -> bool {
        !self.points.is_empty() && self.untrapped.is_empty()
    }
}

/// The search of a module.
struct Planner<'a, 'm> {
    analyses: &'a Analyses<'m>,
    module: &'m Module<'m>,
    lacked: &'a LackedFeatures,
    trap: &'a Trap,
    callers: Callers<'a>,
    waiting: WaitingInstructions,
    /// True for each function that has an effect besides its traps.
    has_effects: Vec<bool>,
    plan: TrapPlan,
}

impl Planner<'_, '_> {
    /// Finds the traps of a function. Returns the requirements of all its calls.
    fn function(&mut self, at: usize, required: &RequiredFeatures) -> RequirementSet {
        let function = &self.module.functions()[at];
        let signature = required.of_signature(function);
        let mut blocks = Blocks::default();
        if self.module.is_declaration(function) || !blocks.read(self.module, function) {
            return signature;
        }
        if !signature.is_empty() {
            self.whole(at, &blocks, &signature, TrapObstacle::Signature);
            return signature;
        }
        let Some(FunctionRequirements { blocks: of_blocks, phi }) = required.of_function(at, &blocks) else {
            self.has_effects[at] = self.have_effects(&blocks, reached_from(&blocks, [0], |_| true));
            return signature;
        };
        let requires: Vec<bool> = of_blocks.iter().map(|set| !set.is_empty()).collect();
        let doomed = doomed(&blocks, &requires);
        let all_of = |among: &[usize]| {
            let mut all = RequirementSet::EMPTY;
            among.iter().for_each(|&block| _ = all.extend(&of_blocks[block]));
            all
        };
        if doomed[0] {
            let all = all_of(&reached_from(&blocks, [0], |_| true));
            let obstacle = if phi.is_some() { TrapObstacle::Phi } else { TrapObstacle::EveryPath };
            self.whole(at, &blocks, &all, obstacle);
            return all;
        }
        let in_continue = in_continue_constructs(&blocks);
        let running = reached_from(&blocks, [0], |block| !doomed[block]);
        self.has_effects[at] = self.have_effects(&blocks, running.iter().copied());
        let mut first: Vec<usize> = running.iter().flat_map(|&block| blocks.successors(block)).collect();
        first.retain(|&block| doomed[block]);
        first.sort_unstable();
        first.dedup();
        for block in first {
            let requires = all_of(&reached_from(&blocks, [block], |next| doomed[next]));
            let requires = self.lacked.names(&requires);
            let place = self.place(at, &blocks, block);
            match self.obstacle(at, &blocks, block, &in_continue, &doomed) {
                Some(obstacle) => self.plan.untrapped.push(UntrappedBranch { place, requires, obstacle }),
                None => {
                    let start = blocks.get(block).start;
                    let body = blocks.phis(self.module, block).last().map_or(start + 2, |phi| phi.end());
                    let branch = TrappedBranch { place, requires, trap: self.trap.clone() };
                    let is_loop = matches!(blocks.merge(block), Some(BlockMerge::Loop { .. }));
                    let loop_merge = is_loop.then_some(blocks.get(block).merge);
                    self.plan.points.push(TrapPoint { function: at, block: start, body, loop_merge, branch });
                }
            }
        }
        RequirementSet::EMPTY
    }

    /// Returns true if something in some blocks has an effect besides computing results.
    fn have_effects(&self, blocks: &Blocks, among: impl IntoIterator<Item = usize>) -> bool {
        let effects = self.analyses.effects();
        let has_effect = |inst: &Instruction| {
            let callee = views::FunctionCall::new(*inst).map(|call| call.callee());
            match callee.and_then(|callee| self.module.function_index(callee)) {
                Some(callee) if !self.module.is_declaration(&self.module.functions()[callee]) => {
                    self.has_effects[callee]
                }
                _ => effects.kind(self.module, inst) == InstructionKind::Effect,
            }
        };
        let mut instructions = among
            .into_iter()
            .map(|block| blocks.get(block))
            .flat_map(|block| self.module.range(block.start, block.end));
        instructions.any(|inst| has_effect(&inst))
    }

    /// Refuses the traps of entry points that would have no effect besides them.
    fn keep_useful(&mut self) {
        let entry_points = self.module.entry_points().map(|entry| entry.function());
        let entry_points: BTreeSet<usize> =
            entry_points.filter_map(|id| self.module.function_index(id)).collect();
        for point in std::mem::take(&mut self.plan.points) {
            let mut leading =
                self.leading_to(point.function).into_iter().filter(|at| entry_points.contains(at));
            let is_only_trap = |at: usize| !self.has_effects[at];
            if leading.next().is_some_and(is_only_trap) && leading.all(is_only_trap) {
                let TrappedBranch { place, requires, .. } = point.branch;
                let obstacle = TrapObstacle::NothingLeft;
                self.plan.untrapped.push(UntrappedBranch { place, requires, obstacle });
            } else {
                self.plan.points.push(point);
            }
        }
    }

    /// Returns the functions that lead to a function, and the function itself.
    fn leading_to(&self, function: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::from([function]);
        let mut open = vec![function];
        while let Some(at) = open.pop() {
            for caller in self.callers.calls.calls_of(at).map(|call| call.caller as usize) {
                if seen.insert(caller) {
                    open.push(caller);
                }
            }
        }
        seen
    }

    /// Notes that a function as a whole requires something, unless only its calls count.
    fn whole(&mut self, at: usize, blocks: &Blocks, required: &RequirementSet, obstacle: TrapObstacle) {
        if !self.callers.calls.is_called(at) || self.callers.exported[at] {
            let (place, requires) = (self.place(at, blocks, 0), self.lacked.names(required));
            self.plan.untrapped.push(UntrappedBranch { place, requires, obstacle });
        }
    }

    /// Returns the reason why a block cannot become a trap.
    fn obstacle(
        &self,
        at: usize,
        blocks: &Blocks,
        block: usize,
        in_continue: &[bool],
        doomed: &[bool],
    ) -> Option<TrapObstacle> {
        if in_continue[block] {
            return Some(TrapObstacle::ContinueConstruct);
        }
        // OpAbortKHR ends all invocations.
        if *self.trap == Trap::Abort {
            return None;
        }
        if self.callers.exported[at] {
            return Some(TrapObstacle::Exported);
        }
        // Nothing waits in blocks that no invocation reaches any more.
        let following = reached_from(blocks, [block], |_| true).into_iter().filter(|&next| !doomed[next]);
        self.wait_in(blocks, following).or_else(|| self.obstacle_of_callers(at))
    }

    /// Returns the first instruction in some blocks for which other invocations wait.
    fn wait_in(&self, blocks: &Blocks, among: impl Iterator<Item = usize>) -> Option<TrapObstacle> {
        let mut among = among.map(|block| blocks.get(block));
        let offset =
            among.find_map(|block| self.waiting.first_within(self.module, block.start, block.end))?;
        Some(self.wait_at(offset))
    }

    fn wait_at(&self, offset: u32) -> TrapObstacle {
        TrapObstacle::Wait { instruction: name(self.module, offset), place: self.place_at(offset) }
    }

    /// Returns the reason why callers of a function cannot leave after a trap in it.
    fn obstacle_of_callers(&self, at: usize) -> Option<TrapObstacle> {
        let mut open = vec![at];
        let mut seen = BTreeSet::from([at]);
        while let Some(at) = open.pop().filter(|&at| !self.callers.leaves[at]) {
            for DirectCall { caller, offset, .. } in self.callers.calls.calls_of(at) {
                let caller = caller as usize;
                let mut blocks = Blocks::default();
                if self.callers.exported[caller]
                    || !blocks.read(self.module, &self.module.functions()[caller])
                {
                    return Some(TrapObstacle::Exported);
                }
                let block = blocks.at(offset)?;
                let is_header = matches!(blocks.merge(block), Some(BlockMerge::Loop { .. }));
                if is_header || in_continue_constructs(&blocks)[block] {
                    return Some(TrapObstacle::LoopCall(self.place_at(offset)));
                }
                let (end, rest) = (self.module.instruction(offset).end(), blocks.get(block).end);
                let in_rest =
                    self.waiting.first_within(self.module, end, rest).map(|offset| self.wait_at(offset));
                let following = reached_from(&blocks, blocks.successors(block), |_| true);
                let obstacle = in_rest.or_else(|| self.wait_in(&blocks, following.into_iter()));
                if obstacle.is_some() {
                    return obstacle;
                }
                if seen.insert(caller) {
                    open.push(caller);
                }
            }
        }
        None
    }

    /// Returns the place of the block with the instruction at an offset, which may be of another function.
    fn place_at(&self, offset: u32) -> BlockPlace {
        let functions = self.module.functions();
        let at = functions.partition_point(|function| function.start <= offset) - 1;
        let mut label = 0;
        for inst in self.module.range(functions[at].start, offset) {
            label = inst.result_id().filter(|_| inst.is(spirv::Op::Label)).unwrap_or(label);
        }
        self.place_of(at, label, offset)
    }

    fn place(&self, at: usize, blocks: &Blocks, block: usize) -> BlockPlace {
        let block = blocks.get(block);
        let first = self.module.range(block.start, block.end).nth(1).map_or(block.start, |inst| inst.end());
        self.place_of(at, block.label(self.module), first.min(block.terminator))
    }

    fn place_of(&self, at: usize, label: u32, offset: u32) -> BlockPlace {
        let source = self.analyses.debug_locations().location(offset).map(|location| location.to_string());
        let function = self.analyses.names().display(self.module.functions()[at].id);
        BlockPlace { function, block: label, source }
    }
}
