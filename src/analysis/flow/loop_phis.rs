//! OpPhis that the work-around for the compiler in NVIDIA's Vulkan driver 580.159.04 changes (`spec-extensions/driver-defects.csv`).
//!
//! The OpPhis are of Boolean type, in a loop header, and have no constant operand. The operand of the back edge is a value from before the
//! loop, or another OpPhi of the header. A copy of it in the loop does as well.

use spirv::Op;

use super::{Block, BlockMerge, Blocks};
use crate::analysis::requirements::is_of_kernels;
use crate::loader::{Function, Module, views};

/// An OpPhi on which the compiler crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopPhi {
    /// The id of the function.
    pub function: u32,
    /// The offset of the OpPhi, in words.
    pub offset: u32,
    /// The number of the word that holds the operand of the back edge.
    pub value: usize,
    /// The offset of the end of the block that branches back: of its merge instruction, or else of its last
    /// instruction. `None` if the block is unreachable.
    pub back: Option<u32>,
}

/// Returns the OpPhis of a module on which the compiler crashes, in its order. Modules of kernels have none: the driver does not accept them.
pub(crate) fn crashing_phis(module: &Module) -> Vec<LoopPhi> {
    tally!("loop phis", module, &());
    let mut phis = Vec::new();
    let bool = module.globals().find(|inst| inst.is(Op::TypeBool));
    let Some(bool) = bool.map(|inst| views::Type(inst).id()) else {
        return phis;
    };
    if is_of_kernels(module) {
        return phis;
    }
    let mut blocks = Blocks::default();
    for function in module.functions() {
        let is_boolean = |phi: &views::Phi| phi.type_id() == bool;
        if !has_header_with(module, function, is_boolean) {
            continue;
        }
        if !blocks.read(module, function) {
            continue;
        }
        let blocks = &blocks;
        let search = BlockSearch::new(blocks);
        let is_header = |&block: &usize| matches!(blocks.merge(block), Some(BlockMerge::Loop { .. }));
        for header in (0..blocks.len()).filter(is_header) {
            for phi in blocks.phis(module, header).filter(is_boolean) {
                if phi.incoming().iter().any(|&[value, _]| module.is_global(value)) {
                    continue;
                }
                for (at, &[value, label]) in phi.incoming().iter().enumerate() {
                    let from = blocks.number(module, label).filter(|&from| search.is_back_edge(from, header));
                    let Some(from) = from.filter(|_| value != phi.id()) else { continue };
                    if is_from_before(module, blocks, header, value) {
                        let Block { merge, terminator, .. } = *blocks.get(from);
                        let end = if merge != 0 { merge } else { terminator };
                        let back = search.reaches(from).then_some(end);
                        let (function, offset) = (function.id, phi.offset());
                        phis.push(LoopPhi { function, offset, value: 3 + 2 * at, back });
                    }
                }
            }
        }
    }
    phis
}

/// Returns true if a function has a loop header with such an OpPhi. This takes less time than finding its blocks.
fn has_header_with(module: &Module, function: &Function, is_boolean: impl Fn(&views::Phi) -> bool) -> bool {
    let mut has_header = false;
    module.body(function).any(|inst| {
        if inst.is(Op::Label) {
            has_header = false;
        } else if views::Phi::new(inst).is_some_and(|phi| is_boolean(&phi)) {
            has_header = true;
        }
        has_header && inst.is(Op::LoopMerge)
    })
}

/// Returns true if a value is defined before the instructions of a loop, or by an OpPhi of its header. Blocks follow their dominators, and
/// values dominate their uses. So values that the loop's blocks define come in or after its header.
fn is_from_before(module: &Module, blocks: &Blocks, header: usize, id: u32) -> bool {
    let Some(inst) = module.definition(id) else { return false };
    match blocks.at(inst.offset()) {
        // A parameter.
        None => true,
        Some(block) => block < header || (block == header && inst.is(Op::Phi)),
    }
}

/// A depth-first search through the blocks of a function, from the first one on. Each block has the steps at which it was entered and left,
/// or zero if it is unreachable.
struct BlockSearch {
    entered: Vec<u32>,
    left: Vec<u32>,
}

impl BlockSearch {
    fn new(blocks: &Blocks) -> BlockSearch {
        let mut search = BlockSearch { entered: vec![0; blocks.len()], left: vec![0; blocks.len()] };
        let mut step = 1;
        let mut path = vec![(0, blocks.successors(0))];
        search.entered[0] = step;
        while let Some((block, following)) = path.last_mut() {
            step += 1;
            match following.find(|&next| search.entered[next] == 0) {
                Some(next) => {
                    search.entered[next] = step;
                    path.push((next, blocks.successors(next)));
                }
                None => {
                    search.left[*block] = step;
                    path.pop();
                }
            }
        }
        search
    }

    fn reaches(&self, block: usize) -> bool {
        self.entered[block] != 0
    }

    /// Returns true for a back edge, as far as a search shows: its source is unreachable, or the search came to its source through its
    /// target.
    fn is_back_edge(&self, from: usize, to: usize) -> bool {
        let through = self.entered[to] <= self.entered[from] && self.left[from] <= self.left[to];
        through || !self.reaches(from)
    }
}
