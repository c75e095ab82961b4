//! Loading: one pass over the instructions that checks their form and records where ids, functions and
//! extended instruction sets are.

use spirv::Op;

use super::error::{LoadError, LoadProblem};
use super::forward::ForwardPointers;
use super::grammar::{self, InstructionLayout, LogicalPlace, Malformed, Section, TrailingOperands};
use super::instruction::Instruction;
use super::module::{Function, HEADER_WORDS};
use super::operands::{Visitor, WalkContext, string_words, walk};
use super::sets::ExtInstSet;

const FUNCTION: u16 = Op::Function as u16;
const FUNCTION_END: u16 = Op::FunctionEnd as u16;
const EXT_INST_IMPORT: u16 = Op::ExtInstImport as u16;
const LINE: u16 = Op::Line as u16;
const TYPE_FORWARD_POINTER: u16 = Op::TypeForwardPointer as u16;
const NO_LINE: u16 = Op::NoLine as u16;
const MODULE_PROCESSED: u16 = Op::ModuleProcessed as u16;
const SOURCE_EXTENSION: u16 = Op::SourceExtension as u16;
const CONDITIONAL_COPY: u16 = Op::ConditionalCopyObjectINTEL as u16;

/// Result of a check. The problem is boxed, because hardly any instruction has one.
type Checked<T> = Result<T, Box<LoadProblem>>;

/// A filter of the ids that a module may refer to.
pub(super) trait IdFilter: Copy {
    /// True if the filter may refuse ids.
    const ON: bool;
    /// Returns true if the module may refer to this id.
    fn passes(self, id: u32) -> bool;
}

/// Accepts all ids.
#[derive(Clone, Copy)]
pub(super) struct AnyId;

impl IdFilter for AnyId {
    const ON: bool = false;
    fn passes(self, _id: u32) -> bool {
        true
    }
}

/// Refuses the ids that are marked here.
#[derive(Clone, Copy)]
pub(super) struct ExceptIds<'a>(pub &'a [bool]);

impl IdFilter for ExceptIds<'_> {
    const ON: bool = true;
    #[inline]
    fn passes(self, id: u32) -> bool {
        self.0.get(id as usize) != Some(&true)
    }
}

/// The places of definitions, functions and sections in the words of a module.
#[derive(Clone, Debug)]
pub(super) struct ModuleIndex {
    /// Offset of the instruction that defines each id, or 0.
    pub definitions: Vec<u32>,
    pub sets: Vec<ExtInstSet>,
    pub functions: Vec<Function>,
    /// The offsets of OpModuleProcessed and OpSourceExtension.
    pub notes: Vec<u32>,
    /// Offset after the last capability and extension, wherever they stand.
    pub declarations_end: u32,
    /// Offset after the last instruction of the head, and after the last name or decoration, wherever they
    /// stand.
    pub head_end: u32,
    pub annotations_end: u32,
    pub has_unknown: bool,
    pub has_conditional_copies: bool,
}

/// The index of a module while it is loaded, and the progress of loading.
struct Indexer<'w, S> {
    screen: S,
    words: &'w [u32],
    bound: u32,
    tables: ModuleIndex,
    open: Option<Function>,
    /// Outside of functions: the offset of the OpLines that directly precede the next instruction.
    lines: Option<u32>,
    forward: ForwardPointers,
}

impl ModuleIndex {
    /// Walks all words of a module.
    pub fn new(words: &[u32], bound: u32, screen: impl IdFilter) -> Result<ModuleIndex, LoadError> {
        // Zeroed pages that nothing touches take no memory, so a large bound in a small module costs nothing.
        ModuleIndex::with_definitions(vec![0; bound as usize], words, bound, screen)
    }

    /// Like [`new`](Self::new), but starts from the definitions of words that are not walked.
    pub fn with_definitions(
        definitions: Vec<u32>,
        words: &[u32],
        bound: u32,
        screen: impl IdFilter,
    ) -> Result<ModuleIndex, LoadError> {
        let tables = ModuleIndex {
            definitions,
            sets: Vec::new(),
            functions: Vec::new(),
            notes: Vec::new(),
            declarations_end: 0,
            head_end: 0,
            annotations_end: 0,
            has_unknown: false,
            has_conditional_copies: false,
        };
        let mut index = Indexer {
            screen,
            words,
            bound,
            tables,
            open: None,
            lines: None,
            forward: ForwardPointers::default(),
        };
        let error = |at: usize, problem| LoadError { offset: at as u64 * 4, problem };
        let mut at = HEADER_WORDS;
        while at < words.len() {
            at = index.instruction(at).map_err(|problem| error(at, *problem))?;
        }
        if let Some(open) = index.open {
            let problem = LoadProblem::Function("truncated module: this OpFunction has no OpFunctionEnd");
            return Err(error(open.start as usize, problem));
        }
        let Indexer { tables, forward, .. } = index;
        let wrong = forward.wrong_pointer(words, &tables.definitions);
        match wrong.or_else(|| forward.not_before(words, &tables.definitions)) {
            Some((at, problem)) => Err(error(at as usize, problem)),
            None => Ok(tables),
        }
    }
}

