//! `spirv-if split`.

use std::path::{Path, PathBuf};
use std::thread::available_parallelism;

use clap::Args;
use serde::Serialize;
use spirv_if_sycl::check::Warning;
use spirv_if_sycl::split::{Image, ImagePlan, Root, Split, split};

use super::annotations::AnnotationsArg;
use super::device::ConfigArg;
use super::images::{self, FixedTargetsArg, GroupArgs, names};
use super::io::{self, Data, Destination, Inputs, Output, Staged, WriteArgs};
use super::log::Log;
use super::pack::PropertyNamesArg;
use super::properties::PropertiesArgs;
use super::{counted, usage};

/// Split modules into images, by kernel, by source, or by device requirements
///
/// An image has some entry points, or exported functions that nothing in the module
/// calls, with everything that they use: functions, types, constants, variables,
/// names, decorations, debug information and capabilities. Ids and function bodies
/// are unchanged. Its property sets (.prop), with its device requirements, and its
/// symbols (.sym) are written beside it.
///
/// Except by kernel, entry points are split further, so that no device rejects an
/// image for a requirement of another kernel in it. All entry points of an image
/// use or declare the same aspects, under the same conditions, and require the same
/// work-group size and sub-group size. With --fixed-targets all code is meant for
/// these devices, and is grouped by --mode alone.
///
/// Entry points stay together if they share a variable that keeps its value between
/// kernels: a module-scope variable in global memory that is not constant. If their
/// requirements differ, each image has a copy of the variable, with a warning. It is
/// an error if the variable has the property `sycl-device-image-scope`.
///
/// A module is a translation unit, unless its functions name theirs
/// (`sycl-module-id`, or `source:` in the annotations). Modules are not linked: each
/// is split separately.
///
/// Images are called NAME.KERNEL.spv by kernel, else NAME_0.spv, NAME_1.spv and so on:
/// NAME is given by -o, or in a folder it is the name of the module, and KERNEL is the
/// first entry point of the image.
///
/// If calls are conditional, pack the images, or split the packed module: otherwise
/// an image declares features that only some devices have.
///
/// Examples:
///
///   One image for each kernel, out/kernels.copy.spv and so on:
///     spirv-if split kernels.spv --mode kernel -o out/
///
///   As few images as device requirements allow, app_0.spv and so on:
///     spirv-if split app.spv --mode off -o app.spv
///
///   The stages of a shader, each with an entry point `main`, and a map of them:
///     spirv-if split shader.spv --mode kernel --rename-entry main -o out/ --map out/map.json
///
///   Several modules, one of them only for two devices:
///     spirv-if split a.spv b.spv --fixed-targets 'b.spv=intel_gpu_pvc,intel_gpu_dg1' -o out/
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SplitArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    embed: WriteArgs,
    #[command(flatten)]
    group: GroupArgs,
    #[command(flatten)]
    fixed_targets: FixedTargetsArg,
    /// Rename the entry point of each image that has only one
    #[arg(long, value_name = "NAME")]
    rename_entry: Option<String>,
    /// Also write a map of entry points to files (spec-extensions/splitting.md describes it); `-` is standard output
    #[arg(long, value_name = "FILE.json")]
    map: Option<PathBuf>,
    /// The spelling of the properties
    #[arg(long, value_enum, default_value_t, value_name = "NAMES")]
    property_names: PropertyNamesArg,
    #[command(flatten)]
    compile_time: PropertiesArgs,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    config: ConfigArg,
}

/// The images of one module.
struct Results {
    staged: Vec<Staged>,
    mapped: Vec<Mapped>,
}

