//! Folding of branches on known constants: unreachable blocks are removed, and control flow remains structured.
//!
//! `shape` determines the blocks that are kept, `left` which of them become one, and [`fold`] writes the body that the function has then.

mod left;
mod shape;
#[cfg(test)]
mod tests;

use spirv::Op;

use super::body::FunctionBody;
use super::removal::count_words;
use crate::analysis::flow::Blocks;
use crate::loader::{Instructions, Module, views};
pub use left::LeftBlock;
use left::{is_continued, left_blocks};
pub use shape::DecidedBranches;
use shape::{BlockAction, FoldedBlocks};

/// A function after folding.
#[derive(Clone, Debug)]
pub struct FoldedFunction<'m> {
    pub body: FunctionBody<'m>,
    /// The blocks that are left, in their new order, if the function has variables.
    pub left: Vec<LeftBlock>,
    /// The number of decided branches.
    pub branches: usize,
    /// Number of removed blocks, except those that keep a label and a terminator.
    pub blocks: usize,
    /// The ids that removed instructions define.
    pub removed: Vec<u32>,
}

/// Scratch memory that foldings share.
#[derive(Debug, Default)]
pub struct FoldMemory {
    shape: shape::BlockTables,
    phis: PhiTables,
    /// True for each reachable block.
    reached: Vec<bool>,
    /// Head of each block: the block that it becomes a part of, or itself.
    heads: Vec<u32>,
    lines: Vec<BlockLines>,
}

/// The lines of a block.
#[derive(Clone, Copy, Debug)]
struct BlockLines {
    /// The first one: a position in the source that stands before the label, or the label.
    begin: usize,
    label: usize,
    end: usize,
}

/// Memory for the OpPhis of one block.
#[derive(Debug, Default)]
struct PhiTables {
    /// The labels of the blocks that lead to it, and those of the blocks that these become parts of.
    labels: Vec<(u32, u32)>,
    /// The instructions that OpPhis become: OpPhis, and copies after them.
    words: Vec<u32>,
    copies: Vec<u32>,
    /// Remaining words of one OpPhi.
    remaining: Vec<u32>,
}

/// Folds a function with these blocks, in which these branches are decided. `None` if none is. `is_structured` is true if its control flow must be.
pub fn fold<'m>(
    source: &FunctionBody<'m>,
    blocks: &Blocks,
    decided: &DecidedBranches,
    is_structured: bool,
    memory: &mut FoldMemory,
) -> Option<FoldedFunction<'m>> {
    let FoldMemory { shape, phis, reached, heads, lines } = memory;
    let module = source.module();
    let shape = FoldedBlocks::new(module, blocks, decided, is_structured, shape)?;
    let is_left = |&block: &usize| shape.action(block) != BlockAction::Removed;
    let order =
        order_of_blocks(&shape, reached).unwrap_or_else(|| (0..blocks.len()).filter(is_left).collect());
    find_lines(source, blocks, lines);
    find_heads(source, &shape, &order, lines, heads);
    let folded = FoldedFunction {
        body: FunctionBody::empty(module, source.number, source.all_lines().len()),
        left: if source.has_variables { left_blocks(&shape, &order) } else { Vec::new() },
        branches: shape.count_taken(),
        blocks: blocks.len() - order.len(),
        removed: Vec::new(),
    };
    let mut writer = FoldWriter { module, source, shape: &shape, lines, heads, phis, folded };
    writer.copy(0, lines[0].begin);
    for (place, &block) in order.iter().enumerate() {
        let start = writer.folded.body.all_lines().len();
        writer.block(block);
        if let Some(left) = writer.folded.left.get_mut(place) {
            left.lines = start..writer.folded.body.all_lines().len();
        }
    }
    writer.copy(lines[blocks.len() - 1].end, source.all_lines().len());
    (0..blocks.len()).filter(|block| !is_left(block)).for_each(|block| {
        writer.remove(lines[block].begin, lines[block].end);
    });
    Some(writer.folded)
}

