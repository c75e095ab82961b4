//! Entry points that no host calls.

use std::collections::HashSet;

use spirv::{ExecutionMode, Op};

use crate::loader::Module;

/// The entry points that run by themselves, before all others or after them, by function (specification, execution modes Initializer
/// and Finalizer).
pub fn initializers(module: &Module) -> HashSet<u32> {
    const MODES: [u32; 2] = [ExecutionMode::Initializer as u32, ExecutionMode::Finalizer as u32];
    let modes = module.head().filter(|inst| inst.is(Op::ExecutionMode) && MODES.contains(&inst.word(2)));
    modes.map(|inst| inst.word(1)).collect()
}
