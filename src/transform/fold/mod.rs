//! Folding of branches on known constants: unreachable blocks are removed, and control flow remains structured.
//!
//! `shape` determines the blocks that are kept, and [`Folding`] the changes to instructions, and to the order of blocks.

mod shape;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use spirv::Op;

use super::Edits;
use super::removal::count_words;
use crate::analysis::flow::{Blocks, Decision};
use crate::loader::grammar::{self, Layout};
use crate::loader::{Instruction, Module, views};
use shape::{BlockFate, Shape};

/// What becomes of an instruction.
pub enum Fate<'f> {
    /// It stays as it is.
    Kept,
    /// It is removed.
    Dropped,
    /// These words replace it: an OpPhi or a terminator that changes. All but the first are ids.
    Replaced(&'f [u32]),
}

/// The changes to one function. Offsets are in words, and everything is in the order of the function.
#[derive(Clone, Debug, Default)]
pub struct Folding {
    /// Removed ranges: blocks with the lines before them, or everything behind the label of a block.
    removed: Vec<(u32, u32)>,
    /// Removed instructions.
    dropped: Vec<u32>,
    /// Replaced OpPhis and terminators. All their operands are ids.
    replaced: Vec<New>,
    /// Inserted instructions: merge instructions, and new terminators.
    inserted: Vec<New>,
    /// The words of replaced and inserted instructions.
    words: Vec<u32>,
    /// The ranges of the blocks in their new order, if it changes.
    order: Option<Vec<(u32, u32)>>,
    /// The range of the first block, which has all variables.
    first: (u32, u32),
    /// The number of decided branches.
    pub branches: usize,
    /// The number of removed blocks, without those of which only the label and a terminator are left.
    pub blocks: usize,
}

/// A new instruction.
#[derive(Clone, Copy, Debug)]
struct New {
    /// The offset of what it replaces, or of the place where it is inserted.
    offset: u32,
    /// The range of its words in [`Folding::words`].
    start: u32,
    end: u32,
}

/// Memory that foldings use one after the other.
#[derive(Debug, Default)]
pub struct Tables {
    shape: shape::Tables,
    /// A folding that is no longer needed.
    spare: Folding,
    /// The labels of the blocks that lead to a block.
    labels: Vec<u32>,
    /// By block: true if one leads to it.
    reached: Vec<bool>,
}

impl Tables {
    /// Takes the memory of a folding.
    pub fn reuse(&mut self, folding: Folding) {
        self.spare = folding;
    }
}

impl Folding {
    /// Folds a function with these blocks, in which these branches are decided. `None` if none is. `structured` is true if the module must have
    /// structured control flow. `finds_variables` is false where [`LostUses`] finds those that only removed instructions use.
    pub fn of(
        module: &Module,
        blocks: &Blocks,
        decided: impl Iterator<Item = Decision>,
        structured: bool,
        finds_variables: bool,
        tables: &mut Tables,
    ) -> Option<Folding> {
        let Tables { shape, spare, labels, reached } = tables;
        let shape = Shape::of(module, blocks, decided, structured, shape)?;
        let mut folding = std::mem::take(spare);
        folding.clear();
        folding.first = (blocks.get(0).start, blocks.get(0).end);
        folding.branches = shape.count_taken();
        for block in 0..blocks.len() {
            folding.block(module, &shape, block, labels);
        }
        if finds_variables {
            folding.dropped.extend(unused_variables(module, &shape, &folding));
            folding.dropped.sort_unstable();
        }
        folding.order = order_of_blocks(&shape, reached);
        Some(folding)
    }

    fn clear(&mut self) {
        self.removed.clear();
        self.dropped.clear();
        self.replaced.clear();
        self.inserted.clear();
        self.words.clear();
        self.blocks = 0;
    }

