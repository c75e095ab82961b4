//! Dependencies of a run, for build systems: the files that it read and wrote.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use clap::Args;

use super::super::usage;
use super::{Data, Destination, Staged};

/// The files that this process has read.
static READ: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Records a file that is read. Everything that reads an input calls this.
pub fn record(path: &Path) {
    READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
}

/// Returns true if a file was read.
pub fn was_read(path: &Path) -> bool {
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    // By any name: a file that was read exists.
    let Ok(canonical) = path.canonicalize() else { return false };
    read.iter().any(|path| path.canonicalize().is_ok_and(|path| path == canonical))
}

/// The file of the dependencies.
#[derive(Args, Debug, Default)]
pub struct DepfileArg {
    /// Also write a rule for make or ninja to this file: the files that were written, a colon, and all files that were read for them
    ///
    /// Ninja requires all outputs to be declared, as in `build out.spv | out.prop: pack in.spv`.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    depfile: Option<PathBuf>,
}

impl DepfileArg {
    /// Returns the rule for these results, as a result itself, if the user asked for it.
    ///
    /// # Errors
    /// If it cannot be written, or names a file that a rule cannot name.
    pub fn stage(&self, results: &[Staged]) -> anyhow::Result<Option<Staged>> {
        let Some(path) = &self.depfile else { return Ok(None) };
        let written = results.iter().filter(|result| result.is_written());
        let outputs: Vec<&Path> = written.filter_map(|result| result.destination().path()).collect();
        if outputs.is_empty() {
            return Err(usage("--depfile is for results in files, and there are none"));
        }
        let mut text = names(&outputs)?;
        text.push(':');
        let read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that is read and written has no rule: it would depend on itself.
        let inputs: Vec<&Path> =
            read.iter().map(PathBuf::as_path).filter(|path| !outputs.contains(path)).collect();
        if !inputs.is_empty() {
            text.push(' ');
            text.push_str(&names(&inputs)?);
        }
        text.push('\n');
        Ok(Some(Destination::at(path).stage(Data::Text(text))?))
    }
}

fn names(paths: &[&Path]) -> anyhow::Result<String> {
    let escaped: anyhow::Result<Vec<String>> = paths.iter().map(|path| escaped(path)).collect();
    Ok(escaped?.join(" "))
}

/// Returns a path as make and ninja read it, and as compilers write it: backslashes are doubled only before blanks.
fn escaped(path: &Path) -> anyhow::Result<String> {
    let text = path.to_str().filter(|text| !text.contains(['\n', '\r']));
    let text = text.ok_or_else(|| {
        anyhow::anyhow!("{}: a depfile cannot name this file: it must be one line of UTF-8", path.display())
    })?;
    let mut escaped = String::with_capacity(text.len());
    let mut backslashes = 0;
    for character in text.chars() {
        match character {
            ' ' | '\t' => escaped.extend(std::iter::repeat_n('\\', backslashes + 1)),
            '#' | ':' => escaped.push('\\'),
            '$' => escaped.push('$'),
            _ => {}
        }
        backslashes = if character == '\\' { backslashes + 1 } else { 0 };
        escaped.push(character);
    }
    Ok(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let name = |text: &str| escaped(Path::new(text)).unwrap();
        assert_eq!(name("a b#c$d:e%f"), r"a\ b\#c$$d\:e%f");
        assert_eq!(name(r"a\b\ c\\"), r"a\b\\\ c\\");
        assert!(escaped(Path::new("a\nb")).is_err());
    }

    /// With names of every kind, make finds the result up to date, and out of date once any input is newer.
    #[test]
    #[cfg(unix)]
    fn make_reads_it() {
        use std::process::Command;
        use std::time::{Duration, SystemTime};

        let folder = tempfile::tempdir().unwrap();
        let make = |option: &str| {
            let output = Command::new("make").arg(option).current_dir(folder.path()).output().expect("make");
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
            output.status.success()
        };
        let paths =
            ["plain.spv", "in 1", "in#2", "in$3", "in:4", r"in\5", r"in\ 6", "in%7", "tab\t8"].map(Path::new);
        // Times are past, so that make does not wonder.
        let set_age = |name: &Path, seconds| {
            let file = std::fs::File::options().append(true).open(folder.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
        };
        for path in paths {
            std::fs::write(folder.path().join(path), "").unwrap();
            set_age(path, 3000);
        }
        let output = Path::new("out 1:2");
        let rule = format!("{}: {}\n", names(&[output]).unwrap(), names(&paths).unwrap());
        let text = format!("all: out\\ 1\\:2\nout\\ 1\\:2:\n\ttouch '$@'\n{rule}");
        std::fs::write(folder.path().join("Makefile"), text).unwrap();
        assert!(make("-s"));
        for path in paths {
            set_age(output, 2000);
            assert!(make("-q"), "up to date");
            set_age(path, 1000);
            assert!(!make("-q"), "{} is newer", path.display());
            set_age(path, 3000);
        }
    }
}
