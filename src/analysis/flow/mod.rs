//! Sparse conditional constant propagation (Wegman and Zadeck), over structured and unstructured control flow alike: the blocks of a
//! function that can run, and the values that are known, where some constants are known.
//!
//! Only the values that the conditions of branches depend on are visited. [`Flow::read`] finds them once for a function,
//! [`Flow::solve`] may then be called any number of times, each time with other assumptions. Both take time in proportion to what
//! they visit, and reuse their memory for the next function.

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
    /// The start of the function that was read last, and what reading it gave.
    read: Option<(u32, bool)>,
}

impl<'m> Flow<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Flow<'m> {
        let (blocks, nodes) = (Blocks::new(module), Nodes::new(module));
        Flow { module, blocks, nodes, solution: Solution::default(), read: None }
    }

    /// Reads a function. True if its blocks are valid and one of them has a choice, a conditional branch or a switch; otherwise there
    /// is nothing to solve.
    pub fn read(&mut self, function: &Function) -> bool {
        if let Some((start, chooses)) = self.read
            && start == function.start
        {
            return chooses;
        }
        self.nodes.clear();
        let chooses = self.blocks.read_choices(self.module, function);
        if chooses {
            self.nodes.read(self.module, &self.blocks);
            self.solution.prepare(self.module, &self.blocks, &self.nodes);
        }
        self.read = Some((function.start, chooses));
        chooses
    }

    /// The blocks of the function that was read last. If [`Flow::read`] was false, they have no edges.
    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    /// The module-scope constants without a fixed value that branches of the function depend on, each once: specialization
    /// constants, device constants, and operations on them.
    pub fn open_constants(&self) -> impl Iterator<Item = u32> {
        self.nodes.open.iter().map(|&node| self.nodes.nodes[node as usize].id)
    }

    /// Propagates constants through the function that was read last. `known` gives the value of each of [`Flow::open_constants`]
    /// (its bits, those above the width zero); if it has none, that of an operation follows from its operands.
    pub fn solve(&mut self, known: &mut dyn FnMut(u32) -> Option<u64>) {
        self.solution.solve(self.module, &self.blocks, &self.nodes, known);
    }

    /// True if a block can run. Blocks are numbered as in [`Flow::blocks`].
    pub fn runs(&self, block: usize) -> bool {
        self.solution.runs[block]
    }

    /// The only possible successor of a block that has a choice and can run, if there is only one.
    pub fn decided(&self, block: usize) -> Option<usize> {
        let taken = self.solution.taken[block];
        (taken != solve::OPEN).then_some(taken as usize)
    }

    /// The value of the condition or selector of a block that runs and has a choice, if it is known.
    pub fn condition(&self, block: usize) -> Option<u64> {
        self.solution.value(self.nodes.conditions[block])
    }
}
