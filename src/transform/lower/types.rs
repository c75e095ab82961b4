use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::RangeInclusive;

use spirv::{Capability, Decoration, Op, StorageClass};

use super::narrow_memory::NarrowMemory;
use super::storage_scope::NarrowStorage;
use super::{LowerError, LowerableFeature};
use crate::analysis::requirements::closure;
use crate::collections::{IdMap, gather};
use crate::loader::{Instruction, Module, views};

/// The storage classes whose types have offsets and strides. Memory of work-groups may have some, too.
const WITH_LAYOUT: [StorageClass; 5] = [
    StorageClass::Uniform,
    StorageClass::StorageBuffer,
    StorageClass::PushConstant,
    StorageClass::PhysicalStorageBuffer,
    StorageClass::ShaderRecordBufferKHR,
];

/// The substitute of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberForm {
    /// Two words of 32 bits.
    Words,
    /// An integer of 64 bits.
    Integer,
    /// One word, of which the low bits are those of an integer of 8 or 16 bits.
    Narrow,
    /// A float of 32 bits with the value of a half.
    Float,
    /// None: values stay, and words of memory take the place of numbers of 8 and 16 bits.
    Memory,
}

impl NumberForm {
    /// Chooses the form: doubles become integers of 64 bits where the result may have some. The module has them, or is for kernels: OpenCL's full
    /// profile has them.
    pub fn new(module: &Module, feature: LowerableFeature, keeps_integers: bool) -> NumberForm {
        let declared = closure(module.capabilities().map(|one| one.capability()));
        let has = |capability: Capability| declared.contains(&(capability as u32));
        let has_integers = keeps_integers && (has(Capability::Int64) || has(Capability::Kernel));
        match feature.type_op() {
            _ if NarrowStorage::new(feature.capability()).is_some() => NumberForm::Memory,
            Op::TypeFloat if feature.width() < 32 => NumberForm::Float,
            Op::TypeFloat if has_integers => NumberForm::Integer,
            Op::TypeInt if feature.width() < 32 => NumberForm::Narrow,
            _ => NumberForm::Words,
        }
    }

    /// Returns true if values become larger, so that memory that others have a view of keeps its types.
    pub fn is_larger(self) -> bool {
        matches!(self, NumberForm::Narrow | NumberForm::Float)
    }
}

/// The form of a value of a lowered type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WideShape {
    /// A number, of one or two words or one integer.
    Scalar,
    /// A vector of two numbers, of four words.
    Pair,
    /// A vector of so many integers or words, or an array of so many numbers of two words.
    Vector(u32),
}

impl WideShape {
    /// The number of components.
    pub fn components(self) -> usize {
        match self {
            WideShape::Scalar => 1,
            WideShape::Pair => 2,
            WideShape::Vector(count) => count as usize,
        }
    }
}

/// The form of a vector of three or four numbers of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VectorLayout {
    /// An array, as values and in memory without offsets.
    Free,
    /// An array with a stride.
    Explicit,
    /// Four words, and two or four: where strides of arrays are multiples of 16 bytes.
    Halves,
}

/// The types of a module that are lowered, and those that contain them.
pub struct LoweredTypes {
    shapes: IdMap<WideShape>,
    /// Matrices of floats in the place of halves: the form and number of columns.
    matrices: IdMap<(WideShape, u32)>,
    /// Arrays and structures that have parts of lowered types.
    containing: HashSet<u32>,
    /// Vectors that become arrays, and the types that have such parts.
    with_arrays: HashSet<u32>,
    /// Arrays and structures with offsets and strides that have such vectors.
    explicit: HashSet<u32>,
    /// Arrays and structures of uniform blocks that have such vectors.
    of_blocks: HashSet<u32>,
    /// The numbers of members that are second halves, by structure and number of the first half.
    second_halves: HashMap<(u32, u32), u32>,
    /// True if memory of work-groups has offsets and strides.
    has_explicit_workgroup: bool,
    /// True if pointers lead to such vectors with strides.
    pub has_explicit_vectors: bool,
    /// The memory that keeps its narrow types.
    pub memory: NarrowMemory,
    /// The form of numbers.
    pub form: NumberForm,
}

/// Returns the types with a decoration, and the arrays of them.
pub fn with_arrays_of(module: &Module, decoration: Decoration) -> HashSet<u32> {
    let mut types: HashSet<u32> = module.decorated_with(decoration).into_iter().map(|(id, _)| id).collect();
    for array in module.globals().filter_map(views::AnyArray::new) {
        if types.contains(&array.element_type()) {
            types.insert(array.id());
        }
    }
    types
}

