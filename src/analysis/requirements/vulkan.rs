//! Operations that require a Vulkan feature, but no SPIR-V capability alone: the uses of `spec-extensions/vulkan-uses.csv`.

mod floats;
mod modes;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use rspirv::grammar::OperandKind;
use spirv::{
    Capability, Decoration, Dim, ExecutionModel, GlslStd450Op, ImageOperands, Op, Scope, StorageClass,
};

use super::RequirementSet;
use super::instructions::InstructionRequirements;
use super::types::Contents;
use crate::analysis::Vector;
use crate::analysis::constants::folding::Scalar;
use crate::loader::opcodes::is_atomic;
use crate::loader::{Instruction, Module, Visitor, views};
pub(super) use floats::FloatModes;

/// The version from which on a sub-group broadcast may have an index that is not constant.
const DYNAMIC_BROADCAST: u32 = 0x0001_0500;

/// Returns the ids and members that are decorated in a way that decides features.
pub(super) fn decorations(module: &Module) -> HashSet<(u32, Option<u32>, Decoration)> {
    let decisive = |decoration: &Decoration| {
        matches!(decoration, Decoration::NonWritable | Decoration::InputAttachmentIndex)
    };
    let decorations = module.decorations().filter_map(|decorated| {
        let decoration = Decoration::from_u32(decorated.decoration()).filter(decisive)?;
        Some((decorated.target(), decorated.member(), decoration))
    });
    decorations.collect()
}

/// Returns true if instructions with an opcode may use such a feature.
#[cfg(any(test, feature = "generate"))]
pub(super) fn may_use_feature(op: Op) -> bool {
    use Op::*;
    is_atomic(op)
        || is_group(op)
        || super::pointers::accesses_memory(op)
        || is_image_processing(op)
        || takes_fixed_offset(op)
        || matches!(
            op,
            EntryPoint
                | ConditionalEntryPointINTEL
                | ExecutionMode
                | ExecutionModeId
                | Decorate
                | TypePointer
                | TypeCooperativeMatrixKHR
                | TypeVectorIdEXT
                | TypeTensorARM
                | Variable
                | UntypedVariableKHR
                | ReadClockKHR
                | FmaKHR
                | ExtInst
                | ExtInstWithForwardRefsKHR
                | CooperativeVectorOuterProductAccumulateNV
                | CooperativeVectorReduceSumAccumulateNV
                | ImageTexelPointer
                | UntypedImageTexelPointerEXT
                | BitFieldInsert
                | BitFieldSExtract
                | BitFieldUExtract
                | BitReverse
                | BitCount
        )
}

