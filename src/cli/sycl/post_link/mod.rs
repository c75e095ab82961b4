//! `spirv-if sycl post-link`.

mod targets;

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::Context;
use clap::{ArgAction, Args};
use spirv_if::device::{Device, DeviceConfig};
use spirv_if::loader::Module;
use spirv_if::properties::{PropertyNames, PropertySets};
use spirv_if::recipes::program::{Program, Unit};
use spirv_if::recipes::split::{self, Image, Split, split};
use spirv_if::recipes::{asked, has_conditional_calls};
use spirv_if::tables::FileTable;

use super::super::annotations::AnnotationsArg;
use super::super::depfile::DepfileArg;
use super::super::device::{ConfigArg, alike};
use super::super::images::{self, FixedTargetsArg, GroupArgs, ModeArg};
use super::super::io::{self, Data, Destination, Inputs, Staged};
use super::super::log::Log;
use super::super::pack::PropertyNamesArg;
use super::super::usage;
use super::unmet;
use targets::{TableArgs, TableOf, Target};

/// Link translation units, and make the images of a program for each target
///
/// What SYCL compilers do between the front end and the compilers for targets, in
/// one go: links the modules, decides for each device among the targets what is
/// conditional, splits the result into images as `spirv-if split` does, and leaves
/// out the images that the device cannot run, as `spirv-if sycl filter` does. Images
/// for `spir64` stay for any device: with --pack, what is conditional in them is
/// decided when they are loaded.
///
/// Beside each image go its property sets (.prop) and its symbols (.sym). The table
/// has a row for each image, with the names of its files, and of its target if there
/// is --target. Images are called OUT_0.spv, OUT_1.spv and so on for any device and
/// OUT.TARGET_0.spv and so on for a device; by kernel OUT.KERNEL.spv and
/// OUT.TARGET.KERNEL.spv.
///
/// Examples:
///
///   The images of a program of two translation units, for any device:
///     spirv-if sycl post-link a.spv b.spv --mode kernel --pack -o app.table
///
///   For any device and ahead of time for two, as -fsycl-targets has it:
///     spirv-if sycl post-link a.spv b.spv --pack -o app.table \
///         --target spir64,intel_gpu_pvc,intel_gpu_dg1
///
///   A table for each target, as sycl-post-link is asked for them:
///     spirv-if sycl post-link app.spv --split=source -o intel_gpu_pvc,pvc.table \
///         -o intel_gpu_dg1,dg1.table
///
/// Exit status: 0 done, 1 error, 2 wrong usage. Unless it is 0, nothing is
/// written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    tables: TableArgs,
    #[command(flatten)]
    group: GroupArgs,
    /// Make what is conditional in images for any device decidable when they are loaded, as `spirv-if pack` does; else they
    /// declare what only some devices have
    #[arg(long)]
    pack: bool,
    /// Write images once that several devices of a table get because they answer alike, under the name of the first that runs them
    #[arg(long)]
    dedupe: bool,
    #[command(flatten)]
    fixed_targets: FixedTargetsArg,
    /// Whose spelling of properties to write
    #[arg(long, value_enum, default_value_t, value_name = "NAMES")]
    property_names: PropertyNamesArg,
    #[command(flatten)]
    annotations: AnnotationsArg,
    #[command(flatten)]
    depfile: DepfileArg,
    /// Property sets and symbols are always written: for those who know sycl-post-link
    #[arg(long, alias = "symbols", hide = true, action = ArgAction::Count)]
    properties: u8,
    #[command(flatten)]
    config: ConfigArg,
}

/// The images for targets that get the same code.
struct Made {
    images: Vec<Image>,
    /// The targets, as numbers.
    targets: Vec<usize>,
    /// The files of the images, by target.
    paths: Vec<Vec<PathBuf>>,
    told: String,
}

