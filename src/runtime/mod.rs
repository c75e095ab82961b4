//! What a runtime knows when it loads a module: whether the device will do, and which constants to set (seeds "device_if"
//! and "optional kernel features", "Changes to the DPC++ runtime").

mod declarations;
mod fit;
mod known;
mod refusal;
mod requirements;
mod told;

pub use declarations::Declarations;
pub use fit::{Fit, Fits, Missing};
pub use known::{KnownOn, settled};
pub use refusal::refused;
pub use requirements::{RequirementsError, Unmet, unmet, unmet_ahead_of_time};
pub use told::Told;
