//! Checking: the warnings of a compiler, about features that code uses without listing them.
//!
//! ```
//! use spirv_if::Module;
//! use spirv_if_sycl::check::{CheckOptions, check};
//! let bytes = std::fs::read("../fixtures/check/hw-g.spv")?;
//! let warnings = check(&Module::from_bytes(&bytes)?, &CheckOptions::new())?;
//! assert_eq!(warnings[0].rule, "unlisted-aspect");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::borrow::Cow;
use std::fmt;

use crate::checks::{self, CheckError, CheckTargets};
use spirv_if::Error;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::engine::analysis::{Analyses, SourceLocation};
use spirv_if::engine::device::{self, architectures, aspects};
use spirv_if::engine::metadata::property_sets::DeviceRequirements;
use spirv_if::from_errors_of_modules;
use spirv_if::module::{Id, Module};
use spirv_if::specialize::{Prepared, Settings, UncertainDevice, UnsetPolicy, Verdict};

from_errors_of_modules! {
    CheckError => ConditionalCode,
}

/// A warning in the form of a compiler's, or a rule that a module breaks. Its displayed text begins with `file:line:column: warning: `, or
/// with `warning: ` if it has no source location.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The name of the rule that it is about, such as `unlisted-aspect` or `denied-requirement`.
    pub rule: &'static str,
    /// The location of the cause in the source, as `file:line:column`.
    pub place: Option<String>,
    /// The result id of the instruction that is the cause, or of the function that holds it; `None` for the whole module.
    pub id: Option<Id>,
    /// The problem, in words.
    pub message: String,
    /// The call path to the cause.
    pub chain: Vec<CallStep>,
    #[doc(hidden)]
    pub details: WarningDetails,
}

/// The parts of a warning that reports show.
#[doc(hidden)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WarningDetails {
    /// The message, and the call path on lines of its own.
    pub text: String,
    /// The beginning of the message that names an entry point; may be empty.
    pub subject: String,
    /// The problem by itself: it depends neither on the entry point nor on the devices.
    pub problem: String,
    /// The devices that have the problem.
    pub devices: Vec<String>,
    /// The place of the cause in the source.
    pub location: Option<SourceLocation<'static>>,
    /// The functions of the call path, each with the place of its call.
    pub steps: Vec<(String, Option<SourceLocation<'static>>)>,
    /// The offset of the instruction in the module, in bytes.
    pub offset: Option<u64>,
}

/// A function of a call path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CallStep {
    /// The function.
    pub function: String,
    /// The location of its call in the function before, as `file:line:column`.
    pub called_at: Option<String>,
}

impl Warning {
    /// Makes a warning of a rule.
    #[doc(hidden)]
    pub fn with_details(
        rule: &'static str,
        message: String,
        id: Option<u32>,
        details: WarningDetails,
    ) -> Warning {
        let step = |(function, place): &(String, Option<SourceLocation>)| CallStep {
            function: function.clone(),
            called_at: place.as_ref().map(ToString::to_string),
        };
        Warning {
            rule,
            place: details.location.as_ref().map(ToString::to_string),
            id: id.map(Id::new),
            message,
            chain: details.steps.iter().map(step).collect(),
            details,
        }
    }

    pub(crate) fn new(warning: checks::CheckWarning) -> Warning {
        let (text, problem) = (warning.text(), &warning.problem);
        let details = WarningDetails {
            text,
            subject: problem.subject(),
            problem: problem.cause(),
            devices: problem.devices().to_vec(),
            location: warning.place,
            steps: warning.chain.into_iter().map(|step| (step.function, step.place)).collect(),
            offset: warning.offset,
        };
        Warning::with_details(problem.rule(), problem.to_string(), warning.id, details)
    }

    /// Returns the text after the word `warning: `: the message, and the call path on lines of its own.
    pub fn text(&self) -> &str {
        &self.details.text
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(f, "{place}: ")?;
        }
        write!(f, "warning: {}", self.text())
    }
}

/// Options of [`check`].
///
/// ```
/// use spirv_if::Device;
/// use spirv_if_sycl::check::CheckOptions;
/// let options = CheckOptions::new().fixed_targets([Device::embedded("intel_gpu_pvc")?]);
/// # Ok::<(), spirv_if::device::DeviceError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct CheckOptions {
    fixed_targets: Vec<Device>,
    devices: Option<DeviceConfig>,
}

impl CheckOptions {
    /// Starts with the default options.
    pub fn new() -> CheckOptions {
        CheckOptions::default()
    }

    /// Adds devices that all code is meant for (`-fsycl-fixed-targets`).
    ///
    /// By default they are those of the module ([`Module::with_fixed_targets`]), or in its property sets.
    pub fn fixed_targets(mut self, devices: impl IntoIterator<Item = Device>) -> CheckOptions {
        self.fixed_targets.extend(devices);
        self
    }

    /// Sets the configuration of the devices: it has the features of architectures, and the known capabilities. By default it is the
    /// embedded one.
    pub fn devices(mut self, devices: impl Into<Option<DeviceConfig>>) -> CheckOptions {
        self.devices = devices.into();
        self
    }

