//! The parts of a function's control flow that lead to required features.

use crate::analysis::flow::{BlockMerge, Blocks};

/// Stands for a block that is not on a path.
const NONE: usize = usize::MAX;

/// Returns true for each block that every path from the entry block to the end of an invocation of the function passes.
pub fn unavoidable(blocks: &Blocks) -> Vec<bool> {
    let mut all = vec![false; blocks.len()];
    let path = path_to_end(blocks);
    let mut positions = vec![NONE; blocks.len()];
    path.iter().enumerate().for_each(|(position, &block)| positions[block] = position);
    let mut entered = vec![false; blocks.len()];
    // The last position on the path that a way around blocks before it leads to; one past its end is the end of the invocation.
    let mut reached = 0;
    for (position, &block) in path.iter().enumerate() {
        all[block] = reached == position;
        let mut open = vec![block];
        while let Some(from) = open.pop() {
            if is_end(blocks, from) {
                reached = path.len();
            }
            for next in blocks.successors(from) {
                match positions[next] {
                    NONE if !std::mem::replace(&mut entered[next], true) => open.push(next),
                    NONE => {}
                    other => reached = reached.max(other),
                }
            }
        }
    }
    all
}

/// Returns a path from the entry block to a block that ends an invocation; empty if none exists.
fn path_to_end(blocks: &Blocks) -> Vec<usize> {
    let mut from = vec![NONE; blocks.len()];
    let mut open = std::collections::VecDeque::new();
    if let Some(entry) = from.first_mut() {
        *entry = 0;
        open.push_back(0);
    }
    while let Some(block) = open.pop_front() {
        if is_end(blocks, block) {
            let before = |&block: &usize| (block != 0).then(|| from[block]);
            let mut path: Vec<usize> = std::iter::successors(Some(block), before).collect();
            path.reverse();
            return path;
        }
        for next in blocks.successors(block) {
            if from[next] == NONE {
                from[next] = block;
                open.push_back(next);
            }
        }
    }
    Vec::new()
}

/// Returns true if a block ends the invocation of the function.
fn is_end(blocks: &Blocks, block: usize) -> bool {
    blocks.successors(block).next().is_none()
}

/// Returns true for each block whose paths to an end all pass a block that requires something.
pub fn doomed(blocks: &Blocks, requires: &[bool]) -> Vec<bool> {
    let reaching = backward(blocks, |block| requires[block], |_| true);
    let safe = backward(blocks, |block| !reaching[block], |block| !requires[block]);
    safe.into_iter().map(|is_safe| !is_safe).collect()
}

/// Returns true for the blocks with a path to a start, over blocks that are passable.
fn backward(
    blocks: &Blocks,
    is_start: impl Fn(usize) -> bool,
    is_passable: impl Fn(usize) -> bool,
) -> Vec<bool> {
    let mut reached: Vec<bool> = (0..blocks.len()).map(is_start).collect();
    let mut open: Vec<usize> = (0..blocks.len()).filter(|&block| reached[block]).collect();
    while let Some(block) = open.pop() {
        for before in blocks.predecessors(block).filter(|&before| is_passable(before)) {
            if !std::mem::replace(&mut reached[before], true) {
                open.push(before);
            }
        }
    }
    reached
}

/// Returns the blocks that are reached from some blocks, these included, in order. `is_passable` is false for blocks that are not passed.
pub fn reached_from(
    blocks: &Blocks,
    starts: impl IntoIterator<Item = usize>,
    is_passable: impl Fn(usize) -> bool,
) -> Vec<usize> {
    let mut open: Vec<usize> = starts.into_iter().collect();
    let mut reached = vec![false; blocks.len()];
    open.iter().for_each(|&start| reached[start] = true);
    while let Some(block) = open.pop() {
        for next in blocks.successors(block).filter(|&next| is_passable(next)) {
            if !std::mem::replace(&mut reached[next], true) {
                open.push(next);
            }
        }
    }
    (0..blocks.len()).filter(|&block| reached[block]).collect()
}

