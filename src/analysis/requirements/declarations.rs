//! The requirements of types, variables and decorations.

use spirv::{AccessQualifier, BuiltIn, Capability, Decoration, Dim, FPEncoding, Op, StorageClass};

use super::RequirementSet;
use super::instructions::InstructionRequirements;
use super::types::Contents;
use super::uses::Use;
use crate::loader::{Instruction, views};

/// The uses of a variable for each small type that it holds, where its storage class has no use of its own.
const VARIABLE: [(Contents, Use); 3] = [
    (Contents::INT8, Use::Int8Variable),
    (Contents::INT16, Use::Int16Variable),
    (Contents::FLOAT16, Use::Float16Variable),
];

/// The uses of a push constant for small types behind pointers.
const PUSH_CONSTANT_POINTERS: [(Contents, Use); 3] = [
    (Contents::INT8, Use::PushConstantPointers8Bit),
    (Contents::INT16, Use::PushConstantPointersInt16),
    (Contents::FLOAT16, Use::PushConstantPointersFloat16),
];

/// Uses of a place in memory for 8- and for 16-bit types.
type SizedUses = (Use, Use);

const STORAGE_BUFFER: SizedUses = (Use::StorageBuffer8Bit, Use::StorageBuffer16Bit);
const UNIFORM: SizedUses = (Use::Uniform8Bit, Use::Uniform16Bit);
const PUSH_CONSTANT: SizedUses = (Use::PushConstant8Bit, Use::PushConstant16Bit);
const INPUT_OUTPUT: SizedUses = (Use::Int8Variable, Use::InputOutput16Bit);
const WORKGROUP_BLOCK: SizedUses = (Use::Workgroup8Bit, Use::Workgroup16Bit);

