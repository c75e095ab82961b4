//! Defects of drivers that valid modules run into (`spec-extensions/driver-defects.csv`).

use std::sync::LazyLock;

use crate::analysis::{LoopPhi, crashing_phis, pointer_expressions};
use crate::condition::{Expr, Truth, evaluate};
use crate::device::{Device, DeviceNames};
use crate::loader::Module;
use crate::text::csv;

/// Pattern of valid code that a driver has a defect with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DefectPattern {
    /// See `crashing_phis`.
    BooleanLoopPhi,
    /// See `pointer_expressions`.
    PointerExpression,
}

/// The name of each pattern in the table.
const PATTERNS: [(&str, DefectPattern); 2] = [
    ("Boolean OpPhi of a loop header", DefectPattern::BooleanLoopPhi),
    ("OpSpecConstantOp of a pointer", DefectPattern::PointerExpression),
];

/// An instruction of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DefectPlace {
    /// The function that contains it; `None` outside of functions.
    pub function: Option<u32>,
    /// The offset, in words.
    pub offset: u32,
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct DriverDefect {
    /// The driver, as `spirv-if specialize --work-around` calls it.
    pub driver: &'static str,
    /// Versions known to have the defect.
    pub versions: &'static str,
    /// The pattern.
    pub pattern: DefectPattern,
    /// The name of the pattern.
    pub construct: &'static str,
    /// Name of the code that replaces it.
    pub avoided_by: &'static str,
    /// The condition that a device has one of these versions of the driver.
    when: Expr,
}

/// Returns the rows of the table.
pub fn driver_defects() -> &'static [DriverDefect] {
    static DEFECTS: LazyLock<Vec<DriverDefect>> = LazyLock::new(|| {
        let rows = csv::rows(include_str!("../../spec-extensions/driver-defects.csv"));
        rows.filter_map(|[driver, versions, construct, _effect, avoided_by, _case]: [&'static str; 6]| {
            let pattern = PATTERNS.iter().find(|(name, _)| *name == construct)?.1;
            let when = Expr::parse(&condition(driver, versions), &DeviceNames).ok()?;
            Some(DriverDefect { driver, versions, pattern, construct, avoided_by, when })
        })
        .collect()
    });
    &DEFECTS
}

/// Returns the text of the condition that a device has a driver in these versions: one version, or signs and versions.
fn condition(driver: &str, versions: &str) -> String {
    let words: Vec<&str> = versions.split(' ').collect();
    match &words[..] {
        [version] => format!("driver({driver}) == {version}"),
        words => {
            let all = words.chunks(2).map(|pair| format!("driver({driver}) {}", pair.join(" ")));
            all.collect::<Vec<_>>().join(" && ")
        }
    }
}

impl DriverDefect {
    /// Returns the condition that a device has one of these versions of the driver.
    pub fn when(&self) -> &Expr {
        &self.when
    }

    /// Returns true if a device is known to have the driver in a version with the defect.
    pub fn affects(&self, device: &Device) -> bool {
        device.driver.is_some()
            && evaluate(&self.when, &|leaf| device.truth(leaf)).is_ok_and(|truth| truth == Truth::True)
    }
}

impl DefectPattern {
    /// Returns the instructions of the pattern in a module, in its order.
    pub fn places(self, module: &Module) -> Vec<DefectPlace> {
        match self {
            DefectPattern::BooleanLoopPhi => {
                let phis = crashing_phis(module).into_iter();
                let place = |phi: LoopPhi| DefectPlace { function: Some(phi.function), offset: phi.offset };
                let mut places: Vec<DefectPlace> = phis.map(place).collect();
                places.dedup();
                places
            }
            DefectPattern::PointerExpression => {
                let offsets = pointer_expressions(module).into_iter();
                offsets.map(|offset| DefectPlace { function: None, offset }).collect()
            }
        }
    }
}

/// Returns the defects of the driver that a device is known to have.
pub fn defects_of(device: &Device) -> impl Iterator<Item = &'static DriverDefect> {
    driver_defects().iter().filter(|defect| defect.affects(device))
}

/// Returns true if the compiler of the driver that a device is known to have fails at a module.
pub fn fails_on_driver(device: &Device, module: &Module) -> bool {
    defects_of(device).any(|defect| !defect.pattern.places(module).is_empty())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::device::DeviceParts;

    #[test]
    fn versions_are_one_or_a_range() {
        assert_eq!(condition("nvidia", "580.159.04"), "driver(nvidia) == 580.159.04");
        let range = condition("qualcomm", ">= 512.500 < 512.800");
        assert_eq!(range, "driver(qualcomm) >= 512.500 && driver(qualcomm) < 512.800");
        let affects = |driver: &str| {
            let device = DeviceParts::new().driver(driver).to_device(None).unwrap();
            driver_defects().iter().any(|defect| defect.affects(&device))
        };
        assert!(affects("nvidia 580.159.4"));
        for other in ["nvidia 580.159.3", "nvidia 581", "nvidia", "nvk 580.159.4"] {
            assert!(!affects(other), "{other}");
        }
        assert!(driver_defects().iter().all(|defect| !defect.affects(&Device::default())));
    }

    /// Checks that each row has a known pattern, a case on which its work-around acts, and that no driver can compile if one crashes.
    #[test]
    fn rows_are_known_and_shown() {
        let text = include_str!("../../spec-extensions/driver-defects.csv");
        let mut count = 0;
        for [driver, _, pattern, effect, _, case] in csv::rows(text) {
            assert!(PATTERNS.iter().any(|(name, _)| *name == pattern), "{pattern}");
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cli/tests/cases").join(case);
            let case =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(case.contains(&format!("--work-around {driver}")), "{}", path.display());
            let is_compiled = case.contains("OpEntryPoint");
            assert!(!(is_compiled && effect.contains("crash")), "{}: a driver would crash", path.display());
            count += 1;
        }
        assert_eq!(driver_defects().len(), count, "each row has a driver and versions that conditions name");
        assert!(
            PATTERNS.iter().all(|(_, pattern)| driver_defects().iter().any(|row| row.pattern == *pattern))
        );
    }
}
