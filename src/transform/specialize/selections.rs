//! Selections that do nothing if none of their instructions is live.
//!
//! These have one way in and one way out, and no loops. Their blocks are contiguous between the header and the merge block, so that one branch can
//! replace all.

use std::collections::HashMap;
use std::ops::Range;

use spirv::Op;

use crate::analysis::conditional::effects::InstructionKind;
use crate::analysis::flow::each_target;
use crate::loader::{Instruction, Module, views};
use crate::transform::body::FunctionBody;

/// A selection without loops, and without another way out than its merge block.
#[derive(Clone, Debug)]
pub struct StructuredSelection {
    /// The numbers of its instructions: from the merge instruction to the last one before the merge block.
    pub lines: Range<usize>,
    /// The label of the merge block.
    pub merge: u32,
    /// The number of the selection that has its header.
    pub outer: Option<usize>,
}

/// A block, by the numbers of its instructions.
struct SelectionBlock {
    label: usize,
    merge: Option<usize>,
    terminator: Option<usize>,
}

/// Finds the selections among the instructions of a function, in order. Their numbers follow those of earlier
/// selections. `line_of` returns the number of a label.
pub fn find<'l>(
    module: &Module,
    lines: Range<usize>,
    before: usize,
    instruction: impl Fn(usize) -> Instruction<'l>,
    line_of: impl Fn(u32) -> Option<usize>,
) -> Vec<StructuredSelection> {
    let mut blocks: Vec<SelectionBlock> = Vec::new();
    for number in lines {
        let inst = instruction(number);
        match inst.op() {
            Some(Op::Label) => blocks.push(SelectionBlock { label: number, merge: None, terminator: None }),
            Some(Op::SelectionMerge | Op::LoopMerge) => {
                blocks.last_mut().into_iter().for_each(|block| block.merge = Some(number));
            }
            _ if inst.ends_block() => {
                blocks.last_mut().into_iter().for_each(|block| block.terminator = Some(number));
            }
            _ => {}
        }
    }
    let block_of = |label: u32| {
        let line = line_of(label)?;
        blocks.binary_search_by_key(&line, |block| block.label).ok()
    };
    // True if a block branches to later ones alone, up to this one.
    let leads_on = |block: usize, last: usize| {
        let Some(terminator) = blocks[block].terminator.map(&instruction) else { return false };
        let mut leads_on = matches!(terminator.op(), Some(Op::Branch | Op::BranchConditional | Op::Switch));
        each_target(module, &terminator, &mut |label| {
            leads_on &= block_of(label).is_some_and(|target| block < target && target <= last);
        });
        leads_on
    };
    // By block: the merge block of the selection that it begins.
    let mut merges: Vec<Option<usize>> = vec![None; blocks.len()];
    for header in (0..blocks.len()).rev() {
        let merge = blocks[header].merge.and_then(|line| views::SelectionMerge::new(instruction(line)));
        let Some(merge) = merge.and_then(|inst| block_of(inst.merge_block())) else { continue };
        let mut block = header + 1;
        let is_simple = leads_on(header, merge);
        while is_simple && block < merge {
            block = match (blocks[block].merge, merges[block]) {
                (Some(_), Some(inner)) => inner,
                (None, _) if leads_on(block, merge) => block + 1,
                _ => break,
            };
        }
        merges[header] = Some(merge).filter(|merge| is_simple && *merge == block);
    }
    let mut selections: Vec<StructuredSelection> = Vec::new();
    for (header, merge) in merges.iter().enumerate() {
        let (Some(first), Some(merge)) = (blocks[header].merge, *merge) else { continue };
        let Some(last) = blocks[merge - 1].terminator else { continue };
        let mut outer = selections.len().checked_sub(1).map(|last| before + last);
        while let Some(at) = outer.filter(|&at| selections[at - before].lines.end <= first) {
            outer = selections[at - before].outer;
        }
        let merge = views::SelectionMerge(instruction(first)).merge_block();
        selections.push(StructuredSelection { lines: first..last + 1, merge, outer });
    }
    selections
}

/// Joins the merge blocks of removed selections with the blocks before them, if nothing else names them. Merge blocks
/// are given by their labels. Returns the removed labels.
pub fn join(body: &mut FunctionBody, merges: &[u32]) -> Vec<u32> {
    let mut names: HashMap<u32, u32> = merges.iter().map(|&label| (label, 0)).collect();
    for (_, inst) in body.lines() {
        let names_labels =
            matches!(inst.op(), Some(Op::Phi | Op::SelectionMerge | Op::LoopMerge)) || inst.ends_block();
        for word in inst.words_from(1).iter().filter(|_| names_labels) {
            // A literal that is taken for a label keeps the block.
            names.entry(*word).and_modify(|count| *count += 1);
        }
    }
    let (mut joined, mut branch) = (Vec::new(), None);
    for line in 0..body.all_lines().len() {
        let Some(inst) = body.left(line) else { continue };
        if inst.is(Op::Label) {
            let label = views::Label(inst).id();
            let is_joined = branch.is_some_and(|(_, target)| target == label)
                && names.get(&label) == Some(&1)
                && body.has_own_positions(line);
            if let Some((branch, _)) = branch.filter(|_| is_joined) {
                body.remove(branch);
                body.remove(line);
                // No instruction is left for which positions before the branch hold.
                let is_free = |before: &usize| {
                    body.left(*before).is_none()
                        || body.all_lines()[*before].kind() == InstructionKind::Position
                };
                let idle: Vec<usize> = (0..branch).rev().take_while(is_free).collect();
                idle.into_iter().for_each(|line| body.remove(line));
                joined.push(label);
            }
        }
        branch = body.left(line).and_then(views::Branch::new).map(|branch| (line, branch.target_label()));
    }
    joined
}
