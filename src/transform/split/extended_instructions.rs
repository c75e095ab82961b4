//! Extended instructions outside of functions: debug information, and other descriptions of kernels and variables. They are kept
//! for the functions and variables that they name, and not the other way round.

use std::collections::HashSet;

use super::graph::SplitGraph;
use crate::analysis::{is_debug_operand, is_weak};
use crate::loader::{SetKind, views};

/// Instructions that nothing refers to. In every set of debug information:
const DEBUG_IMPORTED_ENTITY: u32 = 34;
/// Number in NonSemantic.Shader.DebugInfo.100 (its specification, "Instructions"):
const DEBUG_SOURCE_CONTINUED: u32 = 102;
const DEBUG_BUILD_IDENTIFIER: u32 = 105;
const DEBUG_STORAGE_PATH: u32 = 106;
const DEBUG_ENTRY_POINT: u32 = 107;
/// Number in every set of debug information.
const DEBUG_INFO_NONE: u32 = 0;

/// The extended instructions that are read so far.
#[derive(Default)]
pub(super) struct ExtendedInstructions {
    /// Instructions that describe a function or a variable, directly or through another of them.
    owned: HashSet<u32>,
    /// Instructions that describe neither.
    free: Vec<u32>,
    /// The operands of instructions other than debug information.
    referenced: HashSet<u32>,
    /// The last DebugSource: the next instruction may continue it.
    last: u32,
}

impl ExtendedInstructions {
    /// Reads the next one.
    pub fn read(&mut self, graph: &mut SplitGraph, inst: views::ExtInst) {
        match graph.module.set_kind(&inst) {
            Some(SetKind::Debug) => self.debug(graph, inst),
            _ => self.other(graph, inst),
        }
    }

    fn debug(&mut self, graph: &mut SplitGraph, inst: views::ExtInst) {
        let (module, id, number) = (graph.module, inst.id(), inst.instruction());
        match number {
            DEBUG_SOURCE_CONTINUED => graph.followers.push((self.last, id)),
            DEBUG_BUILD_IDENTIFIER | DEBUG_STORAGE_PATH => graph.always_ids.push(id),
            DEBUG_ENTRY_POINT => graph.followers.push((views::DebugEntryPoint(*inst).entry_point(), id)),
            DEBUG_IMPORTED_ENTITY => {
                // Its last operand is its scope.
                let mut scope = id;
                module.walk(&inst, &mut |_: usize, operand: u32| scope = operand);
                graph.followers.push((scope, id));
            }
            _ => {}
        }
        if number != DEBUG_SOURCE_CONTINUED {
            self.last = id;
        }
        let mut names_any = number == DEBUG_INFO_NONE;
        module.walk(&inst, &mut |at, operand: u32| {
            if is_debug_operand(at) && is_weak(module, &inst, operand) {
                graph.followers.push((operand, id));
                names_any = true;
            }
        });
        if names_any {
            graph.debug.push(inst.offset());
        }
    }

    /// Reads an instruction other than debug information. It describes the first function or variable among its operands, or the subject of an
    /// instruction among them.
    fn other(&mut self, graph: &mut SplitGraph, inst: views::ExtInst) {
        let (module, id) = (graph.module, inst.id());
        let mut owner = None;
        module.walk(&inst, &mut |at, operand: u32| {
            if is_debug_operand(at) {
                self.referenced.insert(operand);
                let owns = is_weak(module, &inst, operand) || self.owned.contains(&operand);
                owner = owner.or(owns.then_some(operand));
            }
        });
        match owner {
            Some(owner) => {
                self.owned.insert(id);
                graph.followers.push((owner, id));
            }
            None => self.free.push(id),
        }
    }

    /// Keeps unused instructions that describe neither function nor variable: they describe the whole module.
    pub fn finish(self, graph: &mut SplitGraph) {
        graph.always_ids.extend(self.free.into_iter().filter(|id| !self.referenced.contains(id)));
    }
}
