//! The variables that become words, and how they are accessed.

use std::collections::HashSet;

use spirv::{Capability, Decoration, MemoryModel, Op, Scope, StorageClass};

use super::storage_addresses::PhysicalWords;
use super::storage_paths::{MemoryPath, PathPart, WHOLE_WORD, bytes_of_units, chain};
use super::storage_scope::NarrowStorage;
use super::types::with_arrays_of;
use super::{LowerError, LowerableFeature, MAX_PARTS};
use crate::analysis::limits::layout::{LayoutDecorations, Layouts, MatrixLayout};
use crate::analysis::requirements::closure;
use crate::collections::IdMap;
use crate::loader::{Instruction, Module, views};

/// The memory that becomes words.
#[derive(Default)]
pub struct WordMemory {
    pub(super) layout: LayoutDecorations,
    /// The variables.
    pub(super) variables: IdMap<WordVariable>,
    /// The memory behind physical pointers.
    pub(super) physical: PhysicalWords,
    /// The places of pointers.
    pub(super) paths: IdMap<MemoryPath>,
    /// The variables of which parts of words are stored.
    pub(super) partly_stored: HashSet<u32>,
    /// The storage classes of these.
    shared_classes: HashSet<u32>,
    /// Numbers of 8 and 16 bits, and types that contain some.
    pub(super) narrow_types: HashSet<u32>,
    /// Numbers among them with which the module does not compute.
    pub(super) stored_only: HashSet<u32>,
    /// Types among them of which other memory keeps numbers, and their parts.
    pub(super) kept: HashSet<u32>,
    /// True for the Vulkan memory model.
    pub(super) has_vulkan_model: bool,
    /// The scope of atomics on buffers.
    scope: Option<Scope>,
}

/// A variable that becomes an array of words.
#[derive(Clone, Copy, Debug)]
pub struct WordVariable {
    pub class: u32,
    /// The structure.
    pub block: u32,
    /// The structure that takes its place.
    pub words: u32,
    /// True for an array of descriptors.
    pub is_array: bool,
    /// True for a storage buffer of the class Uniform.
    pub is_old: bool,
    /// True if four words are a vector: strides of arrays in uniform blocks are multiples of 16.
    pub has_quads: bool,
    /// The first byte of the first word.
    pub start: u32,
    /// The number of words; `None` if it has no fixed length.
    pub length: Option<u32>,
}

/// Finds the numbers of 8 and 16 bits, and types that contain some.
pub fn narrow_types(module: &Module) -> HashSet<u32> {
    let mut narrow = HashSet::new();
    for inst in module.globals().filter(|inst| inst.result_type().is_none()) {
        let is_narrow = match inst.op() {
            Some(Op::TypeInt | Op::TypeFloat) => inst.word(2) < 32,
            Some(Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray) => {
                narrow.contains(&inst.word(2))
            }
            Some(Op::TypeStruct) => module.members(&inst).any(|member| narrow.contains(&member)),
            _ => false,
        };
        if let Some(id) = inst.result_id().filter(|_| is_narrow) {
            narrow.insert(id);
        }
    }
    narrow
}

/// Returns the capability to compute with a number of 8 or 16 bits.
fn arithmetic(type_: &Instruction) -> Option<Capability> {
    match (type_.op()?, type_.word(2), type_.words().len()) {
        (Op::TypeInt, 8, _) => Some(Capability::Int8),
        (Op::TypeInt, 16, _) => Some(Capability::Int16),
        (Op::TypeFloat, 16, 3) => Some(Capability::Float16),
        _ => None,
    }
}