impl InstructionRequirements<'_> {
    pub(super) fn declaration(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        match op {
            Op::TypeInt | Op::TypeFloat => self.scalar(op, inst, set),
            // SPV_INTEL_vector_compute allows any number.
            Op::TypeVector if self.capabilities.contains(&(Capability::VectorAnyINTEL as u32)) => {}
            Op::TypeVector => match views::TypeVector(*inst).component_count() {
                2..=4 => {}
                8 | 16 => self.require_use(Use::LongVectorType, set),
                _ => self.require_use(Use::OtherVectorType, set),
            },
            Op::TypePointer => {
                let pointer = views::TypePointer(*inst);
                if self.module.definition_as(pointer.pointee(), Op::TypeFunction).is_some() {
                    self.require_use(Use::FunctionPointerType, set);
                }
                if pointer.storage_class() == StorageClass::PhysicalStorageBuffer as u32 {
                    self.storage_buffer(self.types.contents(pointer.pointee()).direct(), set);
                }
            }
            Op::TypeUntypedPointerKHR
                if views::TypeUntypedPointerKHR(*inst).storage_class() == StorageClass::Workgroup as u32 =>
            {
                self.require_use(Use::WorkgroupBlock, set);
            }
            Op::TypeSampler => self.require_use(Use::KernelImage, set),
            Op::TypeImage => self.image(views::TypeImage(*inst), set),
            Op::TypeCooperativeMatrixKHR => {
                match self.encoding(views::TypeCooperativeMatrixKHR(*inst).component_type()) {
                    Some(FPEncoding::BFloat16KHR) => self.require_use(Use::BFloat16Matrix, set),
                    Some(_) => self.require_use(Use::Float8Matrix, set),
                    None => {}
                }
            }
            Op::Variable => {
                let variable = views::Variable(*inst);
                if let Some(pointee) = self.module.pointee(variable.type_id()) {
                    self.variable(variable.storage_class(), pointee, set);
                }
            }
            Op::UntypedVariableKHR => {
                let variable = views::UntypedVariableKHR(*inst);
                if variable.storage_class() == StorageClass::Workgroup as u32 {
                    self.require_use(Use::WorkgroupBlock, set);
                }
                self.variable(variable.storage_class(), variable.data_type(), set);
            }
            _ => {}
        }
    }

    fn scalar(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        let use_ = match (op, views::TypeNumber(*inst).width()) {
            (Op::TypeInt, 8) => Use::Int8Type,
            (Op::TypeInt, 16) => Use::Int16Type,
            (Op::TypeInt, 64) => Use::Int64Type,
            (Op::TypeFloat, 16) if views::TypeFloat(*inst).encoding().is_none() => Use::Float16Type,
            (Op::TypeFloat, 64) => Use::Float64Type,
            _ => return,
        };
        self.require_use(use_, set);
    }

    /// Returns the encoding of a floating-point type that is not one of IEEE 754.
    pub(super) fn encoding(&self, type_: u32) -> Option<FPEncoding> {
        let float = self.module.definition(type_).and_then(views::TypeFloat::new)?;
        FPEncoding::from_u32(float.encoding()?)
    }

    fn image(&self, image: views::TypeImage, set: &mut RequirementSet) {
        self.require_use(Use::KernelImage, set);
        let arrayed = image.arrayed() == 1;
        let (of_sampled, of_storage) = match Dim::from_u32(image.dim()) {
            Some(Dim::Dim1D) => (None, Some(Use::Storage1D)),
            Some(Dim::DimRect) => (None, Some(Use::StorageRect)),
            Some(Dim::DimBuffer) => (None, Some(Use::StorageBuffer)),
            Some(Dim::DimCube) if arrayed => (Some(Use::SampledCubeArray), Some(Use::StorageCubeArray)),
            _ => (None, None),
        };
        let mut require = |use_: Option<Use>| use_.into_iter().for_each(|use_| self.require_use(use_, set));
        match image.sampled() {
            1 => require(of_sampled),
            2 => {
                require(of_storage);
                if image.multisampled() == 1 && image.dim() != Dim::DimSubpassData as u32 {
                    require(Some(Use::StorageMultisampled));
                    require(arrayed.then_some(Use::StorageMultisampledArray));
                }
            }
            _ => {}
        }
        let read_write = image.access_qualifier() == Some(AccessQualifier::ReadWrite as u32);
        require(read_write.then_some(Use::ReadWriteKernelImage));
        let texel = self.module.definition(image.sampled_type()).and_then(views::TypeInt::new);
        require(texel.is_some_and(|int| int.width() == 64).then_some(Use::Int64Image));
    }

    /// Adds the requirements of a variable for its contents (SPV_KHR_8bit_storage, SPV_KHR_16bit_storage).
    fn variable(&self, class: u32, pointee: u32, set: &mut RequirementSet) {
        let class = StorageClass::from_u32(class);
        let runtime = self.module.definition_as(pointee, Op::TypeRuntimeArray).is_some();
        if runtime && is_of_descriptors(class) {
            self.require_use(Use::RuntimeDescriptorArray, set);
        }
        let block = || self.is_decorated(self.module.without_arrays(pointee), Decoration::Block);
        if class == Some(StorageClass::Workgroup)
            && self.requirement_of_use(Use::WorkgroupBlock).is_some()
            && block()
        {
            self.require_use(Use::WorkgroupBlock, set);
        }
        // Of a pointer, its pointee counts.
        let (mut class, mut pointee) = (class, pointee);
        if let Some(pointer) = self.module.pointer_types(pointee).last() {
            class = StorageClass::from_u32(pointer.storage_class());
            pointee = pointer.pointee();
        }
        let contents = self.types.contents(pointee);
        let (direct, pointed) = (contents.direct(), contents.pointed() - contents.direct());
        if direct.is_empty() && pointed.is_empty() {
            return;
        }
        let is = |decoration| self.is_decorated(self.module.without_arrays(pointee), decoration);
        let sizes = match class {
            Some(StorageClass::Uniform) if is(Decoration::BufferBlock) => Some(STORAGE_BUFFER),
            Some(StorageClass::Workgroup) if !is(Decoration::Block) => None,
            _ => sized_uses(class),
        };
        match sizes {
            Some(sizes) => self.sized(direct, sizes, set),
            None => self.small_variable(direct, &VARIABLE, set),
        }
        // The rules of SPIR-V do not depend on the place of the values; APIs have features for each place.
        match (class, sizes) {
            (Some(StorageClass::PushConstant), Some(sizes)) => {
                self.small_variable(pointed, &PUSH_CONSTANT_POINTERS, set);
                self.encoded(pointed, sizes, set);
            }
            (_, Some((bytes, words))) => {
                for (small, use_) in VARIABLE {
                    let sized = if small == Contents::INT8 { bytes } else { words };
                    let use_ = if self.is_met(use_) || !self.is_met(sized) { use_ } else { sized };
                    self.small_variable(pointed, &[(small, use_)], set);
                }
                self.encoded(pointed, (bytes, words), set);
            }
            (_, None) => self.small_variable(pointed, &VARIABLE, set),
        }
    }

    fn small_variable(&self, contents: Contents, uses: &[(Contents, Use)], set: &mut RequirementSet) {
        for &(small, use_) in uses {
            if contents.contains(small) {
                self.require_use(use_, set);
            }
        }
    }

    pub(super) fn storage_buffer(&self, contents: Contents, set: &mut RequirementSet) {
        self.sized(contents, STORAGE_BUFFER, set);
    }

    /// Adds the requirements of memory behind an untyped pointer for its contents.
    pub(super) fn untyped_memory(
        &self,
        class: Option<StorageClass>,
        contents: Contents,
        set: &mut RequirementSet,
    ) {
        match sized_uses(class) {
            Some(sizes) => self.sized(contents, sizes, set),
            None => self.small_variable(contents, &VARIABLE, set),
        }
    }

    /// Adds the requirements of a storage class for its contents. If no capability of the class is declared, a capability for values is
    /// enough.
    fn sized(&self, contents: Contents, (bytes, words): SizedUses, set: &mut RequirementSet) {
        for (small, value) in VARIABLE {
            let sized = if small == Contents::INT8 { bytes } else { words };
            let use_ = if self.is_met(sized) || !self.is_met(value) { sized } else { value };
            self.small_variable(contents, &[(small, use_)], set);
        }
        self.encoded(contents, (bytes, words), set);
    }

    /// Adds the requirements of a storage class for floats of other encodings. SPV_KHR_bfloat16 and SPV_EXT_float8 permit their storage
    /// anywhere. The capability of the class, if it is declared, represents a feature of the device.
    fn encoded(&self, contents: Contents, (bytes, words): SizedUses, set: &mut RequirementSet) {
        for (small, sized) in [(Contents::FLOAT8, bytes), (Contents::BFLOAT16, words)] {
            if self.is_met(sized) {
                self.small_variable(contents, &[(small, sized)], set);
            }
        }
    }

    pub(super) fn is_decorated(&self, id: u32, decoration: Decoration) -> bool {
        self.blocks.binary_search(&(id, decoration as u32)).is_ok()
    }
}

