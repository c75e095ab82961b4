//! `check`: the warnings of a compiler.

use std::fmt;

use super::{Device, DeviceConfig, Error, Module};
use crate::check::{self as engine, CheckTargets};
use crate::device;

/// A warning in the form of a compiler's. Displayed, it begins with `file:line:column: warning: `, or without a source location with
/// `warning: `.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The location of the cause in the source, as `file:line:column`.
    pub place: Option<String>,
    /// The problem, in words.
    pub message: String,
    /// The call path to the cause: each function, and the location of its call in the function before.
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

    /// The text after the word `warning: `: the message, and the call path on lines of its own.
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

/// Options of [`check`].
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct CheckOptions {
    /// The devices that all code is meant for (`-fsycl-fixed-targets`); none by default.
    pub fixed_targets: Vec<Device>,
    /// The configuration of the devices: it gives the features of architectures, and the capabilities that are known. The embedded one, if
    /// none is given.
    pub devices: Option<DeviceConfig>,
}

/// Finds the warnings: of aspects that functions use and do not list, of expectations of kernels that functions of other modules do not meet,
/// then of missing features of the fixed targets; each in the order of the functions in the module.
///
/// # Errors
/// If the module or its annotations are malformed.
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
    let options = CheckTargets { fixed_targets: &options.fixed_targets, devices };
    let warnings = engine::check(&module.analyses(), &options)?;
    Ok(warnings.into_iter().map(Warning::of).collect())
}
