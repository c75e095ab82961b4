//! `spirv-if sycl post-link`.

mod targets;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use anyhow::{Context, anyhow};
use clap::{ArgAction, Args, ValueEnum};
use spirv_if::Module;
use spirv_if::device::Target;
use spirv_if::link::{LinkOptions, link};
use spirv_if::specialize::{Compatibility, Verdict};
use spirv_if_sycl::check::Warning;
use spirv_if_sycl::split::{AddOnImage, AddOnRole, Image, Jit, PostLink, Split, SplitOptions, compatibility};
use spirv_if_sycl::tables::FileTable;

use super::super::annotations::AnnotationsArg;
use super::super::device::ConfigArg;
use super::super::images::{self, FixedTargetsArg, GroupArgs};
use super::super::io::{
    self, Data, DepfileArg, Destination, EmbedLanguage, ForceArg, InputKind, Inputs, Staged, ValidateArg,
    WriteArgs,
};
use super::super::log::Log;
use super::super::merge::LibraryArg;
use super::super::pack::{MaxClonesArg, PropertyNamesArg};
use super::super::properties::PropertiesArgs;
use super::super::{counted, usage};
use targets::{TableArgs, TableOf};

/// Link translation units, and make the images of a program for each target
///
/// Does the work of a SYCL compiler between its front end and the compilers for
/// targets. Links the modules, decides conditions for each device among the targets,
/// and splits the result into images as `spirv-if split` does. Omits the images that
/// the device cannot run, as `spirv-if sycl filter` does. Images for `spir64` are
/// for any device: with --jit pack, their conditions are decided when they are
/// loaded; with --jit add-on, a runtime links the images whose conditions hold.
///
/// An executable or library that DPC++ linked stands for its SPIR-V images, each
/// with the property sets that it has there.
///
/// Property sets (.prop) and symbols (.sym) are written beside each image. The table
/// has a row for each image, with the names of its files, and with --target the name
/// of its target. Images are called OUT_0.spv, OUT_1.spv and so on for any device and
/// OUT.TARGET_0.spv and so on for a device; by kernel OUT.KERNEL.spv and
/// OUT.TARGET.KERNEL.spv. See `spirv-if split --help` for the kernels that share an
/// image.
///
/// Examples:
///
///   The images of a program of two translation units, for any device:
///     spirv-if sycl post-link a.spv b.spv --mode kernel --jit pack -o app.table
///
///   For any device, and ahead of time for two, as with -fsycl-targets:
///     spirv-if sycl post-link a.spv b.spv --jit pack -o app.table \
///         --target spir64,intel_gpu_pvc,intel_gpu_dg1
///
///   A table for each target, as with sycl-post-link:
///     spirv-if sycl post-link app.spv --split=source -o intel_gpu_pvc,pvc.table \
///         -o intel_gpu_dg1,dg1.table
///
///   The images of a library that DPC++ linked, ahead of time for a device:
///     spirv-if sycl post-link libapp.so --target intel_gpu_pvc -o pvc.table
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct PostLinkArgs {
    /// The treatment of conditions in images for any device
    #[arg(long, value_enum, default_value_t, value_name = "DESIGN")]
    jit: JitArg,
    /// Like --jit pack
    #[arg(long, conflicts_with = "jit")]
    pack: bool,
    #[command(flatten)]
    program: ProgramArgs,
}

/// The treatment of conditions in images for any device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum JitArg {
    /// Nothing: images declare features that only some devices have
    #[default]
    Declare,
    /// Images are packed, and conditions are decided when one is loaded, as by `spirv-if pack`
    Pack,
    /// Conditional code is in images of its own, as by `spirv-if sycl add-on`: a runtime decides which of them it links
    AddOn,
}

impl From<JitArg> for Jit {
    fn from(jit: JitArg) -> Jit {
        match jit {
            JitArg::Declare => Jit::Declare,
            JitArg::Pack => Jit::Pack,
            JitArg::AddOn => Jit::AddOn,
        }
    }
}

