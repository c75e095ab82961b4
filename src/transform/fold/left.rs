//! The remaining blocks of a function in their new order: their dominators, and the ways to them.

use std::ops::Range;

use super::shape::{BlockAction, FoldedBlocks};

/// Stands for the absence of a place in the order.
const NONE: u32 = u32::MAX;

/// A block that is left of a function.
#[derive(Clone, Debug)]
pub struct LeftBlock {
    /// The numbers of its lines.
    pub lines: Range<usize>,
    /// Start and end of the blocks that it dominates, in a walk through the dominator tree.
    dominated: (u32, u32),
    /// Range of the blocks to which it [comes straight](LeftBlock::comes_straight_to).
    straight: (u32, u32),
}

impl LeftBlock {
    /// Returns true if it dominates another block.
    pub fn dominates(&self, other: &LeftBlock) -> bool {
        (self.dominated.0..self.dominated.1).contains(&other.dominated.0)
    }

    /// Returns true if this block dominates another block, and all ways between the two lead through blocks between
    /// them in the order. Then none of these is in a loop with a later block.
    pub fn comes_straight_to(&self, other: &LeftBlock) -> bool {
        (self.straight.0..self.straight.1).contains(&other.straight.0)
    }
}

/// Returns the blocks that are left, in this order, still without lines.
pub fn left_blocks(shape: &FoldedBlocks, order: &[usize]) -> Vec<LeftBlock> {
    let mut places = vec![NONE; shape.blocks.len()];
    (0..).zip(order).for_each(|(place, &block)| places[block] = place);
    let dominators = dominators(shape, order, &places);
    let straight = straight(shape, order, &places, dominators.as_deref());
    let dominators = dominators.unwrap_or_else(|| (0..order.len() as u32).collect());
    let intervals = intervals(&dominators).into_iter().zip(intervals(&straight));
    intervals.map(|(dominated, straight)| LeftBlock { lines: 0..0, dominated, straight }).collect()
}

/// Finds for each block, by its place in the order, the nearest one that comes straight to it: its dominator, or itself if there is none.
fn straight(shape: &FoldedBlocks, order: &[usize], places: &[u32], dominators: Option<&[u32]>) -> Vec<u32> {
    // The headers of loops that are not closed yet, each with the place of the last block that leads back to it.
    let mut open: Vec<(u32, u32)> = Vec::new();
    let nearest = |(place, &block): (u32, &usize)| {
        let from = shape.blocks.predecessors(block).filter(|&from| shape.leads(from, block));
        let last = from.map(|from| places[from]).max().unwrap_or(0);
        while open.last().is_some_and(|&(_, last)| last < place) {
            open.pop();
        }
        if place > 0 && last >= place {
            open.push((place, last));
        }
        let dominator = match dominators {
            _ if place == 0 || shape.action(block) != BlockAction::Kept => place,
            Some(dominators) => dominators[place as usize],
            None if follows(shape, order[place as usize - 1], block) => place - 1,
            None => place,
        };
        match open.last() {
            Some(&(header, _)) if header > dominator => place,
            _ => dominator,
        }
    };
    (0..).zip(order).map(nearest).collect()
}

/// Returns true if only one block leads to another.
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

/// The maximum number of rounds in the search for dominators: in structured control flow, the first round finds them.
const MAX_ROUNDS: usize = 4;
/// The maximum number of steps for each block in the search for dominators.
const MAX_STEPS: usize = 64;

/// Finds the immediate dominators of blocks, by their places in the order: Cooper, Harvey and Kennedy, "A Simple, Fast
/// Dominance Algorithm". `None` if that takes too long, or dominators do not come first in the order.
fn dominators(shape: &FoldedBlocks, order: &[usize], places: &[u32]) -> Option<Vec<u32>> {
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

/// Returns the nearest block that dominates two blocks, or is one of them.
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

/// Numbers blocks of trees so that the blocks below each are contiguous. Returns its number, and the end of theirs. A
/// block that is its own parent is not numbered.
fn intervals(parents: &[u32]) -> Vec<(u32, u32)> {
    let is_root = |place: usize| parents[place] as usize == place;
    let mut sizes = vec![1; parents.len()];
    for place in (0..parents.len()).rev().filter(|&place| !is_root(place)) {
        sizes[parents[place] as usize] += sizes[place];
    }
    // By block: the number of the next block below it. Then that of the next tree.
    let mut next = vec![0; parents.len() + 1];
    let number = |place: usize| {
        let above = if is_root(place) { parents.len() } else { parents[place] as usize };
        let number = next[above];
        next[above] += sizes[place];
        next[place] = number + 1;
        (number, number + sizes[place])
    };
    (0..parents.len()).map(number).collect()
}
