//! What a module does that Vulkan has a feature for and SPIR-V no capability alone: the members of
//! `spec-extensions/vulkan-uses.csv`.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use spirv::{Decoration, ExecutionMode, ExecutionModel, Op, Scope, StorageClass};

use super::is_atomic;
use super::vectors::Vector;
use crate::analysis::constants::folding::Scalar;
use crate::loader::{Instruction, Module};

/// The names of the features whose uses a module has; none for a module without the capability Shader.
pub fn vulkan_uses(module: &Module) -> BTreeSet<String> {
    #[cfg(test)]
    crate::tests::tally::note("vulkan uses", module, &());
    let mut uses = VulkanUses { module, decorated: HashSet::new(), found: BTreeSet::new() };
    uses.read_decorations();
    for inst in module.globals() {
        uses.global(&inst);
    }
    uses.stores();
    for function in module.functions() {
        module.body(function).for_each(|inst| uses.instruction(&inst));
    }
    uses.found
}

struct VulkanUses<'m> {
    module: &'m Module<'m>,
    /// What is decorated NonWritable or BufferBlock, with the member, if it is one.
    decorated: HashSet<(u32, Option<u32>, Decoration)>,
    found: BTreeSet<String>,
}

impl VulkanUses<'_> {
    fn finds(&mut self, feature: impl Into<String>) {
        self.found.insert(feature.into());
    }

    fn read_decorations(&mut self) {
        for inst in self.module.globals() {
            let (member, decoration) = match inst.op() {
                Some(Op::Decorate) => (None, inst.word(2)),
                Some(Op::MemberDecorate) => (Some(inst.word(2)), inst.word(3)),
                _ => continue,
            };
            if let Some(decoration @ (Decoration::NonWritable | Decoration::BufferBlock)) =
                Decoration::from_u32(decoration)
            {
                self.decorated.insert((inst.word(1), member, decoration));
            }
        }
    }

    fn global(&mut self, inst: &Instruction) {
        let is_mode = |mode: ExecutionMode| inst.word(2) == mode as u32;
        match inst.op() {
            Some(Op::EntryPoint) if inst.word(1) == ExecutionModel::MeshEXT as u32 => {
                self.finds("meshShader")
            }
            Some(Op::EntryPoint) if inst.word(1) == ExecutionModel::TaskEXT as u32 => {
                self.finds("taskShader")
            }
            Some(Op::ExecutionMode) if is_mode(ExecutionMode::SubgroupUniformControlFlowKHR) => {
                self.finds("shaderSubgroupUniformControlFlow");
            }
            Some(Op::ExecutionModeId) if is_mode(ExecutionMode::LocalSizeId) => self.finds("maintenance4"),
            Some(Op::Variable)
                if inst.word(3) == StorageClass::Workgroup as u32 && inst.words().len() > 4 =>
            {
                self.finds("shaderZeroInitializeWorkgroupMemory");
            }
            Some(Op::Variable) if inst.word(3) == StorageClass::Uniform as u32 => self.uniform(inst),
            Some(Op::TypeCooperativeMatrixKHR)
                if self.constant(inst.word(3)) == Some(Scope::Workgroup as u32) =>
            {
                self.finds("cooperativeMatrixWorkgroupScope");
            }
            _ => {}
        }
    }

    fn uniform(&mut self, variable: &Instruction) {
        let block = self.module.definition_as(variable.word(1), Op::TypePointer);
        let block = block.and_then(|pointer| self.module.definition_as(pointer.word(3), Op::TypeStruct));
        let last = block.and_then(|block| block.words().last().copied());
        let unsized_ = last.and_then(|last| self.module.definition_as(last, Op::TypeRuntimeArray));
        if unsized_.is_some()
            && !block.is_some_and(|block| self.is_decorated(block.word(1), Decoration::BufferBlock))
        {
            self.finds("shaderUniformBufferUnsizedArray");
        }
    }

    /// Storage that shaders may write, by the stages of the entry points (each sees all of the module's variables).
    fn stores(&mut self) {
        let mut variables = self.module.globals().filter(|inst| inst.is(Op::Variable));
        if !variables.any(|variable| self.is_writable(&variable)) {
            return;
        }
        for entry_point in self.module.globals().filter(|inst| inst.is(Op::EntryPoint)) {
            use ExecutionModel::*;
            match ExecutionModel::from_u32(entry_point.word(1)) {
                Some(Fragment) => self.finds("fragmentStoresAndAtomics"),
                Some(Vertex | TessellationControl | TessellationEvaluation | Geometry) => {
                    self.finds("vertexPipelineStoresAndAtomics");
                }
                _ => {}
            }
        }
    }

    fn is_writable(&self, variable: &Instruction) -> bool {
        let Some(pointer) = self.module.definition_as(variable.word(1), Op::TypePointer) else {
            return false;
        };
        let mut type_ = pointer.word(3);
        while let Some(array) = self
            .module
            .definition(type_)
            .filter(|inst| inst.is(Op::TypeArray) || inst.is(Op::TypeRuntimeArray))
        {
            type_ = array.word(2);
        }
        let storage = match StorageClass::from_u32(variable.word(3)) {
            Some(StorageClass::StorageBuffer) => true,
            Some(StorageClass::Uniform) => self.is_decorated(type_, Decoration::BufferBlock),
            Some(StorageClass::UniformConstant) => {
                self.module.definition_as(type_, Op::TypeImage).is_some_and(|image| image.word(7) == 2)
            }
            _ => false,
        };
        storage
            && !self.is_decorated(variable.word(2), Decoration::NonWritable)
            && !self.members_are_read_only(type_)
    }

    fn members_are_read_only(&self, block: u32) -> bool {
        let Some(block) = self.module.definition_as(block, Op::TypeStruct) else { return false };
        let members = 0..block.words_from(2).len() as u32;
        members
            .into_iter()
            .all(|member| self.decorated.contains(&(block.word(1), Some(member), Decoration::NonWritable)))
    }

    fn is_decorated(&self, id: u32, decoration: Decoration) -> bool {
        self.decorated.contains(&(id, None, decoration))
    }

    fn instruction(&mut self, inst: &Instruction) {
        use Op::*;
        match inst.op() {
            Some(ReadClockKHR) => match self.constant(inst.word(3)) {
                Some(scope) if scope == Scope::Device as u32 => self.finds("shaderDeviceClock"),
                _ => self.finds("shaderSubgroupClock"),
            },
            Some(FmaKHR) => {
                if let Some(Scalar::Float(width)) = self.element(inst.word(1)) {
                    self.finds(format!("shaderFmaFloat{width}"));
                }
            }
            Some(BitFieldInsert | BitFieldSExtract | BitFieldUExtract | BitReverse | BitCount) => {
                let base = self.type_of(inst.word(3)).and_then(|type_| self.element(type_));
                if !matches!(base, Some(Scalar::Int { width: 32, .. }) | None) {
                    self.finds("maintenance9");
                }
            }
            Some(op) if is_group(op) => self.group(inst),
            Some(op) if is_atomic(op) => self.atomic(op, inst),
            _ => {}
        }
    }

    /// Group operations on types that they have not always been on.
    fn group(&mut self, inst: &Instruction) {
        let extended = |scalar: Scalar| match scalar {
            Scalar::Int { width, .. } => width != 32,
            Scalar::Float(width) => width == 16,
            Scalar::Bool => false,
        };
        let operands = inst.words_from(4).iter().filter_map(|&id| self.type_of(id));
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
            Some(type_) => (inst.word(3), Some(type_)),
            None => (inst.word(1), self.type_of(inst.word(4))),
        };
        let class =
            self.type_of(pointer).and_then(|type_| self.module.definition(type_)).map(|type_| type_.word(2));
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

    fn type_of(&self, id: u32) -> Option<u32> {
        self.module.definition(id)?.result_type()
    }

    /// The scalar type that a type is, or is a vector of.
    fn element(&self, type_: u32) -> Option<Scalar> {
        let vector = Vector::of(self.module, type_);
        Scalar::of(self.module, vector.map_or(type_, |vector| vector.component))
    }

    fn constant(&self, id: u32) -> Option<u32> {
        self.module.definition_as(id, Op::Constant).map(|constant| constant.word(3))
    }
}

/// Whether an opcode is a group operation on the invocations that are active.
fn is_group(op: Op) -> bool {
    (Op::GroupNonUniformElect as u32..=Op::GroupNonUniformQuadSwap as u32).contains(&(op as u32))
        || op == Op::GroupNonUniformRotateKHR
}
