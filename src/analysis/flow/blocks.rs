use rspirv::grammar::reflect::is_block_terminator;
use spirv::Op;

use crate::loader::{Function, Instruction, Module};

/// Marks a number that is none.
const NONE: u32 = u32::MAX;

/// A block of a function. Offsets are in words.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// The result id of its OpLabel.
    pub label: u32,
    /// Where its OpLabel stands.
    pub start: u32,
    /// Where its merge instruction stands, if it has one; else 0.
    pub merge: u32,
    /// Where its last instruction stands.
    pub terminator: u32,
    /// Where the next block starts, lines before it included.
    pub end: u32,
    first_edge: u32,
}

/// A merge instruction: what it names, as numbers of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
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

/// The blocks of one function, in its order, and the edges between them. Where a block names another one several times, that is
/// one edge.
pub struct Blocks {
    blocks: Vec<Block>,
    /// The targets of the blocks' edges.
    targets: Vec<u32>,
    /// By edge: the block that it leaves.
    sources: Vec<u32>,
    /// By id: one more than the number of the block with this label. Zeroed pages that nothing touches take no memory.
    numbers: Vec<u32>,
    /// By block: the block that was the last to get an edge to it.
    last: Vec<u32>,
    /// The edges by target: where each block's begin, and the edges.
    incoming_starts: Vec<u32>,
    incoming: Vec<u32>,
}

impl Blocks {
    /// Nothing read yet.
    pub(crate) fn new(module: &Module) -> Blocks {
        Blocks {
            blocks: Vec::new(),
            targets: Vec::new(),
            sources: Vec::new(),
            numbers: vec![0; module.bound() as usize],
            last: Vec::new(),
            incoming_starts: Vec::new(),
            incoming: Vec::new(),
        }
    }

    /// Reads a function. Whether it has blocks, every block is whole, and all edges lead to blocks of the function.
    pub(crate) fn read(&mut self, module: &Module, function: &Function) -> bool {
        self.find(module, function).is_some() && self.connect(module)
    }

    /// The same for a function in which some block has a choice; of others, edges are not looked at.
    pub(super) fn read_choices(&mut self, module: &Module, function: &Function) -> bool {
        self.find(module, function) == Some(true) && self.connect(module)
    }

