//! The edits that write traps into a module.

use std::collections::BTreeSet;

use spirv::{Decoration, MemoryAccess, Op, StorageClass};

use super::Trap;
use super::lacked::{ABORT_CAPABILITY, ABORT_EXTENSION};
use super::leaving::Callers;
use super::plan::TrapPoint;
use super::signal::{TrapFlags, return_from, signalling};
use super::target::{StoreTarget, TargetError, argument, buffer};
use crate::analysis::Analyses;
use crate::analysis::requirements::is_of_shaders;
use crate::device::capabilities;
use crate::loader::{Module, Version, literal, views};
use crate::transform::Edits;
use crate::transform::body::FunctionBody;
use crate::transform::insertion::InsertionPoints;
use crate::transform::new_definitions::NewDefinitions;
use crate::transform::removal::count_words;

/// The opcode of OpAbortKHR.
const ABORT: u32 = 5121;

/// The value that traps store, and the message of OpAbortKHR.
const MARK: u32 = 1;

/// The edits that write traps into a module.
#[derive(Clone, Debug)]
pub struct TrapEdits {
    /// The changes to the module. Behind each trap stands the old block, behind a branch that the constant decides.
    pub edits: Edits,
    /// The SpecId of the constant, which must be set to true.
    pub spec_id: u32,
    /// The labels of the old blocks.
    pub replaced: Vec<u32>,
}

/// Writes traps at points of a module: each block begins with a branch to a new block with the trap. A specialization
/// constant decides the branch, so that specializing removes the rest of the block, and code that is decided then.
///
/// # Errors
/// If there is no word to store to.
pub fn write(analyses: &Analyses, trap: &Trap, points: &[TrapPoint]) -> Result<TrapEdits, TargetError> {
    let module = analyses.module();
    let used: BTreeSet<u32> = module.spec_ids().map(|decorated| decorated.spec_id()).collect();
    let spec_id = (0..).find(|spec_id| !used.contains(spec_id)).unwrap_or_default();
    let callers = Callers::new(analyses);
    let mut functions: Vec<usize> = points.iter().map(|point| point.function).collect();
    functions.dedup();
    let mut writer = TrapWriter {
        analyses,
        module,
        trap,
        signalling: match trap {
            Trap::Abort => BTreeSet::new(),
            Trap::Store { .. } | Trap::Silent => signalling(&callers, functions.iter().copied()),
        },
        places: InsertionPoints::find(module),
        edits: Edits::new(module),
        definitions: NewDefinitions::new(module),
        stored: BTreeSet::new(),
    };
    let condition = writer.condition(spec_id);
    let flags = match writer.signalling.is_empty() {
        true => None,
        false => Some(TrapFlags::new(module, &writer.signalling, &mut writer.definitions, &mut writer.edits)),
    };
    let calls = writer.signalling.iter().flat_map(|&at| callers.calls.calls_of(at));
    let mut changed = functions;
    changed.extend(calls.map(|call| call.caller as usize));
    changed.sort_unstable();
    changed.dedup();
    let mut replaced = Vec::new();
    for at in changed {
        let first = points.partition_point(|point| point.function < at);
        let source = FunctionBody::decode(module, at);
        let mut points = points[first..].iter().take_while(|point| point.function == at).peekable();
        let mut body = FunctionBody::empty(module, at, source.all_lines().len());
        let mut loop_merge = None;
        for (line, inst) in source.lines() {
            if let Some(point) = points.next_if(|point| point.body == inst.offset()) {
                let [taken, rest] = [writer.edits.fresh_id(), writer.edits.fresh_id()];
                let mut words = vec![4 << 16 | Op::BranchConditional as u32, condition, taken, rest];
                words.extend([2 << 16 | Op::Label as u32, taken]);
                words.extend(writer.trap(at, flags.as_ref())?);
                words.extend([2 << 16 | Op::Label as u32, rest]);
                body.push_all(point.body, &words);
                replaced.push(rest);
                loop_merge = point.loop_merge;
            }
            if loop_merge != Some(inst.offset()) {
                body.extend(&source, line..line + 1);
            }
        }
        if let Some(flags) = &flags {
            let mut calls = Vec::new();
            for line in flags.calls(&body) {
                calls.push((line, writer.leave(at)?));
            }
            body = flags.test_calls(&body, calls, &mut writer.edits);
        }
        body.emit(&mut writer.edits);
    }
    if *trap == Trap::Abort {
        writer.declare_abort();
    }
    writer.list_interfaces();
    writer.definitions.insert(&mut writer.edits);
    Ok(TrapEdits { edits: writer.edits, spec_id, replaced })
}

struct TrapWriter<'w, 'm> {
    analyses: &'w Analyses<'m>,
    module: &'m Module<'m>,
    trap: &'w Trap,
    /// The functions whose callers must leave after a trap in them.
    signalling: BTreeSet<usize>,
    places: InsertionPoints,
    edits: Edits,
    definitions: NewDefinitions,
    /// The functions with stores, each with the variable.
    stored: BTreeSet<(u32, u32)>,
}

impl TrapWriter<'_, '_> {
    /// Adds a specialization constant, and returns its id.
    fn condition(&mut self, spec_id: u32) -> u32 {
        let bool_ = self.definitions.type_(Op::TypeBool, &[], &mut self.edits);
        let condition = self.edits.fresh_id();
        self.definitions.add(&[3 << 16 | Op::SpecConstantTrue as u32, bool_, condition]);
        let decoration = [4 << 16 | Op::Decorate as u32, condition, Decoration::SpecId as u32, spec_id];
        self.edits.insert_words(self.places.annotations, &decoration);
        condition
    }

