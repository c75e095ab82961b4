//! `spirv-if devices probe`.

use std::fmt::Write;

use clap::Args;
use spirv_if::device::{Api, DeviceReport};
use spirv_if_probe::ProbeError;

use super::{NOTHING, one_line};
use crate::drivers::{APIS, ask};
use crate::io;
use crate::log::Log;

/// Ask the drivers of this machine for the features of their devices
///
/// Prints entries of a device configuration file, for --device-config. Where a
/// command takes --device, `probe:NUMBER` or `probe:NAME` refers to a device of
/// this list directly. OpenCL's devices come first, then Vulkan's, each in the
/// order of the drivers.
///
/// Without options both APIs are probed. A note names an API that is not available.
/// The drivers of each API must answer within a minute. If a driver crashes, so does
/// the program. To probe one API alone, use --opencl or --vulkan, or a name instead
/// of a number.
///
/// Examples:
///
///   The devices of this machine:
///     spirv-if devices probe
///
///   A module for the first device, or for every Vulkan device:
///     spirv-if specialize module.spv --device probe:0 -o out.spv
///     spirv-if specialize module.spv --device 'probe:vulkan_*' -o out/
///
/// Exit status: 0 done, even if no driver was found; 1 a driver fails, or the API in
/// --opencl or --vulkan has none.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct ProbeArgs {
    /// Probe OpenCL's drivers, and fail if none exists
    #[arg(long)]
    opencl: bool,
    /// Probe Vulkan's drivers, and fail if none exists
    #[arg(long)]
    vulkan: bool,
}

impl ProbeArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let is_asked = |api: &Api| match api {
            Api::OpenCl => self.opencl,
            Api::Vulkan => self.vulkan,
            _ => false,
        };
        let asked: Vec<Api> = APIS.into_iter().filter(is_asked).collect();
        let apis: &[Api] = if asked.is_empty() { &APIS } else { &asked };
        let (devices, errors) = ask(apis);
        for error in &errors {
            let is_fatal = match error {
                ProbeError::NoLoader { .. } | ProbeError::NoDriver(_) => !asked.is_empty(),
                ProbeError::NoDevice { .. } => !asked.is_empty() && devices.is_empty(),
                _ => devices.is_empty(),
            };
            match error {
                _ if is_fatal => return Err(error.clone().into()),
                ProbeError::NoLoader { .. } | ProbeError::NoDriver(_) | ProbeError::NoDevice { .. } => {
                    log.note(error);
                }
                _ => log.warning(error),
            }
        }
        io::print(entries(&devices)?.as_bytes())
    }
}

fn entries(devices: &[DeviceReport]) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for (number, probed) in devices.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        // The name that a driver gives a device may contain anything.
        writeln!(text, "# probe:{number}: {}", one_line(&probed.description))?;
        if probed.device.spirv_versions().is_some_and(|versions| versions.is_empty()) {
            writeln!(text, "# It accepts no SPIR-V.")?;
        }
        text.push_str(&probed.device.to_yaml());
    }
    if devices.is_empty() {
        text.push_str(NOTHING);
    }
    Ok(text)
}
