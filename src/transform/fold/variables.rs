//! Variables of a function that only removed instructions use.

use std::collections::{BTreeMap, BTreeSet};

use spirv::Op;

use super::Folding;
use super::shape::Shape;
use crate::loader::{Module, views};

/// The offsets of the variables that lose all their uses. All are in the first block.
pub fn unused(module: &Module, shape: &Shape, folding: &Folding) -> Vec<u32> {
    let first = shape.blocks.get(0);
    let variables = module.range(first.start, first.end).filter_map(views::Variable::of);
    let variables: BTreeMap<u32, u32> = variables.map(|inst| (inst.id(), inst.offset())).collect();
    if variables.is_empty() {
        return Vec::new();
    }
    let mut lost = BTreeSet::new();
    let mut used = BTreeSet::new();
    // An initial value is a constant or a variable outside of the function.
    let function = shape.blocks.iter().flat_map(|block| module.range(block.start, block.end));
    for inst in function.filter(|inst| !inst.is(Op::Variable)) {
        let ids = if folding.drops(&inst) { &mut lost } else { &mut used };
        let mut see = |id: u32| {
            if variables.contains_key(&id) {
                ids.insert(id);
            }
        };
        match folding.replaced(&inst) {
            Some(words) => words.iter().skip(1).copied().for_each(&mut see),
            None => module.walk(&inst, &mut |_, id: u32| see(id)),
        }
    }
    let unused = lost.difference(&used).filter_map(|id| variables.get(id).copied());
    unused.collect()
}
