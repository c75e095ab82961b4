//! The aspects that types and functions require besides those of their instructions (docs/design/optional-kernel-features.md, "New LLVM IR
//! metadata").

use std::collections::BTreeSet;
use std::sync::Arc;

use spirv::Op;
use thiserror::Error;

use crate::analysis::debug::names::{Names, without_number};
use crate::collections::{IdMap, OrderedMap};
use crate::device::aspects;
use crate::loader::Module;
use crate::text::csv;

/// An aspect that `spec-extensions/aspects.csv` does not have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("aspect {0} is not known")]
pub struct UnknownAspect(pub u32);

/// Aspects of types and functions besides those of their instructions. None by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AspectSources {
    /// The aspects that code requires which refers to a struct type, by the type's name. The number that LLVM appends to make a name unique
    /// is ignored. Copies share the table.
    pub types: Arc<OrderedMap<String, BTreeSet<u32>>>,
    /// The aspects that a function or structure type, or code that refers to it, requires besides those of instructions, by id.
    pub used: IdMap<BTreeSet<u32>>,
    /// The aspects that a function declares besides those of its decorations, by function.
    pub declared: IdMap<BTreeSet<u32>>,
}

impl AspectSources {
    /// Returns the types of DPC++'s headers that require aspects (`spec-extensions/type-aspects.csv`).
    pub fn dpcpp() -> AspectSources {
        let mut types: OrderedMap<String, BTreeSet<u32>> = OrderedMap::new();
        for [name, aspect, _source] in csv::rows(include_str!("../../../spec-extensions/type-aspects.csv")) {
            let aspects = types.entry(name.to_owned()).or_default();
            aspects.extend(aspects::number(aspect));
        }
        AspectSources { types: Arc::new(types), ..AspectSources::default() }
    }

    /// Returns the types and functions of a module that require aspects by themselves.
    pub fn aspects_in(&self, module: &Module, names: &Names) -> Vec<(u32, &BTreeSet<u32>)> {
        let mut holders: Vec<_> = self.used.iter().map(|(&function, used)| (function, used)).collect();
        if !self.types.is_empty() {
            let is_struct = |id: &u32| module.definition_as(*id, Op::TypeStruct).is_some();
            for id in names.named().filter(is_struct) {
                holders.extend(names.name(id).and_then(|name| self.of_type(&name)).map(|used| (id, used)));
            }
        }
        holders
    }

    fn of_type(&self, name: &str) -> Option<&BTreeSet<u32>> {
        self.types.get(name).or_else(|| self.types.get(&*without_number(name)?))
    }
}
