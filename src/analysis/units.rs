//! Translation units. A compiler sees one at a time, so functions of a unit do not know the requirements of functions
//! of other units (docs/design/optional-kernel-features.md, "Error checking for SYCL_EXTERNAL functions").

use std::collections::BTreeSet;

use super::annotated::Annotated;
use crate::collections::{IdMap, OrderedMap};

/// The translation units of functions, as far as they are known.
#[derive(Debug, Default)]
pub struct Units {
    /// The number of each function's unit.
    by_function: IdMap<usize>,
    /// The aspects that declarations in other units list, by function and by unit.
    promised: IdMap<OrderedMap<usize, BTreeSet<u32>>>,
    are_several: bool,
}

impl Units {
    /// Returns the modules that a program was linked from. For a module that was not linked here, these are the units that `sources` name.
    pub fn new(annotated: &Annotated, sources: &IdMap<String>) -> Units {
        let by_function: IdMap<usize> = if annotated.units.is_empty() {
            let mut numbers = OrderedMap::new();
            let mut number = |source| {
                let next = numbers.len();
                *numbers.entry(source).or_insert(next)
            };
            sources.iter().map(|(&function, source)| (function, number(source))).collect()
        } else {
            annotated.units.clone()
        };
        let first = by_function.values().next();
        let are_several = by_function.values().any(|unit| Some(unit) != first);
        Units { are_several, promised: annotated.promised.clone(), by_function }
    }

    /// Returns true if functions are known to be of different units.
    pub fn are_several(&self) -> bool {
        self.are_several
    }

    /// Returns the unit of a function; `None` if it is not known.
    pub fn unit(&self, function: u32) -> Option<usize> {
        self.by_function.get(&function).copied()
    }

    /// Returns true unless a function is known to be of another unit than this one.
    pub fn may_contain(&self, unit: Option<usize>, function: u32) -> bool {
        match (unit, self.unit(function)) {
            (Some(unit), Some(other)) => unit == other,
            _ => true,
        }
    }

    /// Returns the aspects that the declaration of another unit's function lists in a unit.
    pub fn promised(&self, unit: Option<usize>, function: u32) -> Option<&BTreeSet<u32>> {
        self.promised.get(&function)?.get(&unit?)
    }
}
