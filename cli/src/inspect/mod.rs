//! `spirv-if inspect`.

mod files;
mod statistics;

use std::borrow::Cow;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use spirv_if::device::{Api, DeviceConfig};
use spirv_if::{Condition, Device, Error, Module};
use spirv_if_inspect::InspectOptions;
use spirv_if_inspect::{CallGraph, FindingCause, Inspection, InspectionJson, Inspector, Report};

use super::annotations::{AnnotationsArg, RunAnnotations};
use super::device::{ConfigArg, all_of, is_elsewhere};
use super::findings::{BaselineArgs, SourcePathArgs, log_by_cause};
use super::io::{self, FailedInput, Input, InputArg, ReportArg};
use super::log::Log;
use statistics::{RunStatistics, StatisticsArgs};

use super::{ExitFailure, counted, terminal, usage};
pub use statistics::answer;

/// Report what modules require of a device, and why
///
/// FILE is a SPIR-V module, or any file with modules inside: a library, an
/// executable, an archive. The report covers each module and its entry points,
/// with exported functions that nothing in the module calls. It lists the declared
/// capabilities and extensions that each requires, with their conditions, and the
/// number of known devices that run it, as it is and after `pack`, `specialize` or
/// `trim`. Modules of a file with many modules are grouped by their requirements;
/// -v shows all of them. --why treats a kernel and the body that clang makes of it
/// as one, except with -v.
///
/// The properties beside a module (MODULE.prop for MODULE.spv) give the meaning
/// of the conditions of a multi-target module, and requirements besides its code.
///
/// Examples:
///
///   What does this shader require, and which code requires double precision?
///     spirv-if inspect shader.spv
///     spirv-if inspect shader.spv --why fp64
///
///   All modules of a library, for people and for programs:
///     spirv-if inspect libggml-vulkan.so
///     spirv-if inspect libggml-vulkan.so --format json
///
///   A page about it to send to somebody, with what changed since the last release:
///     spirv-if inspect shader.spv --against old/shader.spv --format html -o report.html
///
///   Which Intel GPUs run these kernels, and what must Vulkan enable for a shader?
///     spirv-if inspect kernels.spv --devices 'intel_gpu_*'
///     spirv-if inspect shader.spv --api vulkan
///
///   What does each value of its constants cost on this machine's driver?
///     spirv-if inspect shader.spv --statistics probe:0
///
///   In continuous integration: no shader may require double precision, and
///   Intel's Battlemage and a phone must run all of them:
///     spirv-if inspect build/*.spv --deny 'cap(Float64)' \
///         --require-devices 'intel_gpu_bmg_*,phone.json'
///
/// Exit status: 0 done, 1 a file cannot be read or has no valid module (the report
/// on the others is printed), or --deny found an entry point, 2 wrong usage, 3 a
/// required device does not run a module.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct InspectArgs {
    /// SPIR-V modules, or files with modules inside; `-` is standard input; a folder means all `.spv` files below it, and a bundle all its
    /// shaders; `FILE:INDEX`, `FILE:0xOFFSET`, `FILE:TARGET` and `BUNDLE#NAME` for one of the modules in a file, as for other commands
    #[arg(value_name = "FILE", required = true, value_parser = InputArg::parser())]
    files: Vec<InputArg>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: InspectFormat,
    #[command(flatten)]
    output: ReportArg,
    /// Add to JSON the call graph, sizes by condition, and the call paths to features that the devices of --devices do not have. HTML always
    /// has them
    #[arg(long)]
    details: bool,
    /// Compare with this older file: what entry points require that they did not, and which devices they lost. For JSON and HTML
    #[arg(long, value_name = "FILE", value_parser = InputArg::parser())]
    against: Option<InputArg>,
    /// Print the calls that lead to the code which requires this: an aspect such as `fp64`, a capability, an extension, or a Vulkan feature
    /// that no capability names, such as `storageBuffer8BitAccess` or `vulkan:storageBuffer8BitAccess`
    #[arg(long, value_name = "REQUIREMENT")]
    why: Option<String>,
    /// Print which of the devices with these names run each entry point, and the first missing feature of the others. Names and globs, also
    /// `probe:GLOB` for devices of this machine, and FILE.json for the devices in a file that `spirv-if devices import` reads
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    devices: Vec<String>,
    /// Fail if an entry point requires this condition, such as `cap(Float64)` or `fp64 && cap(Int64)`, and print the call path to its cause.
    /// May be given several times
    #[arg(long, value_name = "CONDITION")]
    deny: Vec<String>,
    /// Fail with status 3 unless each of these devices runs every entry point: of the unchanged module, or specialized if it is a
    /// multi-target module. Of a shader of a bundle, the variant for the device. Names as for --devices
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    require_devices: Vec<String>,
    /// Add the features that an API must enable before it accepts the unchanged module
    #[arg(long, value_enum, value_name = "API")]
    api: Option<ApiArg>,
    #[command(flatten)]
    statistics: StatisticsArgs,
    #[command(flatten)]
    source_paths: SourcePathArgs,
    #[command(flatten)]
    baseline: BaselineArgs,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    config: ConfigArg,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ApiArg {
    /// Version, extensions and members of VkPhysicalDevice...Features
    Vulkan,
    /// Extensions and features
    Opencl,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum InspectFormat {
    /// For people
    #[default]
    Text,
    /// For programs: spec-extensions/inspect.md describes it
    Json,
    /// The call graph for Graphviz, with the conditions of calls
    Dot,
    /// A page to look at, as one file: devices against entry points, call paths, the call graph, sizes. It has all devices, unless --devices
    /// selects some
    Html,
    /// SARIF 2.1.0 for code scanning and editors: what --deny and --require-devices find
    Sarif,
    /// Annotations of a workflow of GitHub: the same
    Github,
}

impl From<ApiArg> for Api {
    fn from(api: ApiArg) -> Api {
        match api {
            ApiArg::Vulkan => Api::Vulkan,
            ApiArg::Opencl => Api::OpenCl,
        }
    }
}

impl InspectArgs {
    pub fn run(mut self, log: &mut Log) -> anyhow::Result<()> {
        if self.format == InspectFormat::Dot && (self.has_rules() || self.baseline.is_given()) {
            return Err(usage(
                "--format dot checks no rules: use another format with --deny, --require-devices, --baseline and --write-baseline",
            ));
        }
        let required = self.required_devices()?;
        let options = self.options(&required, log)?;
        let without_variant: Vec<FailedInput> = match required.is_empty() {
            true => Vec::new(),
            false => self.files.iter_mut().flat_map(|argument| argument.assign_devices(&required)).collect(),
        };
        if self.statistics.is_given() && (self.is_for_findings() || self.format == InspectFormat::Dot) {
            return Err(usage("--statistics is for the formats text, json and html"));
        }
        if self.baseline.is_given() && !self.has_rules() {
            return Err(usage(
                "--baseline and --write-baseline are for what --deny and --require-devices find",
            ));
        }
        let findings = self.source_paths.findings(self.is_for_findings())?;
        let mut findings = self.baseline.read(findings)?;
        let files = files::read(&self.files)?;
        let older = files::read(self.against.as_slice())?;
        let inspector = Inspector::new(&options).map_err(|error| match error {
            Error::Request(_) => usage(error),
            _ => error.into(),
        })?;
        let options_of_groups = options.clone().skip_remedies(true);
        let inspector_of_groups = Inspector::new(&options_of_groups)?;
        let annotations = self.annotations.read()?;
        let statistics = self.statistics.start()?;
        let statistics = statistics.as_ref();
        let (broken, failures) = match self.format {
            InspectFormat::Dot => {
                let work = |_: &Input, _, module| Ok((CallGraph::new(&module)?, Vec::new()));
                let (inspected, failures) = files::each(&files, &annotations, work, log);
                let graphs: Vec<CallGraph> = inspected.into_iter().flat_map(|file| file.modules).collect();
                self.output.write(CallGraph::to_dot(&graphs))?;
                (Vec::new(), failures)
            }
            InspectFormat::Json if self.against.is_none() && !self.output.is_given() => {
                let work = |input: &Input, _, module| {
                    let inspection = inspect(&inspector, &required, input, &module)?;
                    let inspection = with_statistics(inspection, &module, statistics)?;
                    Ok((inspection.to_json_part()?, inspection.violations()))
                };
                let (mut inspected, failures) = files::each(&files, &annotations, work, log);
                let broken = files::take_broken(&mut inspected);
                if !inspected.is_empty() {
                    let report: Report<InspectionJson> = report(&options, inspected);
                    io::print_with(|out| report.write_json(out))?;
                }
                (broken, failures)
            }
            InspectFormat::Text | InspectFormat::Json | InspectFormat::Html => {
                let style = terminal::style().verbose(log.is_verbose());
                let shows_answers = self.shows_answers(log);
                // Statistics are of each module, and compiling takes longer than remedies.
                let has_groups = |modules| shows_answers && style.has_groups(modules) && statistics.is_none();
                let work = |input: &Input, modules, module| {
                    let inspector = if has_groups(modules) { &inspector_of_groups } else { &inspector };
                    let inspection = inspect(inspector, &required, input, &module)?;
                    let violations = inspection.violations();
                    Ok((with_statistics(inspection, &module, statistics)?, violations))
                };
                let (mut inspected, failures) = files::each(&files, &annotations, work, log);
                let broken = files::take_broken(&mut inspected);
                // Remedies are found only for the answers that the text has.
                for file in inspected.iter_mut().filter(|file| has_groups(file.candidates)) {
                    let answered = Report::answered(&file.modules, &style);
                    let work = |input: &Input, module| inspect(&inspector, &required, input, &module);
                    file.replace(&answered, &annotations, work, log);
                }
                if self.against.is_some() {
                    // The report has the changes. Rules are checked for the new file alone.
                    let work = |_: &Input, _, module| Ok((inspector.inspect(&module)?, Vec::new()));
                    let (older, failures) = files::each(&older, &RunAnnotations::default(), work, log);
                    if !failures.is_empty() {
                        return Err(ExitFailure::Logged(1).into());
                    }
                    compare(&mut inspected, older)?;
                }
                if !inspected.is_empty() && !self.is_silent(log) {
                    let report: Report<Inspection> = report(&options, inspected);
                    match self.format {
                        InspectFormat::Html => self.output.write(report.to_html()?)?,
                        InspectFormat::Json => self.output.write(report.to_json()?)?,
                        _ => match self.output.is_given() {
                            true => self.output.write(report.to_text(&style.color(false)))?,
                            false => io::print_styled(&report.to_text(&style.color(true)))?,
                        },
                    }
                }
                (broken, failures)
            }
            InspectFormat::Sarif | InspectFormat::Github => {
                let work = |input: &Input, _, module| {
                    Ok(((), inspect(&inspector, &required, input, &module)?.violations()))
                };
                let (mut inspected, failures) = files::each(&files, &annotations, work, log);
                (files::take_broken(&mut inspected), failures)
            }
        };
        for module in &broken {
            findings.add(&module.place, &module.warnings, true);
        }
        for failure in &failures {
            findings.add_failure(&failure.file, format!("{:#}", failure.error));
        }
        for failure in &without_variant {
            findings.add_failure(&failure.name, format!("{:#}", failure.error));
        }
        let failed = !failures.is_empty();
        let findings = self.baseline.apply(findings, !failed && without_variant.is_empty(), log)?;
        let causes = findings.causes();
        match self.format {
            InspectFormat::Sarif => self.output.write(findings.to_sarif()?)?,
            InspectFormat::Github => self.output.write(findings.to_github())?,
            _ => log_by_cause(&causes, true, log),
        }
        // The lower, the worse.
        let of_rules = causes.iter().map(|cause: &FindingCause| if cause.is_of_device() { 3 } else { 1 });
        let of_shaders = without_variant.iter().map(FailedInput::status);
        let status = of_rules.chain(of_shaders).chain(failed.then_some(1)).min();
        without_variant.iter().for_each(|failure| failure.report(log));
        // The process ends: its memory is freed at once.
        std::mem::forget(inspector);
        std::mem::forget(inspector_of_groups);
        std::mem::forget(files);
        if !failed {
            annotations.finish(log)?;
        }
        status.map_or(Ok(()), |status| Err(ExitFailure::Logged(status).into()))
    }

    /// Returns true if the output lists only broken rules.
    fn is_for_findings(&self) -> bool {
        matches!(self.format, InspectFormat::Sarif | InspectFormat::Github)
    }

    /// Returns true if the report is a text with the answers about modules.
    fn shows_answers(&self, log: &Log) -> bool {
        let is_text = self.format == InspectFormat::Text && !self.is_silent(log);
        is_text && self.devices.is_empty() && self.why.is_none()
    }

    /// Returns true if rules are checked, and no report is written.
    fn is_silent(&self, log: &Log) -> bool {
        self.is_for_findings() || log.is_quiet() && self.has_rules() && self.format == InspectFormat::Text
    }

    /// Returns true if modules may break rules.
    fn has_rules(&self) -> bool {
        !self.deny.is_empty() || !self.require_devices.is_empty()
    }

    /// Returns the devices that must run all entry points.
    fn required_devices(&self) -> anyhow::Result<Vec<Device>> {
        match self.require_devices.is_empty() {
            true => Ok(Vec::new()),
            false => all_of(&self.require_devices, &self.config.read_or_embedded()?),
        }
    }

    fn options(&self, required: &[Device], log: &Log) -> anyhow::Result<InspectOptions> {
        let is_data = matches!(self.format, InspectFormat::Json | InspectFormat::Html);
        if self.against.is_some() && (!is_data || self.files.len() > 1) {
            return Err(usage("--against is for one FILE, with --format json or html"));
        }
        let condition =
            |text: &String| Condition::parse(text).map_err(|error| usage(format!("--deny: {error}")));
        let is_for_all = self.format == InspectFormat::Html || self.against.is_some();
        let mut globs: Vec<&str> = self.devices.iter().map(|name| name.trim()).collect();
        let mut devices = self.config.read()?;
        // An entry has no colon: `gfx90a:xnack+` is a device with a mode.
        if globs.iter().any(|name| is_elsewhere(name) || name.contains(':')) {
            let all = all_of(&self.devices, &self.config.read_or_embedded()?)?;
            (globs, devices) = (vec!["*"], Some(DeviceConfig::new("--devices", all)));
        } else if globs.is_empty() && is_for_all {
            globs.push("*");
        }
        let mut options = InspectOptions::new()
            .details(self.details || self.format == InspectFormat::Html)
            // No other output shows them.
            .skip_constants(
                !(is_data
                    || self.statistics.is_given()
                    || self.format == InspectFormat::Text && log.is_verbose()),
            )
            .skip_remedies(self.is_silent(log) || self.format == InspectFormat::Text && self.why.is_some())
            .api(self.api.map(Api::from))
            .deny(self.deny.iter().map(condition).collect::<Result<Vec<_>, _>>()?)
            .devices(devices);
        if let Some(why) = &self.why {
            options = options.why(why);
        }
        for glob in globs {
            options = options.each_device(glob);
        }
        Ok(options.required_devices(required.iter().cloned()))
    }
}

/// Adds the statistics of a driver, if one is asked.
fn with_statistics(
    inspection: Inspection,
    module: &Module,
    statistics: Option<&RunStatistics>,
) -> Result<Inspection, Error> {
    match statistics {
        Some(statistics) => statistics.add(inspection, module),
        None => Ok(inspection),
    }
}

/// Inspects the module of an input. Those of the required devices that get it must run it.
fn inspect<'a>(
    inspector: &Inspector<'a>,
    required: &[Device],
    input: &Input,
    module: &Module<'a>,
) -> Result<Inspection, Error> {
    match input.devices(required) {
        Cow::Borrowed(_) => inspector.inspect(module),
        Cow::Owned(required) => inspector.inspect_for(module, &required),
    }
}

/// Adds the differences of modules from those of an older file, in their order.
fn compare(
    inspected: &mut [files::InspectedFile<'_, Inspection>],
    older: Vec<files::InspectedFile<'_, Inspection>>,
) -> anyhow::Result<()> {
    let older: Vec<Inspection> = older.into_iter().flat_map(|file| file.modules).collect();
    let modules: Vec<&mut Inspection> = inspected.iter_mut().flat_map(|file| &mut file.modules).collect();
    if modules.len() != older.len() {
        let (new, old) = (counted(modules.len(), "module"), counted(older.len(), "module"));
        return Err(anyhow!("the file has {new}, and that of --against has {old}: extract those to compare"));
    }
    for (module, older) in modules.into_iter().zip(&older) {
        *module = module.clone().against(older);
    }
    Ok(())
}

fn report<M>(options: &InspectOptions, files: Vec<files::InspectedFile<'_, M>>) -> Report<M> {
    let mut report = Report::new(options);
    for file in files {
        report.add_file(&file.name, file.size, file.modules);
    }
    report
}
