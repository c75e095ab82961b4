//! `check`: the warnings of a compiler.

use std::borrow::Cow;
use std::fmt;

use super::error::{Error, ModuleErrorKind, from_errors_of_modules};
use super::ids::Id;
use super::module::Module;
use super::specialize::{Prepared, Settings, UncertainDevice, UndecidedPolicy, Verdict};
use crate::analysis::{Analyses, SourceLocation};
use crate::check::{self as engine, CheckError, CheckTargets};
use crate::device::{self, architectures, aspects};
use crate::device::{Device, DeviceConfig};
use crate::inspection::{PathStep, Rule, Violation};
use crate::metadata::property_sets::DeviceRequirements;
use crate::report::{self, FailedFile, Finding, SarifResults, Severity};

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
    text: String,
    /// The beginning of the message that names an entry point; may be empty.
    subject: String,
    /// The problem by itself: it depends neither on the entry point nor on the devices.
    problem: String,
    /// The devices that have the problem.
    devices: Vec<String>,
    /// The parts of `place`.
    location: Option<SourceLocation<'static>>,
    /// The parts of `chain`.
    steps: Vec<(String, Option<SourceLocation<'static>>)>,
    /// The offset of the instruction in the module, in bytes.
    offset: Option<u64>,
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
    pub(crate) fn new(warning: engine::CheckWarning) -> Warning {
        Warning {
            rule: warning.problem.rule(),
            message: warning.problem.to_string(),
            text: warning.text(),
            subject: warning.problem.subject(),
            problem: warning.problem.cause(),
            devices: warning.problem.devices().to_vec(),
            place: warning.place.as_ref().map(ToString::to_string),
            id: warning.id.map(Id),
            chain: Vec::new(),
            steps: warning.chain.into_iter().map(|step| (step.function, step.place)).collect(),
            location: warning.place,
            offset: warning.offset,
        }
        .with_chain()
    }

    fn with_chain(self) -> Warning {
        let step = |(function, place): &(String, Option<SourceLocation>)| CallStep {
            function: function.clone(),
            called_at: place.as_ref().map(ToString::to_string),
        };
        Warning { chain: self.steps.iter().map(step).collect(), ..self }
    }

    /// Makes the finding in a module.
    fn finding(&self, module: &ModulePlace, is_error: bool) -> Finding {
        Finding {
            severity: if is_error { Severity::Error } else { Severity::Warning },
            rule: self.rule,
            message: self.message.clone(),
            subject: self.subject.clone(),
            problem: self.problem.clone(),
            devices: self.devices.clone(),
            text: self.text.clone(),
            module: module.name.clone(),
            file: module.file.clone(),
            offset: module.offset as u64 + self.offset.unwrap_or_default(),
            id: self.id.map(|id| id.0),
            location: self.location.clone(),
            chain: self.steps.clone(),
        }
    }

    pub(crate) fn from_violation(violation: &Violation) -> Warning {
        let step = |step: &PathStep| (step.function.clone(), step.called_at.clone());
        Warning {
            rule: violation.rule.name(),
            message: violation.message.clone(),
            text: violation.text(),
            subject: violation.subject.clone(),
            problem: violation.problem.clone(),
            devices: violation.devices.clone(),
            place: violation.place.as_ref().map(ToString::to_string),
            id: violation.id.map(Id),
            chain: Vec::new(),
            steps: violation.chain().map(step).collect(),
            location: violation.place.clone(),
            offset: violation.cause.as_ref().map(|cause| cause.instruction.offset),
        }
        .with_chain()
    }

    /// Returns the text after the word `warning: `: the message, and the call path on lines of its own.
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

/// The place of a module, for [`Findings`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct ModulePlace {
    name: String,
    file: String,
    offset: usize,
}

impl ModulePlace {
    /// Starts with the module at the beginning of a file, whose name it has.
    pub fn new(file: impl Into<String>) -> ModulePlace {
        let file = file.into();
        ModulePlace { name: file.clone(), file, offset: 0 }
    }

    /// Sets the name of the module in messages.
    pub fn name(self, name: impl Into<String>) -> ModulePlace {
        ModulePlace { name: name.into(), ..self }
    }