impl LoweredTypes {
    /// Finds the types of the numbers of a feature.
    pub fn find(
        module: &Module,
        feature: LowerableFeature,
        form: NumberForm,
    ) -> Result<LoweredTypes, LowerError> {
        let mut types = LoweredTypes {
            shapes: IdMap::new(),
            matrices: IdMap::new(),
            containing: HashSet::new(),
            with_arrays: HashSet::new(),
            explicit: HashSet::new(),
            of_blocks: HashSet::new(),
            second_halves: HashMap::new(),
            has_explicit_workgroup: false,
            has_explicit_vectors: false,
            memory: NarrowMemory::default(),
            form,
        };
        for inst in module.outside_functions().filter(|_| form != NumberForm::Memory) {
            types.read(module, feature, &inst)?;
        }
        if !types.with_arrays.is_empty() {
            types.find_layouts(module);
        }
        if form.is_larger() {
            types.memory = NarrowMemory::find(module, feature, &types)?;
        }
        Ok(types)
    }

    /// Finds the types with offsets and strides, by the pointers that lead to them.
    fn find_layouts(&mut self, module: &Module) {
        let blocks = with_arrays_of(module, Decoration::Block);
        let (mut explicit, mut of_blocks) = (Vec::new(), Vec::new());
        for pointer in module.globals().filter_map(views::TypePointer::new) {
            let (class, pointee) = (pointer.storage_class(), pointer.pointee());
            let is_block = blocks.contains(&pointee);
            self.has_explicit_workgroup |= is_block && class == StorageClass::Workgroup as u32;
            if !self.with_arrays.contains(&pointee) || self.layout_of_class(class) == VectorLayout::Free {
                continue;
            }
            self.has_explicit_vectors = true;
            match is_block && class == StorageClass::Uniform as u32 {
                true => of_blocks.push(pointee),
                false => explicit.push(pointee),
            }
        }
        self.explicit = self.all_within(module, explicit);
        self.of_blocks = self.all_within(module, of_blocks);
        for &type_id in &self.of_blocks {
            let Some(structure) = module.definition(type_id).and_then(views::TypeStruct::new) else {
                continue;
            };
            let mut second = structure.members().len() as u32;
            for (first, member) in (0..).zip(structure.members()) {
                let is_vector = self.shapes.contains_key(member) && self.with_arrays.contains(member);
                if is_vector {
                    self.second_halves.insert((type_id, first), second);
                    second += 1;
                }
            }
        }
    }

    /// Returns types and all within them that have vectors.
    fn all_within(&self, module: &Module, mut open: Vec<u32>) -> HashSet<u32> {
        let mut all = HashSet::new();
        while let Some(type_id) = open.pop() {
            let has_vectors = self.with_arrays.contains(&type_id) && !self.is_wide(type_id);
            if has_vectors && all.insert(type_id) {
                open.extend(parts(module, type_id));
            }
        }
        all
    }

