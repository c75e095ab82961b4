//! Calls whose values decide branches of the callee that other calls leave open. In a copy of the function for these calls, the branches
//! can be folded.

use std::collections::BTreeMap;

use super::graph::FunctionGraph;
use super::nodes::ValueUser;
use super::solve::Solution;
use super::{Flow, FlowOutcome, Running};
use crate::collections::sort_by_key;
use crate::loader::Module;

/// The bounds of clones for calls that decide branches.
#[derive(Clone, Copy, Debug)]
pub struct CallCloneLimits {
    /// The groups of calls that are tried for one function.
    pub groups: usize,
    /// The values, blocks and edges that the trials of one round look at.
    pub work: usize,
    /// The share of a module by which the clones of one round may make it grow, in percent of its words.
    pub growth: usize,
    /// The rounds, and so the depth of calls to which arguments are followed.
    pub rounds: usize,
}

impl Default for CallCloneLimits {
    fn default() -> CallCloneLimits {
        CallCloneLimits { groups: 32, work: 1 << 22, growth: 25, rounds: 4 }
    }
}

/// A function with calls that decide branches in it.
#[derive(Debug)]
pub struct DecidingCalls {
    /// The function's number, as in [`Module::functions`].
    pub function: usize,
    pub groups: Vec<CallGroup>,
    /// The number of all calls of the function.
    calls: usize,
    /// True if no other calls of the function run.
    is_complete: bool,
    /// The words of the blocks of the function that run.
    running: usize,
}

/// Calls of a function with the same values.
#[derive(Debug)]
pub struct CallGroup {
    /// Offsets of the calls, in words.
    pub calls: Vec<u32>,
    /// The words of the blocks of the function that run for these calls.
    running: usize,
}

impl DecidingCalls {
    /// Returns true if all calls are in one of the groups.
    pub fn has_all_calls(&self) -> bool {
        self.groups.iter().map(|group| group.calls.len()).sum::<usize>() == self.calls
    }

    /// Returns the number of words that no longer run if each group has a copy.
    pub fn gain(&self) -> usize {
        self.groups.iter().map(|group| self.running - group.running).sum()
    }

    /// Returns the words by which the module grows with a copy for each group.
    pub fn growth(&self) -> isize {
        let copies: usize = self.groups.iter().map(|group| group.running).sum();
        copies as isize - if self.is_complete { self.running as isize } else { 0 }
    }
}

/// Calls with the same values: offset and edge of each.
type CallsWithEdges = Vec<(u32, u32)>;

/// Values that some calls pass for an input of the callee that not all calls decide, by input.
pub(super) type InputValues = BTreeMap<u32, u64>;

impl Flow {
    /// Finds the functions with calls that decide branches in them, with the known values of constants. Also returns
    /// what these values decide in the module; `None` if that was not required.
    pub fn deciding_calls(
        &self,
        module: &Module,
        limits: &CallCloneLimits,
        known: &mut dyn FnMut(u32) -> Option<u64>,
    ) -> (Vec<DecidingCalls>, Option<Solution>) {
        if !self.graph.functions().iter().any(|function| self.may_differ(function)) {
            return (Vec::new(), None);
        }
        let (mut solution, mut trial) = <(Solution, Solution)>::default();
        self.solve(module, &mut solution, Running::Called, known);
        let mut left = limits.work;
        let mut deciding_functions = Vec::new();
        for function in self.graph.functions().iter().filter(|function| self.may_differ(function)) {
            let Some((groups, is_complete)) = self.groups(function, &solution) else { continue };
            if groups.len() > limits.groups {
                continue;
            }
            let running = self.running(function, &solution);
            let mut deciding = Vec::new();
            for group in &groups {
                let Some(rest) = left.checked_sub(self.size()) else { break };
                left = rest;
                let is_of_group = |offset| group.iter().any(|&(call_offset, _)| call_offset == offset);
                let others = function.calls.iter().filter(|(call, _)| !is_of_group(call.offset));
                let mut closed: Vec<u32> = others.map(|&(_, edge)| edge).collect();
                closed.sort_unstable();
                self.solve_without(module, &mut trial, Running::Called, &closed, known);
                let running_words = self.running(function, &trial);
                if running_words < running {
                    let calls = group.iter().map(|&(offset, _)| offset).collect();
                    deciding.push(CallGroup { calls, running: running_words });
                }
            }
            if !deciding.is_empty() {
                let is_complete = is_complete && deciding.len() == groups.len();
                deciding_functions.push(DecidingCalls {
                    function: function.function as usize,
                    groups: deciding,
                    calls: function.calls.len(),
                    is_complete,
                    running,
                });
            }
        }
        (deciding_functions, Some(solution))
    }

