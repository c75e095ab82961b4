//! `spirv-if sycl select`.

mod list;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use spirv_if::specialize::Verdict;
use spirv_if::{Condition, Device, Error, Module, Prepared, Settings};
use spirv_if_sycl::program::{Program, Selection};

use super::super::device::DeviceArgs;
use super::super::io::{self, Data, DepfileArg, Destination, ForceArg, OutputPlace, Staged, WriteArgs};
use super::super::log::Log;
use super::super::settings::SetArgs;
use super::super::{ExitFailure, counted, usage};

/// Load a kernel of a program for a device, as a SYCL runtime does
///
/// Selects the images of file tables that the kernel requires on the device. These
/// are the image with the kernel, the images that export its imports, and of each
/// pair of add-on images the one for the device. Links and specializes them to one
/// plain module, without imports, exports or conditional code. A program of several
/// link units has a table for each. Instead of a table, an executable or library
/// that DPC++ linked may be given: its images have their property sets inside.
///
/// Images are selected by their property sets and symbols. A device that does not
/// meet the requirements of all selected images is refused before any code is read.
/// With --set, aspects that the code of an image explains count as far as the
/// constants leave that code.
///
/// With --list, nothing is written. It prints the images that would be used on each
/// device, with reasons, and the features that the device is missing, by default for
/// all kernels. Then --set NAME:true|false makes decisions of the host.
///
/// Examples:
///
///   The module of a kernel for a device:
///     spirv-if sycl select app.table --kernel sum --device intel_gpu_pvc -o sum.spv
///
///   A kernel of a program with a separately compiled library:
///     spirv-if sycl select app.table library.table --kernel sum --device probe:0 -o sum.spv
///
///   Which kernels of a library run on the devices of this machine?
///     spirv-if sycl select libapp.so --list --device 'probe:*'
///
///   For a driver that links SPIR-V itself, the images as they are:
///     spirv-if sycl select app.table --kernel sum --device probe:0 --no-link -o out/
///
///   Which kernels run on which Intel GPUs, and which features are missing?
///     spirv-if sycl select app.table --list --device 'intel_gpu_*'
///
/// Exit status: 0 done, 1 error, 2 wrong usage, 3 the kernel does not run on the
/// device. Unless it is 0, nothing is written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct SelectArgs {
    /// The file tables, or linked executables and libraries: one for each link unit of the program
    #[arg(value_name = "TABLE", required = true)]
    tables: Vec<PathBuf>,
    /// The kernel, by the name of its entry point
    #[arg(long, value_name = "NAME", required_unless_present = "list")]
    kernel: Option<String>,
    /// The file to write, or `-` for standard output; with --no-link, a folder
    #[arg(short, long, value_name = "PATH", required_unless_present = "list")]
    output: Option<PathBuf>,
    /// Write the selected images, with their property sets, to a folder instead of linking them
    #[arg(long)]
    no_link: bool,
    /// Print the images that would be used on each device, and the missing features
    #[arg(long, conflicts_with_all = ["output", "no_link", "set_default", "leave", "ignore_unknown", "allow_partial_linkage", "embed"])]
    list: bool,
    /// The form of --list
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT", requires = "list")]
    format: SelectFormat,
    /// Keep imports that no image defines, with the capability Linkage: of functions that drivers have
    #[arg(long, conflicts_with = "no_link")]
    allow_partial_linkage: bool,
    /// Refuse a device that is not known to run the kernel; by default a note says so
    #[arg(long, conflicts_with = "list")]
    strict: bool,
    /// Accept tables that name files outside of their folders
    #[arg(long)]
    allow_outside: bool,
    #[command(flatten)]
    embed: WriteArgs,
    #[command(flatten)]
    set: SetArgs,
    #[command(flatten)]
    force: ForceArg,
    #[command(flatten)]
    devices: DeviceArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum SelectFormat {
    /// For people
    #[default]
    Text,
    /// For programs: spec-extensions/loading.md describes it
    Json,
}

