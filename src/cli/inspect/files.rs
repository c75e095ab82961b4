//! The modules in the files of a command line.

use std::path::{Path, PathBuf};

use anyhow::anyhow;
use spirv_if::{Candidate, Error, Module, PropertySets, Warning, find_modules};

use super::super::annotations::RunAnnotations;
use super::super::io::{self, Bytes, Expected, Input};
use super::super::log::Log;

/// A file, and the properties beside it.
pub struct File<'p> {
    path: &'p Path,
    read: anyhow::Result<(Input<'p>, Bytes, PropertySets)>,
}

/// The results for the modules in a file.
pub struct Found<R> {
    pub name: String,
    pub size: usize,
    pub modules: Vec<R>,
}

/// The name of a module in messages, its result, and the rules that it breaks.
type Outcome<R> = (String, anyhow::Result<(R, Vec<Warning>)>);

/// Reads the files, several at the same time.
///
/// # Errors
/// If the command line makes no sense.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<File<'_>>> {
    let inputs = io::list(paths)?.into_iter().zip(paths);
    Ok(io::in_parallel(inputs, |(input, path)| File { path, read: read_one(input) }))
}

fn read_one(input: Input) -> anyhow::Result<(Input, Bytes, PropertySets)> {
    let bytes = input.read(Expected::Anything)?;
    let properties = match input.beside("prop") {
        Some(path) => io::read_properties(&path)?,
        None => PropertySets::default(),
    };
    Ok((input, bytes, properties))
}

/// Works on the modules in files, on several at the same time. Failures, and the rules that a module breaks, are logged under the name of
/// the module; the exit status, if there was any. A file without modules is a failure.
pub fn each<'f, R: Send>(
    files: &'f [File],
    annotations: &RunAnnotations,
    work: impl Fn(Module<'f>) -> Result<(R, Vec<Warning>), Error> + Sync,
    log: &mut Log,
) -> (Vec<Found<R>>, Option<u8>) {
    let candidates = io::in_parallel(files.iter(), |file| {
        let bytes = file.read.as_ref().ok().map(|(_, bytes, _)| bytes.as_slice());
        bytes.map(find_modules)
    });
    let tasks = files.iter().zip(candidates);
    let tasks = tasks.flat_map(|(file, found)| found.into_iter().flatten().map(move |place| (file, place)));
    let outcomes = io::in_parallel(tasks, |(file, place)| (file, file.outcome(&place, annotations, &work)));
    let mut outcomes = outcomes.into_iter().peekable();
    let (mut all, mut worst) = (Vec::new(), None);
    for file in files {
        let of_file = std::iter::from_fn(|| outcomes.next_if(|(of, _)| std::ptr::eq(*of, file)));
        let (found, status) = file.finish(of_file.filter_map(|(_, outcome)| outcome), log);
        // The lower, the worse.
        worst = worst.into_iter().chain(status).min();
        all.extend(found.filter(|found| !found.modules.is_empty()));
    }
    (all, worst)
}

impl File<'_> {
    /// The result for a module; `None` if there is none.
    fn outcome<'f, R>(
        &'f self,
        place: &Candidate<'f>,
        annotations: &RunAnnotations,
        work: &impl Fn(Module<'f>) -> Result<(R, Vec<Warning>), Error>,
    ) -> Option<Outcome<R>> {
        let (input, _, properties) = self.read.as_ref().ok()?;
        let module = place.load()?;
        let name = match module.offset() {
            0 => input.to_string(),
            offset => format!("{input} at {offset:#x}"),
        };
        let inspect = || {
            // Property sets beside a file are those of the whole file, not of a part of it.
            let module = match module.offset() {
                0 => module.with_properties(properties.clone())?,
                _ => module,
            };
            Ok(work(annotations.on(module.with_name(name.clone()))?)?)
        };
        let result = inspect();
        Some((name, result))
    }

    /// The results. Failures and broken rules are logged; the exit status, if there was any.
    fn finish<R>(
        &self,
        outcomes: impl Iterator<Item = Outcome<R>>,
        log: &mut Log,
    ) -> (Option<Found<R>>, Option<u8>) {
        let (input, bytes, _) = match &self.read {
            Ok(read) => read,
            Err(error) => {
                log_about(&self.path.display().to_string(), error, log);
                return (None, Some(1));
            }
        };
        let (mut modules, mut statuses, mut is_empty) = (Vec::new(), Vec::new(), true);
        for (name, result) in outcomes {
            is_empty = false;
            match result {
                Ok((result, broken)) => {
                    let mut its_log = log.about(&name);
                    for rule in broken {
                        its_log.error_at(rule.place.as_deref(), rule.text());
                        statuses.push(if rule.is_of_device() { 3 } else { 1 });
                    }
                    log.append(its_log);
                    modules.push(result);
                }
                Err(error) => {
                    statuses.push(1);
                    log_about(&name, &error, log);
                }
            }
        }
        if is_empty {
            statuses.push(1);
            let error = match bytes.module() {
                Err(Error::Load(error)) if !error.is_of_other_format() || error.is_of_known_format() => {
                    error.into()
                }
                _ => anyhow!("it contains no SPIR-V module"),
            };
            log_about(&input.to_string(), &error, log);
        }
        let found = Found { name: input.to_string(), size: bytes.as_slice().len(), modules };
        (Some(found), statuses.into_iter().min())
    }
}

fn log_about(subject: &str, error: &anyhow::Error, log: &mut Log) {
    let mut its_log = log.about(subject);
    its_log.error(error);
    log.append(its_log);
}
