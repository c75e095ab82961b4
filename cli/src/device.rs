//! The devices of a command.

use std::path::{Path, PathBuf};

use clap::Args;
use spirv_if::device::{DeviceConfig, DeviceError, DeviceParts, DeviceReport};
use spirv_if::{Device, Error};

use super::{io, usage};

/// The prefix of the number or name of a device that a driver of this machine reports.
const PROBE: &str = "probe:";

/// The devices of a command. It is the last field of an options struct: options after it would be under its heading.
#[derive(Args, Debug)]
#[command(next_help_heading = "Device")]
pub struct DeviceArgs {
    /// A device of the device configuration (`spirv-if devices` lists them), or a glob of names such as `intel_gpu_*`; modes of a processor of
    /// AMD follow its name: `gfx90a:xnack+:sramecc-`;
    /// `arch:NAME` for any device of an architecture; `probe:NUMBER`, or `probe:` and a name or a
    /// glob, for a device of this machine, as `spirv-if devices probe` lists them; `FILE.json` for a file that
    /// `spirv-if devices import` reads. A list, or given several times, for several devices
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
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
    /// All SPIR-V capabilities that the device supports; those implied by these or by its aspects can be omitted
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    capabilities: Option<String>,
    /// All aspects that the device has, such as `gpu,fp16`
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    aspects: Option<String>,
    /// Further SPIR-V extensions that the device accepts, with their capabilities, such as `SPV_KHR_expect_assume,SPV_INTEL_*`, or
    /// `*` for all
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    extensions: Option<String>,
    /// Features of providers that the device has, such as `amdgpu:gfx12-insts`. `!` before a name means that the device does not have the
    /// feature; `!amdgpu:*` means that it has no others of this provider
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    provider_features: Option<String>,
    /// Numbers of the device, such as `subgroup_size=32,max_shared_memory=49152`. A size of sub-groups that the host chooses for pipelines
    /// is given in this way, too
    #[arg(long, value_name = "LIST", hide_short_help = true)]
    limits: Option<String>,
    /// Driver for one API, and its version, such as `qualcomm 512.744` or `rusticl 26.2.6`
    #[arg(long, value_name = "NAME [VERSION]", hide_short_help = true)]
    driver: Option<String>,
}

/// The device configuration.
#[derive(Args, Debug)]
pub struct ConfigArg {
    /// A device configuration file to use instead of the one in the program
    #[arg(long, alias = "device-config-file", value_name = "FILE", help_heading = "Device")]
    device_config: Option<PathBuf>,
}

impl ConfigArg {
    /// Returns the configuration that the user named.
    pub fn read(&self) -> anyhow::Result<Option<DeviceConfig>> {
        let Some(path) = &self.device_config else { return Ok(None) };
        let name = path.display().to_string();
        Ok(Some(DeviceConfig::from_yaml(&name, &io::read_text(path)?)?))
    }
}

impl ConfigArg {
    /// Returns the configuration that the user named, or else the one in the program.
    pub fn read_or_embedded(&self) -> anyhow::Result<DeviceConfig> {
        Ok(self.read()?.map_or_else(DeviceConfig::embedded, Ok)?)
    }
}

/// Sets a part of a description.
type SetPart = fn(DeviceParts, String) -> DeviceParts;

impl DeviceArgs {
    /// Returns one device for each `--device`, to which the other options add. Without `--device`, the other options describe one device.
    /// Without any option, returns none.
    ///
    /// # Errors
    /// If the configuration is malformed. Unknown names and contradicting options are wrong usage.
    pub fn devices(&self) -> anyhow::Result<Vec<Device>> {
        let config = self.config.read()?;
        let described = self.described();
        let mut devices: Vec<Device> = Vec::new();
        for name in self.device.iter().map(|name| name.trim()) {
            let elsewhere = elsewhere(name, &self.device)?;
            let (name, config) = match &elsewhere {
                Some((name, elsewhere)) => (&**name, Some(elsewhere)),
                None => (name, config.as_ref()),
            };
            for device in described.clone().device(name).to_devices(config).map_err(device_error)? {
                if !devices.contains(&device) {
                    devices.push(device);
                }
            }
        }
        if self.device.is_empty() && described != DeviceParts::new() {
            devices = described.to_devices(None).map_err(device_error)?;
        }
        // Of the same name, but of several files.
        Ok(DeviceConfig::new("the command line", devices).into_iter().collect())
    }

