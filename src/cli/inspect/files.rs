//! The modules in the files of a command line.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use anyhow::anyhow;
use spirv_if::device::api::Api;
use spirv_if::inspection::{FileReport, ModuleReport, Question, study};
use spirv_if::loader::{Candidate, Embedded, Module, Problem, embedded_candidates};
use spirv_if::properties::PropertySets;
use spirv_if::runtime::Fits;
use spirv_if::writer::dot::Dot;

use super::super::annotations::RunAnnotations;
use super::super::bytes::Bytes;
use super::super::io::{self, Input};
use super::super::log::Log;
use super::known::Known;

/// What is asked about the modules.
pub struct Request<'r, 'd> {
    /// What is said of them beside.
    pub annotations: &'r RunAnnotations,
    /// What to say the reasons of.
    pub question: Option<&'r Question>,
    /// The devices.
    pub fits: &'r Mutex<Fits<'d>>,
    /// Whether to say of each device whether it runs them, and not only of how many.
    pub each_device: bool,
    /// The API that must enable things for them.
    pub api: Option<Api>,
}

/// A file, and the properties beside it.
pub struct File<'p> {
    input: Input<'p>,
    bytes: Bytes,
    /// Whether all of it is one module.
    is_module: bool,
    properties: PropertySets,
}

/// Where a module is, or could be, in a file.
enum Place<'f> {
    /// The file is one.
    Whole,
    /// It may have one inside.
    Inside(Candidate<'f>),
}

impl<'f> Place<'f> {
    /// Where it starts and its bytes, if it is inside of a file, where nothing beside the file speaks of it.
    fn inside(&self) -> Option<(usize, &'f [u8])> {
        match self {
            Place::Inside(candidate) if candidate.offset() != 0 => {
                Some((candidate.offset(), candidate.bytes()))
            }
            _ => None,
        }
    }
}

/// What came of a place; `None` if no module is there.
type Outcome<R> = Option<(Embedded, anyhow::Result<R>)>;

/// Inspects the modules in files, several at the same time; `finish` makes of each report what is kept. What fails is logged
/// under its name; true if anything did.
pub fn inspect<R: Send>(
    paths: &[PathBuf],
    files: &[anyhow::Result<File>],
    request: &Request,
    finish: impl Fn(&ModuleReport) -> R + Sync,
    log: &mut Log,
) -> (Vec<FileReport<R>>, bool) {
    let mut failed = false;
    let tasks = files.iter().flatten().flat_map(|file| file.places().map(move |place| (file, place)));
    let known: Known<ModuleReport> = Known::new();
    let outcomes = io::in_parallel(tasks, |(file, place)| {
        let inside = place.inside();
        if let Some((offset, bytes)) = inside
            && let Some(report) = known.get(bytes)
        {
            let report: ModuleReport = ModuleReport { offset, ..(*report).clone() };
            let place = Embedded { offset, size: report.size };
            return (file, Some((place, Ok(finish(&report)))));
        }
        let work = |place, module: &Module| {
            let report = Arc::new(one(file, place, module, request)?);
            let finished = finish(&report);
            if let Some((_, bytes)) = inside {
                known.insert(bytes, report);
            }
            Ok(finished)
        };
        (file, file.with_module(&place, work))
    });
    std::mem::forget(known); // the process ends soon
    let mut outcomes = outcomes.into_iter().peekable();
    let mut reports = Vec::new();
    for (file, path) in files.iter().zip(paths) {
        let Ok(file) = file.as_ref().map_err(|error| log_about(&path.display().to_string(), error, log))
        else {
            failed = true;
            continue;
        };
        let of_file = std::iter::from_fn(|| outcomes.next_if(|(of, _)| std::ptr::eq(*of, file)));
        let (modules, ok) = file.finish(of_file.map(|(_, outcome)| outcome).collect(), log);
        failed |= !ok;
        if !modules.is_empty() {
            let (name, size) = (file.input.to_string(), file.bytes.as_slice().len());
            reports.push(FileReport { file: name, size, modules });
        }
    }
    (reports, failed)
}

