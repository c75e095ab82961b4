//! The settings that an application must enable, and a device support, before an API accepts a SPIR-V module: the tables of
//! the Vulkan registry (`spec-extensions/vulkan-*.csv`) and of the OpenCL SPIR-V Environment Specification
//! (`spec-extensions/opencl-*.csv`).
//!
//! [`Api::capability`], [`Api::extension`] and [`Api::spirv_version`] look one thing up. [`Enabling`] has the settings for a
//! whole module, and [`Api::offered`] the capabilities and extensions that a device accepts.

pub(super) mod dependencies;
mod enabling;
mod tables;
#[cfg(test)]
mod tests;

pub use enabling::{ApiRequirements, Enabling};
#[cfg(test)]
pub use tables::uses;

use std::collections::BTreeSet;
use std::fmt;

use super::capabilities;

/// Major and minor version, of an API or of SPIR-V.
pub type Version = (u8, u8);

/// An API that accepts SPIR-V modules. Displayed as its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Api {
    /// Vulkan.
    Vulkan,
    /// OpenCL.
    OpenCl,
}

impl Api {
    /// All of them.
    #[cfg(test)]
    pub(crate) const ALL: [Api; 2] = [Api::Vulkan, Api::OpenCl];

    /// The ways to have a capability, any one of which is enough; aliases of its name are accepted. None if the
    /// table does not know it: the API may have no such thing, or the table may be too old.
    pub(crate) fn capability(self, name: &str) -> Option<&'static [Enable]> {
        tables::of(self).capabilities.get(canonical(name)).map(Vec::as_slice)
    }

    /// The capability of the kind of modules that the API does not accept: of Shader and Kernel, the one that its table does
    /// not have.
    pub(crate) fn foreign(self) -> Option<&'static str> {
        ["Shader", "Kernel"].into_iter().find(|name| self.capability(name).is_none())
    }

    /// The ways to have a SPIR-V extension, any one of which is enough; None if the table does not know it.
    pub(crate) fn extension(self, name: &str) -> Option<&'static [Enable]> {
        tables::of(self).extensions.get(name).map(Vec::as_slice)
    }

    /// The ways to have modules of a SPIR-V version, any one of which is enough; None if the table does not know it.
    pub(crate) fn spirv_version(self, version: Version) -> Option<&'static [Enable]> {
        tables::of(self).spirv_versions.get(&version).map(Vec::as_slice)
    }

    /// Returns the version that a major and a minor number stand for: in Vulkan 0.0 is 1.0. `None` if they are no version.
    pub(crate) fn version(self, version: Version) -> Option<Version> {
        match self {
            Api::Vulkan if version == (0, 0) => Some((1, 0)),
            Api::Vulkan => (version.0 == 1).then_some(version),
            Api::OpenCl => (1..=3).contains(&version.0).then_some(version),
        }
    }

    /// The name that it has on the command line.
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
    /// The first.
    pub from: Version,
    /// The last; None where all that follow are meant. OpenCL 3.0 made much optional that 2.x has.
    pub to: Option<Version>,
}

impl Versions {
    /// True if the version is one of them.
    pub fn contains(&self, version: Version) -> bool {
        self.from <= version && self.to.is_none_or(|to| version <= to)
    }
}

/// One way to have something of an API. It is there in some core versions or with an extension, either of them, and there
/// may be a setting, which is required in both. With neither versions nor extension only the setting counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Enable {
    /// The API.
    pub api: Api,
    /// The core versions that have it.
    pub versions: Option<Versions>,
    /// The extension to enable (Vulkan), or for the device to have (OpenCL).
    pub extension: Option<&'static str>,
    /// The setting to enable or to find.
    pub setting: Option<Setting>,
}

/// A setting to enable, or to find on a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Setting {
    /// A Vulkan feature to enable when the device is created.
    Feature {
        /// The structure to chain to VkPhysicalDeviceFeatures2, or VkPhysicalDeviceFeatures itself.
        structure: &'static str,
        /// Its member to set to VK_TRUE.
        member: &'static str,
    },
    /// A Vulkan property that the device must have.
    Property {
        /// The structure to chain to VkPhysicalDeviceProperties2.
        structure: &'static str,
        /// Its member.
        member: &'static str,
        /// VK_TRUE, or a bit.
        value: &'static str,
    },
    /// A result of clGetDeviceInfo.
    Query {
        /// The cl_device_info.
        name: &'static str,
        /// The required value, in words that follow its name.
        value: &'static str,
    },
}

