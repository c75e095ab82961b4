//! Blocks stand before those that they dominate (specification, 2.16.1 "Universal Validation Rules"). Where edges are gone, a
//! block may be dominated by one that stands behind it.

use super::shape::{Fate, Shape};

/// The blocks that stay, in an order that will do, each from where to where; `None` where the one they have does.
pub fn order(shape: &Shape) -> Option<Vec<(u32, u32)>> {
    let mut reached = vec![false; shape.blocks.len()];
    reached[0] = true;
    let stays = |block: &usize| shape.fates[*block] != Fate::Gone;
    // A block behind one that leads to it stands behind all that dominate it.
    let in_order = (0..shape.blocks.len()).filter(stays).all(|block| {
        shape.following(block).for_each(|next| reached[next] |= next > block);
        reached[block]
    });
    if in_order {
        return None;
    }
    // The reverse of the order in which a search leaves the blocks. It goes to what a merge instruction names first, so
    // that this comes last.
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
