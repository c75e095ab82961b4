//! The targets of images, and the tables that list them.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use spirv_if::device::{DeviceConfig, Target};

use super::super::super::device::device_error;
use super::super::super::io::{Destination, Input, names_folder};
use super::super::super::usage;

/// Tables, and the targets of the images that they list.
#[derive(Args, Debug)]
pub struct TableArgs {
    /// The file table to write, after which images are named; in a folder (`out/`), it has the name of the first module. With a target before it, the table of this target: may be given for
    /// each of several targets, instead of --target
    #[arg(short, long, value_name = "[TARGET,]OUT.table", required = true)]
    output: Vec<PathBuf>,
    /// Targets of the table: `spir64` for any device, `intel_gpu` or `ptx64` for any of a kind, or names and globs of devices (`spirv-if
    /// devices` lists them); may be given several times
    #[arg(long, visible_alias = "targets", value_name = "NAMES", value_delimiter = ',')]
    target: Vec<String>,
    /// The folder of the images, by default the table's; it is created if it does not exist
    #[arg(long, value_name = "FOLDER")]
    out_dir: Option<PathBuf>,
}

/// A table to be written.
pub struct TableOf {
    /// The file of the table.
    pub path: PathBuf,
    /// The targets of its images.
    pub targets: Vec<Target>,
    /// True if it has a column for the target of each image.
    pub names_targets: bool,
    /// The beginning of the names of its images.
    stem: PathBuf,
}

impl TableOf {
    /// Returns the beginning of the names of the images for a target.
    pub fn stem(&self, target: &Target) -> PathBuf {
        if target.device.is_none() || !self.names_targets {
            return self.stem.clone();
        }
        let mut stem = self.stem.clone().into_os_string();
        stem.push(".");
        stem.push(&target.name);
        stem.into()
    }
}

impl TableArgs {
    /// Returns the tables. In a folder, a table has the name of the first module.
    ///
    /// # Errors
    /// As wrong usage, if a target does not exist, or its table is ambiguous.
    pub fn tables(&self, first: Input, devices: &DeviceConfig) -> anyhow::Result<Vec<TableOf>> {
        let pairs: Vec<(Option<&str>, &Path)> = self.output.iter().map(|path| split_target(path)).collect();
        match &pairs[..] {
            [(None, path)] => {
                let names = match &self.target[..] {
                    [] => vec![Target::default()],
                    names => named(names.iter().map(String::as_str), devices)?,
                };
                Ok(vec![self.table(path, first, names, !self.target.is_empty())?])
            }
            _ if !self.target.is_empty() => Err(usage(
                "--target is for one table of all targets; use either --target, or -o TARGET,TABLE for each target",
            )),
            _ => pairs
                .into_iter()
                .map(|(target, path)| {
                    let target = target.ok_or_else(|| {
                        usage(format!(
                            "several tables must be for one target each: write -o TARGET,{}",
                            path.display()
                        ))
                    })?;
                    self.table(path, first, named([target], devices)?, false)
                })
                .collect(),
        }
    }

    /// Makes the folders of the images and of the tables that are named only by their folder, if they are missing.
    pub fn make_folders(&self) -> anyhow::Result<()> {
        let of_tables = self.output.iter().map(|path| split_target(path).1).filter(|path| names_folder(path));
        of_tables.chain(self.out_dir.as_deref()).try_for_each(|folder| {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())
        })
    }

    fn table(
        &self,
        path: &Path,
        first: Input,
        targets: Vec<Target>,
        names_targets: bool,
    ) -> anyhow::Result<TableOf> {
        let path = match names_folder(path) {
            true => path.join(first.file_name(None)).with_extension("table"),
            false => path.to_owned(),
        };
        let destination = Destination::at(&path);
        let file = path.file_name().filter(|_| self.out_dir.is_some() || !destination.is_stream());
        let file = file.filter(|_| destination != Destination::Stdout).ok_or_else(|| {
            usage(format!(
                "images are named after their table, so it needs a file name: it cannot be written to {destination}"
            ))
        })?;
        let mut stem = match &self.out_dir {
            Some(folder) => folder.join(file),
            None => path.clone(),
        };
        if stem.extension() == Some(OsStr::new("table")) {
            stem.set_extension("");
        }
        Ok(TableOf { path, targets, names_targets, stem })
    }
}

/// Splits an argument into a target and its table. Without a comma in the name of the file, it has no target.
fn split_target(path: &Path) -> (Option<&str>, &Path) {
    let pair = path.to_str().and_then(|text| text.split_once(','));
    match pair.filter(|(target, _)| !target.contains(std::path::is_separator)) {
        Some((target, path)) => (Some(target), Path::new(path)),
        None => (None, path),
    }
}

fn named<'n>(
    names: impl IntoIterator<Item = &'n str>,
    devices: &DeviceConfig,
) -> anyhow::Result<Vec<Target>> {
    Target::named(names, devices).map_err(device_error)
}
