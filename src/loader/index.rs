//! Loading: one walk over the instructions that checks their form and notes where ids, functions and sets are.

use spirv::Op;

use super::error::{LoadError, Problem};
use super::forward::Forward;
use super::grammar::{self, Grammar, Layout, Tail};
use super::instruction::Instruction;
use super::module::{Function, HEADER_WORDS};
use super::operands::{Malformed, Surroundings, Visitor, string_words, walk};
use super::sections::{Place, Section};
use super::sets::Set;

const FUNCTION: u16 = Op::Function as u16;
const FUNCTION_END: u16 = Op::FunctionEnd as u16;
const EXT_INST_IMPORT: u16 = Op::ExtInstImport as u16;
const LINE: u16 = Op::Line as u16;
const TYPE_FORWARD_POINTER: u16 = Op::TypeForwardPointer as u16;
const NO_LINE: u16 = Op::NoLine as u16;
const MODULE_PROCESSED: u16 = Op::ModuleProcessed as u16;
const SOURCE_EXTENSION: u16 = Op::SourceExtension as u16;

/// Whether loading follows what an opcode does to what comes after it.
pub(super) fn is_tracked(opcode: u16) -> bool {
    let notes = matches!(opcode, MODULE_PROCESSED | SOURCE_EXTENSION);
    notes || is_type(opcode) || matches!(opcode, FUNCTION | FUNCTION_END | EXT_INST_IMPORT | LINE | NO_LINE)
}

fn is_type(opcode: u16) -> bool {
    Op::from_u32(opcode.into()).is_some_and(|op| format!("{op:?}").starts_with("Type"))
}

/// What loading found out of the words of a module, and how far it has come.
pub(super) struct Index<'w> {
    pub grammar: &'static Grammar,
    words: &'w [u32],
    bound: u32,
    pub definitions: Vec<u32>,
    pub sets: Vec<Set>,
    pub functions: Vec<Function>,
    pub notes: Vec<u32>,
    open: Option<Function>,
    /// Outside of functions: where the OpLines that stand last begin.
    lines: Option<u32>,
    forward: Forward,
    pub head_end: u32,
    pub annotations_end: u32,
    pub has_unknown: bool,
}

impl<'w> Index<'w> {
    /// Walks all words of a module.
    pub fn of(words: &'w [u32], bound: u32) -> Result<Index<'w>, LoadError> {
        let mut index = Index {
            grammar: Grammar::core(),
            words,
            bound,
            // Zeroed pages that nothing touches take no memory, so a large bound in a small module costs nothing.
            definitions: vec![0; bound as usize],
            sets: Vec::new(),
            functions: Vec::new(),
            notes: Vec::new(),
            open: None,
            lines: None,
            forward: Forward::default(),
            head_end: 0,
            annotations_end: 0,
            has_unknown: false,
        };
        let error = |at: usize, problem| LoadError { offset: at as u64 * 4, problem };
        let mut at = HEADER_WORDS;
        while at < words.len() {
            at = index.instruction(at).map_err(|problem| error(at, problem))?;
        }
        if let Some(open) = index.open {
            let problem = Problem::Function("truncated module: this OpFunction has no OpFunctionEnd");
            return Err(error(open.start as usize, problem));
        }
        match index.forward.not_a_pointer(words, &index.definitions) {
            Some((at, problem)) => Err(error(at as usize, problem)),
            None => Ok(index),
        }
    }

    /// Checks and indexes the instruction at `at`; returns where the next one starts.
    #[inline]
    fn instruction(&mut self, at: usize) -> Result<usize, Problem> {
        let rest = &self.words[at..];
        let opcode = rest[0] as u16;
        let count = (rest[0] >> 16) as usize;
        if count == 0 {
            return Err(Problem::ZeroWordCount(opcode));
        }
        let Some(words) = rest.get(..count) else {
            let opcode = grammar::opcode_name(opcode);
            return Err(Problem::Overlong { opcode, claimed: count as u32, left: rest.len() });
        };
        let next = at + count;
        let Some(layout) = self.grammar.layout(opcode) else {
            self.has_unknown = true;
            self.lines = None;
            return Ok(next);
        };
        self.check(layout, words, at)?;
        if let Some(result) = layout.result_word() {
            let definition = &mut self.definitions[words[result] as usize];
            if *definition != 0 {
                return Err(Problem::DuplicateId(words[result]));
            }
            *definition = at as u32;
        }
        if let Place::Section(section) = layout.place {
            if section <= Section::EntryPoints {
                self.head_end = next as u32;
            } else if section <= Section::Annotations {
                self.annotations_end = next as u32;
            }
        }
        if layout.is_tracked {
            self.track(opcode, words, at as u32, next as u32)?;
        } else {
            self.lines = None;
        }
        Ok(next)
    }

    /// Checks that an instruction has the operands of its grammar, and that its ids are ids.
    #[inline]
    fn check(&self, layout: &Layout, words: &[u32], at: usize) -> Result<(), Problem> {
        let mut check = Check { worst: 0, any: false, malformed: layout.words.differ(words.len()) };
        if check.malformed.is_none() {
            walk(Some(layout), words, &mut check, || self.surroundings(at));
            let rest = &words[1 + usize::from(layout.ids)..];
            match layout.tail {
                Tail::String => check.ends(string_words(rest).ok_or(Malformed::Unterminated), rest),
                Tail::Number => {
                    check.ends(Ok(self.surroundings(at).number_words(words[1]).unwrap_or(rest.len())), rest);
                }
                _ => {}
            }
        }
        // Where there is no id, a bound of 1 is enough.
        if check.worst >= self.bound - 1 && check.any {
            let id = check.worst.wrapping_add(1);
            return Err(Problem::Id { id, bound: self.bound, opcode: grammar::opcode_name(words[0] as u16) });
        }
        match check.malformed {
            Some(how) => Err(how.problem(words)),
            None => Ok(()),
        }
    }

    fn surroundings(&self, at: usize) -> Surroundings<'_> {
        Surroundings {
            at: at as u32,
            words: self.words,
            bound: self.bound,
            definitions: &self.definitions,
            sets: &self.sets,
        }
    }