/// What is written for one table.
#[derive(Default)]
struct Written {
    staged: Vec<Staged>,
    /// The images among that.
    images: BTreeSet<PathBuf>,
    /// By number of the target: the rows.
    rows: Vec<(usize, Vec<String>)>,
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let devices = self.config.read_or_embedded()?;
        let tables = self.tables.tables(&devices)?;
        let annotations = self.annotations.read()?;
        annotations.check_devices(&devices)?;
        let inputs = self.inputs.list()?;
        if inputs.len() > 1 && annotations.names_ids() {
            return Err(usage(
                "the annotations name functions by id, and ids change where modules are linked: name them otherwise",
            ));
        }
        let fixed = self.fixed_targets.of(&inputs, &devices)?;
        let bytes = io::each(&inputs, &inputs, log, |input, _, _| input.read())?;
        let modules = io::each(&inputs, &bytes, log, |_, bytes, _| Ok(bytes.module()?))?;
        let properties = io::each(&inputs, &inputs, log, |input, _, _| match input.beside("prop") {
            Some(path) => io::read_properties(&path),
            None => Ok(PropertySets::default()),
        })?;
        let names: Vec<String> = inputs.iter().map(ToString::to_string).collect();
        let units: Vec<Unit> = (0..inputs.len())
            .map(|at| Unit {
                name: &names[at],
                module: &modules[at],
                properties: &properties[at],
                fixed_targets: &fixed[at],
            })
            .collect();
        let mut program = Program::link(&units)?;
        program.warnings.iter().for_each(|warning| log.warning(warning));
        if annotations.is_given() {
            let said = annotations.of(&Module::from_words(&program.words[..])?)?.into_owned();
            program.annotate(said);
        }
        annotations.finish(log)?;
        let module = Module::from_words(&program.words[..])?;
        self.tables.make_folder()?;
        let mut staged = Vec::new();
        for table in &tables {
            let subject = match &names[..] {
                [name] => name,
                _ => "the program",
            };
            let written = self.images(table, &program, &module, &devices, subject, log)?;
            io::spare_inputs(&written.staged, "call the table otherwise, or name a folder with --out-dir")?;
            staged.extend(written.staged);
            let text = file_table(table, written.rows)?.to_text();
            staged.push(Destination::File(table.path.clone()).stage(Data::Text(text))?);
        }
        io::commit(staged, &self.depfile)
    }

    /// Makes and stages the images of a table.
    fn images(
        &self,
        of: &TableOf,
        program: &Program,
        module: &Module,
        devices: &DeviceConfig,
        subject: &str,
        log: &mut Log,
    ) -> anyhow::Result<Written> {
        let mut written = Written::default();
        for group in groups(of, program, module)? {
            let made = match &of.targets[group[0]] {
                Target::Any(_) => {
                    let annotated = &program.annotated;
                    let chooses =
                        !annotated.spec_constants.is_empty() || has_conditional_calls(module, annotated)?;
                    if chooses && !self.pack {
                        log.warning("some code is conditional, and images for any device declare what only some devices have: use --pack");
                    }
                    self.make(program, of, group, devices, chooses && self.pack)
                }
                Target::Device(device) => program
                    .on(device)
                    .map_err(anyhow::Error::from)
                    .and_then(|program| self.make(&program, of, group, devices, false)),
            };
            let made = made.with_context(|| subject.to_owned())?;
            images::warn(made.images.iter().flat_map(|image| &image.warnings), log);
            let mut shared = vec![None; made.images.len()];
            for at in 0..made.targets.len() {
                self.write(of, &made, at, &mut shared, &mut written, log)?;
            }
        }
        Ok(written)
    }

    /// Makes the images for targets that get the same code.
    fn make(
        &self,
        program: &Program,
        of: &TableOf,
        targets: Vec<usize>,
        devices: &DeviceConfig,
        pack: bool,
    ) -> anyhow::Result<Made> {
        let names = PropertyNames::from(self.property_names);
        let module = Module::from_words(&program.words[..])?;
        let options = split::Options {
            mode: self.group.mode.into(),
            source: "",
            annotated: &program.annotated,
            properties: &program.properties,
            fixed_targets: &[],
            devices,
            only_entry_points: self.group.only_kernels,
            rename_entry: None,
            property_names: names,
        };
        split(&module, &options, |split: &Split| {
            let one = |plan| -> anyhow::Result<Image> {
                let mut image = split.image(plan)?;
                if pack {
                    program.pack(&mut image, names)?;
                }
                Ok(image)
            };
            let made = io::in_parallel(split.plans().iter(), one);
            let by_kernel = self.group.mode == ModeArg::Kernel;
            let paths =
                |target: &usize| images::names::paths(split, &of.stem(&of.targets[*target]), by_kernel);
            let (paths, told) = (targets.iter().map(paths).collect(), images::told(split));
            let made: anyhow::Result<_> = made.into_iter().collect();
            Ok(made.map(|images| Made { images, targets, paths, told }))
        })?
    }

    /// Stages the images that a target can run, and makes their rows. `shared` are the files of those that targets before it run.
    fn write(
        &self,
        of: &TableOf,
        made: &Made,
        at: usize,
        shared: &mut [Option<PathBuf>],
        written: &mut Written,
        log: &mut Log,
    ) -> anyhow::Result<()> {
        let target = &of.targets[made.targets[at]];
        let mut left = 0;
        for (number, image) in made.images.iter().enumerate() {
            if let Target::Device(device) = target {
                let reasons = unmet(&image.properties, device)?;
                if !reasons.is_empty() {
                    let path = made.paths[at][number].display();
                    log.detail(format!(
                        "{}: no {path}: {}",
                        device.name,
                        reasons.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
                    ));
                    continue;
                }
            }
            left += 1;
            let own = &made.paths[at][number];
            let path = if self.dedupe { &*shared[number].get_or_insert_with(|| own.clone()) } else { own };
            if written.images.insert(path.clone()) {
                written.staged.extend(images::stage(image, image.words.clone(), path)?);
            }
            let files = [path.clone(), path.with_extension("prop"), path.with_extension("sym")];
            let mut row: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
            row.extend(of.names_targets.then(|| target.name().to_owned()));
            written.rows.push((made.targets[at], row));
        }
        match left {
            0 => log.warning(format!("{} runs none: no row for {}", target.name(), made.told)),
            left if left < made.images.len() => {
                log.note(format!("{} runs {left} of {}", target.name(), made.told));
            }
            _ => log.note(format!("{}: {}", target.name(), made.told)),
        }
        Ok(())
    }
}