    /// Returns the words of the trap in a function.
    fn trap(&mut self, at: usize, flags: Option<&TrapFlags>) -> Result<Vec<u32>, TargetError> {
        if *self.trap == Trap::Abort {
            return Ok(self.abort());
        }
        let signal = flags.and_then(|flags| flags.signal(at));
        Ok(signal.into_iter().flatten().chain(self.leave(at)?).collect())
    }

    /// Returns the words of OpAbortKHR.
    fn abort(&mut self) -> Vec<u32> {
        let uint = self.definitions.uint(&mut self.edits);
        let message = self.definitions.constant(uint, MARK, &mut self.edits);
        vec![3 << 16 | ABORT, uint, message]
    }

    /// Declares OpAbortKHR, unless the module does.
    fn declare_abort(&mut self) {
        let number = capabilities::number(ABORT_CAPABILITY).unwrap_or_default();
        if !self.module.capabilities().any(|declared| declared.capability() == number) {
            self.edits.insert_words(self.places.capabilities, &[2 << 16 | Op::Capability as u32, number]);
        }
        if !self.module.extensions().any(|declared| declared.name() == ABORT_EXTENSION) {
            let mut words = [vec![Op::Extension as u32], literal(ABORT_EXTENSION)].concat();
            count_words(&mut words);
            self.edits.insert_words(self.places.extensions, &words);
        }
    }

    /// Returns the words that leave a function after a trap in it, or in one that it called.
    fn leave(&mut self, at: usize) -> Result<Vec<u32>, TargetError> {
        if self.signalling.contains(&at) {
            return Ok(return_from(self.module, at, &mut self.definitions, &mut self.edits));
        }
        let mut words = match self.trap {
            Trap::Store { buffer, offset } => self.store(at, buffer, *offset)?,
            Trap::Abort | Trap::Silent => Vec::new(),
        };
        words.push(1 << 16 | Op::Return as u32);
        Ok(words)
    }

    /// Returns the words of a store. Notes the variable that they store to.
    fn store(&mut self, at: usize, name: &str, offset: u32) -> Result<Vec<u32>, TargetError> {
        let function = &self.module.functions()[at];
        let target = match is_of_shaders(self.module) {
            true => buffer(self.analyses, name, offset)?,
            false => argument(self.analyses, function, name, offset)?,
        };
        let mut words = Vec::new();
        match target {
            StoreTarget::Buffer { variable, class, indexes, type_ } => {
                let uint = self.definitions.uint(&mut self.edits);
                let indexes: Vec<u32> = indexes
                    .into_iter()
                    .map(|index| self.definitions.constant(uint, index, &mut self.edits))
                    .collect();
                let pointer_type = self.definitions.type_(Op::TypePointer, &[class, type_], &mut self.edits);
                let is_float = self.module.definition_as(type_, Op::TypeFloat).is_some();
                // The bits of 1 are a denormal number, which may be flushed to zero.
                let value = self.definitions.constant(
                    type_,
                    if is_float { 1_f32.to_bits() } else { MARK },
                    &mut self.edits,
                );
                let pointer = self.edits.fresh_id();
                let length = (4 + indexes.len()) as u32;
                words.extend([length << 16 | Op::AccessChain as u32, pointer_type, pointer, variable]);
                words.extend(indexes);
                words.extend([3 << 16 | Op::Store as u32, pointer, value]);
                self.stored.insert((function.id, variable));
            }
            StoreTarget::Argument { index, word } => {
                let uint = self.definitions.uint(&mut self.edits);
                let pointer_type = self.definitions.type_(
                    Op::TypePointer,
                    &[StorageClass::CrossWorkgroup as u32, uint],
                    &mut self.edits,
                );
                let parameters = self.module.parameters(function).filter_map(views::FunctionParameter::new);
                let parameter = parameters.into_iter().nth(index);
                let mut pointer = parameter.map_or(0, |parameter| parameter.id());
                if parameter.is_some_and(|parameter| parameter.type_id() != pointer_type) {
                    let cast = self.edits.fresh_id();
                    words.extend([4 << 16 | Op::Bitcast as u32, pointer_type, cast, pointer]);
                    pointer = cast;
                }
                if word > 0 {
                    let (element, index) =
                        (self.edits.fresh_id(), self.definitions.constant(uint, word, &mut self.edits));
                    let op = 5 << 16 | Op::InBoundsPtrAccessChain as u32;
                    words.extend([op, pointer_type, element, pointer, index]);
                    pointer = element;
                }
                let value = self.definitions.constant(uint, MARK, &mut self.edits);
                words.extend([5 << 16 | Op::Store as u32, pointer, value, MemoryAccess::ALIGNED.bits(), 4]);
            }
        }
        Ok(words)
    }

    /// Lists variables in the interfaces of the entry points of functions, as versions from 1.4 on require.
    fn list_interfaces(&mut self) {
        if self.module.version() < Version::new(1, 4) {
            return;
        }
        for entry_point in self.module.entry_points() {
            let of_function = self.stored.iter().filter(|(function, _)| *function == entry_point.function());
            let missing: Vec<u32> = of_function
                .map(|(_, variable)| *variable)
                .filter(|variable| !entry_point.interface().contains(variable))
                .collect();
            if !missing.is_empty() {
                let mut words = [entry_point.words(), &missing].concat();
                count_words(&mut words);
                self.edits.replace_words(&entry_point, &words);
            }
        }
    }
}
