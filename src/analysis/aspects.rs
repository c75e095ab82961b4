//! The aspects that requirements imply.
//!
//! Code requires an aspect where it requires a capability that only devices with the aspect have
//! (`spec-extensions/capability-aspects.csv`), or where
//! [`AspectSources`](super::requirements::aspect_sources::AspectSources) list it for a type or function.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use super::references::summaries::RequirementSummary;
use super::requirements::{Requirement, RequirementId};
use crate::condition::{Condition, ConditionError, Conditions};
use crate::device::capabilities;

/// The aspects that requirements imply in a module.
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
                    any.iter().map(|&capability| capabilities::required_aspects(capability, of_kernels));
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

    /// The aspects that a requirement summary implies, and when. Conditions are of the same arena as the summary's.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn of_summary(
        &self,
        summary: &RequirementSummary,
        conditions: &mut Conditions,
    ) -> Result<BTreeMap<u32, Condition>, ConditionError> {
        let mut aspects: BTreeMap<u32, Condition> = BTreeMap::new();
        for (id, condition) in summary.iter() {
            for &aspect in self.of(id) {
                let before = aspects.get(&aspect).copied().unwrap_or(Condition::FALSE);
                aspects.insert(aspect, conditions.or(before, condition)?);
            }
        }
        Ok(aspects)
    }
}
