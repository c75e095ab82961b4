//! Debug information: it may name anything, and keeps little of it.

use spirv::Op;

use crate::loader::{Instruction, Module, SetKind};

/// True for an instruction of a debug information set. OpLine and OpNoLine are not in one.
pub fn is_debug(module: &Module, inst: &Instruction) -> bool {
    module.set_kind(inst) == Some(SetKind::Debug)
}

/// True if the word of this number in a debug instruction is its own operand, and not one of OpExtInst.
pub fn is_debug_operand(at: usize) -> bool {
    at > 4
}

/// True for an id that debug information alone does not keep: a function or a module-scope variable. It does keep the constants,
/// types and strings that it names.
pub fn is_weak(module: &Module, id: u32) -> bool {
    match module.definition(id).and_then(|inst| inst.op()) {
        Some(Op::Function) => true,
        Some(Op::Variable) => module.is_global(id),
        _ => false,
    }
}
