//! The targets of images.

use super::{ANY_DEVICE, Device, DeviceConfig, DeviceError};

/// The target of an image: one device, or any.
///
/// ```
/// use spirv_if::{DeviceConfig, Target};
/// let targets = Target::named(["spir64", "intel_gpu_pvc*"], &DeviceConfig::embedded()?)?;
/// let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
/// assert_eq!(names, ["spir64", "intel_gpu_pvc", "intel_gpu_pvc_vg"]);
/// assert!(targets[0].device.is_none());
/// assert!(targets[1].takes_images_for("spir64") && !targets[1].takes_images_for("intel_gpu_dg1"));
/// # Ok::<(), spirv_if::DeviceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// Its name: that of the device, or the name of compilers for any device, such as `spir64`.
    pub name: String,
    /// The device; none for any.
    pub device: Option<Device>,
}

impl Target {
    /// The targets that names mean, each once: `spir64` and its like any device, names and globs the devices of a configuration.
    ///
    /// # Errors
    /// If a name means none.
    pub fn named<'n>(
        names: impl IntoIterator<Item = &'n str>,
        devices: &DeviceConfig,
    ) -> Result<Vec<Target>, DeviceError> {
        let mut targets: Vec<Target> = Vec::new();
        for name in names.into_iter().map(str::trim) {
            let found = match ANY_DEVICE.contains(&name) {
                true => vec![Target { name: name.to_owned(), device: None }],
                false => {
                    devices.matching(name).map_err(unknown)?.into_iter().cloned().map(Target::from).collect()
                }
            };
            for target in found {
                let is_there = |other: &Target| match &target.device {
                    Some(_) => *other == target,
                    None => other.device.is_none(),
                };
                if !targets.iter().any(is_there) {
                    targets.push(target);
                }
            }
        }
        Ok(targets)
    }

    /// True if an image for the target of this name may run on it: the image is for any device, or for this target.
    pub fn takes_images_for(&self, name: &str) -> bool {
        ANY_DEVICE.contains(&name) || self.name == name
    }
}

impl From<Device> for Target {
    fn from(device: Device) -> Target {
        Target { name: device.name.clone(), device: Some(device) }
    }
}

impl Default for Target {
    /// Any device.
    fn default() -> Target {
        Target { name: ANY_DEVICE[0].to_owned(), device: None }
    }
}

/// The error for a name that is no target: it may be meant for any device.
fn unknown(error: DeviceError) -> DeviceError {
    match error {
        DeviceError::UnknownName { name, nearest, .. } => {
            let any = DeviceError::nearest(&name, ANY_DEVICE);
            let nearest = if any.is_empty() { nearest } else { any };
            DeviceError::UnknownName { what: "target", name, nearest }
        }
        error => error,
    }
}
