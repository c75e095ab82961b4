//! The map of entry points to files, for other programs (`spec-extensions/splitting.md`).

use std::path::{Path, PathBuf};

use serde::Serialize;
use spirv_if::{Image, ImagePlan, Root};

/// The version of the format.
const SCHEMA: u32 = 1;

/// An image.
#[derive(Serialize)]
pub struct Mapped {
    file: PathBuf,
    properties: PathBuf,
    symbols: PathBuf,
    input: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed_targets: Option<Vec<String>>,
    entry_points: Vec<EntryPoint>,
    exported_functions: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    imported_symbols: Vec<String>,
}

#[derive(Clone, Serialize)]
struct EntryPoint {
    name: String,
    execution_model: String,
    /// Its name in the image.
    name_in_file: String,
}

/// An entry point, and its file.
#[derive(Serialize)]
struct Place<'m> {
    input: &'m str,
    #[serde(flatten)]
    entry_point: EntryPoint,
    file: &'m Path,
}

#[derive(Serialize)]
struct Map<'m> {
    schema: u32,
    entry_points: Vec<Place<'m>>,
    images: &'m [Mapped],
}

impl Mapped {
    /// The entry of an image.
    pub fn new(plan: &ImagePlan, image: &Image, input: &str, file: &Path) -> Mapped {
        let entry_point = |(root, name): (&Root, &String)| {
            Some(EntryPoint {
                name: root.name.clone(),
                execution_model: root.execution_model.clone()?,
                name_in_file: name.clone(),
            })
        };
        let exported = plan.roots.iter().filter(|root| root.execution_model.is_none());
        Mapped {
            file: file.to_owned(),
            properties: file.with_extension("prop"),
            symbols: file.with_extension("sym"),
            input: input.to_owned(),
            source: plan.source.clone(),
            fixed_targets: plan.fixed_targets.clone(),
            entry_points: plan.roots.iter().zip(&image.symbols).filter_map(entry_point).collect(),
            exported_functions: exported.map(|root| &root.name).chain(&image.exported).cloned().collect(),
            imported_symbols: image.imported.clone(),
        }
    }

    /// The number of its entry points.
    pub fn entry_points(&self) -> usize {
        self.entry_points.len()
    }
}

/// The text of the map.
pub fn to_text(images: &[Mapped]) -> anyhow::Result<String> {
    let entry_points = images.iter().flat_map(|image| {
        let place = |entry_point: &EntryPoint| Place {
            input: &image.input,
            entry_point: entry_point.clone(),
            file: &image.file,
        };
        image.entry_points.iter().map(place)
    });
    let map = Map { schema: SCHEMA, entry_points: entry_points.collect(), images };
    Ok(serde_json::to_string_pretty(&map)? + "\n")
}