/// Writes the body of a function after folding.
struct FoldWriter<'f, 'm> {
    module: &'m Module<'m>,
    source: &'f FunctionBody<'m>,
    shape: &'f FoldedBlocks<'f>,
    lines: &'f [BlockLines],
    heads: &'f [u32],
    phis: &'f mut PhiTables,
    folded: FoldedFunction<'m>,
}

impl FoldWriter<'_, '_> {
    /// Copies the lines from one to another.
    fn copy(&mut self, start: usize, end: usize) {
        self.folded.body.extend(self.source, start..end);
    }

    /// Leaves out the lines from one to another.
    fn remove(&mut self, start: usize, end: usize) {
        let results = (start..end).filter_map(|line| self.source.instruction(line).result_id());
        self.folded.removed.extend(results);
    }

    /// Adds an instruction in the place of another one of the same kind: one that only computes, or one of control
    /// flow.
    fn add(&mut self, line: usize, words: &[u32]) {
        let line = self.source.all_lines()[line];
        self.folded.body.push_new(line.origin(), line.kind(), words);
    }

    fn label(&self, block: usize) -> u32 {
        self.shape.blocks.get(block).label(self.module)
    }

    fn block(&mut self, at: usize) {
        let BlockLines { begin, label, end } = self.lines[at];
        let terminator = end - 1;
        self.copy(begin, label);
        match self.heads[at] as usize == at {
            true => self.copy(label, label + 1),
            false => self.remove(label, label + 1),
        }
        match self.shape.action(at) {
            // It is not in the order.
            BlockAction::Removed => {}
            BlockAction::Unreachable => {
                self.remove(label + 1, end);
                self.add(terminator, &[1 << 16 | Op::Unreachable as u32]);
            }
            BlockAction::Continue { header } => {
                self.remove(label + 1, end);
                self.add(terminator, &branch(self.label(header as usize)));
            }
            BlockAction::Kept => self.kept(at, label + 1, terminator),
        }
    }

    /// Writes the lines of a block after its label.
    fn kept(&mut self, at: usize, start: usize, end: usize) {
        let shape = self.shape;
        let block = shape.blocks.get(at);
        let heads = self.heads;
        let mut continued = shape.next(at).filter(|&next| heads[next] as usize != next);
        let is_continued = continued.any(|next| shape.leads(at, next));
        let mut next = start;
        if self.find_phis(at) {
            let phis = std::mem::take(&mut self.phis.words);
            for phi in Instructions::new(&phis, 0) {
                while !self.source.instruction(next).is(Op::Phi) {
                    self.copy(next, next + 1);
                    next += 1;
                }
                match self.source.instruction(next).words() == phi.words() {
                    true => self.copy(next, next + 1),
                    false => self.add(next, phi.words()),
                }
                next += 1;
            }
            self.phis.words = phis;
        }
        let mut last = end;
        if is_continued || shape.taken(at).is_some() {
            // A hint on the branch of a loop, which must precede one.
            let is_hint = last > next && self.source.instruction(last - 1).is(Op::LoopControlINTEL);
            last -= usize::from(is_hint);
        }
        let lost = Some(block.merge).filter(|&merge| merge != 0 && !shape.has_merge(at));
        let merge = lost.and_then(|merge| self.line_at(merge, next, last));
        self.copy(next, merge.unwrap_or(last));
        if let Some(merge) = merge {
            self.copy(merge + 1, last);
        }
        if let Some(from) = shape.moved(at) {
            let BlockLines { label, end, .. } = self.lines[from];
            let merge = self.line_at(shape.blocks.get(from).merge, label, end);
            merge.into_iter().for_each(|merge| self.copy(merge, merge + 1));
        }
        if !is_continued {
            self.terminator(at, end);
        }
    }

