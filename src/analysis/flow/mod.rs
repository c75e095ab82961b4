//! Sparse conditional constant propagation (Wegman and Zadeck) through all functions of a module: finds the blocks that can run, and the
//! values that are known, from the values of some constants.
//!
//! [`Flow::new`] finds once which values the conditions of branches depend on. These come from other instructions, and through memory,
//! calls and returns. [`Flow::solve`] may then be called any number of times, each time with other values of constants. Values that no
//! condition depends on are not followed.

mod access;
mod arithmetic_rules;
pub mod blocks;
mod deciding_calls;
mod demanded;
mod dependence;
mod extended;
mod graph;
pub mod loop_phis;
mod memory;
mod module_scan;
mod nodes;
mod partial;
mod reading;
mod regions;
mod solve;
#[cfg(test)]
mod tests;

pub use blocks::{Block, BlockMerge, Blocks, each_target};
pub use deciding_calls::CallCloneLimits;
pub use dependence::Dependence;
pub use solve::Solution;

use crate::analysis::calls::DirectCalls;
use crate::loader::Module;
use deciding_calls::InputValues;
use graph::{FlowGraph, FunctionGraph};
use module_scan::ModuleScan;
use nodes::{BranchChoice, Nodes};
use reading::FlowReader;
use solve::UnsetSolution;

/// The branches that constants may decide, and what they depend on. Functions are numbered as in [`Module::functions`].
#[derive(Default)]
pub struct Flow {
    graph: FlowGraph,
    nodes: Nodes,
    base: UnsetSolution,
    without_values: WithoutValues,
}

/// The outcome without any known value, as far as others are compared with it: its decisions hold for all values of constants.
#[derive(Default)]
struct WithoutValues {
    /// The only possible target of each choice, or [`solve::OPEN`].
    taken: Vec<u32>,
    /// The number of targets that switches never take, by function of the graph.
    closed: Vec<u32>,
    /// The values that calls pass, by edge and in order.
    passed: Vec<(u32, InputValues)>,
}

/// A branch with one possible target: the numbers of its block and of the target in its function.
pub type Decision = (u32, u32);

/// A target that a switch never takes: the numbers of its block and of the target in its function.
pub type ClosedTarget = (u32, u32);

/// The functions that are assumed to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Running {
    /// The functions that running blocks call, and the functions that code outside of the module may call.
    Called,
    /// All; for questions about one function, whoever calls it.
    All,
}

impl Flow {
    /// Reads a module. Functions without a branch that constants may decide are read only as far as others need.
    pub fn new(module: &Module, calls: &DirectCalls) -> Flow {
        let Some(scan) = ModuleScan::new(module, calls) else { return Flow::default() };
        let FlowReader { mut graph, mut nodes, constants, .. } = FlowReader::new(module, &scan);
        let base = UnsetSolution::new(module, &graph, &mut nodes, &constants);
        graph.forget_links();
        let mut flow = Flow { graph, nodes, base, without_values: WithoutValues::default() };
        let mut solution = Solution::default();
        let outcome = flow.solve(module, &mut solution, Running::Called, &mut |_| None);
        let closed =
            |function: &FunctionGraph| outcome.closed(module, function.function as usize).len() as u32;
        let closed = flow.graph.functions().iter().map(closed).collect();
        let passed = flow.passed_values(&solution);
        flow.without_values = WithoutValues { taken: solution.taken, closed, passed };
        flow
    }

