//! The references of functions and constants of the result to functions, variables, and constants that are made of their addresses; and the
//! interface lists of entry points, which may now reach variables of other modules.

use std::collections::HashMap;

use spirv::{Op, StorageClass};

use super::globals::Globals;
use super::head::LinkedEntryPoint;

/// By new id: the ids that it refers to.
pub(super) struct References {
    /// Those of one id stand together.
    edges: Vec<(u32, u32)>,
    /// By id: 1 + the index of its first, or 0.
    first: Vec<u32>,
}

impl References {
    /// Those of functions, and of constants that are made of addresses; all ids are below `bound`.
    pub fn new(of_functions: &[(u32, u32)], of_constants: &[(u32, u32)], bound: u32) -> References {
        let edges = [of_functions, of_constants].concat();
        let mut first = vec![0; bound as usize];
        for (number, &(from, _)) in (1..).zip(&edges) {
            let first = &mut first[from as usize];
            if *first == 0 {
                *first = number;
            }
        }
        References { edges, first }
    }

    /// All of them.
    pub fn all(&self) -> &[(u32, u32)] {
        &self.edges
    }

    /// The ids that an id refers to.
    pub fn of(&self, from: u32) -> impl Iterator<Item = u32> {
        let start = self.first[from as usize].checked_sub(1).map_or(self.edges.len(), |first| first as usize);
        self.edges[start..].iter().take_while(move |edge| edge.0 == from).map(|edge| edge.1)
    }

    /// By id: true if these ids reach it; they reach themselves.
    pub fn reached(&self, mut open: Vec<u32>) -> Vec<bool> {
        let mut reached = vec![false; self.first.len()];
        while let Some(from) = open.pop() {
            if !std::mem::replace(&mut reached[from as usize], true) {
                open.extend(self.of(from));
            }
        }
        reached
    }
}

/// The first version in which interface lists have all module-scope variables (specification, OpEntryPoint); before that, only inputs
/// and outputs.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// Adds the variables that an entry point reaches and does not list: only if it reaches a function of another module, or if the version
/// is now one in which lists have more. Omissions of a compiler are not corrected.
pub(super) fn complete_interfaces(
    entry_points: &mut [LinkedEntryPoint],
    version: u32,
    versions: &[u32],
    globals: &Globals,
    sources: &[(u32, usize)],
    references: &References,
) {
    let variables = variables(globals);
    if entry_points.is_empty() || variables.is_empty() {
        return;
    }
    let raised = |unit: usize| versions[unit] < ALL_VARIABLES && version >= ALL_VARIABLES;
    let sources: HashMap<u32, usize> = sources.iter().copied().collect();
    let crosses = |&(from, to): &(u32, u32)| match (sources.get(&from), sources.get(&to)) {
        (Some(from), Some(to)) => from != to,
        _ => false,
    };
    let is_raised = entry_points.iter().any(|entry| raised(entry.unit));
    if !is_raised && !references.all().iter().any(crosses) {
        return;
    }
    for entry in entry_points {
        let function = entry.function();
        let mut reached = vec![function];
        let mut seen: HashMap<u32, ()> = HashMap::from([(function, ())]);
        let mut next = 0;
        let mut crossed = raised(entry.unit);
        while let Some(&from) = reached.get(next) {
            next += 1;
            crossed |= sources.get(&from).is_some_and(|&unit| unit != entry.unit);
            for to in references.of(from) {
                if seen.insert(to, ()).is_none() {
                    reached.push(to);
                }
            }
        }
        if !crossed {
            continue;
        }
        entry.words[entry.interface..].iter().for_each(|listed| {
            seen.remove(listed);
        });
        let is_listed = |class: StorageClass| {
            version >= ALL_VARIABLES || matches!(class, StorageClass::Input | StorageClass::Output)
        };
        let mut missing: Vec<u32> = reached.into_iter().filter(|id| seen.contains_key(id)).collect();
        missing.retain(|id| variables.get(id).is_some_and(|&class| is_listed(class)));
        missing.sort_unstable();
        entry.words.extend(missing);
        entry.words[0] = entry.words[0] & 0xffff | (entry.words.len() as u32) << 16;
    }
}

/// The variables of the result with their storage classes.
fn variables(globals: &Globals) -> HashMap<u32, StorageClass> {
    let mut variables = HashMap::new();
    let mut at = 0;
    while let Some(&first) = globals.words.get(at) {
        let words = &globals.words[at..at + (first >> 16) as usize];
        let is_variable = [Op::Variable, Op::UntypedVariableKHR].iter().any(|&op| first as u16 == op as u16);
        if let (true, &[_, _, id, class, ..]) = (is_variable, words)
            && let Some(class) = StorageClass::from_u32(class)
        {
            variables.insert(id, class);
        }
        at += words.len();
    }
    variables
}