    /// Returns the line among some that was made of the instruction at an offset.
    fn line_at(&self, origin: u32, start: usize, end: usize) -> Option<usize> {
        (start..end).rev().find(|&line| self.source.all_lines()[line].origin() == origin)
    }

    /// Writes the last instruction of a block.
    fn terminator(&mut self, at: usize, line: usize) {
        let (shape, module) = (self.shape, self.module);
        let terminator = module.instruction(shape.blocks.get(at).terminator);
        if let Some(target) = shape.taken(at) {
            match shape.has_merge(at) && terminator.is(Op::Switch) {
                true => {
                    // A merge instruction must precede a branch with a selector.
                    let selector = views::Switch(terminator).selector();
                    self.add(line, &[3 << 16 | Op::Switch as u32, selector, self.label(target)]);
                }
                false => self.add(line, &branch(self.label(target))),
            }
        } else if shape.has_closed(at) {
            self.add(line, &open_cases(module, shape, at, views::Switch(terminator)));
        } else {
            self.copy(line, line + 1);
        }
    }

    /// Finds the replacements of the OpPhis of a block that loses edges, or whose edges come from other blocks now:
    /// OpPhis, and copies after them. Returns false if they stay unchanged.
    fn find_phis(&mut self, at: usize) -> bool {
        let (shape, module, heads) = (self.shape, self.module, self.heads);
        if !shape.blocks.has_phis(at) {
            return false;
        }
        let PhiTables { labels, words, copies, remaining } = &mut *self.phis;
        labels.clear();
        let leading = shape.blocks.predecessors(at).filter(|&from| shape.leads(from, at));
        let label = |block: usize| shape.blocks.get(block).label(module);
        labels.extend(leading.map(|from| (label(from), label(heads[from] as usize))));
        let is_moved = heads[at] as usize != at || labels.iter().any(|(old, new)| old != new);
        let continues = shape.continues(at).map(label);
        if !is_moved && continues.is_none() && labels.len() == shape.blocks.predecessors(at).count() {
            return false;
        }
        words.clear();
        copies.clear();
        for phi in shape.blocks.phis(module, at) {
            match find_remaining(phi, labels, continues, is_moved, remaining) {
                Some(value) => {
                    copies.extend([4 << 16 | Op::CopyObject as u32, phi.type_id(), phi.id(), value]);
                }
                None => words.extend_from_slice(remaining),
            }
        }
        words.append(copies);
        true
    }
}

/// Finds the lines of blocks.
fn find_lines(source: &FunctionBody, blocks: &Blocks, lines: &mut Vec<BlockLines>) {
    lines.clear();
    let (mut begin, mut label, mut is_inside) = (None, 0, false);
    for (number, line) in source.all_lines().iter().enumerate() {
        let Some(block) = (lines.len() < blocks.len()).then(|| blocks.get(lines.len())) else { return };
        if !is_inside && line.origin() == block.start {
            (label, is_inside) = (number, true);
        } else if line.origin() == block.terminator {
            lines.push(BlockLines { begin: begin.unwrap_or(label), label, end: number + 1 });
            (begin, is_inside) = (Some(number + 1), false);
        }
    }
}

/// Returns the words of a switch without the cases that are never taken.
fn open_cases(module: &Module, shape: &FoldedBlocks, at: usize, switch: views::Switch) -> Vec<u32> {
    let type_ = module.definition(switch.selector()).and_then(|inst| inst.result_type()).unwrap_or(0);
    let width = module.definition(type_).map_or(32, |type_| views::TypeNumber(type_).width());
    let mut words = switch.words()[..3].to_vec();
    for (literal, label) in switch.cases(width) {
        if shape.blocks.number(module, label).is_some_and(|target| shape.next(at).any(|next| next == target))
        {
            words.extend_from_slice(literal);
            words.push(label);
        }
    }
    count_words(&mut words);
    words
}

