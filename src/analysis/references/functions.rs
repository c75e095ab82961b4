//! The ids that functions refer to outside of themselves.

use crate::analysis::debug::{is_debug_operand, is_weak};
use crate::loader::{Module, SetKind};

/// The references of the function bodies of a module.
#[derive(Clone, Debug, Default)]
pub struct FunctionReferences {
    /// The ids that each function refers to outside of itself, each once per function. Debug information refers to what it does not keep by itself
    /// only in `debug`.
    pub ids: Vec<u32>,
    /// By function: the end of its ids.
    pub ends: Vec<u32>,
    /// Debug instructions that name something which may be removed: function and offset.
    pub debug: Vec<(usize, u32)>,
}

impl FunctionReferences {
    /// Those of a module in which nothing is conditional.
    pub fn of(module: &Module) -> FunctionReferences {
        let mut found = FunctionReferences::default();
        // By id: one more than the number of the function that was the last to refer to it.
        let mut seen = vec![0; module.bound() as usize];
        for (at, function) in module.functions().iter().enumerate() {
            let (number, len) = (at as u32 + 1, function.end - function.start);
            for inst in module.range(function.lines, function.end) {
                let is_debug = module.set_kind(&inst) == Some(SetKind::Debug);
                let mut names_removable = false;
                module.walk(&inst, &mut |word: usize, id: u32| {
                    if is_debug && is_debug_operand(word) && is_weak(module, &inst, id) {
                        names_removable = true;
                        return;
                    }
                    let offset = module.definition_offset(id).unwrap_or(0);
                    if offset.wrapping_sub(function.start) >= len && seen[id as usize] != number {
                        seen[id as usize] = number;
                        found.ids.push(id);
                    }
                });
                found.debug.extend(names_removable.then_some((at, inst.offset())));
            }
            found.ends.push(found.ids.len() as u32);
        }
        found
    }

    /// The ids that a function refers to outside of itself.
    pub fn of_function(&self, function: usize) -> &[u32] {
        let start = function.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ids[start as usize..self.ends[function] as usize]
    }
}
