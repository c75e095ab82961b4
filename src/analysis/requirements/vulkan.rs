//! Operations of a module that require a Vulkan feature, but no SPIR-V capability alone: the members of
//! `spec-extensions/vulkan-uses.csv`.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use spirv::{Decoration, ExecutionMode, ExecutionModel, Op, Scope, StorageClass};

use super::is_atomic;
use crate::analysis::Vector;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{Instruction, Module, views};

/// The names of the features whose uses a module has; none for a module without the capability Shader.
pub fn vulkan_uses(module: &Module) -> BTreeSet<String> {
    #[cfg(test)]
    crate::tests::tally::note("vulkan uses", module, &());
    let mut uses = VulkanUses { module, decorated: HashSet::new(), features: BTreeSet::new() };
    uses.read_decorations();
    for inst in module.globals() {
        uses.global(&inst);
    }
    uses.stores();
    for function in module.functions() {
        module.body(function).for_each(|inst| uses.instruction(&inst));
    }
    uses.features
}

struct VulkanUses<'m> {
    module: &'m Module<'m>,
    /// The targets decorated NonWritable or BufferBlock, with the member, if it is one.
    decorated: HashSet<(u32, Option<u32>, Decoration)>,
    features: BTreeSet<String>,
}

impl VulkanUses<'_> {
    fn finds(&mut self, feature: impl Into<String>) {
        self.features.insert(feature.into());
    }

    fn read_decorations(&mut self) {
        for decorated in self.module.decorations() {
            if let Some(decoration @ (Decoration::NonWritable | Decoration::BufferBlock)) =
                Decoration::from_u32(decorated.decoration())
            {
                self.decorated.insert((decorated.target(), decorated.member(), decoration));
            }
        }
    }

    fn global(&mut self, inst: &Instruction) {
        match inst.op() {
            Some(Op::EntryPoint) => {
                match ExecutionModel::from_u32(views::EntryPoint(*inst).execution_model()) {
                    Some(ExecutionModel::MeshEXT) => self.finds("meshShader"),
                    Some(ExecutionModel::TaskEXT) => self.finds("taskShader"),
                    _ => {}
                }
            }
            Some(Op::ExecutionMode | Op::ExecutionModeId) => {
                match ExecutionMode::from_u32(views::ExecutionMode(*inst).mode()) {
                    Some(ExecutionMode::SubgroupUniformControlFlowKHR) => {
                        self.finds("shaderSubgroupUniformControlFlow");
                    }
                    Some(ExecutionMode::LocalSizeId) => self.finds("maintenance4"),
                    _ => {}
                }
            }
            Some(Op::Variable) => {
                let variable = views::Variable(*inst);
                match StorageClass::from_u32(variable.storage_class()) {
                    Some(StorageClass::Workgroup) if variable.initializer().is_some() => {
                        self.finds("shaderZeroInitializeWorkgroupMemory");
                    }
                    Some(StorageClass::Uniform) => self.uniform(variable),
                    _ => {}
                }
            }
            Some(Op::TypeCooperativeMatrixKHR) => {
                let scope = self.module.constant(views::TypeCooperativeMatrixKHR(*inst).scope());
                if scope.is_some_and(|scope| scope.low_word() == Scope::Workgroup as u32) {
                    self.finds("cooperativeMatrixWorkgroupScope");
                }
            }
            _ => {}
        }
    }

    fn uniform(&mut self, variable: views::Variable) {
        let block =
            self.module.pointee(variable.type_id()).and_then(|pointee| self.module.definition(pointee));
        let block = block.and_then(views::TypeStruct::new);
        let last = block.and_then(|block| block.members().last().copied());
        let unsized_ = last.and_then(|last| self.module.definition_as(last, Op::TypeRuntimeArray));
        if unsized_.is_some()
            && !block.is_some_and(|block| self.is_decorated(block.id(), Decoration::BufferBlock))
        {
            self.finds("shaderUniformBufferUnsizedArray");
        }
    }

    /// Storage that shaders may write, by the stages of the entry points (each sees all of the module's variables).
    fn stores(&mut self) {
        if !self.module.variables().any(|variable| self.is_writable(variable)) {
            return;
        }
        let entry_points = self.module.entry_points();
        for entry_point in entry_points.filter(|entry_point| entry_point.condition().is_none()) {
            use ExecutionModel::*;
            match ExecutionModel::from_u32(entry_point.execution_model()) {
                Some(Fragment) => self.finds("fragmentStoresAndAtomics"),
                Some(Vertex | TessellationControl | TessellationEvaluation | Geometry) => {
                    self.finds("vertexPipelineStoresAndAtomics");
                }
                _ => {}
            }
        }
    }

    fn is_writable(&self, variable: views::Variable) -> bool {
        let Some(pointee) = self.module.pointee(variable.type_id()) else { return false };
        let type_ = self.module.without_arrays(pointee);
        let storage = match StorageClass::from_u32(variable.storage_class()) {
            Some(StorageClass::StorageBuffer) => true,
            Some(StorageClass::Uniform) => self.is_decorated(type_, Decoration::BufferBlock),
            Some(StorageClass::UniformConstant) => {
                let image = self.module.definition(type_).and_then(views::TypeImage::new);
                image.is_some_and(|image| image.sampled() == 2)
            }
            _ => false,
        };
        storage
            && !self.is_decorated(variable.id(), Decoration::NonWritable)
            && !self.members_are_read_only(type_)
    }

    fn members_are_read_only(&self, block: u32) -> bool {
        let Some(block) = self.module.definition(block).and_then(views::TypeStruct::new) else {
            return false;
        };
        let mut members = 0..block.members().len() as u32;
        members.all(|member| self.decorated.contains(&(block.id(), Some(member), Decoration::NonWritable)))
    }

    fn is_decorated(&self, id: u32, decoration: Decoration) -> bool {
        self.decorated.contains(&(id, None, decoration))
    }

    fn instruction(&mut self, inst: &Instruction) {
        use Op::*;
        match inst.op() {
            Some(ReadClockKHR) => match self.module.constant(views::ReadClockKHR(*inst).scope()) {
                Some(scope) if scope.low_word() == Scope::Device as u32 => self.finds("shaderDeviceClock"),
                _ => self.finds("shaderSubgroupClock"),
            },
            Some(FmaKHR) => {
                if let Some(Scalar::Float(width)) = self.element(views::Value(*inst).type_id()) {
                    self.finds(format!("shaderFmaFloat{width}"));
                }
            }
            Some(BitFieldInsert | BitFieldSExtract | BitFieldUExtract | BitReverse | BitCount) => {
                let base = self.module.type_of(views::Value(*inst).operand(0));
                let base = base.and_then(|type_| self.element(type_));
                if !matches!(base, Some(Scalar::Int { width: 32, .. }) | None) {
                    self.finds("maintenance9");
                }
            }
            Some(op) if is_group(op) => self.group(inst),
            Some(op) if is_atomic(op) => self.atomic(op, inst),
            _ => {}
        }
    }

    /// Finds group operations on types that were added later.
    fn group(&mut self, inst: &Instruction) {
        let extended = |scalar: Scalar| match scalar {
            Scalar::Int { width, .. } => width != 32,
            Scalar::Float(width) => width == 16,
            Scalar::Bool | Scalar::OtherFloat { .. } => false,
        };
        // The first operand is the scope.
        let operands = views::Value(*inst).operands().iter().skip(1);
        let operands = operands.filter_map(|&id| self.module.type_of(id));
        if inst
            .result_type()
            .into_iter()
            .chain(operands)
            .filter_map(|type_| self.element(type_))
            .any(extended)
        {
            self.finds("shaderSubgroupExtendedTypes");
        }
    }

    fn atomic(&mut self, op: Op, inst: &Instruction) {
        let (pointer, value) = match inst.result_type() {
            Some(type_) => (views::Value(*inst).operand(0), Some(type_)),
            None => {
                let store = views::AtomicStore(*inst);
                (store.pointer(), self.module.type_of(store.value()))
            }
        };
        let type_ = self.module.type_of(pointer).and_then(|type_| self.module.definition(type_));
        let class = type_.and_then(views::AnyPointer::new).map(|pointer| pointer.storage_class());
        let place = match class.and_then(StorageClass::from_u32) {
            Some(
                StorageClass::StorageBuffer | StorageClass::Uniform | StorageClass::PhysicalStorageBuffer,
            ) => "Buffer",
            Some(StorageClass::Workgroup) => "Shared",
            Some(StorageClass::Image) => "Image",
            _ => return,
        };
        let kind = match op {
            Op::AtomicFAddEXT => "AtomicAdd",
            Op::AtomicFMinEXT | Op::AtomicFMaxEXT => "AtomicMinMax",
            _ => "Atomics",
        };
        match value.and_then(|type_| self.element(type_)) {
            Some(Scalar::Int { width: 64, .. }) => self.finds(format!("shader{place}Int64Atomics")),
            Some(Scalar::Float(width)) => self.finds(format!("shader{place}Float{width}{kind}")),
            _ => {}
        }
    }

    /// The scalar type that a type is, or is a vector of.
    fn element(&self, type_: u32) -> Option<Scalar> {
        let vector = Vector::from_type(self.module, type_);
        Scalar::from_type(self.module, vector.map_or(type_, |vector| vector.component))
    }
}

/// True if an opcode is a group operation on the invocations that are active.
fn is_group(op: Op) -> bool {
    (Op::GroupNonUniformElect as u32..=Op::GroupNonUniformQuadSwap as u32).contains(&(op as u32))
        || op == Op::GroupNonUniformRotateKHR
}
