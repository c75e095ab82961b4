//! Exports that the entry points of a module lead to.

use std::collections::BTreeSet;

use crate::analysis::debug::names::Names;
use crate::loader::Module;

/// The exported functions that an entry point calls, or names in any other way, itself or through other functions.
pub fn called_exports(module: &Module, names: &Names) -> BTreeSet<u32> {
    let mut exported: BTreeSet<u32> = names.exported().filter(|&id| module.is_function(id)).collect();
    if exported.is_empty() {
        return exported;
    }
    let mut stack: Vec<u32> = module.entry_points().map(|entry_point| entry_point.function()).collect();
    let mut reached: BTreeSet<u32> = stack.iter().copied().collect();
    while let Some(function) = stack.pop().and_then(|id| module.function(id)) {
        for inst in module.body(function) {
            module.walk(&inst, &mut |_, id: u32| {
                if module.is_function(id) && reached.insert(id) {
                    stack.push(id);
                }
            });
        }
    }
    exported.retain(|id| reached.contains(id));
    exported
}
