//! The call graph of a module: its direct calls, and the strongly connected components of its functions. What may call a function by other means,
//! or under a condition only, is in the reference graph.

pub mod scc;
#[cfg(test)]
mod tests;

use spirv::Op;

use crate::loader::{Module, views};
use scc::{ConnectedGroups, referred_first};

/// A direct call. Functions are numbered as in [`Module::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectCall {
    /// The function with the call.
    pub caller: u32,
    /// Offset of the OpFunctionCall, in words.
    pub offset: u32,
    /// The function that is called.
    pub callee: u32,
}

/// The direct calls of a module.
#[derive(Debug)]
pub struct DirectCalls {
    /// Calls in the order of the module.
    calls: Vec<DirectCall>,
    /// Numbers of calls, by callee.
    by_callee: Vec<u32>,
    /// Starts of the rows of `by_callee`.
    starts: Vec<u32>,
    groups: ConnectedGroups,
    /// True for each function that may call itself, also through others.
    is_recursive: Vec<bool>,
}

impl DirectCalls {
    /// Finds the calls of a module. Each defines an id, so no body is read.
    pub fn new(module: &Module) -> DirectCalls {
        let functions = module.functions();
        let offsets = module.definitions_with(Op::FunctionCall);
        let mut calls = Vec::with_capacity(offsets.len());
        let mut caller = 0;
        for offset in offsets {
            while functions.get(caller).is_some_and(|function| function.end <= offset) {
                caller += 1;
            }
            let callee = views::FunctionCall(module.instruction(offset)).callee();
            let is_inside = functions.get(caller).is_some_and(|function| function.start < offset);
            if let Some(callee) = module.function_index(callee).filter(|_| is_inside) {
                calls.push(DirectCall { caller: caller as u32, offset, callee: callee as u32 });
            }
        }
        let mut starts = vec![0; functions.len() + 1];
        calls.iter().for_each(|call| starts[call.callee as usize + 1] += 1);
        (0..functions.len()).for_each(|at| starts[at + 1] += starts[at]);
        let (mut next, mut by_callee) = (starts.clone(), vec![0; calls.len()]);
        for (number, call) in (0..).zip(&calls) {
            let place = &mut next[call.callee as usize];
            by_callee[*place as usize] = number;
            *place += 1;
        }
        let is_recursive = vec![false; functions.len()];
        let mut all =
            DirectCalls { calls, by_callee, starts, groups: ConnectedGroups::default(), is_recursive };
        let callees = |at, callees: &mut Vec<usize>| callees.extend(all.callees(at));
        all.groups = referred_first(functions.len(), callees);
        for group in all.groups.iter() {
            let is_recursive = group.len() > 1 || all.callees(group[0]).any(|callee| callee == group[0]);
            group.iter().for_each(|&at| all.is_recursive[at] = is_recursive);
        }
        all
    }

    /// Returns the calls in a function, in order.
    pub fn calls_in(&self, function: usize) -> &[DirectCall] {
        let first = self.calls.partition_point(|call| (call.caller as usize) < function);
        let after = self.calls.partition_point(|call| call.caller as usize <= function);
        &self.calls[first..after]
    }

    /// Returns the calls of a function, in order.
    pub fn calls_of(&self, function: usize) -> impl Iterator<Item = DirectCall> {
        let row = self.starts[function] as usize..self.starts[function + 1] as usize;
        self.by_callee[row].iter().map(|&number| self.calls[number as usize])
    }

    /// Returns true if the module calls a function.
    pub fn is_called(&self, function: usize) -> bool {
        self.starts[function] != self.starts[function + 1]
    }

    /// Returns the functions that a function calls, once for each call.
    pub fn callees(&self, function: usize) -> impl Iterator<Item = usize> {
        self.calls_in(function).iter().map(|call| call.callee as usize)
    }

    /// Returns true if a function may call itself, also through others.
    pub fn is_recursive(&self, function: usize) -> bool {
        self.is_recursive[function]
    }

    /// Returns the strongly connected components: functions that call each other. Callees come first.
    pub fn groups(&self) -> impl Iterator<Item = &[usize]> {
        self.groups.iter()
    }

    /// Returns all functions, callees first.
    pub fn callees_first(&self) -> impl Iterator<Item = usize> {
        self.groups.iter().flatten().copied()
    }

    /// Returns these functions and those that they lead to, in no particular order.
    pub fn reached(&self, functions: impl IntoIterator<Item = usize>) -> Vec<usize> {
        let mut is_reached = vec![false; self.is_recursive.len()];
        let mut reached: Vec<usize> = Vec::new();
        let mut open: Vec<usize> = functions.into_iter().collect();
        while let Some(at) = open.pop() {
            if !std::mem::replace(&mut is_reached[at], true) {
                reached.push(at);
                open.extend(self.callees(at));
            }
        }
        reached
    }
}
