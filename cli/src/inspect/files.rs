//! The modules in the files of a command line.

use anyhow::anyhow;
use spirv_if::module::{Candidate, explain_no_module};
use spirv_if::property_sets::PropertySets;
use spirv_if::{Error, Module};
use spirv_if_inspect::ModulePlace;
use spirv_if_sycl::check::{Warning, check_conditions};

use super::super::annotations::RunAnnotations;
use super::super::findings::ModuleFindings;
use super::super::io::{self, Bytes, Input, InputArg, InputKind};
use super::super::log::Log;
use super::super::terminal::Progress;

/// A file, and the properties beside it.
pub struct File<'p> {
    input: Input<'p>,
    read: anyhow::Result<(Bytes, PropertySets)>,
}

/// The results for the modules in a file.
pub struct InspectedFile<'f, R> {
    pub name: String,
    pub size: usize,
    /// The number of possible modules.
    pub candidates: usize,
    pub modules: Vec<R>,
    pub broken: Vec<ModuleFindings>,
    file: &'f File<'f>,
    /// The places of the modules.
    places: Vec<Candidate<'f>>,
}

impl<'f, R: Send> InspectedFile<'f, R> {
    /// Works again on some of the modules, by index, and replaces their results. The log has their warnings already.
    pub fn replace(
        &mut self,
        modules: &[usize],
        annotations: &RunAnnotations,
        work: impl Fn(&Input, Module<'f>) -> Result<R, Error> + Sync,
        log: &Log,
    ) {
        let (file, places) = (self.file, &self.places);
        let work = |input: &Input, module| Ok((work(input, module)?, Vec::new()));
        let results = io::in_parallel(modules.iter(), |&at| {
            let ((.., result), _) = file.outcome(&places[at], annotations, &work, log)?;
            Some((at, result.ok()?.0))
        });
        for (at, result) in results.into_iter().flatten() {
            self.modules[at] = result;
        }
    }
}

/// Removes the broken rules from the results, and returns them.
pub fn take_broken<R>(inspected: &mut [InspectedFile<'_, R>]) -> Vec<ModuleFindings> {
    inspected.iter_mut().flat_map(|file| std::mem::take(&mut file.broken)).collect()
}

/// The name of a module in messages, its offset, and its result with the rules that it breaks.
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

/// A file or a module that cannot be examined.
pub struct UnreadModule {
    /// The file.
    pub file: String,
    /// The name in messages.
    pub name: String,
    pub error: anyhow::Error,
}

/// Works on the modules in files, on several at the same time. `work` gets the number of possible modules in the file, too. Failures are logged under
/// the name of the module, and returned. A file without modules is a failure.
pub fn each<'f, R: Send>(
    files: &'f [File<'f>],
    annotations: &RunAnnotations,
    work: impl Fn(&Input, usize, Module<'f>) -> Result<(R, Vec<Warning>), Error> + Sync,
    log: &mut Log,
) -> (Vec<InspectedFile<'f, R>>, Vec<UnreadModule>) {
    // How many modules there are shows as they are found.
    let progress = Progress::new("modules", None);
    let candidates = io::in_parallel(files.iter(), |file| {
        // An unreadable file is reported below.
        let bytes = file.read.as_ref().ok().map(|(bytes, _)| bytes);
        bytes.and_then(|bytes| file.input.candidates(bytes).ok()).unwrap_or_default()
    });
    let counts: Vec<usize> = candidates.iter().map(Vec::len).collect();
    let tasks = files.iter().zip(candidates);
    let tasks = tasks.flat_map(|(file, places)| {
        let count = places.len();
        places.into_iter().map(move |place| (file, count, place))
    });
    let about = &*log;
    let outcomes = io::in_parallel(tasks, |(file, count, place)| {
        let work = |input: &Input, module| work(input, count, module);
        let outcome = file.outcome(&place, annotations, &work, about);
        progress.step();
        let (outcome, its_log) = outcome.unzip();
        (file, outcome.map(|outcome| (place, outcome)), its_log)
    });
    drop(progress);
    let mut of_modules = Vec::with_capacity(outcomes.len());
    for (file, outcome, its_log) in outcomes {
        its_log.into_iter().for_each(|its_log| log.append(its_log));
        of_modules.push((file, outcome));
    }
    let mut outcomes = of_modules.into_iter().peekable();
    let (mut all, mut failures) = (Vec::new(), Vec::new());
    for (file, candidates) in files.iter().zip(counts) {
        let of_file = std::iter::from_fn(|| outcomes.next_if(|(of, _)| std::ptr::eq(*of, file)));
        let file = file.finish(candidates, of_file.filter_map(|(_, outcome)| outcome), &mut failures);
        all.extend(file.filter(|file| !file.modules.is_empty()));
    }
    for UnreadModule { name, error, .. } in &failures {
        let mut its_log = log.about(name);
        its_log.error(error);
        log.append(its_log);
    }
    (all, failures)
}

impl<'f> File<'f> {
    /// Returns the result for a module; `None` if there is none. A malformed image of a linked file is an error.
    fn outcome<R>(
        &'f self,
        place: &Candidate<'f>,
        annotations: &RunAnnotations,
        work: &impl Fn(&Input, Module<'f>) -> Result<(R, Vec<Warning>), Error>,
        log: &Log,
    ) -> Option<(ModuleOutcome<R>, Log)> {
        let (_, properties) = self.read.as_ref().ok()?;
        let module = place.load();
        if module.is_none() && !place.is_linked_image() {
            return None;
        }
        let input = &self.input;
        let offset = place.offset();
        let name = match offset {
            offset if offset > 0 && input.is_whole_file() => format!("{input} at {offset:#x}"),
            _ => input.to_string(),
        };
        let mut its_log = log.about(&name);
        let inspect = || {
            // Property sets beside a file are those of the whole file, not of a part of it. Executables may have some for parts.
            let module = match (module, offset) {
                (None, _) => place.load_or_error()?,
                (Some(module), 0) => module.with_properties(properties.clone())?,
                (Some(module), _) => place.with_properties(module)?,
            };
            let module = annotations.on(module.with_name(name.clone()))?;
            check_conditions(&module)?.iter().for_each(|warning| its_log.warning(warning.text()));
            Ok(work(input, module)?)
        };
        let result = inspect();
        Some(((name, offset, result), its_log))
    }

    /// Returns the results, by the places of the modules. Failures are added.
    fn finish<R>(
        &'f self,
        candidates: usize,
        outcomes: impl Iterator<Item = (Candidate<'f>, ModuleOutcome<R>)>,
        failures: &mut Vec<UnreadModule>,
    ) -> Option<InspectedFile<'f, R>> {
        let input = &self.input;
        let path = input.path().display().to_string();
        let mut failure = |name: String, error: anyhow::Error| {
            failures.push(UnreadModule { file: path.clone(), name, error })
        };
        let (bytes, _) = match &self.read {
            Ok(read) => read,
            Err(error) => {
                failure(path.clone(), anyhow!("{error:#}"));
                return None;
            }
        };
        let (mut places, mut modules, mut broken) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_empty = true;
        for (place, (name, offset, result)) in outcomes {
            is_empty = false;
            match result {
                Ok((result, warnings)) => {
                    if !warnings.is_empty() {
                        let place = ModulePlace::new(&path).name(name).offset(offset);
                        broken.push(ModuleFindings { place, warnings });
                    }
                    modules.push(result);
                    places.push(place);
                }
                Err(error) => failure(name, error),
            }
        }
        if is_empty {
            let error = match input.candidates(bytes) {
                Err(error) => error,
                Ok(_) => explain_no_module(bytes.as_slice()),
            };
            failure(input.to_string(), error.into());
        }
        let size = bytes.as_slice().len();
        Some(InspectedFile { name: input.to_string(), size, candidates, modules, broken, file: self, places })
    }
}
