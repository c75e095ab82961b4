//! Constants of kernels that are computed from addresses: OpSpecConstantOps of pointers, such as the address of an element of a table.

use spirv::Op;

use super::requirements::is_of_kernels;
use crate::loader::opcodes::{is_access_chain, is_untyped_access_chain};
use crate::loader::{Instruction, Module, views};

/// Returns the offsets of the OpSpecConstantOps of a module that compute with pointers, in its order.
pub(crate) fn pointer_expressions(module: &Module) -> Vec<u32> {
    if !is_of_kernels(module) {
        return Vec::new();
    }
    let expressions = module.globals().filter(|inst| is_pointer_expression(module, inst));
    expressions.map(|inst| inst.offset()).collect()
}

/// Returns true if an OpSpecConstantOp has an operation of pointers, or an operation of any values with the address of a variable. Null pointers
/// are constants like others.
fn is_pointer_expression(module: &Module, inst: &Instruction) -> bool {
    let Some(operation) = views::SpecConstantOp::new(*inst).and_then(views::SpecConstantOp::operation) else {
        return false;
    };
    let mut has_address = false;
    let is_variable = |id: u32| module.definition(id).is_some_and(|inst| inst.is_variable());
    module.walk(inst, &mut |_, id: u32| has_address |= is_variable(id));
    has_address || is_of_pointers(operation)
}

/// Returns true for an operation of OpSpecConstantOp that has a pointer for its operand or its result.
fn is_of_pointers(operation: Op) -> bool {
    use Op::{ConvertPtrToU, ConvertUToPtr, GenericCastToPtr, PtrCastToGeneric};
    is_access_chain(operation)
        || is_untyped_access_chain(operation)
        || matches!(operation, ConvertPtrToU | ConvertUToPtr | PtrCastToGeneric | GenericCastToPtr)
}
