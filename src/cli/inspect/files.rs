//! The modules in the files of a command line.

use std::path::PathBuf;
use std::sync::Mutex;

use anyhow::anyhow;
use spirv_if::device::api::Api;
use spirv_if::inspection::{Enable, FileReport, ModuleReport, Question, study};
use spirv_if::loader::{Embedded, Module, Problem, embedded};
use spirv_if::properties::PropertySets;
use spirv_if::runtime::Fits;
use spirv_if::writer::dot::Dot;

use super::super::io::{self, Bytes, Input};
use super::super::log::Log;

/// What is asked about the modules.
pub struct Request<'r, 'd> {
    /// What to say the reasons of.
    pub question: Option<&'r Question>,
    /// The devices.
    pub fits: &'r Mutex<Fits<'d>>,
    /// Whether to say of each device whether it runs them, and not only of how many.
    pub each_device: bool,
    /// The API that must enable things for them.
    pub api: Option<Api>,
}

/// A file with its modules.
struct Found<'p> {
    input: Input<'p>,
    bytes: Bytes,
    modules: Vec<Embedded>,
    properties: PropertySets,
}

/// Inspects the modules in files, several at the same time. What fails is logged under its name; true if anything did.
///
/// # Errors
/// Where the command line makes no sense.
pub fn inspect(
    paths: &[PathBuf],
    request: &Request,
    log: &mut Log,
) -> anyhow::Result<(Vec<FileReport>, bool)> {
    let (files, mut failed) = find_all(paths, log)?;
    let tasks: Vec<(&Found, Embedded)> =
        files.iter().flat_map(|file| file.modules.iter().map(move |&place| (file, place))).collect();
    let mut reports = io::in_parallel(&tasks, |(file, place)| one(file, *place, request)).into_iter();
    let mut results = Vec::new();
    for file in &files {
        let mut modules = Vec::new();
        for (place, report) in file.modules.iter().zip(reports.by_ref()) {
            match report {
                Ok(report) => modules.push(report),
                Err(error) => {
                    failed = true;
                    log_about(&file.title(*place), &error, log);
                }
            }
        }
        if !modules.is_empty() {
            let (name, size) = (file.input.to_string(), file.bytes.as_slice().len());
            results.push(FileReport { file: name, size, modules });
        }
    }
    Ok((results, failed))
}

/// The call graphs of the modules in files, as DOT; true if anything failed.
///
/// # Errors
/// Where the command line makes no sense.
pub fn draw(paths: &[PathBuf], log: &mut Log) -> anyhow::Result<(String, bool)> {
    let (files, mut failed) = find_all(paths, log)?;
    let mut dot = Dot::new();
    for (file, &place) in files.iter().flat_map(|file| file.modules.iter().map(move |place| (file, place))) {
        let title = file.title(place);
        let mut draw = || -> anyhow::Result<()> {
            let module = Module::from_bytes(&file.bytes.as_slice()[place.range()])?;
            Ok(study(&module, &file.properties, |study| study.draw(&title, &mut dot))?)
        };
        if let Err(error) = draw() {
            failed = true;
            log_about(&title, &error, log);
        }
    }
    Ok((dot.finish(), failed))
}

impl Found<'_> {
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

/// The files with modules; what fails is logged, and true if anything did.
fn find_all<'p>(paths: &'p [PathBuf], log: &mut Log) -> anyhow::Result<(Vec<Found<'p>>, bool)> {
    let inputs = io::list(paths)?;
    let mut failed = false;
    let mut files = Vec::new();
    for (found, input) in io::in_parallel(&inputs, find).into_iter().zip(&inputs) {
        match found {
            Ok(found) => files.push(found),
            Err(error) => {
                failed = true;
                log_about(&input.to_string(), &error, log);
            }
        }
    }
    Ok((files, failed))
}

/// Reads a file and finds its modules. What starts as a module and is none may have some inside all the same.
fn find<'p>(input: &Input<'p>) -> anyhow::Result<Found<'p>> {
    let bytes = input.read()?;
    let size = bytes.as_slice().len();
    let whole = bytes.module().map(|_| vec![Embedded { offset: 0, size }]);
    let modules = whole.or_else(|error| {
        let inside: Vec<Embedded> = embedded(bytes.as_slice()).collect();
        if inside.is_empty() { Err(error) } else { Ok(inside) }
    });
    let modules = modules.map_err(|error| match error.problem {
        Problem::NotSpirv(_) => anyhow!("there is no SPIR-V module in it"),
        _ => error.into(),
    })?;
    let beside = input.beside("prop").filter(|_| modules.len() == 1 && modules[0].offset == 0);
    let properties = match beside {
        Some(path) => io::read_properties(&path)?,
        None => PropertySets::default(),
    };
    Ok(Found { input: *input, bytes, modules, properties })
}

fn one(file: &Found, place: Embedded, request: &Request) -> anyhow::Result<ModuleReport> {
    let module = Module::from_bytes(&file.bytes.as_slice()[place.range()])?;
    let report = study(&module, &file.properties, |study| {
        let mut inspected = study.inspected()?;
        study.fit(&mut inspected, request.fits, request.each_device)?;
        let why = request.question.map(|question| study.why(question)).transpose()?;
        let enable = request.api.map(|api| Enable::of(api, [&inspected]));
        Ok(ModuleReport { offset: place.offset, size: place.size, inspected, enable, why })
    });
    Ok(report?)
}
