//! The features that an application must enable, and a device must support, before an API accepts a SPIR-V
//! module. They come from the tables of the Vulkan registry (`spec-extensions/vulkan-*.csv`) and the OpenCL
//! SPIR-V Environment Specification (`spec-extensions/opencl-*.csv`).
//!
//! [`Api::capability`], [`Api::extension`] and [`Api::spirv_version`] look up one requirement. [`Enabling`]
//! has the settings for a whole module, and [`Api::offered`] the capabilities and extensions that a device
//! accepts.

pub(super) mod dependencies;
mod enabling;
mod tables;
#[cfg(test)]
mod tests;

pub use enabling::{ApiRequirements, Enabling};
pub use tables::{FeatureUse, LimitRow, LimitedNumber, limits, named_features, uses};

use std::collections::BTreeSet;
use std::fmt;

use super::capabilities;
use crate::loader::Version;

/// An API that accepts SPIR-V modules. It is displayed as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Api {
    /// Vulkan.
    Vulkan,
    /// OpenCL.
    OpenCl,
}

impl Api {
    /// Returns the capability that all modules for the API have.
    #[doc(hidden)]
    pub fn capability_of_modules(self) -> u32 {
        match self {
            Api::OpenCl => spirv::Capability::Kernel as u32,
            Api::Vulkan => spirv::Capability::Shader as u32,
        }
    }

    /// All APIs.
    #[doc(hidden)]
    pub const ALL: [Api; 2] = [Api::OpenCl, Api::Vulkan];

    /// Returns the API of modules that declare Kernel, or Shader; `None` if they declare both or neither.
    #[must_use]
    pub fn from_kinds(has_kernels: bool, has_shaders: bool) -> Option<Api> {
        match (has_kernels, has_shaders) {
            (true, false) => Some(Api::OpenCl),
            (false, true) => Some(Api::Vulkan),
            _ => None,
        }
    }

    /// Returns the place in [`Api::ALL`].
    pub(super) fn index(self) -> usize {
        usize::from(self == Api::Vulkan)
    }

    /// Returns the API with a keyword.
    pub(super) fn from_keyword(keyword: &str) -> Option<Api> {
        Api::ALL.into_iter().find(|api| api.keyword() == keyword)
    }

    /// Returns the alternatives that provide a capability; aliases of its name are accepted. `None` if the
    /// capability is missing from the table: the API may not have it, or the table may be too old.
    #[doc(hidden)]
    pub fn capability(self, name: &str) -> Option<&'static [Enable]> {
        tables::api_tables(self).capabilities.get(canonical(name)).map(Vec::as_slice)
    }

    /// Returns the capability of the modules that the API does not accept: the one of Shader and Kernel that
    /// is missing from its table.
    #[doc(hidden)]
    pub fn foreign(self) -> Option<&'static str> {
        ["Shader", "Kernel"].into_iter().find(|name| self.capability(name).is_none())
    }

    /// Returns the alternatives that provide a SPIR-V extension; `None` if it is missing from the table.
    pub(crate) fn extension(self, name: &str) -> Option<&'static [Enable]> {
        tables::api_tables(self).extensions.get(name).map(Vec::as_slice)
    }

    /// Returns the alternatives that provide an aspect; `None` if it is missing from the table.
    pub(super) fn aspect(self, aspect: u32) -> Option<&'static [Enable]> {
        tables::api_tables(self).aspects.get(&aspect).map(Vec::as_slice)
    }

    /// Returns the alternatives that provide a SPIR-V version; `None` if it is missing from the table.
    pub(crate) fn spirv_version(self, version: Version) -> Option<&'static [Enable]> {
        tables::api_tables(self).spirv_versions.get(&version).map(Vec::as_slice)
    }

    /// Returns all versions that the tables know.
    pub(super) fn versions(self) -> &'static [Version] {
        &tables::api_tables(self).versions
    }

    /// Returns the version with a major and a minor number. In Vulkan, 0.0 is 1.0. `None` for invalid
    /// numbers.
    #[doc(hidden)]
    pub fn version(self, version: Version) -> Option<Version> {
        match self {
            Api::Vulkan if version == Version::new(0, 0) => Some(Version::new(1, 0)),
            Api::Vulkan => (version.major == 1).then_some(version),
            Api::OpenCl => (1..=3).contains(&version.major).then_some(version),
        }
    }

    /// Returns the name of the API on the command line.
    pub fn keyword(self) -> &'static str {
        match self {
            Api::Vulkan => "vulkan",
            Api::OpenCl => "opencl",
        }
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Api::Vulkan => "Vulkan",
            Api::OpenCl => "OpenCL",
        })
    }
}