impl PartialEq for ModuleIndex {
    fn eq(&self, other: &ModuleIndex) -> bool {
        let ends = |index: &ModuleIndex| [index.declarations_end, index.head_end, index.annotations_end];
        let flags = |index: &ModuleIndex| [index.has_unknown, index.has_conditional_copies];
        let sets = |index: &ModuleIndex| index.sets.iter().map(|set| (set.id, set.at)).collect::<Vec<_>>();
        self.definitions == other.definitions
            && self.functions == other.functions
            && self.notes == other.notes
            && (sets(self), ends(self), flags(self)) == (sets(other), ends(other), flags(other))
    }
}

impl<S: IdFilter> Indexer<'_, S> {
    /// Checks and records the instruction at `at`; returns the offset of the next one.
    #[inline]
    fn instruction(&mut self, at: usize) -> Checked<usize> {
        let rest = &self.words[at..];
        let opcode = rest[0] as u16;
        let count = (rest[0] >> 16) as usize;
        if count == 0 {
            return Err(Box::new(LoadProblem::ZeroWordCount(opcode)));
        }
        let Some(words) = rest.get(..count) else {
            let opcode = grammar::opcode_name(opcode);
            return Err(Box::new(LoadProblem::Overlong { opcode, claimed: count as u32, left: rest.len() }));
        };
        let next = at + count;
        let Some(layout) = grammar::layout(opcode) else {
            self.tables.has_unknown = true;
            self.lines = None;
            return Ok(next);
        };
        self.check(layout, words, at)?;
        if let Some(result) = layout.result_word() {
            let definition = &mut self.tables.definitions[words[result] as usize];
            if *definition != 0 {
                return Err(Box::new(LoadProblem::DuplicateId(words[result])));
            }
            *definition = at as u32;
        }
        if layout.is_plain {
            self.lines = None;
            return Ok(next);
        }
        if let LogicalPlace::Section(section) = layout.place {
            if section <= Section::EntryPoints {
                self.tables.head_end = next as u32;
                if section <= Section::Extensions {
                    self.tables.declarations_end = next as u32;
                }
            } else if section <= Section::Annotations {
                self.tables.annotations_end = next as u32;
            }
        }
        if layout.is_tracked {
            self.track(opcode, words, at as u32, next as u32)?;
        } else {
            self.lines = None;
        }
        Ok(next)
    }

    /// Checks that an instruction has the operands of its grammar, and that its ids are in range.
    #[inline]
    fn check(&self, layout: &InstructionLayout, words: &[u32], at: usize) -> Checked<()> {
        if let Some(how) = layout.words.mismatch(words.len()) {
            return Err(Box::new(how.problem(words)));
        }
        let mut check = OperandCheck { screen: self.screen, worst: 0, malformed: None, removed: 0 };
        walk(Some(layout), words, &mut check, || self.surroundings(at));
        if layout.ends {
            self.check_end(layout, words, at, &mut check);
        }
        if check.worst >= self.bound - 1 || check.malformed.is_some() || S::ON && check.removed != 0 {
            return self.problem(layout, words, at, &check);
        }
        Ok(())
    }

    /// Returns the error that a check found.
    #[cold]
    fn problem(
        &self,
        layout: &InstructionLayout,
        words: &[u32],
        at: usize,
        check: &OperandCheck<S>,
    ) -> Checked<()> {
        // An instruction without ids is valid with a bound of 1.
        let mut any_id = false;
        walk(Some(layout), words, &mut |_: usize, _: u32| any_id = true, || self.surroundings(at));
        let opcode = grammar::opcode_name(words[0] as u16);
        if any_id && check.worst >= self.bound - 1 {
            let id = check.worst.wrapping_add(1);
            return Err(Box::new(LoadProblem::Id { id, bound: self.bound, opcode }));
        }
        match check.malformed {
            Some(how) => Err(Box::new(how.problem(words))),
            None if check.removed != 0 => Err(Box::new(LoadProblem::Removed { id: check.removed, opcode })),
            None => Ok(()),
        }
    }

    /// Checks that the words of an instruction end with its last operand.
    fn check_end(&self, layout: &InstructionLayout, words: &[u32], at: usize, check: &mut OperandCheck<S>) {
        let rest = &words[1 + usize::from(layout.ids)..];
        let count = match layout.tail {
            TrailingOperands::String => string_words(rest).ok_or(Malformed::Unterminated),
            TrailingOperands::Number => {
                Ok(self.surroundings(at).number_words(words[1]).unwrap_or(rest.len()))
            }
            TrailingOperands::Pairs => Ok(rest.len().next_multiple_of(2)),
            _ => return,
        };
        match count {
            Ok(count) if count == rest.len() => {}
            Ok(count) if count > rest.len() => check.malformed(Malformed::Short),
            Ok(_) => check.malformed(Malformed::Long),
            Err(how) => check.malformed(how),
        }
    }

    fn surroundings(&self, at: usize) -> WalkContext<'_> {
        WalkContext {
            at: at as u32,
            words: self.words,
            bound: self.bound,
            definitions: &self.tables.definitions,
            sets: &self.tables.sets,
        }
    }

    /// Tracks functions, extended instruction sets and notes on the module as a whole.
    fn track(&mut self, opcode: u16, words: &[u32], start: u32, next: u32) -> Checked<()> {
        match opcode {
            LINE | NO_LINE => {
                self.lines = self.lines.or(Some(start));
                return Ok(());
            }
            FUNCTION => {
                let lines = self.lines.unwrap_or(start);
                let function = Function { id: words[2], lines, start, end: next };
                if self.open.replace(function).is_some() {
                    return Err(Box::new(LoadProblem::Function(
                        "OpFunction inside a function: OpFunctionEnd is missing before it",
                    )));
                }
            }
            FUNCTION_END => match self.open.take() {
                Some(function) => push(&mut self.tables.functions, Function { end: next, ..function }),
                None => return Err(Box::new(LoadProblem::Function("OpFunctionEnd without OpFunction"))),
            },
            TYPE_FORWARD_POINTER => self.forward.declare(words[1], start),
            EXT_INST_IMPORT => {
                let name = Instruction::new(start, words).string(2);
                push(&mut self.tables.sets, ExtInstSet::new(words[1], start, &name));
            }
            MODULE_PROCESSED | SOURCE_EXTENSION => self.tables.notes.push(start),
            CONDITIONAL_COPY => self.tables.has_conditional_copies = true,
            // The others are types.
            _ => {
                let mut forward = std::mem::take(&mut self.forward);
                let checked =
                    forward.check(words, self.surroundings(start as usize), self.tables.has_unknown);
                self.forward = forward;
                checked?;
            }
        }
        self.lines = None;
        Ok(())
    }
}

