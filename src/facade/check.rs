//! `check`: what a compiler would warn of.

use super::{Device, DeviceConfig, Error, Module};
use crate::check::Options;
use crate::device;

pub use crate::check::Warning;

/// What to check a module against.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The devices that all code is meant for (`-fsycl-fixed-targets`); none by default.
    pub fixed_targets: Vec<Device>,
    /// The configuration that the devices are of: it tells what devices of an architecture have, and which capabilities it tells
    /// of. The embedded one, if none is given.
    pub devices: Option<DeviceConfig>,
}

/// Finds what there is to warn of: aspects that functions use and do not list, what kernels expect of functions of other modules,
/// then what the fixed targets lack; each in the order of the functions in the module.
///
/// # Errors
/// Where the module, or what is said of it, is malformed.
///
/// ```
/// use spirv_if::{CheckOptions, Device, Module, check};
/// let bytes = std::fs::read("fixtures/opencl/plain.spv")?;
/// let mut options = CheckOptions::default();
/// options.fixed_targets = vec![Device::embedded("intel_gpu_acm_g10")?];
/// let warnings = check(&Module::from_bytes(&bytes)?, &options)?;
/// assert!(warnings[0].text().contains("fixed target 'intel_gpu_acm_g10' does not have"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(module: &Module, options: &CheckOptions) -> Result<Vec<Warning>, Error> {
    let devices = match &options.devices {
        Some(devices) => devices,
        None => device::embedded()?,
    };
    let options = Options { fixed_targets: &options.fixed_targets, devices };
    Ok(crate::check::check(&module.analyses(), &options)?)
}
