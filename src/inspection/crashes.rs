//! Defects of drivers that valid modules run into (`spec-extensions/driver-defects.csv`), and the instructions of a module on which the compiler
//! of a driver is known to crash.

use std::sync::LazyLock;

use serde::Serialize;

use super::cite::Cited;
use super::model::Name;
use super::study::Study;
use crate::analysis::{LoopPhi, SourceLocation, crashing_phis};
use crate::loader::views;
use crate::text::csv;

/// A shape of valid code that a driver has a defect with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefectPattern {
    /// See [`crashing_phis`].
    BooleanLoopPhi,
}

/// The pattern of each row of the table.
const PATTERNS: [(&str, DefectPattern); 1] = [(
    "Boolean OpPhi of a loop header whose value for the back edge is from before the loop",
    DefectPattern::BooleanLoopPhi,
)];

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct DriverDefect {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: &'static str,
    /// The versions that were seen to have the defect.
    pub versions: &'static str,
    /// The pattern.
    pub pattern: DefectPattern,
}

/// The rows of the table.
pub fn driver_defects() -> &'static [DriverDefect] {
    static DEFECTS: LazyLock<Vec<DriverDefect>> = LazyLock::new(|| {
        let rows = csv::rows(include_str!("../../spec-extensions/driver-defects.csv"));
        rows.filter_map(|[driver, versions, pattern, _effect, _avoided_by, _case]: [&str; 6]| {
            let pattern = PATTERNS.iter().find(|(name, _)| *name == pattern)?.1;
            Some(DriverDefect { driver, versions, pattern })
        })
        .collect()
    });
    &DEFECTS
}

/// An instruction on which the compiler of a driver is known to crash, though it is valid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Crash {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: Name,
    /// The versions of the driver that were seen to crash.
    pub versions: Name,
    /// The function that it stands in.
    pub function: String,
    /// The instruction.
    pub instruction: Cited,
}

impl Study<'_, '_> {
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
                driver: Name::Borrowed(defect.driver),
                versions: Name::Borrowed(defect.versions),
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Each row has a pattern that is looked for, a case that shows it, and a work-around that the case runs.
    #[test]
    fn rows_are_known_and_shown() {
        let text = include_str!("../../spec-extensions/driver-defects.csv");
        let mut count = 0;
        for [driver, _, pattern, _, _, case] in csv::rows(text) {
            assert!(PATTERNS.iter().any(|(name, _)| *name == pattern), "{pattern}");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/tests/cases").join(case);
            let case =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(case.contains(&format!("--work-around {driver}")), "{}", path.display());
            count += 1;
        }
        assert_eq!(driver_defects().len(), count);
        assert!(
            PATTERNS.iter().all(|(_, pattern)| driver_defects().iter().any(|row| row.pattern == *pattern))
        );
    }
}
