//! `check`: what a compiler would warn of.

use std::fmt;

use super::{Device, DeviceConfig, Error, Module};
use crate::check::{self as engine, Options};
use crate::device;

/// Something that a compiler would warn of. Displayed, what it would say: with a place it begins as compilers' warnings do,
/// `file:line:column: warning: `, else with `warning: `.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// Where in the source the cause is, as `file:line:column`.
    pub place: Option<String>,
    /// What is wrong, in words.
    pub message: String,
    /// The calls that lead to the cause: each function, and where the one before calls it.
    pub chain: Vec<(String, Option<String>)>,
    text: String,
}

impl Warning {
    pub(crate) fn of(warning: engine::Warning) -> Warning {
        Warning {
            message: warning.problem.to_string(),
            text: warning.text(),
            place: warning.place,
            chain: warning.chain.into_iter().map(|step| (step.function, step.place)).collect(),
        }
    }

    /// What comes after the word `warning: `: the message, and the call chain on lines of its own.
    pub fn text(&self) -> &str {
        &self.text
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "warning: {}", self.text)
    }
}

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
    let warnings = engine::check(&module.analyses(), &options)?;
    Ok(warnings.into_iter().map(Warning::of).collect())
}