impl SplitArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        if self
            .rename_entry
            .as_deref()
            .is_some_and(|name| name.is_empty() || name.contains(['\0', '\n', '\r']))
        {
            return Err(usage("--rename-entry: the name must be one non-empty line"));
        }
        let devices = self.config.read_or_embedded()?;
        let inputs = self.inputs.list()?;
        let targets = self.fixed_targets.by_input(&inputs, &devices)?;
        let annotations = self.annotations.read()?;
        annotations.check_devices(&devices)?;
        self.embed.check_many()?;
        let stems = self.output.stems(&inputs, self.inputs.count()?)?;
        // Where there are many modules, each is enough for one thread.
        let alone = inputs.len() < available_parallelism().map_or(1, usize::from);
        let mut options = self.group.options(devices, self.property_names);
        if let Some(name) = &self.rename_entry {
            options = options.rename_entry(name);
        }
        let results = self.inputs.for_each(log, |input, module, log| {
            let source = input.to_string();
            let at = inputs.iter().position(|other| other.to_string() == source).unwrap_or_default();
            let module = annotations.on_reporting(module, log)?.with_fixed_targets(&targets[at][..]);
            let module = input.with_properties(module, None)?;
            let module = self.compile_time.lower(module, log)?;
            self.images(&split(&module, &options)?, &stems[at], &source, alone, log)
        })?;
        annotations.finish(log)?;
        let (staged, mapped): (Vec<_>, Vec<_>) =
            results.into_iter().map(|results| (results.staged, results.mapped)).unzip();
        let mut staged: Vec<Staged> = staged.into_iter().flatten().collect();
        self.output.spare_inputs(&staged)?;
        if let Some(path) = &self.map {
            let mapped: Vec<Mapped> = mapped.into_iter().flatten().collect();
            staged.push(Destination::at(path).stage(Data::Text(map_text(&mapped)?))?);
        }
        self.output.commit(staged)
    }

    /// Makes and stages the images of a module.
    fn images(
        &self,
        split: &Split,
        stem: &Path,
        input: &str,
        alone: bool,
        log: &mut Log,
    ) -> anyhow::Result<Results> {
        let plans = split.plans();
        let paths = names::paths(plans, stem, self.group.by_kernel());
        let paths: Vec<PathBuf> = paths.into_iter().map(|path| self.embed.renamed(path)).collect();
        type StagedImage = (Vec<Staged>, Mapped, Vec<Warning>);
        let one = |(number, (plan, path)): (usize, (&ImagePlan, &PathBuf))| -> anyhow::Result<StagedImage> {
            let mut image = split.image(number)?;
            let words = std::mem::take(&mut image.words);
            let mapped = Mapped::new(plan, &image, input, path);
            Ok((images::stage(&image, words, path, &self.embed)?, mapped, image.warnings))
        };
        let all = plans.iter().zip(&paths).enumerate();
        let images: Vec<_> = if alone { io::in_parallel(all, one) } else { all.map(one).collect() };
        let mut results = Results { staged: Vec::new(), mapped: Vec::new() };
        let mut warnings = split.warnings().to_vec();
        for image in images {
            let (staged, mapped, of_image) = image?;
            results.staged.extend(staged);
            results.mapped.push(mapped);
            warnings.extend(of_image);
        }
        images::warn(&warnings, log);
        if self.rename_entry.is_some() {
            let several = results.mapped.iter().filter(|mapped| mapped.entry_points() > 1).count();
            if several > 0 {
                let images = counted(several, "image");
                let reason = match self.group.by_kernel() {
                    true => ", which share variables",
                    false => "; use --mode kernel",
                };
                log.warning(format!(
                    "the entry points of {images} keep their names, since each has several{reason}"
                ));
            }
        }
        log.note(images::summary(plans));
        Ok(results)
    }
}

/// The version of the map (`spec-extensions/splitting.md`).
const SCHEMA: u32 = 1;

/// An image in the map of entry points to files, for other programs.
#[derive(Serialize)]
struct Mapped {
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
    /// The name in the image.
    name_in_file: String,
}

/// An entry point, and its file.
#[derive(Serialize)]
struct EntryPointFile<'m> {
    input: &'m str,
    #[serde(flatten)]
    entry_point: EntryPoint,
    file: &'m Path,
}

#[derive(Serialize)]
struct SplitMap<'m> {
    schema: u32,
    entry_points: Vec<EntryPointFile<'m>>,
    images: &'m [Mapped],
}

impl Mapped {
    /// Creates the entry of an image.
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

    /// Returns the number of its entry points.
    pub fn entry_points(&self) -> usize {
        self.entry_points.len()
    }
}

/// Returns the text of the map.
fn map_text(images: &[Mapped]) -> anyhow::Result<String> {
    let entry_points = images.iter().flat_map(|image| {
        let place = |entry_point: &EntryPoint| EntryPointFile {
            input: &image.input,
            entry_point: entry_point.clone(),
            file: &image.file,
        };
        image.entry_points.iter().map(place)
    });
    let map = SplitMap { schema: SCHEMA, entry_points: entry_points.collect(), images };
    Ok(serde_json::to_string_pretty(&map)? + "\n")
}
