//! Features, extensions and limits of Vulkan for a module, ready for vkCreateDevice.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::c_void;

use super::context::{InspectContext, InspectionError};
use super::enabling::{EnableReport, ForeignCapability};
use super::model::Inspected;
use spirv_if::device::{Api, Device};
use spirv_if::engine::analysis::vulkan_limits;
use spirv_if::engine::collections::{OrderedMap, sort, sort_by_key};
use spirv_if::engine::device::api::{Enable, Enabling, FeatureSetting, limits};
use spirv_if::engine::device::{FeatureChain, capabilities, structures};
use spirv_if::module::Version;

/// The features, extensions and limits that a Vulkan device needs for an unchanged module.
///
/// They include what SPIR-V has no capability for, such as `shaderSubgroupExtendedTypes` or `fragmentStoresAndAtomics`.
///
/// ```
/// use spirv_if::Module;
/// use spirv_if_inspect::VulkanRequirements;
/// use spirv_if::module::Version;
/// let bytes = std::fs::read("../fixtures/glsl/shade.spv")?;
/// let required = VulkanRequirements::new(&Module::from_bytes(&bytes)?, Version::new(1, 3), None)?;
/// let features: Vec<_> = required.features().iter().map(|feature| feature.member).collect();
/// assert_eq!(features, ["shaderFloat64", "shaderFloat16"]);
/// assert!(required.extensions().is_empty() && required.missing().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VulkanRequirements {
    version: Version,
    extensions: Vec<&'static str>,
    features: Vec<VulkanFeature>,
    properties: Vec<VulkanProperty>,
    limits: Vec<VulkanLimit>,
    missing: Vec<String>,
    unknown: Vec<String>,
}

/// A feature to enable: a member to set in a structure of the chain of VkPhysicalDeviceFeatures2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct VulkanFeature {
    /// The structure; `VkPhysicalDeviceFeatures` for the members of VkPhysicalDeviceFeatures2 itself.
    pub structure: &'static str,
    /// The member.
    pub member: &'static str,
}

/// A property that the device must have. It cannot be enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct VulkanProperty {
    /// The structure in the chain of VkPhysicalDeviceProperties2.
    pub structure: &'static str,
    /// The member.
    pub member: &'static str,
    /// The value: `VK_TRUE`, or a bit that must be set.
    pub value: &'static str,
}

/// A limit that the device must have: a member of VkPhysicalDeviceLimits, or of VkPhysicalDeviceMeshShaderPropertiesEXT, that is at least a
/// number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub struct VulkanLimit {
    /// The member, with its index if it is an array: `maxComputeWorkGroupSize[0]`.
    pub member: &'static str,
    /// The number.
    pub at_least: u64,
}

impl VulkanRequirements {
    fn empty(version: Version) -> VulkanRequirements {
        VulkanRequirements {
            version,
            extensions: Vec::new(),
            features: Vec::new(),
            properties: Vec::new(),
            limits: Vec::new(),
            missing: Vec::new(),
            unknown: Vec::new(),
        }
    }