/// The table, in the order of its targets.
fn file_table(of: &TableOf, mut rows: Vec<(usize, Vec<String>)>) -> anyhow::Result<FileTable> {
    let mut columns = vec![FileTable::CODE, FileTable::PROPERTIES, FileTable::SYMBOLS];
    columns.extend(of.names_targets.then_some(FileTable::TARGET));
    let mut table = FileTable::new(&columns)?;
    rows.sort_by_key(|(target, _)| *target);
    rows.into_iter().try_for_each(|(_, row)| table.push(row))?;
    Ok(table)
}

/// The targets of a table in groups that get the same code, as numbers.
fn groups(of: &TableOf, program: &Program, module: &Module) -> anyhow::Result<Vec<Vec<usize>>> {
    let (devices, any): (Vec<usize>, Vec<usize>) =
        (0..of.targets.len()).partition(|&number| of.targets[number].device().is_some());
    let asked = match devices.len() {
        0 | 1 => None,
        _ => asked(module, &program.annotated, &program.properties)?,
    };
    let devices = devices.into_iter().filter_map(|number| Some((number, of.targets[number].device()?)));
    let devices = alike(asked.as_ref(), devices, |(_, device)| device);
    let numbers = |group: Vec<(usize, &Device)>| group.into_iter().map(|(number, _)| number).collect();
    Ok(any.into_iter().map(|number| vec![number]).chain(devices.into_iter().map(numbers)).collect())
}