impl WordMemory {
    /// Finds the memory of a feature.
    pub fn find(module: &Module, feature: LowerableFeature) -> Result<WordMemory, LowerError> {
        let Some(storage) = NarrowStorage::new(feature.capability()) else {
            return Ok(WordMemory::default());
        };
        let declared: HashSet<u32> =
            closure(module.capabilities().map(|one| one.capability())).into_iter().collect();
        let has = |capability: Capability| declared.contains(&(capability as u32));
        let has_vulkan_model =
            module.head().any(|inst| inst.is(Op::MemoryModel) && inst.word(2) == MemoryModel::Vulkan as u32);
        let scope = match has_vulkan_model && !has(Capability::VulkanMemoryModelDeviceScope) {
            true => Scope::QueueFamily,
            false => Scope::Device,
        };
        let narrow_types = narrow_types(module);
        let is_stored_only =
            |type_: &Instruction| arithmetic(type_).is_some_and(|capability| !has(capability));
        let numbers = module.globals().filter(|inst| matches!(inst.op(), Some(Op::TypeInt | Op::TypeFloat)));
        let stored_only = numbers.filter(is_stored_only).filter_map(|type_| type_.result_id()).collect();
        let mut memory = WordMemory {
            layout: LayoutDecorations::read(module),
            narrow_types,
            stored_only,
            has_vulkan_model,
            scope: Some(scope),
            ..WordMemory::default()
        };
        memory.refuse_records(module, feature, storage)?;
        memory.find_variables(module, feature, storage)?;
        memory.find_addresses(module, storage);
        memory.find_paths(module, feature)?;
        memory.find_pointer_values(module, feature)?;
        Ok(memory)
    }

    /// Refuses memory that the feature is for, and that is in no variable and behind no physical pointer.
    fn refuse_records(
        &self,
        module: &Module,
        feature: LowerableFeature,
        storage: NarrowStorage,
    ) -> Result<(), LowerError> {
        let class = StorageClass::ShaderRecordBufferKHR as u32;
        let is_record = |pointer: &views::TypePointer| {
            pointer.storage_class() == class && self.narrow_types.contains(&pointer.pointee())
        };
        let mut pointers = module.globals().filter_map(views::TypePointer::new);
        match pointers.find(is_record).filter(|_| storage == NarrowStorage::Buffers) {
            Some(pointer) => {
                let reason = "numbers of 8 and 16 bits in shader records stay what they are".to_owned();
                Err(LowerError::new(module, feature, &pointer, reason))
            }
            None => Ok(()),
        }
    }

    /// Adds a type of memory that stays, and its parts.
    pub(super) fn keep(&mut self, module: &Module, type_id: u32) {
        let mut open = vec![type_id];
        while let Some(type_id) = open.pop() {
            if !self.narrow_types.contains(&type_id) || !self.kept.insert(type_id) {
                continue;
            }
            let Some(type_) = module.definition(type_id) else { continue };
            match type_.op() {
                Some(Op::TypeStruct) => open.extend(module.members(&type_)),
                Some(Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray) => {
                    open.push(type_.word(2));
                }
                _ => {}
            }
        }
    }

    fn find_variables(
        &mut self,
        module: &Module,
        feature: LowerableFeature,
        storage: NarrowStorage,
    ) -> Result<(), LowerError> {
        let blocks = with_arrays_of(module, Decoration::Block);
        let old_blocks = with_arrays_of(module, Decoration::BufferBlock);
        let block_of = |variable: views::Variable| {
            module.pointee(variable.type_id()).map(|pointee| module.without_arrays(pointee))
        };
        let has_narrow = |block: &u32| self.narrow_types.contains(block);
        let of_variables = module.variables().filter_map(block_of).filter(has_narrow).collect();
        let ranges = Layouts::ranges_of(module, &of_variables, &mut |_| None);
        for variable in module.variables() {
            let Some(pointee) = module.pointee(variable.type_id()) else { continue };
            let (class, block) = (variable.storage_class(), module.without_arrays(pointee));
            let is_old = old_blocks.contains(&pointee);
            let is_block = is_old || blocks.contains(&pointee);
            if !self.narrow_types.contains(&block) {
                continue;
            }
            if !storage.has(class, is_old) || !is_block {
                self.keep(module, block);
                continue;
            }
            let error = |reason: &str| Err(LowerError::new(module, feature, &variable, reason.to_owned()));
            if variable.words().len() > 4 {
                return error("its initializer has numbers of 8 or 16 bits");
            }
            let range = ranges.get(&block);
            let range = range
                .and_then(|range| Some((u32::try_from(range.start).ok()?, u32::try_from(range.end).ok()?)));
            let last = module.definition(block).and_then(|block| module.members(&block).last());
            let is_open = last.is_some_and(|last| module.definition_as(last, Op::TypeRuntimeArray).is_some());
            let has_quads = class == StorageClass::Uniform as u32 && !is_old;
            let bytes = if has_quads { 16 } else { 4 };
            let Some((start, end)) = range.filter(|&(_, end)| end <= u32::MAX - 16) else {
                return error("its size is not known: set the specialization constants that it depends on");
            };
            let start = if is_open { 0 } else { start / bytes * bytes };
            let length = (!is_open).then(|| (end - start).div_ceil(bytes) * (bytes / 4));
            let is_array = pointee != block;
            let changed = WordVariable { class, block, words: 0, is_array, is_old, has_quads, start, length };
            self.variables.insert(variable.id(), changed);
        }
        Ok(())
    }

