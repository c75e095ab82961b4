//! Folds the branches that known constants decide: what then cannot run goes, and what stays is as well structured as before.
//!
//! `shape` decides what becomes of every block, `order` where it stands, and [`Folding`] what that means in instructions.

mod order;
mod shape;
#[cfg(test)]
mod tests;
mod variables;

use spirv::Op;

use super::Edits;
use super::removal::count_words;
use crate::analysis::flow::Flow;
use crate::loader::{Instruction, Module};
use shape::{Fate, Shape};

/// What becomes of one function. Offsets are in words, and everything is in the order of the function.
#[derive(Clone, Debug)]
pub struct Folding {
    /// The blocks that go, with the lines before them, or that lose all but their label: from where to where.
    gone: Vec<(u32, u32)>,
    /// Instructions that go.
    dropped: Vec<u32>,
    /// OpPhis and last instructions that others take the place of. All their operands are ids.
    replaced: Vec<(u32, Vec<u32>)>,
    /// Instructions that are put in a place: merge instructions, and the ends of blocks that lost theirs.
    inserted: Vec<(u32, Vec<u32>)>,
    /// The blocks, where they must stand in another order: from where to where.
    order: Option<Vec<(u32, u32)>>,
    /// How many branches are decided.
    pub branches: usize,
    /// How many blocks there are no more. Those of which only the label and an end are left do not count.
    pub blocks: usize,
}

impl Folding {
    /// Folds the function that was read and solved last. `None` where nothing in it is decided. `structured` tells whether the
    /// module is bound to structured control flow.
    pub fn of(module: &Module, flow: &Flow, structured: bool) -> Option<Folding> {
        let shape = Shape::of(module, flow, structured)?;
        let mut folding = Folding {
            gone: Vec::new(),
            dropped: Vec::new(),
            replaced: Vec::new(),
            inserted: Vec::new(),
            order: None,
            branches: shape.taken.iter().flatten().count(),
            blocks: shape.fates.iter().filter(|&&fate| fate == Fate::Gone).count(),
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
            Fate::Gone => return self.gone.push((shape.begin(at), block.end)),
            Fate::Unreachable => {
                self.gone.push((label_end, block.end));
                return self.inserted.push((label_end, vec![1 << 16 | Op::Unreachable as u32]));
            }
            Fate::Continue { header } => {
                self.gone.push((label_end, block.end));
                return self.inserted.push((label_end, branch(shape.blocks.get(header).label)));
            }
            Fate::Stays => {}
        }
        for inst in shape.blocks.phis(module, at) {
            self.phi(shape, at, &inst);
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
                // A merge instruction needs something to choose.
                true => vec![3 << 16 | Op::Switch as u32, terminator.word(1), target],
                false => branch(target),
            };
            self.replaced.push((block.terminator, words));
        }
    }

    fn phi(&mut self, shape: &Shape, at: usize, inst: &Instruction) {
        let label = |block: usize| shape.blocks.get(block).label;
        let mut words = inst.words()[..3].to_vec();
        for pair in inst.words_from(3).chunks_exact(2) {
            if shape.blocks.number(pair[1]).is_some_and(|from| shape.leads(from, at)) {
                words.extend_from_slice(pair);
            }
        }
        // What is left of a continue target leads here, though nothing leads to it. Any value would do for that edge; but where it is
        // one from before the loop, NVIDIA's compiler crashes (`analysis::loop_phis`).
        match (shape.continues(at), &words[3..]) {
            (None, _) | (_, []) => {}
            (Some(_), &[value, _]) => words = vec![Op::CopyObject as u32, inst.word(1), inst.word(2), value],
            (Some(continues), _) => words.extend([inst.word(2), label(continues)]),
        }
        if words != inst.words() {
            count_words(&mut words);
            self.replaced.push((inst.offset(), words));
        }
    }

    /// Whether an instruction goes.
    pub fn drops(&self, inst: &Instruction) -> bool {
        let at = self.gone.partition_point(|&(_, end)| end <= inst.offset());
        self.gone.get(at).is_some_and(|&(start, _)| start <= inst.offset())
            || self.dropped.binary_search(&inst.offset()).is_ok()
    }

    /// The words that take the place of an instruction, if it is an OpPhi or a last instruction that changes. All but the first
    /// are ids.
    pub fn replaced(&self, inst: &Instruction) -> Option<&[u32]> {
        let at = self.replaced.binary_search_by_key(&inst.offset(), |&(offset, _)| offset).ok()?;
        Some(&self.replaced[at].1)
    }

    /// Writes the changes. Where blocks change places, edits of the function that are made later are lost.
    pub fn write(&self, module: &Module, edits: &mut Edits) {
        for &(start, end) in &self.gone {
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
