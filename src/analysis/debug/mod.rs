//! Names, debug information, and the source locations of instructions. Debug information may name anything, and keeps
//! few of the named definitions.

pub mod locations;
pub mod names;

use spirv::Op;

use crate::loader::{Instruction, Module, SetKind, views};
use locations::debug_sets::number;

/// The number of DebugGlobalVariable, in every set of debug information.
const DEBUG_GLOBAL_VARIABLE: u32 = 18;

/// The numbers of DebugDeclare and DebugValue, in every set of debug information.
const DEBUG_DECLARE: u32 = 28;
const DEBUG_VALUE: u32 = 29;

/// Returns true for an instruction of a debug information set. OpLine and OpNoLine are not in one.
pub fn is_debug(module: &Module, inst: &Instruction) -> bool {
    module.set_kind(inst) == Some(SetKind::Debug)
}

/// Returns true if the word of this number in a debug instruction is its own operand, and not one of OpExtInst.
pub fn is_debug_operand(at: usize) -> bool {
    at > 4
}

/// Returns true for an id in an extended instruction that does not keep it alive: a function, a module-scope variable, or a constant of the
/// source that debug information describes. Other constants, such as line numbers, and types and strings are kept.
pub fn is_weak(module: &Module, inst: &Instruction, id: u32) -> bool {
    match module.definition(id).and_then(|inst| inst.op()) {
        Some(Op::Function) => true,
        Some(Op::Variable) => module.is_global(id),
        // It may be a DebugInfoNone.
        None | Some(Op::ExtInst) => false,
        Some(_) => described_global(module, inst) == Some(id),
    }
}

/// Returns the variable or constant that a DebugGlobalVariable describes.
pub fn described_global(module: &Module, inst: &Instruction) -> Option<u32> {
    let ext_inst =
        views::ExtInst::new(*inst).filter(|ext_inst| ext_inst.instruction() == DEBUG_GLOBAL_VARIABLE)?;
    is_debug(module, &ext_inst).then(|| views::DebugGlobalVariable(*ext_inst).variable())
}

/// Returns the variable or value that an instruction of debug information gives to a variable of the source.
pub fn described_value(module: &Module, inst: &Instruction) -> Option<u32> {
    let ext_inst = views::ExtInst::new(*inst)?;
    let describes =
        matches!(ext_inst.instruction(), DEBUG_DECLARE | DEBUG_VALUE) && is_debug(module, &ext_inst);
    ext_inst.operands().get(1).copied().filter(|_| describes)
}

/// A position in the source that holds for the instructions after it in a block, until the next one of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DebugPosition {
    Line,
    DebugLine,
    Scope,
}

impl DebugPosition {
    /// Returns the kind of the position that an instruction sets or ends, if it is such.
    pub fn new(module: &Module, inst: &Instruction) -> Option<DebugPosition> {
        if inst.is_line() {
            return Some(DebugPosition::Line);
        }
        let ext_inst = views::ExtInst::new(*inst).filter(|ext_inst| is_debug(module, ext_inst))?;
        match ext_inst.instruction() {
            number::DEBUG_SCOPE | number::DEBUG_NO_SCOPE => Some(DebugPosition::Scope),
            number::DEBUG_LINE | number::DEBUG_NO_LINE => Some(DebugPosition::DebugLine),
            _ => None,
        }
    }

    /// Returns true if such an instruction ends a position, and sets none.
    pub fn is_end(inst: &Instruction) -> bool {
        let ends = |number: u32| matches!(number, number::DEBUG_NO_SCOPE | number::DEBUG_NO_LINE);
        inst.is(Op::NoLine) || views::ExtInst::new(*inst).is_some_and(|inst| ends(inst.instruction()))
    }
}
