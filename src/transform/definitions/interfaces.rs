//! Interface lists of entry points, which may reach variables of other modules in the result.

use std::collections::HashSet;

use spirv::{Op, StorageClass};

use crate::loader::Instruction;

/// The first version in which interface lists have all variables outside of functions (specification, OpEntryPoint). Before, they have only
/// inputs and outputs.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// True if interface lists of a module of version `module_version` may be too short in a result of this version.
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

    /// Returns by id: true if one of these ids reaches it. They reach themselves.
    pub fn reached_from_any(&self, mut open: Vec<u32>) -> Vec<bool> {
        let mut reached = vec![false; self.first.len()];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from as usize], true) {
                open.extend(self.targets(from));
            }
        }
        reached
    }

    /// Returns the ids that an id reaches, itself first.
    pub fn reached_from(&self, from: u32) -> Vec<u32> {
        let mut reached = vec![from];
        let mut seen = HashSet::from([from]);
        let mut next = 0;
        while let Some(&from) = reached.get(next) {
            next += 1;
            reached.extend(self.targets(from).filter(|&to| seen.insert(to)));
        }
        reached
    }
}

/// Returns the storage class of a variable; `None` for other instructions.
pub fn storage_class(inst: &Instruction) -> Option<u32> {
    matches!(inst.op(), Some(Op::Variable | Op::UntypedVariableKHR)).then(|| inst.word(3))
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

    /// True if no list has any.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Adds the variables among `reached` that an interface list does not have, in ascending order.
    pub fn complete(&self, interface: &mut Vec<u32>, reached: &[u32]) {
        let listed: HashSet<u32> = interface.iter().copied().collect();
        let is_missing = |id: &u32| self.ids.contains(id) && !listed.contains(id);
        let mut missing: Vec<u32> = reached.iter().copied().filter(is_missing).collect();
        missing.sort_unstable();
        interface.extend(missing);
    }
}
