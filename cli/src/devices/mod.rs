//! `spirv-if devices`.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Args, Subcommand};
use spirv_if::Device;
use spirv_if::device::{Api, Aspect, DeviceConfig};

use super::device::{ConfigArg, device_error};
use super::io;
use super::log::Log;
use super::{terminal, usage};

mod import;
mod probe;

/// List the known devices, or show some in full
///
/// The list has a line per device: name, category, two of its products, aspects
/// that it has for kernels or for shaders.
/// On a terminal, lines are truncated to its width.
///
/// Examples:
///
///   All devices, or those with double precision and 64-bit atomics:
///     spirv-if devices
///     spirv-if devices --aspect fp64 --aspect atomic64
///
///   Everything about two of them, about a family, and about a product:
///     spirv-if devices intel_gpu_pvc intel_gpu_12_60_7
///     spirv-if devices 'intel_gpu_bmg_*'
///     spirv-if devices rtx4090
///
///   The devices of this machine, and a device configuration with them:
///     spirv-if devices probe
///     spirv-if devices probe > devices.yaml
///
///   The devices of a device configuration file:
///     spirv-if devices --device-config devices.yaml
///
///   Compile C++ with spirv_if/device_if.hpp for one device:
///     clang $(spirv-if devices intel_gpu_pvc --defines) ...
///
/// Exit status: 0 done, 1 the configuration cannot be read, 2 a name is unknown.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub struct DevicesArgs {
    #[command(subcommand)]
    command: Option<DevicesCommand>,
    /// The devices to show in full, by their names, globs of names, or products, also as lists
    #[arg(value_name = "NAME", value_delimiter = ',')]
    names: Vec<String>,
    /// List only devices that have this aspect for kernels or for shaders; may be given
    /// several times
    #[arg(long, value_name = "ASPECT", conflicts_with = "names")]
    aspect: Vec<String>,
    /// Print the -D options with which a C++ compiler decides the conditions of
    /// spirv_if/device_if.hpp for one device
    #[arg(long, requires = "names")]
    defines: bool,
    #[command(flatten)]
    config: ConfigArg,
}

#[derive(Subcommand, Debug)]
enum DevicesCommand {
    Import(import::ImportArgs),
    Probe(probe::ProbeArgs),
}

/// The APIs through which modules reach a device.
const APIS: [Api; 2] = [Api::OpenCl, Api::Vulkan];

impl DevicesArgs {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self.command {
            Some(DevicesCommand::Import(options)) => return options.run(log),
            Some(DevicesCommand::Probe(options)) => return options.run(log),
            None => {}
        }
        let config = self.config.read_or_embedded()?;
        let text = match &self.names[..] {
            [] => self.list(&config)?,
            [name] if self.defines => defines(config.get(name).map_err(device_error)?),
            _ if self.defines => {
                return Err(usage(anyhow::anyhow!(
                    "--defines takes one device: code is compiled for each device separately"
                )));
            }
            _ => self.show(&config)?,
        };
        io::print(text.as_bytes())
    }

    fn list(&self, config: &DeviceConfig) -> anyhow::Result<String> {
        let aspects: Vec<Aspect> =
            self.aspect.iter().map(|name| name.parse()).collect::<Result<_, _>>().map_err(usage)?;
        let has = |device: &Device, aspect: Aspect| {
            APIS.into_iter().any(|api| device.for_api(api).has_aspect(aspect) == Some(true))
        };
        let has_all = |device: &&Device| aspects.iter().all(|aspect| has(device, *aspect));
        let devices: Vec<&Device> = config.iter().filter(has_all).collect();
        let width = devices.iter().map(|device| device.name().len()).max().unwrap_or(0);
        let products: Vec<String> = devices.iter().map(|device| best_known(device)).collect();
        let width_of_products = products.iter().map(String::len).max().unwrap_or(0);
        let columns = terminal::width();
        let mut text = String::new();
        for (device, products) in devices.iter().zip(products) {
            let aspects = aspects_of(device);
            let mut aspects: Vec<String> = aspects.iter().map(Aspect::to_string).collect();
            aspects.sort();
            let (name, category) = (device.name(), device.category().unwrap_or("-"));
            let aspects = aspects.join(" ");
            let products = match width_of_products {
                0 => String::new(),
                width => format!("{products:width$}  "),
            };
            let line = format!("{name:width$}  {category:3}  {products}{aspects}");
            writeln!(text, "{}", terminal::cut(line, columns))?;
        }
        Ok(text)
    }

    fn show(&self, config: &DeviceConfig) -> anyhow::Result<String> {
        let mut texts = Vec::new();
        for name in &self.names {
            let devices = config.select(name).map_err(device_error)?;
            texts.extend(devices.iter().map(|device| spirv_if_inspect::describe(device, &terminal::style())));
        }
        Ok(texts.join("\n"))
    }
}

/// Returns the aspects that a device has under some API.
fn aspects_of(device: &Device) -> BTreeSet<Aspect> {
    let of_api = |api: Api| device.for_api(api).aspects().unwrap_or_default();
    APIS.into_iter().flat_map(of_api).collect()
}

/// Returns two products that are the device.
fn best_known(device: &Device) -> String {
    device.products().take(2).collect::<Vec<_>>().join(", ")
}

/// Returns the macros of a device, as compiler options.
fn defines(device: &Device) -> String {
    let options: Vec<String> = device.macros().iter().map(|name| format!("-D{name}=1")).collect();
    options.join(" ") + "\n"
}

/// A device configuration without devices: an empty file is not a mapping.
const NOTHING: &str = "{}\n";

/// Returns a text without line breaks of YAML, for a comment. Names of drivers and files may contain any character.
fn one_line(text: &str) -> String {
    let is_break = |letter: char| letter.is_control() || ['\u{2028}', '\u{2029}'].contains(&letter);
    text.chars().map(|letter| if is_break(letter) { ' ' } else { letter }).collect()
}
