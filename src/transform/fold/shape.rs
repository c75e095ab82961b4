//! The control flow after folding: the kept blocks, their successors, and their merge instructions.

use spirv::Op;

use crate::analysis::flow::{Blocks, Decision, Merge};
use crate::loader::Module;

/// The decision about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockFate {
    /// It is kept, though its terminator may change.
    Kept,
    /// It is removed.
    Removed,
    /// It is unreachable, but a merge instruction names it as the merge block.
    Unreachable,
    /// It is unreachable, but a merge instruction names it as the continue target.
    Continue {
        /// The header of the loop, to which it must branch.
        header: usize,
    },
}

/// The blocks of a function after folding, by number.
pub struct Shape<'f> {
    pub blocks: &'f Blocks,
    /// The only successor, if that is decided.
    pub taken: Vec<Option<usize>>,
    pub fates: Vec<BlockFate>,
    /// The merge instructions of the blocks after folding.
    pub merges: Vec<Option<Merge>>,
    /// The block that a block's merge instruction comes from, if it is not its own.
    pub moved: Vec<Option<usize>>,
    /// True if the module must have structured control flow.
    structured: bool,
    /// The number of merge instructions that name a block.
    named: Vec<u32>,
    /// Scratch for [`Shape::release`]: the header that a block was last found to belong to.
    owner: Vec<usize>,
    /// By header without a merge instruction any more: its merge block, if all that runs between the two leads only there. Else 0.
    skips: Vec<usize>,
}

/// The decision about the merge instruction of a header whose branch is decided.
enum Release {
    /// It is removed.
    Drop,
    /// It moves to this block, whose conditional branch to the merge block requires it.
    Move(usize),
    /// Constructs inside branch to the merge block, which only a switch allows: the header remains one, with a single case.
    Keep,
    /// It cannot be determined: the branch is kept.
    Undo,
}