/// A program, and the tables of its images.
#[derive(Args, Debug)]
pub struct ProgramArgs {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    group: GroupArgs,
    /// Write images that are the same for several devices of a table once, under the name of the first that runs them
    #[arg(long)]
    dedupe: bool,
    /// Fail if an image uses a function or variable that no module defines: without this option, a note names it
    #[arg(long)]
    require_resolved: bool,
    #[command(flatten)]
    library: LibraryArg,
    #[command(flatten)]
    clones: MaxClonesArg,
    #[command(flatten)]
    fixed_targets: FixedTargetsArg,
    /// The spelling of the properties
    #[arg(long, value_enum, default_value_t, value_name = "NAMES")]
    property_names: PropertyNamesArg,
    #[command(flatten)]
    compile_time: PropertiesArgs,
    #[command(flatten)]
    annotations: AnnotationsArg,
    /// Write each image as source code, too: IMAGE.h, IMAGE.rs or IMAGE.S beside IMAGE.spv
    #[arg(long, value_enum, value_name = "LANGUAGE", hide_short_help = true)]
    embed: Option<EmbedLanguage>,
    #[command(flatten)]
    validate: ValidateArg,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    depfile: DepfileArg,
    /// Accepted as in sycl-post-link: property sets and symbols are always written
    #[arg(long, alias = "symbols", hide = true, action = ArgAction::Count)]
    properties: u8,
    #[command(flatten)]
    config: ConfigArg,
}

/// The images for targets that get the same code.
struct GroupImages {
    images: Vec<StagedImage>,
    /// The symbols that they define.
    defined: BTreeSet<String>,
    summary: String,
}

/// An image whose files are staged, without its words: programs may have hundreds of images, each with most of their code.
struct StagedImage {
    /// The file of the image for each target, with the answer of the target.
    on_targets: Vec<(PathBuf, Compatibility)>,
    /// Each file, with its staged results.
    files: BTreeMap<PathBuf, Vec<Staged>>,
    defined: Vec<String>,
    imported: Vec<String>,
    warnings: Vec<Warning>,
}

/// The outputs for one table.
#[derive(Default)]
struct TableOutputs {
    staged: Vec<Staged>,
    /// The images among that.
    images: BTreeSet<PathBuf>,
    /// The symbols that they import, with the first that does.
    imported: BTreeMap<String, PathBuf>,
    /// The rows, with the names of their targets.
    rows: Vec<(String, Vec<String>)>,
}

impl PostLinkArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        self.program.run(if self.pack { Jit::Pack } else { self.jit.into() }, log)
    }
}

impl ProgramArgs {
    /// Makes the images, and writes them with their tables.
    pub fn run(self, jit: Jit, log: &mut Log) -> anyhow::Result<()> {
        let devices = self.config.read_or_embedded()?;
        let inputs = self.inputs.list()?;
        // clap requires one.
        let Some(&first) = inputs.first() else { return Ok(()) };
        let tables = self.tables.tables(first, &devices)?;
        let annotations = self.annotations.read()?;
        annotations.check_devices(&devices)?;
        let fixed = self.fixed_targets.by_input(&inputs, &devices)?;
        let options = self.group.options(devices.clone(), self.property_names);
        let options = options.jit(jit).max_clones(self.clones.count());
        let bytes = io::each(&inputs, &inputs, log, |input, _, _| input.read(InputKind::Program))?;
        let units = io::each(&inputs, bytes.iter().zip(&fixed), log, |input, (bytes, fixed), _| {
            let units = input.units(bytes)?.into_iter();
            Ok(units.map(|unit| unit.with_fixed_targets(&fixed[..])).collect::<Vec<Module>>())
        })?;
        let units: Vec<Module> = units.into_iter().flatten().collect();
        if units.len() > 1 && annotations.names_ids() {
            return Err(usage("the annotations name functions by id, and linking changes ids: use names"));
        }
        let linked = link(&units, &LinkOptions::new().create_library(self.library.create_library))?;
        linked.warnings.iter().for_each(|warning| log.warning(warning));
        let module = annotations.on_reporting(linked.module, log)?;
        annotations.finish(log)?;
        let module = self.compile_time.lower(module, log)?;
        let program = PostLink::new(&module)?;
        images::warn(&program.warnings(Some(&devices))?, log);
        let subject = match &inputs[..] {
            [input] => input.to_string(),
            _ => "the program".to_owned(),
        };
        self.tables.make_folders()?;
        let (mut staged, mut staged_tables) = (Vec::new(), Vec::new());
        let mut imported = BTreeMap::new();
        for table in &tables {
            let written = self.images(table, &program, (&options, jit), &subject, log)?;
            imported.extend(written.imported);
            self.force.spare_inputs(
                &written.staged,
                "choose another name for the table, or a folder with --out-dir",
            )?;
            staged.extend(written.staged);
            let text = file_table(table, written.rows)?.to_text();
            staged_tables.push(Destination::File(table.path.clone()).stage(Data::Text(text))?);
        }
        staged.extend(staged_tables);
        self.log_imports(&imported, log)?;
        self.force.check(&staged)?;
        io::commit(staged, &self.depfile)
    }

