//! Which device a command is about.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use spirv_if::condition::Leaf;
use spirv_if::device::reports::VulkanReport;
use spirv_if::device::{Device, DeviceConfig, DeviceError, DeviceParts, tell_apart};

use super::{io, usage};

/// What stands before the name of an architecture in the place of a device.
const ARCHITECTURE: &str = "arch:";
/// What stands before the number or name of a device that a driver of this machine tells of.
const PROBE: &str = "probe:";

/// The devices that a command is about. What is said of none is one that nothing is known of. Stands last in an
/// options struct: what came after it would be under its heading.
#[derive(Args, Debug)]
#[command(next_help_heading = "Device")]
pub struct DeviceArgs {
    /// A device of the device configuration (`spirv-if devices` lists them), or a glob of names such as `intel_gpu_*`;
    /// `arch:NAME` is any device of an architecture, of which nothing else is known; `probe:NUMBER`, or `probe:` and a name or a
    /// glob, is one that the drivers of this machine tell of, as `spirv-if devices probe` lists them; `FILE.json` is what
    /// `spirv-if devices import` reads. May be given several times
    #[arg(long, value_name = "NAME")]
    device: Vec<String>,
    #[command(flatten)]
    config: ConfigArg,
    /// Category in the device registry, such as `gpu`
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    category: Option<String>,
    /// Family in the device registry, within the category, such as `intel`
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    family: Option<String>,
    /// Architecture, such as `intel_gpu_pvc`, or one of the device registry within the family
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    architecture: Option<String>,
    /// Instruction set in the device registry, such as `x86_64`
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    target: Option<String>,
    /// All optional parts of the instruction set that the device has, such as `avx,avx2`
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    features: Option<String>,
    /// All SPIR-V capabilities that the device supports; those that these or its aspects imply can be left out
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    capabilities: Option<String>,
    /// All aspects that the device has, such as `gpu,fp16`
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    aspects: Option<String>,
    /// SPIR-V extensions that the device takes besides those that it lists, such as `SPV_KHR_expect_assume,SPV_INTEL_*`, or
    /// `*` for all, with the capabilities that they bring
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    extensions: Option<String>,
}

/// The device configuration.
#[derive(Args, Debug)]
pub struct ConfigArg {
    /// A device configuration file to use instead of the one in the program
    #[arg(long, alias = "device-config-file", value_name = "FILE", help_heading = "Device")]
    device_config: Option<PathBuf>,
}

impl ConfigArg {
    /// The configuration that the user named.
    pub fn read(&self) -> anyhow::Result<Option<DeviceConfig>> {
        let Some(path) = &self.device_config else { return Ok(None) };
        let name = path.display().to_string();
        Ok(Some(DeviceConfig::from_yaml(&name, &io::read_text(path)?)?))
    }
}

impl ConfigArg {
    /// The configuration that the user named, or else the one in the program.
    pub fn read_or_embedded(&self) -> anyhow::Result<DeviceConfig> {
        Ok(self.read()?.map_or_else(DeviceConfig::embedded, Ok)?)
    }
}

