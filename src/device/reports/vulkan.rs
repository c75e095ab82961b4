//! The report of a Vulkan implementation on a device.

use crate::collections::OrderedMap;
use crate::loader::Version;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::DeviceReport;
use super::structures::{self, MemberPlace};
use crate::device::api::{Api, FeatureSetting, Implementation, dependencies};
use crate::device::limits::VULKAN_VERSION;
use crate::device::recognize::Clue;
use crate::device::{Device, DeviceDriver};
use crate::text::csv;

/// Report of a Vulkan implementation on a device: versions, extensions, and the members of features and
/// properties that matter to SPIR-V (`spec-extensions/vulkan-structures.csv`).
///
/// A member that a core version copied from other structures has one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VulkanReport {
    /// Name that the driver gives the device.
    pub name: String,
    /// The version of Vulkan.
    pub api_version: Version,
    /// The device extensions.
    pub extensions: BTreeSet<String>,
    values: OrderedMap<MemberPlace, u64>,
}

impl VulkanReport {
    /// Creates a report without members.
    pub fn new(
        name: &str,
        api_version: Version,
        extensions: impl IntoIterator<Item = String>,
    ) -> VulkanReport {
        let (name, extensions) = (name.to_owned(), extensions.into_iter().collect());
        VulkanReport { name, api_version, extensions, values: OrderedMap::new() }
    }

    /// Sets a member: a number, the bits of flags, an enumerant, or 1 for VK_TRUE. If two structures have the
    /// member, either may set a feature or bits. Returns true if the tables have the member.
    pub fn set(&mut self, structure: &str, member: &str, value: u64) -> bool {
        let Some(place) = structures::place(structure, member) else { return false };
        *self.values.entry(place).or_default() |= value;
        true
    }

    /// Returns the value of a member; None if it is not in the report.
    pub fn get(&self, structure: &str, member: &str) -> Option<u64> {
        self.values.get(&structures::place(structure, member)?).copied()
    }

    /// Returns the members of the report: structure, member and value.
    #[cfg(test)]
    pub fn values(&self) -> impl Iterator<Item = (&'static str, &'static str, u64)> {
        self.values.iter().map(|(&(structure, member), &value)| (structure, member, value))
    }

    /// Returns the device, with a description of the report.
    pub fn described(&self) -> DeviceReport {
        let description = format!("{}, Vulkan {}", self.name, self.api_version);
        DeviceReport { description, device: self.device() }
    }

    /// Returns the device, by the SPIR-V tables of the Vulkan registry. For missing values, the features that
    /// its version and extensions require are assumed (`spec-extensions/vulkan-required.csv`).
    pub fn device(&self) -> Device {
        let mut report = self.clone();
        report.add_required();
        let offered = Api::Vulkan.offered(&report);
        let number = |structure, member| report.get(structure, member);
        let mut clues = vec![Clue::Name(&report.name)];
        if let (Some(vendor), Some(device)) = (
            number("VkPhysicalDeviceProperties", "vendorID"),
            number("VkPhysicalDeviceProperties", "deviceID"),
        ) {
            clues.push(Clue::Pci { vendor, device });
        }
        let mut device = super::device(super::entry_name(Api::Vulkan, &report.name), offered, &clues);
        device.facts.sub_group_sizes = report.sub_group_sizes().into();
        device.facts.max_work_group_size = number("VkPhysicalDeviceLimits", "maxComputeWorkGroupInvocations")
            .and_then(|size| size.try_into().ok());
        device.facts.set_limits(|of| number(of.structure, of.member));
        device.driver = number("VkPhysicalDeviceVulkan12Properties", "driverID").and_then(|id| {
            DeviceDriver::from_vulkan(id, number("VkPhysicalDeviceProperties", "driverVersion"))
        });
        device.facts.limits.insert(VULKAN_VERSION, report.api_version.to_word().into());
        device.facts.infer_capabilities();
        (device.facts.exact_capabilities, device.facts.exact_extensions) = (true, true);
        device.set_vulkan_features(&report);
        device
    }

