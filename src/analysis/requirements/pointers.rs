//! The requirements of pointers: of variable pointers in logical addressing, indices of descriptors, and accessed memory.

use spirv::{Decoration, Dim, Op, StorageClass};

use super::RequirementSet;
use super::declarations::is_of_descriptors;
use super::instructions::InstructionRequirements;
use super::types::Contents;
use super::uses::Use;
#[cfg(any(test, feature = "generate"))]
use crate::loader::opcodes::is_atomic;
use crate::loader::{Instruction, views};

impl InstructionRequirements<'_> {
    pub(super) fn pointer(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        use Op::*;
        match op {
            FunctionCall => {
                let call = views::FunctionCall(*inst);
                self.variable_pointer(call.type_id(), set);
                self.confined(call.id(), set);
                let callee = self.origins.as_ref().and_then(|_| self.module.function(call.callee()));
                let parameters = callee.into_iter().flat_map(|callee| self.module.parameters(callee));
                parameters
                    .filter_map(|inst| inst.result_id())
                    .for_each(|parameter| self.confined(parameter, set));
                for &argument in call.arguments() {
                    let type_ = self.module.type_of(argument);
                    let class = type_.and_then(|type_| self.pointer_class(type_));
                    if let Some(StorageClass::StorageBuffer | StorageClass::Workgroup) = class
                        && self.facts.logical
                    {
                        self.passed(argument, class, set);
                    }
                }
            }
            PtrEqual | PtrNotEqual | PtrDiff => self.pointer_value(views::Value(*inst).operand(0), set),
            ReturnValue => self.pointer_value(views::ReturnValue(*inst).value(), set),
            Variable => {
                let pointee = self.module.pointee(views::Variable(*inst).type_id());
                pointee.into_iter().for_each(|pointee| self.variable_pointer(pointee, set));
            }
            UntypedVariableKHR => self.variable_pointer(views::UntypedVariableKHR(*inst).data_type(), set),
            Load => {
                let load = views::Load(*inst);
                self.variable_pointer(load.type_id(), set);
                self.confined(load.id(), set);
            }
            Select | Phi | ConstantNull | Undef | PtrAccessChain | InBoundsPtrAccessChain => {
                let value = views::Value(*inst);
                self.variable_pointer(value.type_id(), set);
                self.confined(value.id(), set);
            }
            _ => {}
        }
    }

    /// Adds the requirements of the memory that an instruction reads or writes: of the members of a block, and of small types behind
    /// untyped pointers.
    pub(super) fn memory_access(&self, op: Op, inst: &Instruction, set: &mut RequirementSet) {
        let accessed = match op {
            Op::Load => Some(views::Value(*inst).type_id()),
            Op::Store => self.module.type_of(views::Store(*inst).object()),
            _ => None,
        };
        accessed.into_iter().for_each(|type_| self.members_of(type_, set));
        for (class, contents) in self.untyped_accesses(op, inst) {
            self.untyped_memory(class, contents, set);
        }
    }

    /// Returns the memory behind untyped pointers that an instruction accesses as small types: its storage class, and these types.
    pub(super) fn untyped_accesses(
        &self,
        op: Op,
        inst: &Instruction,
    ) -> impl Iterator<Item = (Option<StorageClass>, Contents)> {
        let (pointers, type_) = self.accessed(op, inst);
        let contents = type_.map_or(Contents::empty(), |type_| self.types.contents(type_).direct());
        let pointers = pointers.into_iter().flatten().filter(move |_| !contents.is_empty());
        pointers.filter_map(move |pointer| {
            let type_ = self.module.definition(self.module.type_of(pointer)?)?;
            let untyped = views::TypeUntypedPointerKHR::new(type_)?;
            Some((StorageClass::from_u32(untyped.storage_class()), contents))
        })
    }

    /// Returns the pointers through which an instruction accesses memory, and the type of the loaded or stored value.
    fn accessed(&self, op: Op, inst: &Instruction) -> ([Option<u32>; 2], Option<u32>) {
        use Op::*;
        let value = views::Value(*inst);
        match op {
            Load => ([Some(value.operand(0)), None], Some(value.type_id())),
            // Pointer and object come first in all of these.
            Store | CooperativeMatrixStoreKHR | CooperativeMatrixStoreTensorNV => {
                let store = views::Store(*inst);
                ([Some(store.pointer()), None], self.module.type_of(store.object()))
            }
            CopyMemory => {
                let copy = views::CopyMemory(*inst);
                let pointers = [copy.target(), copy.source()];
                let pointee = |pointer: u32| self.module.pointee(self.module.type_of(pointer)?);
                (pointers.map(Some), pointers.into_iter().find_map(pointee))
            }
            CooperativeVectorStoreNV => {
                let store = views::CooperativeVectorStoreNV(*inst);
                ([Some(store.pointer()), None], self.module.type_of(store.object()))
            }
            AtomicStore => {
                let store = views::AtomicStore(*inst);
                ([Some(store.pointer()), None], self.module.type_of(store.value()))
            }
            _ => ([inst.result_type().map(|_| value.operand(0)), None], inst.result_type()),
        }
    }

    /// Returns the storage class of a pointer type.
    fn pointer_class(&self, type_: u32) -> Option<StorageClass> {
        let pointer = self.module.definition(type_).and_then(views::AnyPointer::new)?;
        StorageClass::from_u32(pointer.storage_class())
    }

    /// Adds the requirements of a value that may be a variable pointer.
    fn pointer_value(&self, value: u32, set: &mut RequirementSet) {
        self.module.type_of(value).into_iter().for_each(|type_| self.variable_pointer(type_, set));
    }

    /// Adds the requirement of a pointer of this type, or of pointers in a composite, that are not access chains of a variable
    /// (specification, 2.16.1, "Variable pointers").
    fn variable_pointer(&self, type_: u32, set: &mut RequirementSet) {
        if !self.facts.logical {
            return;
        }
        let held = self.types.contents(type_);
        if held.contains(Contents::WORKGROUP_POINTERS) {
            self.require_use(Use::VariableWorkgroupPointer, set);
        }
        if held.contains(Contents::OTHER_POINTERS) {
            self.require_use(Use::VariablePointer, set);
        }
    }

    /// Adds the requirements of a pointer that may point into different storage buffers at different times.
    fn confined(&self, pointer: u32, set: &mut RequirementSet) {
        if self.origins.as_ref().is_some_and(|origins| origins.are_several(pointer))
            && let Some(type_) = self.module.type_of(pointer)
            && self.pointer_class(type_) == Some(StorageClass::StorageBuffer)
        {
            self.require_use(Use::UnconfinedPointer, set);
        }
    }

    /// Adds the requirements of an argument of a call. Without them, workgroup memory may be passed as a variable or parameter, storage buffers not at all.
    fn passed(&self, argument: u32, class: Option<StorageClass>, set: &mut RequirementSet) {
        let definition = self.module.definition(argument);
        let as_a_whole = definition.is_some_and(|inst| {
            inst.is(Op::Variable) || inst.is(Op::UntypedVariableKHR) || inst.is(Op::FunctionParameter)
        });
        match class {
            Some(StorageClass::Workgroup) if as_a_whole => {}
            Some(StorageClass::Workgroup) => self.require_use(Use::VariableWorkgroupPointer, set),
            _ => self.require_use(Use::VariablePointer, set),
        }
    }

    pub(super) fn access_chain(&self, inst: &Instruction, set: &mut RequirementSet) {
        let chain = views::AccessChain(*inst);
        let pointer = self.module.type_of(chain.base());
        let Some(pointer) = pointer.and_then(|type_| self.module.pointer_type(type_)) else { return };
        let class = StorageClass::from_u32(pointer.storage_class());
        let mut type_ = pointer.pointee();
        let mut indices = chain.indexes().iter();
        let mut dynamic = false;
        while let Some(array) = self.module.array_type(type_) {
            let Some(&index) = indices.next() else { break };
            dynamic |= self.module.constant(index).is_none();
            type_ = array.element_type();
        }
        if dynamic && is_of_descriptors(class) {
            self.dynamic_index(class, type_, set);
        }
        if !self.members.is_empty()
            && let Some(&index) = indices.next()
        {
            let index = self.module.constant(index).map(|index| index.low_word());
            let accessed = |member: u32| index.is_none_or(|index| index == member);
            let required = self.members.iter().filter(|(of, member, _)| *of == type_ && accessed(*member));
            required.for_each(|&(_, _, id)| self.require(id, set));
        }
    }

    /// Adds the requirements of all members of a block that is loaded or stored at once, or of the blocks in an array.
    fn members_of(&self, type_: u32, set: &mut RequirementSet) {
        if self.members.is_empty() {
            return;
        }
        let block = self.module.without_arrays(type_);
        let required = self.members.iter().filter(|(of, _, _)| *of == block);
        required.for_each(|&(_, _, id)| self.require(id, set));
    }

    fn dynamic_index(&self, class: Option<StorageClass>, descriptor: u32, set: &mut RequirementSet) {
        let buffer = self.is_decorated(descriptor, Decoration::BufferBlock);
        let (dynamic, non_uniform) = match class {
            // Otherwise the pointer was passed and points to an array in a buffer.
            Some(StorageClass::StorageBuffer) if self.is_decorated(descriptor, Decoration::Block) => {
                (Use::DynamicStorageBuffers, Use::NonUniformStorageBuffers)
            }
            Some(StorageClass::Uniform) if buffer => {
                (Use::DynamicStorageBuffers, Use::NonUniformStorageBuffers)
            }
            Some(StorageClass::Uniform) if self.is_decorated(descriptor, Decoration::Block) => {
                (Use::DynamicUniformBuffers, Use::NonUniformUniformBuffers)
            }
            Some(StorageClass::UniformConstant) => self.image_index(descriptor),
            _ => return,
        };
        self.require_use(dynamic, set);
        if self.facts.non_uniform {
            self.require_use(non_uniform, set);
        }
    }

    fn image_index(&self, descriptor: u32) -> (Use, Use) {
        let sampled = self.module.definition(descriptor).and_then(views::TypeSampledImage::new);
        let image = sampled.map_or(descriptor, |sampled| sampled.image_type());
        let image = self.module.definition(image).and_then(views::TypeImage::new);
        let (dim, storage) =
            image.map_or((None, false), |image| (Dim::from_u32(image.dim()), image.sampled() == 2));
        match (dim, storage) {
            (Some(Dim::DimSubpassData), _) => (Use::DynamicInputAttachments, Use::NonUniformInputAttachments),
            (Some(Dim::DimBuffer), false) => {
                (Use::DynamicUniformTexelBuffers, Use::NonUniformUniformTexelBuffers)
            }
            (Some(Dim::DimBuffer), true) => {
                (Use::DynamicStorageTexelBuffers, Use::NonUniformStorageTexelBuffers)
            }
            (_, false) => (Use::DynamicSampledImages, Use::NonUniformSampledImages),
            (_, true) => (Use::DynamicStorageImages, Use::NonUniformStorageImages),
        }
    }
}

/// Returns true if an opcode reads or writes values behind a pointer.
#[cfg(any(test, feature = "generate"))]
pub(super) fn accesses_memory(op: Op) -> bool {
    use Op::*;
    is_atomic(op)
        || matches!(
            op,
            Load | Store
                | CopyMemory
                | CooperativeMatrixLoadKHR
                | CooperativeMatrixStoreKHR
                | CooperativeMatrixLoadTensorNV
                | CooperativeMatrixStoreTensorNV
                | CooperativeVectorLoadNV
                | CooperativeVectorStoreNV
        )
}