    /// Propagates constants. `known` returns the value of an open constant: its bits, zero above the width. An operation without a value
    /// follows from its operands.
    pub fn solve<'f>(
        &'f self,
        module: &Module,
        solution: &'f mut Solution,
        running: Running,
        known: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> FlowOutcome<'f> {
        self.solve_without(module, solution, running, &[], known);
        self.outcome(solution)
    }

    /// Returns the outcome of an earlier [`solve`](Flow::solve).
    pub fn outcome<'f>(&'f self, solution: &'f Solution) -> FlowOutcome<'f> {
        FlowOutcome { flow: self, solution }
    }

    /// Propagates constants where some edges are never taken.
    fn solve_without(
        &self,
        module: &Module,
        solution: &mut Solution,
        running: Running,
        closed: &[u32],
        known: &mut dyn FnMut(u32) -> Option<u64>,
    ) {
        let plan = (module, &self.graph, &self.nodes, &self.base);
        solution.solve(plan, running == Running::All, closed, known);
    }

    fn function(&self, function: usize) -> Option<&FunctionGraph> {
        self.graph.number(function as u32).map(|number| self.graph.get(number))
    }

    /// Returns the blocks of a function, if it has been read.
    pub fn blocks(&self, function: usize) -> Option<&Blocks> {
        self.function(function).map(|function| &function.blocks)
    }

    /// Returns the functions that call a function, each once and in order; `None` if other code may enter it, or it has not been read.
    pub fn callers(&self, function: usize) -> Option<Vec<usize>> {
        let function = self.function(function).filter(|function| function.entered.is_none())?;
        let mut callers: Vec<usize> = function.calls.iter().map(|(call, _)| call.caller as usize).collect();
        callers.sort_unstable();
        callers.dedup();
        Some(callers)
    }

    /// The functions with a choice that may be decided, in order.
    pub fn functions(&self) -> Vec<usize> {
        let numbers = self.nodes.choices.chunk_by(|a, b| a.function() == b.function());
        let mut functions: Vec<usize> =
            numbers.map(|choices| self.graph.get(choices[0].function()).function as usize).collect();
        functions.sort_unstable();
        functions
    }

    /// The choices of a function that may be decided, each with its number.
    fn choices(&self, function: usize) -> impl Iterator<Item = (usize, BranchChoice)> {
        let number = self.graph.number(function as u32).unwrap_or(usize::MAX);
        let first = self.nodes.choices.partition_point(|choice| choice.function() < number);
        let following = self.nodes.choices.iter().enumerate().skip(first);
        following.map(|(at, &choice)| (at, choice)).take_while(move |(_, choice)| choice.function() == number)
    }

    /// Returns the module-scope constants without a fixed value that branches of a function depend on, each once and in order: specialization
    /// constants, device constants, and operations on them that are not followed.
    pub fn open_constants(&self, function: usize) -> Vec<u32> {
        let conditions = self.choices(function).map(|(_, choice)| choice.node);
        demanded::open_behind(&self.nodes, self.base.states(), conditions)
    }

    /// Returns the number of values, blocks and edges that [`Flow::solve`] looks at.
    pub fn size(&self) -> usize {
        self.nodes.len() + self.graph.block_count() + self.graph.edge_count()
    }

    /// Returns true if the condition of a choice is computed in its function from module-scope constants: not in memory, and not by callers or
    /// callees.
    pub fn is_local(&self, function: usize, block: usize) -> bool {
        self.choice(function, block).is_some_and(|(_, choice)| choice.is_local)
    }

    /// The choice of a block, with its number.
    fn choice(&self, function: usize, block: usize) -> Option<(usize, BranchChoice)> {
        let place = (self.graph.number(function as u32)? as u32, block as u32);
        let at = self.nodes.choices.binary_search_by_key(&place, |choice| choice.place).ok()?;
        Some((at, self.nodes.choices[at]))
    }

    /// Returns the choices which open constants may decide, in order, each constant of a choice once.
    pub fn dependences(&self, module: &Module) -> Vec<Dependence> {
        dependence::find(module, &self.graph, &self.nodes, self.base.states())
    }
}

/// The outcome of [`Flow::solve`].
#[derive(Clone, Copy)]
pub struct FlowOutcome<'f> {
    flow: &'f Flow,
    solution: &'f Solution,
}

impl<'f> FlowOutcome<'f> {
    /// Returns true if a block of a function can run. Functions that have not been read run.
    pub fn runs(self, function: usize, block: usize) -> bool {
        let region = |function: &FunctionGraph| self.flow.base.regions.of_block(function.block(block));
        self.flow.function(function).is_none_or(|function| self.solution.runs[region(function)])
    }

    /// The branches of a function that are decided, in order. A switch with a single case has no choice.
    pub fn decisions(self, function: usize) -> impl Iterator<Item = Decision> + use<'f> {
        self.decided(function).map(|(_, decision)| decision)
    }

    /// Returns the targets that switches of a function never take, with the numbers of their blocks and in order. A switch that is decided has
    /// none.
    pub fn closed(self, module: &Module, function: usize) -> Vec<ClosedTarget> {
        let Flow { graph, nodes, .. } = self.flow;
        let mut closed = Vec::new();
        for (at, choice) in self.flow.choices(function) {
            let Some(possible) = self.solution.possible_targets(module, graph, nodes, at) else { continue };
            let successors = graph.get(choice.function()).blocks.successors(choice.block());
            let never = successors.filter(|target| !possible.contains(target));
            closed.extend(never.map(|target| (choice.place.1, target as u32)));
        }
        closed
    }

    /// Returns true if a branch of a function is decided, or a target of a switch never taken, that other values of constants would leave open.
    pub fn is_decided_by_constants(self, module: &Module, function: usize) -> bool {
        let Flow { graph, without_values, .. } = self.flow;
        let closed =
            || graph.number(function as u32).map_or(0, |number| without_values.closed[number] as usize);
        self.decided(function).any(|(choice, _)| without_values.taken[choice] == solve::OPEN)
            || self.closed(module, function).len() > closed()
    }

    fn decided(self, function: usize) -> impl Iterator<Item = (usize, Decision)> + use<'f> {
        self.flow.choices(function).filter_map(move |(at, choice)| {
            let target = self.target(at)?;
            let blocks = &self.flow.graph.get(choice.function()).blocks;
            let chooses = blocks.successors(choice.block()).nth(1).is_some();
            (chooses && self.runs(function, choice.block())).then_some((at, (choice.place.1, target)))
        })
    }

    fn target(self, choice: usize) -> Option<u32> {
        Some(self.solution.taken[choice]).filter(|&target| target != solve::OPEN)
    }

    /// Returns the only possible successor of a running block with a choice, and the value of the condition or selector. Returns `None` if
    /// several are possible.
    pub fn choice(self, function: usize, block: usize) -> Option<(usize, u64)> {
        let (at, choice) = self.flow.choice(function, block)?;
        Some((self.target(at)? as usize, self.solution.value(choice.node)?))
    }
}