impl InstructionRequirements<'_> {
    /// Adds the uses of Vulkan features by an instruction.
    pub(super) fn vulkan_use(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        use Op::*;
        match op {
            EntryPoint | ConditionalEntryPointINTEL => self.execution_model(views::EntryPoint(*inst), set),
            ExecutionMode | ExecutionModeId => self.execution_mode(inst, set),
            Decorate => self.fast_math_mode(views::Decoration(*inst), set),
            Variable => {
                let variable = views::Variable(*inst);
                if let Some(pointee) = self.module.pointee(variable.type_id()) {
                    let class = StorageClass::from_u32(variable.storage_class());
                    if class == Some(StorageClass::Workgroup) && variable.initializer().is_some() {
                        self.require_feature("an initializer of a Workgroup variable", set);
                    }
                    self.storage(class, pointee, self.types.contents(pointee).direct(), set);
                    self.resource(variable.id(), class, pointee, set);
                }
            }
            // Accesses decide what untyped variables contain.
            UntypedVariableKHR => {
                let variable = views::UntypedVariableKHR(*inst);
                let class = StorageClass::from_u32(variable.storage_class());
                self.resource(variable.id(), class, variable.data_type(), set);
            }
            TypePointer => {
                let pointer = views::TypePointer(*inst);
                if pointer.storage_class() == StorageClass::PhysicalStorageBuffer as u32 {
                    let contents = self.types.contents(pointer.pointee()).direct();
                    self.storage(Some(StorageClass::PhysicalStorageBuffer), pointer.pointee(), contents, set);
                }
            }
            TypeCooperativeMatrixKHR => {
                self.require_feature("cooperative matrices", set);
                let scope = self.module.constant(views::TypeCooperativeMatrixKHR(*inst).scope());
                if scope.is_some_and(|scope| scope.low_word() == Scope::Workgroup as u32) {
                    self.require_feature("OpTypeCooperativeMatrixKHR with scope Workgroup", set);
                }
            }
            // Without the capability, it is a long vector, which all stages may have.
            TypeVectorIdEXT if self.declares(spirv::Capability::CooperativeVectorNV) => {
                self.require_feature("cooperative vectors", set);
            }
            CooperativeVectorOuterProductAccumulateNV | CooperativeVectorReduceSumAccumulateNV => {
                if let Some(width) = self.accumulated_width(op, inst) {
                    let use_ = format!("accumulation of {width}-bit floats from cooperative vectors");
                    self.require_feature(&use_, set);
                }
            }
            TypeTensorARM => self.require_feature("tensors", set),
            ReadClockKHR => match self.module.constant(views::ReadClockKHR(*inst).scope()) {
                Some(scope) if scope.low_word() == Scope::Device as u32 => {
                    self.require_feature("OpReadClockKHR with scope Device", set);
                }
                _ => self.require_feature("OpReadClockKHR with scope Subgroup", set),
            },
            FmaKHR => {
                if let Some(Scalar::Float(width)) = self.element(views::Value(*inst).type_id()) {
                    self.require_feature(&format!("OpFmaKHR on {width}-bit floats"), set);
                }
            }
            ExtInst => {
                let extended = views::ExtInst(*inst);
                let number = GlslStd450Op::from_u32(extended.instruction());
                if let Some(
                    GlslStd450Op::InterpolateAtCentroid
                    | GlslStd450Op::InterpolateAtSample
                    | GlslStd450Op::InterpolateAtOffset,
                ) = number
                    && self.is_imported(extended.set(), "GLSL.std.450")
                {
                    self.require_feature("interpolation functions", set);
                }
            }
            ExtInstWithForwardRefsKHR => self.require_feature("OpExtInstWithForwardRefsKHR", set),
            ImageTexelPointer | UntypedImageTexelPointerEXT => {
                if self.is_tile_attachment(texel_image(op, inst)) {
                    self.require_feature("a texel pointer to a tile attachment", set);
                }
            }
            _ if is_image_processing(op) => {
                let operands = views::Value(*inst).operands();
                if operands.iter().any(|&image| self.is_read_from_tile(image)) {
                    self.require_feature("image processing of a tile attachment", set);
                }
            }
            _ if takes_fixed_offset(op) => {
                let mut offset = OffsetFinder(false);
                self.module.walk(inst, &mut offset);
                if offset.0 {
                    self.require_feature("image operand Offset outside of gathers", set);
                }
            }
            BitFieldInsert | BitFieldSExtract | BitFieldUExtract | BitReverse | BitCount => {
                let base = self.module.type_of(views::Value(*inst).operand(0));
                let base = base.and_then(|type_| self.element(type_));
                if !matches!(base, Some(Scalar::Int { width: 32, .. }) | None) {
                    self.require_feature(
                        "bit field and bit count instructions on other than 32-bit integers",
                        set,
                    );
                }
            }
            _ if is_group(op) => self.group(op, inst, set),
            _ => {
                if is_atomic(op) {
                    self.atomic_use(op, inst, set);
                }
                for (class, contents) in self.untyped_accesses(op, inst) {
                    self.storage(class, 0, contents, set);
                }
            }
        }
    }

    fn execution_model(&self, entry_point: views::EntryPoint, set: &mut RequirementSet) {
        if let Some(ExecutionModel::MeshEXT | ExecutionModel::TaskEXT) =
            ExecutionModel::from_u32(entry_point.execution_model())
        {
            self.require_feature("the execution model", set);
        }
        if self.declares(Capability::TileShadingQCOM) {
            self.require_feature("capability TileShadingQCOM", set);
        }
    }

    /// Adds the uses of memory of a storage class that contains small types.
    fn storage(
        &self,
        class: Option<StorageClass>,
        pointee: u32,
        contents: Contents,
        set: &mut RequirementSet,
    ) {
        use StorageClass::*;
        let is = |decoration| self.is_decorated(self.module.without_arrays(pointee), decoration);
        let bytes = contents.contains(Contents::INT8);
        let halves = contents.intersects(Contents::INT16 | Contents::FLOAT16 | Contents::BFLOAT16);
        let (of_bytes, of_halves) = match class {
            Some(StorageBuffer | ShaderRecordBufferKHR | PhysicalStorageBuffer) => {
                ("8-bit integers in a storage buffer", "16-bit types in a storage buffer")
            }
            Some(Uniform) if is(Decoration::BufferBlock) => {
                ("8-bit integers in a storage buffer", "16-bit types in a storage buffer")
            }
            Some(Uniform) => ("8-bit integers in a uniform block", "16-bit types in a uniform block"),
            Some(PushConstant) => ("8-bit integers in a push constant", "16-bit types in a push constant"),
            Some(Workgroup) if pointee == 0 || is(Decoration::Block) => {
                ("8-bit integers in a workgroup block", "16-bit types in a workgroup block")
            }
            // 8-bit types are always invalid there.
            Some(Input | Output) => ("", "16-bit inputs or outputs"),
            _ => return,
        };
        if bytes && !of_bytes.is_empty() {
            self.require_feature(of_bytes, set);
        }
        if halves {
            self.require_feature(of_halves, set);
        }
    }

    /// Adds the uses of a variable as a resource.
    fn resource(&self, id: u32, class: Option<StorageClass>, pointee: u32, set: &mut RequirementSet) {
        let type_ = self.module.without_arrays(pointee);
        let definition = self.module.definition(type_);
        let is_writable = match class {
            Some(StorageClass::StorageBuffer) => true,
            Some(StorageClass::Uniform) => {
                let block = definition.and_then(views::TypeStruct::new);
                let last = block.and_then(|block| block.members().last().copied());
                let is_buffer = self.is_decorated(type_, Decoration::BufferBlock);
                if !is_buffer
                    && last
                        .is_some_and(|last| self.module.definition_as(last, Op::TypeRuntimeArray).is_some())
                {
                    self.require_feature("a runtime array at the end of a uniform buffer", set);
                }
                is_buffer
            }
            Some(StorageClass::UniformConstant) => {
                let image = definition.and_then(views::TypeImage::new);
                if image.is_some_and(|image| image.dim() == Dim::DimSubpassData as u32) {
                    if !self.has(id, None, Decoration::InputAttachmentIndex) {
                        self.require_feature("an input attachment without InputAttachmentIndex", set);
                    }
                    return;
                }
                image.is_some_and(|image| image.sampled() == 2)
                    || definition.is_some_and(|type_| type_.is(Op::TypeTensorARM))
            }
            _ => false,
        };
        if is_writable && !self.has(id, None, Decoration::NonWritable) && !self.members_are_read_only(type_) {
            self.require_feature("storage that is not NonWritable", set);
        }
    }

    fn members_are_read_only(&self, block: u32) -> bool {
        let block = self.module.definition(block).and_then(views::TypeStruct::new);
        block.is_some_and(|block| {
            let mut members = 0..block.members().len() as u32;
            members.all(|member| self.has(block.id(), Some(member), Decoration::NonWritable))
        })
    }

    fn has(&self, id: u32, member: Option<u32>, decoration: Decoration) -> bool {
        self.vulkan_decorations.contains(&(id, member, decoration))
    }

    fn group(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        use Op::*;
        self.require_feature("sub-group operations", set);
        let operation = views::Value(*inst);
        match op {
            GroupNonUniformQuadSwap | GroupNonUniformQuadAllKHR | GroupNonUniformQuadAnyKHR => {
                self.require_feature("quad operations", set);
            }
            GroupNonUniformRotateKHR if operation.operands().len() > 3 => {
                self.require_feature("a rotation with a cluster size", set);
            }
            GroupNonUniformBroadcast | GroupNonUniformQuadBroadcast => {
                if op == GroupNonUniformQuadBroadcast {
                    self.require_feature("quad operations", set);
                }
                let index = operation.operands().get(2);
                if self.facts.version >= DYNAMIC_BROADCAST
                    && index.is_some_and(|&index| !self.module.is_global(index))
                {
                    self.require_feature("a sub-group broadcast whose index is not constant", set);
                }
            }
            _ => {}
        }
        let extended = |scalar: Scalar| match scalar {
            Scalar::Int { width, .. } => width != 32,
            Scalar::Float(width) => width == 16,
            Scalar::Bool | Scalar::OtherFloat { .. } => false,
        };
        let operands = operation.operands().iter().filter_map(|&id| self.module.type_of(id));
        let mut types = inst.result_type().into_iter().chain(operands);
        if types.any(|type_| self.element(type_).is_some_and(extended)) {
            self.require_feature(
                "group operations on 8-bit or 16-bit or 64-bit integers or 16-bit floats",
                set,
            );
        }
    }

    fn atomic_use(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        let (pointer, value) = match inst.result_type() {
            Some(type_) => (views::Value(*inst).operand(0), Some(type_)),
            None => {
                let store = views::AtomicStore(*inst);
                (store.pointer(), self.module.type_of(store.value()))
            }
        };
        let type_ = self.module.type_of(pointer).and_then(|type_| self.module.definition(type_));
        let class = type_.and_then(views::AnyPointer::new).map(|pointer| pointer.storage_class());
        let (place, of_integers) = match class.and_then(StorageClass::from_u32) {
            Some(
                StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::PhysicalStorageBuffer,
            ) => ("StorageBuffer", "atomics on 64-bit integers in StorageBuffer or Uniform"),
            Some(StorageClass::Workgroup) => ("Workgroup", "atomics on 64-bit integers in Workgroup"),
            Some(StorageClass::Image) => ("Image", "atomics on 64-bit integers in Image"),
            _ => return,
        };
        let kind = match op {
            Op::AtomicFAddEXT => "atomic additions",
            Op::AtomicFMinEXT | Op::AtomicFMaxEXT => "atomic minimum and maximum",
            _ => "atomic loads and stores and exchanges",
        };
        // The images that atomics take have texels of 32 or 64 bits.
        match value.and_then(|type_| Scalar::from_type(self.module, type_)) {
            Some(Scalar::Int { width: 64, .. }) => self.require_feature(of_integers, set),
            Some(Scalar::Float(width)) if place != "Image" || width == 32 => {
                self.require_feature(&format!("{kind} of {width}-bit floats in {place}"), set);
            }
            _ => {}
        }
    }

    /// Returns the width of the floats that an instruction of cooperative vectors accumulates.
    fn accumulated_width(&self, op: Op, inst: &Instruction) -> Option<u32> {
        if op == Op::CooperativeVectorReduceSumAccumulateNV {
            let vector = self.module.definition(self.module.type_of(inst.word(3))?)?;
            return match Scalar::from_type(self.module, vector.word(2))? {
                Scalar::Float(width @ (16 | 32)) => Some(width),
                _ => None,
            };
        }
        // The interpretation of the matrix: VK_COMPONENT_TYPE_FLOAT16_KHR, or VK_COMPONENT_TYPE_FLOAT32_KHR.
        match self.module.constant(inst.word(6))?.low_word() {
            0 => Some(16),
            1 => Some(32),
            _ => None,
        }
    }

    /// Returns true if a pointer, or an image, is one of a tile attachment.
    fn is_tile_attachment(&self, pointer: u32) -> bool {
        let type_ = self.module.type_of(pointer).and_then(|type_| self.module.definition(type_));
        let class = type_.and_then(views::AnyPointer::new).map(|pointer| pointer.storage_class());
        class == Some(StorageClass::TileAttachmentQCOM as u32)
    }

    /// Returns true if an image, or the image of a sampled image, is loaded from a tile attachment.
    fn is_read_from_tile(&self, image: u32) -> bool {
        let Some(mut inst) = self.module.definition(image) else { return false };
        if inst.is(Op::SampledImage)
            && let Some(image) = self.module.definition(views::Value(inst).operand(0))
        {
            inst = image;
        }
        inst.is(Op::Load) && self.is_tile_attachment(views::Value(inst).operand(0))
    }

    /// Returns true if an id is that of an imported set of extended instructions.
    fn is_imported(&self, set: u32, name: &str) -> bool {
        let import = self.module.definition(set).and_then(views::ExtInstImport::new);
        import.is_some_and(|import| import.name() == name)
    }

    /// Returns true if the module declares a capability, or one that implies it.
    fn declares(&self, capability: Capability) -> bool {
        self.capabilities.contains(&(capability as u32))
    }

    /// Returns the scalar type that a type is, or is a vector of.
    fn element(&self, type_: u32) -> Option<Scalar> {
        let vector = Vector::from_type(self.module, type_);
        Scalar::from_type(self.module, vector.map_or(type_, |vector| vector.component))
    }
}