/// Returns true for each block of the continue construct of a loop (specification, 2.11.2 "Structured Control-Flow Constructs").
pub fn in_continue_constructs(blocks: &Blocks) -> Vec<bool> {
    let mut inside = vec![false; blocks.len()];
    for (header, merge) in blocks.merges() {
        let BlockMerge::Loop { merge, continues } = merge else { continue };
        let construct = reached_from(blocks, [continues], |block| block != header && block != merge);
        construct.into_iter().for_each(|block| inside[block] = true);
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loader::Module;
    use crate::test_support::{instruction, module_of};
    use spirv::Op;

    /// Returns the blocks of a function with these edges: block `n` has the label `n + 10`.
    fn with_blocks<R>(edges: &[&[usize]], check: impl FnOnce(&Blocks) -> R) -> R {
        let op = |op: Op, operands: &[u32]| instruction(op as u16, operands);
        let mut instructions = vec![
            op(Op::TypeVoid, &[1]),
            op(Op::TypeBool, &[2]),
            op(Op::ConstantTrue, &[2, 3]),
            op(Op::TypeFunction, &[4, 1]),
            op(Op::Function, &[1, 5, 0, 4]),
        ];
        let label = |block: usize| block as u32 + 10;
        for (block, targets) in edges.iter().enumerate() {
            instructions.push(op(Op::Label, &[label(block)]));
            instructions.push(match **targets {
                [] => op(Op::Return, &[]),
                [one] => op(Op::Branch, &[label(one)]),
                [one, other, ..] => op(Op::BranchConditional, &[3, label(one), label(other)]),
            });
        }
        instructions.push(op(Op::FunctionEnd, &[]));
        let words = module_of(100, &instructions);
        let module = Module::from_words(&words[..]).unwrap();
        let mut blocks = Blocks::default();
        assert!(blocks.read(&module, &module.functions()[0]));
        check(&blocks)
    }

    fn numbers(all: &[bool]) -> Vec<usize> {
        (0..all.len()).filter(|&block| all[block]).collect()
    }

    fn requiring(count: usize, requires: &[usize]) -> Vec<bool> {
        (0..count).map(|block| requires.contains(&block)).collect()
    }

    #[test]
    fn unavoidable_blocks_are_on_every_path() {
        let unavoidable = |edges: &[&[usize]]| with_blocks(edges, |blocks| numbers(&unavoidable(blocks)));
        assert_eq!(unavoidable(&[&[1, 2], &[3], &[3], &[]]), [0, 3], "a selection");
        assert_eq!(unavoidable(&[&[1], &[2, 3], &[1], &[]]), [0, 1, 3], "a loop");
        assert_eq!(unavoidable(&[&[1, 2], &[], &[3], &[]]), [0], "two ends");
        assert_eq!(unavoidable(&[&[1], &[2, 4], &[3], &[4], &[5], &[]]), [0, 1, 4, 5], "a way around");
        assert_eq!(unavoidable(&[&[1], &[0]]), [] as [usize; 0], "no end");
    }

    #[test]
    fn doomed_blocks_lead_to_requirements() {
        let doomed = |edges: &[&[usize]], requires: &[usize]| {
            with_blocks(edges, |blocks| numbers(&doomed(blocks, &requiring(edges.len(), requires))))
        };
        let chain: &[&[usize]] = &[&[1, 3], &[2], &[3], &[]];
        assert_eq!(doomed(chain, &[2]), [1, 2], "the block before leads nowhere else");
        assert_eq!(doomed(chain, &[3]), [0, 1, 2, 3]);
        assert_eq!(doomed(&[&[1, 2], &[3], &[3], &[]], &[1, 2]), [0, 1, 2], "both sides");
        let looped: &[&[usize]] = &[&[1, 4], &[2, 3], &[1], &[4], &[]];
        assert_eq!(doomed(looped, &[3]), [1, 2, 3], "the loop ends only there");
        assert_eq!(doomed(looped, &[2]), [2], "the loop may end before");
        assert_eq!(
            doomed(&[&[1, 2], &[1], &[]], &[]),
            [] as [usize; 0],
            "a loop without an end requires nothing"
        );
    }
}
