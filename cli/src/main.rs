//! The program `spirv-if`: one file per subcommand, with its options, its help and its `run`.
//!
//! To add a subcommand, write a file with an options struct, whose doc comment is the help, and a `run`. Add a line for it to
//! `subcommands!`. For modules that are read or written, flatten [`io::Inputs`] and [`io::Output`]; for a device, flatten
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
mod questions;
mod settings;
mod shell;
mod specialize;
mod split;
mod sycl;
mod terminal;
mod trim;
mod unbundle;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, FromArgMatches, Parser, Subcommand};

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

/// Declares the subcommands, each by its name, its variant and its options, which have a `run`.
macro_rules! subcommands {
    ($($name:literal => $variant:ident($options:ty),)*) => {
        #[derive(Subcommand)]
        enum Command {
            $(#[command(name = $name)] $variant($options),)*
        }

        /// The subcommands' names, and the functions that add their options.
        const SUBCOMMANDS: &[(&str, fn(clap::Command) -> clap::Command)] =
            &[$(($name, <$options as Args>::augment_args),)*];

        impl Command {
            fn run(self, log: &mut Log) -> anyhow::Result<()> {
                match self {
                    $(Command::$variant(options) => options.run(log),)*
                }
            }
        }
    };
}

subcommands! {
    "bundle" => Bundle(bundle::BundleArgs),
    "check" => Check(check::CheckArgs),
    "completions" => Completions(shell::Completions),
    "condition" => Condition(condition::ConditionArgs),
    "devices" => Devices(devices::DevicesArgs),
    "inspect" => Inspect(inspect::InspectArgs),
    "man" => Man(shell::ManPages),
    "merge" => Merge(merge::MergeArgs),
    "pack" => Pack(pack::PackArgs),
    "specialize" => Specialize(Box<specialize::SpecializeArgs>),
    "split" => Split(split::SplitArgs),
    "sycl" => Sycl(sycl::SyclArgs),
    "trim" => Trim(trim::TrimArgs),
    "unbundle" => Unbundle(unbundle::UnbundleArgs),
}

impl CommandLine {
    /// Parses arguments. Most of the time of a short process would go into the options of subcommands that it does not run: only help,
    /// errors and other answers of clap need them.
    fn read(arguments: &[OsString]) -> Result<CommandLine, clap::Error> {
        let named = SUBCOMMANDS.iter().filter(|(name, _)| arguments.iter().any(|argument| argument == name));
        let program = Verbosity::augment_args(clap::Command::new("spirv-if"));
        let program = program.subcommands(named.map(|(name, add)| add(clap::Command::new(*name))));
        let matches = program.try_get_matches_from(arguments);
        match matches.and_then(|mut matches| CommandLine::from_arg_matches_mut(&mut matches)) {
            Ok(program) => Ok(program),
            Err(_) => CommandLine::try_parse_from(arguments),
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

/// Returns the error for a command line that makes no sense.
pub fn usage(message: impl std::fmt::Display) -> anyhow::Error {
    ExitFailure::Usage(message.to_string()).into()
}

/// Runs the program.
fn main() -> ExitCode {
    complete::answer();
    if let Some(code) = inspect::answer() {
        return code;
    }
    let program = match CommandLine::read(&sycl::spelt_out(std::env::args_os())) {
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
                log.drop_notes();
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

/// Returns a number of things, such as `1 call` and `2 calls`.
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
