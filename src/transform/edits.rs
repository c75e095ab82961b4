use std::borrow::Cow;
use std::ops::Range;

use spirv::Op;

use crate::collections::sort_by_key;
use crate::loader::{Instruction, Module, literal};

/// An instruction that is not in the module yet.
#[derive(Clone, Debug)]
pub struct NewInstruction {
    op: Op,
    result_type: Option<u32>,
    result_id: Option<u32>,
    /// The words after these: ids, numbers, and [texts](literal).
    pub operands: Vec<u32>,
}

impl NewInstruction {
    /// Creates an instruction with these operands.
    pub fn new(
        op: Op,
        result_type: Option<u32>,
        result_id: Option<u32>,
        operands: Vec<u32>,
    ) -> NewInstruction {
        NewInstruction { op, result_type, result_id, operands }
    }

    /// Returns the name of an id.
    pub fn name(id: u32, name: &str) -> NewInstruction {
        NewInstruction::new(Op::Name, None, None, [vec![id], literal(name)].concat())
    }

    /// Writes its words after others.
    pub fn write(&self, words: &mut Vec<u32>) {
        let start = words.len();
        words.push(self.op as u32);
        words.extend(self.result_type);
        words.extend(self.result_id);
        words.extend_from_slice(&self.operands);
        words[start] |= ((words.len() - start) as u32) << 16;
    }
}

/// One change: the words from `start` to `end` are replaced by new ones. Nothing is dropped if `start` is `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Offset of the first dropped word, in words from the start of the module.
    pub start: u32,
    /// Offset after the last dropped word.
    pub end: u32,
    /// The first of the new words, in [`Edits::new_words`].
    pub(crate) new_start: u32,
    /// The end of the new words.
    pub(crate) new_end: u32,
}

/// Edits by place ([`Edits::sorted`]).
fn in_order(edits: &[Edit]) -> Cow<'_, [Edit]> {
    let key = |edit: &Edit| {
        let longest_first = if edit.end == edit.start { 0 } else { u32::MAX - edit.end };
        u64::from(edit.start) << 32 | u64::from(longest_first)
    };
    let Some(first) = edits.windows(2).position(|pair| key(&pair[0]) > key(&pair[1])) else {
        return Cow::Borrowed(edits);
    };
    let (in_order, others) = edits.split_at(first + 1);
    let mut sorted = Vec::with_capacity(edits.len());
    sorted.extend_from_slice(in_order);
    // Where few are made out of order, the others need not be sorted.
    match others.len() <= MAX_INSERTED {
        true => others.iter().for_each(|other| {
            sorted.insert(sorted.partition_point(|edit| key(edit) <= key(other)), *other);
        }),
        false => {
            sorted.extend_from_slice(others);
            sort_by_key(&mut sorted, key);
        }
    }
    Cow::Owned(sorted)
}

/// Returns a filter of sorted edits, which keeps those that are not inside words that another one drops.
pub fn without_void() -> impl FnMut(&&Edit) -> bool {
    let mut end = 0;
    move |edit: &&Edit| {
        let is_made = edit.start >= end;
        end = if is_made { edit.end } else { end };
        is_made
    }
}

/// The maximum number of edits out of order that are inserted one by one.
const MAX_INSERTED: usize = 8;

/// Changes to one module: instructions to drop, to replace and to insert.
///
/// Edits are kept in the order in which they are made: of two insertions at one place, the first comes first. An edit inside a range
/// that another one drops is void.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<Edit>,
    new_words: Vec<u32>,
    bound: u32,
}

impl Edits {
    /// Creates an empty list of edits. New ids are taken from the module's bound up.
    pub fn new(module: &Module) -> Edits {
        Edits { edits: Vec::new(), new_words: Vec::new(), bound: module.bound() }
    }

    /// Creates a new id.
    pub fn fresh_id(&mut self) -> u32 {
        self.bound += 1;
        self.bound - 1
    }

    /// Drops one instruction.
    pub fn drop(&mut self, inst: &Instruction) {
        self.drop_range(inst.offset(), inst.end());
    }

    /// Drops the instruction at an offset without insertions before it, possibly together with the instruction before it.
    pub fn drop_next(&mut self, module: &Module, offset: u32) {
        self.drop_next_range(offset, offset + (module.words()[offset as usize] >> 16));
    }

    /// Like [`Edits::drop_next`], but for a range.
    pub fn drop_next_range(&mut self, start: u32, end: u32) {
        match self.edits.last_mut() {
            Some(last) if last.end == start && last.start < start && last.new_start == last.new_end => {
                last.end = end;
            }
            _ => self.drop_range(start, end),
        }
    }

