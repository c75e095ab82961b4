//! In which order globals are written: a variable before what is made of its address.

use std::collections::BTreeSet;

use super::globals::before_functions;
use super::unit::{Fate, Unit};
use crate::loader::{Place, Section, grammar};

/// The modules in an order in which each comes after those of whose variables its globals are made, as far as there is one. Without such
/// variables, the order in which they are given.
pub(super) fn order(units: &[Unit]) -> Vec<usize> {
    let needs: Vec<BTreeSet<usize>> = units.iter().map(needs).collect();
    let mut order = Vec::with_capacity(units.len());
    let mut seen = vec![false; units.len()];
    let mut open: Vec<(usize, bool)> = (0..units.len()).rev().map(|unit| (unit, false)).collect();
    while let Some((unit, done)) = open.pop() {
        if done {
            order.push(unit);
        } else if !std::mem::replace(&mut seen[unit], true) {
            open.push((unit, true));
            open.extend(needs[unit].iter().rev().map(|&need| (need, false)));
        }
    }
    order
}

/// The modules whose variables the globals of a module are made of.
fn needs(unit: &Unit) -> BTreeSet<usize> {
    let casts = unit.fates.values().filter_map(|fate| match fate {
        Fate::Cast(other) => Some(other.0 as usize),
        _ => None,
    });
    let mut needs: BTreeSet<usize> = casts.collect();
    if unit.fates.iter().all(|(&id, _)| unit.module.function(id).is_some()) {
        return needs;
    }
    for inst in before_functions(unit.module) {
        let place = grammar::layout(inst.opcode()).map(|layout| layout.place);
        if !matches!(place, Some(Place::Section(Section::Types) | Place::Types)) {
            continue;
        }
        let result = inst.result_id();
        unit.module.walk(&inst, &mut |_, id: u32| {
            if Some(id) != result
                && let Some(Fate::Same((other, _))) = unit.fates.get(&id)
                && unit.module.function(id).is_none()
            {
                needs.insert(*other as usize);
            }
        });
    }
    needs
}
