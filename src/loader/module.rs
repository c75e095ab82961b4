use std::borrow::Cow;

use spirv::Op;

use super::Version;
use super::error::{LoadError, LoadProblem};
use super::grammar::versions::NEWEST;
use super::grammar::{self, InstructionLayout};
use super::index::{AnyId, ExceptIds, IdFilter, ModuleIndex};
use super::instruction::{Instruction, Instructions};
use super::operands::{Visitor, WalkContext, walk};
use super::other_formats::recognize;
use super::sets::SetKind;
use crate::collections::sort_by_key;

/// Number of words in the header (specification, 2.3 "Physical Layout").
pub const HEADER_WORDS: usize = 5;
/// The maximum id bound (specification, 2.17 "Universal Limits").
pub const MAX_BOUND: u32 = 0x3f_ffff;

/// A function: the range of its words from OpFunction to OpFunctionEnd.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function {
    /// Result id of the function.
    pub id: u32,
    /// Offset of the OpLines directly before the function, which belong to it; without any, equal to `start`.
    pub lines: u32,
    /// Offset of OpFunction, in words.
    pub start: u32,
    /// Offset after OpFunctionEnd, in words.
    pub end: u32,
}

/// A SPIR-V module as loaded: its words, and the places where ids and functions are defined.
///
/// Loading checks the module's form (sizes, ids, strings). Validity is the task of spirv-val.
#[derive(Clone, Debug)]
pub struct Module<'a> {
    pub(super) words: Cow<'a, [u32]>,
    pub(super) tables: ModuleIndex,
}

/// The functions of a module assembled from loaded ones, and the definitions in them.
#[derive(Debug, Default)]
pub struct KnownFunctions {
    /// The functions in order. Only OpLines, and extended instructions that compute nothing, stand between
    /// and after them.
    pub functions: Vec<Function>,
    /// Offset of the definition of each id in or after the functions, or 0. The table may be shorter or
    /// longer than the module's bound.
    pub definitions: Vec<u32>,
    /// True if some instructions of the functions are not in the grammar.
    pub has_unknown: bool,
    /// True if the functions contain an OpConditionalCopyObjectINTEL.
    pub has_conditional_copies: bool,
}

impl<'a> Module<'a> {
    /// Loads a module from bytes of either byte order and any alignment. Bytes that are aligned words of the
    /// host are borrowed.
    ///
    /// # Errors
    /// See `LoadProblem`; the offset is in bytes.
    pub fn from_bytes(bytes: &'a [u8]) -> Result<Module<'a>, LoadError> {
        let start = check_start(bytes.first_chunk().map(|first| u32::from_ne_bytes(*first)), bytes.len());
        start.map_err(|error| match recognize(bytes) {
            Some(format) if error.is_of_other_format() => {
                LoadError { problem: LoadProblem::OtherFormat(format), ..error }
            }
            _ => error,
        })?;
        let words = match bytemuck::try_cast_slice(bytes) {
            Ok(words) => Cow::Borrowed(words),
            Err(_) => Cow::Owned(bytemuck::pod_collect_to_vec(bytes)),
        };
        Self::load(words, AnyId)
    }

    /// Loads a module from words of either byte order.
    ///
    /// # Errors
    /// See `LoadProblem`; the offset is in bytes.
    pub fn from_words(words: impl Into<Cow<'a, [u32]>>) -> Result<Module<'a>, LoadError> {
        Self::load(words.into(), AnyId)
    }

    /// Loads a module after edits. It must not refer to the ids marked in `removed`.
    ///
    /// # Errors
    /// See `LoadProblem`.
    pub fn without(words: Vec<u32>, removed: &[bool]) -> Result<Module<'static>, LoadError> {
        match removed.contains(&true) {
            true => Module::load(Cow::Owned(words), ExceptIds(removed)),
            false => Module::load(Cow::Owned(words), AnyId),
        }
    }

    /// Loads a module assembled from loaded ones, whose functions are known. Only the words before the
    /// functions are walked.
    ///
    /// # Errors
    /// See `LoadProblem`.
    pub fn with_functions(words: Vec<u32>, known: KnownFunctions) -> Result<Module<'static>, LoadError> {
        let bound = bound(&words)?;
        let end = known.functions.first().map_or(words.len(), |first| first.lines as usize);
        let mut definitions = known.definitions;
        definitions.resize(bound as usize, 0);
        let mut tables = ModuleIndex::with_definitions(definitions, &words[..end], bound, AnyId)?;
        tables.functions = known.functions;
        tables.has_unknown |= known.has_unknown;
        tables.has_conditional_copies |= known.has_conditional_copies;
        debug_assert!(
            ModuleIndex::new(&words, bound, AnyId).is_ok_and(|loaded| loaded == tables),
            "what is known of functions is what loading finds"
        );
        Ok(Module { words: Cow::Owned(words), tables })
    }