/// Returns the uses of a storage class for small types; of workgroup memory, those of blocks. `None` for classes without capabilities of their
/// own.
fn sized_uses(class: Option<StorageClass>) -> Option<SizedUses> {
    use StorageClass::*;
    match class? {
        PhysicalStorageBuffer | StorageBuffer | ShaderRecordBufferKHR => Some(STORAGE_BUFFER),
        Uniform => Some(UNIFORM),
        PushConstant => Some(PUSH_CONSTANT),
        Input | Output => Some(INPUT_OUTPUT),
        Workgroup => Some(WORKGROUP_BLOCK),
        _ => None,
    }
}

/// Returns true if variables of a storage class represent descriptors.
pub(super) fn is_of_descriptors(class: Option<StorageClass>) -> bool {
    use StorageClass::*;
    matches!(class, Some(UniformConstant | Uniform | StorageBuffer))
}

impl InstructionRequirements<'_> {
    /// Adds the requirements of a decoration beyond those of the grammar: of built-ins, by the execution models of the entry
    /// points.
    pub(super) fn decoration(&self, decoration: views::Decoration, set: &mut RequirementSet) {
        match Decoration::from_u32(decoration.decoration()) {
            Some(Decoration::BuiltIn) => {}
            Some(Decoration::FPRoundingMode) => return self.require_use(Use::RoundingMode, set),
            _ => return,
        }
        match BuiltIn::from_u32(decoration.built_in()) {
            Some(BuiltIn::PointSize) if self.facts.tessellation => {
                self.require_use(Use::TessellationPointSize, set)
            }
            Some(BuiltIn::PointSize) if self.facts.geometry => self.require_use(Use::GeometryPointSize, set),
            Some(BuiltIn::Layer) if self.facts.before_geometry => self.require_use(Use::Layer, set),
            Some(BuiltIn::ViewportIndex) if self.facts.before_geometry => {
                self.require_use(Use::ViewportIndex, set)
            }
            _ => {}
        }
    }
}

/// Returns true for built-ins that compilers name in a block without using them: only an access has a requirement (specification, 3.2.21
/// "BuiltIn").
pub(super) fn is_mere_mention(built_in: u32) -> bool {
    [BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance]
        .map(|class| class as u32)
        .contains(&built_in)
}