    /// Notes imports that no module defines.
    ///
    /// # Errors
    /// If everything must be defined.
    fn log_imports(&self, imported: &BTreeMap<String, PathBuf>, log: &mut Log) -> anyhow::Result<()> {
        if imported.is_empty() {
            return Ok(());
        }
        let names: Vec<String> =
            imported.iter().map(|(name, image)| format!("{name} ({})", image.display())).collect();
        let text = format!("no module defines what images use: {}", names.join(", "));
        match self.require_resolved {
            true => Err(anyhow!(text)),
            false => {
                log.note(text);
                Ok(())
            }
        }
    }

    /// Makes and stages the images of a table.
    fn images(
        &self,
        of: &TableOf,
        program: &PostLink,
        (options, jit): (&SplitOptions, Jit),
        subject: &str,
        log: &mut Log,
    ) -> anyhow::Result<TableOutputs> {
        let mut written = TableOutputs::default();
        for group in program.groups(&of.targets)? {
            let stems: Vec<PathBuf> = group.iter().map(|target| of.stem(target)).collect();
            let stage = |image: Image, paths: Vec<PathBuf>| self.stage(image, &group, paths, &written.images);
            let group_images = program.split(&group, options, |split| {
                let for_any = group.iter().any(|target| target.device.is_none());
                if for_any && split.is_conditional() && jit == Jit::Declare {
                    log.warning("some code is conditional, and images for any device declare features that only some devices have: use --jit pack or --jit add-on");
                }
                match jit {
                    Jit::AddOn if for_any => self.make_add_ons(split, &stems, subject, stage),
                    _ => self.make(split, &stems, subject, stage),
                }
            });
            let mut group_images = group_images.with_context(|| subject.to_owned())??;
            images::warn(group_images.images.iter().flat_map(|image| &image.warnings), log);
            let mut shared = vec![None; group_images.images.len()];
            for (at, target) in group.into_iter().enumerate() {
                self.write(of, &mut group_images, (target, at), &mut shared, &mut written, log);
            }
        }
        Ok(written)
    }

    /// Makes the images for targets that get the same code, whose names begin with `stems`. Each is staged as soon as it is made.
    fn make(
        &self,
        split: &Split,
        stems: &[PathBuf],
        subject: &str,
        stage: impl Fn(Image, Vec<PathBuf>) -> anyhow::Result<StagedImage> + Sync,
    ) -> anyhow::Result<GroupImages> {
        let plans = split.plans();
        let of_target = |stem: &PathBuf| images::names::paths(plans, stem, self.group.by_kernel());
        let paths: Vec<Vec<PathBuf>> = stems.iter().map(of_target).collect();
        let images = io::in_parallel(0..plans.len(), |number| {
            let image = split.image(number).with_context(|| subject.to_owned())?;
            stage(image, paths.iter().map(|of_target| of_target[number].clone()).collect())
        });
        GroupImages::new(images, images::summary(plans))
    }

    /// Makes the images for any device, with add-on images.
    fn make_add_ons(
        &self,
        split: &Split,
        stems: &[PathBuf],
        subject: &str,
        stage: impl Fn(Image, Vec<PathBuf>) -> anyhow::Result<StagedImage>,
    ) -> anyhow::Result<GroupImages> {
        let (plans, images) = (split.plans(), split.add_on().with_context(|| subject.to_owned())?);
        let of_main = |stem: &PathBuf| images::names::paths(plans, stem, self.group.by_kernel());
        let of_main: Vec<Vec<PathBuf>> = stems.iter().map(of_main).collect();
        let path = |image: &AddOnImage, (stem, of_main): (&PathBuf, &Vec<PathBuf>)| match &image.role {
            AddOnRole::Real(id) => images::names::add_on(stem, id, ""),
            AddOnRole::Stub(id) => images::names::add_on(stem, id, "_stub"),
            _ => of_main[image.plan].clone(),
        };
        let added = images.len() - plans.len();
        let summary = match added {
            0 => images::summary(plans),
            _ => format!("{}, and {}", images::summary(plans), counted(added, "add-on image")),
        };
        let images = images.into_iter().map(|image| {
            let paths = stems.iter().zip(&of_main).map(|of_target| path(&image, of_target)).collect();
            stage(image.image, paths)
        });
        GroupImages::new(images, summary)
    }

