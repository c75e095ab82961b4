//! `spirv-if devices probe`.

use std::fmt::Write;
use std::sync::LazyLock;

use clap::Args;
use spirv_if::device::DeviceConfig;
use spirv_if::device::api::Api;
use spirv_if::device::probe::{self, Found, ProbeError};

use crate::cli::log::Log;
use crate::cli::{io, usage};

/// Ask the drivers of this machine what their devices can do
///
/// Prints entries of a device configuration file: ready for --device-config, to
/// keep or to edit. Where a command takes --device, `probe:NUMBER` or
/// `probe:NAME` asks for a device of this list at once. OpenCL's devices come
/// first, then Vulkan's, each in the order of the drivers.
///
/// Without options both are asked, and what is not there is only noted.
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
        let asked: Vec<Api> = Api::ALL
            .into_iter()
            .filter(|api| match api {
                Api::OpenCl => self.opencl,
                Api::Vulkan => self.vulkan,
            })
            .collect();
        let found = probe::devices(if asked.is_empty() { &Api::ALL } else { &asked });
        for error in &found.errors {
            match error {
                ProbeError::NoLoader { .. } | ProbeError::NoDriver(_) if !asked.is_empty() => {
                    return Err(error.clone().into());
                }
                ProbeError::NoLoader { .. } | ProbeError::NoDriver(_) => log.note(error),
                _ if found.devices.is_empty() => return Err(error.clone().into()),
                _ => log.warning(error),
            }
        }
        io::print(entries(&found)?.as_bytes())
    }
}

fn entries(found: &Found) -> Result<String, std::fmt::Error> {
    let mut text = String::new();
    for (number, probed) in found.devices.iter().enumerate() {
        if number > 0 {
            text.push('\n');
        }
        // A driver may call a device what it likes.
        let description: String = probed.description.chars().filter(|letter| !letter.is_control()).collect();
        writeln!(text, "# probe:{number}: {description}")?;
        if probed.device.spirv_versions.as_ref().is_some_and(|versions| versions.is_empty()) {
            writeln!(text, "# It takes no SPIR-V.")?;
        }
        text.push_str(&probed.device.to_yaml());
    }
    if found.devices.is_empty() {
        // An empty file is not a mapping.
        text.push_str("{}\n");
    }
    Ok(text)
}

static FOUND: LazyLock<Found> = LazyLock::new(|| probe::devices(&Api::ALL));

/// The devices of this machine, and the name of the one that a number stands for.
///
/// # Errors
/// As wrong usage, where there is none with this number, or none at all.
pub fn probed(name: &str) -> anyhow::Result<(String, DeviceConfig)> {
    let devices = &FOUND.devices;
    if devices.is_empty() {
        let errors: Vec<String> = FOUND.errors.iter().map(ProbeError::to_string).collect();
        return Err(usage(format!("no device `probe:{name}`: {}", errors.join("; "))));
    }
    let name = match name.parse::<usize>() {
        Err(_) => name.to_owned(),
        Ok(number) => match devices.get(number) {
            Some(probed) => probed.device.name.clone(),
            None => {
                return Err(usage(format!(
                    "no device `probe:{number}`: the drivers of this machine tell of {}, from probe:0 on",
                    crate::cli::counted(devices.len(), "device")
                )));
            }
        },
    };
    let devices = devices.iter().map(|probed| probed.device.clone()).collect();
    Ok((name, DeviceConfig::new("this machine", devices)))
}
