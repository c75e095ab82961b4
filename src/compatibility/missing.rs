//! The missing features that prevent a device from running a module.

use crate::loader::Version;
use std::fmt;

use crate::device::api::FeatureUse;
use crate::device::{Aspect, Capability, Device, capabilities};
use crate::transform::trap::UntrappedBranch;
use crate::transform::version::TooNew;

/// A feature that a module requires and a device does not have. It is displayed as a clause, such as "it
/// requires the sub-group size 8, which the device does not support". A version, a capability or an extension
/// is displayed as its name.
///
/// If several features are missing, the first in the order of the variants counts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// A version of SPIR-V.
    Version(Version),
    /// A capability.
    Capability(Capability),
    /// An extension, by name.
    Extension(String),
    /// A work-group size, in work-items.
    WorkGroupSize {
        /// The required number of work-items.
        size: u64,
        /// The largest supported size, if it is known.
        limit: Option<u32>,
    },
    /// An aspect.
    Aspect(Aspect),
    /// A sub-group size, in work-items.
    SubGroupSize {
        /// The required size.
        size: u32,
        /// The supported sizes, if they are known.
        has: Vec<u32>,
    },
    /// A feature or property of Vulkan that no capability names, or alternatives, by name.
    VulkanFeature(Vec<String>),
    /// A limit of Vulkan, by name: it must be at least the number.
    VulkanLimit {
        /// The name, with the index of an array: `maxComputeWorkGroupSize[0]`.
        limit: String,
        /// The required number.
        at_least: u64,
        /// The limit of the device, if it is known.
        has: Option<u64>,
    },
    /// Another driver or driver version: the compiler of this one fails.
    DriverDefect {
        /// The name and version of the driver: `nvidia 580.159.4`.
        driver: String,
    },
    /// The device is not among the targets that the module is compiled for. The list is empty if its parts
    /// have no target in common.
    FixedTargets(Vec<String>),
    /// The condition of the whole module does not hold.
    Condition(String),
    /// The number of conditional calls that nothing decided. The unchanged module makes all of them.
    UndecidedCalls(usize),
}

impl Missing {
    /// Returns a sub-group size for no particular device.
    #[doc(hidden)]
    pub fn sub_group_size(size: u32) -> Missing {
        Missing::SubGroupSize { size, has: Vec::new() }
    }

    /// Returns the feature of Vulkan that a use requires, with its alternatives.
    #[doc(hidden)]
    pub fn vulkan_feature(feature: &FeatureUse) -> Missing {
        let settings = feature.ways.iter().filter_map(|way| way.setting);
        let mut names: Vec<String> = settings.map(|setting| setting.feature_name()).collect();
        names.dedup();
        Missing::VulkanFeature(names)
    }

    /// Returns the defect of a device's driver.
    #[doc(hidden)]
    pub fn driver_defect(device: &Device) -> Missing {
        Missing::DriverDefect { driver: device.driver.map(|driver| driver.to_string()).unwrap_or_default() }
    }

    /// Returns a name that is short enough for a table: `Float64`, `aspect fp64`, `sub-group size 8`.
    pub fn name(&self) -> String {
        match self {
            Missing::Version(version) => format!("SPIR-V {version}"),
            Missing::Capability(capability) => capability.to_string(),
            Missing::Extension(name) => name.clone(),
            Missing::WorkGroupSize { size, .. } => format!("work-group size {size}"),
            Missing::Aspect(aspect) => format!("aspect {aspect}"),
            Missing::SubGroupSize { size, .. } => format!("sub-group size {size}"),
            Missing::FixedTargets(targets) => match &targets[..] {
                [] => "a common target".to_owned(),
                [target] => format!("target {target}"),
                targets => format!("one of the targets {}", targets.join(", ")),
            },
            Missing::VulkanFeature(any) => any.join(" or "),
            Missing::VulkanLimit { limit, at_least, .. } => format!("{limit} of {at_least}"),
            Missing::DriverDefect { driver } => format!("a driver other than {driver}"),
            Missing::Condition(condition) => format!("the features of '{condition}'"),
            Missing::UndecidedCalls(_) => "undecided calls".to_owned(),
        }
    }

