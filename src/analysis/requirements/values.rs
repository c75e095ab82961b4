//! The requirements of computations with values.

use spirv::{Op, Scope};

use super::RequirementSet;
use super::instructions::InstructionRequirements;
use super::look::{InWords, WordSet};
use super::types::Contents;
use super::uses::Use;
use crate::analysis::Vector;
use crate::analysis::debug::described_global;
use crate::loader::opcodes::{is_access_chain, is_atomic};
use crate::loader::{Instruction, views};

/// Flags of a ray that leave out triangles or boxes (SPV_KHR_ray_query: SkipTriangles, SkipAABBs).
const RAY_CULLING: u32 = 0x300;

/// The version from which on shaders may convert widths in specialization constants.
const UCONVERT_FOR_ALL: u32 = 0x0001_0400;

/// The version that Vulkan 1.1 introduces, with subgroups for all.
pub(super) const GROUPS_FOR_ALL: u32 = 0x0001_0300;

/// The alternative uses of a copy whose size is not a multiple of four bytes (specification, 2.16.1).
const BYTE_COPY: [Use; 11] = [
    Use::Int8Value,
    Use::Int16Value,
    Use::StorageBuffer8Bit,
    Use::Uniform8Bit,
    Use::PushConstant8Bit,
    Use::Workgroup8Bit,
    Use::StorageBuffer16Bit,
    Use::Uniform16Bit,
    Use::PushConstant16Bit,
    Use::InputOutput16Bit,
    Use::Workgroup16Bit,
];