    /// Sets the offset of the module in the file, in bytes.
    pub fn offset(self, offset: usize) -> ModulePlace {
        ModulePlace { offset, ..self }
    }
}

/// Warnings of many modules, in the formats of continuous integration: SARIF 2.1.0, and commands of GitHub's workflows.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if::inspect::{CheckOptions, Findings, ModulePlace, check};
/// let bytes = std::fs::read("fixtures/check/hw-g.spv")?;
/// let warnings = check(&Module::from_bytes(&bytes)?, &CheckOptions::default())?;
/// let mut findings = Findings::default();
/// findings.add(&ModulePlace::new("hw.spv"), &warnings, false);
/// assert!(findings.to_github().starts_with("::warning file=hw.clcpp,line=12,col=20,title=unlisted-aspect::"));
/// assert!(findings.to_sarif()?.contains("\"startLine\": 12"));
/// // Later, only what is new counts.
/// assert!(findings.clone().baseline(findings.to_baseline()).to_github().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Findings {
    all: Vec<Finding>,
    failed: Vec<FailedFile>,
    paths: SourcePaths,
    baseline: Option<Baseline>,
}

/// A cause of findings, in one or several modules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FindingCause {
    /// The name of the rule.
    pub rule: &'static str,
    /// The location of the cause in the source, as `file:line:column`.
    pub place: Option<String>,
    /// The names of the modules that have it.
    pub modules: Vec<String>,
    /// The message, with the call path, and with the first modules if there are several or a `place`.
    pub text: String,
}

impl FindingCause {
    /// Returns true if devices that [must run](crate::InspectOptions::required_devices) a module do not.
    pub fn is_of_device(&self) -> bool {
        self.rule == Rule::RequiredDevice.name()
    }
}

impl Findings {
    /// Adds the warnings of a module. They are errors if they fail a build.
    pub fn add(&mut self, module: &ModulePlace, warnings: &[Warning], are_errors: bool) {
        self.all.extend(warnings.iter().map(|warning| warning.finding(module, are_errors)));
    }

    /// Adds the fixed targets that are not known to run a module. They are notes.
    pub fn add_uncertain(&mut self, module: &ModulePlace, targets: &[UncertainDevice]) {
        self.all.extend(targets.iter().map(|target| {
            let message = format!("the module {target}");
            Finding {
                severity: Severity::Note,
                rule: report::NOT_KNOWN,
                subject: String::new(),
                problem: message.clone(),
                devices: Vec::new(),
                text: message.clone(),
                message,
                module: module.name.clone(),
                file: module.file.clone(),
                offset: module.offset as u64,
                id: None,
                location: None,
                chain: Vec::new(),
            }
        }));
    }

    /// Adds a file that cannot be examined.
    pub fn add_failure(&mut self, file: &str, error: impl fmt::Display) {
        self.failed.push(FailedFile { file: file.to_owned(), message: error.to_string() });
    }

    /// Sets the names of source files.
    pub fn source_paths(self, paths: SourcePaths) -> Findings {
        Findings { paths, ..self }
    }

    /// Sets the findings that are accepted. Those are suppressed results in SARIF, and nowhere else.
    pub fn baseline(self, baseline: Baseline) -> Findings {
        Findings { baseline: Some(baseline), ..self }
    }

    /// Returns all findings as accepted ones.
    pub fn to_baseline(&self) -> Baseline {
        Baseline(report::AcceptedFindings::new(&self.renamed()))
    }

    /// Returns the causes of the warnings that are not accepted, with the names of source files as they are in the modules. Notes are not
    /// among them.
    pub fn causes(&self) -> Vec<FindingCause> {
        let counts = |finding: &&Finding| finding.severity != Severity::Note;
        let new = self.all.iter().zip(self.accepts(&self.renamed())).filter(|(_, is_accepted)| !is_accepted);
        let cause = |cause: &report::FindingGroup| FindingCause {
            rule: cause.first.rule,
            place: cause.first.location.as_ref().map(ToString::to_string),
            modules: cause.by_module().iter().map(|finding| finding.module.clone()).collect(),
            text: cause.first.text.clone() + &cause.occurrences(cause.first.location.is_some()),
        };
        report::by_cause(new.map(|(finding, _)| finding).filter(counts)).iter().map(cause).collect()
    }

