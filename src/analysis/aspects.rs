//! The aspects that requirements imply.
//!
//! Code requires an aspect if it requires a capability that only devices with the aspect have (`spec-extensions/capability-aspects.csv`).
//! It also does if [`AspectSources`](super::requirements::aspect_sources::AspectSources) list the aspect for a type or function.

use std::sync::{LazyLock, OnceLock};

use super::references::summaries::RequirementSummary;
use super::requirements::{Requirement, RequirementId};
use crate::collections::IdMap;
use crate::condition::{ConditionError, ConditionId, Conditions};
use crate::device::capabilities;

/// The aspects that requirements imply in a module.
#[derive(Debug)]
pub struct Aspects {
    of_kernels: bool,
    /// The implied aspects, by number of the requirement, filled on first use: most modules have few.
    implied: Vec<OnceLock<Vec<u32>>>,
}

impl Aspects {
    /// Creates the aspects of a module of kernels ([`is_of_kernels`](super::requirements::is_of_kernels)) or of shaders. Requirements of
    /// shaders imply fewer aspects.
    ///
    /// A requirement implies an aspect if each of its alternatives implies the aspect.
    pub fn new(of_kernels: bool) -> Aspects {
        Aspects { of_kernels, implied: RequirementId::all().map(|_| OnceLock::new()).collect() }
    }

    /// Returns the aspects that all modules share, computed once.
    pub fn get(of_kernels: bool) -> &'static Aspects {
        static KERNELS: LazyLock<Aspects> = LazyLock::new(|| Aspects::new(true));
        static SHADERS: LazyLock<Aspects> = LazyLock::new(|| Aspects::new(false));
        if of_kernels { &KERNELS } else { &SHADERS }
    }

    /// Returns the aspects that a requirement implies, in ascending order.
    pub fn implied(&self, id: RequirementId) -> &[u32] {
        let known = self.implied.get(id.index()).map(|known| known.get_or_init(|| self.implied_by(id)));
        known.map_or(&[], Vec::as_slice)
    }

    fn implied_by(&self, id: RequirementId) -> Vec<u32> {
        match id.get() {
            Requirement::Aspect(aspect) => vec![*aspect],
            Requirement::Extensions(_) | Requirement::Feature(_) => Vec::new(),
            Requirement::Capabilities(any) => {
                let aspects_of = |capability| capabilities::required_aspects(capability, self.of_kernels);
                let common = any
                    .iter()
                    .map(|&capability| aspects_of(capability))
                    .reduce(|common, other| &common & &other);
                common.into_iter().flatten().collect()
            }
        }
    }

    /// Returns the aspects that a requirement summary implies, and when. Conditions are of the same arena as the summary's.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn implied_by_summary(
        &self,
        summary: &RequirementSummary,
        conditions: &mut Conditions,
    ) -> Result<IdMap<ConditionId>, ConditionError> {
        let mut aspects: IdMap<ConditionId> = IdMap::new();
        for (id, condition) in summary.iter() {
            for &aspect in self.implied(id) {
                let before = aspects.get(&aspect).copied().unwrap_or(ConditionId::FALSE);
                aspects.insert(aspect, conditions.or(before, condition)?);
            }
        }
        Ok(aspects)
    }
}