    fn read(
        &mut self,
        module: &Module,
        feature: LowerableFeature,
        inst: &Instruction,
    ) -> Result<(), LowerError> {
        let error = |reason: &str| Err(LowerError::new(module, feature, inst, reason.to_owned()));
        let Some(id) = inst.result_id() else { return Ok(()) };
        match inst.op() {
            Some(Op::TypeInt | Op::TypeFloat) if feature.is_type(inst) => {
                self.shapes.insert(id, WideShape::Scalar);
            }
            Some(Op::TypeMatrix) if self.form == NumberForm::Float && !feature.is_bfloat16() => {
                if let Some(column) = self.shape(inst.word(2)) {
                    self.matrices.insert(id, (column, inst.word(3)));
                    self.containing.insert(id);
                }
            }
            Some(Op::TypeVector)
                if self.is_wide(views::TypeVector(*inst).component_type())
                    && self.counts().contains(&views::TypeVector(*inst).component_count()) =>
            {
                let shape = match (self.form, views::TypeVector(*inst).component_count()) {
                    (NumberForm::Words, 2) => WideShape::Pair,
                    (_, count) => WideShape::Vector(count),
                };
                self.shapes.insert(id, shape);
                if self.is_array(shape) {
                    self.with_arrays.insert(id);
                }
            }
            Some(Op::TypeStruct | Op::TypeArray | Op::TypeRuntimeArray) => {
                let parts = parts(module, id);
                if parts.iter().any(|&part| self.has_wide(part)) {
                    self.containing.insert(id);
                }
                if parts.iter().any(|part| self.with_arrays.contains(part)) {
                    self.with_arrays.insert(id);
                }
            }
            Some(Op::TypePointer | Op::TypeFunction) => {}
            Some(op) if inst.result_type().is_none() => {
                let mut is_used = false;
                module.walk(inst, &mut |_, operand: u32| is_used |= operand != id && self.is_wide(operand));
                if is_used {
                    return error(&format!("Op{op:?} of {} has no other form", feature.values()));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Returns the lowered types, with their forms, that memory has integers in the place of. Arguments of kernels have these, too.
    pub fn stored_as_integers(&self) -> IdMap<WideShape> {
        let mut all = IdMap::new();
        if self.memory.has_integers() {
            all.extend(
                self.shapes
                    .iter()
                    .filter(|&(&id, _)| self.memory.is_of_kernels() || self.memory.has(id))
                    .map(|(&id, &shape)| (id, shape)),
            );
        }
        all
    }

    /// Returns the form and number of columns of matrices, smaller ones first.
    pub fn matrices(&self) -> BTreeSet<(WideShape, u32)> {
        gather(self.matrices.values().copied())
    }

    /// Returns the form and number of the columns of a matrix, if it is lowered.
    pub fn matrix(&self, type_id: u32) -> Option<(WideShape, u32)> {
        self.matrices.get(&type_id).copied()
    }

    /// Returns true for a type of numbers, vectors or matrices that is lowered.
    pub fn is_lowered(&self, type_id: u32) -> bool {
        self.is_wide(type_id) || self.matrices.contains_key(&type_id)
    }

    /// Returns the numbers of components that vectors have.
    fn counts(&self) -> RangeInclusive<u32> {
        if self.form == NumberForm::Words { 2..=4 } else { 2..=16 }
    }

    /// Returns the forms of vectors, smaller ones first.
    pub fn vectors(&self) -> BTreeSet<WideShape> {
        gather(self.shapes.values().copied().filter(|&shape| shape != WideShape::Scalar))
    }

    /// Returns the form of values of a type, if it is lowered.
    pub fn shape(&self, type_id: u32) -> Option<WideShape> {
        self.shapes.get(&type_id).copied()
    }

    /// Returns true if values of a form are arrays.
    pub fn is_array(&self, shape: WideShape) -> bool {
        self.form == NumberForm::Words && matches!(shape, WideShape::Vector(_))
    }

    /// Returns the form of the vectors that are parts of a type.
    pub fn layout_of_parts(&self, type_id: u32) -> VectorLayout {
        match type_id {
            _ if self.of_blocks.contains(&type_id) => VectorLayout::Halves,
            _ if self.explicit.contains(&type_id) => VectorLayout::Explicit,
            _ => VectorLayout::Free,
        }
    }

    /// Returns true if any type has vectors that are halves.
    pub fn has_any_halves(&self) -> bool {
        !self.of_blocks.is_empty()
    }

    /// Returns the structures and the numbers of members that are first halves, in order.
    pub fn first_halves(&self) -> BTreeSet<(u32, u32)> {
        let mut all = BTreeSet::new();
        all.extend(self.second_halves.keys());
        all
    }

    /// Returns the number of the member that is the second half of a vector.
    pub fn second_half(&self, structure: u32, member: u32) -> Option<u32> {
        self.second_halves.get(&(structure, member)).copied()
    }

    /// Returns the form of vectors in a storage class.
    pub fn layout_of_class(&self, class: u32) -> VectorLayout {
        let is_explicit = WITH_LAYOUT.iter().any(|&explicit| explicit as u32 == class)
            || self.has_explicit_workgroup && class == StorageClass::Workgroup as u32;
        if is_explicit { VectorLayout::Explicit } else { VectorLayout::Free }
    }

    fn is_wide(&self, type_id: u32) -> bool {
        self.shapes.contains_key(&type_id)
    }

    /// Returns true if a type is lowered, or contains one that is.
    pub fn has_wide(&self, type_id: u32) -> bool {
        self.is_wide(type_id) || self.containing.contains(&type_id)
    }

    /// Returns the form of a value, if its type is lowered.
    pub fn shape_of(&self, module: &Module, value: u32) -> Option<WideShape> {
        self.shape(module.type_of(value)?)
    }
}

/// Returns the types of elements or members.
fn parts(module: &Module, type_id: u32) -> Vec<u32> {
    let Some(type_) = module.definition(type_id) else { return Vec::new() };
    match views::AnyArray::new(type_) {
        Some(array) => vec![array.element_type()],
        None => module.members(&type_).collect(),
    }
}
