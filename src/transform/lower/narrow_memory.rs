//! Memory that others have a view of keeps its narrow types. The capabilities for it permit loads, stores and conversions of narrow integers: what is loaded is
//! converted at once, and what is stored just before. All other memory has a word for each integer.

use std::collections::HashSet;

use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{LoweredTypes, with_arrays_of};
use super::{LowerError, LowerableFeature, MAX_LEVELS};
use crate::analysis::requirements::closure;
use crate::loader::{Instruction, Module, views};

/// The maximum number of parts of a value that is loaded or stored part by part.
const MAX_PARTS: usize = 1024;

/// The types of memory that keeps them.
#[derive(Default)]
pub struct NarrowMemory {
    /// Narrow types, and types that contain some.
    types: HashSet<u32>,
    /// Arrays and structures among them that are types of values, too.
    values: HashSet<u32>,
    /// True if memory of work-groups keeps its types.
    keeps_workgroup: bool,
}

/// Returns the parts of an array or a structure.
fn parts_of(module: &Module, type_id: u32) -> Vec<u32> {
    let Some(type_) = module.definition(type_id) else { return Vec::new() };
    match views::AnyArray::new(type_) {
        Some(array) => vec![array.element_type()],
        None if type_.is(Op::TypeStruct) => module.members(&type_).collect(),
        None => Vec::new(),
    }
}

impl NarrowMemory {
    /// Finds the types of memory, by the pointers that lead to it.
    pub fn find(
        module: &Module,
        feature: LowerableFeature,
        types: &LoweredTypes,
    ) -> Result<NarrowMemory, LowerError> {
        let declared: HashSet<u32> =
            closure(module.capabilities().map(|one| one.capability())).into_iter().collect();
        let has = |capability: Capability| declared.contains(&(capability as u32));
        let mut memory = NarrowMemory { keeps_workgroup: has(of_workgroup(feature)), ..Default::default() };
        let old_blocks = with_arrays_of(module, Decoration::BufferBlock);
        let (mut open, mut values) = (Vec::new(), HashSet::new());
        for pointer in module.globals().filter_map(views::TypePointer::new) {
            let (class, pointee) = (pointer.storage_class(), pointer.pointee());
            if !types.has_wide(pointee) {
                continue;
            }
            if !memory.keeps(class) {
                values.insert(pointee);
                let is_free = [StorageClass::Function, StorageClass::Private, StorageClass::Workgroup];
                if !is_free.iter().any(|&free| free as u32 == class) {
                    let reason = "variables between stages keep their types".to_owned();
                    return Err(LowerError::new(module, feature, &pointer, reason));
                }
                continue;
            }
            let is_old = old_blocks.contains(&pointee);
            let capability = storage(feature, class, is_old);
            if let Some(capability) = capability.filter(|&capability| !has(capability)) {
                let values = feature.values();
                let reason =
                    format!("the module does not declare {capability:?}, by which memory keeps {values}");
                return Err(LowerError::new(module, feature, &pointer, reason));
            }
            if capability.is_none() {
                let reason = format!("no capability lets memory of its class keep {}", feature.values());
                return Err(LowerError::new(module, feature, &pointer, reason));
            }
            open.push(pointee);
        }
        memory.refuse_without_layout(module, feature, types)?;
        while let Some(type_id) = open.pop() {
            if types.has_wide(type_id) && memory.types.insert(type_id) {
                open.extend(parts_of(module, type_id));
                open.extend(types.shape(type_id).map(|_| module.without_vector(type_id)));
            }
        }
        for inst in module.instructions() {
            values.extend(inst.result_type());
            if inst.is(Op::TypeFunction) {
                values.extend(inst.words_from(2));
            }
        }
        let composites: Vec<u32> = module.globals().filter_map(|inst| inst.result_id()).collect();
        for &type_id in composites.iter().rev() {
            if values.contains(&type_id) || types.has_wide(type_id) && !memory.types.contains(&type_id) {
                values.extend(parts_of(module, type_id));
            }
        }
        memory.values = values.intersection(&memory.types).copied().collect();
        Ok(memory)
    }