    /// Joins the requirements of modules, for a device that is to run all of them.
    ///
    /// ```
    /// use spirv_if::Module;
    /// use spirv_if_inspect::VulkanRequirements;
    /// use spirv_if::module::Version;
    /// let of_module = |file: &str| {
    ///     let bytes = std::fs::read(file)?;
    ///     VulkanRequirements::new(&Module::from_bytes(&bytes)?, Version::new(1, 3), None).map_err(Box::<dyn std::error::Error>::from)
    /// };
    /// let all = [of_module("../fixtures/glsl/shade.spv")?, of_module("../fixtures/glsl/wave.spv")?];
    /// let joined = VulkanRequirements::union(&all);
    /// assert!(all.iter().flat_map(|required| required.features()).all(|feature| joined.features().contains(feature)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn union<'r>(all: impl IntoIterator<Item = &'r VulkanRequirements>) -> VulkanRequirements {
        let mut union = VulkanRequirements::empty(Version::new(1, 0));
        for required in all {
            union.version = union.version.max(required.version);
            union.extensions.extend(&required.extensions);
            union.features.extend(&required.features);
            union.properties.extend(&required.properties);
            union.limits.extend(&required.limits);
            union.missing.extend_from_slice(&required.missing);
            union.unknown.extend_from_slice(&required.unknown);
        }
        for feature in &mut union.features {
            let (structure, member) = structures::place_in(feature.structure, feature.member, union.version);
            *feature = VulkanFeature { structure, member };
        }
        sort(&mut union.extensions);
        union.extensions.dedup();
        sort(&mut union.features);
        union.features.dedup();
        sort(&mut union.properties);
        union.properties.dedup();
        // Of a limit, the largest number counts.
        sort_by_key(&mut union.limits, |limit| (limit.member, Reverse(limit.at_least)));
        union.limits.dedup_by_key(|limit| limit.member);
        sort(&mut union.missing);
        union.missing.dedup();
        sort(&mut union.unknown);
        union.unknown.dedup();
        union
    }

    /// Adds the limits of entry points.
    fn add_limits(&mut self, required: Vec<(&'static str, u64)>, device: Option<&Device>) {
        self.limits.extend(required.into_iter().map(|(member, at_least)| VulkanLimit { member, at_least }));
        let is_above = |required: &&VulkanLimit| {
            let Some((device, row)) = device.zip(limits().iter().find(|row| row.limit == required.member))
            else {
                return false;
            };
            let has = match row.is_of_all_apis() {
                true => device.supports_work_group_size(required.at_least),
                false => device.supports_limit(row, required.at_least),
            };
            has == Some(false)
        };
        let above = self.limits.iter().filter(is_above);
        self.missing.extend(above.map(|required| format!("{} of {}", required.member, required.at_least)));
    }

    fn add(&mut self, enabling: Enabling, device: Option<&Device>) {
        if let Some(version) = enabling.version.filter(|version| *version > self.version) {
            self.missing.push(format!("Vulkan {version}"));
            self.version = version;
        }
        // What the device does not accept has no alternative.
        let is_refused = |required_by: &[String]| {
            required_by.iter().any(|name| device.is_some_and(|device| refuses(device, name)))
        };
        self.unknown = enabling.unknown;
        let mut unmet: BTreeSet<&str> = BTreeSet::new();
        for choice in &enabling.choices {
            let ways: Vec<&'static Enable> = choice.one_of.iter().map(|way| way.enable).collect();
            let has =
                |way: &&'static Enable| way.setting.and_then(|setting| device?.has_vulkan_setting(&setting));
            let chosen = ways.iter().find(|way| has(way) == Some(true));
            match chosen.or_else(|| ways.iter().find(|way| has(way).is_none())) {
                Some(chosen) if !is_refused(&choice.required_by) => self.choose(chosen, device),
                _ => {
                    let names = ways.iter().map(|way| match way.setting {
                        Some(setting) => setting.feature_name(),
                        None => way.extension.unwrap_or_default().to_owned(),
                    });
                    self.missing.push(names.collect::<Vec<_>>().join(" or "));
                    unmet.extend(choice.required_by.iter().map(String::as_str));
                }
            }
        }
        let refused = enabling.extensions.iter().filter(|(_, required_by)| is_refused(required_by));
        let refused: Vec<&'static str> = refused.map(|(extension, _)| *extension).collect();
        unmet.extend(&refused);
        self.missing.extend(refused.iter().map(|extension| (*extension).to_owned()));
        // Extensions for what is missing, and those that they depend on, need not be enabled.
        let mut open: Vec<_> = enabling.extensions.iter().collect();
        while let Some(at) = open
            .iter()
            .position(|(name, required_by)| unmet.contains(**name) || is_unmet(required_by, &unmet))
        {
            unmet.insert(open.swap_remove(at).0);
        }
        self.extensions.extend(open.into_iter().map(|(extension, _)| *extension));
        sort(&mut self.features);
        self.features.dedup();
        sort(&mut self.extensions);
        self.extensions.dedup();
    }

    fn choose(&mut self, way: &'static Enable, device: Option<&Device>) {
        if let (Some(extension), Some(setting)) = (way.restricted_by, way.setting) {
            // Other devices do not know the structure.
            if !device.is_some_and(|device| device.lists_vulkan_setting(&setting)) {
                return;
            }
            self.extensions.push(extension);
        }
        let is_core = way.versions.is_some_and(|versions| versions.contains(self.version));
        self.extensions.extend(way.extension.filter(|_| !is_core));
        match way.setting {
            Some(FeatureSetting::Feature { structure, member }) => {
                let (structure, member) = structures::place_in(structure, member, self.version);
                self.features.push(VulkanFeature { structure, member });
            }
            Some(FeatureSetting::Property { structure, member, value }) => {
                let (structure, member) = structures::place_in(structure, member, self.version);
                self.properties.push(VulkanProperty { structure, member, value });
            }
            Some(FeatureSetting::Query { .. }) | None => {}
        }
    }

    /// Returns the required version of Vulkan: the given version, or a later one that the module needs.
    pub fn version(&self) -> Version {
        self.version
    }

    /// Returns the device extensions to enable, by name, with those that they depend on.
    pub fn extensions(&self) -> &[&'static str] {
        &self.extensions
    }

    /// Returns the features to enable, by structure.
    pub fn features(&self) -> &[VulkanFeature] {
        &self.features
    }

    /// Returns the properties that the device must have.
    pub fn properties(&self) -> &[VulkanProperty] {
        &self.properties
    }

    /// Returns the limits that the device must have.
    pub fn limits(&self) -> &[VulkanLimit] {
        &self.limits
    }

    /// Returns the requirements that the device is known not to meet: names of features and properties, each with its
    /// alternatives, and a version or a limit.
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// Returns the capabilities, extensions and versions of the module that the tables do not have.
    pub fn unknown(&self) -> &[String] {
        &self.unknown
    }

    /// Returns the features as a chain of structures, for VkDeviceCreateInfo's pNext.
    pub fn chain(&self) -> VulkanFeatureChain {
        let mut members: OrderedMap<&str, Vec<&str>> = OrderedMap::new();
        for feature in &self.features {
            members.entry(feature.structure).or_default().push(feature.member);
        }
        VulkanFeatureChain(FeatureChain::new(&members))
    }
}

