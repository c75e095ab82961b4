//! Which blocks of a function can run, and which values are known, where some constants are known: sparse conditional constant
//! propagation (Wegman and Zadeck), over structured and unstructured control flow alike.
//!
//! Only what the conditions of branches depend on is looked at. [`Flow::read`] finds that once for a function, [`Flow::solve`]
//! may then be asked any number of times, each time with other assumptions. Both take time in proportion to what they look at,
//! and memory that the next function uses again.

pub mod blocks;
mod extended;
pub mod loop_phis;
mod nodes;
mod solve;

pub use blocks::{Block, Blocks, Merge};

use crate::loader::{Function, Module};
use nodes::Nodes;
use solve::Solution;

/// Propagates constants through the functions of a module, one after the other.
pub struct Flow<'m> {
    module: &'m Module<'m>,
    blocks: Blocks,
    nodes: Nodes,
    solution: Solution,
}

impl<'m> Flow<'m> {
    /// Nothing read yet.
    pub fn new(module: &'m Module<'m>) -> Flow<'m> {
        Flow { module, blocks: Blocks::new(module), nodes: Nodes::new(module), solution: Solution::default() }
    }

    /// Reads a function. Whether it has a choice to make: a conditional branch or a switch, in blocks that make sense. If not,
    /// there is nothing to solve.
    pub fn read(&mut self, function: &Function) -> bool {
        self.nodes.clear();
        let chooses = self.blocks.read_choices(self.module, function);
        if chooses {
            self.nodes.read(self.module, &self.blocks);
        }
        chooses
    }

    /// The blocks of the function that was read last. Where [`Flow::read`] was false, they have no edges.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The constants at module scope without a value of their own that decide something in the function, each once:
    /// specialization constants, device constants, and operations on them.
    pub fn open_constants(&self) -> impl Iterator<Item = u32> {
        self.nodes.open.iter().map(|&node| self.nodes.nodes[node as usize].id)
    }

    /// Works out what happens in the function that was read last. `known` is asked for the value of each of
    /// [`Flow::open_constants`] (its bits, those above the width zero); where it knows none, that of an operation follows from
    /// its operands.
    pub fn solve(&mut self, known: &mut dyn FnMut(u32) -> Option<u64>) {
        self.solution.solve(self.module, &self.blocks, &self.nodes, known);
    }

    /// Whether a block can run. Blocks by number, as [`Flow::blocks`] has them.
    pub fn runs(&self, block: usize) -> bool {
        self.solution.runs[block]
    }

    /// The only block that can follow a block that has a choice and can run, if that is decided.
    pub fn decided(&self, block: usize) -> Option<usize> {
        let taken = self.solution.taken[block];
        (taken != solve::OPEN).then_some(taken as usize)
    }
}
