//! Completions, which the program itself returns to the script of a shell: commands and options, and the names that options take.

use std::ffi::OsStr;
use std::path::Path;

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use clap_complete::env::{CompleteEnv, Shells};
use spirv_if::Module;
use spirv_if::device::{Aspect, Capability, DeviceConfig};
use spirv_if_inspect::{InspectOptions, inspect};

use super::CommandLine;

/// The environment variable in which the script names its shell.
const VARIABLE: &str = "SPIRV_IF_COMPLETE";

/// Answers a request of a shell's script, and ends the program.
pub fn answer() {
    CompleteEnv::with_factory(command).var(VARIABLE).complete();
}

/// Returns the script by which a shell asks the program.
pub fn script(shell: Shell) -> std::io::Result<Vec<u8>> {
    let shells = Shells::builtins();
    let name = shell.to_string();
    let completer =
        shells.completer(&name).ok_or_else(|| std::io::Error::other(format!("no script for {name}")))?;
    let mut script = Vec::new();
    completer.write_registration(VARIABLE, "spirv-if", "spirv-if", "spirv-if", &mut script)?;
    Ok(script)
}

/// Values of an option that begin with a text.
type Completer = fn(&str) -> Vec<CompletionCandidate>;

/// Options and arguments whose values have names, by their ids.
const NAMED: [(&str, Completer); 13] = [
    ("aspect", aspects),
    ("aspects", aspects),
    ("capabilities", capabilities),
    ("device", devices),
    ("devices", devices),
    ("fixed_targets", devices),
    ("leave", constants),
    ("names", devices),
    ("require_devices", devices),
    ("set", settings),
    ("set_default", settings),
    ("target", devices),
    ("why", requirements),
];

/// Names of values that are paths, as the help shows them; some are followed by an extension.
const PATHS: [&str; 6] = ["BUNDLE", "FILE", "FOLDER", "MODULE", "PATH", "TABLE"];

/// Returns the command line, with completions of its values.
fn command() -> Command {
    with_values(CommandLine::command())
}

fn with_values(command: Command) -> Command {
    let command = command.mut_args(with_value);
    command.mut_subcommands(with_values)
}

fn with_value(arg: Arg) -> Arg {
    let completer = NAMED.iter().find(|(id, _)| arg.get_id() == id);
    let names = arg.get_value_names().unwrap_or_default();
    let is_path = names.iter().any(|name| PATHS.iter().any(|path| name.starts_with(path)));
    match completer {
        Some(&(_, complete)) if arg.get_action().takes_values() => {
            arg.value_delimiter(',').add(ArgValueCompleter::new(move |current: &OsStr| {
                current.to_str().map(complete).unwrap_or_default()
            }))
        }
        _ if is_path => arg.value_hint(ValueHint::AnyPath),
        _ => arg,
    }
}

/// Returns the names that begin with a text.
fn with_prefix<N: Into<String>>(text: &str, names: impl IntoIterator<Item = N>) -> Vec<CompletionCandidate> {
    let names = names.into_iter().map(N::into).filter(|name| name.starts_with(text));
    names.map(CompletionCandidate::new).collect()
}

fn aspects(text: &str) -> Vec<CompletionCandidate> {
    with_prefix(text, Aspect::names())
}

fn capabilities(text: &str) -> Vec<CompletionCandidate> {
    with_prefix(text, Capability::names())
}

fn requirements(text: &str) -> Vec<CompletionCandidate> {
    with_prefix(text, Aspect::names().chain(Capability::names()))
}

fn devices(text: &str) -> Vec<CompletionCandidate> {
    let config = DeviceConfig::embedded().ok();
    let devices = config.iter().flat_map(DeviceConfig::iter);
    with_prefix(text, devices.map(|device| device.name().to_owned()))
}

/// Returns the specialization constants of the modules on the command line: their SpecIds, and their names.
fn constants(text: &str) -> Vec<CompletionCandidate> {
    let files =
        std::env::args_os().filter(|argument| Path::new(argument).extension() == Some(OsStr::new("spv")));
    let known = files.filter_map(|file| {
        let bytes = std::fs::read(file).ok()?;
        let options = InspectOptions::new().skip_remedies(true);
        Some(inspect(&Module::from_bytes(&bytes).ok()?, &options).ok()?.spec_constants())
    });
    let names = known.flatten().flat_map(|constant| {
        [Some(constant.spec_id.number().to_string()), constant.name].into_iter().flatten()
    });
    with_prefix(text, names)
}

/// Like [`constants`], but each with the colon before its value.
fn settings(text: &str) -> Vec<CompletionCandidate> {
    let constants = constants(text).into_iter();
    constants.map(|name| CompletionCandidate::new(format!("{}:", name.get_value().display()))).collect()
}