    /// Returns the number of findings that are accepted.
    pub fn accepted(&self) -> usize {
        self.accepts(&self.renamed()).into_iter().filter(|&is_accepted| is_accepted).count()
    }

    /// Returns which of the findings are accepted.
    fn accepts(&self, renamed: &[Finding]) -> Vec<bool> {
        match &self.baseline {
            Some(baseline) => baseline.0.accepts(renamed),
            None => vec![false; renamed.len()],
        }
    }

    /// Returns the findings with the names of source files as they are set.
    fn renamed(&self) -> Vec<Finding> {
        let renamed = |place: &SourceLocation<'static>| SourceLocation {
            file: self.paths.rename(&place.file).into(),
            ..place.clone()
        };
        let all = self.all.iter().map(|finding| Finding {
            location: finding.location.as_ref().map(renamed),
            chain: finding
                .chain
                .iter()
                .map(|(function, place)| (function.clone(), place.as_ref().map(renamed)))
                .collect(),
            ..finding.clone()
        });
        all.collect()
    }

    /// Passes the results to a writer.
    fn write<R>(&self, writer: impl FnOnce(&SarifResults) -> R) -> R {
        let renamed = self.renamed();
        let accepts = self.accepts(&renamed);
        let causes = |state: bool| {
            let all = renamed.iter().zip(&accepts).filter(|(_, is_accepted)| **is_accepted == state);
            report::by_cause(all.map(|(finding, _)| finding))
        };
        writer(&SarifResults { new: causes(false), known: self.baseline.is_some().then(|| causes(true)) })
    }

    /// Returns the log file of SARIF 2.1.0. Findings of several modules with one cause are one result.
    ///
    /// # Errors
    /// None known.
    pub fn to_sarif(&self) -> Result<String, Error> {
        let log = self.write(|results| report::sarif(results, &self.failed));
        let text = serde_json::to_string_pretty(&log);
        Ok(text.map_err(|error| Error::module(ModuleErrorKind::Report, error))? + "\n")
    }

    /// Returns the log as one HTML file, which loads nothing from elsewhere. Accepted findings are left out.
    ///
    /// # Errors
    /// None known.
    #[cfg(feature = "html")]
    pub fn to_html(&self) -> Result<String, Error> {
        let log = self.write(|SarifResults { new, .. }| {
            let results = SarifResults { new: new.clone(), known: None };
            report::sarif(&results, &self.failed)
        });
        let data = report::PackedJson::pack(&log);
        let data = data.map_err(|error| Error::module(ModuleErrorKind::Report, error))?;
        Ok(report::html("What code requires and does not list", &data))
    }

    /// Returns the commands by which a workflow of GitHub annotates lines of the source: one line for each cause.
    pub fn to_github(&self) -> String {
        self.write(|results| report::github(&results.new, &self.failed))
    }
}

/// Findings that are accepted: [`Findings::baseline`] leaves them out. A finding is accepted with its cause, its module, its entry point and
/// its devices, whatever its line, offset and id.
#[derive(Clone, Debug, Default)]
pub struct Baseline(report::AcceptedFindings);

impl Baseline {
    /// Reads a file that [`to_json`](Baseline::to_json) wrote.
    ///
    /// # Errors
    /// If the text is not a baseline of this version.
    pub fn from_json(text: &str) -> Result<Baseline, Error> {
        let baseline = report::AcceptedFindings::from_json(text);
        Ok(Baseline(baseline.map_err(|error| Error::module(ModuleErrorKind::File, error))?))
    }

    /// Returns the file. Equal findings give equal files.
    ///
    /// # Errors
    /// None known.
    pub fn to_json(&self) -> Result<String, Error> {
        self.0.to_json().map_err(|error| Error::module(ModuleErrorKind::Report, error))
    }
}