    /// Returns the device that the options describe, without a name.
    fn described(&self) -> DeviceParts {
        let options: [(&Option<String>, SetPart); 11] = [
            (&self.category, DeviceParts::category),
            (&self.family, DeviceParts::family),
            (&self.architecture, DeviceParts::architecture),
            (&self.target, DeviceParts::target),
            (&self.features, DeviceParts::features),
            (&self.capabilities, DeviceParts::capabilities),
            (&self.aspects, DeviceParts::aspects),
            (&self.extensions, DeviceParts::extensions),
            (&self.provider_features, DeviceParts::provider_features),
            (&self.limits, DeviceParts::limits),
            (&self.driver, DeviceParts::driver),
        ];
        let options = options.into_iter().filter_map(|(value, set)| Some((value.clone()?, set)));
        options.fold(DeviceParts::new(), |parts, (value, set)| set(parts, value))
    }
}

/// Returns true if a name does not refer to the configuration.
pub fn is_elsewhere(name: &str) -> bool {
    name.starts_with(PROBE) || is_file(name)
}

/// Returns true if a name is that of a file that `spirv-if devices import` reads.
fn is_file(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "json")
}

/// Returns the devices of a name that does not refer to the configuration, and the name or glob that selects among them. The profiles of a file
/// may build on those of other files among `names`.
fn elsewhere(name: &str, names: &[String]) -> anyhow::Result<Option<(String, DeviceConfig)>> {
    if let Some(name) = name.strip_prefix(PROBE) {
        return super::drivers::probed(name).map(Some);
    }
    if !is_elsewhere(name) {
        return Ok(None);
    }
    let others = names.iter().map(|other| other.trim()).filter(|&other| other != name && is_file(other));
    let files: Vec<&Path> = std::iter::once(name).chain(others).map(Path::new).collect();
    let reports = read_reports(&files, None)?.swap_remove(0);
    if reports.is_empty() {
        return Err(usage(format!("no device `{name}`: the file has no profiles")));
    }
    let devices = reports.into_iter().map(|report| report.device).collect();
    Ok(Some(("*".to_owned(), DeviceConfig::new(name, devices))))
}

/// Returns the devices of several names: globs of the configuration, files, and those of this machine, each once.
///
/// # Errors
/// If a file cannot be understood; as wrong usage, where a device does not exist.
pub fn all_of(names: &[String], config: &DeviceConfig) -> anyhow::Result<Vec<Device>> {
    let mut devices: Vec<Device> = Vec::new();
    for name in names.iter().map(|name| name.trim()) {
        let elsewhere = elsewhere(name, names)?;
        let (name, config) = match &elsewhere {
            Some((name, elsewhere)) => (&**name, elsewhere),
            None => (name, config),
        };
        for device in config.select(name).map_err(device_error)? {
            if !devices.contains(&device) {
                devices.push(device);
            }
        }
    }
    Ok(devices)
}

/// Reads the devices that files of other tools describe, by file.
///
/// # Errors
/// If a file is malformed. A missing profile is wrong usage.
pub fn read_reports(
    files: &[impl AsRef<Path>],
    profile: Option<&str>,
) -> anyhow::Result<Vec<Vec<DeviceReport>>> {
    let read = |file: &Path| anyhow::Ok((file.display().to_string(), io::read_text(file)?));
    let texts = files.iter().map(|file| read(file.as_ref())).collect::<anyhow::Result<Vec<_>>>()?;
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
    DeviceReport::from_json_files(&texts, profile).map_err(|error| match error {
        Error::Request(_) => usage(error),
        _ => error.into(),
    })
}

/// Returns a wrong usage, unless a file is malformed.
pub fn device_error(error: DeviceError) -> anyhow::Error {
    match &error {
        DeviceError::Config { .. } => error.into(),
        DeviceError::UnknownName { what: "device", nearest, .. } if nearest.is_empty() => {
            usage(format!("{error}: `spirv-if devices` lists them"))
        }
        _ => usage(error),
    }
}

/// Returns the name of a device in messages.
pub fn label(device: &Device) -> &str {
    if device.name().is_empty() { "the described device" } else { device.name() }
}