    /// Follows functions, extended instruction sets and what is said of the module as a whole.
    fn track(&mut self, opcode: u16, words: &[u32], start: u32, next: u32) -> Result<(), Problem> {
        match opcode {
            LINE | NO_LINE => {
                self.lines = self.lines.or(Some(start));
                return Ok(());
            }
            FUNCTION => {
                let lines = self.lines.unwrap_or(start);
                let function = Function { id: words[2], lines, start, end: next };
                if self.open.replace(function).is_some() {
                    return Err(Problem::Function(
                        "OpFunction inside a function: OpFunctionEnd is missing before it",
                    ));
                }
            }
            FUNCTION_END => match self.open.take() {
                Some(function) => self.functions.push(Function { end: next, ..function }),
                None => return Err(Problem::Function("OpFunctionEnd without OpFunction")),
            },
            TYPE_FORWARD_POINTER => self.forward.declare(words[1], start),
            EXT_INST_IMPORT => {
                let name = Instruction::new(start, words).string(2);
                self.sets.push(Set::new(words[1], start, &name));
            }
            MODULE_PROCESSED | SOURCE_EXTENSION => self.notes.push(start),
            // The other ones are types.
            _ => self.forward.check(words, self.surroundings(start as usize))?,
        }
        self.lines = None;
        Ok(())
    }
}

/// Finds out whether an id is out of range, or an operand is not as its grammar has it.
struct Check {
    /// The largest id, counted from 1. Zero wraps round to the largest number: one comparison serves for both ends.
    worst: u32,
    any: bool,
    malformed: Option<Malformed>,
}

impl Check {
    /// The last operand must end where the instruction does.
    #[inline]
    fn ends(&mut self, words: Result<usize, Malformed>, rest: &[u32]) {
        match words {
            Ok(words) if words == rest.len() => {}
            Ok(words) if words > rest.len() => self.malformed = Some(Malformed::Short),
            Ok(_) => self.malformed = Some(Malformed::Long),
            Err(how) => self.malformed = Some(how),
        }
    }
}

impl Visitor for Check {
    #[inline]
    fn id(&mut self, _at: usize, id: u32) {
        self.worst = self.worst.max(id.wrapping_sub(1));
        self.any = true;
    }
    fn possible_id(&mut self, _at: usize, _id: u32) {}
    fn malformed(&mut self, how: Malformed) {
        self.malformed.get_or_insert(how);
    }
}
