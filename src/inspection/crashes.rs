//! Instructions on which the compiler of a driver is known to crash.

use serde::Serialize;

use super::cite::Cited;
use super::context::InspectContext;
use super::model::DeclarationName;
use crate::analysis::{LoopPhi, SourceLocation, crashing_phis};
use crate::compatibility::{DefectPattern, DriverDefect, driver_defects};
use crate::loader::views;

/// An instruction on which the compiler of a driver is known to crash, though it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crash {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: DeclarationName,
    /// The versions of the driver that were seen to crash.
    pub versions: DeclarationName,
    /// The function with the instruction.
    pub function: String,
    /// The instruction.
    pub instruction: Cited,
}

/// Returns the patterns of the defects.
pub(super) fn patterns(crashes: &[Crash]) -> Vec<DefectPattern> {
    let is_met = |defect: &&DriverDefect| {
        crashes.iter().any(|crash| crash.driver == defect.driver && crash.versions == defect.versions)
    };
    let mut patterns: Vec<DefectPattern> =
        driver_defects().iter().filter(is_met).map(|defect| defect.pattern).collect();
    patterns.dedup();
    patterns
}

impl InspectContext<'_, '_> {
    pub(super) fn crashes(&self) -> Vec<Crash> {
        let defects = driver_defects().iter();
        defects
            .flat_map(|defect| match defect.pattern {
                DefectPattern::BooleanLoopPhi => self.loop_phis(defect),
            })
            .collect()
    }

    fn loop_phis(&self, defect: &DriverDefect) -> Vec<Crash> {
        let mut phis = crashing_phis(self.module);
        phis.dedup_by_key(|phi| phi.offset);
        let crash = |phi: LoopPhi| {
            let id = views::Phi(self.module.instruction(phi.offset)).id();
            let name = self.names.name(id).filter(|name| !name.is_empty());
            let name = name.map_or_else(|| format!("%{id}"), |name| format!("`{name}`"));
            let place = self.analyses.debug_locations().location(phi.offset);
            Crash {
                driver: DeclarationName::Borrowed(defect.driver),
                versions: DeclarationName::Borrowed(defect.versions),
                function: self.names.function_name(phi.function).in_chain(),
                instruction: Cited {
                    opcode: format!("OpPhi {name}"),
                    offset: u64::from(phi.offset) * 4,
                    through: None,
                    place: place.map(SourceLocation::into_owned),
                },
            }
        };
        phis.into_iter().map(crash).collect()
    }
}
