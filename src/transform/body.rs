//! The body of a function that changes. Functions that do not change are never decoded.

use std::collections::HashMap;
use std::ops::Range;

use spirv::Op;

use super::Edits;
use super::insertion::renamed;
use crate::analysis::DebugPosition;
use crate::analysis::conditional::effects::{Effects, InstructionKind};
use crate::loader::{Function, Instruction, Instructions, Module};

/// A function that changes: its instructions in their order, which passes remove and replace.
///
/// Lines are instructions. A line without changes has the words of the module, and new and changed ones have words of the body: the words of the
/// module never change.
#[derive(Clone, Debug)]
pub struct FunctionBody<'m> {
    module: &'m Module<'m>,
    /// The number of the function in the module.
    pub number: usize,
    /// True if it has variables, which [`FunctionBody::new`] finds.
    pub has_variables: bool,
    /// The kinds of positions in the source that it has, which [`FunctionBody::new`] finds.
    positions: PositionKinds,
    lines: Vec<BodyLine>,
    /// The words of new and changed lines.
    words: Vec<u32>,
}

/// True for each kind of [`DebugPosition`].
type PositionKinds = [bool; 3];

/// An instruction of a function that changes.
#[derive(Clone, Copy, Debug)]
pub struct BodyLine {
    /// The offset in the module of the instruction that it was made of.
    origin: u32,
    /// Start and end of its words in [`FunctionBody::words`], if they are not those of the module; else twice 0.
    new_words: (u32, u32),
    kind: InstructionKind,
    is_removed: bool,
}

