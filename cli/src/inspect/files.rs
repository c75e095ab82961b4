//! The modules in the files of a command line.

use spirv_if::inspect::Warning;
use spirv_if::module::{Candidate, explain_no_module};
use spirv_if::property_sets::PropertySets;
use spirv_if::{Error, Module};

use super::super::annotations::RunAnnotations;
use super::super::io::{self, Bytes, Input, InputArg, InputKind};
use super::super::log::Log;
use super::super::terminal::Progress;

/// A file, and the properties beside it.
pub struct File<'p> {
    input: Input<'p>,
    read: anyhow::Result<(Bytes, PropertySets)>,
}

/// The results for the modules in a file.
pub struct InspectedFile<R> {
    pub name: String,
    pub size: usize,
    pub modules: Vec<R>,
    pub broken: Vec<Broken>,
}

/// The rules that a module breaks.
pub struct Broken {
    /// The name of the module in messages.
    name: String,
    /// The file that it is in, and its offset there.
    pub file: String,
    pub offset: usize,
    pub rules: Vec<Warning>,
}

impl Broken {
    /// Logs each as an error.
    pub fn log(self, log: &mut Log) {
        let mut its_log = log.about(&self.name);
        for rule in self.rules {
            its_log.error_at(rule.place.as_deref(), rule.text());
        }
        log.append(its_log);
    }

    /// The exit status: 3 if only devices do not run the module.
    pub fn status(&self) -> u8 {
        if self.rules.iter().all(Warning::is_of_device) { 3 } else { 1 }
    }
}

/// Takes the broken rules out of the results.
pub fn take_broken<R>(inspected: &mut [InspectedFile<R>]) -> Vec<Broken> {
    inspected.iter_mut().flat_map(|file| std::mem::take(&mut file.broken)).collect()
}

/// The name of a module in messages, its offset, its result, and the rules that it breaks.
type ModuleOutcome<R> = (String, usize, anyhow::Result<(R, Vec<Warning>)>);

/// Reads the files, several at the same time.
///
/// # Errors
/// If the command line makes no sense.
pub fn read(arguments: &[InputArg]) -> anyhow::Result<Vec<File<'_>>> {
    let inputs = io::list(arguments)?.into_iter();
    Ok(io::in_parallel(inputs, |input| File { input, read: read_one(input) }))
}

fn read_one(input: Input) -> anyhow::Result<(Bytes, PropertySets)> {
    let bytes = input.read(InputKind::Anything)?;
    let properties = match input.beside("prop") {
        Some(path) => io::read_properties(&path)?,
        None => PropertySets::default(),
    };
    Ok((bytes, properties))
}

/// Works on the modules in files, on several at the same time. Failures are logged under the name of the module; true if there was any. A
/// file without modules is a failure.
pub fn each<'f, R: Send>(
    files: &'f [File],
    annotations: &RunAnnotations,
    work: impl Fn(Module<'f>) -> Result<(R, Vec<Warning>), Error> + Sync,
    log: &mut Log,
) -> (Vec<InspectedFile<R>>, bool) {
    // How many modules there are shows as they are found.
    let progress = Progress::new("modules", None);
    let candidates = io::in_parallel(files.iter(), |file| {
        let (bytes, _) = file.read.as_ref().ok()?;
        // An unreadable file is reported below.
        file.input.candidates(bytes).ok()
    });
    let tasks = files.iter().zip(candidates);
    let tasks =
        tasks.flat_map(|(file, candidates)| candidates.into_iter().flatten().map(move |place| (file, place)));
    let outcomes = io::in_parallel(tasks, |(file, place)| {
        let outcome = file.outcome(&place, annotations, &work);
        progress.step();
        (file, outcome)
    });
    drop(progress);
    let mut outcomes = outcomes.into_iter().peekable();
    let (mut all, mut failed) = (Vec::new(), false);
    for file in files {
        let of_file = std::iter::from_fn(|| outcomes.next_if(|(of, _)| std::ptr::eq(*of, file)));
        let (file, ok) = file.finish(of_file.filter_map(|(_, outcome)| outcome), log);
        failed |= !ok;
        all.extend(file.filter(|file| !file.modules.is_empty()));
    }
    (all, failed)
}

impl File<'_> {
    /// The result for a module; `None` if there is none.
    fn outcome<'f, R>(
        &'f self,
        place: &Candidate<'f>,
        annotations: &RunAnnotations,
        work: &impl Fn(Module<'f>) -> Result<(R, Vec<Warning>), Error>,
    ) -> Option<ModuleOutcome<R>> {
        let (_, properties) = self.read.as_ref().ok()?;
        let module = place.load()?;
        let input = &self.input;
        let name = match module.offset() {
            offset if offset > 0 && input.is_whole_file() => format!("{input} at {offset:#x}"),
            _ => input.to_string(),
        };
        let offset = module.offset();
        let inspect = || {
            // Property sets beside a file are those of the whole file, not of a part of it.
            let module = match module.offset() {
                0 => module.with_properties(properties.clone())?,
                _ => module,
            };
            Ok(work(annotations.on(module.with_name(name.clone()))?)?)
        };
        let result = inspect();
        Some((name, offset, result))
    }

    /// The results. Failures are logged; false if there was any.
    fn finish<R>(
        &self,
        outcomes: impl Iterator<Item = ModuleOutcome<R>>,
        log: &mut Log,
    ) -> (Option<InspectedFile<R>>, bool) {
        let input = &self.input;
        let (bytes, _) = match &self.read {
            Ok(read) => read,
            Err(error) => {
                log_about(&input.path().display().to_string(), error, log);
                return (None, false);
            }
        };
        let (mut modules, mut broken) = (Vec::new(), Vec::new());
        let (mut ok, mut is_empty) = (true, true);
        for (name, offset, result) in outcomes {
            is_empty = false;
            match result {
                Ok((result, rules)) => {
                    if !rules.is_empty() {
                        broken.push(Broken { name, file: input.path().display().to_string(), offset, rules });
                    }
                    modules.push(result);
                }
                Err(error) => {
                    ok = false;
                    log_about(&name, &error, log);
                }
            }
        }
        if is_empty {
            let error = match input.candidates(bytes) {
                Err(error) => error,
                Ok(_) => explain_no_module(bytes.as_slice()),
            };
            log_about(&input.to_string(), &error.into(), log);
        }
        let size = bytes.as_slice().len();
        let file = InspectedFile { name: input.to_string(), size, modules, broken };
        (Some(file), ok && !is_empty)
    }
}

fn log_about(subject: &str, error: &anyhow::Error, log: &mut Log) {
    let mut its_log = log.about(subject);
    its_log.error(error);
    log.append(its_log);
}