    fn load(mut words: Cow<'a, [u32]>, screen: impl IdFilter) -> Result<Module<'a>, LoadError> {
        check_start(words.first().copied(), words.len() * 4)?;
        if words[0] == spirv::MAGIC_NUMBER.swap_bytes() {
            words.to_mut().iter_mut().for_each(|word| *word = word.swap_bytes());
        }
        let tables = ModuleIndex::new(&words, bound(&words)?, screen)?;
        Ok(Module { words, tables })
    }

    /// Returns a copy of the module that owns its words.
    pub fn to_owned(&self) -> Module<'static> {
        Module { words: Cow::Owned(self.words.to_vec()), tables: self.tables.clone() }
    }

    /// Returns the words before the first function, header included. They are a module of their own with all
    /// declarations, annotations and module-scope definitions, and load faster than the whole. Words that are
    /// not a module are returned unchanged.
    pub fn before_functions(words: &[u32]) -> &[u32] {
        let mut at = HEADER_WORDS;
        while let Some(&first) = words.get(at) {
            let (count, opcode) = ((first >> 16) as usize, first & 0xffff);
            match opcode == Op::Function as u32 {
                true => return &words[..at],
                false if count == 0 => break,
                false => at += count,
            }
        }
        words
    }

    /// Returns all words, header included, in the host's byte order.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// Returns all words, header included, in the host's byte order.
    pub fn into_words(self) -> Vec<u32> {
        self.words.into_owned()
    }

    /// Returns the SPIR-V version.
    pub fn version(&self) -> Version {
        Version::from_word(self.words[1])
    }

    /// Returns the bound: one more than the largest id that the module may use.
    pub fn bound(&self) -> u32 {
        self.words[3]
    }

    /// Returns a table by id, filled with zeros. The system provides zeroed pages, of which only those
    /// written to take memory.
    pub fn table_by_id<T: Clone + Default>(&self) -> Vec<T> {
        vec![T::default(); self.bound() as usize]
    }

