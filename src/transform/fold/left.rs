//! The blocks that are left of a function, in their new order: which of them continue another one, and what dominates them.

use std::ops::Range;

use super::shape::{BlockAction, FoldedBlocks};

/// Stands for the absence of a place in the order.
const NONE: u32 = u32::MAX;

/// A block that is left of a function.
#[derive(Clone, Debug)]
pub struct LeftBlock {
    /// The numbers of its lines.
    pub lines: Range<usize>,
    /// True if only the block before it leads to it.
    pub follows: bool,
    /// Start and end of the blocks that it dominates, in a walk through the dominator tree.
    dominated: (u32, u32),
}

impl LeftBlock {
    /// Returns true if it dominates another block.
    pub fn dominates(&self, other: &LeftBlock) -> bool {
        (self.dominated.0..self.dominated.1).contains(&other.dominated.0)
    }
}

/// Returns the blocks that are left, in this order, still without lines.
pub fn left_blocks(shape: &FoldedBlocks, order: &[usize]) -> Vec<LeftBlock> {
    let dominated = dominators(shape, order).map(|dominators| dominated(&dominators));
    let left = |(place, &block): (usize, &usize)| {
        let unknown = (place as u32, place as u32 + 1);
        LeftBlock {
            lines: 0..0,
            follows: place > 0 && follows(shape, order[place - 1], block),
            dominated: dominated.as_ref().map_or(unknown, |dominated| dominated[place]),
        }
    };
    order.iter().enumerate().map(left).collect()
}

/// True if only one block leads to another.
fn follows(shape: &FoldedBlocks, before: usize, block: usize) -> bool {
    shape.action(block) == BlockAction::Kept
        && shape.continues(block).is_none()
        && shape.blocks.predecessors(block).filter(|&from| shape.leads(from, block)).eq([before])
}

/// Returns true if a block becomes a part of the one before it. No other block leads to it, and no merge instruction is between them or names it.
pub fn is_continued(shape: &FoldedBlocks, before: usize, block: usize) -> bool {
    shape.next(before).eq([block])
        && !shape.has_merge(before)
        && !shape.is_named(block)
        && follows(shape, before, block)
}

/// The number of rounds after which dominators are given up: in structured control flow, the first finds them.
const MAX_ROUNDS: usize = 4;
/// The number of steps for each block after which dominators are given up.
const MAX_STEPS: usize = 64;

/// Finds the immediate dominators of blocks, by their places in the order: Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". `None` if
/// that takes too long, or the order is none in which dominators come first.
fn dominators(shape: &FoldedBlocks, order: &[usize]) -> Option<Vec<u32>> {
    let mut places = vec![NONE; shape.blocks.len()];
    (0..).zip(order).for_each(|(place, &block)| places[block] = place);
    let mut dominators = vec![NONE; order.len()];
    *dominators.first_mut()? = 0;
    let mut steps = MAX_STEPS * order.len();
    for _ in 0..MAX_ROUNDS {
        let mut has_changed = false;
        for (place, &block) in order.iter().enumerate().skip(1) {
            // Stubs have no instructions.
            let mut nearest = if shape.action(block) == BlockAction::Kept { NONE } else { 0 };
            // From the last one back: the ends of a long chain of blocks meet step by step.
            for from in shape.blocks.predecessors(block).rev().filter(|&from| shape.leads(from, block)) {
                let from = places[from];
                if dominators[from as usize] != NONE {
                    nearest = match nearest {
                        NONE => from,
                        _ => common(&dominators, nearest, from, &mut steps)?,
                    };
                }
            }
            if nearest as usize >= place {
                return None;
            }
            has_changed |= std::mem::replace(&mut dominators[place], nearest) != nearest;
        }
        if !has_changed {
            return Some(dominators);
        }
    }
    None
}

/// Returns the nearest block that dominates two, or is one of them.
fn common(dominators: &[u32], mut first: u32, mut second: u32, steps: &mut usize) -> Option<u32> {
    while first != second {
        *steps = steps.checked_sub(1)?;
        match first > second {
            true => first = dominators[first as usize],
            false => second = dominators[second as usize],
        }
    }
    Some(first)
}

/// Numbers blocks so that a block and the blocks that it dominates are contiguous: its number, and the end of theirs.
fn dominated(dominators: &[u32]) -> Vec<(u32, u32)> {
    let mut sizes = vec![1; dominators.len()];
    for (place, &dominator) in dominators.iter().enumerate().skip(1).rev() {
        sizes[dominator as usize] += sizes[place];
    }
    // By block: the number of the next block that it dominates immediately.
    let mut next = vec![1; dominators.len()];
    let mut dominated = vec![(0, sizes[0])];
    for (place, &dominator) in dominators.iter().enumerate().skip(1) {
        let number = next[dominator as usize];
        next[dominator as usize] += sizes[place];
        next[place] = number + 1;
        dominated.push((number, number + sizes[place]));
    }
    dominated
}
