//! For which targets there are images, and which table lists them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use spirv_if::device::{ANY_DEVICE, Device, DeviceConfig, DeviceError};

use super::super::super::device::device_error;
use super::super::super::usage;

/// Tables, and the targets of the images that they list.
#[derive(Args, Debug)]
pub struct TableArgs {
    /// The file table to write; images are called after it. With a target before it, the table of this target: may be given for
    /// each of several targets, instead of --target
    #[arg(short, long, value_name = "[TARGET,]OUT.table", required = true)]
    output: Vec<PathBuf>,
    /// Targets of the table: `spir64` for any device, or names and globs of devices (`spirv-if devices` lists them); may be
    /// given several times
    #[arg(long, visible_alias = "targets", value_name = "NAMES", value_delimiter = ',')]
    target: Vec<String>,
    /// The folder where the images go, instead of beside the table; it is made if it is missing
    #[arg(long, value_name = "FOLDER")]
    out_dir: Option<PathBuf>,
}

/// What images are for.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Any device, by the name that the user used.
    Any(String),
    /// One device.
    Device(Box<Device>),
}

/// A table to be written.
pub struct TableOf {
    /// Its file.
    pub path: PathBuf,
    /// The targets of its images.
    pub targets: Vec<Target>,
    /// Whether it says which target each image is for.
    pub names_targets: bool,
    /// How the names of its images begin.
    stem: PathBuf,
}

impl Target {
    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Target::Any(name) => name,
            Target::Device(device) => &device.name,
        }
    }

    /// The one device.
    pub fn device(&self) -> Option<&Device> {
        match self {
            Target::Any(_) => None,
            Target::Device(device) => Some(device),
        }
    }
}

impl TableOf {
    /// How the names of the images for a target begin.
    pub fn stem(&self, target: &Target) -> PathBuf {
        match target {
            Target::Device(device) if self.names_targets => {
                let mut stem = self.stem.clone().into_os_string();
                stem.push(".");
                stem.push(&device.name);
                stem.into()
            }
            _ => self.stem.clone(),
        }
    }
}

impl TableArgs {
    /// The tables.
    ///
    /// # Errors
    /// As wrong usage, where a target does not exist, or it is not clear which table it is for.
    pub fn tables(&self, devices: &DeviceConfig) -> anyhow::Result<Vec<TableOf>> {
        let pairs: Vec<(Option<&str>, &Path)> = self.output.iter().map(|path| of_target(path)).collect();
        match &pairs[..] {
            [(None, path)] => {
                let names = match &self.target[..] {
                    [] => vec![Target::Any(ANY_DEVICE[0].to_owned())],
                    names => named(names.iter().map(String::as_str), devices)?,
                };
                Ok(vec![self.table(path, names, !self.target.is_empty())?])
            }
            _ if !self.target.is_empty() => Err(usage(
                "--target is for one table of all targets; with TARGET,TABLE each target has its own, and with several tables every one must have a target",
            )),
            _ => pairs
                .into_iter()
                .map(|(target, path)| {
                    let target = target.ok_or_else(|| {
                        usage(format!(
                            "of several tables each is for one target: write -o TARGET,{}",
                            path.display()
                        ))
                    })?;
                    self.table(path, named([target], devices)?, false)
                })
                .collect(),
        }
    }

    /// Makes the folder of the images if it is missing.
    pub fn make_folder(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.out_dir else { return Ok(()) };
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())
    }

    fn table(&self, path: &Path, targets: Vec<Target>, names_targets: bool) -> anyhow::Result<TableOf> {
        let file = path.file_name().filter(|_| path != Path::new("-"));
        let file = file.ok_or_else(|| {
            usage("images are called after their table, so it needs a file name; it cannot go to standard output")
        })?;
        let mut stem = match &self.out_dir {
            Some(folder) => folder.join(file),
            None => path.to_owned(),
        };
        if stem.extension() == Some(OsStr::new("table")) {
            stem.set_extension("");
        }
        Ok(TableOf { path: path.to_owned(), targets, names_targets, stem })
    }
}

/// A target and its table; no target, where nothing stands before a comma in the name of the file itself.
fn of_target(path: &Path) -> (Option<&str>, &Path) {
    let pair = path.to_str().and_then(|text| text.split_once(','));
    match pair.filter(|(target, _)| !target.contains(std::path::is_separator)) {
        Some((target, path)) => (Some(target), Path::new(path)),
        None => (None, path),
    }
}

/// The targets that names mean, each once.
fn named<'n>(
    names: impl IntoIterator<Item = &'n str>,
    devices: &DeviceConfig,
) -> anyhow::Result<Vec<Target>> {
    let mut targets = Vec::new();
    for name in names {
        let found = match name.trim() {
            name if ANY_DEVICE.contains(&name) => vec![Target::Any(name.to_owned())],
            name => {
                let matching = devices.matching(name).map_err(|error| device_error(as_target(error)))?;
                matching.into_iter().map(|found| Target::Device(Box::new(found.clone()))).collect()
            }
        };
        for target in found {
            let any = |other: &Target| matches!((other, &target), (Target::Any(_), Target::Any(_)));
            if !targets.contains(&target) && !targets.iter().any(any) {
                targets.push(target);
            }
        }
    }
    Ok(targets)
}

/// The error for a name that is no target: it may be meant for any device.
fn as_target(error: DeviceError) -> DeviceError {
    match error {
        DeviceError::UnknownName { name, nearest, .. } => {
            let any = DeviceError::nearest(&name, ANY_DEVICE);
            let nearest = if any.is_empty() { nearest } else { any };
            DeviceError::UnknownName { what: "target", name, nearest }
        }
        error => error,
    }
}