    /// Drops the instructions at these offsets, which are in order. They precede all other changed instructions.
    pub fn drop_before(&mut self, module: &Module, offsets: &[u32]) {
        let ends = |&start: &u32| (start, start + (module.words()[start as usize] >> 16));
        let drops =
            offsets.iter().map(ends).map(|(start, end)| Edit { start, end, new_start: 0, new_end: 0 });
        self.edits.splice(0..0, drops);
    }

    /// Drops the instructions at offsets without insertions. If all edits are in order and these are few, they stay in
    /// order.
    pub fn drop_in_order(&mut self, module: &Module, offsets: &[u32]) {
        for &start in offsets {
            let end = start + (module.words()[start as usize] >> 16);
            let place = match offsets.len() <= MAX_INSERTED {
                true => self.edits.partition_point(|edit| edit.start < start),
                false => self.edits.len(),
            };
            self.edits.insert(place, Edit { start, end, new_start: 0, new_end: 0 });
        }
    }

    /// Drops the words from one offset to another.
    pub fn drop_range(&mut self, start: u32, end: u32) {
        self.push(start, end, |_| {});
    }

    /// Replaces an instruction by another.
    pub fn replace(&mut self, old: &Instruction, new: &NewInstruction) {
        self.push(old.offset(), old.end(), |words| new.write(words));
    }

    /// Replaces an instruction by words, which must be whole instructions.
    pub fn replace_words(&mut self, old: &Instruction, new: &[u32]) {
        self.push(old.offset(), old.end(), |words| words.extend_from_slice(new));
    }

    /// Replaces the words from one offset to another by words, which must be whole instructions.
    pub fn replace_range(&mut self, old: &Range<u32>, new: &[u32]) {
        self.push(old.start, old.end, |words| words.extend_from_slice(new));
    }

    /// Replaces the words between two instructions that stay. Does nothing if there are neither old nor new words.
    pub fn replace_between(&mut self, start: u32, end: u32, new: &[u32]) {
        if start < end || !new.is_empty() {
            self.replace_range(&(start..end), new);
        }
    }

    /// Sets the version of the module, as its header has it.
    pub fn set_version(&mut self, version: u32) {
        self.push(1, 2, |words| words.push(version));
    }

    /// Inserts an instruction at an offset.
    pub fn insert(&mut self, offset: u32, new: &NewInstruction) {
        self.push(offset, offset, |words| new.write(words));
    }

    /// Inserts words, which must be whole instructions, at an offset.
    pub fn insert_words(&mut self, offset: u32, new: &[u32]) {
        if new.is_empty() {
            return;
        }
        self.push(offset, offset, |words| words.extend_from_slice(new));
    }

    fn push(&mut self, start: u32, end: u32, write: impl FnOnce(&mut Vec<u32>)) {
        let new_start = self.new_words.len() as u32;
        write(&mut self.new_words);
        self.edits.push(Edit { start, end, new_start, new_end: self.new_words.len() as u32 });
    }

    /// Adds other edits of the same module, which add no new ids.
    pub fn append(&mut self, others: &Edits) {
        let before = self.new_words.len() as u32;
        self.new_words.extend_from_slice(&others.new_words);
        self.edits.extend(others.edits.iter().map(|edit| Edit {
            new_start: edit.new_start + before,
            new_end: edit.new_end + before,
            ..*edit
        }));
    }

    /// Writes old words from an offset on, with edits to them.
    pub(crate) fn splice(&self, edits: &[Edit], old: &[u32], start: u32, words: &mut Vec<u32>) {
        let mut copied = start;
        for edit in edits.iter().filter(|edit| edit.end as usize <= old.len()) {
            if edit.start < copied {
                continue;
            }
            words.extend_from_slice(&old[copied as usize..edit.start as usize]);
            words.extend_from_slice(self.new_words(edit));
            copied = edit.end;
        }
        words.extend_from_slice(&old[copied as usize..]);
    }

    /// Returns the number of words that they bring.
    pub fn count_new_words(&self) -> usize {
        self.new_words.len()
    }

    /// Returns true if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Returns the id bound after the edits.
    pub fn bound(&self) -> u32 {
        self.bound
    }

    /// Returns the edits by place, from the start of the module to its end: at one place insertions first, then the edit that drops most.
    pub fn sorted(&self) -> Cow<'_, [Edit]> {
        in_order(&self.edits)
    }

    /// Returns the sorted edits without the void ones.
    pub fn sorted_without_void(&self) -> Vec<Edit> {
        self.sorted().iter().filter(without_void()).copied().collect()
    }

    /// Returns the new words of an edit.
    pub fn new_words(&self, edit: &Edit) -> &[u32] {
        &self.new_words[edit.new_start as usize..edit.new_end as usize]
    }
}