    /// Returns the devices that all code is meant for.
    fn targets_of<'m>(
        &'m self,
        module: &'m Module,
        devices: &DeviceConfig,
    ) -> Result<Cow<'m, [Device]>, Error> {
        match self.fixed_targets.is_empty() {
            true => fixed_targets(module, devices),
            false => Ok(Cow::Borrowed(&self.fixed_targets[..])),
        }
    }
}

/// Finds the warnings, each kind in the order of the functions in the module. The first are about aspects that functions use without
/// listing them. The next are about expectations of kernels that functions of other modules do not meet. The last are about missing
/// features of the fixed targets.
///
/// # Errors
/// If the module or its annotations are malformed.
///
/// ```
/// use spirv_if::{Device, Module};
/// use spirv_if_sycl::check::{CheckOptions, check};
/// let bytes = std::fs::read("../fixtures/opencl/plain.spv")?;
/// let options = CheckOptions::new().fixed_targets([Device::embedded("intel_gpu_acm_g10")?]);
/// let warnings = check(&Module::from_bytes(&bytes)?, &options)?;
/// assert!(warnings[0].text().contains("fixed target 'intel_gpu_acm_g10' does not have"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check(module: &Module, options: &CheckOptions) -> Result<Vec<Warning>, Error> {
    let devices = configuration(options.devices.as_ref())?;
    let fixed_targets = options.targets_of(module, devices)?;
    let properties = module.properties()?;
    let options = CheckTargets { fixed_targets: &fixed_targets, devices, properties: &properties };
    let warnings = checks::check(&module.analyses(), &options)?;
    Ok(warnings.into_iter().map(Warning::new).collect())
}

/// Finds the aspects, architectures, features and numbers in the conditions of a module that no table has: nothing says that a device has
/// them. [`check`] and [`pack`](spirv_if::pack()) warn of them too.
///
/// # Errors
/// If the module, its property sets or its annotations are malformed.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_sycl::check::check_conditions;
/// let bytes = std::fs::read("../fixtures/opencl/device_if.spv")?;
/// assert!(check_conditions(&Module::from_bytes(&bytes)?)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_conditions(module: &Module) -> Result<Vec<Warning>, Error> {
    let warnings = checks::check_conditions(&module.analyses(), &*module.properties()?)?;
    Ok(warnings.into_iter().map(Warning::new).collect())
}

/// Returns the fixed targets that are not known to run a module specialized for them, with the features that they may
/// or may not have.
///
/// # Errors
/// If the module, its property sets or its annotations are malformed.
pub fn uncertain_targets(module: &Module, options: &CheckOptions) -> Result<Vec<UncertainDevice>, Error> {
    let fixed_targets = options.targets_of(module, configuration(options.devices.as_ref())?)?;
    if fixed_targets.is_empty() {
        return Ok(Vec::new());
    }
    let prepared = Prepared::new(module)?;
    let settings = Settings::new().unset(UnsetPolicy::Keep);
    let mut uncertain = Vec::new();
    for device in fixed_targets.iter() {
        let result = prepared.compatibility(device, &settings)?;
        if result.verdict() == Verdict::NotKnown {
            uncertain.push(UncertainDevice::new(device, result.unknown));
        }
    }
    Ok(uncertain)
}

/// Finds the features that the fixed targets of a module and of its functions are missing, as warnings.
pub(super) fn missing_on_fixed_targets(
    module: &Module,
    analyses: &Analyses,
    devices: Option<&DeviceConfig>,
) -> Result<Vec<Warning>, Error> {
    let devices = configuration(devices)?;
    let fixed_targets = fixed_targets(module, devices)?;
    let properties = module.properties()?;
    let options = CheckTargets { fixed_targets: &fixed_targets, devices, properties: &properties };
    let warnings = checks::check_fixed_targets(analyses, &options)?;
    Ok(warnings.into_iter().map(Warning::new).collect())
}

/// Returns the configuration of the devices: the embedded one by default.
fn configuration(devices: Option<&DeviceConfig>) -> Result<&DeviceConfig, Error> {
    Ok(match devices {
        Some(devices) => devices,
        None => device::embedded(),
    })
}

/// Returns the fixed targets of a module, as the caller set them. By default they are the targets in its properties that the configuration
/// has.
fn fixed_targets<'m>(module: &'m Module, devices: &DeviceConfig) -> Result<Cow<'m, [Device]>, Error> {
    if !module.fixed_targets.is_empty() {
        return Ok(Cow::Borrowed(&module.fixed_targets));
    }
    let properties = module.properties()?;
    let requirements = DeviceRequirements::from_properties(&properties)?;
    let architectures = requirements.and_then(|required| required.fixed_targets).into_iter().flatten();
    let architectures =
        architectures.filter_map(|aspect| architectures::by_value(aspects::architecture_of(aspect)?));
    Ok(architectures.filter_map(|known| devices.get(known.name).ok().cloned()).collect::<Vec<_>>().into())
}