    /// Stages the files of an image for the targets that can run it, whose files are `paths`. Files of earlier images are `taken`.
    fn stage(
        &self,
        image: Image,
        targets: &[&Target],
        paths: Vec<PathBuf>,
        taken: &BTreeSet<PathBuf>,
    ) -> anyhow::Result<StagedImage> {
        let module = Module::from_words(&image.words)?;
        let mut on_targets = Vec::with_capacity(targets.len());
        let mut files = BTreeMap::new();
        for (target, path) in targets.iter().zip(paths) {
            let result = compatibility(target, &module, &image.properties)?;
            let is_shared = self.dedupe && !files.is_empty();
            let is_run = result.verdict() != Verdict::DoesNotRun;
            if is_run && !is_shared && !taken.contains(&path) && !files.contains_key(&path) {
                let mut staged =
                    images::stage(&image, image.words.clone(), &path, &WriteArgs::plain(self.validate))?;
                let source = self.embed.map(|language| language.beside(&path, &image.words)).transpose()?;
                staged.extend(source.into_iter().flatten());
                files.insert(path.clone(), staged);
            }
            on_targets.push((path, result));
        }
        let defined = [image.symbols, image.exported].concat();
        Ok(StagedImage { on_targets, files, defined, imported: image.imported, warnings: image.warnings })
    }

    /// Adds the images that a target can run, and their rows. `shared` are the files of images that earlier targets run.
    fn write(
        &self,
        of: &TableOf,
        group: &mut GroupImages,
        (target, at): (&Target, usize),
        shared: &mut [Option<PathBuf>],
        written: &mut TableOutputs,
        log: &mut Log,
    ) {
        let name = &target.name;
        let mut left = 0;
        for (image, shared) in group.images.iter_mut().zip(shared) {
            let (own_path, result) = &image.on_targets[at];
            let device = target.device.as_ref();
            match (result.verdict(), device) {
                (Verdict::DoesNotRun, Some(device)) => {
                    log.detail(format!("no {}: it {}", own_path.display(), result.explain(device)));
                    continue;
                }
                (Verdict::NotKnown, Some(device)) => {
                    log.detail(format!("{}: it {}", own_path.display(), result.explain(device)));
                }
                _ => {}
            }
            left += 1;
            let path = if self.dedupe { &*shared.get_or_insert_with(|| own_path.clone()) } else { own_path };
            if written.images.insert(path.clone()) {
                for name in image.imported.iter().filter(|name| !group.defined.contains(*name)) {
                    written.imported.entry(name.clone()).or_insert_with(|| path.clone());
                }
                written.staged.extend(image.files.remove(path).into_iter().flatten());
            }
            let files = [path.clone(), path.with_extension("prop"), path.with_extension("sym")];
            let mut row: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            row.extend(of.names_targets.then(|| name.clone()));
            written.rows.push((name.clone(), row));
        }
        let summary = &group.summary;
        match left {
            0 => log.warning(format!("{name} runs none of these: {summary}")),
            left if left < group.images.len() => log.note(format!("{name} runs {left} of {summary}")),
            _ => log.note(format!("{name}: {summary}")),
        }
    }
}

impl GroupImages {
    /// Collects images.
    ///
    /// # Errors
    /// The first of their errors.
    fn new(
        images: impl IntoIterator<Item = anyhow::Result<StagedImage>>,
        summary: String,
    ) -> anyhow::Result<GroupImages> {
        let images: Vec<StagedImage> = images.into_iter().collect::<anyhow::Result<_>>()?;
        let defined = images.iter().flat_map(|image| &image.defined).cloned().collect();
        Ok(GroupImages { images, defined, summary })
    }
}

/// Returns the table, in the order of its targets.
fn file_table(of: &TableOf, mut rows: Vec<(String, Vec<String>)>) -> anyhow::Result<FileTable> {
    let mut columns = vec![FileTable::CODE, FileTable::PROPERTIES, FileTable::SYMBOLS];
    columns.extend(of.names_targets.then_some(FileTable::TARGET));
    let mut table = FileTable::new(&columns)?;
    rows.sort_by_cached_key(|(name, _)| of.targets.iter().position(|target| target.name == *name));
    rows.into_iter().try_for_each(|(_, row)| table.push(row))?;
    Ok(table)
}