impl SelectArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let devices = self.devices.devices()?;
        if devices.is_empty() {
            return Err(usage(
                "no device to load for: name one with --device (`spirv-if devices` lists them)",
            ));
        }
        let program = Program::open_all(&self.tables, self.allow_outside)?;
        for error in program.unreadable_images() {
            log.warning(format!("{error}; its kernels are left out"));
        }
        let settings = self.set.settings()?.strict(self.strict);
        let (Some(kernel), Some(output)) = (&self.kernel, &self.output) else {
            return self.list(&program, &devices, &settings, log);
        };
        if self.list {
            return self.list(&program, &devices, &settings, log);
        }
        let [device] = &devices[..] else {
            return Err(usage(format!(
                "{} selected: a kernel is loaded for one device; --list compares several",
                counted(devices.len(), "device")
            )));
        };
        match self.no_link {
            true => self.embed.check_many()?,
            false => self.embed.check(&OutputPlace::One(Destination::at(output)))?,
        }
        let device = &settings.apply_to_device(device);
        let selection = match self.no_link {
            true => program.select(kernel, device),
            // Constants may remove code that requires what the device does not have.
            false => program.select_unchecked(kernel, device),
        };
        let selection = selection.map_err(explained)?.allow_partial_linkage(self.allow_partial_linkage);
        for image in selection.images() {
            let reasons: Vec<String> = image.reasons.iter().map(ToString::to_string).collect();
            log.detail(format!("{}: {}", image.name, reasons.join("; ")));
        }
        let staged = match self.no_link {
            true => {
                self.check(kernel, &selection, device, log)?;
                images(&selection, output, &self.embed, &self.force)?
            }
            false => {
                let specialized = selection.specialize(&settings).map_err(explained)?;
                if self.set.has_several() {
                    self.check_settings(&selection)?;
                }
                for uncertain in &specialized.report.not_known {
                    log.note(format!("`{kernel}` {uncertain}"));
                }
                for constant in &specialized.report.ignored {
                    log.warning(format!("no image has a constant with {constant}: its value is left out"));
                }
                self.embed.stage(Destination::at(output), Data::Words(specialized.words))?
            }
        };
        self.force.check(&staged)?;
        io::commit(staged, &DepfileArg::default())
    }

    /// Refuses images that the device does not run or, with --strict, is not known to run.
    fn check(
        &self,
        kernel: &str,
        selection: &Selection,
        device: &Device,
        log: &mut Log,
    ) -> anyhow::Result<()> {
        let result = selection.compatibility()?;
        match result.verdict() {
            Verdict::Runs => {}
            Verdict::NotKnown if !self.strict => log.note(format!("`{kernel}` {}", result.explain(device))),
            _ => {
                return Err(
                    ExitFailure::Incompatible(format!("`{kernel}` {}", result.explain(device))).into()
                );
            }
        }
        Ok(())
    }

    /// Refuses two settings of one constant of an image.
    fn check_settings(&self, selection: &Selection) -> anyhow::Result<()> {
        let check = |number| {
            let bytes = selection.code(number)?;
            let mut module = Module::from_bytes(&bytes)?;
            if let Some(properties) = selection.properties(number) {
                module = module.with_properties(properties.clone())?;
            }
            self.set.check_in(&Prepared::new(&module)?)?;
            anyhow::Ok(())
        };
        let mut images = selection.images().iter().enumerate();
        images.try_for_each(|(number, image)| check(number).with_context(|| image.name.clone()))
    }

    fn list(
        &self,
        program: &Program,
        devices: &[Device],
        settings: &Settings,
        log: &mut Log,
    ) -> anyhow::Result<()> {
        let kernels: Vec<&str> = match &self.kernel {
            Some(kernel) => vec![kernel],
            None => program.kernels(),
        };
        let lists: Vec<list::DeviceSelection> = devices
            .iter()
            .map(|device| list::DeviceSelection::new(program, &kernels, &settings.apply_to_device(device)))
            .collect();
        let text = match self.format {
            SelectFormat::Text => list::to_text(&lists),
            SelectFormat::Json => list::to_json(&self.tables, program, &lists)?,
        };
        io::print(text.as_bytes())?;
        let mut failed = false;
        for error in lists.iter().flat_map(list::DeviceSelection::errors) {
            log.error(&anyhow!("{error}"));
            failed = true;
        }
        if failed { Err(ExitFailure::Logged(1).into()) } else { Ok(()) }
    }
}

/// Returns the images of a selection, and their property sets, in a folder.
fn images(
    selection: &Selection,
    folder: &Path,
    embed: &WriteArgs,
    force: &ForceArg,
) -> anyhow::Result<Vec<Staged>> {
    if Destination::at(folder).is_stream() {
        return Err(usage("images cannot be written to a stream: name a folder with -o"));
    }
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let (mut staged, mut files) = (Vec::new(), HashMap::new());
    for (number, image) in selection.images().iter().enumerate() {
        let file = file_of(&image.name);
        let file = file.ok_or_else(|| anyhow!("`{}` is the name of no file", image.name))?;
        if let Some(other) = files.insert(file.clone(), &image.name) {
            return Err(anyhow!(
                "{other} and {} would both be written as {}: name the tables of their link units differently",
                image.name,
                folder.join(file).display()
            ));
        }
        let destination = Destination::File(embed.renamed(folder.join(file)));
        let bytes = selection.code(number)?;
        let module = Module::from_bytes(&bytes).with_context(|| image.name.clone())?;
        let words = Data::Words(module.words().to_vec());
        staged.extend(embed.stage_with(destination, words, selection.properties(number))?);
    }
    force.spare_inputs(&staged, "choose another folder")?;
    Ok(staged)
}

/// Returns the name of the file for an image: its own, or that of the linked file that has the image, and the offset.
fn file_of(image: &str) -> Option<PathBuf> {
    let name = Path::new(image).file_name()?;
    let part = name.to_str().and_then(|name| name.rsplit_once(":0x"));
    Some(part.map_or_else(|| name.into(), |(file, offset)| format!("{file}.0x{offset}.spv").into()))
}

/// Returns the error with its exit status: refusals have their own, and unknown names are wrong usage.
fn explained(error: Error) -> anyhow::Error {
    match error {
        Error::Refused(refused) => ExitFailure::Incompatible(refused.to_string()).into(),
        Error::Request(_) => usage(error),
        Error::Undecided(undecided) => {
            let meanings = undecided.constants.iter().filter_map(|constant| constant.condition.as_ref());
            let names: Vec<&str> = meanings.filter_map(Condition::decision).collect();
            let ways = names.iter().map(|name| format!("; set it with --set {name}:true|false"));
            anyhow!("{undecided}{}", ways.collect::<String>())
        }
        error => error.into(),
    }
}