    /// Returns true if only calls enter a function, it has several calls, and branches may depend on the passed values.
    fn may_differ(&self, function: &FunctionGraph) -> bool {
        let passes = |&(_, edge): &(_, u32)| !self.nodes.edge_uses(edge as usize).is_empty();
        function.entered.is_none() && function.calls.len() > 1 && function.calls.iter().any(passes)
    }

    /// Groups the calls of a function that run with values from constants, by value: offset and edge of each. Also returns true if these
    /// are all calls that run. Returns `None` if no call has such values.
    fn groups(&self, function: &FunctionGraph, solution: &Solution) -> Option<(Vec<CallsWithEdges>, bool)> {
        let mut groups: BTreeMap<InputValues, CallsWithEdges> = BTreeMap::new();
        let mut is_complete = true;
        for &(call, edge) in function.calls.iter().filter(|&&(_, edge)| solution.edges[edge as usize]) {
            let values = self.values(edge, solution);
            match !values.is_empty() && self.passed_without_values(edge) != Some(&values) {
                true => groups.entry(values).or_default().push((call.offset, edge)),
                false => is_complete = false,
            }
        }
        // One group of all calls has nothing that the function has not.
        let is_useless = groups.is_empty() || is_complete && groups.len() == 1;
        (!is_useless).then(|| (groups.into_values().collect(), is_complete))
    }

    /// Returns the values that calls pass to functions with several, by edge and in order.
    pub(super) fn passed_values(&self, solution: &Solution) -> Vec<(u32, InputValues)> {
        let functions = self.graph.functions().iter().filter(|function| self.may_differ(function));
        let edges = functions.flat_map(|function| &function.calls).map(|&(_, edge)| edge);
        let values = edges.map(|edge| (edge, self.values(edge, solution)));
        let mut passed: Vec<(u32, InputValues)> = values.filter(|(_, values)| !values.is_empty()).collect();
        sort_by_key(&mut passed, |&(edge, _)| edge);
        passed
    }

    fn passed_without_values(&self, edge: u32) -> Option<&InputValues> {
        let passed = &self.without_values.passed;
        let at = passed.binary_search_by_key(&edge, |&(other, _)| other).ok()?;
        Some(&passed[at].1)
    }

    fn values(&self, edge: u32, solution: &Solution) -> InputValues {
        let mut values = InputValues::new();
        for used in self.nodes.edge_uses(edge as usize) {
            let ValueUser::Phi { node, input } = self.nodes.user(*used) else { continue };
            let value = solution.value(self.nodes.phi_input(input).node);
            if let (None, Some(value)) = (solution.value(node as u32), value) {
                values.insert(node as u32, value);
            }
        }
        values
    }

    /// Returns the words of the blocks of a function that run.
    fn running(&self, function: &FunctionGraph, solution: &Solution) -> usize {
        let solved = FlowOutcome { flow: self, solution };
        let blocks = function.blocks.iter().enumerate();
        let runs = blocks.filter(|&(at, _)| solved.runs(function.function as usize, at));
        runs.map(|(_, block)| (block.end - block.start) as usize).sum()
    }
}
