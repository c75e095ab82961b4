//! Debug information: it may name anything, and needs little of it.

use spirv::Op;

use crate::loader::{Instruction, Module, SetKind};

/// Whether an instruction is debug information. OpLine and the like are not meant.
pub fn is_debug(module: &Module, inst: &Instruction) -> bool {
    module.set_kind(inst) == Some(SetKind::Debug)
}

/// Whether the word of this number in a debug instruction is an operand of it, and not of the OpExtInst around it.
pub fn is_debug_operand(at: usize) -> bool {
    at > 4
}

/// Whether debug information alone does not keep an id: functions and module-scope variables. It does keep the constants,
/// types and strings that it names.
pub fn is_weak(module: &Module, id: u32) -> bool {
    match module.definition(id).and_then(|inst| inst.op()) {
        Some(Op::Function) => true,
        Some(Op::Variable) => module.is_global(id),
        _ => false,
    }
}