/// Names of source files in [`Findings`]: those in debug information are of the machine that compiled the modules.
///
/// ```
/// use spirv_if::inspect::{Findings, SourcePaths};
/// let findings = Findings::default().source_paths(SourcePaths::new().replace("/build", "src").root("/home/me/project"));
/// assert!(findings.to_github().is_empty());
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct SourcePaths {
    replaced: Vec<(String, String)>,
    root: Option<String>,
}

impl SourcePaths {
    /// Starts with the names in debug information.
    pub fn new() -> SourcePaths {
        SourcePaths::default()
    }

    /// Replaces a folder with which names begin, or a file, by another one, or a folder by none. The first replacement that matches counts.
    /// `./` before a name need not be given.
    pub fn replace(mut self, old: impl Into<String>, new: impl Into<String>) -> SourcePaths {
        self.replaced.push((old.into(), new.into()));
        self
    }

    /// Makes the names of files in this folder relative to it.
    pub fn root(mut self, root: impl Into<String>) -> SourcePaths {
        self.root = Some(root.into());
        self
    }

    /// Returns the name of a file.
    fn rename(&self, file: &str) -> String {
        let renamed = self.replaced.iter().find_map(|(old, new)| {
            let rest = below(file, old).or_else(|| below(file.strip_prefix("./")?, old))?;
            let is_joined = !new.is_empty() && !new.ends_with('/') && !rest.is_empty();
            Some(format!("{new}{}{rest}", if is_joined { "/" } else { "" }))
        });
        let renamed = renamed.unwrap_or_else(|| file.to_owned());
        match self.root.as_deref().and_then(|root| below(&renamed, root)) {
            Some(rest) => rest.to_owned(),
            None => renamed,
        }
    }
}

/// Returns the path of a file relative to a folder that contains it.
fn below<'f>(file: &'f str, folder: &str) -> Option<&'f str> {
    let rest = file.strip_prefix(folder)?;
    let is_separator = |c: char| c == '/' || c == '\\';
    match folder.ends_with(is_separator) || rest.is_empty() {
        true => Some(rest),
        false => rest.strip_prefix(is_separator),
    }
}

/// Options of [`check`].
///
/// ```
/// use spirv_if::Device;
/// use spirv_if::inspect::CheckOptions;
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
/// use spirv_if::inspect::{CheckOptions, check};
/// let bytes = std::fs::read("fixtures/opencl/plain.spv")?;
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
    let warnings = engine::check(&module.analyses(), &options)?;
    Ok(warnings.into_iter().map(Warning::new).collect())
}

/// Finds the aspects, architectures, features and numbers in the conditions of a module that no table has: nothing says that a device has
/// them. [`check`] and [`pack`](crate::pack()) warn of them too.
///
/// # Errors
/// If the module, its property sets or its annotations are malformed.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if::inspect::check_conditions;
/// let bytes = std::fs::read("fixtures/opencl/device_if.spv")?;
/// assert!(check_conditions(&Module::from_bytes(&bytes)?)?.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_conditions(module: &Module) -> Result<Vec<Warning>, Error> {
    let warnings = engine::check_conditions(&module.analyses(), &*module.properties()?)?;
    Ok(warnings.into_iter().map(Warning::new).collect())
}

/// Returns the fixed targets of a module that are not known to run it once it is specialized for them, and the features that they may or may
/// not have.
///
/// # Errors
/// If the module, its property sets or its annotations are malformed.
pub fn uncertain_targets(module: &Module, options: &CheckOptions) -> Result<Vec<UncertainDevice>, Error> {
    let fixed_targets = options.targets_of(module, configuration(options.devices.as_ref())?)?;
    if fixed_targets.is_empty() {
        return Ok(Vec::new());
    }
    let prepared = Prepared::new(module)?;
    let settings = Settings::new().undecided(UndecidedPolicy::Keep);
    let mut uncertain = Vec::new();
    for device in fixed_targets.iter() {
        let result = prepared.compatibility(device, &settings)?;
        if result.verdict() == Verdict::NotKnown {
            uncertain.push(UncertainDevice { device: device.name().to_owned(), features: result.unknown });
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
    let warnings = engine::check_fixed_targets(analyses, &options)?;
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
