//! Memory that others have a view of keeps its narrow types. The capabilities for it permit loads, stores and conversions of narrow numbers: what is loaded is
//! converted at once, and what is stored just before. All other memory has 32 bits for each number. So have variables of stages in the place of halves: what is
//! loaded from one is rounded, since stages before this one, interpolation and formats of vertices may leave more than a half has.

use std::collections::HashSet;

use spirv::{Capability, Decoration, MemoryAccess, Op, StorageClass};

use super::function::FunctionLowering;
use super::helpers::instruction;
use super::types::{LoweredTypes, NumberForm, with_arrays_of};
use super::{LowerError, LowerableFeature, MAX_LEVELS, has_kernel_halves};
use crate::analysis::requirements::closure;
use crate::loader::{Instruction, Module, views};

/// The maximum number of parts of a value that is loaded or stored part by part.
const MAX_PARTS: usize = 1024;

/// The storage classes of variables that other stages, formats of vertices and attachments have a view of.
const OF_STAGES: [StorageClass; 2] = [StorageClass::Input, StorageClass::Output];

/// The types of memory that keeps them.
#[derive(Default)]
pub struct NarrowMemory {
    /// Narrow types, and types that contain some.
    types: HashSet<u32>,
    /// Arrays and structures among them that are types of values, too.
    values: HashSet<u32>,
    /// True if all memory keeps its types: that of kernels, whose pointers may lead anywhere.
    is_of_kernels: bool,
    /// True if memory of work-groups keeps its types.
    keeps_workgroup: bool,
    /// True if variables of stages have 32 bits for each number.
    has_larger_stages: bool,
    /// True if what is loaded from inputs is rounded. Else what is stored to outputs is extended.
    rounds_inputs: bool,
    /// True if variables of stages have other numbers of 16 bits, too.
    has_others_in_stages: bool,
    /// True if memory has integers in the place of numbers, whose type is a feature of its own.
    has_integers: bool,
}

