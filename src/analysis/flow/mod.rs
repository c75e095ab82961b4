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
use solve::{Base, Solution};

/// Propagates constants through the functions of a module, one after the other.
pub struct Flow<'m> {
    module: &'m Module<'m>,
    /// Functions that were read and have a choice, in order.
    kept: Vec<Read>,
    /// The function that was read last of those that are not kept.
    other: Read,
    /// The place of the function that was read last among those that are kept, if it is.
    current: Option<usize>,
    /// The starts of functions without a choice that may be decided.
    undecidable: BTreeSet<u32>,
    /// The bytes that the functions take that are kept, and those that they may.
    kept_size: usize,
    most_kept: usize,
    solution: Solution,
    /// Scratch memory of [`Nodes::read`].
    scalars: Vec<u32>,
}

/// A function that was read.
#[derive(Default)]
struct Read {
    /// Its start, and what reading it gave.
    function: Option<(u32, bool)>,
    blocks: Blocks,
    nodes: Nodes,
    base: Base,
}

/// A branch with one possible target: the numbers of its block and of the target.
pub type Decision = (u32, u32);

/// The words of a module whose functions are kept at most: where there are many, memory that is used again is worth more.
const MOST_WORDS: usize = 1 << 18;

impl<'m> Flow<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Flow<'m> {
        Flow {
            module,
            kept: Vec::new(),
            other: Read::default(),
            current: None,
            undecidable: BTreeSet::new(),
            kept_size: 0,
            most_kept: 0,
            solution: Solution::default(),
            scalars: Vec::new(),
        }
    }

    /// The same, where functions need not be read again as long as they take no more memory than the module.
    pub fn keeping(module: &'m Module<'m>) -> Flow<'m> {
        let words = module.words();
        let most_kept = if words.len() <= MOST_WORDS { size_of_val(words) } else { 0 };
        Flow { most_kept, ..Flow::new(module) }
    }

    /// Gives back the memory that only reading takes, unless a function is not kept and will be read again.
    pub fn drop_tables(&mut self) {
        if !self.other.function.is_some_and(|(_, chooses)| chooses) {
            (self.scalars, self.other) = (Vec::new(), Read::default());
        }
    }

    /// Reads a function. True if its blocks are valid and one of them has a choice, a conditional branch or a switch; otherwise there
    /// is nothing to solve. Where functions are kept, only choices count that may be decided.
    pub fn read(&mut self, function: &Function) -> bool {
        let start = function.start;
        let kept = self.kept.binary_search_by_key(&Some((start, true)), |read| read.function);
        self.current = kept.ok();
        if self.current.is_some() {
            return true;
        }
        if let Some((_, chooses)) = self.other.function.filter(|&(own, _)| own == start) {
            return chooses;
        }
        if self.undecidable.contains(&start) {
            return false;
        }
        let Read { blocks, nodes, base, .. } = &mut self.other;
        nodes.clear();
        *base = Base::default();
        let mut chooses = blocks.read_choices(self.module, function);
        if chooses {
            self.scalars.resize(self.module.bound() as usize, 0);
            nodes.read(self.module, blocks, &mut self.scalars);
            *base = Base::of(self.module, blocks, nodes, &mut self.solution);
            chooses = self.most_kept == 0 || nodes.decide();
        }
        self.other.function = Some((start, chooses));
        match (chooses, kept) {
            _ if self.most_kept == 0 => {}
            (true, Err(place)) => self.keep(place),
            _ => drop(self.undecidable.insert(start)),
        }
        chooses
    }

    /// Keeps the function that was read last, if it is the first, whose memory is there anyway, or there is room.
    fn keep(&mut self, place: usize) {
        let Read { blocks, nodes, base, .. } = &mut self.other;
        let size = blocks.size() + nodes.size() + base.size();
        if self.kept.is_empty() || self.kept_size + size <= self.most_kept {
            blocks.shrink();
            nodes.shrink();
            self.kept_size += size;
            self.kept.reserve_exact(1);
            self.kept.insert(place, std::mem::take(&mut self.other));
            self.current = Some(place);
        }
    }

    fn last(&self) -> &Read {
        self.current.map_or(&self.other, |at| &self.kept[at])
    }

    /// The blocks of the function that was read last. If [`Flow::read`] was false, they have no edges.
    pub fn blocks(&self) -> &Blocks {
        &self.last().blocks
    }

    /// The module-scope constants without a fixed value that branches of the function depend on, each once: specialization
    /// constants, device constants, and operations on them.
    pub fn open_constants(&self) -> impl Iterator<Item = u32> {
        self.last().nodes.open.iter().map(|&(_, id)| id)
    }

    /// Propagates constants through the function that was read last. `known` gives the value of each of [`Flow::open_constants`]
    /// (its bits, those above the width zero); if it has none, that of an operation follows from its operands.
    pub fn solve(&mut self, known: &mut dyn FnMut(u32) -> Option<u64>) {
        let Read { blocks, nodes, base, .. } = self.current.map_or(&self.other, |at| &self.kept[at]);
        self.solution.solve(self.module, blocks, nodes, base, known);
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

    /// The branches that are decided, in order. A switch with a single case has no choice.
    pub fn decisions(&self) -> impl Iterator<Item = Decision> {
        let blocks = self.blocks();
        let decided = self.solution.taken.iter().enumerate().filter(|&(_, &target)| target != solve::OPEN);
        let chooses = move |&(block, _): &(usize, &u32)| {
            self.solution.runs[block] && blocks.successors(block).nth(1).is_some()
        };
        decided.filter(chooses).map(|(block, &target)| (block as u32, target))
    }

    /// The value of the condition or selector of a block that runs and has a choice, if it is known.
    pub fn condition(&self, block: usize) -> Option<u64> {
        self.solution.value(self.last().nodes.conditions[block])
    }
}