/// Versions of an API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Versions {
    /// First version.
    pub from: Version,
    /// Last version; `None` for no limit. OpenCL 3.0 made many features of 2.x optional.
    pub to: Option<Version>,
}

impl Versions {
    /// Returns true if the range contains the version.
    pub fn contains(&self, version: Version) -> bool {
        self.from <= version && self.to.is_none_or(|to| version <= to)
    }
}

/// One alternative that provides a feature of an API. Some core versions or an extension provide it, and both
/// may need a setting. Without versions and extension only the setting counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enable {
    /// The API.
    pub api: Api,
    /// The core versions that provide it.
    pub versions: Option<Versions>,
    /// The extension to enable (Vulkan), or that the device must have (OpenCL).
    pub extension: Option<&'static str>,
    /// The extension whose devices alone may be without the setting (Vulkan): VK_KHR_portability_subset.
    pub restricted_by: Option<&'static str>,
    /// The setting to enable, or that the device must have.
    pub setting: Option<FeatureSetting>,
}

/// A setting to enable, or that a device must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FeatureSetting {
    /// A Vulkan feature to enable when the device is created.
    Feature {
        /// The structure to chain to VkPhysicalDeviceFeatures2, or VkPhysicalDeviceFeatures itself.
        structure: &'static str,
        /// The member to set to VK_TRUE.
        member: &'static str,
    },
    /// A Vulkan property that the device must have.
    Property {
        /// The structure to chain to VkPhysicalDeviceProperties2.
        structure: &'static str,
        /// The member to compare.
        member: &'static str,
        /// VK_TRUE, or a bit.
        value: &'static str,
    },
    /// A result of clGetDeviceInfo.
    Query {
        /// The cl_device_info.
        name: &'static str,
        /// The required value, as words that follow the query's name.
        value: &'static str,
    },
}

impl FeatureSetting {
    /// Returns the member or the query, and its value if it has one. It is equal in all structures that had
    /// the member.
    pub fn key(&self) -> (&'static str, &'static str) {
        match *self {
            FeatureSetting::Feature { member, .. } => (member, ""),
            FeatureSetting::Property { member, value, .. } => (member, value),
            FeatureSetting::Query { name, value } => (name, value),
        }
    }

    /// Returns the name of the setting in conditions, after the provider: the member, and after a period the bit that a property must
    /// have.
    pub fn feature_name(&self) -> String {
        match self.key() {
            (member, "" | "VK_TRUE") => member.to_owned(),
            (member, value) => format!("{member}.{value}"),
        }
    }
}

impl fmt::Display for FeatureSetting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            FeatureSetting::Feature { structure, member } => write!(f, "{structure}::{member}"),
            FeatureSetting::Property { structure, member, value: "VK_TRUE" } => {
                write!(f, "{structure}::{member} is VK_TRUE")
            }
            FeatureSetting::Property { structure, member, value } => {
                write!(f, "{structure}::{member} with {value}")
            }
            FeatureSetting::Query { name, value } if value.starts_with("with ") => {
                write!(f, "{name} {value}")
            }
            FeatureSetting::Query { name, value } => write!(f, "{name} is {value}"),
        }
    }
}

impl Enable {
    /// Writes versions and extension, or `always` if there are none.
    fn write_source(&self, f: &mut fmt::Formatter, always: &str) -> fmt::Result {
        match self.extension {
            Some(extension) => f.write_str(extension)?,
            None if self.versions.is_none() => return f.write_str(always),
            None => {}
        }
        if let Some(versions) = &self.versions {
            let or = if self.extension.is_some() { " or " } else { "" };
            write!(f, "{or}{} {}", self.api, versions.from)?;
            if let Some(to) = versions.to.filter(|to| *to != versions.from) {
                write!(f, " to {to}")?;
            }
        }
        Ok(())
    }

