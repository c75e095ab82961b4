//! SpecIds that a module does not use yet.

use std::collections::HashSet;

use crate::loader::{Module, views};

/// The SpecIds of a module, and new ones.
pub struct SpecIds {
    taken: HashSet<u32>,
    next: u32,
}

impl SpecIds {
    /// The SpecIds of a module.
    pub fn of(module: &Module) -> SpecIds {
        SpecIds::taken(module.spec_ids().map(views::SpecId::spec_id))
    }

    /// These SpecIds.
    pub fn taken(spec_ids: impl Iterator<Item = u32>) -> SpecIds {
        let taken: HashSet<u32> = spec_ids.collect();
        let next = taken.iter().max().map_or(0, |max| max.wrapping_add(1));
        SpecIds { taken, next }
    }

    /// An unused SpecId; `None` if all are taken.
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
