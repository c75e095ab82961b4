//! The control-flow graph of a function.

use spirv::Op;

use crate::loader::{Function, Instruction, Module, views};

/// Stands for the absence of a number.
const NONE: u32 = u32::MAX;

/// A block of a function. Offsets are in words.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The offset of its OpLabel.
    pub start: u32,
    /// The offset of its merge instruction, if it has one; else 0.
    pub merge: u32,
    /// The offset of its last instruction.
    pub terminator: u32,
    /// The offset of its end. OpLines before the next block belong to that block.
    pub end: u32,
    /// The offset of the end of its last OpPhi; 0 if it has none.
    phis_end: u32,
    first_edge: u32,
}

impl Block {
    /// Returns the result id of its OpLabel.
    pub fn label(&self, module: &Module) -> u32 {
        views::Label(module.instruction(self.start)).id()
    }
}

/// A merge instruction, with blocks by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockMerge {
    /// OpSelectionMerge.
    Selection {
        /// The merge block.
        merge: usize,
    },
    /// OpLoopMerge.
    Loop {
        /// The merge block.
        merge: usize,
        /// The continue target.
        continues: usize,
    },
}

/// The blocks that a merge instruction names.
#[derive(Clone, Copy, Debug)]
struct MergeHeader {
    block: u32,
    merge: u32,
    /// [`NONE`] for OpSelectionMerge.
    continues: u32,
}

impl MergeHeader {
    fn named(self) -> BlockMerge {
        let MergeHeader { merge, continues, .. } = self;
        match continues {
            NONE => BlockMerge::Selection { merge: merge as usize },
            continues => BlockMerge::Loop { merge: merge as usize, continues: continues as usize },
        }
    }
}

/// The blocks of one function, in its order, and the edges between them. Several branches from one block to another are one edge.
#[derive(Default)]
pub struct Blocks {
    blocks: Vec<Block>,
    /// The blocks with a merge instruction, in order.
    headers: Vec<MergeHeader>,
    /// The targets of the blocks' edges.
    targets: Vec<u32>,
    /// The blocks that lead to each block: the start of its own, and their numbers.
    incoming_starts: Vec<u32>,
    incoming: Vec<u32>,
}

impl Blocks {
    /// Releases unused memory.
    pub(super) fn shrink(&mut self) {
        self.blocks.shrink_to_fit();
        self.headers.shrink_to_fit();
        self.targets.shrink_to_fit();
        self.incoming.shrink_to_fit();
        self.incoming_starts.shrink_to_fit();
    }

    /// Reads a function. True if it has blocks, every block is whole, and all edges lead to blocks of the function.
    pub(crate) fn read(&mut self, module: &Module, function: &Function) -> bool {
        self.find(module, function) && self.connect(module)
    }

    /// Finds the blocks. Returns false if the function has no block, or a block has no beginning or end.
    fn find(&mut self, module: &Module, function: &Function) -> bool {
        self.blocks.clear();
        self.headers.clear();
        self.targets.clear();
        let (mut open, mut whole) = (false, true);
        for inst in module.range(function.start, function.end) {
            match inst.op() {
                Some(Op::Label) => {
                    whole &= !open;
                    open = true;
                    let start = inst.offset();
                    self.blocks.push(Block {
                        start,
                        merge: 0,
                        terminator: 0,
                        end: 0,
                        phis_end: 0,
                        first_edge: 0,
                    });
                }
                Some(Op::Phi) => {
                    if let Some(block) = self.blocks.last_mut() {
                        block.phis_end = inst.end();
                    }
                }
                Some(Op::SelectionMerge | Op::LoopMerge) => {
                    if let Some(block) = self.blocks.last_mut() {
                        block.merge = inst.offset();
                    }
                }
                _ if inst.ends_block() => {
                    whole &= open;
                    open = false;
                    if let Some(block) = self.blocks.last_mut() {
                        block.terminator = inst.offset();
                        block.end = inst.end();
                    }
                }
                _ => {}
            }
        }
        whole && !open && !self.blocks.is_empty()
    }

    /// Finds the edges. True if all of them lead to blocks of this function.
    fn connect(&mut self, module: &Module) -> bool {
        // By block: the last block from which an edge to it was added.
        let mut last = std::mem::take(&mut self.incoming);
        last.clear();
        last.resize(self.blocks.len(), NONE);
        for source in 0..self.blocks.len() {
            self.blocks[source].first_edge = self.targets.len() as u32;
            let terminator = module.instruction(self.blocks[source].terminator);
            let mut sound = true;
            let (blocks, targets) = (&self.blocks, &mut self.targets);
            each_target(module, &terminator, &mut |label| {
                let target = number(module, blocks, label).map_or(NONE, |target| target as u32);
                match last.get_mut(target as usize) {
                    Some(last) if *last != source as u32 => {
                        *last = source as u32;
                        targets.push(target);
                    }
                    Some(_) => {}
                    None => sound = false,
                }
            });
            if !sound {
                return false;
            }
            self.find_merge(module, source);
        }
        let starts = &mut self.incoming_starts;
        starts.clear();
        starts.resize(self.blocks.len() + 1, 0);
        self.targets.iter().for_each(|&target| starts[target as usize] += 1);
        let mut sum = 0;
        for start in starts.iter_mut() {
            sum += *start;
            *start = sum;
        }
        // Backwards, so that the end of each block's edges becomes their start.
        let mut incoming = last;
        incoming.clear();
        incoming.resize(self.targets.len(), 0);
        for source in (0..self.blocks.len()).rev() {
            for &target in self.targets[self.edges(source)].iter().rev() {
                let start = &mut self.incoming_starts[target as usize];
                *start -= 1;
                incoming[*start as usize] = source as u32;
            }
        }
        self.incoming = incoming;
        true
    }

