//! Queries the drivers of this machine for the features of their devices.
//!
//! An application that has a device queries that one: [`from_opencl`], [`from_vulkan`]. [`probe`] finds all of them. The libraries through which drivers are found are opened at run time, and may be missing.

#![cfg_attr(doctest, doc = include_str!("../README.md"))]

mod opencl;
#[cfg(feature = "statistics")]
pub mod statistics;
#[expect(unsafe_code, reason = "Vulkan's functions fill structures behind pointers")]
mod vulkan;

pub use opencl::{GetInfo, from_opencl, from_opencl_by};
pub use vulkan::{from_vulkan, from_vulkan_enabled, with_cooperative_matrices};

use std::sync::mpsc;
use std::time::Duration;

use spirv_if::device::{Api, Device, DeviceReport};
use spirv_if::engine::device::make_names_distinct;

/// Errors in querying drivers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// The library that finds the drivers of an API is missing.
    #[error("found no {api} loader on this machine ({message})")]
    NoLoader {
        /// The API.
        api: Api,
        /// The message of the system.
        message: String,
    },
    /// The loader is installed, but finds no driver.
    #[error("found no {0} driver on this machine")]
    NoDriver(Api),
    /// The driver has no device.
    #[error("{api}: the platform `{platform}` has no devices")]
    NoDevice {
        /// The API.
        api: Api,
        /// The name of the driver.
        platform: String,
    },
    /// An invalid version number of Vulkan.
    #[error(
        "invalid Vulkan version {0:#x}: expected the apiVersion of the VkApplicationInfo, such as VK_API_VERSION_1_2"
    )]
    Version(u32),
    /// No driver lists a device.
    #[error(
        "{0}: no driver that the loader of this machine finds lists this device; give a device that it lists, and not a sub-device"
    )]
    UnknownDevice(Api),
    /// A driver did not answer in time.
    #[error("the {0} drivers of this machine do not answer")]
    Silent(Api),
    /// A driver or the loader refused.
    #[error("{api}: {call} failed: {message}")]
    Failed {
        /// The API.
        api: Api,
        /// The function.
        call: &'static str,
        /// Message of the driver or the loader.
        message: String,
    },
}

/// The devices of this machine.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Probed {
    /// The devices, in the order in which the drivers list them, with distinct names.
    pub devices: Vec<DeviceReport>,
    /// The queries that failed.
    pub errors: Vec<ProbeError>,
}

/// Sets the instruction set of a processor, which is the one that this program runs on.
fn set_host_target(device: &mut Device) {
    device.set_processor_target(std::env::consts::ARCH);
}

fn devices(api: Api) -> Probed {
    let mut result = Probed::default();
    let devices = match api {
        Api::OpenCl => opencl::devices(&mut result.errors),
        Api::Vulkan => vulkan::devices(),
        other => Err(ProbeError::NoDriver(other)),
    };
    match devices {
        Ok(devices) => result.devices = devices,
        Err(error) => result.errors.push(error),
    }
    result.devices.iter_mut().for_each(|probed| set_host_target(&mut probed.device));
    make_names_distinct(result.devices.iter_mut().map(|probed| &mut probed.device));
    result
}

/// Returns the devices of this machine that the drivers of an API report, if they answer in time. A driver
/// that hangs leaves a thread behind that waits for it.
///
/// ```no_run
/// use spirv_if::device::Api;
/// use spirv_if_probe::probe;
/// for found in probe(Api::Vulkan, std::time::Duration::from_secs(60)).devices {
///     println!("# {}\n{}", found.description, found.device.to_yaml());
/// }
/// ```
pub fn probe(api: Api, limit: Duration) -> Probed {
    within(api, limit, move || devices(api))
}

fn within(api: Api, limit: Duration, ask: impl FnOnce() -> Probed + Send + 'static) -> Probed {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || sender.send(ask()));
    let silent = |_| Probed { devices: Vec::new(), errors: vec![ProbeError::Silent(api)] };
    receiver.recv_timeout(limit).unwrap_or_else(silent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_that_hang() {
        let hangs = || {
            std::thread::sleep(Duration::from_secs(600));
            Probed::default()
        };
        let result = within(Api::OpenCl, Duration::from_millis(20), hangs);
        assert_eq!(result.errors, [ProbeError::Silent(Api::OpenCl)]);
        let panics = || panic!("a driver's fault");
        assert_eq!(
            within(Api::Vulkan, Duration::from_secs(60), panics).errors,
            [ProbeError::Silent(Api::Vulkan)]
        );
        let answers = || Probed { errors: vec![ProbeError::NoDriver(Api::Vulkan)], ..Probed::default() };
        assert_eq!(within(Api::Vulkan, Duration::from_secs(60), answers), answers());
    }
}
