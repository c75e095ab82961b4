//! SpecIds that a module does not have yet.

use std::collections::HashSet;

use spirv::{Decoration, Op};

use crate::loader::Module;

/// The SpecIds of a module, and those that are given out.
pub(super) struct SpecIds {
    taken: HashSet<u32>,
    next: u32,
}

impl SpecIds {
    /// Those of a module.
    pub fn of(module: &Module) -> SpecIds {
        let decorations = module.globals().filter(|inst| inst.is(Op::Decorate));
        let taken =
            decorations.filter(|inst| inst.word(2) == Decoration::SpecId as u32).map(|inst| inst.word(3));
        let taken: HashSet<u32> = taken.collect();
        let next = taken.iter().max().map_or(0, |max| max.wrapping_add(1));
        SpecIds { taken, next }
    }

    /// One that nothing has; `None` if all are taken.
    pub fn fresh(&mut self) -> Option<u32> {
        while self.taken.contains(&self.next) {
            self.next = self.next.wrapping_add(1);
        }
        if self.taken.len() == u32::MAX as usize {
            return None;
        }
        self.taken.insert(self.next);
        Some(self.next)
    }
}