    /// Refuses memory of work-groups without offsets where the module may have some with them: pointers do not say to which they lead.
    fn refuse_without_layout(
        &self,
        module: &Module,
        feature: LowerableFeature,
        types: &LoweredTypes,
    ) -> Result<(), LowerError> {
        let blocks: HashSet<u32> =
            module.decorated_with(Decoration::Block).into_iter().map(|(id, _)| id).collect();
        let is_of_workgroup = |variable: &views::Variable| {
            self.keeps_workgroup && variable.storage_class() == StorageClass::Workgroup as u32
        };
        for variable in module.variables().filter(is_of_workgroup) {
            let pointee = module.pointee(variable.type_id());
            if pointee.is_some_and(|pointee| types.has_wide(pointee) && !blocks.contains(&pointee)) {
                let reason = "it is no block, and memory of work-groups may have explicit layouts".to_owned();
                return Err(LowerError::new(module, feature, &variable, reason));
            }
        }
        Ok(())
    }

    /// Returns true if memory of a storage class keeps its types.
    pub fn keeps(&self, class: u32) -> bool {
        let classes = [
            StorageClass::Uniform,
            StorageClass::StorageBuffer,
            StorageClass::PushConstant,
            StorageClass::PhysicalStorageBuffer,
            StorageClass::ShaderRecordBufferKHR,
            StorageClass::Input,
            StorageClass::Output,
        ];
        classes.iter().any(|&kept| kept as u32 == class)
            || self.keeps_workgroup && class == StorageClass::Workgroup as u32
    }

    /// Returns true if a type is one of memory.
    pub fn has(&self, type_id: u32) -> bool {
        self.types.contains(&type_id)
    }

    /// Returns true if values have a type of memory.
    pub fn is_value(&self, type_id: u32) -> bool {
        self.values.contains(&type_id)
    }
}

/// The capability for explicit layouts of memory of work-groups.
fn of_workgroup(feature: LowerableFeature) -> Capability {
    match feature.width() {
        8 => Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
        _ => Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    }
}

/// The capability by which memory of a storage class has narrow integers.
fn storage(feature: LowerableFeature, class: u32, is_old_block: bool) -> Option<Capability> {
    let of_widths = |of_8, of_16| Some(if feature.width() == 8 { of_8 } else { of_16 });
    match StorageClass::from_u32(class)? {
        StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => {
            of_widths(Capability::StorageBuffer8BitAccess, Capability::StorageBuffer16BitAccess)
        }
        StorageClass::Uniform if is_old_block => {
            of_widths(Capability::StorageBuffer8BitAccess, Capability::StorageBuffer16BitAccess)
        }
        StorageClass::Uniform => of_widths(
            Capability::UniformAndStorageBuffer8BitAccess,
            Capability::UniformAndStorageBuffer16BitAccess,
        ),
        StorageClass::PushConstant => {
            of_widths(Capability::StoragePushConstant8, Capability::StoragePushConstant16)
        }
        StorageClass::Input | StorageClass::Output if feature.width() == 16 => {
            Some(Capability::StorageInputOutput16)
        }
        StorageClass::Workgroup => Some(of_workgroup(feature)),
        _ => None,
    }
}

/// Memory, and how it is accessed.
#[derive(Clone, Copy)]
struct MemoryPart<'a> {
    pointer: u32,
    class: u32,
    type_id: u32,
    operands: &'a [u32],
    /// True for a part of what is loaded or stored.
    is_part: bool,
}

