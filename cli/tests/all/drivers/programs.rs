//! The command line program and the examples, with a driver.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::drivers::process::INVALID;
use crate::drivers::{BUILT, DRIVER};

/// A program that cargo has built, or whoever set [`BUILT`].
pub fn built(name: &str) -> PathBuf {
    let default_folder = Path::new(env!("CARGO_BIN_EXE_spirv-if")).with_file_name("");
    std::env::var_os(BUILT).map_or(default_folder, PathBuf::from).join(name)
}

/// A program that sees the driver of this case.
pub fn with_driver(program: &Path) -> Command {
    let mut command = Command::new(std::env::var_os(DRIVER).unwrap());
    command.arg(program);
    command
}

/// Runs a command and returns its standard output.
pub fn run(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let printed = text(&output.stdout);
    match output.status.success() && !printed.contains(INVALID) {
        true => Ok(printed),
        false => Err(format!("{command:?}: {}: {}{}", output.status, text(&output.stderr), printed)),
    }
}