    /// Returns the number of blocks.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// Returns a block, by its number. The first one is the entry block.
    pub fn get(&self, block: usize) -> &Block {
        &self.blocks[block]
    }

    /// Returns all blocks.
    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter()
    }

    /// Returns the number of the block with this label.
    pub fn number(&self, module: &Module, label: u32) -> Option<usize> {
        number(module, &self.blocks, label)
    }

    /// Returns the number of the block that has the instruction at an offset.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.blocks.partition_point(|block| block.start <= offset).checked_sub(1)
    }

    /// Returns the successors of a block, each once, in the order in which its last instruction names them.
    pub fn successors(&self, block: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.targets[self.edges(block)].iter().map(|&target| target as usize)
    }

    /// Returns the predecessors of a block, each once, in the order of the function.
    pub fn predecessors(&self, block: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.incoming[self.incoming(block)].iter().map(|&source| source as usize)
    }

    /// Returns true if a block has OpPhis.
    pub fn has_phis(&self, block: usize) -> bool {
        self.blocks[block].phis_end != 0
    }

    /// Returns the OpPhis of a block. Only OpLines and debug information, of any instruction set, may come before or between them.
    pub fn phis<'m>(
        &self,
        module: &'m Module<'_>,
        block: usize,
    ) -> impl Iterator<Item = views::Phi<'m>> + Clone + use<'m> {
        let Block { start, phis_end, .. } = self.blocks[block];
        module.range(start, phis_end).filter_map(views::Phi::new)
    }

    /// Returns the merge instruction of a block.
    pub fn merge(&self, block: usize) -> Option<BlockMerge> {
        if self.blocks[block].merge == 0 {
            return None;
        }
        let at = self.headers.binary_search_by_key(&(block as u32), |header| header.block).ok()?;
        Some(self.headers[at].named())
    }

    /// Returns the blocks with a merge instruction, in order.
    pub fn merges(&self) -> impl DoubleEndedIterator<Item = (usize, BlockMerge)> {
        self.headers.iter().map(|header| (header.block as usize, header.named()))
    }

    /// Finds the blocks that the merge instruction of a block names. The block has none if one of them is in another
    /// function.
    fn find_merge(&mut self, module: &Module, block: usize) {
        let offset = self.blocks[block].merge;
        if offset == 0 {
            return;
        }
        let inst = module.instruction(offset);
        let find = |label: u32| number(module, &self.blocks, label).map_or(NONE, |number| number as u32);
        let merge = find(views::Merge(inst).merge_block());
        let continues = views::LoopMerge::new(inst).map(|inst| find(inst.continue_target()));
        if merge != NONE && continues != Some(NONE) {
            self.headers.push(MergeHeader {
                block: block as u32,
                merge,
                continues: continues.unwrap_or(NONE),
            });
        }
    }

    /// Returns the numbers of the edges that leave a block.
    pub(super) fn edges(&self, block: usize) -> std::ops::Range<usize> {
        let end = self.blocks.get(block + 1).map_or(self.targets.len() as u32, |next| next.first_edge);
        self.blocks[block].first_edge as usize..end as usize
    }

    /// Returns the number of edges.
    pub(super) fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// Returns the block to which an edge leads.
    pub(super) fn target(&self, edge: usize) -> usize {
        self.targets[edge] as usize
    }

    /// Returns the places of the blocks that lead to a block among those of all.
    pub(super) fn incoming(&self, block: usize) -> std::ops::Range<usize> {
        self.incoming_starts[block] as usize..self.incoming_starts[block + 1] as usize
    }
}

/// Returns the number of the block with this label.
fn number(module: &Module, blocks: &[Block], label: u32) -> Option<usize> {
    let start = module.definition_offset(label)?;
    blocks.binary_search_by_key(&start, |block| block.start).ok()
}

/// Calls `each` with the labels that the last instruction of a block names.
pub fn each_target(module: &Module, terminator: &Instruction, each: &mut impl FnMut(u32)) {
    match terminator.op() {
        Some(Op::Branch) => each(views::Branch(*terminator).target_label()),
        Some(Op::BranchConditional) => {
            let branch = views::BranchConditional(*terminator);
            each(branch.true_label());
            each(branch.false_label());
        }
        Some(Op::Switch) => {
            let mut first = true;
            module.walk(terminator, &mut |_: usize, id: u32| {
                if !std::mem::take(&mut first) {
                    each(id);
                }
            });
        }
        _ => {}
    }
}
