//! `spirv-if devices`.

use std::collections::BTreeSet;
use std::fmt::Write;

use clap::{Args, Subcommand};
use spirv_if::device::registry::List;
use spirv_if::device::{Device, DeviceConfig, Table, architectures};

use super::device::{ConfigArg, device_error};
use super::io;
use super::log::Log;
use super::{terminal, usage};

mod import;
#[cfg(feature = "probe")]
mod probe;

pub use import::read;
#[cfg(feature = "probe")]
pub use probe::probed;

/// List the devices that the program knows, or show some in full
///
/// The list has a line per device: name, category, aspects. On a terminal, lines
/// are cut to its width.
///
/// Examples:
///
///   All devices, or those with double precision and 64-bit atomics:
///     spirv-if devices
///     spirv-if devices --aspect fp64 --aspect atomic64
///
///   Everything about two of them:
///     spirv-if devices intel_gpu_pvc intel_gpu_12_60_7
///
///   What the drivers of this machine can do, and a device of its own for them:
///     spirv-if devices probe
///     spirv-if devices probe > devices.yaml
///
///   Does this device configuration file say what it should?
///     spirv-if devices --device-config devices.yaml
///
///   Compile C++ with spirv_if/device_if.hpp for one device:
///     clang $(spirv-if devices intel_gpu_pvc --defines) ...
///
/// Exit status: 0 done, 1 the configuration cannot be read, 2 a name is not known.
#[derive(Args, Debug)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true)]
pub struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// The devices to show in full
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// List only devices that have this aspect; may be given several times
    #[arg(long, value_name = "ASPECT", conflicts_with = "names")]
    aspect: Vec<String>,
    /// Print instead the -D options by which a C++ compiler decides the conditions of
    /// spirv_if/device_if.hpp for the one device
    #[arg(long, requires = "names")]
    defines: bool,
    #[command(flatten)]
    config: ConfigArg,
}

#[derive(Subcommand, Debug)]
enum Command {
    Import(import::Options),
    #[cfg(feature = "probe")]
    Probe(probe::Options),
}

impl Options {
    pub fn run(self, log: &mut Log) -> anyhow::Result<()> {
        match self.command {
            Some(Command::Import(options)) => return options.run(log),
            #[cfg(feature = "probe")]
            Some(Command::Probe(options)) => return options.run(log),
            None => {}
        }
        let config = self.config.read_or_embedded()?;
        let text = match &self.names[..] {
            [] => self.list(&config)?,
            [name] if self.defines => defines(config.get(name).map_err(device_error)?),
            _ if self.defines => {
                return Err(usage(anyhow::anyhow!(
                    "--defines takes one device: code is compiled for each by itself"
                )));
            }
            _ => self.show(&config)?,
        };
        io::print(text.as_bytes())
    }

    fn list(&self, config: &DeviceConfig) -> anyhow::Result<String> {
        let aspects: Vec<u32> = self
            .aspect
            .iter()
            .map(|name| Table::Aspects.parse(name))
            .collect::<Result<_, _>>()
            .map_err(usage)?;
        let has_all =
            |device: &&Device| aspects.iter().all(|aspect| device.has_aspect(*aspect) == Some(true));
        let devices: Vec<&Device> = config.iter().filter(has_all).collect();
        let width = devices.iter().map(|device| device.name.len()).max().unwrap_or(0);
        let columns = terminal::width();
        let mut text = String::new();
        for device in devices {
            let aspects = names(Table::Aspects, device.aspects.iter().flatten()).join(" ");
            let line = format!("{:width$}  {:3}  {aspects}", device.name, category(device).unwrap_or("-"));
            writeln!(text, "{}", terminal::cut(line, columns))?;
        }
        Ok(text)
    }

    fn show(&self, config: &DeviceConfig) -> anyhow::Result<String> {
        let mut text = String::new();
        for name in &self.names {
            let device = config.get(name).map_err(device_error)?;
            if !text.is_empty() {
                text.push('\n');
            }
            describe(device, &mut text)?;
        }
        Ok(text)
    }
}

