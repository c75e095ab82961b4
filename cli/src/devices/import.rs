//! `spirv-if devices import`.

use std::fmt::Write;
use std::path::PathBuf;

use clap::Args;
use spirv_if::device::{DeviceConfig, DeviceReport};

use super::{NOTHING, one_line};
use crate::device::read_reports;
use crate::io;
use crate::log::Log;

/// Convert reports on Vulkan devices to device entries
///
/// Reads a Vulkan Profiles file (the schema of KhronosGroup/Vulkan-Profiles), the
/// output of `vulkaninfo --json`, now or before 2022, or a report downloaded from
/// vulkan.gpuinfo.org. Prints entries of a device configuration file, for devices
/// of other machines. --device also accepts the name of such a file directly, if it
/// ends in .json.
///
/// A profile describes the features that all its devices have. Features that its
/// version of Vulkan and its extensions guarantee need not be in it. A profile that
/// builds on one of another file needs that file, too.
///
/// Examples:
///
///   A device somewhere else, and a module for it:
///     vulkaninfo --json -o phone.json
///     spirv-if devices import phone.json > phone.yaml
///     spirv-if specialize module.spv --device phone.json -o out.spv
///
///   One profile of several:
///     spirv-if devices import VP_KHR_roadmap.json --profile VP_KHR_roadmap_2024
///
///   A profile that builds on two others:
///     spirv-if devices import VP_ANDROID_15_minimums.json \
///       VP_ANDROID_baseline_2022.json VP_ANDROID_baseline_2021.json \
///       --profile VP_ANDROID_15_minimums
///
/// Exit status: 0 done, 1 a file cannot be read, 2 no file has the profile.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ImportArgs {
    /// The files to read
    #[arg(value_name = "FILE.json", required = true)]
    files: Vec<PathBuf>,
    /// Only this profile; all by default
    #[arg(long, value_name = "NAME")]
    profile: Option<String>,
}

impl ImportArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let (mut comments, mut devices) = (Vec::new(), Vec::new());
        let reports = read_reports(&self.files, self.profile.as_deref())?;
        for (file, reports) in self.files.iter().zip(reports) {
            if reports.is_empty() && self.profile.is_none() {
                log.note(format!("{} has no profiles", file.display()));
            }
            for DeviceReport { description, device, .. } in reports {
                comments.push(format!("{description}, from {}", file.display()));
                devices.push(device);
            }
        }
        // Devices with the same name are numbered.
        let devices = DeviceConfig::new("the reports", devices);
        let mut text = String::new();
        for (comment, device) in comments.iter().zip(devices.iter()) {
            if !text.is_empty() {
                text.push('\n');
            }
            writeln!(text, "# {}", one_line(comment))?;
            text.push_str(&device.to_yaml());
        }
        if comments.is_empty() {
            text.push_str(NOTHING);
        }
        io::print(text.as_bytes())
    }
}