/// Returns the parts of an array, a structure or a matrix.
fn parts_of(module: &Module, type_id: u32) -> Vec<u32> {
    let Some(type_) = module.definition(type_id) else { return Vec::new() };
    match views::AnyArray::new(type_) {
        Some(array) => vec![array.element_type()],
        None if type_.is(Op::TypeStruct) => module.members(&type_).collect(),
        None if type_.is(Op::TypeMatrix) => vec![type_.word(2)],
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
        let is_of_kernels = has_kernel_halves(module, feature);
        let mut memory = NarrowMemory {
            keeps_workgroup: has(of_workgroup(feature)),
            is_of_kernels,
            // Integers of 8 bits are not there.
            has_larger_stages: feature.width() == 16 && !is_of_kernels,
            rounds_inputs: types.form == NumberForm::Float,
            has_integers: feature.is_bfloat16() || is_of_kernels,
            ..Default::default()
        };
        let old_blocks = with_arrays_of(module, Decoration::BufferBlock);
        let (mut open, mut values) = (Vec::new(), HashSet::new());
        let mut of_stages = Vec::new();
        let with_others = with_others_of_16_bits(module, types);
        for pointer in module.globals().filter_map(views::TypePointer::new) {
            let (class, pointee) = (pointer.storage_class(), pointer.pointee());
            memory.has_others_in_stages |= memory.is_of_stage(class) && with_others.contains(&pointee);
            if !types.has_wide(pointee) {
                continue;
            }
            if !memory.keeps(class) {
                values.insert(pointee);
                let is_free = [StorageClass::Function, StorageClass::Private, StorageClass::Workgroup];
                if memory.is_of_stage(class) {
                    of_stages.push(pointer);
                } else if !is_free.iter().any(|&free| free as u32 == class) {
                    let reason = "variables between stages keep their types".to_owned();
                    return Err(LowerError::new(module, feature, &pointer, reason));
                }
                continue;
            }
            if is_of_kernels {
                open.push(pointee);
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
        for pointer in of_stages {
            let pointee = module.definition(pointer.pointee());
            if pointee.is_some_and(|pointee| pointee.is(Op::TypeStruct)) && memory.has(pointer.pointee()) {
                let reason = "buffers and variables of stages have this type".to_owned();
                return Err(LowerError::new(module, feature, &pointer, reason));
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
        ];
        let is_of_stage = OF_STAGES.iter().any(|&of_stage| of_stage as u32 == class);
        self.is_of_kernels
            || classes.iter().any(|&kept| kept as u32 == class)
            || is_of_stage && !self.has_larger_stages
            || self.keeps_workgroup && class == StorageClass::Workgroup as u32
    }

    /// Returns true for variables of stages that have 32 bits for each number.
    pub fn is_of_stage(&self, class: u32) -> bool {
        self.has_larger_stages && OF_STAGES.iter().any(|&of_stage| of_stage as u32 == class)
    }

    /// Returns true if variables of stages have no narrow numbers.
    pub fn has_no_narrow_stages(&self) -> bool {
        self.has_larger_stages && !self.has_others_in_stages
    }

    /// Returns true if values that are loaded from memory of a storage class are converted.
    fn converts_loaded(&self, class: u32) -> bool {
        let is_input = self.is_of_stage(class) && class == StorageClass::Input as u32;
        self.keeps(class) || is_input && self.rounds_inputs
    }

    /// Returns true if values that are stored to memory of a storage class are converted.
    fn converts_stored(&self, class: u32) -> bool {
        self.keeps(class) || self.is_extended(class)
    }

    /// Returns true for outputs of integers, whose upper bits attachments see.
    fn is_extended(&self, class: u32) -> bool {
        self.is_of_stage(class) && class == StorageClass::Output as u32 && !self.rounds_inputs
    }

    /// Returns true if a type is one of memory.
    pub fn has(&self, type_id: u32) -> bool {
        self.types.contains(&type_id)
    }

    /// Returns true for halves of kernels.
    pub fn is_of_kernels(&self) -> bool {
        self.is_of_kernels
    }

    /// Returns true if memory has integers in the place of numbers.
    pub fn has_integers(&self) -> bool {
        self.has_integers
    }

    /// Returns true if any memory keeps its types.
    pub fn has_any(&self) -> bool {
        !self.types.is_empty()
    }

    /// Returns true if values have a type of memory.
    pub fn is_value(&self, type_id: u32) -> bool {
        self.values.contains(&type_id)
    }
}

/// Returns the types that have numbers of 16 bits that are not lowered.
fn with_others_of_16_bits(module: &Module, types: &LoweredTypes) -> HashSet<u32> {
    let mut all = HashSet::new();
    for inst in module.globals().filter(|inst| inst.result_type().is_none()) {
        let Some(id) = inst.result_id() else { continue };
        let is_number = matches!(inst.op(), Some(Op::TypeInt | Op::TypeFloat));
        let is_other = is_number && inst.word(2) == 16 && types.shape(id).is_none();
        let is_vector = inst.is(Op::TypeVector) && all.contains(&inst.word(2));
        if is_other || is_vector || parts_of(module, id).iter().any(|part| all.contains(part)) {
            all.insert(id);
        }
    }
    all
}

/// The capability for explicit layouts of memory of work-groups.
fn of_workgroup(feature: LowerableFeature) -> Capability {
    match feature.width() {
        8 => Capability::WorkgroupMemoryExplicitLayout8BitAccessKHR,
        _ => Capability::WorkgroupMemoryExplicitLayout16BitAccessKHR,
    }
}

/// The capability by which memory of a storage class has narrow numbers.
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
        let memory = &self.lowering.types.memory;
        let is_converted = match inst.op() {
            Some(Op::Load) => memory.converts_loaded(part.class),
            _ => {
                memory.converts_stored(part.class)
                    || source.is_some_and(|source| memory.converts_loaded(source.class))
            }
        };
        if !is_converted || !self.lowering.types.has_wide(part.type_id) {
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
            Some(Op::TypeMatrix) => Some(type_.word(3)),
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
        let pointee = if is_kept { globals.in_memory(type_id) } else { globals.renamed(type_id) };
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

    /// Loads a value part by part, and converts narrow numbers.
    fn load_part(&mut self, memory: MemoryPart, result: Option<u32>, loads: &mut Vec<u32>) -> u32 {
        let is_kept = self.lowering.types.memory.keeps(memory.class);
        let is_converted = self.lowering.types.memory.converts_loaded(memory.class);
        let shape = self.lowering.types.shape(memory.type_id).filter(|_| is_converted);
        let value_type = self.lowering.globals.renamed(memory.type_id);
        let is_composite = !parts_of(self.lowering.module, memory.type_id).is_empty();
        if is_composite && is_converted {
            let mut values = Vec::new();
            for part in self.parts_of_memory(memory) {
                loads.push(part.pointer);
                values.push(self.load_part(part, None, loads));
            }
            return self.emit(Op::CompositeConstruct, value_type, result, values);
        }
        let operands = std::iter::once(memory.pointer).chain(self.operands_of_part(memory));
        let Some(shape) = shape else { return self.emit(Op::Load, value_type, result, operands) };
        if !is_kept {
            let loaded = self.emit(Op::Load, value_type, None, operands);
            loads.push(loaded);
            return self.rounded(loaded, memory.type_id, result);
        }
        let narrow = self.emit(Op::Load, self.lowering.globals.in_memory(memory.type_id), None, operands);
        loads.push(narrow);
        if self.lowering.types.memory.has_integers() {
            return self.float_of_stored(narrow, shape, result);
        }
        let value = self.emit(self.conversion(memory.type_id), value_type, result, [narrow]);
        if self.lowering.types.form == NumberForm::Narrow {
            self.narrow.known.insert(value, self.is_signed(memory.type_id));
        }
        value
    }

    /// Returns the conversion between a narrow type and that of its values.
    fn conversion(&self, type_id: u32) -> Op {
        match self.lowering.types.form {
            NumberForm::Float => Op::FConvert,
            _ if self.is_signed(type_id) => Op::SConvert,
            _ => Op::UConvert,
        }
    }

    /// Stores a value part by part, and converts to narrow numbers.
    fn store_part(&mut self, memory: MemoryPart, value: u32) {
        let is_kept = self.lowering.types.memory.keeps(memory.class);
        let is_composite = !parts_of(self.lowering.module, memory.type_id).is_empty();
        if is_composite && self.lowering.types.memory.converts_stored(memory.class) {
            for (at, part) in (0..).zip(self.parts_of_memory(memory)) {
                let type_id = self.lowering.globals.renamed(part.type_id);
                let value = self.emit(Op::CompositeExtract, type_id, None, [value, at]);
                self.store_part(part, value);
            }
            return;
        }
        let mut stored = value;
        let shape = self.lowering.types.shape(memory.type_id).filter(|_| is_kept);
        if let Some(shape) = shape.filter(|_| self.lowering.types.memory.has_integers()) {
            stored = self.stored_float(value, memory.type_id, shape);
        } else if shape.is_some() {
            stored = self.emit(self.conversion(memory.type_id), memory.type_id, None, [value]);
        }
        if self.lowering.types.memory.is_extended(memory.class) {
            stored = self.extended(value, self.is_signed(memory.type_id));
        }
        let operands = self.operands_of_part(memory);
        self.push(&instruction(Op::Store, [memory.pointer, stored].into_iter().chain(operands)));
    }

    fn is_signed(&self, type_id: u32) -> bool {
        let module = self.lowering.module;
        module.definition(module.without_vector(type_id)).is_some_and(|type_| type_.word(3) == 1)
    }
}
