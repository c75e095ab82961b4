//! Sparse conditional constant propagation (Wegman and Zadeck), over structured and unstructured control flow alike: the blocks of a
//! function that can run, and the values that are known, where some constants are known.
//!
//! Only the values that the conditions of branches depend on are visited. [`Flow::read`] finds them once for a function,
//! [`Flow::solve`] may then be called any number of times, each time with other assumptions. Both take time in proportion to what
//! they visit, and reuse their memory for the next function.

pub mod blocks;
mod dependence;
mod extended;
pub mod loop_phis;
mod nodes;
mod reading;
mod solve;

pub use blocks::{Block, Blocks, Merge};
pub use dependence::Dependence;

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::loader::{Function, Module};
use nodes::{Choice, Nodes};
use reading::Memory;
use solve::{Base, Solution};

/// Propagates constants through the functions of a module, one after the other.
pub struct Flow<'m> {
    module: &'m Module<'m>,
    kept: Kept,
    /// The place of the function that was read last among those that are kept, if it is.
    current: Option<usize>,
    /// The bytes that the functions may take that are kept.
    most_kept: usize,
    scratch: Box<Scratch>,
}

/// What work on the functions of a module leaves for later work.
#[derive(Default)]
pub struct Kept {
    /// A number that no other module has in this process, once there is something.
    owner: usize,
    /// Functions that were read and have a choice, in order.
    functions: Vec<Read>,
    /// The bytes that they take.
    size: usize,
    /// The starts of functions without a choice that may be decided, in order.
    undecidable: Vec<u32>,
    /// Memory that is too large to be a thread's.
    scratch: Option<Box<Scratch>>,
}

/// Memory of which the contents mean nothing to later work.
#[derive(Default)]
struct Scratch {
    /// The number of the module that was the last to use it ([`Kept::owner`]).
    owner: usize,
    /// The function that was read last of those that are not kept.
    other: Read,
    solution: Solution,
    memory: Memory,
}

static OWNERS: AtomicUsize = AtomicUsize::new(1);