/// The call graphs of the modules in files, as DOT; true if anything failed.
pub fn draw(
    paths: &[PathBuf],
    files: &[anyhow::Result<File>],
    annotations: &RunAnnotations,
    log: &mut Log,
) -> (String, bool) {
    let mut failed = false;
    let mut dot = Dot::new();
    for (file, path) in files.iter().zip(paths) {
        let Ok(file) = file.as_ref().map_err(|error| log_about(&path.display().to_string(), error, log))
        else {
            failed = true;
            continue;
        };
        let mut draw = |place: Embedded, module: &Module| {
            let title = file.title(place);
            let annotated = annotations.of(module)?;
            Ok(study(module, &file.properties, &annotated, |study| study.draw(&title, &mut dot))?)
        };
        let outcomes = file.places().map(|place| file.with_module(&place, &mut draw)).collect();
        failed |= !file.finish(outcomes, log).1;
    }
    (dot.finish(), failed)
}

/// Reads the files, several at the same time.
///
/// # Errors
/// Where the command line makes no sense.
pub fn read(paths: &[PathBuf]) -> anyhow::Result<Vec<anyhow::Result<File<'_>>>> {
    Ok(io::in_parallel(io::list(paths)?.into_iter(), File::read))
}

impl<'p> File<'p> {
    fn read(input: Input<'p>) -> anyhow::Result<File<'p>> {
        let bytes = input.read()?;
        let properties = match input.beside("prop") {
            Some(path) => io::read_properties(&path)?,
            None => PropertySets::default(),
        };
        let is_module = bytes.module().is_ok();
        Ok(File { input, bytes, is_module, properties })
    }

    /// Where modules are or could be. What starts as a module and does not load may have some inside all the same.
    fn places(&self) -> impl Iterator<Item = Place<'_>> {
        let whole = self.is_module;
        let inside = (!whole).then(|| embedded_candidates(self.bytes.as_slice()).map(Place::Inside));
        whole.then_some(Place::Whole).into_iter().chain(inside.into_iter().flatten())
    }

    fn with_module<R>(
        &self,
        place: &Place,
        work: impl FnOnce(Embedded, &Module) -> anyhow::Result<R>,
    ) -> Outcome<R> {
        match place {
            Place::Whole => {
                let place = Embedded { offset: 0, size: self.bytes.as_slice().len() };
                let module = self.bytes.module().map_err(anyhow::Error::from);
                Some((place, module.and_then(|module| work(place, &module))))
            }
            Place::Inside(candidate) => {
                let (place, module) = candidate.load()?;
                Some((place, work(place, &module)))
            }
        }
    }

    /// The results; what failed is logged, and false if anything did. A file without any module failed.
    fn finish<R>(&self, outcomes: Vec<Outcome<R>>, log: &mut Log) -> (Vec<R>, bool) {
        let mut results = Vec::new();
        let mut ok = true;
        let mut is_empty = true;
        for (place, result) in outcomes.into_iter().flatten() {
            is_empty = false;
            match result {
                Ok(result) => results.push(result),
                Err(error) => {
                    ok = false;
                    log_about(&self.title(place), &error, log);
                }
            }
        }
        if is_empty {
            let error = match self.bytes.module() {
                Err(error) if !matches!(error.problem, Problem::NotSpirv(_)) => error.into(),
                _ => anyhow!("there is no SPIR-V module in it"),
            };
            log_about(&self.input.to_string(), &error, log);
        }
        (results, ok && !is_empty)
    }

    /// What a message calls a module.
    fn title(&self, place: Embedded) -> String {
        match place.offset {
            0 => self.input.to_string(),
            offset => format!("{} at {offset:#x}", self.input),
        }
    }
}

fn log_about(subject: &str, error: &anyhow::Error, log: &mut Log) {
    let mut its_log = log.about(subject);
    its_log.error(error);
    log.append(its_log);
}

fn one(file: &File, place: Embedded, module: &Module, request: &Request) -> anyhow::Result<ModuleReport> {
    // What is beside a file speaks of that, not of a part of it.
    let none = PropertySets::default();
    let properties = if place.offset == 0 { &file.properties } else { &none };
    let annotated = request.annotations.of(module)?;
    let report = study(module, properties, &annotated, |study| {
        let mut inspected = study.inspected()?;
        study.fit(&mut inspected, request.fits, request.each_device)?;
        let why = request.question.map(|question| study.why(question)).transpose()?;
        let enable = request.api.map(|api| study.enable(api, &inspected));
        Ok(ModuleReport { offset: place.offset, size: place.size, inspected, enable, why })
    });
    Ok(report?)
}
