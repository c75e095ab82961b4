//! The control flow after folding: the kept blocks, their successors, and their merge instructions.

use spirv::Op;

use crate::analysis::flow::{BlockMerge, Blocks, ClosedTarget, Decision};
use crate::loader::Module;

/// Stands for the absence of a block.
const NONE: u32 = u32::MAX;

/// The decision about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockAction {
    /// The block is kept, though its terminator may change.
    Kept,
    /// The block is removed.
    Removed,
    /// The block is unreachable, but a merge instruction names it as the merge block.
    Unreachable,
    /// The block is unreachable, but a merge instruction names it as the continue target.
    Continue {
        /// The header of the loop, to which it must branch.
        header: u32,
    },
}

/// The branches of a function that are decided, with the numbers of blocks.
pub struct DecidedBranches {
    /// The branches with one possible target, in order.
    pub taken: Vec<Decision>,
    /// The targets that other switches never take, in order.
    pub closed: Vec<ClosedTarget>,
}

impl DecidedBranches {
    /// Adds decisions about branches that are not decided. Returns false if there are none.
    pub fn add(&mut self, decisions: Vec<Decision>) -> bool {
        let count = self.taken.len();
        for (block, target) in decisions {
            if let Err(place) = self.taken.binary_search_by_key(&block, |&(block, _)| block) {
                self.taken.insert(place, (block, target));
                self.closed.retain(|&(switch, _)| switch != block);
            }
        }
        self.taken.len() > count
    }
}

/// The blocks of a function after folding, by number.
pub struct FoldedBlocks<'f> {
    pub blocks: &'f Blocks,
    /// True if the module must have structured control flow.
    structured: bool,
    tables: &'f mut BlockTables,
}

/// Tables by block, whose memory is reused from function to function.
#[derive(Debug, Default)]
pub struct BlockTables {
    /// The only successor, if that is decided, or [`NONE`].
    taken: Vec<u32>,
    /// The targets of switches that are removed, with their blocks and in order.
    closed: Vec<ClosedTarget>,
    actions: Vec<BlockAction>,
    /// Blocks that the merge instructions name after folding.
    merges: Vec<MergeTargets>,
    /// The block that a block's merge instruction comes from, if it is not its own, or [`NONE`].
    moved: Vec<u32>,
    /// The number of merge instructions that name a block.
    named: Vec<u32>,
    /// Scratch for [`FoldedBlocks::release`]: the header that a block was last found to belong to.
    owner: Vec<u32>,
    /// Merge block of each header without a merge instruction, if all blocks between them lead only to it. Else 0.
    skips: Vec<u32>,
    loops: Vec<Loop>,
    /// The blocks of the continue constructs of all loops.
    constructs: Vec<u32>,
    /// Blocks that are still to be visited.
    stack: Vec<u32>,
}

/// The blocks that a merge instruction names; twice [`NONE`] without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MergeTargets {
    merge: u32,
    /// [`NONE`] for a selection.
    continues: u32,
}

impl MergeTargets {
    const NOTHING: MergeTargets = MergeTargets { merge: NONE, continues: NONE };

    fn is_some(self) -> bool {
        self.merge != NONE
    }

    fn blocks(self) -> impl Iterator<Item = usize> {
        [self.merge, self.continues].into_iter().filter(|&block| block != NONE).map(|block| block as usize)
    }
}

fn some(block: u32) -> Option<usize> {
    (block != NONE).then_some(block as usize)
}

fn fill<T: Clone>(table: &mut Vec<T>, size: usize, value: T) {
    table.clear();
    table.resize(size, value);
}

/// Returns the targets of a switch that are removed.
fn closed_of(closed: &[ClosedTarget], block: usize) -> impl Iterator<Item = usize> {
    let first = closed.partition_point(|&(from, _)| (from as usize) < block);
    closed[first..]
        .iter()
        .take_while(move |(from, _)| *from as usize == block)
        .map(|&(_, target)| target as usize)
}