/// Adds to a list that has one element in most modules, without spare capacity: modules are small.
fn push<T>(list: &mut Vec<T>, element: T) {
    if list.is_empty() {
        list.reserve_exact(1);
    }
    list.push(element);
}

/// Checks that ids are in range, and that operands match the grammar.
struct OperandCheck<S> {
    screen: S,
    /// The largest id minus 1. Zero wraps around to the largest number, so that one comparison covers both
    /// ends.
    worst: u32,
    malformed: Option<Malformed>,
    /// An id that the filter refuses; 0 for none.
    removed: u32,
}

impl<S: IdFilter> Visitor for OperandCheck<S> {
    #[inline]
    fn ids(&mut self, at: usize, ids: &[u32]) {
        let from_zero = |id: u32| id.wrapping_sub(1);
        match *ids {
            // Most instructions have few ids, for which a loop is slower.
            [a] if !S::ON => self.worst = self.worst.max(from_zero(a)),
            [a, b] if !S::ON => self.worst = self.worst.max(from_zero(a)).max(from_zero(b)),
            [a, b, c] if !S::ON => {
                self.worst = self.worst.max(from_zero(a)).max(from_zero(b)).max(from_zero(c))
            }
            _ => ids.iter().for_each(|&id| self.id(at, id)),
        }
    }
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        self.worst = self.worst.max(id.wrapping_sub(1));
        if S::ON && !self.screen.passes(id) {
            self.removed = id;
        }
    }
    fn possible_id(&mut self, _at: usize, _id: u32) {}
    fn malformed(&mut self, how: Malformed) {
        self.malformed.get_or_insert(how);
    }
}
