//! The program `spirv-if`: one file per subcommand, with its options, its help and its `run`.
//!
//! To add a subcommand, write a file with an options struct, whose doc comment is the help, and a `run`. Add a line for it to [`Command`]
//! and to [`Command::run`]. For modules that are read or written, flatten [`io::Inputs`] and [`io::Output`]; for a device, flatten
//! [`device::DeviceArgs`]. Read every file with [`io`], so that `--depfile` names it.

mod annotations;
mod bundle;
mod check;
mod complete;
mod condition;
mod device;
mod devices;
mod drivers;
mod findings;
mod images;
mod inspect;
mod io;
mod log;
mod merge;
mod pack;
mod properties;
mod settings;
mod shell;
mod specialize;
mod split;
mod sycl;
mod terminal;
mod trim;
mod unbundle;

use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use log::{Log, Verbosity};

/// One SPIR-V module for every device.
///
/// Results go to stdout only on request; messages go to stderr.
///
/// Exit status: 0 done, 1 error, 2 wrong usage, 3 the module does not run on the device.
#[derive(Parser)]
#[command(name = "spirv-if", version, propagate_version = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    verbosity: Verbosity,
}

#[derive(Subcommand)]
enum Command {
    Bundle(bundle::BundleArgs),
    Check(check::CheckArgs),
    Completions(shell::Completions),
    Condition(condition::ConditionArgs),
    Devices(devices::DevicesArgs),
    Inspect(inspect::InspectArgs),
    Man(shell::ManPages),
    Merge(merge::MergeArgs),
    Pack(pack::PackArgs),
    Specialize(Box<specialize::SpecializeArgs>),
    Split(split::SplitArgs),
    Sycl(sycl::SyclArgs),
    Trim(trim::TrimArgs),
    Unbundle(unbundle::UnbundleArgs),
}

impl Command {
    fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self {
            Command::Bundle(options) => options.run(log),
            Command::Check(options) => options.run(log),
            Command::Completions(options) => options.run(),
            Command::Condition(options) => options.run(log),
            Command::Devices(options) => options.run(log),
            Command::Inspect(options) => options.run(log),
            Command::Man(options) => options.run(),
            Command::Merge(options) => options.run(log),
            Command::Pack(options) => options.run(log),
            Command::Specialize(options) => options.run(log),
            Command::Split(options) => options.run(log),
            Command::Sycl(options) => options.run(log),
            Command::Trim(options) => options.run(log),
            Command::Unbundle(options) => options.run(log),
        }
    }
}

/// The cause of a failure that decides the exit status.
#[derive(Debug, thiserror::Error)]
pub enum ExitFailure {
    /// The command line makes no sense.
    #[error("{0}")]
    Usage(String),
    /// The module does not run on the device that was named.
    #[error("{0}")]
    Incompatible(String),
    /// Inputs failed, and the log has the errors; the exit status.
    #[error("exit status {0}")]
    Logged(u8),
}

/// The error for a command line that makes no sense.
pub fn usage(message: impl std::fmt::Display) -> anyhow::Error {
    ExitFailure::Usage(message.to_string()).into()
}

/// Runs the program.
fn main() -> ExitCode {
    complete::answer();
    let program = match CommandLine::try_parse_from(sycl::spelt_out(std::env::args_os())) {
        Ok(program) => program,
        Err(error) => return reject(&error),
    };
    if program.verbosity.is_quiet() {
        terminal::be_quiet();
    }
    let mut log = Log::new(program.verbosity);
    let status = match program.command.run(&mut log) {
        Ok(()) => 0,
        Err(error) => {
            if !matches!(error.downcast_ref(), Some(ExitFailure::Logged(_))) {
                log.error(&error);
            }
            exit_status(&error)
        }
    };
    log.print();
    ExitCode::from(status)
}

/// Prints help, or the error in the command line in the form of other errors.
fn reject(error: &clap::Error) -> ExitCode {
    // A closed stream cannot be reported.
    let _ = match error.kind() {
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.print(),
        _ if error.use_stderr() => write!(anstream::stderr(), "spirv-if: {}", error.render().ansi()),
        _ => error.print(),
    };
    ExitCode::from(if error.use_stderr() { 2 } else { 0 })
}

/// A number of things, such as `1 call` and `2 calls`.
fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

fn exit_status(error: &anyhow::Error) -> u8 {
    match error.downcast_ref() {
        None => 1,
        Some(ExitFailure::Logged(status)) => *status,
        Some(ExitFailure::Usage(_)) => 2,
        Some(ExitFailure::Incompatible(_)) => 3,
    }
}