    /// Returns the instruction at an offset that a [`Module`] with these words returned.
    #[inline]
    pub fn instruction(&self, offset: u32) -> Instruction<'_> {
        let count = self.words[offset as usize] >> 16;
        Instruction::new(offset, &self.words[offset as usize..(offset + count) as usize])
    }

    /// Returns all instructions, in order.
    pub fn instructions(&self) -> Instructions<'_> {
        self.range(HEADER_WORDS as u32, self.words.len() as u32)
    }

    /// Returns the instructions before the first function.
    pub fn globals(&self) -> Instructions<'_> {
        self.range(HEADER_WORDS as u32, self.globals_end())
    }

    /// Returns the instructions up to the last one that declares a capability or an extension.
    pub fn declarations(&self) -> Instructions<'_> {
        self.range(HEADER_WORDS as u32, self.tables.declarations_end.min(self.globals_end()))
    }

    /// Returns the instructions up to the last capability, extension, memory model, entry point or execution
    /// mode: in a valid module, few.
    pub fn head(&self) -> Instructions<'_> {
        self.range(HEADER_WORDS as u32, self.tables.head_end.min(self.globals_end()))
    }

    /// Returns the instructions up to the last of the head, the debug instructions and the decorations: in a
    /// valid module, everything before the types.
    pub fn annotations(&self) -> Instructions<'_> {
        self.range(
            HEADER_WORDS as u32,
            self.tables.head_end.max(self.tables.annotations_end).min(self.globals_end()),
        )
    }

    /// Returns the notes on the module as a whole: each OpModuleProcessed and OpSourceExtension.
    pub fn notes(&self) -> impl Iterator<Item = Instruction<'_>> {
        let end = self.globals_end();
        self.tables
            .notes
            .iter()
            .take_while(move |&&offset| offset < end)
            .map(|&offset| self.instruction(offset))
    }

    /// Returns the insertion point after all definitions outside of functions: the offset of the OpLines of
    /// the first function, or the end of the module.
    pub fn definitions_end(&self) -> u32 {
        self.tables.functions.first().map_or(self.words.len() as u32, |function| function.lines)
    }

    /// Returns the offset of the first function, or the end of the module.
    pub fn globals_end(&self) -> u32 {
        self.tables.functions.first().map_or(self.words.len() as u32, |function| function.start)
    }

    /// Returns the instructions of a function, from OpFunction to OpFunctionEnd.
    pub fn body(&self, function: &Function) -> Instructions<'_> {
        self.range(function.start, function.end)
    }

    /// Returns the instructions from one offset to another; none if `end` is before `start`.
    pub fn range(&self, start: u32, end: u32) -> Instructions<'_> {
        Instructions::new(self.words.get(start as usize..end as usize).unwrap_or_default(), start)
    }

    /// Returns the instructions that continue a definition.
    pub fn continuations(&self, definition: &Instruction) -> impl Iterator<Item = Instruction<'_>> {
        let others = self.range(definition.end(), self.words.len() as u32);
        others.take_while(Instruction::is_continuation)
    }

    /// Returns the end of a definition with the instructions that continue it.
    pub fn end_with_continuations(&self, definition: &Instruction) -> u32 {
        self.continuations(definition).last().map_or(definition.end(), |last| last.end())
    }

    /// Returns a definition, and then the instructions that continue it.
    pub fn with_continuations(&self, definition: &Instruction) -> Instructions<'_> {
        self.range(definition.offset(), self.end_with_continuations(definition))
    }

    /// Returns the types of the members of a structure.
    pub fn members(&self, structure: &Instruction) -> impl Iterator<Item = u32> {
        self.with_continuations(structure).flat_map(|part| {
            let first = if part.is_continuation() { 1 } else { 2 };
            part.words_from(first).iter().copied()
        })
    }

    /// Returns the functions, in order.
    pub fn functions(&self) -> &[Function] {
        &self.tables.functions
    }

    /// Returns the function with this result id.
    pub fn function(&self, id: u32) -> Option<&Function> {
        self.function_index(id).map(|at| &self.tables.functions[at])
    }

    /// Returns true if this is the result id of a function.
    #[inline]
    pub fn is_function(&self, id: u32) -> bool {
        self.definition_offset(id).is_some_and(|at| self.words[at as usize] as u16 == Op::Function as u16)
    }

    /// Returns the index of the function with this result id.
    #[inline]
    pub fn function_index(&self, id: u32) -> Option<usize> {
        let offset = self.definition_offset(id).filter(|&offset| offset >= self.globals_end())?;
        self.tables.functions.binary_search_by_key(&offset, |function| function.start).ok()
    }

    /// Returns true if a function is only declared, and its body is in another module.
    pub fn is_declaration(&self, function: &Function) -> bool {
        !self.body(function).any(|inst| inst.is(Op::Label))
    }

    /// Returns the OpFunctionParameters of a function.
    pub fn parameters(&self, function: &Function) -> impl Iterator<Item = Instruction<'_>> {
        let head = self.body(function).take_while(|inst| !inst.is(Op::Label));
        head.filter(|inst| inst.is(Op::FunctionParameter))
    }

    /// Returns the instructions outside of functions: before the first of them, and any between them.
    pub fn outside_functions(&self) -> impl Iterator<Item = Instruction<'_>> {
        let gaps = self.tables.functions.iter().enumerate().flat_map(|(at, function)| {
            let end = self.tables.functions.get(at + 1).map_or(self.words.len() as u32, |next| next.start);
            self.range(function.end, end)
        });
        self.globals().chain(gaps)
    }

    /// Returns the index of the function that defines an id. A function defines its own id.
    pub fn function_of(&self, id: u32) -> Option<usize> {
        let offset = self.definition_offset(id)?;
        let at = self.tables.functions.partition_point(|function| function.start <= offset).checked_sub(1)?;
        (offset < self.tables.functions[at].end).then_some(at)
    }

    /// Returns the offset of the definition of an id; `None` if no instruction of the grammar defines it.
    #[inline]
    pub fn definition_offset(&self, id: u32) -> Option<u32> {
        match self.tables.definitions.get(id as usize) {
            Some(&offset) if offset != 0 => Some(offset),
            _ => None,
        }
    }

    /// Returns the offsets of the instructions with an opcode that define an id, in the order of the module.
    pub fn definitions_with(&self, op: Op) -> Vec<u32> {
        let (words, mut offsets) = (self.words(), Vec::new());
        for &at in &self.tables.definitions {
            if at != 0 && words[at as usize] as u16 == op as u16 {
                offsets.push(at);
            }
        }
        offsets.sort_unstable();
        offsets
    }

    /// Sorts ids by the places of their definitions.
    pub fn sort_by_definition(&self, ids: &mut [u32]) {
        sort_by_key(ids, |&id| self.definition_offset(id));
    }

    /// Returns the place of the definition of an id in a function, in words from the function's start; `None`
    /// if the function does not define it.
    #[inline]
    pub fn place_in(&self, function: &Function, id: u32) -> Option<usize> {
        let offset = self.definition_offset(id)?;
        (function.start..function.end).contains(&offset).then(|| (offset - function.start) as usize)
    }

    /// Returns the instruction that defines an id.
    #[inline]
    pub fn definition(&self, id: u32) -> Option<Instruction<'_>> {
        self.definition_offset(id).map(|offset| self.instruction(offset))
    }

    /// Returns the instruction that defines an id, if it has this opcode.
    pub fn definition_as(&self, id: u32, op: Op) -> Option<Instruction<'_>> {
        self.definition(id).filter(|inst| inst.is(op))
    }

    /// Returns true if an id is defined before the first function.
    #[inline]
    pub fn is_global(&self, id: u32) -> bool {
        self.definition_offset(id).is_some_and(|offset| offset < self.globals_end())
    }

    /// Returns the kind of the extended instruction set of an OpExtInst; `None` for other instructions.
    pub fn set_kind(&self, inst: &Instruction) -> Option<SetKind> {
        if !inst.is_extended() {
            return None;
        }
        Some(self.kind_of_set(inst.word(3)))
    }

    /// Returns the kind of the extended instruction set with this id.
    pub fn kind_of_set(&self, id: u32) -> SetKind {
        let set = self.tables.sets.iter().find(|set| set.id == id);
        set.map_or(SetKind::Semantic, |set| set.kind)
    }

    /// Returns true if the module imports extended instruction sets of a kind.
    pub fn has_sets_of(&self, kind: SetKind) -> bool {
        self.tables.sets.iter().any(|set| set.kind == kind)
    }

    /// Returns true if the module contains an OpConditionalCopyObjectINTEL.
    pub fn has_conditional_copies(&self) -> bool {
        self.tables.has_conditional_copies
    }

    /// Returns true if some instruction is not in the grammar. Its result id, if it has one, is unknown.
    pub fn has_unknown_instructions(&self) -> bool {
        self.tables.has_unknown
    }

    /// Passes every id and enumerant of an instruction to a visitor, in word order. If the grammar does not
    /// have the instruction, every word that could be an id is passed as a possible one.
    #[inline]
    pub fn walk(&self, inst: &Instruction, visitor: &mut impl Visitor) {
        self.walk_with(grammar::layout(inst.opcode()), inst, visitor);
    }

    /// Like [`walk`](Self::walk), with the layout of the instruction.
    #[inline]
    pub fn walk_with(
        &self,
        layout: Option<&InstructionLayout>,
        inst: &Instruction,
        visitor: &mut impl Visitor,
    ) {
        let around = || WalkContext {
            at: inst.offset(),
            words: &self.words,
            bound: self.words[3],
            definitions: &self.tables.definitions,
            sets: &self.tables.sets,
        };
        walk(layout, inst.words(), visitor, around);
    }
}

