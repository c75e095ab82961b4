//! Reports as JSON (`spec-extensions/inspect.md`). Reports on modules are written one by one, as they are
//! made.

use std::io::{self, Write};

use serde::Serialize;
use serde::ser::Error;
use serde_json::ser::Formatter;
use serde_json::{Serializer, Value};

use crate::inspection::{FileReport, Inspection, InspectionReport, ModuleCounts};

/// Depth of the report on a file in the whole report; below, that of the report on a module.
const FILE_DEPTH: usize = 2;
const MODULE_DEPTH: usize = 4;

/// The JSON of the findings on a module, as a part of a [`Report`](crate::Report).
#[derive(Clone, Debug)]
pub struct InspectionJson {
    text: String,
    counts: Option<ModuleCounts>,
}

impl InspectionJson {
    /// Writes a module's report.
    pub(crate) fn new(report: &Inspection) -> serde_json::Result<InspectionJson> {
        Ok(InspectionJson { text: module(report)?, counts: report.counts() })
    }
}

/// Returns the JSON of a module's report, indented for the report on all files.
pub fn module(report: &Inspection) -> serde_json::Result<String> {
    String::from_utf8(nested(report, MODULE_DEPTH)?).map_err(serde_json::Error::custom)
}

/// Writes the JSON of the report on all files, like [`InspectionReport`]. The JSON of modules is complete
/// already.
pub fn write(files: &[FileReport<InspectionJson>], out: &mut dyn Write) -> io::Result<()> {
    let mut written = Vec::new();
    for FileReport { file, size, modules } in files {
        let file = FileReport::<()> { file: file.clone(), size: *size, modules: Vec::new() };
        written.push((nested(&file, FILE_DEPTH)?, modules));
    }
    let modules = files.iter().flat_map(|file| &file.modules);
    let counts = modules.filter_map(|module| module.counts);
    let report = nested(&InspectionReport::new(counts, Vec::new()), 0)?;
    with_last(&report, &written, 0, out, |(file, modules), out| {
        with_last(file, modules, FILE_DEPTH, out, |module, out| out.write_all(module.text.as_bytes()))
    })?;
    out.write_all(b"\n")
}

/// Returns a value as JSON in memory, by way of its text: to serialize reports in a second way takes 35 KB of code.
pub fn parsed(value: &impl Serialize) -> serde_json::Result<Value> {
    serde_json::from_slice(&nested(value, 0)?)
}

/// Returns the JSON of a value at a depth of another.
fn nested(value: &impl Serialize, depth: usize) -> serde_json::Result<Vec<u8>> {
    let mut json = Vec::new();
    value.serialize(&mut Serializer::with_formatter(
        &mut json,
        IndentedFormatter { depth, has_value: false },
    ))?;
    Ok(json)
}

/// Writes an object at a depth, with items in its last member, which is an empty array in `object`.
fn with_last<T>(
    object: &[u8],
    items: &[T],
    depth: usize,
    out: &mut dyn Write,
    write: impl Fn(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let (start, end) = object.split_at(object.len() - b"]\n}".len() - 2 * depth);
    out.write_all(start)?;
    for (at, item) in items.iter().enumerate() {
        out.write_all(if at == 0 { b"\n" } else { b",\n" })?;
        indent(out, depth + 2)?;
        write(item, out)?;
    }
    out.write_all(b"\n")?;
    indent(out, depth + 1)?;
    out.write_all(end)
}

/// Writes the indentation of a line at a depth.
fn indent<W: ?Sized + Write>(writer: &mut W, mut depth: usize) -> io::Result<()> {
    const AT_ONCE: usize = 16;
    const SPACES: [u8; 2 * AT_ONCE] = [b' '; 2 * AT_ONCE];
    while depth > AT_ONCE {
        writer.write_all(&SPACES)?;
        depth -= AT_ONCE;
    }
    writer.write_all(&SPACES[..2 * depth])
}

/// Formats like serde_json's `PrettyFormatter`, from any depth on, and writes whole lines at once.
struct IndentedFormatter {
    depth: usize,
    has_value: bool,
}

impl IndentedFormatter {
    fn begin<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.has_value = false;
        writer.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.has_value {
            writer.write_all(b"\n")?;
            indent(writer, self.depth)?;
        }
        writer.write_all(bracket)
    }

    fn next<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        writer.write_all(if first { b"\n" } else { b",\n" })?;
        indent(writer, self.depth)
    }
}

impl Formatter for IndentedFormatter {
    fn begin_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }
    fn end_array<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }
    fn begin_array_value<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }
    fn end_array_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
    fn begin_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }
    fn end_object<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }
    fn begin_object_key<W: ?Sized + Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.next(writer, first)
    }
    fn begin_object_value<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
    fn end_object_value<W: ?Sized + Write>(&mut self, _writer: &mut W) -> io::Result<()> {
        self.has_value = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Compares with serde_json's own formatter.
    #[test]
    fn written_as_by_serde_json() {
        let deep = (0..20).fold(json!([]), |inside, _| json!({ "a": [inside, {}, 1], "b": "\n" }));
        let (one, two) = (json!({ "x": [], "y": deep }), json!([1, { "z": null }]));
        let all = json!({ "a": 1, "last": [{ "b": [], "last": [one, two] }, { "b": 2, "last": [two] }] });
        let mut written = Vec::new();
        let files =
            [(json!({ "b": [], "last": [] }), vec![&one, &two]), (json!({ "b": 2, "last": [] }), vec![&two])];
        let files = files.map(|(file, modules)| {
            let modules: Vec<_> =
                modules.into_iter().map(|module| nested(module, MODULE_DEPTH).unwrap()).collect();
            (nested(&file, FILE_DEPTH).unwrap(), modules)
        });
        let outside = nested(&json!({ "a": 1, "last": [] }), 0).unwrap();
        with_last(&outside, &files, 0, &mut written, |(file, modules), out| {
            with_last(file, modules, FILE_DEPTH, out, |module, out| out.write_all(module))
        })
        .unwrap();
        let expected = serde_json::to_string_pretty(&all).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), expected);
    }
}
