//! Rules of newer versions that no token shows: the rules of instructions that begin "Before version".

use std::collections::BTreeSet;

use spirv::{Capability, Decoration, ExecutionModel, Op, StorageClass};

use super::Lowering;
use crate::analysis::calls::DirectCalls;
use crate::loader::grammar::versions::VersionAddition;
use crate::loader::grammar::{self, enumerants, parameters};
use crate::loader::{Instruction, Module, Version, views};
use rspirv::grammar::OperandKind;

/// The version that allows choices between composites and copies with two memory accesses, among others.
const V1_4: Version = Version::new(1, 4);
/// The version that allows barriers in all stages.
const V1_3: Version = Version::new(1, 3);
/// The version in which broadcasts may depend on computed values.
const V1_5: Version = Version::new(1, 5);
/// The extension with which spirv-val accepts OpUConvert of specialization constants in older versions.
const SHORT_INTEGERS: &str = "SPV_AMD_gpu_shader_int16";
/// Conversions between pointers and vectors of integers.
const VECTOR_BITCAST: VersionAddition =
    VersionAddition::new("OpBitcast between a pointer and a vector", V1_5, "SPV_KHR_physical_storage_buffer");

/// Notes the constructs of a module that these rules cover.
pub(super) fn check(module: &Module, lowering: &mut Lowering) {
    let of_kernels = module.capabilities().any(|declared| declared.capability() == Capability::Kernel as u32);
    for inst in module.globals().filter_map(views::SpecConstantOp::new) {
        lowering.at = inst.offset();
        specialized(module, inst, of_kernels, lowering);
    }
    if let Some(at) = read_only_variable(module) {
        lowering.at = at;
        lowering.require(V1_4, || "NonWritable of a variable of one invocation".to_owned());
    }
    for function in module.functions() {
        module.body(function).for_each(|inst| inside(module, &inst, lowering));
    }
    if lowering.version < V1_3
        && let Some(at) = barrier(module)
    {
        lowering.at = at;
        lowering.require(V1_3, || "OpControlBarrier in a stage without work-groups".to_owned());
    }
}

/// Checks an operation on specialization constants.
fn specialized(module: &Module, inst: views::SpecConstantOp, of_kernels: bool, lowering: &mut Lowering) {
    let Some(operation) = inst.operation() else { return };
    if let Some(added) = grammar::versions::instruction(operation as u16) {
        lowering.use_of(|| format!("OpSpecConstantOp {}", added.name), &added);
    }
    match operation {
        Op::UConvert if !of_kernels && !lowering.declared.contains(SHORT_INTEGERS) => {
            lowering.require(V1_4, || "OpSpecConstantOp UConvert without Kernel".to_owned());
        }
        Op::Select => select(module, &inst, inst.operand(0), lowering),
        Op::Bitcast => bitcast(module, &inst, inst.operand(0), lowering),
        _ => {}
    }
}

/// Checks an instruction of a function.
fn inside(module: &Module, inst: &Instruction, lowering: &mut Lowering) {
    lowering.at = inst.offset();
    match inst.op() {
        Some(Op::Select) => select(module, inst, views::Select(*inst).condition(), lowering),
        Some(Op::Bitcast) => bitcast(module, inst, inst.word(3), lowering),
        Some(Op::CopyMemory) if has_two_accesses(inst.words_from(3)) => {
            lowering.require(V1_4, || "OpCopyMemory with two memory accesses".to_owned());
        }
        Some(Op::CopyMemorySized) if has_two_accesses(inst.words_from(4)) => {
            lowering.require(V1_4, || "OpCopyMemorySized with two memory accesses".to_owned());
        }
        // Scope, value, and the number of an invocation.
        Some(op @ (Op::GroupNonUniformBroadcast | Op::GroupNonUniformQuadBroadcast))
            if !is_constant(module, inst.word(5)) =>
        {
            lowering.require(V1_5, || format!("Op{op:?} of an invocation that is not a constant"));
        }
        _ => {}
    }
}

