//! Completion of the interface lists of entry points, which may now reach variables of other modules.

use std::collections::HashMap;

use spirv::{Op, StorageClass};

use super::globals::Globals;
use super::head::LinkedEntryPoint;
use super::references::References;

/// The first version in which interface lists have all module-scope variables (specification, OpEntryPoint); before that, only inputs
/// and outputs.
const ALL_VARIABLES: u32 = 0x0001_0400;

/// Adds the variables that an entry point reaches and does not list: only if it reaches a function of another module, or if the version
/// is now one in which lists have more. Omissions of a compiler are not corrected.
pub(super) fn complete(
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
