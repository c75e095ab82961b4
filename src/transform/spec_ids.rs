//! New SpecIds.

use std::collections::HashSet;

use crate::loader::{Module, views};

/// The SpecIds of a module, and new ones.
pub struct SpecIds {
    taken: HashSet<u32>,
    next: u32,
}

impl SpecIds {
    /// Collects the SpecIds of a module.
    pub fn from_module(module: &Module) -> SpecIds {
        SpecIds::new(module.spec_ids().map(views::SpecId::spec_id))
    }

    /// Starts with these SpecIds.
    pub fn new(spec_ids: impl Iterator<Item = u32>) -> SpecIds {
        let taken: HashSet<u32> = spec_ids.collect();
        let next = taken.iter().max().map_or(0, |max| max.wrapping_add(1));
        SpecIds { taken, next }
    }

    /// Returns an unused SpecId; `None` if all are taken.
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