/// Checks a conversion: between a pointer and a vector, from 1.5 on or by an extension.
fn bitcast(module: &Module, inst: &Instruction, operand: u32, lowering: &mut Lowering) {
    let types = [inst.result_type(), module.type_of(operand)].map(|id| module.definition(id?)?.op());
    let is_pointer = |op: &Option<Op>| matches!(op, Some(Op::TypePointer | Op::TypeUntypedPointerKHR));
    if types.iter().any(is_pointer) && types.contains(&Some(Op::TypeVector)) {
        lowering.use_of(|| VECTOR_BITCAST.name.to_owned(), &VECTOR_BITCAST);
    }
}

/// Checks a choice: between scalars, pointers, or vectors by vectors, before 1.4.
fn select(module: &Module, inst: &Instruction, condition: u32, lowering: &mut Lowering) {
    let type_id = inst.result_type().unwrap_or(0);
    let is_vector = |type_id: u32| module.definition_as(type_id, Op::TypeVector).is_some();
    let by_vector = module.type_of(condition).is_some_and(is_vector);
    match module.definition(type_id).and_then(|type_| type_.op()) {
        Some(Op::TypeVector) if !by_vector => {
            lowering.require(V1_4, || "OpSelect of vectors by one Boolean".to_owned());
        }
        Some(Op::TypeStruct | Op::TypeArray | Op::TypeMatrix) => {
            lowering.require(V1_4, || "OpSelect of composites".to_owned());
        }
        _ => {}
    }
}

/// Returns true if memory accesses, with their parameters, are followed by others.
fn has_two_accesses(words: &[u32]) -> bool {
    let Some(&mask) = words.first() else { return false };
    let kind = OperandKind::MemoryAccess;
    let parameter_count: usize =
        enumerants(kind, mask).map(|bit| parameters(kind, bit).map_or(0, <[_]>::len)).sum();
    words.len() > 1 + parameter_count
}

/// Returns the offset of a decoration, of its own or of a group, which states that a variable of one invocation is not written.
fn read_only_variable(module: &Module) -> Option<u32> {
    let classes = [StorageClass::Private, StorageClass::Function].map(|class| class as u32);
    let is_of_invocation = |id: u32| {
        let variable = module.definition(id).and_then(views::Variable::new);
        variable.is_some_and(|variable| classes.contains(&variable.storage_class()))
    };
    let read_only: BTreeSet<u32> =
        module.decorations_with(Decoration::NonWritable).map(|decoration| decoration.target()).collect();
    let mut targets = module.annotations().filter_map(|inst| match inst.op()? {
        Op::Decorate if views::Decoration(inst).is_a(Decoration::NonWritable) => {
            is_of_invocation(inst.word(1)).then_some(inst.offset())
        }
        Op::GroupDecorate if read_only.contains(&inst.word(1)) => {
            views::GroupDecorate(inst).targets().any(is_of_invocation).then_some(inst.offset())
        }
        _ => None,
    });
    targets.next()
}

fn is_constant(module: &Module, id: u32) -> bool {
    let name = module.definition(id).map(|inst| grammar::opcode_name(inst.opcode())).unwrap_or_default();
    name.starts_with("OpConstant") || name.starts_with("OpSpecConstant")
}

/// Returns the offset of a barrier that an entry point of a stage without work-groups reaches; tessellation control shaders have one.
fn barrier(module: &Module) -> Option<u32> {
    use ExecutionModel as Model;
    let with_barriers = [
        Model::TessellationControl,
        Model::GLCompute,
        Model::Kernel,
        Model::MeshNV,
        Model::TaskNV,
        Model::MeshEXT,
        Model::TaskEXT,
    ];
    let is_other = |entry: &views::EntryPoint| {
        with_barriers.iter().all(|&model| model as u32 != entry.execution_model())
    };
    let entries = module.entry_points().filter(is_other);
    let entries = entries.filter_map(|entry| module.function_index(entry.function()));
    let reached = DirectCalls::new(module).reached(entries).into_iter();
    let mut code = reached.flat_map(|at| module.body(&module.functions()[at]));
    code.find(|inst| inst.is(Op::ControlBarrier)).map(|barrier| barrier.offset())
}
