//! Interface lists of entry points, which may reach variables of other modules in the result.

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use spirv::StorageClass;

use crate::analysis::calls::scc::{ConnectedGroups, referred_first};
use crate::loader::Instruction;

/// The first version in which interface lists have all variables outside of functions (specification, OpEntryPoint). Before, they have only
/// inputs and outputs.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// Returns true if interface lists of a module of version `module_version` may be too short in a result of this version.
pub fn is_raised(module_version: u32, version: u32) -> bool {
    module_version < ALL_VARIABLES && version >= ALL_VARIABLES
}

/// References of functions, and of constants made of addresses, to functions, variables and such constants. They are by ids of the result, and not
/// of a reference graph: the definitions of one result are from several modules.
pub struct AddressReferences {
    /// References of one id are contiguous.
    edges: Vec<(u32, u32)>,
    /// Index of the first reference to each id plus 1, or 0.
    first: Vec<u32>,
}

impl AddressReferences {
    /// Collects references. References of one id are contiguous, and all ids are below `bound`.
    pub fn new(of_functions: &[(u32, u32)], of_constants: &[(u32, u32)], bound: u32) -> AddressReferences {
        let edges = [of_functions, of_constants].concat();
        let mut first = vec![0; bound as usize];
        for (number, &(from, _)) in (1..).zip(&edges) {
            let first = &mut first[from as usize];
            if *first == 0 {
                *first = number;
            }
        }
        AddressReferences { edges, first }
    }

    /// Returns all references.
    pub fn all(&self) -> &[(u32, u32)] {
        &self.edges
    }

    fn targets(&self, from: u32) -> impl Iterator<Item = u32> {
        let start = self.first[from as usize].checked_sub(1).map_or(self.edges.len(), |first| first as usize);
        self.edges[start..].iter().take_while(move |edge| edge.0 == from).map(|edge| edge.1)
    }

    /// Returns true, by id, if one of these ids reaches the id. Ids reach themselves.
    pub fn reached_from_any(&self, mut open: Vec<u32>) -> Vec<bool> {
        let mut reached = vec![false; self.first.len()];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from as usize], true) {
                open.extend(self.targets(from));
            }
        }
        reached
    }

    /// Returns by id: the variables of interface lists that it reaches, in ascending order. Ids that reach the same variables share them.
    pub fn reached_variables(&self, listed: &InterfaceVariables) -> Vec<Rc<[u32]>> {
        let nothing: Rc<[u32]> = Rc::default();
        let mut reached = vec![nothing; self.first.len()];
        for group in self.referred_first().iter() {
            let mut parts: Vec<Rc<[u32]>> = Vec::new();
            for &id in group {
                if listed.ids.contains(&(id as u32)) {
                    parts.push(Rc::new([id as u32]));
                }
                for target in self.targets(id as u32) {
                    let part = &reached[target as usize];
                    let is_last = |last: &Rc<[u32]>| Rc::ptr_eq(last, part);
                    if !part.is_empty() && !parts.last().is_some_and(is_last) {
                        parts.push(part.clone());
                    }
                }
            }
            let Some(longest) = parts.iter().max_by_key(|part| part.len()) else { continue };
            let joined = match parts.iter().all(|part| Rc::ptr_eq(part, longest)) {
                true => longest.clone(),
                false => {
                    let all: BTreeSet<u32> = parts.iter().flat_map(|part| part.iter().copied()).collect();
                    if all.len() == longest.len() { longest.clone() } else { all.into_iter().collect() }
                }
            };
            group.iter().for_each(|&id| reached[id] = joined.clone());
        }
        reached
    }

    /// Returns by id: the values that it and the ids that it reaches have, as far as one differs from another.
    pub fn reached_values<T: Copy + PartialEq>(
        &self,
        value: impl Fn(u32) -> Option<T>,
    ) -> Vec<ReachedValues<T>> {
        let mut reached = vec![ReachedValues::None; self.first.len()];
        for group in self.referred_first().iter() {
            let mut all = ReachedValues::None;
            for &id in group {
                all = all.with(value(id as u32).map_or(ReachedValues::None, ReachedValues::One));
                all = self.targets(id as u32).fold(all, |all, target| all.with(reached[target as usize]));
            }
            group.iter().for_each(|&id| reached[id] = all);
        }
        reached
    }

    fn referred_first(&self) -> ConnectedGroups {
        let targets =
            |from, all: &mut Vec<usize>| all.extend(self.targets(from as u32).map(|to| to as usize));
        referred_first(self.first.len(), targets)
    }
}

/// The values that an id reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReachedValues<T> {
    /// No value.
    None,
    /// One value, from one id or several.
    One(T),
    /// Different values.
    Several,
}

impl<T: Copy + PartialEq> ReachedValues<T> {
    fn with(self, other: ReachedValues<T>) -> ReachedValues<T> {
        match (self, other) {
            (all, ReachedValues::None) | (ReachedValues::None, all) => all,
            (all, other) if all == other => all,
            _ => ReachedValues::Several,
        }
    }
}

/// Returns the storage class of a variable; `None` for other instructions.
pub fn storage_class(inst: &Instruction) -> Option<u32> {
    inst.is_variable().then(|| inst.word(3))
}

/// Variables that interface lists have, by ids of the result.
pub struct InterfaceVariables {
    ids: HashSet<u32>,
}

impl InterfaceVariables {
    /// Selects the variables, each with its storage class, that lists have in this version.
    pub fn new(version: u32, variables: impl Iterator<Item = (u32, u32)>) -> InterfaceVariables {
        let passed = [StorageClass::Input as u32, StorageClass::Output as u32];
        let is_listed = |(_, class): &(u32, u32)| version >= ALL_VARIABLES || passed.contains(class);
        InterfaceVariables { ids: variables.filter(is_listed).map(|(id, _)| id).collect() }
    }

    /// Returns true if no list has any.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds the variables of `reached` that an interface list does not have. `reached` are variables of lists, in ascending order.
    pub fn complete(&self, interface: &mut Vec<u32>, reached: &[u32]) {
        let listed: HashSet<u32> = interface.iter().copied().collect();
        interface.extend(reached.iter().filter(|id| !listed.contains(id)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns references: 1 refers to 2 and 6, 2 and 3 to each other, 3 to 4 and 5, and 6 to 5. The variables are 4 and 5.
    fn references() -> AddressReferences {
        AddressReferences::new(&[(1, 2), (1, 6), (2, 3), (3, 2), (3, 4), (3, 5), (6, 5)], &[], 7)
    }

    #[test]
    fn ids_that_reach_the_same_variables_share_them() {
        let listed = InterfaceVariables::new(ALL_VARIABLES, [(5, 7), (4, 7)].into_iter());
        let reached = references().reached_variables(&listed);
        let lists: Vec<&[u32]> = reached.iter().map(|ids| &ids[..]).collect();
        assert_eq!(lists, [&[][..], &[4, 5], &[4, 5], &[4, 5], &[4], &[5], &[5]]);
        assert!(Rc::ptr_eq(&reached[1], &reached[3]) && Rc::ptr_eq(&reached[5], &reached[6]));
    }

    #[test]
    fn reached_values_are_compared() {
        let values = references().reached_values(|id| (id != 4).then_some(id / 5));
        let [none, one, several] = [ReachedValues::None, ReachedValues::One(1), ReachedValues::Several];
        assert_eq!(values[1..], [several, several, several, none, one, one]);
    }
}
