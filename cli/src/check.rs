//! `spirv-if check`.

use clap::{Args, ValueEnum};
use spirv_if_inspect::ModulePlace;
use spirv_if_sycl::check::{CheckOptions, check, uncertain_targets};

use super::annotations::AnnotationsArg;
use super::device::{ConfigArg, all_of};
use super::findings::{BaselineArgs, ModuleFindings, SourcePathArgs, log_by_cause};
use super::io::{FailedInput, Input, Inputs, ReportArg};
use super::log::{Log, Verbosity};
use super::{ExitFailure, usage};

/// Warn of aspects that code uses and does not list, and of missing features of devices
///
/// A function of a SYCL program, or any function with a UserSemantic decoration
/// `sycl-properties:sycl-device-has=5,6`, lists the aspects that it may use. Using
/// another aspect, directly or through a call, causes a warning. So does a kernel
/// that calls a function from another module, if the function uses an aspect that
/// the kernel does not list, or requires another sub-group size.
///
/// With --fixed-targets, all code must run on each of these devices. Missing
/// aspects, capabilities and extensions cause warnings, and so do unsupported
/// work-group and sub-group sizes of entry points. What a device does not list is
/// missing only if it lists all facts of that kind. Otherwise a note names the
/// devices that are not known to run the module.
///
/// Requirements in the property sets beside a module (MODULE.prop for MODULE.spv)
/// count as well.
///
/// A conditional call causes no warning if its condition implies the feature.
/// Otherwise the warning names the condition.
///
/// Each warning has the call path to the use. If the module has debug information,
/// the warning begins like a compiler's, for editors and other programs:
///   hw.cpp:27:4: warning: function 'foo' uses aspect 'fp64' not listed in ...
/// Its last line names the modules. Otherwise it begins with
///   spirv-if: warning: MODULE: function 'foo' uses ...
///
/// Examples:
///
///   Do the kernels use only the aspects that they list?
///     spirv-if check kernels.spv
///
///   Does all code run on these devices? Fail if it does not:
///     spirv-if check build/*.spv --fixed-targets 'intel_gpu_*,x86_64' --deny-warnings
///
///   In continuous integration, for code scanning or a workflow of GitHub:
///     spirv-if check build/*.spv --fixed-targets phone.json --format sarif >check.sarif
///     spirv-if check build/*.spv --fixed-targets phone.json --format github
///
/// Exit status: 0 done, 1 error, or a warning with --deny-warnings, 2 wrong usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct CheckArgs {
    #[command(flatten)]
    inputs: Inputs,
    /// Devices that all code must run on (`spirv-if devices` lists them): globs of names, such as `intel_gpu_*`, `FILE.json` for the
    /// devices in a file that `spirv-if devices import` reads, or `probe:GLOB` for devices of this machine. Of a shader of a bundle, the
    /// variant for the device
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    fixed_targets: Vec<String>,
    /// Fail if there is a warning
    #[arg(long)]
    deny_warnings: bool,
    /// The format of the warnings
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: CheckFormat,
    #[command(flatten)]
    output: ReportArg,
    #[command(flatten)]
    source_paths: SourcePathArgs,
    #[command(flatten)]
    baseline: BaselineArgs,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    config: ConfigArg,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For people, on stderr
    #[default]
    Text,
    /// A page to look at, as one file, on stdout
    Html,
    /// SARIF 2.1.0 on stdout, for code scanning and editors
    Sarif,
    /// Annotations of a workflow of GitHub on stdout
    Github,
}

impl CheckArgs {
    pub fn run(mut self, log: &mut Log) -> anyhow::Result<()> {
        let findings = self.source_paths.findings(self.format != CheckFormat::Text)?;
        let mut findings = self.baseline.read(findings)?;
        if self.format == CheckFormat::Text && self.output.is_given() {
            return Err(usage("warnings are messages: --output is for the other formats"));
        }
        let devices = self.config.read_or_embedded()?;
        let fixed_targets = all_of(&self.fixed_targets, &devices)?;
        let annotations = self.annotations.read()?;
        annotations.check_devices(&devices)?;
        let without_variant = match fixed_targets.is_empty() {
            true => Vec::new(),
            false => self.inputs.assign_devices(&fixed_targets),
        };
        let options = |input: &Input| {
            let targets = input.devices(&fixed_targets).into_owned();
            CheckOptions::new().fixed_targets(targets).devices(Some(devices.clone()))
        };
        let (checked, failures) = self.inputs.for_each_that_works(log, |input, module, log| {
            let name = input.to_string();
            let file = input.path().display().to_string();
            let place = ModulePlace::new(file).name(&name).offset(module.offset());
            let module = input.with_properties(annotations.on_reporting(module, log)?, None)?;
            let options = options(input);
            let warnings = check(&module, &options)?;
            let uncertain = uncertain_targets(&module, &options)?;
            Ok((name, ModuleFindings { place, warnings }, uncertain))
        })?;
        for (_, module, uncertain) in &checked {
            findings.add(&module.place, &module.warnings, self.deny_warnings);
            findings.add_uncertain(&module.place, uncertain);
        }
        for failure in failures.iter().chain(&without_variant) {
            findings.add_failure(&failure.name, format!("{:#}", failure.error));
        }
        let is_complete = failures.is_empty() && without_variant.is_empty();
        let findings = self.baseline.apply(findings, is_complete, log)?;
        let warned = findings.causes();
        let mut uncertain = Log::new(Verbosity::default());
        for (name, _, targets) in &checked {
            let mut its_log = log.about(name);
            targets.iter().for_each(|target| its_log.note(target.to_string()));
            uncertain.append(its_log);
        }
        match self.format {
            CheckFormat::Text => {
                log_by_cause(&warned, false, log);
                log.append(uncertain);
            }
            CheckFormat::Html => self.output.write(findings.to_html()?)?,
            CheckFormat::Sarif => self.output.write(findings.to_sarif()?)?,
            CheckFormat::Github => self.output.write(findings.to_github())?,
        }
        without_variant.iter().for_each(|failure| failure.report(log));
        let unmet = (!without_variant.is_empty()).then_some(1);
        if let Some(status) = failures.iter().map(FailedInput::status).chain(unmet).min() {
            return Err(ExitFailure::Logged(status).into());
        }
        annotations.finish(log)?;
        if self.deny_warnings && !warned.is_empty() {
            return Err(ExitFailure::Logged(1).into());
        }
        Ok(())
    }
}
