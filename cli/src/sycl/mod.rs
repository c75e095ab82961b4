//! `spirv-if sycl`: the tools of a SYCL compiler.

mod filter;
mod post_link;
mod select;

use std::ffi::OsString;

use clap::{Args, Subcommand};
use spirv_if_sycl::split::Jit;

use super::log::Log;
use post_link::ProgramArgs;

/// Work on the device images of SYCL programs
///
/// An image is a module with its property sets (.prop) and the names of its
/// kernels (.sym). A file table (.table) lists the images of a program.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SyclArgs {
    #[command(subcommand)]
    command: SyclCommand,
}

#[derive(Subcommand, Debug)]
enum SyclCommand {
    AddOn(AddOn),
    Filter(filter::FilterArgs),
    PostLink(post_link::PostLinkArgs),
    Select(Box<select::SelectArgs>),
}

impl SyclArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self.command {
            SyclCommand::AddOn(options) => options.run(log),
            SyclCommand::Filter(options) => options.run(log),
            SyclCommand::PostLink(options) => options.run(log),
            SyclCommand::Select(options) => options.run(log),
        }
    }
}

/// Put conditional code into images that a runtime links for a device
///
/// For runtimes and drivers that link SPIR-V, and know neither conditions nor
/// `spirv-if specialize`. Links the modules, and splits them into images as
/// `spirv-if split` does. Functions that an image calls only under a condition are
/// in other images, two for each condition: OUT_add_on_N.spv has the functions, and
/// OUT_add_on_N_stub.spv has their replacements for other devices. These may have
/// add-on images in turn.
///
/// Property sets (.prop) and symbols (.sym) are written beside each image, and the
/// table has a row for each. The property set `SYCL/add on images` of an image lists
/// the ids of the pairs that it calls, each with its condition; `SYCL/add on image`
/// has the id of a pair, and 1 for the functions or 0 for the stubs.
///
/// Examples:
///
///   The images of a program of two translation units:
///     spirv-if sycl add-on a.spv b.spv -o app.table
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct AddOn {
    #[command(flatten)]
    program: ProgramArgs,
}

impl AddOn {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        self.program.run(Jit::AddOn, log)
    }
}

/// Returns the command line with two dashes where LLVM's tools have one: `-split=kernel` after `sycl post-link`.
pub fn spelt_out(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "sycl") {
        return arguments;
    }
    let Some(name) = arguments.get(2).and_then(|name| name.to_str()) else { return arguments };
    let command = SyclCommand::augment_subcommands(clap::Command::new("sycl"));
    let Some(command) = command.find_subcommand(name) else { return arguments };
    let long = |argument: &clap::Arg| -> Vec<String> {
        let aliases = argument.get_all_aliases().unwrap_or_default();
        argument.get_long().into_iter().chain(aliases).map(str::to_owned).collect()
    };
    let known: Vec<String> = command.get_arguments().flat_map(long).collect();
    for argument in &mut arguments[3..] {
        let text = argument.to_str().and_then(|text| text.strip_prefix('-'));
        let Some(text) = text.filter(|text| !text.starts_with('-')) else { continue };
        let name = text.split('=').next().unwrap_or_default();
        if known.iter().any(|known| known == name) {
            *argument = format!("--{text}").into();
        }
    }
    arguments
}