impl<'f> Shape<'f> {
    /// The shape of a function with these blocks, if any branch in it is decided.
    pub fn of(
        module: &Module,
        blocks: &'f Blocks,
        decided: impl Iterator<Item = Decision>,
        structured: bool,
    ) -> Option<Shape<'f>> {
        let mut taken = Vec::new();
        for (block, target) in decided {
            if taken.is_empty() {
                taken = vec![None; blocks.len()];
            }
            taken[block as usize] = Some(target as usize);
        }
        if taken.is_empty() {
            return None;
        }
        let mut shape = Shape {
            blocks,
            taken,
            fates: Vec::new(),
            merges: Vec::new(),
            moved: Vec::new(),
            structured,
            named: Vec::new(),
            owner: Vec::new(),
            skips: Vec::new(),
        };
        let loops = if structured { shape.loops() } else { Vec::new() };
        for looped in &loops {
            // Each loop has a branch back.
            if shape.taken[looped.back].is_some_and(|target| target != looped.header) {
                shape.taken[looped.back] = None;
            }
        }
        // Each round keeps a branch that was to be removed.
        loop {
            shape.find_fates();
            if !shape.keep_back_edges(&loops) && shape.find_merges(module, structured) {
                break;
            }
        }
        shape.keep_named_blocks();
        shape.taken.iter().any(Option::is_some).then_some(shape)
    }

    /// The start of a block, with the lines before it.
    pub fn begin(&self, block: usize) -> u32 {
        let before = block.checked_sub(1).map(|before| self.blocks.get(before).end);
        before.unwrap_or(self.blocks.get(block).start)
    }

    /// True if a kept block leads to another one.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        self.is_kept(from)
            && match self.taken[from] {
                Some(taken) => taken == to,
                None => self.blocks.successors(from).any(|next| next == to),
            }
    }

    /// The continue target of a loop header, if it is unreachable.
    pub fn continues(&self, header: usize) -> Option<usize> {
        let Some(Merge::Loop { continues, .. }) = self.merges[header] else { return None };
        (self.fates[continues] == BlockFate::Continue { header }).then_some(continues)
    }

    /// The successors of a block, and before them the blocks that its merge instruction names, if that restricts the order of blocks:
    /// in kernels it does not.
    pub fn following(&self, block: usize) -> impl Iterator<Item = usize> {
        let kept = self.fates[block] == BlockFate::Kept;
        let named = self.merges[block].filter(|_| kept && self.structured).into_iter().flat_map(named);
        named.chain(self.next(block).filter(move |_| kept))
    }

    /// Calls a function with the successors of a block, and the unreachable blocks that its merge instruction names.
    pub fn reached(&self, block: usize, mut each: impl FnMut(usize)) {
        if !self.is_kept(block) {
            return;
        }
        match self.taken[block] {
            Some(taken) => each(taken),
            None => self.blocks.successors(block).for_each(&mut each),
        }
        let named = self.merges[block].into_iter().flat_map(named);
        named.filter(|&named| !self.is_kept(named)).for_each(each);
    }

    fn next(&self, block: usize) -> impl Iterator<Item = usize> {
        let taken = self.taken[block];
        self.blocks.successors(block).filter(move |&next| taken.is_none_or(|taken| taken == next))
    }

    fn is_kept(&self, block: usize) -> bool {
        self.fates[block] == BlockFate::Kept
    }

    fn loops(&self) -> Vec<Loop> {
        let mut seen = vec![usize::MAX; self.blocks.len()];
        let found = (0..self.blocks.len()).filter_map(|header| {
            let Merge::Loop { merge, continues } = self.blocks.merge(header)? else { return None };
            Loop::new(self.blocks, header, merge, continues, &mut seen)
        });
        found.collect()
    }

    /// Finds the reachable blocks.
    fn find_fates(&mut self) {
        self.fates.clear();
        self.fates.resize(self.blocks.len(), BlockFate::Removed);
        let mut stack = vec![0];
        self.fates[0] = BlockFate::Kept;
        while let Some(block) = stack.pop() {
            let mut reach = |next: usize| {
                if std::mem::replace(&mut self.fates[next], BlockFate::Kept) != BlockFate::Kept {
                    stack.push(next);
                }
            };
            match self.taken[block] {
                Some(taken) => reach(taken),
                None => self.blocks.successors(block).for_each(reach),
            }
        }
    }

    /// Keeps a path from each kept continue target back to its header: if it is lost, no branch in the continue construct is decided.
    /// Returns true if that was so.
    fn keep_back_edges(&mut self, loops: &[Loop]) -> bool {
        let mut undone = false;
        for looped in loops {
            if self.is_kept(looped.continues) && !self.is_kept(looped.back) {
                for &block in &looped.construct {
                    undone |= self.taken[block].take().is_some();
                }
            }
        }
        undone
    }

    /// Finds the merge instructions that are still required. Returns false if one cannot be determined: then a branch is kept.
    fn find_merges(&mut self, module: &Module, structured: bool) -> bool {
        let size = self.blocks.len();
        self.merges = (0..size).map(|block| self.blocks.merge(block)).collect();
        self.moved = vec![None; size];
        self.owner = vec![usize::MAX; size];
        self.skips = vec![0; size];
        self.named = vec![0; size];
        for block in 0..size {
            if !self.is_kept(block) {
                self.merges[block] = None;
            }
            self.merges[block].into_iter().flat_map(named).for_each(|named| self.named[named] += 1);
        }
        let mut determined = true;
        // In reverse order: inner constructs first.
        for header in (0..size).rev() {
            if self.merges[header].is_none() {
                continue;
            }
            if !structured {
                let lost = self.merges[header].into_iter().flat_map(named).any(|named| !self.is_kept(named));
                if lost || self.taken[header].is_some() {
                    self.merges[header] = None;
                }
                continue;
            }
            let (Some(target), Some(Merge::Selection { merge })) = (self.taken[header], self.merges[header])
            else {
                continue;
            };
            match self.release(module, header, target, merge) {
                Release::Drop => {
                    self.named[merge] -= 1;
                    self.merges[header] = None;
                }
                Release::Move(block) => self.hand_over(header, block),
                Release::Keep => {}
                Release::Undo => {
                    self.taken[header] = None;
                    determined = false;
                }
            }
        }
        determined
    }

    fn hand_over(&mut self, header: usize, block: usize) {
        self.merges[block] = self.merges[header].take();
        self.moved[block] = Some(self.moved[header].take().unwrap_or(header));
    }

    /// Follows a decided selection from one block to the next, past the constructs inside of it. If a conditional branch leaves it for
    /// the merge block, that branch requires the merge instruction.
    fn release(&mut self, module: &Module, header: usize, target: usize, merge: usize) -> Release {
        if !self.is_kept(merge) {
            return Release::Drop;
        }
        let mut first = None;
        let mut leaves = false;
        let mut block = target;
        // Blocks come after those that dominate them, so a branch back leaves the selection.
        while block != merge && block > header && self.owner[block] != header {
            self.owner[block] = header;
            if let Some(Merge::Selection { merge: inner } | Merge::Loop { merge: inner, .. }) =
                self.merges[block]
            {
                if !self.is_kept(inner) {
                    break;
                }
                block = inner;
                continue;
            }
            if self.skips[block] != 0 {
                block = self.skips[block];
                continue;
            }
            let (mut count, mut leads_to_merge) = (0, false);
            let (mut inside, mut only) = (0, merge);
            for next in self.next(block) {
                count += 1;
                leads_to_merge |= next == merge;
                if self.named[next] == 0 {
                    (inside, only) = (inside + 1, next);
                }
            }
            leaves |= count > 1;
            if count > 1 && leads_to_merge {
                first = first.or(Some(block));
            }
            match inside {
                1 => block = only,
                // Only exits.
                0 => {
                    if count == 1 && leads_to_merge {
                        block = merge;
                    }
                    break;
                }
                _ => return Release::Undo,
            }
        }
        let enters = |from: &usize| *from != header && self.leads(*from, merge);
        let nested = |from: usize| self.owner[from] != header || self.merges[from].is_some();
        match (self.blocks.predecessors(merge).filter(enters).any(nested), first) {
            (true, _) => {
                let switch = module.instruction(self.blocks.get(header).terminator).is(Op::Switch);
                if switch { Release::Keep } else { Release::Undo }
            }
            (false, Some(block)) => Release::Move(block),
            (false, None) => {
                if block == merge && !leaves {
                    self.skips[header] = merge;
                }
                Release::Drop
            }
        }
    }

    /// Keeps the unreachable blocks that merge instructions name.
    fn keep_named_blocks(&mut self) {
        for header in 0..self.blocks.len() {
            let Some(Merge::Selection { merge } | Merge::Loop { merge, .. }) = self.merges[header] else {
                continue;
            };
            if self.fates[merge] == BlockFate::Removed {
                self.fates[merge] = BlockFate::Unreachable;
            }
        }
        for header in 0..self.blocks.len() {
            if let Some(Merge::Loop { continues, .. }) = self.merges[header]
                && !self.is_kept(continues)
            {
                self.fates[continues] = BlockFate::Continue { header };
            }
        }
    }
}

fn named(merge: Merge) -> impl Iterator<Item = usize> {
    let (merge, continues) = match merge {
        Merge::Selection { merge } => (merge, None),
        Merge::Loop { merge, continues } => (merge, Some(continues)),
    };
    [Some(merge), continues].into_iter().flatten()
}

/// A loop, as its merge instruction describes it.
struct Loop {
    header: usize,
    continues: usize,
    /// The block that branches back to the header.
    back: usize,
    /// The blocks of the continue construct.
    construct: Vec<usize>,
}

impl Loop {
    /// Reads a loop. `seen` holds for every block the header of the last loop that reached it.
    fn new(
        blocks: &Blocks,
        header: usize,
        merge: usize,
        continues: usize,
        seen: &mut [usize],
    ) -> Option<Loop> {
        let mut construct = vec![continues];
        let mut at = 0;
        let mut back = None;
        seen[continues] = header;
        while at < construct.len() {
            for next in blocks.successors(construct[at]) {
                if next == header {
                    back = back.or(Some(construct[at]));
                } else if next != merge && std::mem::replace(&mut seen[next], header) != header {
                    construct.push(next);
                }
            }
            at += 1;
        }
        Some(Loop { header, continues, back: back?, construct })
    }
}