impl<'m> FunctionLowering<'_, 'm> {
    /// Lowers an access to memory that keeps its types. Returns false for another instruction.
    pub(super) fn narrow_memory(&mut self, inst: &Instruction<'m>) -> Result<bool, LowerError> {
        let (pointer, operands) = match inst.op() {
            Some(Op::Load) => (inst.word(3), inst.words_from(4)),
            Some(Op::Store) => (inst.word(1), inst.words_from(3)),
            Some(Op::CopyMemory) => (inst.word(1), inst.words_from(3)),
            _ => return Ok(false),
        };
        let part = self.memory_part(pointer, operands);
        let source = inst.is(Op::CopyMemory).then(|| self.memory_part(inst.word(2), operands)).flatten();
        let Some(part) = part else { return Ok(false) };
        let is_kept =
            [Some(part), source].iter().flatten().any(|part| self.lowering.types.memory.keeps(part.class));
        if !is_kept || !self.lowering.types.has_wide(part.type_id) {
            return Ok(false);
        }
        let mut left = MAX_PARTS;
        if !self.has_few_parts(part.type_id, MAX_LEVELS, &mut left) {
            return Err(self.lowering.error(inst, "it has too many parts, or a length that is not constant"));
        }
        self.lowering.count_parts(inst, MAX_PARTS - left)?;
        self.count();
        match (inst.typed_result(), source) {
            (Some([_, id]), _) => {
                let mut loads = Vec::new();
                self.load_part(part, Some(id), &mut loads);
                self.lowering.decorated.entry(id).or_default().extend(loads);
            }
            (None, None) => self.store_part(part, inst.word(2)),
            (None, Some(source)) => {
                if !operands.is_empty() || source.type_id != part.type_id {
                    return Err(self.lowering.error(inst, "a copy with memory operands has no other form"));
                }
                let value = self.load_part(source, None, &mut Vec::new());
                self.store_part(part, value);
            }
        }
        Ok(true)
    }

    /// Returns the memory behind a pointer.
    fn memory_part<'a>(&self, pointer: u32, operands: &'a [u32]) -> Option<MemoryPart<'a>> {
        let module = self.lowering.module;
        let type_ = module.pointer_type(module.type_of(pointer)?)?;
        Some(MemoryPart {
            pointer,
            class: type_.storage_class(),
            type_id: type_.pointee(),
            operands,
            is_part: false,
        })
    }

    /// Returns the length of an array, or the number of members, if a type has parts; `None` for a length that is not constant.
    fn part_count(&self, type_id: u32) -> Option<u32> {
        let module = self.lowering.module;
        let type_ = module.definition(type_id)?;
        match type_.op() {
            Some(Op::TypeStruct) => Some(module.members(&type_).count() as u32),
            Some(Op::TypeArray) => {
                let length = module.constant(views::TypeArray(type_).length())?;
                let is_narrow = self.lowering.types.shape(length.type_id()).is_some();
                Some(if is_narrow { self.lowering.narrow_word(length) } else { length.low_word() })
            }
            _ => Some(0),
        }
    }

    /// Counts the parts of a type down.
    fn has_few_parts(&self, type_id: u32, levels: usize, left: &mut usize) -> bool {
        let Some(count) = self.part_count(type_id).filter(|_| levels > 0 && *left > 0) else { return false };
        *left -= 1;
        (0..count).all(|at| {
            let part = self.lowering.module.part_type(type_id, at);
            part.is_some_and(|part| self.has_few_parts(part, levels - 1, left))
        })
    }

    /// Returns the parts of memory with their numbers.
    fn parts_of_memory<'a>(&mut self, memory: MemoryPart<'a>) -> Vec<MemoryPart<'a>> {
        let count = self.part_count(memory.type_id).unwrap_or(0);
        let mut parts = Vec::with_capacity(count as usize);
        for at in 0..count {
            let Some(type_id) = self.lowering.module.part_type(memory.type_id, at) else { continue };
            let to_part = self.pointer_to_part(memory, type_id);
            let index = self.constant(at);
            let pointer = self.emit(Op::AccessChain, to_part, None, [memory.pointer, index]);
            parts.push(MemoryPart { pointer, type_id, is_part: true, ..memory });
        }
        parts
    }

    fn pointer_to_part(&mut self, memory: MemoryPart, type_id: u32) -> u32 {
        let is_kept = self.lowering.types.memory.keeps(memory.class);
        let globals = &mut self.lowering.globals;
        let pointee = if is_kept { type_id } else { globals.renamed(type_id) };
        globals.pointer_to(pointee, memory.class, &mut self.lowering.edits)
    }

    /// Returns the memory operands of the access to a part, which may be less aligned.
    fn operands_of_part(&self, memory: MemoryPart) -> Vec<u32> {
        let mut operands = memory.operands.to_vec();
        if let [mask, alignment, ..] = operands.as_mut_slice()
            && memory.is_part
            && *mask & MemoryAccess::ALIGNED.bits() != 0
        {
            *alignment = (*alignment).min(self.scalar_size(memory.type_id));
        }
        operands
    }

    /// Returns the size in bytes of the scalars of a vector or a matrix, or of a pointer.
    fn scalar_size(&self, type_id: u32) -> u32 {
        let module = self.lowering.module;
        let column = module.definition(type_id).and_then(views::TypeMatrix::new);
        let scalar = module.without_vector(column.map_or(type_id, |matrix| matrix.column_type()));
        match module.definition(scalar) {
            Some(type_) if matches!(type_.op(), Some(Op::TypeInt | Op::TypeFloat)) => type_.word(2) / 8,
            _ => 8,
        }
    }

    /// Loads a value part by part, and converts narrow integers.
    fn load_part(&mut self, memory: MemoryPart, result: Option<u32>, loads: &mut Vec<u32>) -> u32 {
        let is_kept = self.lowering.types.memory.keeps(memory.class);
        let shape = self.lowering.types.shape(memory.type_id).filter(|_| is_kept);
        let value_type = self.lowering.globals.renamed(memory.type_id);
        let is_composite = !parts_of(self.lowering.module, memory.type_id).is_empty();
        if is_composite && is_kept {
            let mut values = Vec::new();
            for part in self.parts_of_memory(memory) {
                loads.push(part.pointer);
                values.push(self.load_part(part, None, loads));
            }
            return self.emit(Op::CompositeConstruct, value_type, result, values);
        }
        let operands = std::iter::once(memory.pointer).chain(self.operands_of_part(memory));
        let Some(shape) = shape else { return self.emit(Op::Load, value_type, result, operands) };
        let narrow = self.emit(Op::Load, memory.type_id, None, operands);
        loads.push(narrow);
        let is_signed = self.is_signed(memory.type_id);
        let op = if is_signed { Op::SConvert } else { Op::UConvert };
        let value = self.emit(op, self.lowering.globals.type_of(shape), result, [narrow]);
        self.narrow.known.insert(value, is_signed);
        value
    }

    /// Stores a value part by part, and converts to narrow integers.
    fn store_part(&mut self, memory: MemoryPart, value: u32) {
        let is_kept = self.lowering.types.memory.keeps(memory.class);
        let is_composite = !parts_of(self.lowering.module, memory.type_id).is_empty();
        if is_composite && is_kept {
            for (at, part) in (0..).zip(self.parts_of_memory(memory)) {
                let type_id = self.lowering.globals.renamed(part.type_id);
                let value = self.emit(Op::CompositeExtract, type_id, None, [value, at]);
                self.store_part(part, value);
            }
            return;
        }
        let mut stored = value;
        if self.lowering.types.shape(memory.type_id).is_some() && is_kept {
            let op = if self.is_signed(memory.type_id) { Op::SConvert } else { Op::UConvert };
            stored = self.emit(op, memory.type_id, None, [value]);
        }
        let operands = self.operands_of_part(memory);
        self.push(&instruction(Op::Store, [memory.pointer, stored].into_iter().chain(operands)));
    }

    fn is_signed(&self, type_id: u32) -> bool {
        let module = self.lowering.module;
        module.definition(module.without_vector(type_id)).is_some_and(|type_| type_.word(3) == 1)
    }
}
