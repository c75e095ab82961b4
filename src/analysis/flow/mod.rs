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

use std::collections::BTreeSet;

use crate::loader::{Function, Module};
use nodes::Nodes;
use solve::Solution;

/// Propagates constants through the functions of a module, one after the other.
pub struct Flow<'m> {
    module: &'m Module<'m>,
    /// The function that was read last.
    last: Read,
    /// Others, in no order, without tables by id.
    kept: Vec<Read>,
    /// The starts of other functions without a choice.
    without_choices: BTreeSet<u32>,
    /// The bytes that those may take.
    most_kept: usize,
}

/// A function that was read.
struct Read {
    /// Its start, and what reading it gave.
    function: Option<(u32, bool)>,
    blocks: Blocks,
    nodes: Nodes,
    solution: Solution,
}

/// The words of a module whose functions are kept at most: where there are many, memory that is used again is worth more.
const MOST_WORDS: usize = 1 << 18;

impl<'m> Flow<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Flow<'m> {
        let last = Read::with(vec![0; module.bound() as usize], vec![0; module.bound() as usize]);
        Flow { module, last, kept: Vec::new(), without_choices: BTreeSet::new(), most_kept: 0 }
    }

    /// The same, where functions need not be read again as long as they take less than a quarter of the memory of the module.
    pub fn keeping(module: &'m Module<'m>) -> Flow<'m> {
        let words = module.words();
        let most_kept = if words.len() <= MOST_WORDS { size_of_val(words) / 4 } else { 0 };
        Flow { most_kept, ..Flow::new(module) }
    }

    /// The same without tables by id, which take as much memory as a third of the module: until it has them again, it cannot be used.
    pub fn without_tables(mut self) -> Flow<'m> {
        Read::with(Vec::new(), Vec::new()).take_tables(&mut self.last);
        if self.most_kept != 0 {
            self.last.solution.forget();
        }
        self
    }

    /// The same with tables by id again.
    pub fn with_tables(mut self) -> Flow<'m> {
        let table = || vec![0; self.module.bound() as usize];
        self.last.take_tables(&mut Read::with(table(), table()));
        self
    }

    /// Reads a function. True if its blocks are valid and one of them has a choice, a conditional branch or a switch; otherwise there
    /// is nothing to solve.
    pub fn read(&mut self, function: &Function) -> bool {
        let is_this = |read: &Read| read.function.is_some_and(|(start, _)| start == function.start);
        if let Some((_, chooses)) = self.last.function.filter(|_| is_this(&self.last)) {
            return chooses;
        }
        if self.without_choices.contains(&function.start) {
            return false;
        }
        if let Some(at) = self.kept.iter().position(is_this) {
            self.kept[at].take_tables(&mut self.last);
            self.last.solution.forget();
            std::mem::swap(&mut self.last, &mut self.kept[at]);
            return true;
        }
        if self.keeps_last() {
            let mut next = Read::with(Vec::new(), Vec::new());
            next.take_tables(&mut self.last);
            self.last.solution.forget();
            self.kept.push(std::mem::replace(&mut self.last, next));
        }
        let Read { blocks, nodes, solution, .. } = &mut self.last;
        nodes.clear();
        let chooses = blocks.read_choices(self.module, function);
        if chooses {
            nodes.read(self.module, blocks);
            solution.prepare(self.module, blocks, nodes);
            if self.most_kept != 0 {
                blocks.shrink();
                nodes.shrink();
            }
        } else if self.most_kept != 0 {
            self.without_choices.insert(function.start);
        }
        self.last.function = Some((function.start, chooses));
        chooses
    }

    /// True if there is room for the function that was read last beside those that are kept.
    fn keeps_last(&self) -> bool {
        let chooses = self.last.function.is_some_and(|(_, chooses)| chooses);
        let size = || self.last.size() + self.kept.iter().map(Read::size).sum::<usize>();
        chooses && self.most_kept != 0 && size() <= self.most_kept
    }

    /// The blocks of the function that was read last. If [`Flow::read`] was false, they have no edges.
    pub fn blocks(&self) -> &Blocks {
        &self.last.blocks
    }

    /// The module-scope constants without a fixed value that branches of the function depend on, each once: specialization
    /// constants, device constants, and operations on them.
    pub fn open_constants(&self) -> impl Iterator<Item = u32> {
        self.last.nodes.open.iter().map(|&node| self.last.nodes.nodes[node as usize].id)
    }

    /// Propagates constants through the function that was read last. `known` gives the value of each of [`Flow::open_constants`]
    /// (its bits, those above the width zero); if it has none, that of an operation follows from its operands.
    pub fn solve(&mut self, known: &mut dyn FnMut(u32) -> Option<u64>) {
        let Read { blocks, nodes, solution, .. } = &mut self.last;
        solution.solve(self.module, blocks, nodes, known);
    }

    /// True if a block can run. Blocks are numbered as in [`Flow::blocks`].
    pub fn runs(&self, block: usize) -> bool {
        self.last.solution.runs[block]
    }

    /// The only possible successor of a block that has a choice and can run, if there is only one.
    pub fn decided(&self, block: usize) -> Option<usize> {
        let taken = self.last.solution.taken[block];
        (taken != solve::OPEN).then_some(taken as usize)
    }

    /// The value of the condition or selector of a block that runs and has a choice, if it is known.
    pub fn condition(&self, block: usize) -> Option<u64> {
        self.last.solution.value(self.last.nodes.conditions[block])
    }
}

impl Read {
    /// Nothing yet, with tables by id: of blocks, and of nodes.
    fn with(numbers: Vec<u32>, scalars: Vec<u32>) -> Read {
        let (blocks, nodes) = (Blocks::with(numbers), Nodes::with(scalars));
        Read { function: None, blocks, nodes, solution: Solution::default() }
    }

    /// Takes the tables by id from what was read last.
    fn take_tables(&mut self, last: &mut Read) {
        self.blocks.take_numbers(&mut last.blocks);
        self.nodes.take_scalars(&mut last.nodes);
    }

    /// The bytes that it takes, without tables by id.
    fn size(&self) -> usize {
        self.blocks.size() + self.nodes.size() + self.solution.size()
    }
}