    fn block(&mut self, module: &Module, shape: &Shape, at: usize, labels: &mut Vec<u32>) {
        let block = shape.blocks.get(at);
        let label_end = block.start + 2;
        let label = |block: usize| shape.blocks.get(block).label(module);
        match shape.fate(at) {
            BlockFate::Removed => {
                self.blocks += 1;
                return self.removed.push((shape.begin(at), block.end));
            }
            BlockFate::Unreachable => {
                self.removed.push((label_end, block.end));
                return self.insert(label_end, &[1 << 16 | Op::Unreachable as u32]);
            }
            BlockFate::Continue { header } => {
                self.removed.push((label_end, block.end));
                return self.insert(label_end, &branch(label(header as usize)));
            }
            BlockFate::Kept => {}
        }
        self.phis(module, shape, at, labels);
        if block.merge != 0 && !shape.has_merge(at) {
            self.dropped.push(block.merge);
        }
        if let Some(from) = shape.moved(at) {
            self.insert(block.terminator, module.instruction(shape.blocks.get(from).merge).words());
        }
        if let Some(target) = shape.taken(at) {
            let terminator = module.instruction(block.terminator);
            let start = self.words.len();
            match shape.has_merge(at) && terminator.is(Op::Switch) {
                true => {
                    // A merge instruction must precede a branch with a selector.
                    let selector = views::Switch(terminator).selector();
                    self.words.extend([3 << 16 | Op::Switch as u32, selector, label(target)]);
                }
                false => self.words.extend(branch(label(target))),
            }
            self.replace(block.terminator, start);
        }
    }

    fn insert(&mut self, offset: u32, words: &[u32]) {
        let start = self.words.len();
        self.words.extend_from_slice(words);
        self.inserted.push(New { offset, start: start as u32, end: self.words.len() as u32 });
    }

    /// The words from one place on replace an instruction.
    fn replace(&mut self, offset: u32, start: usize) {
        self.replaced.push(New { offset, start: start as u32, end: self.words.len() as u32 });
    }

    /// The words of a new instruction.
    fn words(&self, new: &New) -> &[u32] {
        &self.words[new.start as usize..new.end as usize]
    }

    /// Replaces OpPhis that lose edges. Copies come after those that remain OpPhis.
    fn phis(&mut self, module: &Module, shape: &Shape, at: usize, labels: &mut Vec<u32>) {
        if !shape.blocks.has_phis(at) {
            return;
        }
        labels.clear();
        let leading = shape.blocks.predecessors(at).filter(|&from| shape.leads(from, at));
        labels.extend(leading.map(|from| shape.blocks.get(from).label(module)));
        let continues = shape.continues(at).map(|block| shape.blocks.get(block).label(module));
        if continues.is_none() && labels.len() == shape.blocks.predecessors(at).count() {
            return;
        }
        let phis = || shape.blocks.phis(module, at);
        let mut places = phis();
        for copies in [false, true] {
            for phi in phis() {
                let start = self.words.len();
                if self.phi(phi, labels, continues) != copies {
                    self.words.truncate(start);
                    continue;
                }
                match places.next() {
                    Some(place) if self.words[start..] != *place.words() => {
                        self.replace(place.offset(), start);
                    }
                    _ => self.words.truncate(start),
                }
            }
            if places.clone().next().is_none() {
                return;
            }
        }
    }

    /// Writes what becomes of an OpPhi to which these blocks lead. True if that is a copy, since it loses edges so that one value is left.
    fn phi(&mut self, inst: views::Phi, labels: &[u32], continues: Option<u32>) -> bool {
        let start = self.words.len();
        self.words.extend_from_slice(&inst.words()[..3]);
        let mut values = Values::None;
        for incoming @ [value, from] in inst.incoming() {
            if labels.contains(from) {
                self.words.extend_from_slice(incoming);
                if *value != inst.id() {
                    values.add(*value);
                }
            }
        }
        if self.words.len() - start == inst.words().len() && continues.is_none() {
            return false;
        }
        if let Values::One(value) = values {
            self.words.truncate(start);
            self.words.extend([4 << 16 | Op::CopyObject as u32, inst.type_id(), inst.id(), value]);
            return true;
        }
        // An unreachable continue target leads here. Any value would do for that edge; but for a value from before the loop, NVIDIA's
        // compiler crashes (`analysis::loop_phis`).
        self.words.extend(continues.into_iter().flat_map(|label| [inst.id(), label]));
        count_words(&mut self.words[start..]);
        false
    }

