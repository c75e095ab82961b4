//! OpPhis on which the compiler in NVIDIA's Vulkan driver crashes, as seen with driver 580.159.04.
//!
//! They are of Boolean type and stand in a loop header, no edge brings them a constant, and the branch back brings a value that was
//! there before the loop, or another OpPhi of the header. It crashes on most of these, and on no others that are known; it does not
//! matter whether anything takes the branch. Vectors do no harm, nor does the OpPhi itself, nor what is computed in the loop, if only
//! by OpCopyObject.

use spirv::Op;

use super::{Block, Blocks, Merge};
use crate::analysis::requirements::is_of_kernels;
use crate::loader::{Function, Instruction, Module};

/// An OpPhi on which the compiler crashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LoopPhi {
    /// The id of the function.
    pub function: u32,
    /// Where it stands, in words.
    pub offset: u32,
    /// Which of its words is the value that the branch back brings.
    pub value: usize,
    /// Where the block that branches back ends: at its merge instruction, or else its last one. `None` if nothing leads to it.
    pub back: Option<u32>,
}

/// The OpPhis of a module on which the compiler crashes, in its order. Modules of kernels are not for it.
pub(crate) fn crashing_phis(module: &Module) -> Vec<LoopPhi> {
    #[cfg(test)]
    crate::tests::tally::note("loop phis", module, &());
    let mut found = Vec::new();
    let Some(bool) = module.globals().find(|inst| inst.is(Op::TypeBool)).map(|inst| inst.word(1)) else {
        return found;
    };
    if is_of_kernels(module) {
        return found;
    }
    let mut blocks = None;
    for function in module.functions() {
        let is_boolean = |inst: &Instruction| inst.is(Op::Phi) && inst.word(1) == bool;
        if !has_header_with(module, function, is_boolean) {
            continue;
        }
        let blocks = blocks.get_or_insert_with(|| Blocks::new(module));
        if !blocks.read(module, function) {
            continue;
        }
        let search = Search::of(blocks);
        let is_header = |&block: &usize| matches!(blocks.merge(module, block), Some(Merge::Loop { .. }));
        for header in (0..blocks.len()).filter(is_header) {
            for phi in blocks.phis(module, header).filter(is_boolean) {
                let pairs = phi.words_from(3).chunks_exact(2);
                if pairs.clone().any(|pair| module.is_global(pair[0])) {
                    continue;
                }
                for (at, pair) in pairs.enumerate() {
                    let from = blocks.number(pair[1]).filter(|&from| search.goes_back(from, header));
                    let Some(from) = from.filter(|_| pair[0] != phi.word(2)) else { continue };
                    if is_from_before(module, blocks, header, pair[0]) {
                        let Block { merge, terminator, .. } = *blocks.get(from);
                        let end = if merge != 0 { merge } else { terminator };
                        let back = search.reaches(from).then_some(end);
                        let (function, offset) = (function.id, phi.offset());
                        found.push(LoopPhi { function, offset, value: 3 + 2 * at, back });
                    }
                }
            }
        }
    }
    found
}

/// Whether a function has a loop header with such an OpPhi. It costs less than finding its blocks.
fn has_header_with(module: &Module, function: &Function, is_boolean: impl Fn(&Instruction) -> bool) -> bool {
    let mut found = false;
    module.body(function).any(|inst| {
        if inst.is(Op::Label) {
            found = false;
        } else if is_boolean(&inst) {
            found = true;
        }
        found && inst.is(Op::LoopMerge)
    })
}

/// Whether a value is there before the instructions of a loop compute anything. Blocks stand behind those that dominate them, and
/// values dominate their uses: so what the loop's blocks define stands in its header or behind it.
fn is_from_before(module: &Module, blocks: &Blocks, header: usize, id: u32) -> bool {
    let Some(inst) = module.definition(id) else { return false };
    match blocks.at(inst.offset()) {
        // A parameter.
        None => true,
        Some(block) => block < header || (block == header && inst.is(Op::Phi)),
    }
}

/// A search through the blocks of a function, depth first, from the first one on: by block, its steps when it came to it and when
/// it left it. Zero for those that it did not come to.
struct Search {
    entered: Vec<u32>,
    left: Vec<u32>,
}

impl Search {
    fn of(blocks: &Blocks) -> Search {
        let mut search = Search { entered: vec![0; blocks.len()], left: vec![0; blocks.len()] };
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

    /// Whether an edge goes back, as far as a search can tell: nothing leads to where it starts, or the search came there through
    /// the block that it leads to.
    fn goes_back(&self, from: usize, to: usize) -> bool {
        let through = self.entered[to] <= self.entered[from] && self.left[from] <= self.left[to];
        through || !self.reaches(from)
    }
}