    /// Returns the message of the exception for a kernel that is submitted to a device without the feature.
    /// The design has the wording (docs/design/optional-kernel-features.md, "Changes to the DPC++ runtime"),
    /// and features that it does not cover follow it.
    pub fn message(&self) -> String {
        let lacks = |what: String, name: &str| format!("{what} but device does not support this {name}.");
        match self {
            Missing::FixedTargets(targets) => format!(
                "Kernel was compiled with '-fsycl-fixed-targets={}' but was submitted to a different device.",
                targets.join(",")
            ),
            Missing::Condition(condition) => {
                format!(
                    "Kernel was compiled for devices where '{condition}' but was submitted to a different device."
                )
            }
            Missing::DriverDefect { .. } => format!("Kernel does not compile: {self}."),
            Missing::UndecidedCalls(_) => format!("Kernel is not specialized: {self}."),
            Missing::Aspect(aspect) => {
                lacks(format!("Kernel uses optional feature corresponding to 'aspect::{aspect}'"), "aspect")
            }
            Missing::SubGroupSize { size, .. } => {
                lacks(format!("Kernel has a required sub-group size of '{size}'"), "sub-group size")
            }
            Missing::WorkGroupSize { size, .. } => {
                lacks(format!("Kernel has a required work-group size of '{size}'"), "work-group size")
            }
            Missing::Capability(capability) => {
                lacks(format!("Kernel requires the capability '{capability}'"), "capability")
            }
            Missing::Extension(name) => lacks(format!("Kernel requires the extension '{name}'"), "extension"),
            Missing::VulkanFeature(_) => lacks(format!("Kernel requires '{}'", self.name()), "feature"),
            Missing::VulkanLimit { .. } => lacks(format!("Kernel requires '{}'", self.name()), "limit"),
            Missing::Version(_) => lacks(format!("Kernel requires '{}'", self.name()), "version"),
        }
    }

    /// Returns alternative extensions: the device must accept one. They are the extension itself, or the extensions that add the
    /// capability.
    pub fn extensions(&self) -> Vec<String> {
        match self {
            Missing::Extension(name) => vec![name.clone()],
            Missing::Capability(capability) => {
                let extensions = capabilities::extensions_of(capability.0).unwrap_or_default();
                extensions.iter().map(ToString::to_string).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns true for a capability that a device has exactly if it has the aspect.
    pub(super) fn explains(&self, aspect: &Missing) -> bool {
        match (self, aspect) {
            (Missing::Capability(capability), Missing::Aspect(aspect)) => {
                capabilities::exactly(aspect.0) == Some(capability.0)
            }
            _ => false,
        }
    }

    /// Returns true for declarations that a driver accepts or rejects by name: versions, capabilities and extensions.
    #[doc(hidden)]
    pub fn is_declaration(&self) -> bool {
        matches!(self, Missing::Version(_) | Missing::Capability(_) | Missing::Extension(_))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Version(_) | Missing::Capability(_) | Missing::Extension(_) => f.write_str(&self.name()),
            Missing::WorkGroupSize { size, limit } => {
                write!(f, "it requires work-groups of {size} work-items")?;
                limit.map_or(Ok(()), |limit| write!(f, ", and the device supports at most {limit}"))
            }
            Missing::Aspect(aspect) => {
                write!(f, "it uses the optional feature of aspect `{aspect}`, which the device does not have")
            }
            Missing::SubGroupSize { size, has } if has.is_empty() => {
                write!(f, "it requires the sub-group size {size}, which the device does not support")
            }
            Missing::SubGroupSize { size, has } => {
                let has: Vec<String> = has.iter().map(u32::to_string).collect();
                write!(
                    f,
                    "it requires the sub-group size {size}, and the device supports {}",
                    has.join(" and ")
                )
            }
            Missing::VulkanFeature(any) => {
                write!(
                    f,
                    "it requires the Vulkan feature {}, which the device does not have",
                    any.join(" or ")
                )
            }
            Missing::VulkanLimit { limit, at_least, has } => {
                write!(f, "it requires a {limit} of at least {at_least}")?;
                has.map_or(Ok(()), |has| write!(f, ", and that of the device is {has}"))
            }
            Missing::DriverDefect { driver } => {
                write!(f, "the compiler of its driver {driver} is known to fail at such code")
            }
            Missing::Condition(condition) => {
                write!(f, "none of its variants is for this device: they are for those where {condition}")
            }
            Missing::UndecidedCalls(1) => {
                f.write_str("its conditional call is undecided, and as it is, every device makes it")
            }
            Missing::UndecidedCalls(count) => {
                write!(
                    f,
                    "its {count} conditional calls are undecided, and as it is, every device makes all of them"
                )
            }
            Missing::FixedTargets(targets) if targets.is_empty() => {
                f.write_str("it is compiled for targets that have none in common")
            }
            Missing::FixedTargets(targets) => {
                let names: Vec<String> = targets.iter().map(|name| format!("`{name}`")).collect();
                write!(f, "it is compiled for {} only, and the device is another one", names.join(" or "))
            }
        }
    }
}

/// A device that does not run a module, or is not known to run it where that is required, with the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// Name of the device; empty for a device described by its parts.
    pub device: String,
    /// The features that the device is known not to have. If there are none, the device is not known to run the module.
    pub missing: Vec<Missing>,
    /// The required features that the device may or may not have.
    pub unknown: Vec<Missing>,
    /// Declarations that nothing in the result requires: [`trim`](crate::trim::trim) removes their declarations.
    pub superfluous: Vec<Missing>,
    /// The reasons why traps do not help, if they were requested ([`Settings::trap`](crate::Settings::trap)).
    pub untrapped: Vec<UntrappedBranch>,
    /// The constructs that prevent an older version of SPIR-V, if one was requested
    /// ([`Settings::adapt`](crate::Settings::adapt), [`Settings::max_version`](crate::Settings::max_version)).
    pub too_new: Option<TooNew>,
    /// The entry points with the requirements, if not the whole module has them.
    pub entry_points: Vec<String>,
    /// The selected kernel of a program. The messages are then those of the design ([`Missing::message`]).
    pub kernel: Option<String>,
}

impl Refused {
    /// Creates the error for a device without features that the whole module requires.
    #[doc(hidden)]
    pub fn new(device: &str, missing: Vec<Missing>) -> Refused {
        Refused {
            device: device.to_owned(),
            missing,
            unknown: Vec::new(),
            superfluous: Vec::new(),
            untrapped: Vec::new(),
            too_new: None,
            entry_points: Vec::new(),
            kernel: None,
        }
    }

