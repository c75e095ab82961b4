//! `spirv-if devices probe`.

use std::fmt::Write;

use clap::Args;
use spirv_if::{Api, DeviceReport, ProbeError};

use super::{NOTHING, one_line};
use crate::cli::drivers::{APIS, ask};
use crate::cli::io;
use crate::cli::log::Log;

/// Ask the drivers of this machine what their devices can do
///
/// Prints entries of a device configuration file: ready for --device-config, to
/// keep or to edit. Where a command takes --device, `probe:NUMBER` or
/// `probe:NAME` asks for a device of this list at once. OpenCL's devices come
/// first, then Vulkan's, each in the order of the drivers.
///
/// Without options both are asked, and what is not there is only noted. Drivers
/// that do not answer within a minute are given up on, those of each API by
/// themselves. One that crashes takes the program down: with --opencl or --vulkan,
/// or a name in the place of a number, the other API is not asked.
///
/// Examples:
///
///   What is there:
///     spirv-if devices probe
///
///   A module for the first of them, or for every Vulkan device:
///     spirv-if specialize module.spv --device probe:0 -o out.spv
///     spirv-if specialize module.spv --device 'probe:vulkan_*' -o out/
///
/// Exit status: 0 done, also where no driver was found; 1 with --opencl or
/// --vulkan, there is no driver of that, or drivers fail.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment)]
pub struct Options {
    /// Ask OpenCL's drivers; that there are none is an error
    #[arg(long)]
    opencl: bool,
    /// Ask Vulkan's drivers; that there are none is an error
    #[arg(long)]
    vulkan: bool,
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        let is_asked = |api: &Api| match api {
            Api::OpenCl => self.opencl,
            Api::Vulkan => self.vulkan,
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
        // A driver may call a device what it likes.
        writeln!(text, "# probe:{number}: {}", one_line(&probed.description))?;
        if probed.device.spirv_versions().is_some_and(|versions| versions.is_empty()) {
            writeln!(text, "# It takes no SPIR-V.")?;
        }
        text.push_str(&probed.device.to_yaml());
    }
    if devices.is_empty() {
        text.push_str(NOTHING);
    }
    Ok(text)
}
