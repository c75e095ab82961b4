//! Aspects: which of them code needs, and which of them functions declare.
//!
//! Code needs an aspect where it demands a capability that only devices with the aspect have
//! (`spec-extensions/capability-aspects.csv`), or where [`AspectSources`] say that a type or function needs it (seed "optional
//! kernel features", `!intel_types_that_use_aspects` and `!intel_used_aspects`).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use spirv::Op;
use thiserror::Error;

use super::demands::Demand;
use super::names::{Names, without_number};
use super::requirements::{Requirement, RequirementId};
use super::sycl_properties;
use crate::condition::{Condition, ConditionError, Conditions};
use crate::device::{aspects, capabilities, csv};
use crate::loader::Module;

/// The property by which DPC++ writes the aspects of `device_has`.
pub(super) const DEVICE_HAS: &str = "sycl-device-has";

/// An aspect that `spec-extensions/aspects.csv` does not have.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error("aspect {0} is not known")]
pub struct UnknownAspect(pub u32);

/// Declared aspects that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AspectError {
    /// The property is no list of numbers.
    #[error(
        "function '{function}' (byte offset {offset:#x}): `{value}` in its property `sycl-device-has` is not the number of \
         an aspect"
    )]
    DeviceHas {
        /// The decorated function.
        function: String,
        /// What stands where a number should.
        value: String,
        /// Where the decoration stands, in bytes.
        offset: u64,
    },
}

/// What is said of aspects beside what the instructions tell. Nothing by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AspectSources {
    /// By the name of a struct type: the aspects that code needs that refers to the type. A number that LLVM put behind the name
    /// to make it unique is passed over.
    pub types: BTreeMap<String, BTreeSet<u32>>,
    /// By function: the aspects that it needs, beside those of what it does.
    pub used: BTreeMap<u32, BTreeSet<u32>>,
    /// By function: the aspects that it declares, beside those of its decorations.
    pub declared: BTreeMap<u32, BTreeSet<u32>>,
}

impl AspectSources {
    /// The types of DPC++'s headers that need aspects (`spec-extensions/type-aspects.csv`).
    pub fn dpcpp() -> AspectSources {
        let mut sources = AspectSources::default();
        for [name, aspect, _source] in csv::rows(include_str!("../../spec-extensions/type-aspects.csv")) {
            let aspects = sources.types.entry(name.to_owned()).or_default();
            aspects.extend(aspects::number(aspect));
        }
        sources
    }

    /// The types and functions of a module that need aspects by themselves.
    pub fn needs(&self, module: &Module, names: &Names) -> Vec<(u32, &BTreeSet<u32>)> {
        let mut found: Vec<_> = self.used.iter().map(|(&function, used)| (function, used)).collect();
        if !self.types.is_empty() {
            let is_struct = |id: &u32| module.definition_as(*id, Op::TypeStruct).is_some();
            for id in names.named().filter(is_struct) {
                found.extend(names.name(id).and_then(|name| self.of_type(&name)).map(|used| (id, used)));
            }
        }
        found
    }

    fn of_type(&self, name: &str) -> Option<&BTreeSet<u32>> {
        self.types.get(name).or_else(|| self.types.get(&*without_number(name)?))
    }
}

/// Which aspects follow from requirements in a module.
#[derive(Clone, Debug)]
pub struct Aspects {
    /// By number of the requirement.
    implied: Vec<Vec<u32>>,
}

impl Aspects {
    /// For a module of kernels ([`is_of_kernels`](super::requirements::is_of_kernels)), or of shaders, of which less follows.
    ///
    /// A requirement implies an aspect if everything implies it that would meet the requirement.
    pub fn new(of_kernels: bool) -> Aspects {
        let implied = |id: RequirementId| match id.get() {
            Requirement::Aspect(aspect) => vec![*aspect],
            Requirement::Extensions(_) => Vec::new(),
            Requirement::Capabilities(any) => {
                let each =
                    any.iter().map(|&capability| capabilities::needed_aspects(capability as u32, of_kernels));
                let common: Option<BTreeSet<u32>> = each.reduce(|common, other| &common & &other);
                common.into_iter().flatten().collect()
            }
        };
        Aspects { implied: RequirementId::all().map(implied).collect() }
    }

    /// The same, worked out once for all modules.
    pub fn get(of_kernels: bool) -> &'static Aspects {
        static KERNELS: LazyLock<Aspects> = LazyLock::new(|| Aspects::new(true));
        static SHADERS: LazyLock<Aspects> = LazyLock::new(|| Aspects::new(false));
        if of_kernels { &KERNELS } else { &SHADERS }
    }

    /// The aspects that a requirement implies, in ascending order.
    pub fn of(&self, id: RequirementId) -> &[u32] {
        self.implied.get(id.index()).map_or(&[], Vec::as_slice)
    }

    /// The aspects that a demand implies, and when. Conditions are of the same arena as the demand's.
    ///
    /// # Errors
    /// Where a condition is out of bounds.
    pub fn of_demand(
        &self,
        demand: &Demand,
        conditions: &mut Conditions,
    ) -> Result<BTreeMap<u32, Condition>, ConditionError> {
        let mut aspects: BTreeMap<u32, Condition> = BTreeMap::new();
        for (id, condition) in demand.iter() {
            for &aspect in self.of(id) {
                let before = aspects.get(&aspect).copied().unwrap_or(Condition::FALSE);
                aspects.insert(aspect, conditions.or(before, condition)?);
            }
        }
        Ok(aspects)
    }
}

/// The aspects that functions declare: what `[[sycl::device_has()]]` lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeclaredAspects {
    functions: BTreeMap<u32, BTreeSet<u32>>,
}

impl DeclaredAspects {
    /// Reads what the decorations of functions say, and adds what the sources do.
    ///
    /// # Errors
    /// Where a decoration lists something else than numbers.
    pub fn read(
        module: &Module,
        names: &Names,
        sources: &AspectSources,
    ) -> Result<DeclaredAspects, AspectError> {
        #[cfg(test)]
        crate::analysis::tally::note("declared aspects", module, sources);
        let mut functions = sources.declared.clone();
        for (function, properties) in sycl_properties::of_functions(module, DEVICE_HAS) {
            let declared = functions.entry(function).or_default();
            for property in &properties {
                declared.extend(property.numbers().map_err(|value| AspectError::DeviceHas {
                    function: names.function_name(function).short().into_owned(),
                    value: value.to_owned(),
                    offset: u64::from(property.offset) * 4,
                })?);
            }
        }
        Ok(DeclaredAspects { functions })
    }

    /// The aspects that a function declares; `None` if it says nothing of them, so may need any.
    pub fn of(&self, function: u32) -> Option<&BTreeSet<u32>> {
        self.functions.get(&function)
    }

    /// Whether no function declares any.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty()
    }

    /// The functions that declare aspects, by ascending id.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &BTreeSet<u32>)> {
        self.functions.iter().map(|(&function, declared)| (function, declared))
    }
}