impl InstructionRequirements<'_> {
    pub(super) fn value(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        use Op::*;
        match op {
            SDot | UDot | SUDot | SDotAccSat | UDotAccSat | SUDotAccSat => self.dot_product(inst, set),
            Dot => {
                let vector = Vector::from_value(self.module, views::Value(*inst).operand(0));
                if vector.is_some_and(|vector| self.encoding(vector.component).is_some()) {
                    self.require_use(Use::BFloat16DotProduct, set);
                }
            }
            ImageRead | ImageSparseRead if self.is_without_format(views::ImageRead(*inst).image()) => {
                self.require_use(Use::ReadWithoutFormat, set);
            }
            ImageWrite if self.is_without_format(views::ImageWrite(*inst).image()) => {
                self.require_use(Use::WriteWithoutFormat, set)
            }
            ImageTexelPointer => {
                let texel = self.module.pointee(views::ImageTexelPointer(*inst).type_id());
                if texel.is_some_and(|texel| Vector::from_type(self.module, texel).is_some()) {
                    self.require_use(Use::Float16VectorAtomic, set);
                }
            }
            Bitcast => {
                let cast = views::Value(*inst);
                let types = [cast.type_id(), self.module.type_of(cast.operand(0)).unwrap_or(0)];
                let types = types.map(|type_| self.module.definition(type_));
                let is = |op: Op| types.iter().flatten().any(|type_| type_.is(op));
                if is(TypePointer) && (is(TypeVector) || is(TypeVectorIdEXT)) {
                    self.require_use(Use::PointerBitcast, set);
                }
            }
            CopyMemory => {
                let pointer = self.module.type_of(views::CopyMemory(*inst).target());
                let pointee = pointer.and_then(|pointer| self.module.pointee(pointer));
                let contents = pointee.map_or(Contents::empty(), |pointee| self.types.contents(pointee));
                self.small(contents.small(), set);
            }
            CopyMemorySized if self.facts.shader => {
                let size = self.module.constant(views::CopyMemorySized(*inst).size());
                if size.is_none_or(|size| !size.low_word().is_multiple_of(4)) {
                    BYTE_COPY.iter().for_each(|&use_| self.require_use(use_, set));
                }
            }
            _ if is_atomic(op) => self.atomic(op, inst, set),
            _ if is_matrix_conversion(op) => self.matrix_conversion(inst, set),
            _ => ray_flags(*inst).into_iter().for_each(|flags| self.ray_flags(flags, set)),
        }
    }

    /// Adds the requirement of the conversion of a cooperative matrix to one of another use.
    fn matrix_conversion(&self, inst: &Instruction, set: &mut RequirementSet) {
        let use_ = |type_: u32| {
            let matrix = self.module.definition(type_).and_then(views::TypeCooperativeMatrixKHR::new)?;
            Some(matrix.matrix_use())
        };
        let conversion = views::Value(*inst);
        if use_(conversion.type_id()) != self.module.type_of(conversion.operand(0)).and_then(use_) {
            self.require_use(Use::MatrixUseConversion, set);
        }
    }

    /// Adds the requirement of an opcode that OpSpecConstantOp computes (specification, 3.52.7 "Constant-Creation
    /// Instructions").
    pub(super) fn specialized(&self, op: Op, set: &mut RequirementSet) {
        use Op::*;
        let kernel = match op {
            UConvert => self.facts.version < UCONVERT_FOR_ALL,
            ConvertFToS | ConvertSToF | ConvertFToU | ConvertUToF | ConvertPtrToU | ConvertUToPtr => true,
            GenericCastToPtr | PtrCastToGeneric | Bitcast => true,
            FNegate | FAdd | FSub | FMul | FDiv | FRem | FMod => true,
            _ => is_access_chain(op),
        };
        if kernel {
            self.require_use(Use::KernelSpecialization, set);
        }
    }

    /// Returns true if an image that is read or written has no format but requires one. Images of kernels have an access qualifier
    /// instead.
    fn is_without_format(&self, image: u32) -> bool {
        let type_ = self.module.type_of(image).and_then(|type_| self.module.definition(type_));
        type_.and_then(views::TypeImage::new).is_some_and(|type_| {
            type_.image_format() == spirv::ImageFormat::Unknown as u32
                && type_.dim() != spirv::Dim::DimSubpassData as u32
                && type_.access_qualifier().is_none()
        })
    }

    fn ray_flags(&self, flags: u32, set: &mut RequirementSet) {
        let flags = self.module.constant(flags);
        if flags.is_none_or(|flags| flags.low_word() & RAY_CULLING != 0) {
            self.require_use(Use::RayCulling, set);
        }
    }

    fn dot_product(&self, inst: &Instruction, set: &mut RequirementSet) {
        let vector = Vector::from_value(self.module, views::Value(*inst).operand(0));
        let Some(vector) = vector else { return self.require_use(Use::PackedDotProduct, set) };
        let bytes = self.types.contents(vector.component).contains(Contents::INT8);
        let use_ =
            if bytes && vector.count == Some(4) { Use::DotProduct4x8Bit } else { Use::OtherDotProduct };
        self.require_use(use_, set);
    }

    /// Adds the requirements of an atomic instruction, whose operand has the type of its result, or of the value that it
    /// stores.
    fn atomic(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        let type_ = inst.result_type().or_else(|| self.module.type_of(views::AtomicStore(*inst).value()));
        let Some(type_) = type_.and_then(|type_| self.module.definition(type_)) else { return };
        let add = op == Op::AtomicFAddEXT;
        let min_max = matches!(op, Op::AtomicFMinEXT | Op::AtomicFMaxEXT);
        let use_ = match (type_.op(), views::TypeNumber(type_).width()) {
            (Some(Op::TypeInt), 64) => Use::Int64Atomic,
            (Some(Op::TypeVector | Op::TypeVectorIdEXT), _) => Use::Float16VectorAtomic,
            (Some(Op::TypeFloat), 16) if add => Use::Float16AtomicAdd,
            (Some(Op::TypeFloat), 32) if add => Use::Float32AtomicAdd,
            (Some(Op::TypeFloat), 64) if add => Use::Float64AtomicAdd,
            (Some(Op::TypeFloat), 16) if min_max => Use::Float16AtomicMinMax,
            (Some(Op::TypeFloat), 32) if min_max => Use::Float32AtomicMinMax,
            (Some(Op::TypeFloat), 64) if min_max => Use::Float64AtomicMinMax,
            _ => return,
        };
        self.require_use(use_, set);
    }

    /// Adds the requirements of scopes. A scope that can be specialized may be any.
    pub(super) fn scopes(&self, inst: &Instruction, words: WordSet, set: &mut RequirementSet) {
        let is = |scope: Scope| self.any_constant(inst, words, |value| value == scope as u32);
        if self.facts.vulkan_memory_model && is(Scope::Device) {
            self.require_use(Use::DeviceScope, set);
        }
        if self.facts.version < GROUPS_FOR_ALL && is(Scope::Subgroup) {
            self.require_use(Use::SubgroupScope, set);
        }
    }

    /// Adds the requirements of memory semantics. Semantics that can be specialized may be any.
    pub(super) fn semantics(&self, inst: &Instruction, words: WordSet, set: &mut RequirementSet) {
        let uniform = spirv::MemorySemantics::UNIFORM_MEMORY.bits();
        if self.any_constant(inst, words, |value| value & uniform != 0) {
            self.require_use(Use::UniformSemantics, set);
        }
    }

    /// Returns true if one of these words is a constant of 32 bits that `wanted` accepts, or one that can be specialized.
    fn any_constant(&self, inst: &Instruction, words: WordSet, wanted: impl Fn(u32) -> bool) -> bool {
        let mut has_constant = false;
        let show = |id: u32| {
            let Some(definition) = self.module.definition(id) else { return };
            has_constant |= match definition.op() {
                Some(Op::Constant) => {
                    matches!(views::Constant(definition).value(), [value] if wanted(*value))
                }
                Some(Op::SpecConstant | Op::SpecConstantOp) => true,
                _ => false,
            };
        };
        self.module.walk(inst, &mut InWords::new(words, show));
        has_constant
    }

    /// Adds the requirements of values of small types. If only their storage is declared, shaders may load, store, copy and convert them to
    /// another width, as scalars, vectors and matrices. Kernels may not even load half floats.
    #[inline]
    pub(super) fn small_value(&self, inst: &Instruction, values: ComputedOperands, set: &mut RequirementSet) {
        let mut contents = Contents::empty();
        match values {
            ComputedOperands::None => return,
            // A constant already has the requirements of its type.
            ComputedOperands::Extended if described_global(self.module, inst).is_some() => return,
            ComputedOperands::Moved if self.facts.shader => {
                // The result, or the object that is stored: both are the second word.
                let value = self.types.value_contents(views::Value(*inst).id());
                if value.contains(Contents::COMPOSITE) {
                    contents = value.small();
                }
            }
            // The result is among them.
            _ => self.module.walk(inst, &mut |_, id: u32| contents |= self.types.value_contents(id)),
        }
        if !contents.small().is_empty() {
            self.small(contents, set);
        }
    }

    fn small(&self, contents: Contents, set: &mut RequirementSet) {
        if contents.contains(Contents::INT8) {
            self.require_use(Use::Int8Value, set);
        }
        if contents.contains(Contents::INT16) {
            self.require_use(Use::Int16Value, set);
        }
        if contents.contains(Contents::FLOAT16) {
            self.require_use(Use::Float16Value, set);
        }
    }
}

/// The operands by which an opcode may compute with values of small types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ComputedOperands {
    /// None: it does not compute, or the rules on declarations apply to it.
    None,
    /// The instruction moves its second operand unchanged, or converts it to another width.
    Moved,
    /// The extended instruction computes with all its operands, unless it describes a constant.
    Extended,
    /// The instruction computes with all its operands.
    Any,
}

/// Returns true if an opcode converts the components of cooperative matrices.
pub(super) fn is_matrix_conversion(op: Op) -> bool {
    use Op::*;
    matches!(op, ConvertFToU | ConvertFToS | ConvertSToF | ConvertUToF | UConvert | SConvert | FConvert)
}

/// Returns the flags of the ray that an instruction traces, if it does.
fn ray_flags(inst: Instruction) -> Option<u32> {
    let into = views::TraceRayInto::new(inst).map(|trace| trace.ray_flags());
    into.or_else(|| views::TraceRay::new(inst).map(|trace| trace.ray_flags()))
}