/// Returns true if an opcode is a group operation on the invocations that are active.
fn is_group(op: Op) -> bool {
    use Op::*;
    (GroupNonUniformElect as u32..=GroupNonUniformQuadSwap as u32).contains(&(op as u32))
        || matches!(
            op,
            GroupNonUniformRotateKHR
                | GroupNonUniformPartitionEXT
                | GroupNonUniformQuadAllKHR
                | GroupNonUniformQuadAnyKHR
        )
}

/// Returns the id of the image to whose texel an instruction makes a pointer.
fn texel_image(op: Op, inst: &Instruction) -> u32 {
    // The untyped one names the type of the image before it.
    let at = usize::from(op == Op::UntypedImageTexelPointerEXT);
    views::Value(*inst).operand(at)
}

/// Returns true if an opcode is an operation of SPV_QCOM_image_processing or SPV_QCOM_image_processing2.
fn is_image_processing(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        ImageSampleWeightedQCOM
            | ImageBoxFilterQCOM
            | ImageBlockMatchSSDQCOM
            | ImageBlockMatchSADQCOM
            | ImageBlockMatchWindowSSDQCOM
            | ImageBlockMatchWindowSADQCOM
            | ImageBlockMatchGatherSSDQCOM
            | ImageBlockMatchGatherSADQCOM
    )
}

/// Returns true if an opcode reads an image with operands of which the offset must be constant on some devices.
fn takes_fixed_offset(op: Op) -> bool {
    use Op::*;
    let is_within = |first: Op, last: Op| (first as u32..=last as u32).contains(&(op as u32));
    is_within(ImageSampleImplicitLod, ImageFetch) || is_within(ImageSparseSampleImplicitLod, ImageSparseFetch)
}

/// Finds the image operand Offset.
struct OffsetFinder(bool);

impl Visitor for OffsetFinder {
    fn wants_enumerants(&self) -> bool {
        true
    }

    fn id(&mut self, _at: usize, _id: u32) {}
    fn enumerant(&mut self, _at: usize, kind: OperandKind, value: u32) {
        self.0 |= kind == OperandKind::ImageOperands && value == ImageOperands::OFFSET.bits();
    }
}
