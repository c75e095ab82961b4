//! The devices that the drivers of this machine report.

use std::sync::OnceLock;
use std::time::Duration;

use spirv_if::device::{Api, DeviceConfig, DeviceReport};
use spirv_if_probe::{ProbeError, Probed};

use super::terminal::Progress;
use super::usage;

/// The time limit for drivers. The slowest known driver starts a compiler, which takes seconds.
const LIMIT: Duration = Duration::from_secs(60);

/// The APIs whose drivers can be probed, in the order of their devices.
pub const APIS: [Api; 2] = [Api::OpenCl, Api::Vulkan];

/// Probes the drivers of these APIs, each API once. A driver that hangs does not affect the other API.
pub fn ask(apis: &[Api]) -> (Vec<DeviceReport>, Vec<ProbeError>) {
    static PROBED: [OnceLock<Probed>; 2] = [OnceLock::new(), OnceLock::new()];
    let (mut devices, mut errors) = (Vec::new(), Vec::new());
    let _progress = Progress::new("asking drivers", None);
    for (api, known) in APIS.into_iter().zip(&PROBED).filter(|(api, _)| apis.contains(api)) {
        let of_api = known.get_or_init(|| spirv_if_probe::probe(api, LIMIT));
        devices.extend_from_slice(&of_api.devices);
        errors.extend_from_slice(&of_api.errors);
    }
    (devices, errors)
}

/// Returns the APIs that may have a device with this name, or matching this glob: names begin with the API's. A number may be any API's.
fn may_have(name: &str) -> Vec<Api> {
    let start = name.split(['*', '?']).next().unwrap_or_default();
    let is_glob = start.len() < name.len();
    let fits = |api: &Api| {
        let prefix = format!("{}_", api.keyword());
        start.starts_with(&prefix) || is_glob && prefix.starts_with(start)
    };
    let apis: Vec<Api> = APIS.into_iter().filter(fits).collect();
    if apis.is_empty() { APIS.to_vec() } else { apis }
}

/// Returns the devices of this machine, and the name of the device with this number. Only drivers that may have it are
/// probed.
///
/// # Errors
/// As wrong usage, where none has this number or name, or there is none at all.
pub fn probed(name: &str) -> anyhow::Result<(String, DeviceConfig)> {
    let asked = may_have(name);
    let (devices, errors) = ask(&asked);
    let at = name.parse::<usize>();
    // A number counts OpenCL's devices first.
    let silent = errors.iter().find(|error| matches!(error, ProbeError::Silent(_)));
    if let (Ok(_), Some(error)) = (&at, silent) {
        return Err(usage(format!(
            "no device `probe:{name}`: {error}; use a name instead of a number for the other devices"
        )));
    }
    let errors: Vec<String> = errors.iter().map(ProbeError::to_string).collect();
    if devices.is_empty() {
        return Err(usage(format!("no device `probe:{name}`: {}", errors.join("; "))));
    }
    let names: Vec<&str> = devices.iter().map(|probed| probed.device.name()).collect();
    let config =
        DeviceConfig::new("this machine", devices.iter().map(|probed| probed.device.clone()).collect());
    let named = at.map_or(Some(name), |at| names.get(at).copied());
    match named.filter(|name| config.matching(name).is_ok()) {
        Some(name) => Ok((name.to_owned(), config)),
        None => {
            let listed = |(at, name): (usize, &&str)| match asked[..] == APIS {
                true => format!("probe:{at} is {name}"),
                false => format!("there is probe:{name}"),
            };
            let all: Vec<String> = names.iter().enumerate().map(listed).collect();
            let errors = if errors.is_empty() { String::new() } else { format!(" ({})", errors.join("; ")) };
            Err(usage(format!(
                "the drivers of this machine report no device `probe:{name}`{errors}; {}",
                all.join(", ")
            )))
        }
    }
}

/// Returns the number of a device among those of Vulkan's drivers. `name` is its number or its name among all devices.
///
/// # Errors
/// As wrong usage, where no device of Vulkan, or more than one, has this number or name.
pub fn vulkan_number(name: &str) -> anyhow::Result<usize> {
    let (name, config) = probed(name)?;
    let (vulkan, _) = ask(&[Api::Vulkan]);
    let named: Vec<usize> = config
        .matching(&name)?
        .into_iter()
        .filter_map(|device| vulkan.iter().position(|report| report.device == *device))
        .collect();
    match named[..] {
        [number] => Ok(number),
        [] => Err(usage(format!("`{name}` is no device of Vulkan: give one, such as `probe:vulkan_*`"))),
        _ => Err(usage(format!("`{name}` means {} devices: give the name of one", named.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select_the_drivers_to_probe() {
        let only = |name: &str| may_have(name).iter().map(|api| api.keyword()).collect::<Vec<_>>().join(" ");
        assert_eq!(only("vulkan_*"), "vulkan");
        assert_eq!(only("vulkan_llvmpipe"), "vulkan");
        assert_eq!(only("vul*"), "vulkan");
        assert_eq!(only("opencl_?"), "opencl");
        for both in ["*", "*_gpu", "0", "llvmpipe", "vulkan"] {
            assert_eq!(only(both), "opencl vulkan", "{both}");
        }
    }
}
