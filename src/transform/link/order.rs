//! The order in which globals are written: a variable before the constants computed from its address.

use std::collections::BTreeSet;

use super::globals::before_functions;
use super::unit::{LinkUnit, Replacement};
use crate::loader::{Place, Section, grammar};

/// The modules in an order in which each comes after those with variables that its globals depend on, as far as possible. Without such
/// dependencies, the order of the input.
pub(super) fn order(units: &[LinkUnit]) -> Vec<usize> {
    let dependencies: Vec<BTreeSet<usize>> = units.iter().map(dependencies).collect();
    let mut order = Vec::with_capacity(units.len());
    let mut seen = vec![false; units.len()];
    let mut open: Vec<(usize, bool)> = (0..units.len()).rev().map(|unit| (unit, false)).collect();
    while let Some((unit, done)) = open.pop() {
        if done {
            order.push(unit);
        } else if !std::mem::replace(&mut seen[unit], true) {
            open.push((unit, true));
            open.extend(dependencies[unit].iter().rev().map(|&unit| (unit, false)));
        }
    }
    order
}

/// The modules with variables that the globals of a module depend on.
fn dependencies(unit: &LinkUnit) -> BTreeSet<usize> {
    let casts = unit.replacements.values().filter_map(|replacement| match replacement {
        Replacement::Cast(other) => Some(other.0 as usize),
        _ => None,
    });
    let mut dependencies: BTreeSet<usize> = casts.collect();
    if unit.replacements.iter().all(|(&id, _)| unit.module.is_function(id)) {
        return dependencies;
    }
    for inst in before_functions(unit.module) {
        let place = grammar::layout(inst.opcode()).map(|layout| layout.place);
        if !matches!(place, Some(Place::Section(Section::Types) | Place::Types)) {
            continue;
        }
        let result = inst.result_id();
        unit.module.walk(&inst, &mut |_, id: u32| {
            if Some(id) != result
                && let Some(Replacement::Same((other, _))) = unit.replacements.get(&id)
                && !unit.module.is_function(id)
            {
                dependencies.insert(*other as usize);
            }
        });
    }
    dependencies
}