    /// Finds the blocks. Whether one has a choice; `None` if there are none, or one lacks a beginning or an end.
    fn find(&mut self, module: &Module, function: &Function) -> Option<bool> {
        for block in &self.blocks {
            self.numbers[block.label as usize] = 0;
        }
        self.blocks.clear();
        self.targets.clear();
        self.sources.clear();
        let (mut chooses, mut open, mut whole) = (false, false, true);
        for inst in module.range(function.start, function.end) {
            match inst.op() {
                Some(Op::Label) => {
                    whole &= !open;
                    open = true;
                    let (label, start) = (inst.word(1), inst.offset());
                    self.blocks.push(Block { label, start, merge: 0, terminator: 0, end: 0, first_edge: 0 });
                    self.numbers[label as usize] = self.blocks.len() as u32;
                }
                Some(Op::SelectionMerge | Op::LoopMerge) => {
                    if let Some(block) = self.blocks.last_mut() {
                        block.merge = inst.offset();
                    }
                }
                Some(op) if is_block_terminator(op) => {
                    chooses |= matches!(op, Op::BranchConditional | Op::Switch);
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
        (whole && !open && !self.blocks.is_empty()).then_some(chooses)
    }

    /// Finds the edges. Whether all of them lead to blocks of this function.
    fn connect(&mut self, module: &Module) -> bool {
        self.last.clear();
        self.last.resize(self.blocks.len(), NONE);
        for source in 0..self.blocks.len() {
            self.blocks[source].first_edge = self.targets.len() as u32;
            let terminator = module.instruction(self.blocks[source].terminator);
            let mut sound = true;
            let (numbers, last) = (&self.numbers, &mut self.last);
            let (targets, sources) = (&mut self.targets, &mut self.sources);
            each_target(module, &terminator, &mut |label| {
                let target = numbers[label as usize].wrapping_sub(1);
                match last.get_mut(target as usize) {
                    Some(last) if *last != source as u32 => {
                        *last = source as u32;
                        targets.push(target);
                        sources.push(source as u32);
                    }
                    Some(_) => {}
                    None => sound = false,
                }
            });
            if !sound {
                return false;
            }
        }
        self.incoming_starts.clear();
        self.incoming_starts.resize(self.blocks.len() + 1, 0);
        for &target in &self.targets {
            self.incoming_starts[target as usize + 1] += 1;
        }
        for block in 0..self.blocks.len() {
            self.incoming_starts[block + 1] += self.incoming_starts[block];
        }
        self.incoming.clear();
        self.incoming.resize(self.targets.len(), 0);
        // From the back, so that each block's start is where it must be in the end.
        let ends = &mut self.last;
        ends.copy_from_slice(&self.incoming_starts[1..]);
        for (edge, &target) in self.targets.iter().enumerate().rev() {
            ends[target as usize] -= 1;
            self.incoming[ends[target as usize] as usize] = edge as u32;
        }
        true
    }

    /// How many blocks there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.blocks.len()
    }

    /// A block, by its number. The first one is where the function starts.
    pub fn get(&self, block: usize) -> &Block {
        &self.blocks[block]
    }

    /// All blocks.
    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        self.blocks.iter()
    }

    /// The number of the block with this label.
    pub fn number(&self, label: u32) -> Option<usize> {
        self.numbers.get(label as usize).filter(|&&number| number != 0).map(|&number| number as usize - 1)
    }

    /// The number of the block in which an instruction stands.
    pub fn at(&self, offset: u32) -> Option<usize> {
        self.blocks.partition_point(|block| block.start <= offset).checked_sub(1)
    }

    /// The blocks that can follow a block, each once, in the order in which its last instruction names them.
    pub fn successors(&self, block: usize) -> impl DoubleEndedIterator<Item = usize> {
        self.targets[self.edges(block)].iter().map(|&target| target as usize)
    }

    /// The blocks that a block can follow, each once, in the order of the function.
    pub fn predecessors(&self, block: usize) -> impl Iterator<Item = usize> {
        self.incoming(block).iter().map(|&edge| self.sources[edge as usize] as usize)
    }

    /// The OpPhis of a block. Nothing but lines and debug information stands before or between them; which extended instruction
    /// sets those are of does not matter here.
    pub fn phis<'m>(
        &self,
        module: &'m Module<'_>,
        block: usize,
    ) -> impl Iterator<Item = Instruction<'m>> + use<'m> {
        let Block { start, end, .. } = self.blocks[block];
        module.range(start, end).filter(|inst| inst.is(Op::Phi))
    }

    /// What a block's merge instruction names.
    pub fn merge(&self, module: &Module, block: usize) -> Option<Merge> {
        let offset = Some(self.blocks[block].merge).filter(|&offset| offset != 0)?;
        let inst = module.instruction(offset);
        let merge = self.number(inst.word(1))?;
        match inst.is(Op::LoopMerge) {
            true => Some(Merge::Loop { merge, continues: self.number(inst.word(2))? }),
            false => Some(Merge::Selection { merge }),
        }
    }

    /// The numbers of the edges that leave a block.
    pub(super) fn edges(&self, block: usize) -> std::ops::Range<usize> {
        let end = self.blocks.get(block + 1).map_or(self.targets.len() as u32, |next| next.first_edge);
        self.blocks[block].first_edge as usize..end as usize
    }

    /// How many edges there are.
    pub(super) fn edge_count(&self) -> usize {
        self.targets.len()
    }

    /// Where an edge leads.
    pub(super) fn target(&self, edge: usize) -> usize {
        self.targets[edge] as usize
    }

    /// The edges that lead to a block.
    pub(super) fn incoming(&self, block: usize) -> &[u32] {
        &self.incoming[self.incoming_starts[block] as usize..self.incoming_starts[block + 1] as usize]
    }

    /// The block that an edge leaves.
    pub(super) fn source(&self, edge: u32) -> u32 {
        self.sources[edge as usize]
    }
}

/// The labels that the last instruction of a block names.
fn each_target(module: &Module, terminator: &Instruction, each: &mut impl FnMut(u32)) {
    match terminator.op() {
        Some(Op::Branch) => each(terminator.word(1)),
        Some(Op::BranchConditional) => {
            each(terminator.word(2));
            each(terminator.word(3));
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
