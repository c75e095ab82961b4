//! `spirv-if inspect`: one file per form of its output.

mod devices;
mod files;
mod json;
mod known;
mod summary;
mod table;
mod text;
mod why;

use std::panic::resume_unwind;
use std::path::PathBuf;
use std::sync::Mutex;

use clap::{Args, ValueEnum};
use spirv_if::device::api::Api;
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::inspection::{ModuleReport, Question, Report};
use spirv_if::runtime::{Fits, Told};

use super::annotations::AnnotationsArg;
use super::device::{ConfigArg, device_error, elsewhere};
use super::log::Log;
use super::{Failure, io, usage};

/// Tell what modules need of a device, and why
///
/// FILE is a SPIR-V module, or any file with modules inside: a library, an
/// executable, an archive. For each module and each of its entry points (and
/// exported functions that nothing in it calls) you see the capabilities and
/// extensions that it needs, chosen among those that the module declares, and
/// under which conditions, and how many of the known devices run it, as it is
/// and as `pack`, `specialize` or `trim` can make it. Of a file with many modules
/// you see how many need what; -v shows all of them. With --why, a kernel stands
/// for the body that clang makes of it, but for -v.
///
/// The properties beside a module (MODULE.prop for MODULE.spv) say what the
/// conditions of a multi-target module mean.
///
/// Examples:
///
///   What does this shader need, and which code needs double precision?
///     spirv-if inspect shader.spv
///     spirv-if inspect shader.spv --why fp64
///
///   All that is in a library, for people and for programs:
///     spirv-if inspect libggml-vulkan.so
///     spirv-if inspect libggml-vulkan.so --format json
///
///   Which Intel GPUs run these kernels, and what must Vulkan enable for a shader?
///     spirv-if inspect kernels.spv --devices 'intel_gpu_*'
///     spirv-if inspect shader.spv --api vulkan
///
/// Exit status: 0 done, 1 a file cannot be read, has no module in it, or has one
/// that cannot be understood (what is found in the others is printed), 2 wrong
/// usage.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// SPIR-V modules, or files with modules inside; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// What to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Print the calls that lead to what needs this: an aspect such as `fp64`, a capability or an extension
    #[arg(long, value_name = "REQUIREMENT")]
    why: Option<String>,
    /// Print which of the devices with such names run what, and what the others lack first: `*` stands for anything;
    /// `probe:GLOB` asks about those of this machine, FILE.json about what `spirv-if devices import` reads
    #[arg(long, value_name = "GLOB")]
    devices: Option<String>,
    /// Add what an API must enable before it takes a module as it stands
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

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let question = self.why.as_deref().map(Question::parse).transpose().map_err(usage)?;
        let (config, files) = std::thread::scope(|scope| {
            let config = scope.spawn(|| self.configuration());
            let files = files::read(&self.files);
            (config.join().unwrap_or_else(|panic| resume_unwind(panic)), files)
        });
        let ((glob, config), files) = (config?, files?);
        let devices = config.matching(&glob).map_err(device_error)?;
        let annotations = self.annotations.read()?;
        let request = files::Request {
            annotations: &annotations,
            question: question.as_ref(),
            fits: &Mutex::new(Fits::told(devices.clone(), Told::by(config.iter()))),
            each_device: self.devices.is_some(),
            api: self.api.map(|api| match api {
                ApiArg::Vulkan => Api::Vulkan,
                ApiArg::Opencl => Api::OpenCl,
            }),
        };
        if self.format == Format::Dot {
            let (dot, failed) = files::draw(&self.files, &files, &annotations, log);
            io::print(dot.as_bytes())?;
            return if failed { Err(Failure::Told(1).into()) } else { annotations.finish(log) };
        }
        let failed = if self.format == Format::Json {
            let (reports, failed) = files::inspect(&self.files, &files, &request, json::module, log);
            if !reports.is_empty() {
                json::print(reports)?;
            }
            failed
        } else {
            let (reports, failed) = files::inspect(&self.files, &files, &request, ModuleReport::clone, log);
            if !reports.is_empty() {
                self.print(Report::new(reports), &devices, request.api, log.is_verbose())?;
            }
            failed
        };
        // The process ends: its memory goes at once.
        std::mem::forget(files);
        if failed { Err(Failure::Told(1).into()) } else { annotations.finish(log) }
    }

    /// Which devices of which configuration are asked about.
    fn configuration(&self) -> anyhow::Result<(String, DeviceConfig)> {
        let glob = self.devices.as_deref().unwrap_or("*");
        if let Some(elsewhere) = elsewhere(glob)? {
            return Ok(elsewhere);
        }
        let config = self.config.read()?.map_or_else(DeviceConfig::embedded, Ok)?;
        Ok((glob.to_owned(), config))
    }

    fn print(
        &self,
        report: Report,
        devices: &[&Device],
        api: Option<Api>,
        verbose: bool,
    ) -> anyhow::Result<()> {
        match &self.why {
            None if self.devices.is_some() => io::print_styled(&devices::text(&report, devices)),
            None => io::print_styled(&text::text(&report, api, verbose)),
            Some(name) => io::print_styled(&why::text(&report, name, verbose)),
        }
    }
}
