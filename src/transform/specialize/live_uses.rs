//! Uses of functions, and of definitions outside of them, in a result: stored as differences from the uses in the
//! module.

use super::attributes::Attributes;
use super::{Flags, IdFlags};
use crate::analysis::{ReferenceGraph, UseCounts};
use crate::loader::{Module, views};

/// The uses in a result.
///
/// First, all that changed functions use is taken away, and what nothing uses then is unused for now. What the bodies of these functions still use is
/// then added again. So a call looks at what changes, and not at the module.
pub struct LiveUses<'a> {
    graph: ResultReferences<'a>,
    counts: &'a UseCounts,
    /// Differences by id; for a component, by the id that stands for it.
    differences: Vec<i32>,
    /// The components that lost uses.
    lost: Vec<u32>,
}

/// The references of each id in the result.
#[derive(Clone, Copy)]
struct ResultReferences<'a> {
    module: &'a Module<'a>,
    references: &'a ReferenceGraph,
    attributes: &'a Attributes,
}

impl ResultReferences<'_> {
    /// Calls a function with the ids that an id uses. The uses of changed functions are added when these are marked.
    fn each_use(&self, flags: &IdFlags, id: u32, mut each: impl FnMut(u32)) {
        if flags.has(id, Flags::REMOVED.union(Flags::CHANGED)) {
            return;
        }
        match self.module.definition(id).filter(|_| flags.has(id, Flags::DECIDED)) {
            // The words that define it name nothing but its type.
            Some(inst) => each(views::Value(inst).type_id()),
            None => self.references.each_use(self.module, id, &mut each),
        }
        self.attributes.references(id).for_each(each);
    }
}

impl<'a> LiveUses<'a> {
    /// Starts with the uses in the module, and those of decorations and execution modes that stay.
    pub fn new(
        module: &'a Module<'a>,
        references: &'a ReferenceGraph,
        counts: &'a UseCounts,
        attributes: &'a Attributes,
        flags: &IdFlags,
    ) -> LiveUses<'a> {
        let graph = ResultReferences { module, references, attributes };
        let lost = counts.uncounted.clone();
        let mut uses = LiveUses { graph, counts, differences: module.table_by_id(), lost };
        for &(target, operand) in &attributes.edges {
            let is_of_changed = flags.has(target, Flags::CHANGED)
                || !module.is_function(target) && module.function_of(target).is_some();
            if !is_of_changed {
                uses.add(operand);
            }
        }
        uses
    }

    /// Adds a use.
    pub fn add(&mut self, id: u32) {
        self.differences[self.counts.component(id) as usize] += 1;
    }

    /// Subtracts the uses of an id in the module.
    pub fn take_uses(&mut self, id: u32) {
        let component = self.counts.component(id);
        let ResultReferences { module, references, .. } = self.graph;
        references.each_use(module, id, |used| self.lose(component, used));
    }

    /// Subtracts a use by a component.
    fn lose(&mut self, user: u32, used: u32) {
        let used = self.counts.component(used);
        if used != user {
            self.differences[used as usize] -= 1;
            self.lost.push(used);
        }
    }

    /// Flags unused ids, and subtracts their uses.
    pub fn find_unused(&mut self, flags: &mut IdFlags) {
        let (graph, counts) = (self.graph, self.counts);
        while let Some(component) = self.lost.pop() {
            if self.is_used(component) || flags.has(component, Flags::UNUSED) {
                continue;
            }
            for id in counts.members(component) {
                if !flags.has(id, Flags::REMOVED) {
                    flags.set(id, Flags::UNUSED);
                }
            }
            for id in counts.members(component) {
                graph.each_use(flags, id, |used| self.lose(component, used));
            }
        }
    }

    /// Returns true if anything uses the component of an id.
    pub fn is_used(&self, id: u32) -> bool {
        let component = self.counts.component(id);
        self.counts.count(component) as i32 + self.differences[component as usize] > 0
    }

    /// Adds a use. An id that was unused so far is added to a list.
    pub fn revive(&mut self, id: u32, flags: &mut IdFlags, revived: &mut Vec<u32>) {
        let component = self.counts.component(id);
        self.differences[component as usize] += 1;
        if flags.has(component, Flags::UNUSED) {
            for id in self.counts.members(component) {
                flags.clear(id, Flags::UNUSED);
                revived.push(id);
            }
        }
    }

    /// Adds the uses of a revived id to a list.
    pub fn add_uses_of(&self, id: u32, flags: &IdFlags, used: &mut Vec<u32>) {
        self.graph.each_use(flags, id, |id| used.push(id));
    }
}