impl<'m> FunctionBody<'m> {
    /// Decodes a function, from the lines before it on.
    pub fn new(module: &'m Module<'m>, number: usize, effects: &Effects) -> FunctionBody<'m> {
        let Function { lines, end, .. } = module.functions()[number];
        let kinds = effects.kinds(number);
        let mut body = FunctionBody::empty(module, number, kinds.len());
        let FunctionBody { lines: decoded, has_variables, positions, .. } = &mut body;
        decoded.extend(module.range(lines, end).zip(kinds).map(|(inst, &kind)| {
            *has_variables |= inst.is(Op::Variable);
            if kind == InstructionKind::Position
                && let Some(position) = DebugPosition::new(module, &inst)
                && !DebugPosition::is_end(&inst)
            {
                positions[position as usize] = true;
            }
            BodyLine::of_module(inst.offset(), kind)
        }));
        body
    }

    /// Like [`FunctionBody::new`], for a function whose lines are copied, moved or changed: all of them count as effects.
    pub fn decode(module: &'m Module<'m>, number: usize) -> FunctionBody<'m> {
        let Function { lines, end, .. } = module.functions()[number];
        let mut body = FunctionBody::empty(module, number, 0);
        let line = |inst: Instruction| BodyLine::of_module(inst.offset(), InstructionKind::Effect);
        body.lines.extend(module.range(lines, end).map(line));
        body
    }

    /// Starts without lines, with room for some.
    pub fn empty(module: &'m Module<'m>, number: usize, room: usize) -> FunctionBody<'m> {
        let lines = Vec::with_capacity(room);
        let positions = PositionKinds::default();
        FunctionBody { module, number, has_variables: false, positions, lines, words: Vec::new() }
    }

    /// Returns the module, which does not change.
    pub fn module(&self) -> &'m Module<'m> {
        self.module
    }

    /// Returns the function, as the module has it.
    pub fn function(&self) -> &'m Function {
        &self.module.functions()[self.number]
    }

    /// Returns all lines, also removed ones.
    pub fn all_lines(&self) -> &[BodyLine] {
        &self.lines
    }

    /// Returns the lines that are left, with their numbers.
    pub fn lines(&self) -> impl Iterator<Item = (usize, Instruction<'_>)> {
        let left = self.lines.iter().enumerate().filter(|(_, line)| !line.is_removed);
        left.map(|(number, line)| (number, self.instruction_of(line)))
    }

    /// Returns the lines with new words that are left.
    pub fn new_lines(&self) -> impl Iterator<Item = Instruction<'_>> {
        let is_new = |line: &&BodyLine| line.new_words != (0, 0) && !line.is_removed;
        self.lines.iter().filter(is_new).map(|line| self.instruction_of(line))
    }

    /// Returns the instruction of a line, if it is left.
    pub fn left(&self, line: usize) -> Option<Instruction<'_>> {
        let line = &self.lines[line];
        (!line.is_removed).then(|| self.instruction_of(line))
    }

    /// Returns the instruction of a line. Its offset is that of the instruction that it was made of.
    pub fn instruction(&self, line: usize) -> Instruction<'_> {
        self.instruction_of(&self.lines[line])
    }

    #[inline]
    fn instruction_of(&self, line: &BodyLine) -> Instruction<'_> {
        match line.new_words {
            (_, 0) => self.module.instruction(line.origin),
            (start, end) => Instruction::new(line.origin, &self.words[start as usize..end as usize]),
        }
    }

    /// Adds lines of another body of the function.
    pub fn extend(&mut self, source: &FunctionBody, lines: Range<usize>) {
        let start = self.lines.len();
        self.has_variables |= source.has_variables;
        self.positions.iter_mut().zip(source.positions).for_each(|(has, of_source)| *has |= of_source);
        self.lines.extend_from_slice(&source.lines[lines]);
        if !source.words.is_empty() {
            for line in start..self.lines.len() {
                let (first, end) = self.lines[line].new_words;
                self.lines[line].new_words = self.add_words(&source.words[first as usize..end as usize]);
            }
        }
    }

    /// Returns true if a block, by the line of its label, begins with a position in the source of each kind in the
    /// function. Otherwise positions of a block before it would apply to it.
    pub fn has_own_positions(&self, label: usize) -> bool {
        let mut left = self.positions;
        for line in self.lines[label + 1..].iter().filter(|line| !line.is_removed) {
            if left == PositionKinds::default() {
                return true;
            }
            let inst = self.instruction_of(line);
            match DebugPosition::new(self.module, &inst) {
                Some(position) => left[position as usize] = false,
                None if inst.is(Op::Phi) => {}
                None => return false,
            }
        }
        false
    }

    /// Leaves out the lines that were made of instructions from an offset on.
    pub fn keep_before(&mut self, offset: u32) {
        self.lines.retain(|line| line.origin < offset);
    }

    /// Adds a line with new words, which are one instruction, in the place of an instruction of the module.
    pub fn push_new(&mut self, origin: u32, kind: InstructionKind, words: &[u32]) {
        let new_words = self.add_words(words);
        self.lines.push(BodyLine { origin, new_words, kind, is_removed: false });
    }

    /// Adds lines for whole instructions, in the place of an instruction of the module. All of them count as effects.
    pub fn push_all(&mut self, origin: u32, words: &[u32]) {
        for inst in Instructions::new(words, origin) {
            self.push_new(origin, InstructionKind::Effect, inst.words());
        }
    }

    /// Adds a line with the words of an instruction of the module, which no pass removes.
    pub fn push_line(&mut self, inst: &Instruction) {
        self.lines.push(BodyLine::of_module(inst.offset(), InstructionKind::Effect));
    }

    /// Replaces the words of a line by those of one instruction.
    pub fn replace(&mut self, line: usize, words: &[u32]) {
        self.lines[line].new_words = self.add_words(words);
    }

    /// Replaces the words of a line by those of an instruction of another kind.
    pub fn become_kind(&mut self, line: usize, kind: InstructionKind, words: &[u32]) {
        self.replace(line, words);
        self.lines[line].kind = kind;
    }

    /// Removes a line.
    pub fn remove(&mut self, line: usize) {
        self.lines[line].is_removed = true;
    }

    /// Replaces some lines by an instruction.
    pub fn replace_lines(&mut self, lines: Range<usize>, words: &[u32]) {
        self.lines[lines.clone()].iter_mut().for_each(|line| line.is_removed = true);
        self.replace(lines.start, words);
        self.lines[lines.start].is_removed = false;
    }

    /// Replaces ids in all lines that are left, also where they are defined.
    pub fn rename(&mut self, ids: &HashMap<u32, u32>) {
        (0..self.lines.len()).for_each(|line| self.rename_in(line, ids));
    }

    /// Replaces ids in a line, if it is left.
    pub fn rename_in(&mut self, line: usize, ids: &HashMap<u32, u32>) {
        let Some(inst) = self.left(line) else { return };
        if inst.words_from(1).iter().any(|id| ids.contains_key(id)) {
            let words = renamed(self.module, &inst, ids);
            self.replace(line, &words);
        }
    }

    /// Adds words, and returns their place.
    fn add_words(&mut self, words: &[u32]) -> (u32, u32) {
        if words.is_empty() {
            return (0, 0);
        }
        let start = self.words.len() as u32;
        self.words.extend_from_slice(words);
        (start, self.words.len() as u32)
    }

    /// Returns true if a line that is left was made of the instruction at an offset.
    pub fn has(&self, origin: u32) -> bool {
        self.lines.iter().any(|line| line.origin == origin && !line.is_removed)
    }

    /// Writes the changes. Words that keep their place are not part of them.
    pub fn emit(&self, edits: &mut Edits) {
        let Function { lines: start, end, .. } = *self.function();
        // The end of the words that are copied or replaced so far, and the words that come next.
        let (mut copied, mut new_words) = (start, Vec::new());
        for (number, inst) in self.lines() {
            let is_as_before = self.lines[number].new_words == (0, 0);
            if is_as_before && inst.offset() >= copied {
                edits.replace_between(copied, inst.offset(), &new_words);
                new_words.clear();
                copied = inst.end();
            } else {
                new_words.extend_from_slice(inst.words());
            }
        }
        edits.replace_between(copied, end, &new_words);
    }

    /// Inserts the lines that are left at an offset: a copy of the function, or another function.
    pub fn insert(&self, offset: u32, edits: &mut Edits) {
        let words: Vec<u32> = self.lines().flat_map(|(_, inst)| inst.words()).copied().collect();
        edits.insert_words(offset, &words);
    }
}

impl BodyLine {
    /// Returns a line with the words of the module.
    fn of_module(origin: u32, kind: InstructionKind) -> BodyLine {
        BodyLine { origin, new_words: (0, 0), kind, is_removed: false }
    }

    /// Returns the offset in the module of the instruction that it was made of.
    pub fn origin(&self) -> u32 {
        self.origin
    }

    /// Returns the kind of its instruction.
    pub fn kind(&self) -> InstructionKind {
        self.kind
    }
}
