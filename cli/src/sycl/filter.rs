//! `spirv-if sycl filter`.

use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use spirv_if::device::{DeviceError, Target};
use spirv_if::specialize::{Compatibility, Verdict};
use spirv_if_sycl::split::compatibility_of_properties;
use spirv_if_sycl::tables::FileTable;

use super::super::counted;
use super::super::device::{ConfigArg, device_error};
use super::super::io::{self, Data, DepfileArg, Destination};
use super::super::log::Log;

/// Remove the images of a file table that a target cannot run
///
/// Run it before compiling ahead of time: a target's compiler must not see images
/// that it would reject. The set "SYCL/device requirements" in the file of a row's
/// column "Properties" lists the requirements. A row is kept if the target has
///   - every aspect, including those whose condition holds on the target,
///   - every required sub-group size, and
///   - the aspect of one of the fixed targets, if the set has any.
///
/// A row whose properties do not have the set is kept too. A table without the
/// column is unchanged, for any target. If the table has a column "Target", as
/// `spirv-if sycl post-link` writes it for several targets, rows for other devices
/// are removed.
///
/// Only property sets are read: what the code itself declares is compared when a
/// kernel is selected or specialized.
///
/// Files are named in a table relative to the working directory, or absolutely.
/// The result names the same files; no image is read or written. -v prints the
/// reason for each removed row.
///
/// Examples:
///
///   The images for an older Intel GPU without double precision:
///     spirv-if sycl filter out.table --target intel_gpu_dg1 -o dg1.table
///
///   With your own devices, and a rule for make with the files that were read:
///     spirv-if sycl filter out.table --target my_gpu --device-config my.yaml
///         -o my.table --depfile my.d
///
/// Exit status: 0 done, even if no row is left; 1 error, 2 wrong usage. Unless it is
/// 0, nothing is written.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct FilterArgs {
    /// The file table
    #[arg(value_name = "TABLE")]
    table: PathBuf,
    /// The file table to write, or `-` for standard output
    ///
    /// It is replaced in one step, so it may be the input.
    #[arg(short, long, value_name = "PATH")]
    output: PathBuf,
    /// The target: a device of the device configuration (`spirv-if devices` lists them), or a generic one: `intel_gpu`, `ptx64`, `spir64`
    #[arg(long, value_name = "NAME")]
    target: String,
    #[command(flatten)]
    depfile: DepfileArg,
    #[command(flatten)]
    config: ConfigArg,
}

impl FilterArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let name = self.table.display().to_string();
        let mut table = FileTable::parse(&name, &io::read_text(&self.table)?)?;
        let mut log_of_table = log.about(&name);
        let filtered = self.filter(&name, &mut table, &mut log_of_table);
        log.append(log_of_table);
        filtered?;
        let staged = Destination::at(&self.output).stage(Data::Text(table.to_text()))?;
        io::commit(vec![staged], &self.depfile)
    }

    /// Returns the target. A glob may match several devices.
    fn target(&self) -> anyhow::Result<Target> {
        let devices = self.config.read_or_embedded()?;
        let mut targets = Target::named([self.target.as_str()], &devices).map_err(device_error)?;
        match (targets.pop(), targets.is_empty()) {
            (Some(target), true) => Ok(target),
            (last, _) => {
                let names = targets.into_iter().chain(last).map(|target| target.name).collect();
                Err(device_error(DeviceError::Several { name: self.target.clone(), names }))
            }
        }
    }

    fn filter(&self, name: &str, table: &mut FileTable, log: &mut Log) -> anyhow::Result<()> {
        let Some(column) = table.column(FileTable::PROPERTIES) else {
            log.note("it has no column `Properties`: all rows are kept");
            return Ok(());
        };
        let target = self.target()?;
        let for_target = match table.column(FileTable::TARGET) {
            Some(of) => table.rows().map(|cells| target.takes_images_for(&cells[of])).collect(),
            None => vec![true; table.rows().len()],
        };
        let files: Vec<&str> = table.rows().map(|cells| cells[column].as_str()).collect();
        let compare = |file: &&str| -> anyhow::Result<Compatibility> {
            Ok(compatibility_of_properties(&target, &io::read_properties(Path::new(file))?)?)
        };
        let outcomes = io::in_parallel(files.iter(), compare);
        let mut kept = Vec::with_capacity(outcomes.len());
        for (row, outcome) in outcomes.into_iter().enumerate() {
            let result =
                outcome.with_context(|| format!("{name}:{}", table.line(row).unwrap_or_default()))?;
            if let Some(device) = &target.device {
                match result.verdict() {
                    Verdict::Runs => {}
                    Verdict::DoesNotRun => {
                        log.detail(format!("{} removed: it {}", files[row], result.explain(device)));
                    }
                    Verdict::NotKnown => {
                        log.detail(format!("{} kept: it {}", files[row], result.explain(device)));
                    }
                }
            }
            if !for_target[row] {
                log.detail(format!("{} removed: it is for another target", files[row]));
            }
            kept.push(result.missing.is_empty() && for_target[row]);
        }
        let (rows, left) = (kept.len(), kept.iter().filter(|kept| **kept).count());
        table.retain(|row| kept.get(row) == Some(&true));
        if left == 0 && rows > 0 {
            log.warning(format!("{} runs none of its images: the resulting table is empty", target.name));
        } else {
            log.note(format!("{left} of {} kept for {}", counted(rows, "image"), target.name));
        }
        Ok(())
    }
}
