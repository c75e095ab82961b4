//! What a runtime knows when it loads a module: whether the device will do, and which constants to set (seeds "device_if"
//! and "optional kernel features", "Changes to the DPC++ runtime").

mod declarations;
mod device_values;
mod fit;
mod refusal;
mod requirements;

pub use declarations::Declarations;
pub use device_values::{DeviceValues, settled};
pub use fit::{Fit, Fits, Missing};
pub use refusal::refused;
pub use requirements::{RequirementsError, Unmet, unmet, unmet_ahead_of_time};