    /// Creates the error for a device without features that a kernel of a program requires.
    #[doc(hidden)]
    pub fn kernel(device: &str, kernel: &str, missing: Vec<Missing>) -> Refused {
        Refused { kernel: Some(kernel.to_owned()), ..Refused::new(device, missing) }
    }
}

impl std::error::Error for Refused {}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let device = label(&self.device);
        if let Some(kernel) = &self.kernel {
            let messages: Vec<String> = self.missing.iter().map(Missing::message).collect();
            return write!(f, "kernel `{kernel}` does not run on {device}: {}", messages.join(" "));
        }
        for (number, name) in self.entry_points.iter().enumerate() {
            write!(f, "{}`{name}`", if number > 0 { ", " } else { "" })?;
        }
        if !self.entry_points.is_empty() {
            f.write_str(" ")?;
        }
        let counts = ClauseCounts { subjects: self.entry_points.len().max(1), devices: 1 };
        f.write_str(&clause(&self.missing, &self.unknown, device, counts))?;
        self.too_new.iter().try_for_each(|too_new| write!(f, "; {too_new}"))?;
        self.untrapped.iter().try_for_each(|untrapped| write!(f, "; no trap: {untrapped}"))
    }
}

/// The numbers of subjects and devices in a clause.
#[derive(Clone, Copy, Debug)]
pub struct ClauseCounts {
    /// The number of subjects: entry points, or one module.
    pub subjects: usize,
    /// The number of devices.
    pub devices: usize,
}

/// Limit on the unknown features that a message names.
const MAX_UNKNOWN: usize = 4;

/// Returns the clause about devices that do not run code because of missing features. If no features are missing, it is
/// about devices that are not known to run the code because of unknown features.
pub fn clause(missing: &[Missing], unknown: &[Missing], devices: &str, counts: ClauseCounts) -> String {
    let by_count = |count: usize, one, many| if count == 1 { one } else { many };
    if missing.is_empty() {
        let are = by_count(counts.subjects, "is", "are");
        let have = by_count(counts.devices, "it has", "they have");
        let mut names = unknown.iter().take(MAX_UNKNOWN).map(Missing::name).collect::<Vec<_>>().join(", ");
        if unknown.len() > MAX_UNKNOWN {
            names += &format!(" and {} more", unknown.len() - MAX_UNKNOWN);
        }
        return format!("{are} not known to run on {devices}: nothing says if {have} {names}");
    }
    let run = by_count(counts.subjects, "does not run", "do not run");
    let texts: Vec<String> = missing.iter().map(ToString::to_string).collect();
    if missing.iter().all(Missing::is_declaration) {
        let accept = by_count(counts.devices, "does not accept", "do not accept");
        return format!("{run} on {devices}, which {accept} {}", texts.join(", "));
    }
    format!("{run} on {devices}: {}", texts.join("; "))
}

/// Returns the name of a device in messages.
pub fn label(device: &str) -> &str {
    if device.is_empty() { "the described device" } else { device }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the design's examples, to the letter.
    #[test]
    fn messages_of_the_design() {
        let missing = [
            Missing::FixedTargets(vec!["intel_gpu_11_1".to_owned()]),
            Missing::Aspect("fp16".parse().unwrap()),
            Missing::sub_group_size(32),
        ];
        let messages = [
            "Kernel was compiled with '-fsycl-fixed-targets=intel_gpu_11_1' but was submitted to a different device.",
            "Kernel uses optional feature corresponding to 'aspect::fp16' but device does not support this aspect.",
            "Kernel has a required sub-group size of '32' but device does not support this sub-group size.",
        ];
        assert_eq!(missing.map(|missing| missing.message()), messages);
    }
}
