//! Compatibility of devices and modules: verdicts, missing features, and values of the constants that depend on the
//! device (docs/design/device-if.md, "Changes to the DPC++ runtime"; docs/design/optional-kernel-features.md,
//! "Changes to the DPC++ runtime").

mod compared_feature;
mod declarations;
mod device_remedy;
mod device_values;
mod driver_defects;
mod missing;
mod requirement_conditions;
mod requirements;
mod verdict;

pub use compared_feature::ComparedFeature;
pub use declarations::{EntryRequirements, ModuleDeclarations, disjunction};
pub use declarations::{MULTI_TARGET_EXTENSION, is_of_multi_target};
pub use device_remedy::DeviceRemedy;
pub use device_values::{CommonValues, DeviceValues, common_values, known_values};
pub use driver_defects::{
    DefectPattern, DefectPlace, DriverDefect, defects_of, driver_defects, fails_on_driver,
};
pub use missing::{ClauseCounts, clause, label};
pub use missing::{Missing, Refused};
pub use requirement_conditions::requirements_of_drivers;
pub use requirements::{check_requirements, explained_aspects};
pub use verdict::{Compatibility, DeviceResults, Verdict};
