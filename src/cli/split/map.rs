//! Which entry point is in which file, for other programs (`spec-extensions/splitting.md`).

use std::path::{Path, PathBuf};

use serde::Serialize;
use spirv::ExecutionModel;
use spirv_if::device::architectures;
use spirv_if::recipes::split::{Image, Plan, Split, Traits};
use spirv_if::{device::aspects, transform::split::Root};

/// The version of the form.
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
    fixed_targets: Option<Vec<&'static str>>,
    entry_points: Vec<EntryPoint>,
    exported_functions: Vec<String>,
}

#[derive(Clone, Serialize)]
struct EntryPoint {
    name: String,
    execution_model: String,
    /// What it is called in the image.
    name_in_file: String,
}

/// An entry point, and where it is.
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
    /// What there is to say of an image.
    pub fn new(split: &Split, plan: &Plan, image: &Image, input: &str, file: &Path) -> Mapped {
        let roots = || plan.roots.iter().map(|&number| &split.roots()[number]).zip(&image.symbols);
        let entry_point = |root: &Root, name: &str| {
            let number = root.execution_model(split.module())?;
            let model = ExecutionModel::from_u32(number);
            Some(EntryPoint {
                name: root.name.clone(),
                execution_model: model.map_or_else(|| number.to_string(), |model| format!("{model:?}")),
                name_in_file: name.to_owned(),
            })
        };
        let name = |aspect: &u32| {
            architectures::by_value(aspects::architecture_of(*aspect)?).map(|known| known.name)
        };
        Mapped {
            file: file.to_owned(),
            properties: file.with_extension("prop"),
            symbols: file.with_extension("sym"),
            input: input.to_owned(),
            source: plan.source.clone(),
            fixed_targets: match &plan.traits {
                Traits::Fixed(targets) => Some(targets.iter().filter_map(name).collect()),
                Traits::Any { .. } => None,
            },
            entry_points: roots().filter_map(|(root, name)| entry_point(root, name)).collect(),
            exported_functions: roots()
                .filter(|(root, _)| root.entry_point.is_none())
                .map(|(root, _)| root.name.clone())
                .collect(),
        }
    }

    /// How many entry points it has.
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