    /// The instructions that are removed and not replaced.
    pub fn removed<'m>(&self, module: &'m Module) -> impl Iterator<Item = Instruction<'m>> {
        let of_blocks = self.removed.iter().flat_map(|&(start, end)| module.range(start, end));
        of_blocks.chain(self.dropped.iter().map(|&at| module.instruction(at)))
    }

    /// What becomes of instructions of the function, which are in order.
    pub fn fates<'f, 'm>(
        &'f self,
        instructions: impl Iterator<Item = Instruction<'m>> + 'f,
    ) -> impl Iterator<Item = (Instruction<'m>, Fate<'f>)> + 'f {
        let (mut removed, mut dropped, mut replaced) =
            (self.removed.as_slice(), self.dropped.as_slice(), self.replaced.as_slice());
        instructions.map(move |inst| {
            let at = inst.offset();
            while let [(_, end), rest @ ..] = removed
                && *end <= at
            {
                removed = rest;
            }
            while let [offset, rest @ ..] = dropped
                && *offset < at
            {
                dropped = rest;
            }
            while let [New { offset, .. }, rest @ ..] = replaced
                && *offset < at
            {
                replaced = rest;
            }
            let is_removed = removed.first().is_some_and(|&(start, _)| start <= at);
            let fate = match replaced.first() {
                _ if is_removed || dropped.first() == Some(&at) => Fate::Dropped,
                Some(new) if new.offset == at => Fate::Replaced(self.words(new)),
                _ => Fate::Kept,
            };
            (inst, fate)
        })
    }

    /// Writes the changes. If blocks change their order, later edits of the function are lost.
    pub fn write(&self, module: &Module, edits: &mut Edits) {
        let (mut removed, mut dropped) = (self.removed.iter().peekable(), self.dropped.iter().peekable());
        let (mut replaced, mut inserted) = (self.replaced.iter().peekable(), self.inserted.iter().peekable());
        // In the order of the function, so that edits need not be sorted.
        loop {
            let next = [
                inserted.peek().map(|new| new.offset),
                removed.peek().map(|range| range.0),
                dropped.peek().map(|offset| **offset),
                replaced.peek().map(|new| new.offset),
            ];
            let next = next.map(|offset| offset.unwrap_or(u32::MAX));
            let first = next.into_iter().min().unwrap_or(u32::MAX);
            if let Some(new) = inserted.next_if(|new| new.offset == first) {
                edits.insert_words(first, self.words(new));
            } else if let Some(&(start, end)) = removed.next_if(|range| range.0 == first) {
                edits.drop_range(start, end);
            } else if dropped.next_if(|offset| **offset == first).is_some() {
                edits.drop(&module.instruction(first));
            } else if let Some(new) = replaced.next_if(|new| new.offset == first) {
                edits.replace_words(&module.instruction(first), self.words(new));
            } else {
                break;
            }
        }
        if let Some(order) = &self.order {
            edits.reorder(module, order);
        }
    }
}

/// The different values of an OpPhi but for itself, as far as they matter.
enum Values {
    None,
    One(u32),
    Several,
}

impl Values {
    fn add(&mut self, value: u32) {
        *self = match *self {
            Values::None => Values::One(value),
            Values::One(other) if other == value => return,
            _ => Values::Several,
        };
    }
}

fn branch(label: u32) -> [u32; 2] {
    [2 << 16 | Op::Branch as u32, label]
}

/// The offset of the definition of an id, if it is a variable in this block.
fn variable(module: &Module, (start, end): (u32, u32), id: u32) -> Option<u32> {
    let at = module.definition_offset(id).filter(|at| (start..end).contains(at))?;
    module.instruction(at).is(Op::Variable).then_some(at)
}

/// The uses that ids lose with what a function loses, where all of its uses are counted (as `FunctionReferences` has them).
#[derive(Debug, Default)]
pub struct LostUses {
    /// By id; zero for ids that are not in `touched`.
    counts: Vec<u16>,
    /// The ids that lose uses.
    touched: Vec<u32>,
    /// The ids that removed instructions define.
    pub results: Vec<u32>,
}

impl LostUses {
    /// Turns to a module.
    pub fn start(&mut self, module: &Module) {
        self.clear();
        self.counts.resize(self.counts.len().max(module.bound() as usize), 0);
    }

    /// Finds them for these instructions.
    pub fn find_of(&mut self, module: &Module, dropped: &[u32]) {
        self.clear();
        dropped.iter().for_each(|&offset| self.lose(module, &module.instruction(offset)));
    }

    /// True if each id that is no longer defined has lost all its uses. `uses` are their numbers.
    pub fn has_all(&self, uses: &[u16]) -> bool {
        self.results.iter().all(|&id| self.of(id) == uses[id as usize])
    }