    /// Finds the places of pointers, and the variables of which parts of words are stored.
    fn find_paths(&mut self, module: &Module, feature: LowerableFeature) -> Result<(), LowerError> {
        let of_descriptors: HashSet<u32> =
            module.decorated_with(Decoration::NonUniform).into_iter().map(|(id, _)| id).collect();
        for (&id, variable) in &self.variables {
            let type_id = module.type_of(id).and_then(|type_id| module.pointee(type_id)).unwrap_or_default();
            let part = PathPart { type_id, matrix: MatrixLayout::default(), stride: None };
            let constant = variable.start.wrapping_neg();
            let (descriptor, indices) = (None, Vec::new());
            self.paths.insert(
                id,
                MemoryPath { root: id, descriptor, constant, indices, part, is_non_uniform: false },
            );
        }
        let mut stored = 0;
        for inst in module.functions().iter().flat_map(|function| module.body(function)) {
            let error = |reason: &str| LowerError::new(module, feature, &inst, reason.to_owned());
            self.find_root(module, &inst);
            if let (Some((base, indices)), Some(id)) = (chain(&inst), inst.result_id()) {
                if let Some(base) = self.paths.get(&base) {
                    let base = self.after_element(module, &inst, base).map_err(error)?;
                    let mut path = self.follow(module, &base, indices).map_err(error)?;
                    path.is_non_uniform |= of_descriptors.contains(&id);
                    self.paths.insert(id, path);
                }
            } else if matches!(inst.op(), Some(Op::Store | Op::CopyMemory))
                && let Some(path) = self.paths.get(&inst.word(1))
            {
                let operands = inst.words_from(3);
                let (start, unit) = self.start_of_access(path, operands);
                let scalars = self.scalars(module, path.part, start).map_err(error)?;
                stored += scalars.len();
                if stored > MAX_PARTS {
                    return Err(error("too many parts of values are stored"));
                }
                let units = bytes_of_units(&scalars, unit);
                if units.values().any(|&bytes| bytes != WHOLE_WORD) {
                    let variable = self.variables.get(&path.root);
                    let physical = StorageClass::PhysicalStorageBuffer as u32;
                    self.shared_classes.insert(variable.map_or(physical, |variable| variable.class));
                    self.partly_stored.insert(path.root);
                }
            }
        }
        Ok(())
    }

    /// Returns true if a variable is an array of descriptors.
    pub(super) fn is_array(&self, variable: u32) -> bool {
        self.variables.get(&variable).is_some_and(|variable| variable.is_array)
    }

    /// Returns true if other invocations may store another part of a word at the same time, by any variable or address. `None` stands for memory behind addresses.
    pub(super) fn is_shared(&self, variable: Option<&WordVariable>) -> bool {
        let buffers =
            [StorageClass::StorageBuffer, StorageClass::Uniform, StorageClass::PhysicalStorageBuffer]
                .map(|class| class as u32);
        let is_buffer =
            variable.is_none_or(|variable| buffers.contains(&variable.class) && !variable.has_quads);
        match variable.filter(|_| !is_buffer) {
            Some(variable) => self.shared_classes.contains(&variable.class),
            None => buffers.iter().any(|class| self.shared_classes.contains(class)),
        }
    }

    /// Returns the scope of atomics on a variable, or on memory behind addresses.
    pub(super) fn scope_of(&self, variable: Option<&WordVariable>) -> Scope {
        match variable.is_some_and(|variable| variable.class == StorageClass::Workgroup as u32) {
            true => Scope::Workgroup,
            false => self.scope.unwrap_or(Scope::Device),
        }
    }
}