/// What DPC++'s driver defines for a target, as options: the target, and what the devices have (seed device_if, "Compiler driver
/// macro predefines"; DPC++'s design of `any_device_has`). An aspect without a name has no macro, and its conditions stay.
fn defines(device: &Device) -> String {
    let architecture = device.architecture.and_then(architectures::by_value);
    let target = architecture.and_then(|architecture| architecture.target_macros().into_iter().next());
    let mut macros = vec![target.unwrap_or_else(|| "SPIRV_IF_TARGET".to_owned())];
    for name in device.aspects.iter().flatten().filter_map(|aspect| Table::Aspects.name(*aspect)) {
        macros.push(format!("__SYCL_ALL_DEVICES_HAVE_{name}__"));
        macros.push(format!("__SYCL_ANY_DEVICE_HAS_{name}__"));
    }
    let options: Vec<String> = macros.iter().map(|name| format!("-D{name}=1")).collect();
    options.join(" ") + "\n"
}

/// By the device registry; a device that is not in it has the category as an aspect.
fn category(device: &Device) -> Option<&'static str> {
    let has_aspect =
        |name: &&str| Table::Aspects.number(name).and_then(|aspect| device.has_aspect(aspect)) == Some(true);
    match device.category {
        Some(category) => Table::Registry(List::Categories).name(category),
        None => List::Categories.names().find(has_aspect),
    }
}

/// The names of numbers, and numbers without names as they are.
fn names<'a>(table: Table, numbers: impl IntoIterator<Item = &'a u32>) -> Vec<String> {
    let name = |number: &u32| table.name(*number).map_or_else(|| number.to_string(), str::to_owned);
    let mut names: Vec<String> = numbers.into_iter().map(name).collect();
    names.sort();
    names
}

/// A device configuration without devices: an empty file is not a mapping.
const NOTHING: &str = "{}\n";

/// A text as it may stand in a comment: what drivers and files are called may hold anything, and YAML ends a line at more than a line
/// feed.
fn one_line(text: &str) -> String {
    let is_break = |letter: char| letter.is_control() || ['\u{2028}', '\u{2029}'].contains(&letter);
    text.chars().map(|letter| if is_break(letter) { ' ' } else { letter }).collect()
}

fn describe(device: &Device, text: &mut String) -> std::fmt::Result {
    writeln!(text, "{}", device.name)?;
    let architecture = device.architecture.and_then(architectures::by_value);
    let list = |numbers: Option<&BTreeSet<u32>>, table| names(table, numbers.into_iter().flatten());
    let numbers = |numbers: &[u32]| numbers.iter().map(u32::to_string).collect();
    let one = |value: Option<String>| value.into_iter().collect();
    let rows: [(&str, Vec<String>); 12] = [
        (
            "architecture",
            one(architecture
                .map(|architecture| format!("{} (number {})", architecture.name, architecture.value))),
        ),
        (
            "other names",
            architecture
                .map(|architecture| architectures::aliases(architecture.name))
                .into_iter()
                .flatten()
                .filter(|alias| *alias != device.name)
                .map(str::to_owned)
                .collect(),
        ),
        ("registry", one(registry(device))),
        (
            "target",
            one(device.target.map(|target| names(Table::Registry(List::Targets), [&target]).join(""))),
        ),
        (
            "features",
            device
                .target
                .map(|target| list(device.features.as_ref(), Table::Registry(List::Features { target })))
                .unwrap_or_default(),
        ),
        ("sub-groups", numbers(&device.sub_group_sizes)),
        ("work-group", one(device.max_work_group_size.map(|size| format!("up to {size} work-items")))),
        ("aspects", list(device.aspects.as_ref(), Table::Aspects)),
        ("capabilities", list(device.capabilities.as_ref(), Table::Capabilities)),
        ("extensions", device.extensions.iter().flatten().cloned().collect()),
        (
            "SPIR-V",
            device.spirv_versions.iter().flatten().map(|(major, minor)| format!("{major}.{minor}")).collect(),
        ),
        ("note", one(device.may_support_more.then(|| "newer devices of this name may have more".to_owned()))),
    ];
    for (title, items) in rows.iter().filter(|(_, items)| !items.is_empty()) {
        terminal::fill(text, &format!("  {title:<13} "), items, " ");
    }
    Ok(())
}

/// Category, family and architecture in the device registry, by name and number.
fn registry(device: &Device) -> Option<String> {
    let (category, family, architecture) = (device.category?, device.family?, device.registry_architecture?);
    let name = |list, number| Table::Registry(list).name(number).unwrap_or("-");
    Some(format!(
        "{category} {family} {architecture} ({}, {}, {})",
        name(List::Categories, category),
        name(List::Families { category }, family),
        name(List::Architectures { category, family }, architecture),
    ))
}
