//! Folding of branches on known constants: unreachable blocks are removed, and control flow remains structured.
//!
//! `shape` determines the blocks that are kept, `left` which of them become one, and [`Folding`] the changes to instructions, and to the order of
//! blocks.

mod left;
mod shape;
#[cfg(test)]
mod tests;

use spirv::Op;

use super::Edits;
use super::removal::count_words;
use crate::analysis::flow::Blocks;
use crate::loader::{Instruction, Instructions, Module, views};
pub use left::LeftBlock;
use left::{is_continued, left_blocks};
pub use shape::DecidedBranches;
use shape::{BlockAction, FoldedBlocks};

/// The action on an instruction.
pub enum InstructionAction<'f> {
    /// The instruction stays as it is.
    Kept,
    /// The instruction is removed.
    Dropped,
    /// These words replace it: an OpPhi or a terminator that changes.
    Replaced(&'f [u32]),
}

/// The changes to one function.
#[derive(Clone, Debug, Default)]
pub struct Folding {
    /// Changes in the order of the function. They remove blocks with the lines before them, or the rest of a block after its label, and merge
    /// instructions. They replace OpPhis and terminators, and insert merge instructions and terminators. If a block
    /// becomes a part of the one before it, they remove the branch to it and its label.
    changes: Edits,
    /// The ranges of the blocks in their new order, if it changes. Offsets are in words.
    order: Option<Vec<(u32, u32)>>,
    /// The blocks that are left, in their new order.
    pub left: Vec<LeftBlock>,
    /// The number of decided branches.
    pub branches: usize,
    /// Number of removed blocks, except those that keep a label and a terminator.
    pub blocks: usize,
}

/// The control flow that a module has after folding.
#[derive(Clone, Copy, Debug)]
pub struct FoldRules {
    /// True if it must be structured.
    pub is_structured: bool,
    /// True if several blocks in a row become one.
    pub joins: bool,
}

/// Memory that foldings use one after the other.
#[derive(Debug, Default)]
pub struct FoldMemory {
    shape: shape::BlockTables,
    phis: PhiTables,
    /// True for each reachable block.
    reached: Vec<bool>,
    /// Head of each block: the block that it becomes a part of, or itself.
    heads: Vec<u32>,
}

/// Memory for the OpPhis of one block.
#[derive(Debug, Default)]
struct PhiTables {
    /// The labels of the blocks that lead to it, and those of the blocks that these become parts of.
    labels: Vec<(u32, u32)>,
    /// Remaining words of an OpPhi.
    words: Vec<u32>,
    /// OpPhis that become copies: the offset of each, and its value.
    copies: Vec<(u32, u32)>,
}

impl Folding {
    /// Folds a function with these blocks, in which these branches are decided. `None` if none is.
    pub fn new(
        module: &Module,
        blocks: &Blocks,
        decided: DecidedBranches,
        rules: FoldRules,
        tables: &mut FoldMemory,
    ) -> Option<Folding> {
        let FoldMemory { shape, phis, reached, heads } = tables;
        let shape = FoldedBlocks::new(module, blocks, decided, rules.is_structured, shape)?;
        let new_order = order_of_blocks(&shape, reached);
        let ranges = |&block: &usize| (shape.begin(block), shape.blocks.get(block).end);
        let ranges = new_order.as_ref().map(|order| order.iter().map(ranges).collect());
        let is_left = |&block: &usize| shape.action(block) != BlockAction::Removed;
        let order = new_order.unwrap_or_else(|| (0..blocks.len()).filter(is_left).collect());
        find_heads(&shape, if rules.joins { &order } else { &[] }, heads);
        let mut folding = Folding { branches: shape.count_taken(), order: ranges, ..Folding::default() };
        for block in 0..blocks.len() {
            folding.block(module, &shape, block, heads, phis);
        }
        folding.left = left_blocks(&shape, &order);
        Some(folding)
    }

