//! Findings: the warnings of many modules, for continuous integration.

use std::fmt;

use spirv_if::Error;
use spirv_if::engine::analysis::SourceLocation;
use spirv_if::error::ModuleErrorKind;
use spirv_if::specialize::UncertainDevice;
use spirv_if_sycl::check::{Warning, WarningDetails};

use crate::inspection::{PathStep, Rule, Violation};
use crate::report::{self, FailedFile, Finding, SarifResults, Severity};

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

/// Makes the finding of a warning about a module.
fn finding(warning: &Warning, module: &ModulePlace, is_error: bool) -> Finding {
    let WarningDetails { text, subject, problem, devices, location, steps, offset } = warning.details.clone();
    Finding {
        severity: if is_error { Severity::Error } else { Severity::Warning },
        rule: warning.rule,
        message: warning.message.clone(),
        subject,
        problem,
        devices,
        text,
        module: module.name.clone(),
        file: module.file.clone(),
        offset: module.offset as u64 + offset.unwrap_or_default(),
        id: warning.id.map(u32::from),
        location,
        chain: steps,
    }
}

/// Makes the warning about a rule that a module breaks.
pub(super) fn warning_of(violation: &Violation) -> Warning {
    let step = |step: &PathStep| (step.function.clone(), step.called_at.clone());
    let details = WarningDetails {
        text: violation.text(),
        subject: violation.subject.clone(),
        problem: violation.problem.clone(),
        devices: violation.devices.clone(),
        location: violation.place.clone(),
        steps: violation.chain().map(step).collect(),
        offset: violation.cause.as_ref().map(|cause| cause.instruction.offset),
    };
    Warning::with_details(violation.rule.name(), violation.message.clone(), violation.id, details)
}

/// Warnings of many modules, in the formats of continuous integration: SARIF 2.1.0, and commands of GitHub's workflows.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_inspect::{Findings, ModulePlace};
/// use spirv_if_sycl::check::{CheckOptions, check};
/// let bytes = std::fs::read("../fixtures/check/hw-g.spv")?;
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
        self.all.extend(warnings.iter().map(|warning| finding(warning, module, are_errors)));
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

    /// Returns the causes of the warnings that are not accepted, with the names of source files in the modules. Notes
    /// are not among them.
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

    /// Returns the findings with the replaced names of source files.
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
/// use spirv_if_inspect::{Findings, SourcePaths};
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

    /// Replaces a folder at the start of names, or a file, by another one. A folder may be replaced by none. The first
    /// replacement that matches counts. `./` before a name may be left out.
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
