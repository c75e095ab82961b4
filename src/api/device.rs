//! Functions of devices that require other modules of the library: names, descriptions, reports of other tools.

use super::error::Error;
use crate::device::registry::List;
use crate::device::{Api, Aspect, Device, DeviceReport, NumberTable, architectures, reports};
use crate::loader::Version;

impl Device {
    /// Returns the name of its entry in the device configuration; empty for a device without one.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of its architecture.
    pub fn architecture(&self) -> Option<&'static str> {
        Some(architectures::by_value(self.architecture?)?.name)
    }

    /// Returns the category, such as `gpu`: by the device registry, or else by the aspects.
    pub fn category(&self) -> Option<&'static str> {
        let has_aspect = |name: &&str| {
            NumberTable::Aspects.number(name).and_then(|aspect| self.has_aspect(aspect)) == Some(true)
        };
        match self.category {
            Some(category) => List::Categories.name(category),
            None => List::Categories.names().find(has_aspect),
        }
    }

    /// Returns the aspects under every [API](Device::for_api), in the order of their numbers; `None` if they are not known.
    pub fn aspects(&self) -> Option<Vec<Aspect>> {
        Some(self.facts.aspects.as_ref()?.iter().copied().map(Aspect).collect())
    }

    /// Returns the versions of SPIR-V that it accepts under every [API](Device::for_api); `None` if they are not known.
    pub fn spirv_versions(&self) -> Option<Vec<Version>> {
        Some(self.facts.spirv_versions.as_ref()?.iter().copied().collect())
    }

    /// Returns the macros that DPC++'s driver defines for a target: the target itself, by all of its names, and the aspects of its devices.
    ///
    /// With these a C++ compiler decides the conditions of `spirv_if/device_if.hpp` (docs/design/device-if.md, "Compiler driver macro predefines"; DPC++'s macros for
    /// `any_device_has`). An aspect without a name has no macro, and its conditions remain.
    pub fn macros(&self) -> Vec<String> {
        let architecture = self.architecture.and_then(architectures::by_value);
        let mut macros = match architecture {
            Some(architecture) => architecture.target_macros(),
            None => vec!["SPIRV_IF_TARGET".to_owned()],
        };
        let facts = &self.for_api(Api::OpenCl).facts;
        for name in facts.aspects.iter().flatten().filter_map(|aspect| NumberTable::Aspects.name(*aspect)) {
            macros.push(format!("__SYCL_ALL_DEVICES_HAVE_{name}__"));
            macros.push(format!("__SYCL_ANY_DEVICE_HAS_{name}__"));
        }
        macros
    }
}

impl DeviceReport {
    /// Reads descriptions of Vulkan devices by other tools: Vulkan Profiles, `vulkaninfo --json` of today and of before 2022, and the reports of
    /// vulkan.gpuinfo.org. There is one for each profile, or for the named one; one if the file has no profiles. `source_name` is the name
    /// of the file in errors.
    ///
    /// The features of a profile are those of every device that it is for. If it has alternatives, only the features of all alternatives
    /// count.
    ///
    /// # Errors
    /// If the text is malformed; [`Error::Request`] if it does not have the profile.
    pub fn from_json(
        source_name: &str,
        text: &str,
        profile: Option<&str>,
    ) -> Result<Vec<DeviceReport>, Error> {
        Ok(DeviceReport::from_json_files(&[(source_name, text)], profile)?.into_iter().flatten().collect())
    }

    /// Like [`from_json`](DeviceReport::from_json), for several files: profiles may build on those of other files. Each file is given as its name
    /// and its text, and has its own reports in the result.
    ///
    /// ```
    /// use spirv_if::device::DeviceReport;
    /// let base = r#"{"capabilities": {"base": {"features": {"VkPhysicalDeviceFeatures": {"shaderInt64": true}}}},
    ///     "profiles": {"VP_MY_base": {"api-version": "1.1.106", "capabilities": ["base"]}}}"#;
    /// let more = r#"{"capabilities": {}, "profiles": {"VP_MY_more": {"api-version": "1.3.273", "profiles": ["VP_MY_base"]}}}"#;
    /// let reports = DeviceReport::from_json_files(&[("base.json", base), ("more.json", more)], None)?;
    /// assert_eq!(reports[1][0].device.has_capability(11), Some(true)); // Int64
    /// # Ok::<(), spirv_if::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a text is malformed; [`Error::Request`] if no file has the profile.
    pub fn from_json_files(
        files: &[(&str, &str)],
        profile: Option<&str>,
    ) -> Result<Vec<Vec<DeviceReport>>, Error> {
        let described =
            |reports: &Vec<reports::VulkanReport>| reports.iter().map(|report| report.described()).collect();
        Ok(reports::from_json(files, profile)?.iter().map(described).collect())
    }
}