impl InspectContext<'_, '_> {
    /// Returns the requirements of the unchanged module on Vulkan of at least this version, or the capability that
    /// Vulkan does not accept.
    ///
    /// # Errors
    /// If conditional code is malformed, or a condition is out of bounds.
    pub fn vulkan_requirements(
        &self,
        inspected: &Inspected,
        version: Version,
        device: Option<&Device>,
    ) -> Result<Result<VulkanRequirements, ForeignCapability>, InspectionError> {
        let version = Api::Vulkan.version(version).unwrap_or(version);
        let report = self.enable(Api::Vulkan, Some(version), inspected)?;
        if let Some(refused) = report.refused {
            return Ok(Err(refused));
        }
        let modules = [(inspected, &report.uses[..])];
        let mut required = VulkanRequirements::empty(version);
        required.add(EnableReport::enabling(Api::Vulkan, Some(version), modules), device);
        required.add_limits(vulkan_limits(self.analyses), device);
        Ok(Ok(required))
    }
}

/// Returns true if everything that requires an extension is missing.
fn is_unmet(required_by: &[String], unmet: &BTreeSet<&str>) -> bool {
    required_by.iter().all(|name| unmet.contains(name.as_str()))
}

/// Returns true if a device is known not to accept a declaration: a capability, an extension or `SPIR-V 1.5`.
fn refuses(device: &Device, declaration: &str) -> bool {
    let accepts = match (capabilities::number(declaration), declaration.strip_prefix("SPIR-V ")) {
        (Some(capability), _) => device.supports_capability(capability, false),
        (None, Some(version)) => {
            version.parse().ok().and_then(|version| device.supports_spirv_version(version))
        }
        _ if declaration.starts_with("SPV_") => device.supports_extension(declaration, Version::new(1, 0)),
        _ => None,
    };
    accepts == Some(false)
}

/// A chain of VkPhysicalDeviceFeatures2 and other structures of features, in memory.
#[derive(Debug)]
pub struct VulkanFeatureChain(pub(crate) FeatureChain);

impl VulkanFeatureChain {
    /// Returns the address of the first structure: VkPhysicalDeviceFeatures2, unless the application's chain has it.
    /// The address is valid as long as the chain, even if the chain moves.
    pub fn as_ptr(&self) -> *const c_void {
        self.0.as_ptr()
    }
}