thread_local! {
    static SCRATCH: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// The bytes of memory that a thread keeps at most.
const MOST_OF_THREAD: usize = 1 << 18;

/// A function that was read.
#[derive(Default)]
struct Read {
    /// Its start, and what reading it gave.
    function: Option<(u32, bool)>,
    blocks: Blocks,
    nodes: Nodes,
    base: Base,
}

impl Scratch {
    /// The bytes that it takes, those of [`Scratch::other`] by the number of its blocks.
    fn size(&self) -> usize {
        let of_blocks = self.other.blocks.len() * size_of::<Block>();
        self.solution.size() + self.memory.size() + of_blocks
    }
}

/// A branch with one possible target: the numbers of its block and of the target.
pub type Decision = (u32, u32);

/// The words of a module whose functions are kept at most: where there are many, memory that is used again is worth more.
const MOST_WORDS: usize = 1 << 18;

impl<'m> Flow<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Flow<'m> {
        Flow { module, kept: Kept::default(), current: None, most_kept: 0, scratch: Box::default() }
    }

    /// Goes on where other work ended: functions need not be read again as long as they take half more than the module.
    pub fn resume(module: &'m Module<'m>, mut kept: Kept) -> Flow<'m> {
        let words = module.words();
        let most_kept = if words.len() <= MOST_WORDS { size_of_val(words) * 3 / 2 } else { 0 };
        let of_thread = || SCRATCH.try_with(Cell::take).ok().flatten();
        let mut scratch = kept.scratch.take().or_else(of_thread).unwrap_or_default();
        if kept.owner == 0 {
            kept.owner = OWNERS.fetch_add(1, Ordering::Relaxed);
        }
        if std::mem::replace(&mut scratch.owner, kept.owner) != kept.owner {
            scratch.other.function = None;
        }
        Flow { module, kept, current: None, most_kept, scratch }
    }

    /// Ends work. Scratch memory is the thread's, which is what other modules use, unless it is large.
    pub fn end(self) -> Kept {
        let Flow { mut kept, scratch, .. } = self;
        match scratch.size() <= MOST_OF_THREAD {
            true => drop(SCRATCH.try_with(|own| own.set(Some(scratch)))),
            false => kept.scratch = Some(scratch),
        }
        kept
    }

    /// Reads a function. True if its blocks are valid and one of them has a choice, a conditional branch or a switch; otherwise there
    /// is nothing to solve. Where functions are kept, only choices count that may be decided.
    pub fn read(&mut self, function: &Function) -> bool {
        let start = function.start;
        let kept = self.kept.functions.binary_search_by_key(&Some((start, true)), |read| read.function);
        self.current = kept.ok();
        if self.current.is_some() {
            return true;
        }
        let Scratch { other, solution, memory, .. } = &mut *self.scratch;
        if let Some((_, chooses)) = other.function.filter(|&(own, _)| own == start) {
            return chooses;
        }
        if self.kept.undecidable.binary_search(&start).is_ok() {
            return false;
        }
        let Read { blocks, nodes, base, .. } = other;
        nodes.clear();
        *base = Base::default();
        let mut chooses = blocks.read_choices(self.module, function);
        if chooses {
            reading::read(self.module, blocks, nodes, memory);
            *base = Base::of(self.module, blocks, nodes, &memory.constants, solution);
            chooses = self.most_kept == 0 || !nodes.choices.is_empty();
        }
        other.function = Some((start, chooses));
        match (chooses, kept) {
            _ if self.most_kept == 0 => {}
            (true, Err(place)) => self.keep(place),
            _ => {
                let undecidable = &mut self.kept.undecidable;
                let place = undecidable.partition_point(|&other| other < start);
                undecidable.insert(place, start);
            }
        }
        chooses
    }

    /// Keeps the function that was read last, if there is room.
    fn keep(&mut self, place: usize) {
        let Read { blocks, nodes, base, .. } = &mut self.scratch.other;
        let size = size_of::<Read>() + blocks.size() + nodes.size() + base.size();
        if self.kept.size + size <= self.most_kept {
            blocks.shrink();
            nodes.shrink();
            self.kept.size += size;
            self.kept.functions.reserve_exact(1);
            self.kept.functions.insert(place, std::mem::take(&mut self.scratch.other));
            self.current = Some(place);
        }
    }

    fn last(&self) -> &Read {
        self.current.map_or(&self.scratch.other, |at| &self.kept.functions[at])
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

    /// The choices of the function that was read last which its open constants may decide, in order, each constant of a choice once.
    pub fn dependences(&self) -> Vec<Dependence> {
        let Read { blocks, nodes, base, .. } = self.last();
        dependence::find(self.module, blocks, nodes, base.states())
    }

    /// Propagates constants through the function that was read last. `known` gives the value of each of [`Flow::open_constants`]
    /// (its bits, those above the width zero); if it has none, that of an operation follows from its operands.
    pub fn solve(&mut self, known: &mut dyn FnMut(u32) -> Option<u64>) {
        let Scratch { other, solution, .. } = &mut *self.scratch;
        let Read { blocks, nodes, base, .. } = self.current.map_or(&*other, |at| &self.kept.functions[at]);
        solution.solve(self.module, blocks, nodes, base, known);
    }

    /// True if a block can run. Blocks are numbered as in [`Flow::blocks`].
    pub fn runs(&self, block: usize) -> bool {
        self.scratch.solution.runs[self.last().base.regions.of_block(block)]
    }

    /// The number of the choice of a block.
    fn choice(&self, block: usize) -> Option<usize> {
        self.last().nodes.choices.binary_search_by_key(&(block as u32), |choice| choice.block).ok()
    }

    /// The only possible successor of a block that has a choice and can run, if there is only one.
    pub fn decided(&self, block: usize) -> Option<usize> {
        let taken = self.scratch.solution.taken[self.choice(block)?];
        (taken != solve::OPEN).then_some(taken as usize)
    }

    /// The branches that are decided, in order. A switch with a single case has no choice.
    pub fn decisions(&self) -> impl Iterator<Item = Decision> {
        let Read { blocks, nodes, .. } = self.last();
        let decided = nodes.choices.iter().zip(&self.scratch.solution.taken);
        decided.map(|(&Choice { block, .. }, &target)| (block, target)).filter(move |&(block, target)| {
            let block = block as usize;
            target != solve::OPEN && self.runs(block) && blocks.successors(block).nth(1).is_some()
        })
    }

    /// The value of the condition or selector of a block that runs and has a choice, if it is known.
    pub fn condition(&self, block: usize) -> Option<u64> {
        self.scratch.solution.value(self.last().nodes.choices[self.choice(block)?].node)
    }
}
