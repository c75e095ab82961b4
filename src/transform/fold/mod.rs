//! Folding of branches on known constants: unreachable blocks are removed, and control flow remains structured.
//!
//! `shape` determines the blocks that are kept, `order` their order, and [`Folding`] the changes to instructions.

mod order;
mod shape;
#[cfg(test)]
mod tests;
mod variables;

use spirv::Op;

use super::Edits;
use super::removal::count_words;
use crate::analysis::flow::Flow;
use crate::loader::{Instruction, Module, views};
use shape::{BlockFate, Shape};

/// The changes to one function. Offsets are in words, and everything is in the order of the function.
#[derive(Clone, Debug)]
pub struct Folding {
    /// Removed ranges: blocks with the lines before them, or everything behind the label of a block.
    removed: Vec<(u32, u32)>,
    /// Removed instructions.
    dropped: Vec<u32>,
    /// Replaced OpPhis and terminators. All their operands are ids.
    replaced: Vec<(u32, Vec<u32>)>,
    /// Inserted instructions: merge instructions, and new terminators.
    inserted: Vec<(u32, Vec<u32>)>,
    /// The ranges of the blocks in their new order, if it changes.
    order: Option<Vec<(u32, u32)>>,
    /// The number of decided branches.
    pub branches: usize,
    /// The number of removed blocks, without those of which only the label and a terminator are left.
    pub blocks: usize,
}

impl Folding {
    /// Folds the function that was read and solved last. `None` if no branch in it is decided. `structured` is true if the module
    /// must have structured control flow.
    pub fn of(module: &Module, flow: &Flow, structured: bool) -> Option<Folding> {
        let shape = Shape::of(module, flow, structured)?;
        let mut folding = Folding {
            removed: Vec::new(),
            dropped: Vec::new(),
            replaced: Vec::new(),
            inserted: Vec::new(),
            order: None,
            branches: shape.taken.iter().flatten().count(),
            blocks: shape.fates.iter().filter(|&&fate| fate == BlockFate::Removed).count(),
        };
        for block in 0..shape.blocks.len() {
            folding.block(module, &shape, block);
        }
        folding.dropped.extend(variables::unused(module, &shape, &folding));
        folding.dropped.sort_unstable();
        folding.order = order::order(&shape);
        Some(folding)
    }

    fn block(&mut self, module: &Module, shape: &Shape, at: usize) {
        let block = shape.blocks.get(at);
        let label_end = block.start + 2;
        match shape.fates[at] {
            BlockFate::Removed => return self.removed.push((shape.begin(at), block.end)),
            BlockFate::Unreachable => {
                self.removed.push((label_end, block.end));
                return self.inserted.push((label_end, vec![1 << 16 | Op::Unreachable as u32]));
            }
            BlockFate::Continue { header } => {
                self.removed.push((label_end, block.end));
                return self.inserted.push((label_end, branch(shape.blocks.get(header).label)));
            }
            BlockFate::Kept => {}
        }
        for phi in shape.blocks.phis(module, at) {
            self.phi(shape, at, phi);
        }
        if block.merge != 0 && shape.merges[at].is_none() {
            self.dropped.push(block.merge);
        }
        if let Some(from) = shape.moved[at] {
            let merge = module.instruction(shape.blocks.get(from).merge);
            self.inserted.push((block.terminator, merge.words().to_vec()));
        }
        if let Some(target) = shape.taken[at] {
            let target = shape.blocks.get(target).label;
            let terminator = module.instruction(block.terminator);
            let words = match shape.merges[at].is_some() && terminator.is(Op::Switch) {
                // A merge instruction must precede a branch with a selector.
                true => vec![3 << 16 | Op::Switch as u32, views::Switch(terminator).selector(), target],
                false => branch(target),
            };
            self.replaced.push((block.terminator, words));
        }
    }

    fn phi(&mut self, shape: &Shape, at: usize, inst: views::Phi) {
        let label = |block: usize| shape.blocks.get(block).label;
        let leads = |from: u32| shape.blocks.number(from).is_some_and(|from| shape.leads(from, at));
        let mut words = inst.words()[..3].to_vec();
        words.extend(inst.incoming().iter().filter(|&&[_, from]| leads(from)).flatten());
        // An unreachable continue target leads here. Any value would do for that edge; but for a value from before the loop, NVIDIA's
        // compiler crashes (`analysis::loop_phis`).
        match (shape.continues(at), words.split_at(3).1) {
            (None, _) | (_, []) => {}
            (Some(_), &[value, _]) => {
                words = vec![Op::CopyObject as u32, inst.type_id(), inst.id(), value];
            }
            (Some(continues), _) => words.extend([inst.id(), label(continues)]),
        }
        if words != inst.words() {
            count_words(&mut words);
            self.replaced.push((inst.offset(), words));
        }
    }

    /// True if an instruction is removed.
    pub fn drops(&self, inst: &Instruction) -> bool {
        let at = self.removed.partition_point(|&(_, end)| end <= inst.offset());
        self.removed.get(at).is_some_and(|&(start, _)| start <= inst.offset())
            || self.dropped.binary_search(&inst.offset()).is_ok()
    }

    /// The words that replace an instruction, if it is an OpPhi or a terminator that changes. All but the first are ids.
    pub fn replaced(&self, inst: &Instruction) -> Option<&[u32]> {
        let at = self.replaced.binary_search_by_key(&inst.offset(), |&(offset, _)| offset).ok()?;
        Some(&self.replaced[at].1)
    }

    /// Writes the changes. If blocks change their order, later edits of the function are lost.
    pub fn write(&self, module: &Module, edits: &mut Edits) {
        for &(start, end) in &self.removed {
            edits.drop_range(start, end);
        }
        for &offset in &self.dropped {
            edits.drop(&module.instruction(offset));
        }
        for (offset, words) in &self.replaced {
            edits.replace_words(&module.instruction(*offset), words);
        }
        for (offset, words) in &self.inserted {
            edits.insert_words(*offset, words);
        }
        if let Some(order) = &self.order {
            edits.reorder(module, order);
        }
    }
}

fn branch(label: u32) -> Vec<u32> {
    vec![2 << 16 | Op::Branch as u32, label]
}
