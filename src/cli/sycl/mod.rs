//! `spirv-if sycl`: what the tools of a SYCL compiler do, and its runtime.

mod filter;
mod post_link;

use clap::{Args, Subcommand};

use super::log::Log;

/// Work on the device images of SYCL programs
///
/// An image is a module and what a runtime must know of it: its property sets
/// (.prop) and the names of its kernels (.sym). A file table (.table) lists the
/// images of a program.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Filter(filter::Options),
    PostLink(post_link::Options),
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self.command {
            Command::Filter(options) => options.run(log),
            Command::PostLink(options) => options.run(log),
        }
    }
}
