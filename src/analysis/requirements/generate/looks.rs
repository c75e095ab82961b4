//! The parts of instructions to look at, by opcode.

use rspirv::grammar::{LogicalOperand, OperandKind, OperandQuantifier};
use spirv::Op;

use crate::analysis::requirements::look::{OperandRules, Reasons, WordSet, has_scopes};
use crate::analysis::requirements::pointers::accesses_memory;
use crate::analysis::requirements::values::{ComputedOperands, is_matrix_conversion};
use crate::analysis::requirements::vulkan;
use crate::loader::grammar::{self, GrammarEntry};
use crate::loader::opcodes::is_atomic;

/// Returns the parts to look at for an instruction of the grammar, apart from the opcode and its enumerants.
pub(super) fn look_of(inst: GrammarEntry) -> OperandRules {
    let operands = inst.operands();
    let is = |test: fn(Op) -> bool| inst.op().is_some_and(test);
    let scopes = words_of(operands, OperandKind::IdScope);
    let semantics = words_of(operands, OperandKind::IdMemorySemantics);
    let mut reasons = Reasons::empty();
    let mut add = |reason, holds| reasons.set(reason, holds);
    add(
        Reasons::MODULE,
        matches!(
            inst.op(),
            Some(
                Op::MemoryModel | Op::Decorate | Op::MemberDecorate | Op::SpecConstantOp | Op::ExtInstImport
            )
        ),
    );
    add(Reasons::EXTENDED, matches!(inst.op(), Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)));
    add(Reasons::DECLARATION, is(declares));
    add(Reasons::VALUE, is(computes));
    add(Reasons::ACCESS_CHAIN, is(is_access_chain));
    add(Reasons::VARIABLE_POINTER, is(may_be_variable_pointer));
    add(Reasons::MEMORY, is(accesses_memory));
    let is_listed = |op: Op| {
        matches!(
            op,
            Op::TypeStruct | Op::Function | Op::TypeCooperativeMatrixKHR | Op::CooperativeMatrixMulAddKHR
        )
    };
    add(Reasons::LISTED, is(is_listed));
    add(Reasons::VULKAN, is(vulkan::may_use_feature));
    add(Reasons::SCOPES, scopes.0 != 0);
    add(Reasons::SEMANTICS, semantics.0 != 0);
    let ids = grammar::layout(inst.opcode()).map_or(0, |layout| usize::from(layout.ids));
    let memory_access = match &operands[ids.min(operands.len())..] {
        [LogicalOperand { kind: OperandKind::MemoryAccess, .. }] => ids as u8 + 1,
        _ => 0,
    };
    OperandRules {
        values: inst.op().map_or(ComputedOperands::Any, values_of),
        reasons,
        scopes,
        semantics,
        memory_access,
    }
}

/// Returns the words in which operands of a kind are.
fn words_of(operands: &[LogicalOperand], kind: OperandKind) -> WordSet {
    let mut words = 0;
    let mut at: u32 = 1;
    for operand in operands {
        if operand.kind == kind {
            // Optional operands come last.
            words |= 1_u32.checked_shl(at).unwrap_or(1 << 31);
        } else if kind == OperandKind::IdScope && has_scopes(operand.kind) {
            words |= 1;
        }
        at += u32::from(operand.quantifier == OperandQuantifier::One);
    }
    WordSet(words)
}

/// Returns the operands by which an opcode may compute with values of small types.
fn values_of(op: Op) -> ComputedOperands {
    use Op::*;
    match op {
        Variable | UntypedVariableKHR => ComputedOperands::None,
        Name | MemberName | Decorate | DecorateId | DecorateString => ComputedOperands::None,
        MemberDecorate | MemberDecorateString => ComputedOperands::None,
        EntryPoint | ExecutionMode | ExecutionModeId => ComputedOperands::None,
        TypeFunction | TypePointer | TypeArray | TypeStruct => ComputedOperands::None,
        Line | NoLine | Label | FunctionEnd => ComputedOperands::None,
        Load | Store | CopyObject | FConvert | UConvert | SConvert => ComputedOperands::Moved,
        ExtInst | ExtInstWithForwardRefsKHR => ComputedOperands::Extended,
        _ => ComputedOperands::Any,
    }
}

/// Returns true if an opcode declares a type or variable that may have a requirement.
fn declares(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        TypeInt
            | TypeFloat
            | TypeVector
            | TypePointer
            | TypeUntypedPointerKHR
            | TypeImage
            | TypeSampler
            | TypeCooperativeMatrixKHR
            | Variable
            | UntypedVariableKHR
    )
}

/// Returns true if an opcode computes a value that may have a requirement by the types of its operands, beyond small values.
fn computes(op: Op) -> bool {
    use Op::*;
    is_atomic(op)
        || is_matrix_conversion(op)
        || traces_ray(op)
        || matches!(
            op,
            SDot | UDot
                | SUDot
                | SDotAccSat
                | UDotAccSat
                | SUDotAccSat
                | Dot
                | ImageRead
                | ImageSparseRead
                | ImageWrite
                | ImageTexelPointer
                | Bitcast
                | CopyMemory
                | CopyMemorySized
        )
}

/// Returns true if an opcode traces a ray.
fn traces_ray(op: Op) -> bool {
    use Op::*;
    matches!(op, TraceRayKHR | TraceRayMotionNV | TraceMotionNV)
        || matches!(op, RayQueryInitializeKHR | HitObjectTraceRayNV | HitObjectTraceRayMotionNV)
        || matches!(op, HitObjectTraceRayEXT | HitObjectTraceRayMotionEXT)
        || matches!(op, HitObjectTraceReorderExecuteEXT | HitObjectTraceMotionReorderExecuteEXT)
}

/// Returns true if an opcode is an access chain of a typed pointer.
fn is_access_chain(op: Op) -> bool {
    matches!(op, Op::AccessChain | Op::InBoundsAccessChain)
}

/// Returns true if an opcode makes or uses pointers that may be variable pointers.
fn may_be_variable_pointer(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Select
            | Phi
            | FunctionCall
            | Load
            | ConstantNull
            | Undef
            | PtrAccessChain
            | InBoundsPtrAccessChain
            | PtrEqual
            | PtrNotEqual
            | PtrDiff
            | Variable
            | UntypedVariableKHR
            | ReturnValue
    )
}

#[test]
fn kinds_with_scopes_are_known() {
    // All rules are about memory scopes, and the scope of the decoration UniformId is none.
    let decoration = |kind: &OperandKind| *kind == OperandKind::Decoration;
    for kind in grammar::entries()
        .flat_map(|inst| inst.operands())
        .map(|operand| operand.kind)
        .filter(|kind| !decoration(kind))
    {
        let has = |wanted| kind != wanted && grammar::all_kinds(kind).contains(&wanted);
        assert!(has_scopes(kind) || !has(OperandKind::IdScope), "{kind:?}");
        assert!(!has(OperandKind::IdMemorySemantics), "{kind:?}");
    }
}

#[test]
fn scopes_are_found_where_they_are() {
    let words = |op: Op| {
        let inst = grammar::entries().find(|inst| inst.op() == Some(op)).unwrap();
        words_of(inst.operands(), OperandKind::IdScope).0
    };
    assert_eq!(words(Op::ControlBarrier), 1 << 1 | 1 << 2);
    assert_eq!(words(Op::AtomicIAdd), 1 << 4);
    assert_eq!(words(Op::GroupNonUniformElect), 1 << 3);
    assert_eq!(words(Op::Load), 1, "what the mask brings");
    assert_eq!(words(Op::IAdd), 0);
}