impl DeviceArgs {
    /// The devices: one for each `--device`, with whatever the other options add; without `--device`, the one that the
    /// other options describe; none if there are no options.
    ///
    /// # Errors
    /// Where the configuration is malformed; as wrong usage, where options name what does not exist or contradict.
    pub fn devices(&self) -> anyhow::Result<Vec<Device>> {
        let config = self.config.read()?;
        let described = DeviceParts {
            device: None,
            category: self.category.clone(),
            family: self.family.clone(),
            architecture: self.architecture.clone(),
            target: self.target.clone(),
            features: self.features.clone(),
            capabilities: self.capabilities.clone(),
            aspects: self.aspects.clone(),
            extensions: self.extensions.clone(),
        };
        let mut parts: Vec<(DeviceParts, Option<DeviceConfig>)> = Vec::new();
        for name in &self.device {
            let elsewhere = elsewhere(name)?;
            let (name, config) = match &elsewhere {
                Some((name, elsewhere)) => (name.as_str(), Some(elsewhere)),
                None => (name.as_str(), config.as_ref()),
            };
            let named = named(name, &described, config)?;
            parts.extend(named.into_iter().map(|parts| (parts, config.cloned())));
        }
        if self.device.is_empty() && described != DeviceParts::default() {
            parts.push((described, None));
        }
        let mut devices: Vec<Device> = Vec::new();
        for (parts, config) in parts {
            let mut device = Device::from_parts(&parts, config.as_ref()).map_err(device_error)?;
            if !self.device.is_empty() && device.name.is_empty() {
                device.name = parts.architecture.unwrap_or_default();
            }
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
        // Of the same name, but of several files.
        tell_apart(&mut devices);
        Ok(devices)
    }
}

/// The devices that do not come from the configuration, if a name on the command line is about such, and what it names among them.
pub fn elsewhere(name: &str) -> anyhow::Result<Option<(String, DeviceConfig)>> {
    if let Some(name) = name.strip_prefix(PROBE) {
        #[cfg(feature = "probe")]
        return super::devices::probed(name).map(Some);
        #[cfg(not(feature = "probe"))]
        return Err(usage(format!(
            "no device `probe:{name}`: this program was built without asking drivers"
        )));
    }
    let file = Path::new(name);
    if file.extension().is_none_or(|extension| extension != "json") {
        return Ok(None);
    }
    let mut devices: Vec<Device> =
        super::devices::read(file, None)?.iter().map(VulkanReport::device).collect();
    if devices.is_empty() {
        return Err(usage(format!("no device `{name}`: the file has no profiles")));
    }
    tell_apart(&mut devices);
    Ok(Some(("*".to_owned(), DeviceConfig::new(name, devices))))
}

/// The devices that a name on the command line means, with what else is said of them.
fn named(
    name: &str,
    described: &DeviceParts,
    config: Option<&DeviceConfig>,
) -> anyhow::Result<Vec<DeviceParts>> {
    let device = |name: &str| DeviceParts { device: Some(name.to_owned()), ..described.clone() };
    let matching = |config: &DeviceConfig| -> anyhow::Result<Vec<DeviceParts>> {
        let matching = config.matching(name).map_err(device_error)?;
        Ok(matching.into_iter().map(|found| device(&found.name)).collect())
    };
    match name.strip_prefix(ARCHITECTURE) {
        Some(_) if described.architecture.is_some() => {
            Err(usage(format!("--architecture and `{name}` both name an architecture")))
        }
        Some(name) => Ok(vec![DeviceParts { architecture: Some(name.to_owned()), ..described.clone() }]),
        None if name.contains(['*', '?']) => match config {
            Some(config) => matching(config),
            None => matching(&DeviceConfig::embedded()?),
        },
        None => Ok(vec![device(name)]),
    }
}

/// Only a malformed file is not the command line's fault.
pub fn device_error(error: DeviceError) -> anyhow::Error {
    match error {
        DeviceError::Config { .. } => error.into(),
        _ => usage(error),
    }
}

/// Items in groups that get the same code, since the devices of all in one answer the same to what is asked of them; each alone, if
/// more may be asked.
pub fn alike<I>(
    asked: Option<&BTreeSet<Leaf>>,
    items: impl IntoIterator<Item = I>,
    device: impl Fn(&I) -> &Device,
) -> Vec<Vec<I>> {
    let mut groups: Vec<(Vec<Option<bool>>, Vec<I>)> = Vec::new();
    for item in items {
        let answers = |asked: &BTreeSet<Leaf>| asked.iter().map(|&leaf| device(&item).truth(leaf)).collect();
        let answers: Vec<Option<bool>> = asked.map(answers).unwrap_or_default();
        match groups.iter_mut().find(|(of_group, _)| asked.is_some() && *of_group == answers) {
            Some((_, group)) => group.push(item),
            None => groups.push((answers, vec![item])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// What messages call a device.
pub fn label(device: &Device) -> &str {
    if device.name.is_empty() { "the described device" } else { &device.name }
}
