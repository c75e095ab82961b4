//! The edits that put traps into a module.

use std::collections::BTreeSet;

use spirv::{Decoration, MemoryAccess, Op, StorageClass};

use super::Trap;
use super::definitions::NewDefinitions;
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
use crate::transform::insertion::InsertionPoints;
use crate::transform::removal::count_words;

/// The opcode of OpAbortKHR.
const ABORT: u32 = 5121;

/// The value that traps store, and the message of OpAbortKHR.
const MARK: u32 = 1;

/// The edits that put traps into a module.
#[derive(Clone, Debug)]
pub struct TrapEdits {
    /// The changes to the module. Behind each trap stands the old block, behind a branch that the constant decides.
    pub edits: Edits,
    /// The SpecId of the constant, which must be set to true.
    pub spec_id: u32,
    /// The labels of the old blocks.
    pub replaced: Vec<u32>,
}

/// Puts traps at points of a module: each block begins with a branch to a new block with the trap. A specialization constant decides the branch, so
/// that specializing removes the rest.
///
/// # Errors
/// If there is no word to store to.
pub fn write(analyses: &Analyses, points: &[TrapPoint]) -> Result<TrapEdits, TargetError> {
    let module = analyses.module();
    let used: BTreeSet<u32> = module.spec_ids().map(|decorated| decorated.spec_id()).collect();
    let spec_id = (0..).find(|spec_id| !used.contains(spec_id)).unwrap_or_default();
    let mut writer = TrapWriter {
        analyses,
        module,
        places: InsertionPoints::find(module),
        edits: Edits::new(module),
        definitions: NewDefinitions::new(module),
    };
    let bool_ = writer.definitions.type_(Op::TypeBool, &[], &mut writer.edits);
    let condition = writer.edits.fresh_id();
    writer.definitions.add(&[3 << 16 | Op::SpecConstantTrue as u32, bool_, condition]);
    let decoration = [4 << 16 | Op::Decorate as u32, condition, Decoration::SpecId as u32, spec_id];
    writer.edits.insert_words(writer.places.annotations, &decoration);
    let mut stored: BTreeSet<(u32, u32)> = BTreeSet::new();
    let mut replaced = Vec::new();
    let callers = Callers::new(module, analyses.names());
    let trapped = points.iter().filter(|point| point.branch.trap != Trap::Abort).map(|point| point.function);
    let signalling = signalling(&callers, trapped);
    let flags = match signalling.is_empty() {
        true => None,
        false => Some(TrapFlags::new(module, &signalling, &mut writer.definitions, &mut writer.edits)),
    };
    for point in points {
        let code = match (&point.branch.trap, &flags) {
            (Trap::Abort, _) => writer.abort(),
            (_, Some(flags)) if signalling.contains(&point.function) => {
                flags.trap(module, point.function, &mut writer.definitions, &mut writer.edits)
            }
            (trap, _) => writer.leave(point.function, trap, &mut stored)?,
        };
        let [taken, rest] = [writer.edits.fresh_id(), writer.edits.fresh_id()];
        replaced.push(rest);
        let mut words = vec![4 << 16 | Op::BranchConditional as u32, condition, taken, rest];
        words.extend([2 << 16 | Op::Label as u32, taken]);
        words.extend(code);
        words.extend([2 << 16 | Op::Label as u32, rest]);
        writer.edits.insert_words(point.body, &words);
        point.loop_merge.iter().for_each(|&merge| writer.edits.drop(&module.instruction(merge)));
    }
    if let (Some(flags), Some(point)) = (&flags, points.first()) {
        for at in 0..module.functions().len() {
            let mut tested = Vec::new();
            for call in flags.calls(module, at) {
                let leave = match signalling.contains(&at) {
                    true => return_from(module, at, &mut writer.definitions, &mut writer.edits),
                    false => writer.leave(at, &point.branch.trap, &mut stored)?,
                };
                tested.push((call, leave));
            }
            flags.test_calls(module, at, tested, &mut writer.definitions, &mut writer.edits);
        }
    }
    if points.iter().any(|point| point.branch.trap == Trap::Abort) {
        writer.declare_abort();
    }
    writer.list_interfaces(&stored);
    writer.definitions.insert(&mut writer.edits);
    Ok(TrapEdits { edits: writer.edits, spec_id, replaced })
}

struct TrapWriter<'w, 'm> {
    analyses: &'w Analyses<'m>,
    module: &'m Module<'m>,
    places: InsertionPoints,
    edits: Edits,
    definitions: NewDefinitions,
}

impl TrapWriter<'_, '_> {
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

    /// Returns the words that leave an entry point from a function. Notes the variable that they store to with the function.
    fn leave(
        &mut self,
        at: usize,
        trap: &Trap,
        stored: &mut BTreeSet<(u32, u32)>,
    ) -> Result<Vec<u32>, TargetError> {
        let mut words = match trap {
            Trap::Store { buffer, offset } => self.store(at, buffer, *offset, stored)?,
            Trap::Abort | Trap::Silent => Vec::new(),
        };
        words.push(1 << 16 | Op::Return as u32);
        Ok(words)
    }

    /// Returns the words of a store.
    fn store(
        &mut self,
        at: usize,
        name: &str,
        offset: u32,
        stored: &mut BTreeSet<(u32, u32)>,
    ) -> Result<Vec<u32>, TargetError> {
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
                stored.insert((function.id, variable));
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
    fn list_interfaces(&mut self, stored: &BTreeSet<(u32, u32)>) {
        if self.module.version() < Version::new(1, 4) {
            return;
        }
        for entry_point in self.module.entry_points() {
            let of_function = stored.iter().filter(|(function, _)| *function == entry_point.function());
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