    fn clear(&mut self) {
        self.touched.drain(..).for_each(|id| self.counts[id as usize] = 0);
        self.results.clear();
    }

    /// Finds them for one function, and the variables that only removed instructions use. `uses` are the numbers of uses of what the function
    /// defines.
    pub fn find(&mut self, module: &Module, folding: &mut Folding, uses: &[u16]) {
        self.clear();
        folding.removed(module).for_each(|inst| self.lose(module, &inst));
        let of_removed = self.touched.len();
        // An OpPhi may get the place of another one: then it comes before it leaves.
        for new in &folding.replaced {
            let inst = module.instruction(new.offset);
            module.walk(&inst, &mut |_: usize, id: u32| self.change(id, 1));
            folding.words(new).iter().skip(1).for_each(|&id| self.change(id, u16::MAX));
        }
        let before = folding.dropped.len();
        for at in 0..of_removed {
            let id = self.touched[at];
            // The definition counts as a use.
            let is_lost = self.counts[id as usize].wrapping_add(1) == uses[id as usize];
            if let Some(offset) = variable(module, folding.first, id).filter(|_| is_lost) {
                folding.dropped.push(offset);
            }
        }
        folding.dropped[before..].sort_unstable();
        for &offset in &folding.dropped[before..] {
            self.lose(module, &module.instruction(offset));
        }
        folding.dropped.sort_unstable();
    }

    #[inline]
    fn lose(&mut self, module: &Module, inst: &Instruction) {
        let layout = grammar::layout(inst.opcode());
        module.walk_with(layout, inst, &mut |_: usize, id: u32| self.change(id, 1));
        if let Some(at) = layout.and_then(Layout::result_word) {
            self.results.extend(inst.words().get(at));
        }
    }

    fn change(&mut self, id: u32, by: u16) {
        let count = &mut self.counts[id as usize];
        if *count == 0 {
            self.touched.push(id);
        }
        *count = count.wrapping_add(by);
    }

    /// The number for an id.
    pub fn of(&self, id: u32) -> u16 {
        self.counts[id as usize]
    }
}

/// The offsets of the variables that only removed instructions use. All are in the first block.
fn unused_variables(module: &Module, shape: &Shape, folding: &Folding) -> Vec<u32> {
    // An initial value is a constant or a variable outside of the function.
    let variable = |id: u32| variable(module, folding.first, id);
    let mut lost = BTreeSet::new();
    for inst in folding.removed(module).filter(|inst| !inst.is(Op::Variable)) {
        module.walk(&inst, &mut |_: usize, id: u32| lost.extend(variable(id)));
    }
    if lost.is_empty() {
        return Vec::new();
    }
    let instructions = shape.blocks.iter().flat_map(|block| module.range(block.start, block.end));
    let function = folding.fates(instructions).filter(|(inst, _)| !inst.is(Op::Variable));
    let mut use_id = |id: u32| {
        if let Some(at) = variable(id) {
            lost.remove(&at);
        }
    };
    for (inst, fate) in function {
        match fate {
            Fate::Kept => module.walk(&inst, &mut |_: usize, id: u32| use_id(id)),
            Fate::Replaced(words) => words.iter().skip(1).copied().for_each(&mut use_id),
            Fate::Dropped => {}
        }
    }
    lost.into_iter().collect()
}

/// The ranges of the kept blocks in a valid order, in which a block comes before those that it dominates (specification, 2.16.1 "Universal
/// Validation Rules"); `None` if their present order is valid. When edges are removed, a block may become dominated by a later one.
fn order_of_blocks(shape: &Shape, reached: &mut Vec<bool>) -> Option<Vec<(u32, u32)>> {
    if is_in_order(shape, reached) {
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

/// True if each kept block comes after one that leads to it: then it comes after all that dominate it.
fn is_in_order(shape: &Shape, reached: &mut Vec<bool>) -> bool {
    reached.clear();
    reached.resize(shape.blocks.len(), false);
    reached[0] = true;
    for block in 0..shape.blocks.len() {
        if shape.fate(block) == BlockFate::Removed {
            continue;
        }
        if !reached[block] {
            return false;
        }
        shape.reached(block, |next| reached[next] |= next > block);
    }
    true
}
