//! Copies of functions: new ids for their results, with names, decorations and debug information.

use std::collections::{HashMap, HashSet};

use crate::analysis::conditions::names::ordinary;
use crate::analysis::{Analyses, DebugLocations, Names, numbered};
use crate::loader::{Function, Module};
use crate::transform::insertion::{DecorationsById, InsertionPoints, renamed};
use crate::transform::{Edits, NewInstruction};

/// Copies functions of a module.
pub(super) struct Copier<'w, 'm> {
    module: &'m Module<'m>,
    names: &'w Names<'m>,
    locations: &'w DebugLocations<'m>,
    pub points: InsertionPoints,
    decorations: DecorationsById<'m>,
    /// The names of functions, which must be unique: drivers may merge functions with equal names.
    taken: HashSet<String>,
}

impl<'w, 'm> Copier<'w, 'm> {
    /// Prepares copies of functions, by number.
    pub fn new(analyses: &'w Analyses<'m>, functions: impl Iterator<Item = usize>) -> Copier<'w, 'm> {
        let (module, names) = (analyses.module(), analyses.names());
        let inside = functions.flat_map(|function| {
            module.body(&module.functions()[function]).filter_map(|inst| inst.result_id())
        });
        let names_of = module.functions().iter().filter_map(|function| names.name(function.id));
        Copier {
            module,
            names,
            locations: analyses.debug_locations(),
            points: InsertionPoints::find(module),
            decorations: DecorationsById::new(module, inside),
            taken: names_of.map(|name| name.into_owned()).collect(),
        }
    }

    /// Returns new ids for the definitions of a function and for its own debug information.
    pub fn fresh_ids(&self, function: &Function, copy: u32, edits: &mut Edits) -> HashMap<u32, u32> {
        let mut ids = HashMap::from([(function.id, copy)]);
        for id in self.module.body(function).filter_map(|inst| inst.result_id()) {
            if id != function.id {
                let fresh = edits.fresh_id();
                self.decorate(id, fresh, edits);
                if let Some(name) = self.names.name(id) {
                    self.name(fresh, &name, edits);
                }
                ids.insert(id, fresh);
            }
        }
        if let Some(described) = self.locations.definition(function) {
            let (id, fresh) = (described.result_id().unwrap_or(0), edits.fresh_id());
            ids.insert(id, fresh);
            edits.insert_words(
                self.points.globals,
                &renamed(self.module, &described, &HashMap::from([(id, fresh)])),
            );
        }
        ids
    }

    /// Names a copy like its function, with a number from one on that no other function has. Returns the name, if the function has one.
    pub fn name_copy(
        &mut self,
        function: &Function,
        copy: u32,
        first: usize,
        edits: &mut Edits,
    ) -> Option<String> {
        // Its calls have a condition of their own.
        let name = ordinary(&self.names.name(function.id)?).into_owned();
        let mut numbers = (first..).map(|number| numbered(&name, number));
        let free = numbers.find(|name| self.taken.insert(name.clone()))?;
        self.name(copy, &free, edits);
        Some(free)
    }

    /// Decorates an id like another one.
    pub fn decorate(&self, from: u32, to: u32, edits: &mut Edits) {
        self.decorations.copy(from, to, self.points.annotations, edits);
    }

    fn name(&self, id: u32, name: &str, edits: &mut Edits) {
        edits.insert(self.points.names, &NewInstruction::name(id, name));
    }
}
