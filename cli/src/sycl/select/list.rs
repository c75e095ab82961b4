//! The images that kernels would use on devices.

use std::fmt::Write;
use std::path::PathBuf;

use serde::Serialize;
use spirv_if::Device;
use spirv_if::error::Missing;
use spirv_if::specialize::Verdict;
use spirv_if_sycl::program::{Program, source_name};

use crate::counted;
use crate::device::label;

/// The version of the JSON (`spec-extensions/loading.md`).
const SCHEMA: &str = "spirv-if/select/2";

/// The kernels of a program on a device.
#[derive(Serialize)]
pub struct DeviceSelection {
    device: String,
    /// `all`, `some` or `none` of the kernels.
    runs: &'static str,
    kernels: Vec<KernelEntry>,
}

/// A kernel on a device.
#[derive(Serialize)]
struct KernelEntry {
    kernel: String,
    /// The verdict; null if its images cannot be loaded.
    verdict: Option<&'static str>,
    images: Vec<ImageEntry>,
    /// The missing features, by name.
    missing: Vec<String>,
    /// The missing features, in the words of the design.
    messages: Vec<String>,
    /// The features that the device may or may not have, by name.
    unknown: Vec<String>,
    /// The reason for which its images cannot be loaded.
    error: Option<String>,
}

/// A selected image.
#[derive(Serialize)]
struct ImageEntry {
    image: String,
    reasons: Vec<String>,
}

/// The whole list.
#[derive(Serialize)]
struct Lists<'l> {
    schema: &'static str,
    /// The first table.
    table: String,
    tables: Vec<String>,
    /// The errors of images whose properties cannot be read.
    unreadable: Vec<String>,
    devices: &'l [DeviceSelection],
}

impl DeviceSelection {
    /// Selects the images of kernels for a device, whether or not it runs them.
    pub fn new(program: &Program, kernels: &[&str], device: &Device) -> DeviceSelection {
        let kernels: Vec<KernelEntry> =
            kernels.iter().map(|kernel| KernelEntry::new(program, kernel, device)).collect();
        let count = running(&kernels);
        let runs = match count {
            0 => "none",
            _ if count == kernels.len() => "all",
            _ => "some",
        };
        DeviceSelection { device: label(device).to_owned(), runs, kernels }
    }

    /// Returns the errors of kernels whose images cannot be selected.
    pub fn errors(&self) -> impl Iterator<Item = &str> {
        self.kernels.iter().filter_map(|kernel| kernel.error.as_deref())
    }
}

impl KernelEntry {
    fn new(program: &Program, kernel: &str, device: &Device) -> KernelEntry {
        let mut entry = KernelEntry {
            kernel: kernel.to_owned(),
            verdict: None,
            images: Vec::new(),
            missing: Vec::new(),
            messages: Vec::new(),
            unknown: Vec::new(),
            error: None,
        };
        let names = |missing: &[Missing]| missing.iter().map(Missing::name).collect();
        let selection = program.select_unchecked(kernel, device);
        match selection.and_then(|selection| Ok((selection.compatibility()?, selection))) {
            Ok((result, selection)) => {
                let image = |image: &spirv_if_sycl::program::SelectedImage| ImageEntry {
                    image: image.name.clone(),
                    reasons: image.reasons.iter().map(ToString::to_string).collect(),
                };
                entry.images = selection.images().iter().map(image).collect();
                entry.verdict = Some(result.verdict().name());
                entry.missing = names(&result.missing);
                entry.messages = result.missing.iter().map(Missing::message).collect();
                entry.unknown = names(&result.unknown);
            }
            Err(error) => entry.error = Some(error.to_string()),
        }
        entry
    }
}

/// Returns the number of kernels that are known to run.
fn running(kernels: &[KernelEntry]) -> usize {
    kernels.iter().filter(|kernel| kernel.verdict == Some(Verdict::Runs.name())).count()
}

/// Returns the list for people.
pub fn to_text(lists: &[DeviceSelection]) -> String {
    let mut text = String::new();
    for list in lists {
        let count = running(&list.kernels);
        let of = counted(list.kernels.len(), "kernel");
        // Writing to a string does not fail.
        let _ = match list.runs {
            "some" => writeln!(text, "{}: runs {count} of {of}", list.device),
            runs => writeln!(text, "{}: runs {runs} of {of}", list.device),
        };
        for kernel in &list.kernels {
            let verdict = kernel.verdict.unwrap_or("cannot be loaded");
            let _ = writeln!(text, "  {}: {verdict}", kernel.kernel);
            let name = source_name(&kernel.kernel);
            if name != kernel.kernel {
                let _ = writeln!(text, "    in source: {name}");
            }
            for image in &kernel.images {
                let _ = writeln!(text, "    {}: {}", image.image, image.reasons.join("; "));
            }
            for (title, lines) in [("missing", &kernel.missing), ("not known", &kernel.unknown)] {
                if !lines.is_empty() {
                    let _ = writeln!(text, "    {title}: {}", lines.join(", "));
                }
            }
        }
    }
    text
}

/// Returns the list for programs.
pub fn to_json(
    tables: &[PathBuf],
    program: &Program,
    devices: &[DeviceSelection],
) -> serde_json::Result<String> {
    let tables: Vec<String> = tables.iter().map(|table| table.display().to_string()).collect();
    let table = tables.first().cloned().unwrap_or_default();
    let unreadable = program.unreadable_images().collect();
    Ok(serde_json::to_string_pretty(&Lists { schema: SCHEMA, table, tables, unreadable, devices })? + "\n")
}