    /// Returns the sizes that a compute shader may require, or the one that it gets if it cannot require any.
    fn sub_group_sizes(&self) -> Vec<u32> {
        let number =
            |structure, member| self.get(structure, member).and_then(|size| u32::try_from(size).ok());
        let of_1_3 = "VkPhysicalDeviceVulkan13Properties";
        let range = (number(of_1_3, "minSubgroupSize"), number(of_1_3, "maxSubgroupSize"));
        let is_enabled =
            number("VkPhysicalDeviceVulkan13Features", "subgroupSizeControl").is_some_and(|set| set != 0);
        let stages = self.get(of_1_3, "requiredSubgroupSizeStages").unwrap_or_default();
        let can_require = is_enabled && structures::has_value(stages, "VK_SHADER_STAGE_COMPUTE_BIT");
        match range {
            (Some(least), Some(most)) if can_require => {
                (0..u32::BITS).map(|bit| 1 << bit).filter(|size| (least..=most).contains(size)).collect()
            }
            _ => number("VkPhysicalDeviceVulkan11Properties", "subgroupSize")
                .into_iter()
                .filter(|&size| size > 0)
                .collect(),
        }
    }

    /// Adds the features that the version and the extensions require, unless the report has another value.
    fn add_required(&mut self) {
        for name in self.extensions.clone() {
            let others = dependencies::required_with(&name, self.api_version).unwrap_or_default();
            self.extensions.extend(others.into_iter().map(str::to_owned));
        }
        // Vulkan 1.1 always has the basic operations of sub-groups.
        let operations = ("VkPhysicalDeviceVulkan11Properties", "subgroupSupportedOperations");
        if self.api_version >= Version::new(1, 1) && self.get(operations.0, operations.1) != Some(0) {
            self.set(
                operations.0,
                operations.1,
                structures::value("VK_SUBGROUP_FEATURE_BASIC_BIT").unwrap_or_default(),
            );
        }
        // One feature may depend on another. Each round but the last adds some.
        loop {
            let is_new =
                |row: &&ImpliedFeature| !self.values.contains_key(&row.place) && row.applies_to(self);
            let new: Vec<MemberPlace> = REQUIRED.iter().filter(is_new).map(|row| row.place).collect();
            if new.is_empty() {
                return;
            }
            self.values.extend(new.into_iter().map(|place| (place, 1)));
        }
    }

    fn holds(&self, condition: &str) -> bool {
        if let Some((structure, member)) = condition.split_once("::") {
            return self.get(structure, member).is_some_and(|value| value != 0);
        }
        match condition.parse::<Version>() {
            Ok(version) => version <= self.api_version,
            Err(_) => self.extensions.contains(condition),
        }
    }
}

impl Implementation for VulkanReport {
    fn version(&self) -> Version {
        self.api_version
    }

    fn has_extension(&self, name: &str) -> bool {
        self.extensions.contains(name)
    }

    fn has(&self, setting: &FeatureSetting) -> bool {
        match *setting {
            FeatureSetting::Feature { structure, member } => {
                self.get(structure, member).is_some_and(|value| value != 0)
            }
            FeatureSetting::Property { structure, member, value } => {
                self.get(structure, member).is_some_and(|property| structures::has_value(property, value))
            }
            FeatureSetting::Query { .. } => false,
        }
    }
}

/// A feature that a version or an extension requires, under conditions.
struct ImpliedFeature {
    source: &'static str,
    depends: &'static str,
    place: MemberPlace,
}

impl ImpliedFeature {
    fn applies_to(&self, report: &VulkanReport) -> bool {
        // The conditions are bars within pluses or the reverse, without parentheses.
        let depends = || match self.depends {
            "" => true,
            depends => depends.split('|').any(|all| all.split('+').all(|one| report.holds(one))),
        };
        report.holds(self.source) && depends()
    }
}

static REQUIRED: LazyLock<Vec<ImpliedFeature>> = LazyLock::new(|| {
    csv::rows(include_str!("../../../spec-extensions/vulkan-required.csv"))
        .filter_map(|[version, extension, depends, structure, member]| {
            let source = if version.is_empty() { extension } else { version };
            Some(ImpliedFeature { source, depends, place: structures::place(structure, member)? })
        })
        .collect()
});