/// Writes the rest of an OpPhi that these blocks lead to. If it loses or moves edges and one value remains, returns
/// that value instead.
fn find_remaining(
    inst: views::Phi,
    labels: &[(u32, u32)],
    continues: Option<u32>,
    is_moved: bool,
    words: &mut Vec<u32>,
) -> Option<u32> {
    words.clear();
    words.extend_from_slice(&inst.words()[..3]);
    let mut values = PhiValues::None;
    for &[value, from] in inst.incoming() {
        if let Some((_, label)) = labels.iter().find(|(old, _)| *old == from) {
            words.extend([value, *label]);
            if value != inst.id() {
                values.add(value);
            }
        }
    }
    if !is_moved && words.len() == inst.words().len() && continues.is_none() {
        return None;
    }
    if let PhiValues::One(value) = values {
        return Some(value);
    }
    // An unreachable continue target leads here. Any value would do for that edge; the OpPhi itself is none that a driver has a defect with
    // (`analysis::loop_phis`).
    words.extend(continues.into_iter().flat_map(|label| [inst.id(), label]));
    count_words(words);
    None
}

/// The different values of an OpPhi except itself, as far as they matter.
enum PhiValues {
    None,
    One(u32),
    Several,
}

impl PhiValues {
    fn add(&mut self, value: u32) {
        *self = match *self {
            PhiValues::None => PhiValues::One(value),
            PhiValues::One(other) if other == value => return,
            _ => PhiValues::Several,
        };
    }
}

/// Finds the block that each block is merged into, with blocks in this order. A block that stays is its own.
fn find_heads(
    source: &FunctionBody,
    shape: &FoldedBlocks,
    order: &[usize],
    lines: &[BlockLines],
    heads: &mut Vec<u32>,
) {
    heads.clear();
    heads.extend(0..shape.blocks.len() as u32);
    // Positions in the source hold until the end of a block.
    let is_part = |before: usize, block: usize| {
        is_continued(shape, before, block) && source.has_own_positions(lines[block].label)
    };
    for pair in order.windows(2).filter(|pair| is_part(pair[0], pair[1])) {
        heads[pair[1]] = heads[pair[0]];
    }
}

fn branch(label: u32) -> [u32; 2] {
    [2 << 16 | Op::Branch as u32, label]
}

/// The depth of a search through blocks that is allocated at first.
const USUAL_DEPTH: usize = 16;

/// Returns the kept blocks in a valid order, in which a block precedes the blocks that it dominates (specification, 2.16.1 "Universal Validation
/// Rules"); `None` if their present order is valid. When edges are removed, a block may become dominated by a later one.
fn order_of_blocks(shape: &FoldedBlocks, reached: &mut Vec<bool>) -> Option<Vec<usize>> {
    if is_in_order(shape, reached) {
        return None;
    }
    // The reverse postorder. The search visits the blocks that a merge instruction names first, so that they come last.
    let entered = reached;
    entered.fill(false);
    let mut left = Vec::with_capacity(shape.blocks.len());
    let mut path = Vec::with_capacity(USUAL_DEPTH);
    path.push((0, shape.following(0)));
    entered[0] = true;
    while let Some((block, following)) = path.last_mut() {
        match following.next() {
            Some(next) if entered[next] => {}
            Some(next) => {
                entered[next] = true;
                path.push((next, shape.following(next)));
            }
            None => {
                left.push(*block);
                path.pop();
            }
        }
    }
    left.reverse();
    Some(left)
}

/// Returns true if each kept block comes after a block that leads to it. Then it comes after all its dominators.
fn is_in_order(shape: &FoldedBlocks, reached: &mut Vec<bool>) -> bool {
    reached.clear();
    reached.resize(shape.blocks.len(), false);
    reached[0] = true;
    for block in 0..shape.blocks.len() {
        if shape.action(block) == BlockAction::Removed {
            continue;
        }
        if !reached[block] {
            return false;
        }
        shape.reached(block, |next| reached[next] |= next > block);
    }
    true
}
