//! Defects of drivers that valid modules run into (`spec-extensions/driver-defects.csv`).

use std::sync::LazyLock;

use crate::text::csv;

/// Pattern of valid code that a driver has a defect with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefectPattern {
    /// See [`crashing_phis`](crate::analysis::crashing_phis).
    BooleanLoopPhi,
}

/// The pattern of each row of the table.
const PATTERNS: [(&str, DefectPattern); 1] =
    [("Boolean OpPhi of a loop header", DefectPattern::BooleanLoopPhi)];

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct DriverDefect {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: &'static str,
    /// Versions known to have the defect.
    pub versions: &'static str,
    /// The pattern.
    pub pattern: DefectPattern,
}

/// Returns the rows of the table.
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

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Checks that each row has a known pattern, a case on which its work-around acts, and that no driver can compile.
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
            assert!(!case.contains("OpEntryPoint"), "{}: a driver would compile it", path.display());
            count += 1;
        }
        assert_eq!(driver_defects().len(), count);
        assert!(
            PATTERNS.iter().all(|(_, pattern)| driver_defects().iter().any(|row| row.pattern == *pattern))
        );
    }
}
