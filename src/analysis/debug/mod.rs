//! Names, debug information, and the source locations of instructions. Debug information may name anything, and keeps little of it.

pub mod locations;
pub mod names;

use spirv::Op;

use crate::loader::{Instruction, Module, SetKind, views};

/// The number of DebugGlobalVariable, in every set of debug information.
const DEBUG_GLOBAL_VARIABLE: u32 = 18;

/// True for an instruction of a debug information set. OpLine and OpNoLine are not in one.
pub fn is_debug(module: &Module, inst: &Instruction) -> bool {
    module.set_kind(inst) == Some(SetKind::Debug)
}

/// True if the word of this number in a debug instruction is its own operand, and not one of OpExtInst.
pub fn is_debug_operand(at: usize) -> bool {
    at > 4
}

/// True for an id in an extended instruction that is not kept by it alone: a function, a module-scope variable, or a constant that debug
/// information describes as one of the source. Kept are other constants, such as line numbers, and types and strings.
pub fn is_weak(module: &Module, inst: &Instruction, id: u32) -> bool {
    match module.definition(id).and_then(|inst| inst.op()) {
        Some(Op::Function) => true,
        Some(Op::Variable) => module.is_global(id),
        // It may be a DebugInfoNone.
        None | Some(Op::ExtInst) => false,
        Some(_) => described_global(module, inst) == Some(id),
    }
}

/// The variable or constant that a DebugGlobalVariable describes.
pub fn described_global(module: &Module, inst: &Instruction) -> Option<u32> {
    let own = views::ExtInst::of(*inst).filter(|own| own.instruction() == DEBUG_GLOBAL_VARIABLE)?;
    is_debug(module, &own).then(|| views::DebugGlobalVariable(*own).variable())
}
