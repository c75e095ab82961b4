//! Asks the drivers of this machine what their devices take.
//!
//! An application that has a device in its hands asks about that one: [`opencl`], [`vulkan`]. [`devices`] finds all of them. The
//! libraries through which drivers are found are opened at run time, and need not be there.

mod opencl;
#[expect(unsafe_code, reason = "Vulkan's functions fill structures behind pointers")]
mod vulkan;

pub use opencl::{opencl, report as opencl_report};
pub use vulkan::{report as vulkan_report, vulkan};

use super::Device;
use super::api::Api;

/// What went wrong in asking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The library through which the drivers of an API are found is not there.
    #[error("found no {api} loader on this machine ({message})")]
    NoLoader {
        /// The API.
        api: Api,
        /// What the system says.
        message: String,
    },
    /// There is a loader, but no driver for it.
    #[error("found no {0} driver on this machine")]
    NoDriver(Api),
    /// A driver or the loader refused.
    #[error("{api}: {call} failed: {message}")]
    Failed {
        /// The API.
        api: Api,
        /// The function.
        call: &'static str,
        /// What it says.
        message: String,
    },
}

/// A device that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Probed {
    /// The API through which it was asked.
    pub api: Api,
    /// What the driver calls the device and itself, on one line.
    pub description: String,
    /// What it takes. Its name begins with the API's, and no other device that was found has it.
    pub device: Device,
}

/// What was found on this machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The devices, those of OpenCL first, in the order in which the drivers list them.
    pub devices: Vec<Probed>,
    /// What could not be asked.
    pub errors: Vec<ProbeError>,
}

/// All devices of this machine, as the drivers of these APIs tell of them.
///
/// ```no_run
/// use spirv_if::device::{api::Api, probe};
/// for found in probe::devices(&Api::ALL).devices {
///     println!("# {}\n{}", found.description, found.device.to_yaml());
/// }
/// ```
pub fn devices(apis: &[Api]) -> Found {
    let mut found = Found::default();
    for api in [Api::OpenCl, Api::Vulkan].into_iter().filter(|api| apis.contains(api)) {
        let devices = match api {
            Api::OpenCl => opencl::devices(&mut found.errors),
            Api::Vulkan => vulkan::devices(),
        };
        match devices {
            Ok(devices) => found.devices.extend(devices),
            Err(error) => found.errors.push(error),
        }
    }
    tell_apart(&mut found.devices);
    found
}

/// Numbers devices of one name.
fn tell_apart(devices: &mut [Probed]) {
    for index in 0..devices.len() {
        let (before, rest) = devices.split_at_mut(index);
        let name = rest[0].device.name.clone();
        let is_taken = |name: &str| before.iter().any(|other| other.device.name == name);
        let mut number = 2;
        while is_taken(&rest[0].device.name) {
            rest[0].device.name = format!("{name}_{number}");
            number += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_of_one_name_are_numbered() {
        let probed = |name: &str| Probed {
            api: Api::Vulkan,
            description: String::new(),
            device: Device { name: name.to_owned(), ..Device::default() },
        };
        let mut devices = ["a", "b", "a", "a_2", "a"].map(probed);
        tell_apart(&mut devices);
        let names: Vec<&str> = devices.iter().map(|probed| probed.device.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "a_2", "a_2_2", "a_3"]);
    }
}