/// Returns the remaining successors of a block: only the taken one, if it is known, and none that was removed.
fn next(
    blocks: &Blocks,
    taken: &[u32],
    closed: &[ClosedTarget],
    block: usize,
) -> impl Iterator<Item = usize> {
    let taken = some(taken[block]);
    let is_left = move |&next: &usize| match taken {
        Some(taken) => taken == next,
        None => closed_of(closed, block).all(|target| target != next),
    };
    blocks.successors(block).filter(is_left)
}

/// The decision about the merge instruction of a header whose branch is decided.
enum Release {
    /// The merge instruction is removed.
    Drop,
    /// The merge instruction moves to this block, whose conditional branch to the merge block requires it.
    Move(usize),
    /// Constructs inside branch to the merge block, which only a switch allows: the header remains one, with a single case.
    Keep,
    /// The merge instruction cannot be determined: the branch is kept.
    Undo,
}

impl<'f> FoldedBlocks<'f> {
    /// Creates the shape of a function with these blocks, if any branch in it is decided.
    pub fn new(
        module: &Module,
        blocks: &'f Blocks,
        decided: &DecidedBranches,
        structured: bool,
        tables: &'f mut BlockTables,
    ) -> Option<FoldedBlocks<'f>> {
        fill(&mut tables.taken, blocks.len(), NONE);
        tables.closed.clone_from(&decided.closed);
        let mut is_any_decided = !tables.closed.is_empty();
        for &(block, target) in &decided.taken {
            tables.taken[block as usize] = target;
            is_any_decided = true;
        }
        if !is_any_decided {
            return None;
        }
        tables.loops.clear();
        tables.constructs.clear();
        if structured {
            tables.find_loops(blocks);
        }
        // Each round keeps a branch that was to be removed.
        let mut shape = FoldedBlocks { blocks, structured, tables };
        loop {
            shape.find_actions();
            if !shape.keep_back_edges() && shape.find_merges(module) {
                break;
            }
        }
        shape.keep_named_blocks();
        let is_any_taken = shape.tables.taken.iter().any(|&taken| taken != NONE);
        (is_any_taken || !shape.tables.closed.is_empty()).then_some(shape)
    }

    /// Returns the only successor of a block, if that is decided.
    pub fn taken(&self, block: usize) -> Option<usize> {
        some(self.tables.taken[block])
    }

    /// Returns the number of decided branches with several targets.
    pub fn count_taken(&self) -> usize {
        let chooses = |block: usize| self.blocks.successors(block).nth(1).is_some();
        (0..self.blocks.len()).filter(|&block| self.tables.taken[block] != NONE && chooses(block)).count()
    }

    /// Returns the action on a block.
    pub fn action(&self, block: usize) -> BlockAction {
        self.tables.actions[block]
    }

    /// Returns true if a block has a merge instruction.
    pub fn has_merge(&self, block: usize) -> bool {
        self.tables.merges[block].is_some()
    }

    /// Returns true if a merge instruction names a block.
    pub fn is_named(&self, block: usize) -> bool {
        self.tables.named[block] > 0
    }

    /// Returns the block that a block's merge instruction comes from, if it is not its own.
    pub fn moved(&self, block: usize) -> Option<usize> {
        some(self.tables.moved[block])
    }

    /// Returns true if a kept block leads to another one.
    pub fn leads(&self, from: usize, to: usize) -> bool {
        self.is_kept(from)
            && match self.taken(from) {
                Some(taken) => taken == to,
                None => self.next(from).any(|next| next == to),
            }
    }

    /// Returns true if a switch has targets that are removed.
    pub fn has_closed(&self, block: usize) -> bool {
        self.taken(block).is_none() && closed_of(&self.tables.closed, block).next().is_some()
    }

    /// Returns the continue target of a loop header, if it is unreachable.
    pub fn continues(&self, header: usize) -> Option<usize> {
        let continues = some(self.tables.merges[header].continues)?;
        (self.action(continues) == BlockAction::Continue { header: header as u32 }).then_some(continues)
    }

    /// Returns the successors of a block. The blocks that its merge instruction names precede them, unless the module is a kernel's: there they do
    /// not restrict the order.
    pub fn following(&self, block: usize) -> impl Iterator<Item = usize> {
        let kept = self.is_kept(block);
        let named = Some(self.tables.merges[block]).filter(|_| kept && self.structured);
        let named = named.into_iter().flat_map(MergeTargets::blocks);
        named.chain(self.next(block).filter(move |_| kept))
    }

    /// Calls a function with the successors of a block, and the unreachable blocks that its merge instruction names.
    pub fn reached(&self, block: usize, mut each: impl FnMut(usize)) {
        if !self.is_kept(block) {
            return;
        }
        self.next(block).for_each(&mut each);
        self.tables.merges[block].blocks().filter(|&named| !self.is_kept(named)).for_each(each);
    }

    /// Returns the successors of a block after folding.
    pub fn next(&self, block: usize) -> impl Iterator<Item = usize> {
        next(self.blocks, &self.tables.taken, &self.tables.closed, block)
    }

    #[inline]
    fn is_kept(&self, block: usize) -> bool {
        self.tables.actions[block] == BlockAction::Kept
    }

    /// Finds the reachable blocks.
    fn find_actions(&mut self) {
        let BlockTables { actions, taken, closed, stack, .. } = &mut *self.tables;
        fill(actions, self.blocks.len(), BlockAction::Removed);
        stack.push(0);
        actions[0] = BlockAction::Kept;
        while let Some(block) = stack.pop() {
            for next in next(self.blocks, taken, closed, block as usize) {
                if std::mem::replace(&mut actions[next], BlockAction::Kept) != BlockAction::Kept {
                    stack.push(next as u32);
                }
            }
        }
    }

    /// Keeps a path from each kept continue target back to its header: if it is lost, no branch in the continue construct is decided.
    /// Returns true if that was so.
    fn keep_back_edges(&mut self) -> bool {
        let mut undone = false;
        let BlockTables { actions, taken, closed, loops, constructs, .. } = &mut *self.tables;
        let is_kept = |block: u32| actions[block as usize] == BlockAction::Kept;
        for looped in loops {
            if is_kept(looped.continues) && !is_kept(looped.back) {
                for &block in &constructs[looped.construct.0 as usize..looped.construct.1 as usize] {
                    undone |= std::mem::replace(&mut taken[block as usize], NONE) != NONE;
                    let count = closed.len();
                    closed.retain(|&(from, _)| from != block);
                    undone |= closed.len() < count;
                }
            }
        }
        undone
    }

    /// Finds the merge instructions that are still required. Returns false if one cannot be determined: then a branch is kept.
    fn find_merges(&mut self, module: &Module) -> bool {
        let size = self.blocks.len();
        let tables = &mut *self.tables;
        fill(&mut tables.merges, size, MergeTargets::NOTHING);
        fill(&mut tables.moved, size, NONE);
        fill(&mut tables.owner, size, NONE);
        fill(&mut tables.skips, size, 0);
        fill(&mut tables.named, size, 0);
        for (block, merge) in self.blocks.merges() {
            if tables.actions[block] == BlockAction::Kept {
                let named = match merge {
                    BlockMerge::Selection { merge } => MergeTargets { merge: merge as u32, continues: NONE },
                    BlockMerge::Loop { merge, continues } => {
                        MergeTargets { merge: merge as u32, continues: continues as u32 }
                    }
                };
                tables.merges[block] = named;
                named.blocks().for_each(|named| tables.named[named] += 1);
            }
        }
        let mut determined = true;
        // In reverse order: inner constructs first.
        for (header, _) in self.blocks.merges().rev() {
            let merges = self.tables.merges[header];
            if !merges.is_some() {
                continue;
            }
            if !self.structured {
                if self.taken(header).is_some() || merges.blocks().any(|named| !self.is_kept(named)) {
                    self.tables.merges[header] = MergeTargets::NOTHING;
                }
                continue;
            }
            let (Some(target), NONE) = (self.taken(header), merges.continues) else { continue };
            let merge = merges.merge as usize;
            match self.release(module, header, target, merge) {
                Release::Drop => {
                    self.tables.named[merge] -= 1;
                    self.tables.merges[header] = MergeTargets::NOTHING;
                }
                Release::Move(block) => self.move_merge(header, block),
                Release::Keep => {}
                Release::Undo => {
                    self.tables.taken[header] = NONE;
                    determined = false;
                }
            }
        }
        determined
    }

    /// Moves the merge instruction of a header to another block.
    fn move_merge(&mut self, header: usize, block: usize) {
        let BlockTables { merges, moved, .. } = &mut *self.tables;
        merges[block] = std::mem::replace(&mut merges[header], MergeTargets::NOTHING);
        let from = std::mem::replace(&mut moved[header], NONE);
        moved[block] = if from == NONE { header as u32 } else { from };
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
        // Blocks follow their dominators, so a branch back leaves the selection.
        while block != merge && block > header && self.tables.owner[block] != header as u32 {
            self.tables.owner[block] = header as u32;
            if let Some(inner) = some(self.tables.merges[block].merge) {
                if !self.is_kept(inner) {
                    break;
                }
                block = inner;
                continue;
            }
            if self.tables.skips[block] != 0 {
                block = self.tables.skips[block] as usize;
                continue;
            }
            let (mut count, mut leads_to_merge) = (0, false);
            let (mut inside, mut only) = (0, merge);
            for next in self.next(block) {
                count += 1;
                leads_to_merge |= next == merge;
                if self.tables.named[next] == 0 {
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
        let nested = |from: usize| self.tables.owner[from] != header as u32 || self.has_merge(from);
        match (self.blocks.predecessors(merge).filter(enters).any(nested), first) {
            (true, _) => {
                let switch = module.instruction(self.blocks.get(header).terminator).is(Op::Switch);
                if switch { Release::Keep } else { Release::Undo }
            }
            (false, Some(block)) => Release::Move(block),
            (false, None) => {
                if block == merge && !leaves {
                    self.tables.skips[header] = merge as u32;
                }
                Release::Drop
            }
        }
    }

    /// Keeps the unreachable blocks that merge instructions name.
    fn keep_named_blocks(&mut self) {
        let BlockTables { actions, merges, .. } = &mut *self.tables;
        for named in merges.iter().filter(|named| named.is_some()) {
            let action = &mut actions[named.merge as usize];
            if *action == BlockAction::Removed {
                *action = BlockAction::Unreachable;
            }
        }
        for (header, named) in merges.iter().enumerate().filter(|(_, named)| named.continues != NONE) {
            let action = &mut actions[named.continues as usize];
            if *action != BlockAction::Kept {
                *action = BlockAction::Continue { header: header as u32 };
            }
        }
    }
}

/// A loop, as its merge instruction describes it.
#[derive(Clone, Copy, Debug)]
struct Loop {
    continues: u32,
    /// The block that branches back to the header.
    back: u32,
    /// The start and the end of the continue construct in [`BlockTables::constructs`].
    construct: (u32, u32),
}

impl BlockTables {
    /// Finds the loops whose branch back stays.
    fn find_loops(&mut self, blocks: &Blocks) {
        // By block: the header of the last loop that reached it.
        fill(&mut self.owner, blocks.len(), NONE);
        for (header, merge) in blocks.merges() {
            let BlockMerge::Loop { merge, continues } = merge else { continue };
            let Some(new_loop) = self.find_loop(blocks, header, merge, continues) else { continue };
            self.loops.push(new_loop);
            let taken = &mut self.taken[new_loop.back as usize];
            if *taken != header as u32 {
                *taken = NONE;
            }
        }
    }

    fn find_loop(&mut self, blocks: &Blocks, header: usize, merge: usize, continues: usize) -> Option<Loop> {
        let BlockTables { constructs, owner: seen, .. } = self;
        let start = constructs.len();
        constructs.push(continues as u32);
        let mut at = start;
        let mut back = None;
        seen[continues] = header as u32;
        while at < constructs.len() {
            let block = constructs[at];
            for next in blocks.successors(block as usize) {
                if next == header {
                    back = back.or(Some(block));
                } else if next != merge && std::mem::replace(&mut seen[next], header as u32) != header as u32
                {
                    constructs.push(next as u32);
                }
            }
            at += 1;
        }
        let construct = (start as u32, constructs.len() as u32);
        Some(Loop { continues: continues as u32, back: back?, construct })
    }
}
