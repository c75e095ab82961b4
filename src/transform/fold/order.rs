//! The order of blocks: a block comes before those that it dominates (specification, 2.16.1 "Universal Validation Rules"). When edges
//! are removed, a block may become dominated by a later one.

use super::shape::{BlockFate, Shape};

/// The ranges of the kept blocks in a valid order; `None` if their present order is valid.
pub fn order(shape: &Shape) -> Option<Vec<(u32, u32)>> {
    let mut reached = vec![false; shape.blocks.len()];
    reached[0] = true;
    let is_kept = |block: &usize| shape.fates[*block] != BlockFate::Removed;
    // A block after one that leads to it comes after all that dominate it.
    let in_order = (0..shape.blocks.len()).filter(is_kept).all(|block| {
        shape.reached(block).for_each(|next| reached[next] |= next > block);
        reached[block]
    });
    if in_order {
        return None;
    }
    // The reverse postorder. The search visits the blocks that a merge instruction names first, so that they come last.
    let mut entered = vec![false; shape.blocks.len()];
    let mut left = Vec::new();
    let mut path = vec![(0, shape.following(0).collect::<Vec<_>>().into_iter())];
    entered[0] = true;
    while let Some((block, following)) = path.last_mut() {
        match following.next() {
            Some(next) if entered[next] => {}
            Some(next) => {
                entered[next] = true;
                path.push((next, shape.following(next).collect::<Vec<_>>().into_iter()));
            }
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    Some(left.into_iter().rev().map(|block| (shape.begin(block), shape.blocks.get(block).end)).collect())
}
