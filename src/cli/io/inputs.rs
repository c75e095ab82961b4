//! The modules to read.

use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use spirv_if::Module;

use super::super::log::Log;
use super::super::{Failure, exit_status, usage};
use super::{Bytes, Expected, depfile, in_parallel, read_properties};

/// The modules to read.
#[derive(Args, Debug)]
pub struct Inputs {
    /// SPIR-V modules of either byte order; `-` is standard input
    #[arg(value_name = "MODULE", required = true)]
    modules: Vec<PathBuf>,
}

/// A module to read.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a>(&'a Path);

impl Inputs {
    /// The inputs, in the order of the command line.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn list(&self) -> anyhow::Result<Vec<Input<'_>>> {
        list(&self.modules)
    }

    /// Works on every input, on several at the same time, and returns the results in the order of the inputs. Messages about an input, with
    /// its error, are logged under its name.
    ///
    /// # Errors
    /// If the work on any input fails, [`Failure::Logged`].
    pub fn for_each<R: Send>(
        &self,
        log: &mut Log,
        work: impl Fn(&Input, Module, &mut Log) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<Vec<R>> {
        let (results, failed) = self.for_each_that_works(log, work)?;
        failed.map_or(Ok(results), Err)
    }

    /// The same, with the results of those inputs on which the work does not fail, and the error if it fails on any.
    ///
    /// # Errors
    /// If standard input should be read twice.
    pub fn for_each_that_works<R: Send>(
        &self,
        log: &mut Log,
        work: impl Fn(&Input, Module, &mut Log) -> anyhow::Result<R> + Sync,
    ) -> anyhow::Result<(Vec<R>, Option<anyhow::Error>)> {
        let inputs = self.list()?;
        Ok(each_that_works(&inputs, &inputs, log, |input, _, log| {
            let bytes = input.read(Expected::Module)?;
            work(input, bytes.module()?.with_name(input.to_string()), log)
        }))
    }
}

/// Works on an item of each input, or of something else that has a name, as [`Inputs::for_each`] does.
///
/// # Errors
/// If the work on any input fails, [`Failure::Logged`].
pub fn each<S: fmt::Display + Sync, I: Send, R: Send>(
    inputs: &[S],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    log: &mut Log,
    work: impl Fn(&S, I, &mut Log) -> anyhow::Result<R> + Sync,
) -> anyhow::Result<Vec<R>> {
    let (results, failed) = each_that_works(inputs, items, log, work);
    failed.map_or(Ok(results), Err)
}

/// The results of the work that does not fail, and the error if any does.
fn each_that_works<S: fmt::Display + Sync, I: Send, R: Send>(
    inputs: &[S],
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    log: &mut Log,
    work: impl Fn(&S, I, &mut Log) -> anyhow::Result<R> + Sync,
) -> (Vec<R>, Option<anyhow::Error>) {
    let shared = &*log;
    let outcomes = in_parallel(inputs.iter().zip(items), |(input, item)| {
        let mut log = shared.about(input);
        let result = work(input, item, &mut log).map_err(|error| {
            if !matches!(error.downcast_ref(), Some(Failure::Logged(_))) {
                log.error(&error);
            }
            exit_status(&error)
        });
        (log, result)
    });
    let mut results = Vec::with_capacity(outcomes.len());
    let mut worst: Option<u8> = None;
    for (its_log, result) in outcomes {
        log.append(its_log);
        match result {
            Ok(result) => results.push(result),
            // The lower, the worse.
            Err(status) => worst = Some(worst.map_or(status, |worst| worst.min(status))),
        }
    }
    (results, worst.map(|status| Failure::Logged(status).into()))
}

/// Paths of the command line as inputs.
///
/// # Errors
/// If standard input should be read twice.
pub fn list(paths: &[PathBuf]) -> anyhow::Result<Vec<Input<'_>>> {
    let inputs: Vec<Input> = paths.iter().map(|path| Input(path)).collect();
    match inputs.iter().filter(|input| input.is_stdin()).count() {
        0 | 1 => Ok(inputs),
        _ => Err(usage("standard input (`-`) can be read only once")),
    }
}

impl Input<'_> {
    /// True if a path on the command line refers to it.
    pub fn is_at(&self, path: &Path) -> bool {
        self.0 == path
    }

    fn is_stdin(&self) -> bool {
        self.0 == Path::new("-")
    }

    /// The name of a result in a folder: that of the input, with a word before the extension where there are several.
    pub fn file_name(&self, word: Option<&str>) -> PathBuf {
        let path = if self.is_stdin() { Path::new("stdin.spv") } else { self.0 };
        let name = Path::new(path.file_name().unwrap_or(path.as_os_str()));
        let Some(word) = word else { return name.to_owned() };
        let mut extension = OsString::from(word);
        if let Some(own) = name.extension() {
            extension.push(".");
            extension.push(own);
        }
        name.with_extension(extension)
    }

    /// The file beside it with its name and another extension, if there is one.
    pub fn beside(&self, extension: &str) -> Option<PathBuf> {
        Some(self.0.with_extension(extension)).filter(|path| !self.is_stdin() && path.is_file())
    }

    /// Its module with the properties in a file, or in the one beside it.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn with_properties<'m>(
        &self,
        module: Module<'m>,
        given: Option<&Path>,
    ) -> anyhow::Result<Module<'m>> {
        match given.map(Path::to_owned).or_else(|| self.beside("prop")) {
            Some(path) => Ok(module.with_properties(read_properties(&path)?)?),
            None => Ok(module),
        }
    }

    /// Reads it, into memory once.
    ///
    /// # Errors
    /// If it is too large, or the system cannot read it.
    pub fn read(&self, expected: Expected) -> anyhow::Result<Bytes> {
        if self.is_stdin() {
            return Ok(Bytes::read(io::stdin().lock(), 0, expected)?);
        }
        depfile::record(self.0);
        Ok(Bytes::read_file(&File::open(self.0)?, expected)?)
    }
}

impl fmt::Display for Input<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_stdin() { f.write_str("standard input") } else { self.0.display().fmt(f) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_results() {
        let name = |path: &str, word| Input(Path::new(path)).file_name(word).display().to_string();
        assert_eq!(name("a/b.x.spv", None), "b.x.spv");
        assert_eq!(name("a/b.x.spv", Some("dev")), "b.x.dev.spv");
        assert_eq!(name("a/b", Some("dev")), "b.dev");
        assert_eq!(name("-", Some("dev")), "stdin.dev.spv");
    }
}
