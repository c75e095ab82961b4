//! Entry points that the host does not call.

use std::collections::HashSet;

use spirv::ExecutionMode;

use crate::loader::{Module, views};

/// The functions of the entry points that run implicitly, before all others or after them (specification, execution modes Initializer
/// and Finalizer).
pub fn initializers(module: &Module) -> HashSet<u32> {
    let is_implicit = |mode: &views::ExecutionMode| {
        mode.is_a(ExecutionMode::Initializer) || mode.is_a(ExecutionMode::Finalizer)
    };
    module.execution_modes().filter(is_implicit).map(|mode| mode.entry_point()).collect()
}
