//! `spirv-if inspect`.

mod files;

use std::panic::resume_unwind;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use spirv_if::{Api, CallGraph, Error, InspectOptions, Inspection, Inspector, Report};

use super::annotations::AnnotationsArg;
use super::device::{ConfigArg, elsewhere};
use super::log::Log;
use super::{Failure, io, terminal, usage};

/// Tell what modules need of a device, and why
///
/// FILE is a SPIR-V module, or any file with modules inside: a library, an
/// executable, an archive. For each module and each of its entry points (and
/// exported functions that nothing in it calls) the report has the capabilities
/// and extensions that it requires, chosen among those that the module declares,
/// with their conditions, and the number of known devices that run it, as it is
/// and after `pack`, `specialize` or `trim`. Modules of a file with many modules
/// are grouped by their requirements; -v shows all of them. With --why, a kernel
/// also stands for the body that clang makes of it, except with -v.
///
/// The properties beside a module (MODULE.prop for MODULE.spv) give the meaning
/// of the conditions of a multi-target module.
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
///   Which Intel GPUs run these kernels, and what must Vulkan enable for a shader?
///     spirv-if inspect kernels.spv --devices 'intel_gpu_*'
///     spirv-if inspect shader.spv --api vulkan
///
/// Exit status: 0 done, 1 a file cannot be read, or has no module or a malformed
/// one (the report on the others is printed), 2 wrong usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// SPIR-V modules, or files with modules inside; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The format of the output
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Print the calls that lead to the code which requires this: an aspect such as `fp64`, a capability or an extension
    #[arg(long, value_name = "REQUIREMENT")]
    why: Option<String>,
    /// Print which of the devices with these names run each entry point, and the first missing feature of the others: `*` stands for
    /// anything; `probe:GLOB` for devices of this machine, FILE.json for those in a file that `spirv-if devices import` reads
    #[arg(long, value_name = "GLOB")]
    devices: Option<String>,
    /// Add the features that an API must enable before it accepts a module as it stands
    #[arg(long, value_enum, value_name = "API")]
    api: Option<ApiArg>,
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
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: spec-extensions/inspect.md describes it
    Json,
    /// The call graph for Graphviz, with the conditions of calls
    Dot,
}

impl From<ApiArg> for Api {
    fn from(api: ApiArg) -> Api {
        match api {
            ApiArg::Vulkan => Api::Vulkan,
            ApiArg::Opencl => Api::OpenCl,
        }
    }
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let options = self.options()?;
        let (inspector, files) = std::thread::scope(|scope| {
            let inspector = scope.spawn(|| Inspector::new(&options));
            let files = files::read(&self.files);
            (inspector.join().unwrap_or_else(|panic| resume_unwind(panic)), files)
        });
        let files = files?;
        let inspector = inspector.map_err(|error| match error {
            Error::Request(_) => usage(error),
            _ => error.into(),
        })?;
        let annotations = self.annotations.read()?;
        let failed = match self.format {
            Format::Dot => {
                let (found, failed) = files::each(&files, &annotations, |module| CallGraph::of(&module), log);
                let graphs: Vec<CallGraph> = found.into_iter().flat_map(|file| file.modules).collect();
                io::print(CallGraph::to_dot(&graphs).as_bytes())?;
                failed
            }
            Format::Json => {
                let work = |module| inspector.inspect(&module).and_then(|inspection| inspection.to_json());
                let (found, failed) = files::each(&files, &annotations, work, log);
                if !found.is_empty() {
                    let report: Report<String> = report(&options, found);
                    io::print_with(|out| report.write_json(out))?;
                }
                failed
            }
            Format::Text => {
                let work = |module| inspector.inspect(&module);
                let (found, failed) = files::each(&files, &annotations, work, log);
                if !found.is_empty() {
                    let report: Report<Inspection> = report(&options, found);
                    let mut style = terminal::style();
                    style.verbose = log.is_verbose();
                    style.color = true;
                    io::print_styled(&report.to_text(&style))?;
                }
                failed
            }
        };
        // The process ends: its memory is freed at once.
        std::mem::forget(inspector);
        std::mem::forget(files);
        if failed { Err(Failure::Logged(1).into()) } else { annotations.finish(log) }
    }

    fn options(&self) -> anyhow::Result<InspectOptions> {
        let mut options = InspectOptions::default();
        options.why = self.why.clone();
        options.each_device = self.devices.clone();
        options.api = self.api.map(Api::from);
        let elsewhere = self.devices.as_deref().map(elsewhere).transpose()?.flatten();
        options.devices = match elsewhere {
            Some((glob, devices)) => {
                options.each_device = Some(glob);
                Some(devices)
            }
            None => self.config.read()?,
        };
        Ok(options)
    }
}

fn report<M>(options: &InspectOptions, files: Vec<files::Found<M>>) -> Report<M> {
    let mut report = Report::new(options);
    for file in files {
        report.add_file(&file.name, file.size, file.modules);
    }
    report
}