    fn block(
        &mut self,
        module: &Module,
        shape: &FoldedBlocks,
        at: usize,
        heads: &[u32],
        phis: &mut PhiTables,
    ) {
        let block = shape.blocks.get(at);
        let label_end = block.start + 2;
        let label = |block: usize| shape.blocks.get(block).label(module);
        match shape.action(at) {
            BlockAction::Removed => {
                self.blocks += 1;
                let (start, end) = (shape.begin(at), block.end);
                // What of another block is removed is not of the same part, where blocks change their order.
                let goes_on =
                    at.checked_sub(1).is_some_and(|before| shape.action(before) == BlockAction::Removed);
                return match goes_on {
                    true => self.changes.drop_next_range(start, end),
                    false => self.changes.drop_range(start, end),
                };
            }
            BlockAction::Unreachable => {
                self.changes.insert_words(label_end, &[1 << 16 | Op::Unreachable as u32]);
                return self.changes.drop_range(label_end, block.end);
            }
            BlockAction::Continue { header } => {
                self.changes.insert_words(label_end, &branch(label(header as usize)));
                return self.changes.drop_range(label_end, block.end);
            }
            BlockAction::Kept => {}
        }
        if heads[at] as usize != at {
            self.changes.drop_range(block.start, label_end);
        }
        self.phis(module, shape, at, heads, phis);
        if block.merge != 0 && !shape.has_merge(at) {
            self.changes.drop_next(module, block.merge);
        }
        if let Some(from) = shape.moved(at) {
            let merge = module.instruction(shape.blocks.get(from).merge);
            self.changes.insert_words(block.terminator, merge.words());
        }
        let terminator = module.instruction(block.terminator);
        let is_continued = |next: usize| heads[next] as usize != next && shape.leads(at, next);
        let is_continued = shape.next(at).any(is_continued);
        if is_continued || shape.taken(at).is_some() {
            // A hint on the branch of a loop, which must precede one.
            let last = module.range(block.start, block.terminator).last();
            last.filter(|inst| inst.is(Op::LoopControlINTEL)).iter().for_each(|inst| self.changes.drop(inst));
        }
        if is_continued {
            self.changes.drop(&terminator);
        } else if let Some(target) = shape.taken(at) {
            match shape.has_merge(at) && terminator.is(Op::Switch) {
                true => {
                    // A merge instruction must precede a branch with a selector.
                    let selector = views::Switch(terminator).selector();
                    let words = [3 << 16 | Op::Switch as u32, selector, label(target)];
                    self.changes.replace_words(&terminator, &words);
                }
                false => self.changes.replace_words(&terminator, &branch(label(target))),
            }
        } else if shape.has_closed(at) {
            let words = open_cases(module, shape, at, views::Switch(terminator));
            self.changes.replace_words(&terminator, &words);
        }
    }

    /// Replaces OpPhis that lose edges, or whose edges come from other blocks now. Copies follow the remaining OpPhis.
    fn phis(
        &mut self,
        module: &Module,
        shape: &FoldedBlocks,
        at: usize,
        heads: &[u32],
        tables: &mut PhiTables,
    ) {
        if !shape.blocks.has_phis(at) {
            return;
        }
        let PhiTables { labels, words, copies } = tables;
        labels.clear();
        let leading = shape.blocks.predecessors(at).filter(|&from| shape.leads(from, at));
        let label = |block: usize| shape.blocks.get(block).label(module);
        labels.extend(leading.map(|from| (label(from), label(heads[from] as usize))));
        let is_moved = heads[at] as usize != at || labels.iter().any(|(old, new)| old != new);
        let continues = shape.continues(at).map(|block| shape.blocks.get(block).label(module));
        if !is_moved && continues.is_none() && labels.len() == shape.blocks.predecessors(at).count() {
            return;
        }
        copies.clear();
        let mut places = shape.blocks.phis(module, at);
        for phi in shape.blocks.phis(module, at) {
            match remaining(phi, labels, continues, is_moved, words) {
                Some(value) => copies.push((phi.offset(), value)),
                None => self.put(places.next(), words),
            }
        }
        for &(offset, value) in &*copies {
            let phi = views::Phi(module.instruction(offset));
            self.put(places.next(), &[4 << 16 | Op::CopyObject as u32, phi.type_id(), phi.id(), value]);
        }
    }

    /// Replaces an OpPhi, unless that changes nothing.
    fn put(&mut self, place: Option<views::Phi>, words: &[u32]) {
        if let Some(place) = place.filter(|place| place.words() != words) {
            self.changes.replace_words(&place, words);
        }
    }

    /// The instructions that are removed and not replaced.
    pub fn removed<'m>(&self, module: &'m Module) -> impl Iterator<Item = Instruction<'m>> {
        let removals = self.changes.iter().filter(|(_, words)| words.is_empty());
        removals.flat_map(|(edit, _)| module.range(edit.start, edit.end))
    }

    /// True if it removes the instruction at an offset.
    pub fn removes(&self, offset: u32) -> bool {
        let mut removals = self.changes.iter().filter(|(_, words)| words.is_empty());
        removals.any(|(edit, _)| (edit.start..edit.end).contains(&offset))
    }

    /// True if blocks change their order.
    pub fn reorders(&self) -> bool {
        self.order.is_some()
    }

    /// The words that are inserted: merge instructions and terminators.
    pub fn inserted(&self) -> impl Iterator<Item = Instruction<'_>> {
        let insertions = self.changes.iter().filter(|(edit, _)| edit.start == edit.end);
        insertions.flat_map(|(edit, words)| Instructions::new(words, edit.start))
    }

    /// Returns the actions on instructions of the function, which are in order.
    pub fn actions<'f, 'm>(
        &'f self,
        instructions: impl Iterator<Item = Instruction<'m>> + 'f,
    ) -> impl Iterator<Item = (Instruction<'m>, InstructionAction<'f>)> + 'f {
        let mut changes = self.changes.iter().filter(|(edit, _)| edit.start < edit.end).peekable();
        instructions.map(move |inst| {
            let at = inst.offset();
            while changes.next_if(|(edit, _)| edit.end <= at).is_some() {}
            let action = match changes.peek().filter(|(edit, _)| edit.start <= at) {
                None => InstructionAction::Kept,
                Some((_, [])) => InstructionAction::Dropped,
                Some((_, words)) => InstructionAction::Replaced(words),
            };
            (inst, action)
        })
    }

    /// Writes the changes. If blocks change their order, later edits of the function are lost.
    pub fn write(&self, module: &Module, edits: &mut Edits) {
        edits.append(&self.changes);
        if let Some(order) = &self.order {
            edits.reorder(module, order);
        }
    }
}

