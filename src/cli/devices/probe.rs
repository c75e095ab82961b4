//! `spirv-if devices probe`.

use std::fmt::Write;
use std::sync::{OnceLock, mpsc};
use std::time::Duration;

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
/// Without options both are asked, and what is not there is only noted. Drivers
/// that do not answer within a minute are given up on; one that crashes takes the
/// program down, and with --opencl or --vulkan the other is not asked.
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
        let found = ask(if asked.is_empty() { &Api::ALL } else { &asked })?;
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

/// How long drivers may take. The slowest known, which starts a compiler, takes seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// Asks the drivers, which may hang: a thread that waits for them is left behind.
fn ask(apis: &[Api]) -> anyhow::Result<Found> {
    let (sender, receiver) = mpsc::channel();
    let of = apis.to_vec();
    std::thread::spawn(move || sender.send(probe::devices(&of)));
    receiver.recv_timeout(LIMIT).map_err(|_| {
        let names: Vec<String> = apis.iter().map(Api::to_string).collect();
        anyhow::anyhow!("the {} drivers of this machine do not answer", names.join(" or "))
    })
}

/// The devices of this machine, and the name of the one that a number stands for. They are asked once.
///
/// # Errors
/// As wrong usage, where none has this number or name, or there is none at all.
pub fn probed(name: &str) -> anyhow::Result<(String, DeviceConfig)> {
    static FOUND: OnceLock<Found> = OnceLock::new();
    let found = match FOUND.get() {
        Some(found) => found,
        None => {
            let found = ask(&Api::ALL)?;
            FOUND.get_or_init(|| found)
        }
    };
    if found.devices.is_empty() {
        let errors: Vec<String> = found.errors.iter().map(ProbeError::to_string).collect();
        return Err(usage(format!("no device `probe:{name}`: {}", errors.join("; "))));
    }
    let names: Vec<&str> = found.devices.iter().map(|probed| probed.device.name.as_str()).collect();
    let config =
        DeviceConfig::new("this machine", found.devices.iter().map(|probed| probed.device.clone()).collect());
    let at = name.parse::<usize>();
    let name = at.map_or(Some(name), |at| names.get(at).copied());
    match name.filter(|name| config.matching(name).is_ok()) {
        Some(name) => Ok((name.to_owned(), config)),
        None => {
            let all = names.iter().enumerate().map(|(at, name)| format!("{at} is {name}"));
            let all: Vec<String> = all.collect();
            Err(usage(format!(
                "the drivers of this machine tell of no such device; probe:{}",
                all.join(", probe:")
            )))
        }
    }
}
