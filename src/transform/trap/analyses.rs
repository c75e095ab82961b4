//! Analyses of a module that serve all devices, independent of their missing features.

use std::sync::OnceLock;

use super::constants::{FunctionCalls, TriedValues};
use super::lacked::{LackedFeatures, PossibleRequirements};
use super::plan::TrapPlan;
use super::required::CodeRequirements;
use super::{Trap, retype};
use crate::analysis::{Analyses, AnalysisError};
use crate::device::Device;

/// The analyses of one module for traps, and for values of constants that make them unnecessary: each is run when its result is first used.
#[derive(Default)]
pub struct TrapAnalyses {
    possible: OnceLock<PossibleRequirements>,
    pub(super) code: CodeRequirements,
    pub(super) calls: OnceLock<FunctionCalls>,
    pub(super) tried: OnceLock<TriedValues>,
}

impl TrapAnalyses {
    /// Returns the features that a device is known not to have. `analyses` are those of the module.
    pub fn lacked(&self, analyses: &Analyses, device: &Device) -> LackedFeatures {
        let possible = self.possible.get_or_init(|| PossibleRequirements::new(analyses));
        possible.lacked(&analyses.device_for_module(device))
    }

    /// Returns false if no trap can help a device without some features to run the module.
    ///
    /// # Errors
    /// If conditional code is malformed, or annotations name an unknown aspect.
    pub fn may_trap(&self, analyses: &Analyses, lacked: &LackedFeatures) -> Result<bool, AnalysisError> {
        tally!("places of traps", analyses.module(), &lacked.requirements);
        Ok(retype(analyses, &self.code, lacked)?.is_some()
            || TrapPlan::new(analyses, &self.code, lacked, &Trap::Silent)?.helps())
    }
}
