//! Writes the files that are made of the tables in `spec-extensions` and of the grammar: `cargo run -p generate`.
//!
//! Tables are compiled into the library that makes the files, so one file may depend on another: the program builds and runs itself again until nothing
//! changes.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};

/// The number of runs after which files are not expected to change any more: each depends on few others.
const MAX_RUNS: usize = 5;
/// The environment's count of runs before this one.
const RUNS: &str = "GENERATE_RUNS";

fn main() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut changed = false;
    for (file, text) in spirv_if::generate::files() {
        let path = root.join(file);
        if fs::read_to_string(&path).unwrap_or_default() != text {
            fs::write(&path, text).with_context(|| format!("cannot write {file}"))?;
            println!("{file}");
            changed = true;
        }
    }
    if !changed {
        return Ok(());
    }
    let runs = env::var(RUNS).ok().and_then(|runs| runs.parse().ok()).unwrap_or(1);
    ensure!(runs < MAX_RUNS, "the files differ after each of {runs} runs: one of them depends on itself");
    let status = Command::new(env!("CARGO"))
        .args(["run", "--quiet", "--package", "generate"])
        .env(RUNS, (runs + 1).to_string())
        .current_dir(root)
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the files that were written do not build: {status}");
    Ok(())
}