/// Returns the bound of a module's ids, from its header.
fn bound(words: &[u32]) -> Result<u32, LoadError> {
    let &[_, version, _, bound, _] = &words[..HEADER_WORDS.min(words.len())] else {
        let problem = LoadProblem::Truncated("the header of five words is cut off");
        return Err(LoadError { offset: words.len() as u64 * 4, problem });
    };
    check_version(version).map_err(|problem| LoadError { offset: 4, problem })?;
    match bound {
        1..=MAX_BOUND => Ok(bound),
        _ => Err(LoadError { offset: 12, problem: LoadProblem::Bound(bound) }),
    }
}

/// Checks the version word of a header.
///
/// # Errors
/// If it is malformed, or newer than the newest known version.
pub fn check_version(word: u32) -> Result<(), LoadProblem> {
    match word.to_be_bytes() {
        [0, _, _, 0] if Version::from_word(word) <= NEWEST => Ok(()),
        [0, _, _, 0] => Err(LoadProblem::Version(Version::from_word(word))),
        _ => Err(LoadProblem::MalformedVersion(word)),
    }
}

/// Checks the first word and the size in bytes. A file of another kind is reported as such, for any size.
fn check_start(first: Option<u32>, bytes: usize) -> Result<(), LoadError> {
    const MAGIC_NUMBERS: [u32; 2] = [spirv::MAGIC_NUMBER, spirv::MAGIC_NUMBER.swap_bytes()];
    let end = bytes as u64;
    let (offset, problem) = match first {
        None if bytes == 0 => (0, LoadProblem::Empty),
        None => (end, LoadProblem::Truncated("shorter than one word")),
        Some(word) if !MAGIC_NUMBERS.contains(&word) => (0, LoadProblem::NotSpirv(word)),
        _ if !bytes.is_multiple_of(4) => {
            (end, LoadProblem::Truncated("its size is not a multiple of four bytes"))
        }
        _ if bytes / 4 > u32::MAX as usize => {
            (end, LoadProblem::Truncated("more than 2^32 words are not supported"))
        }
        _ => return Ok(()),
    };
    Err(LoadError { offset, problem })
}
