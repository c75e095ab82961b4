//! `spirv-if inspect`: one file per form of its output.

mod files;
mod summary;
mod text;
mod why;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use spirv_if::inspection::{Question, Report};

use super::log::Log;
use super::{Failure, io, usage};

/// Tell what modules need of a device, and why
///
/// FILE is a SPIR-V module, or any file with modules inside: a library, an
/// executable, an archive. For each module and each of its entry points (and
/// exported functions that nothing in it calls) you see the capabilities and
/// extensions that it needs, chosen among those that the module declares, and
/// under which conditions. Of a file with many modules you see how many need
/// what; -v shows all of them.
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
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// For programs: spec-extensions/inspect.md describes it
    Json,
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let question = self.why.as_deref().map(Question::parse).transpose().map_err(usage)?;
        let (files, failed) = files::inspect(&self.files, question.as_ref(), log)?;
        if !files.is_empty() {
            self.print(Report::new(files), log.is_verbose())?;
        }
        if failed { Err(Failure::Told(1).into()) } else { Ok(()) }
    }

    fn print(&self, report: Report, verbose: bool) -> anyhow::Result<()> {
        match (self.format, &self.why) {
            (Format::Json, _) => {
                let mut json = serde_json::to_vec_pretty(&report)?;
                json.push(b'\n');
                io::print(&json)
            }
            (Format::Text, None) => io::print_styled(&text::text(&report, verbose)),
            (Format::Text, Some(name)) => io::print_styled(&why::text(&report, name)),
        }
    }
}
