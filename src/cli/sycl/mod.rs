//! `spirv-if sycl`: the tools of a SYCL compiler.

mod add_on;
mod filter;
mod post_link;
mod select;

use std::ffi::OsString;

use clap::{Args, Subcommand};

use super::log::Log;

/// Work on the device images of SYCL programs
///
/// An image is a module with its property sets (.prop) and the names of its
/// kernels (.sym). A file table (.table) lists the images of a program.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    AddOn(add_on::Options),
    Filter(filter::Options),
    PostLink(post_link::Options),
    Select(Box<select::Options>),
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self.command {
            Command::AddOn(options) => options.run(log),
            Command::Filter(options) => options.run(log),
            Command::PostLink(options) => options.run(log),
            Command::Select(options) => options.run(log),
        }
    }
}

/// The command line with two dashes where LLVM's tools have one: `-split=kernel` after `sycl post-link`.
pub fn spelt_out(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    if arguments.get(1).is_none_or(|command| command != "sycl") {
        return arguments;
    }
    let Some(name) = arguments.get(2).and_then(|name| name.to_str()) else { return arguments };
    let command = Command::augment_subcommands(clap::Command::new("sycl"));
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