    /// Returns true if every version of the API provides it.
    fn is_old(&self) -> bool {
        self.versions.is_some_and(|versions| versions == Versions { from: Version::new(1, 0), to: None })
    }
}

impl fmt::Display for Enable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(setting) = &self.setting else {
            return self.write_source(f, "any device that takes SPIR-V");
        };
        setting.fmt(f)?;
        if let Some(extension) = self.restricted_by {
            return write!(f, " (only where {extension} is)");
        }
        if self.is_old() || (self.versions.is_none() && self.extension.is_none()) {
            return Ok(());
        }
        f.write_str(" (")?;
        self.write_source(f, "")?;
        f.write_str(")")
    }
}

/// Returns the main name of a capability, which may have several. If its number is unknown, this is the name
/// itself.
fn canonical(name: &str) -> &str {
    capabilities::number(name).and_then(capabilities::name).unwrap_or(name)
}

/// The features of an implementation of an API and a device.
pub trait Implementation {
    /// Returns the version of the API.
    fn version(&self) -> Version;
    /// Returns true if the implementation has the extension.
    fn has_extension(&self, name: &str) -> bool;
    /// Returns true if a feature, a property or the answer to a query has the required value.
    fn has(&self, setting: &FeatureSetting) -> bool;
}

/// The parts of SPIR-V that a device accepts, and the aspects that follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Offered {
    /// Aspects, without the one of an architecture.
    pub aspects: BTreeSet<u32>,
    /// Capabilities, without those that these imply.
    pub capabilities: BTreeSet<u32>,
    /// Extensions.
    pub extensions: BTreeSet<String>,
    /// Versions.
    pub spirv_versions: BTreeSet<Version>,
}

impl Enable {
    /// Returns true if an implementation has this alternative.
    pub fn holds(&self, on: &dyn Implementation) -> bool {
        if self.restricted_by.is_some_and(|extension| !on.has_extension(extension)) {
            return true;
        }
        // A plus joins extensions that are required together.
        let has_extension =
            || self.extension.is_some_and(|names| names.split('+').all(|name| on.has_extension(name)));
        let is_core = || self.versions.is_some_and(|versions| versions.contains(on.version()));
        let is_there = (self.versions.is_none() && self.extension.is_none()) || is_core() || has_extension();
        is_there && self.setting.is_none_or(|setting| on.has(&setting))
    }
}

impl Api {
    /// Returns the capabilities, extensions, versions and aspects of an implementation, by the tables of the
    /// API.
    pub(crate) fn offered(self, on: &dyn Implementation) -> Offered {
        let known = tables::api_tables(self);
        let holds = |ways: &[Enable]| ways.iter().any(|way| way.holds(on));
        let aspects = known.aspects.iter().filter(|(_, ways)| holds(ways));
        let capabilities = known.capabilities.iter().filter(|(_, ways)| holds(ways));
        let mut capabilities: BTreeSet<u32> =
            capabilities.filter_map(|(name, _)| capabilities::number(name)).collect();
        // A module that declares a capability implicitly declares those that it implies, so all must be
        // supported. A device may have multiViewport without geometryShader, and then does not accept
        // MultiViewport, which implies Geometry.
        let has_all = |capability: &u32, all: &BTreeSet<u32>| {
            capabilities::implied(*capability).iter().all(|&implied| {
                let is_known =
                    known.capabilities.contains_key(capabilities::name(implied).unwrap_or_default());
                !is_known || all.contains(&implied)
            })
        };
        loop {
            let supported: BTreeSet<u32> = capabilities
                .iter()
                .copied()
                .filter(|capability| has_all(capability, &capabilities))
                .collect();
            if supported.len() == capabilities.len() {
                break;
            }
            capabilities = supported;
        }
        let extensions = known.extensions.iter().filter(|(_, ways)| holds(ways));
        let versions = known.spirv_versions.iter().filter(|(_, ways)| holds(ways));
        let mut spirv_versions = BTreeSet::new();
        spirv_versions.extend(versions.map(|(version, _)| *version));
        Offered {
            aspects: aspects.map(|(aspect, _)| *aspect).collect(),
            capabilities,
            extensions: extensions.map(|(name, _)| (*name).to_owned()).collect(),
            spirv_versions,
        }
    }
}