/// The words of a switch without the cases that are never taken.
fn open_cases(module: &Module, shape: &FoldedBlocks, at: usize, switch: views::Switch) -> Vec<u32> {
    let type_ = module.definition(switch.selector()).and_then(|inst| inst.result_type()).unwrap_or(0);
    let width = module.definition(type_).map_or(32, |type_| views::TypeNumber(type_).width());
    let mut words = switch.words()[..3].to_vec();
    for (literal, label) in switch.cases(width) {
        if shape.blocks.number(module, label).is_some_and(|target| shape.next(at).any(|next| next == target))
        {
            words.extend_from_slice(literal);
            words.push(label);
        }
    }
    count_words(&mut words);
    words
}

/// Writes what remains of an OpPhi to which these blocks lead. Where it loses or moves edges and one value is left, returns that instead.
fn remaining(
    inst: views::Phi,
    labels: &[(u32, u32)],
    continues: Option<u32>,
    is_moved: bool,
    words: &mut Vec<u32>,
) -> Option<u32> {
    words.clear();
    words.extend_from_slice(&inst.words()[..3]);
    let mut values = PhiValues::None;
    for &[value, from] in inst.incoming() {
        if let Some((_, label)) = labels.iter().find(|(old, _)| *old == from) {
            words.extend([value, *label]);
            if value != inst.id() {
                values.add(value);
            }
        }
    }
    if !is_moved && words.len() == inst.words().len() && continues.is_none() {
        return None;
    }
    if let PhiValues::One(value) = values {
        return Some(value);
    }
    // An unreachable continue target leads here. Any value would do for that edge; the OpPhi itself is none that a driver has a defect with
    // (`analysis::loop_phis`).
    words.extend(continues.into_iter().flat_map(|label| [inst.id(), label]));
    count_words(words);
    None
}

/// The different values of an OpPhi except itself, as far as they matter.
enum PhiValues {
    None,
    One(u32),
    Several,
}

impl PhiValues {
    fn add(&mut self, value: u32) {
        *self = match *self {
            PhiValues::None => PhiValues::One(value),
            PhiValues::One(other) if other == value => return,
            _ => PhiValues::Several,
        };
    }
}

/// Finds the block that each one becomes a part of, with those in this order, or that it stays itself.
fn find_heads(shape: &FoldedBlocks, order: &[usize], heads: &mut Vec<u32>) {
    heads.clear();
    heads.extend(0..shape.blocks.len() as u32);
    for pair in order.windows(2).filter(|pair| is_continued(shape, pair[0], pair[1])) {
        heads[pair[1]] = heads[pair[0]];
    }
}

fn branch(label: u32) -> [u32; 2] {
    [2 << 16 | Op::Branch as u32, label]
}

/// The depth of a search through blocks for which there is room from the beginning.
const USUAL_DEPTH: usize = 16;

/// Returns the kept blocks in a valid order, in which a block precedes the blocks that it dominates (specification, 2.16.1 "Universal Validation
/// Rules"); `None` if their present order is valid. When edges are removed, a block may become dominated by a later one.
fn order_of_blocks(shape: &FoldedBlocks, reached: &mut Vec<bool>) -> Option<Vec<usize>> {
    if is_in_order(shape, reached) {
        return None;
    }
    // The reverse postorder. The search visits the blocks that a merge instruction names first, so that they come last.
    let entered = reached;
    entered.fill(false);
    let mut left = Vec::with_capacity(shape.blocks.len());
    let mut path = Vec::with_capacity(USUAL_DEPTH);
    path.push((0, shape.following(0)));
    entered[0] = true;
    while let Some((block, following)) = path.last_mut() {
        match following.next() {
            Some(next) if entered[next] => {}
            Some(next) => {
                entered[next] = true;
                path.push((next, shape.following(next)));
            }
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    Some(left)
}

/// True if each kept block comes after one that leads to it: then it comes after all that dominate it.
fn is_in_order(shape: &FoldedBlocks, reached: &mut Vec<bool>) -> bool {
    reached.clear();
    reached.resize(shape.blocks.len(), false);
    reached[0] = true;
    for block in 0..shape.blocks.len() {
        if shape.action(block) == BlockAction::Removed {
            continue;
        }
        if !reached[block] {
            return false;
        }
        shape.reached(block, |next| reached[next] |= next > block);
    }
    true
}
