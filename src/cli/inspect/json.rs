//! Reports as JSON: those of modules are written by the threads that make them.

use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{Formatter, PrettyFormatter};
use spirv_if::inspection::{FileReport, ModuleReport, Report};

/// How deep in the report that of a file is, and that of a module.
const FILE_DEPTH: usize = 2;
const MODULE_DEPTH: usize = 4;

/// The JSON of a module's report, as it stands in that of all files.
pub fn module(report: ModuleReport) -> serde_json::Result<Vec<u8>> {
    nested(&report, MODULE_DEPTH)
}

/// The JSON of the report on all files, as [`Report`] has it, with an end of line.
pub fn report(files: Vec<FileReport<serde_json::Result<Vec<u8>>>>) -> serde_json::Result<Vec<u8>> {
    let mut all = Vec::new();
    for FileReport { file, size, modules } in files {
        let modules: Vec<Vec<u8>> = modules.into_iter().collect::<serde_json::Result<_>>()?;
        let file = FileReport::<()> { file, size, modules: Vec::new() };
        all.push(with_last(nested(&file, FILE_DEPTH)?, &modules, FILE_DEPTH));
    }
    let mut json = with_last(nested(&Report::new(Vec::new()), 0)?, &all, 0);
    json.push(b'\n');
    Ok(json)
}

/// The JSON of a value that is so deep in another.
fn nested(value: &impl Serialize, depth: usize) -> serde_json::Result<Vec<u8>> {
    let mut formatter = PrettyFormatter::new();
    for _ in 0..depth {
        formatter.begin_array(&mut io::sink()).map_err(serde_json::Error::io)?;
    }
    let mut json = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut json, formatter))?;
    Ok(json)
}

/// Puts items into the last member of an object that is so deep, which is an empty array.
fn with_last(mut object: Vec<u8>, items: &[Vec<u8>], depth: usize) -> Vec<u8> {
    let line = |depth: usize| [b"\n", "  ".repeat(depth).as_bytes()].concat();
    object.truncate(object.len() - b"]".len() - line(depth).len() - b"}".len());
    object.reserve(items.iter().map(|item| item.len() + 16).sum());
    for (at, item) in items.iter().enumerate() {
        object.extend_from_slice(if at == 0 { b"" } else { b"," });
        object.extend_from_slice(&line(depth + 2));
        object.extend_from_slice(item);
    }
    object.extend_from_slice(&line(depth + 1));
    object.push(b']');
    object.extend_from_slice(&line(depth));
    object.push(b'}');
    object
}
