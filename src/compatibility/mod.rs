//! Compatibility of devices and modules: missing features, and values of the constants that depend on the
//! device (docs/design/device-if.md, "Changes to the DPC++ runtime"; docs/design/optional-kernel-features.md,
//! "Changes to the DPC++ runtime").

mod declarations;
mod device_values;
mod driver;
mod driver_defects;
mod fit;
mod missing;
mod requirements;

pub use declarations::ModuleDeclarations;
pub use device_values::{CommonValues, DeviceValues, common_values, known_values};
pub use driver::missing_declarations;
pub(crate) use driver_defects::{DefectPattern, DriverDefect, driver_defects};
pub use fit::{Fit, Fits};
pub(crate) use missing::label;
pub use missing::{Missing, Refused};
pub use requirements::{
    CheckedRequirements, RequirementsError, check_requirements, missing_ahead_of_time, missing_requirements,
};