impl Setting {
    /// The member or the query, and its value if it has one: what is the same in all structures that it went through.
    pub fn key(&self) -> (&'static str, &'static str) {
        match *self {
            Setting::Feature { member, .. } => (member, ""),
            Setting::Property { member, value, .. } => (member, value),
            Setting::Query { name, value } => (name, value),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Setting::Feature { structure, member } => write!(f, "{structure}::{member}"),
            Setting::Property { structure, member, value: "VK_TRUE" } => {
                write!(f, "{structure}::{member} is VK_TRUE")
            }
            Setting::Property { structure, member, value } => write!(f, "{structure}::{member} with {value}"),
            Setting::Query { name, value } if value.starts_with("with ") => write!(f, "{name} {value}"),
            Setting::Query { name, value } => write!(f, "{name} is {value}"),
        }
    }
}

impl Enable {
    /// Versions and extension, and `always` where there are none to name.
    fn write_source(&self, f: &mut fmt::Formatter, always: &str) -> fmt::Result {
        match self.extension {
            Some(extension) => f.write_str(extension)?,
            None if self.versions.is_none() => return f.write_str(always),
            None => {}
        }
        if let Some(versions) = &self.versions {
            let or = if self.extension.is_some() { " or " } else { "" };
            write!(f, "{or}{} {}.{}", self.api, versions.from.0, versions.from.1)?;
            if let Some(to) = versions.to.filter(|to| *to != versions.from) {
                write!(f, " to {}.{}", to.0, to.1)?;
            }
        }
        Ok(())
    }

    /// True if every version of the API has it.
    fn is_old(&self) -> bool {
        self.versions.is_some_and(|versions| versions == Versions { from: (1, 0), to: None })
    }
}

impl fmt::Display for Enable {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Some(setting) = &self.setting else {
            return self.write_source(f, "any device that takes SPIR-V");
        };
        setting.fmt(f)?;
        if self.is_old() || (self.versions.is_none() && self.extension.is_none()) {
            return Ok(());
        }
        f.write_str(" (")?;
        self.write_source(f, "")?;
        f.write_str(")")
    }
}

/// The one name of a capability that may have several; of one without a number that is known here, the name itself.
fn canonical(name: &str) -> &str {
    capabilities::number(name).and_then(capabilities::name).unwrap_or(name)
}

/// The features of an implementation of an API and a device.
pub trait Implementation {
    /// The version of the API.
    fn version(&self) -> Version;
    /// True if it has the extension.
    fn has_extension(&self, name: &str) -> bool;
    /// True if a feature, a property or the answer to a query is as required.
    fn has(&self, setting: &Setting) -> bool;
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
    /// True if an implementation has the way.
    pub fn holds(&self, on: &impl Implementation) -> bool {
        // A plus joins extensions that are required together.
        let has_extension =
            || self.extension.is_some_and(|names| names.split('+').all(|name| on.has_extension(name)));
        let is_core = || self.versions.is_some_and(|versions| versions.contains(on.version()));
        let is_there = (self.versions.is_none() && self.extension.is_none()) || is_core() || has_extension();
        is_there && self.setting.is_none_or(|setting| on.has(&setting))
    }
}

impl Api {
    /// The capabilities, extensions, versions and aspects of an implementation, by the tables of the API.
    pub(crate) fn offered(self, on: &impl Implementation) -> Offered {
        let known = tables::of(self);
        let holds = |ways: &[Enable]| ways.iter().any(|way| way.holds(on));
        let aspects = known.aspects.iter().filter(|(_, ways)| holds(ways));
        let capabilities = known.capabilities.iter().filter(|(_, ways)| holds(ways));
        let mut capabilities: BTreeSet<u32> =
            capabilities.filter_map(|(name, _)| capabilities::number(name)).collect();
        // A module that declares one implicitly declares those that it implies: all must be there. A device may have
        // multiViewport without geometryShader, and then does not accept MultiViewport, which implies Geometry.
        let has_all = |capability: &u32, all: &BTreeSet<u32>| {
            capabilities::implied(*capability).iter().all(|&implied| {
                let is_known =
                    known.capabilities.contains_key(capabilities::name(implied).unwrap_or_default());
                !is_known || all.contains(&implied)
            })
        };
        loop {
            let kept: BTreeSet<u32> = capabilities
                .iter()
                .copied()
                .filter(|capability| has_all(capability, &capabilities))
                .collect();
            if kept.len() == capabilities.len() {
                break;
            }
            capabilities = kept;
        }
        let extensions = known.extensions.iter().filter(|(_, ways)| holds(ways));
        let spirv_versions = known.spirv_versions.iter().filter(|(_, ways)| holds(ways));
        Offered {
            aspects: aspects.map(|(aspect, _)| *aspect).collect(),
            capabilities,
            extensions: extensions.map(|(name, _)| (*name).to_owned()).collect(),
            spirv_versions: spirv_versions.map(|(version, _)| *version).collect(),
        }
    }
}
