//! The ids that functions refer to outside of themselves.

use spirv::Op;

use crate::analysis::debug::{is_debug_operand, is_weak};
use crate::loader::{Function, Instruction, Module, SetKind};

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
    /// The functions with an OpConditionalCopyObjectINTEL, in order.
    pub with_copies: Vec<usize>,
}

/// Tells the ids of a function from those outside of it, function by function.
pub struct Collector<'m> {
    module: &'m Module<'m>,
    /// By id: one more than the number of the function that was the last to refer to it.
    seen: Vec<u32>,
    number: u32,
    start: u32,
    len: u32,
}

impl<'m> Collector<'m> {
    /// Starts without a function.
    pub fn new(module: &'m Module<'m>) -> Collector<'m> {
        Collector { module, seen: vec![0; module.bound() as usize], number: 0, start: 0, len: 0 }
    }

    /// Turns to a function, which is read once.
    pub fn enter(&mut self, function: usize) {
        let Function { start, end, .. } = self.module.functions()[function];
        (self.number, self.start, self.len) = (function as u32 + 1, start, end - start);
    }

    /// True if the function defines an id. Any other is added to `ids`, if the function has not referred to it before.
    #[inline]
    pub fn defines(&mut self, id: u32, ids: &mut Vec<u32>) -> bool {
        let offset = self.module.definition_offset(id).unwrap_or(0);
        if offset.wrapping_sub(self.start) < self.len {
            return true;
        }
        let seen = &mut self.seen[id as usize];
        if *seen != self.number {
            *seen = self.number;
            ids.push(id);
        }
        false
    }
}

impl FunctionReferences {
    /// Those of a module, with all that is conditional.
    pub fn of(module: &Module) -> FunctionReferences {
        let mut found = FunctionReferences::default();
        let mut collector = Collector::new(module);
        for (at, function) in module.functions().iter().enumerate() {
            collector.enter(at);
            for inst in module.range(function.lines, function.end) {
                match inst.op() {
                    Some(Op::ExtInst | Op::ExtInstWithForwardRefsKHR)
                        if module.set_kind(&inst) == Some(SetKind::Debug) =>
                    {
                        found.debug(&mut collector, at, &inst);
                        continue;
                    }
                    Some(Op::ConditionalCopyObjectINTEL) if found.with_copies.last() != Some(&at) => {
                        found.with_copies.push(at);
                    }
                    _ => {}
                }
                module.walk(&inst, &mut |_: usize, id: u32| {
                    collector.defines(id, &mut found.ids);
                });
            }
            found.ends.push(found.ids.len() as u32);
        }
        found
    }

    fn debug(&mut self, collector: &mut Collector, at: usize, inst: &Instruction) {
        let module = collector.module;
        let mut names_removable = false;
        module.walk(inst, &mut |word: usize, id: u32| {
            if is_debug_operand(word) && is_weak(module, inst, id) {
                names_removable = true;
            } else {
                collector.defines(id, &mut self.ids);
            }
        });
        self.debug.extend(names_removable.then_some((at, inst.offset())));
    }

    /// The ids that a function refers to outside of itself.
    pub fn of_function(&self, function: usize) -> &[u32] {
        let start = function.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ids[start as usize..self.ends[function] as usize]
    }
}
