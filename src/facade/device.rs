//! Devices: what they have, and where descriptions of them come from.

use super::{Aspect, Error};
use crate::device::registry::List;
use crate::device::{Table, architectures, reports};
use crate::report::{self, TextStyle};

#[cfg(feature = "probe")]
pub use crate::device::probe::{ProbeError, Probed, probe};
pub use crate::device::{Device, DeviceConfig, DeviceError, DeviceParts, DeviceReport, Target, api::Api};

impl Device {
    /// The name of its entry in the device configuration; empty for a device without one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The name of its architecture.
    pub fn architecture(&self) -> Option<&'static str> {
        Some(architectures::by_value(self.architecture?)?.name)
    }

    /// What kind of device it is, such as `gpu`: by the device registry, or else by its aspects.
    pub fn category(&self) -> Option<&'static str> {
        let has_aspect = |name: &&str| {
            Table::Aspects.number(name).and_then(|aspect| self.has_aspect(aspect)) == Some(true)
        };
        match self.category {
            Some(category) => List::Categories.name(category),
            None => List::Categories.names().find(has_aspect),
        }
    }

    /// Its aspects, in the order of their numbers; None if they are not known.
    pub fn aspects(&self) -> Option<Vec<Aspect>> {
        Some(self.aspects.as_ref()?.iter().copied().map(Aspect).collect())
    }

    /// The versions of SPIR-V that it takes, major and minor; None if they are not known.
    pub fn spirv_versions(&self) -> Option<Vec<(u8, u8)>> {
        Some(self.spirv_versions.as_ref()?.iter().copied().collect())
    }

    /// The macros that DPC++'s driver defines for a target: the target itself, and what its devices have. By these a C++ compiler decides
    /// the conditions of `spirv_if/device_if.hpp` (seed device_if, "Compiler driver macro predefines"; DPC++'s design of
    /// `any_device_has`). An aspect without a name has no macro, and its conditions stay.
    pub fn macros(&self) -> Vec<String> {
        let architecture = self.architecture.and_then(architectures::by_value);
        let target = architecture.and_then(|architecture| architecture.target_macros().into_iter().next());
        let mut macros = vec![target.unwrap_or_else(|| "SPIRV_IF_TARGET".to_owned())];
        for name in self.aspects.iter().flatten().filter_map(|aspect| Table::Aspects.name(*aspect)) {
            macros.push(format!("__SYCL_ALL_DEVICES_HAVE_{name}__"));
            macros.push(format!("__SYCL_ANY_DEVICE_HAS_{name}__"));
        }
        macros
    }

    /// All that is known of it, for people.
    pub fn describe(&self, style: &TextStyle) -> String {
        report::device(self, style)
    }
}

impl DeviceReport {
    /// Reads what other tools write of Vulkan devices: Vulkan Profiles, `vulkaninfo --json` of today and of before 2022, and the reports of
    /// vulkan.gpuinfo.org. There is one for each profile, or for the one of the name; one if the file has no profiles. `source_name`
    /// is what errors call it.
    ///
    /// What a profile asks for is what every device has that it is for. Of alternatives it counts what all of them have.
    ///
    /// # Errors
    /// Where the text cannot be understood; [`Error::Request`] where it has no such profile.
    pub fn from_json(
        source_name: &str,
        text: &str,
        profile: Option<&str>,
    ) -> Result<Vec<DeviceReport>, Error> {
        let reports = reports::from_json(source_name, text, profile)?;
        Ok(reports.iter().map(reports::VulkanReport::described).collect())
    }
}
