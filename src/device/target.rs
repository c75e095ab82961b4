//! Targets of images.

use super::facts::intersect;
use super::names::ANY_DEVICE;
use super::names::{devices_of_generic, is_generic_for};
use super::{Api, Device, DeviceConfig, DeviceError};

/// The compilers' target for all Intel GPUs. An option of the compiler behind them selects one GPU. It cannot
/// be combined with names of devices (docs/design/device-if.md, "Changes to compiler driver").
const SELECTED_LATER: &str = "spir64_gen";

/// Target of an image: one device, any device, or any of a kind.
///
/// ```
/// use spirv_if::device::{DeviceConfig, Target};
/// let targets = Target::named(["spir64", "intel_gpu_pvc*"], &DeviceConfig::embedded()?)?;
/// let names: Vec<&str> = targets.iter().map(|target| target.name.as_str()).collect();
/// assert_eq!(names, ["spir64", "intel_gpu_pvc", "intel_gpu_pvc_vg"]);
/// assert!(targets[0].device.is_none());
/// assert!(targets[1].takes_images_for("spir64") && !targets[1].takes_images_for("intel_gpu_dg1"));
/// # Ok::<(), spirv_if::device::DeviceError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Target {
    /// Name of the device, or the compilers' name for any device, such as `spir64`.
    pub name: String,
    /// The device; `None` for any. For a generic target, such as `ptx64`, it has the features common to all
    /// of its devices.
    pub device: Option<Device>,
}

impl Target {
    /// Makes the target that is one device.
    #[doc(hidden)]
    pub fn of_device(device: &Device) -> Target {
        Target { name: device.name().to_owned(), device: Some(device.clone()) }
    }

    /// Returns the targets with these names, or in these lists, each once. `spir64` and its synonyms are any device, `ptx64` and
    /// the like any device of a kind. Other names and globs are devices of a configuration.
    ///
    /// # Errors
    /// If a name is unknown, or `spir64_gen` is combined with devices.
    pub fn named<'n>(
        names: impl IntoIterator<Item = &'n str>,
        devices: &DeviceConfig,
    ) -> Result<Vec<Target>, DeviceError> {
        let mut targets: Vec<Target> = Vec::new();
        for name in names.into_iter().flat_map(|list| list.split(',')).map(str::trim) {
            let targets_of_name = match Target::of_several(name, devices)? {
                Some(target) => vec![target],
                None => devices.select(name).map_err(unknown)?.into_iter().map(Target::from).collect(),
            };
            for target in targets_of_name {
                let is_there = |other: &Target| match &target.device {
                    Some(_) => *other == target,
                    None => other.device.is_none(),
                };
                if !targets.iter().any(is_there) {
                    targets.push(target);
                }
            }
        }
        if targets.iter().any(|target| target.name == SELECTED_LATER)
            && let Some(other) = targets.iter().find(|target| target.name.contains("_gpu_"))
        {
            let (generic, device) = (SELECTED_LATER.to_owned(), other.name.clone());
            return Err(DeviceError::Mixed { generic, device });
        }
        Ok(targets)
    }

    /// Returns the target with a name that stands for several devices.
    fn of_several(name: &str, devices: &DeviceConfig) -> Result<Option<Target>, DeviceError> {
        if ANY_DEVICE.contains(&name) {
            return Ok(Some(Target { name: name.to_owned(), device: None }));
        }
        if devices_of_generic(name).is_none() || devices.get(name).is_ok() {
            return Ok(None);
        }
        Ok(Device::in_common(name, &devices.matching(name)?).map(Target::from))
    }

    /// Returns true if an image for the named target may run on this one: the image is for any device, for this
    /// target, or for its kind.
    pub fn takes_images_for(&self, name: &str) -> bool {
        ANY_DEVICE.contains(&name) || self.name == name || is_generic_for(name, &self.name)
    }
}

impl Device {
    /// Returns a device of no architecture with the features common to all of these; `None` if the list is
    /// empty.
    fn in_common(name: &str, devices: &[&Device]) -> Option<Device> {
        let (&first, others) = devices.split_first()?;
        let mut common = Device { architecture: None, registry_architecture: None, ..first.clone() };
        for other in others {
            common.set_facts(Api::ALL.map(|api| {
                let mut facts = common.for_api(api).facts.clone();
                facts.intersect(&other.for_api(api).facts);
                facts
            }));
            intersect(&mut common.features, &other.features);
            common.may_support_more |= other.may_support_more;
            common.category = common.category.filter(|value| Some(*value) == other.category);
            common.family = common.family.filter(|value| Some(*value) == other.family);
            common.driver = common.driver.filter(|value| Some(*value) == other.driver);
            common.target = common.target.filter(|value| Some(*value) == other.target);
        }
        common.name = name.to_owned().into();
        Some(common)
    }
}

impl From<Device> for Target {
    fn from(device: Device) -> Target {
        Target { name: device.name().to_owned(), device: Some(device) }
    }
}

impl Default for Target {
    /// Returns the target of any device.
    fn default() -> Target {
        Target { name: ANY_DEVICE[0].to_owned(), device: None }
    }
}

/// Returns the error for an unknown name, which may stand for any device in compilers.
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
