//! A device that does not run a module, and why: its missing features.

use std::fmt;

use crate::device::{Aspect, Capability, capabilities};

/// A feature that a module requires and that a device is known not to have. Displayed, the reason as a clause, such as "it requires the
/// sub-group size 8, which the device does not support"; of a version, a capability or an extension, its name.
///
/// Variants are in the order in which they count where several features are missing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Missing {
    /// A version of SPIR-V, major and minor.
    Version {
        /// The major version.
        major: u8,
        /// The minor version.
        minor: u8,
    },
    /// A capability.
    Capability(Capability),
    /// An extension, by name.
    Extension(String),
    /// A work-group size, in work-items.
    WorkGroupSize {
        /// The required number of work-items.
        size: u64,
        /// The most that the device supports, where it is given.
        limit: Option<u32>,
    },
    /// An aspect.
    Aspect(Aspect),
    /// A sub-group size, in work-items.
    SubGroupSize {
        /// The required size.
        size: u32,
        /// The sizes that the device supports, where they are given.
        has: Vec<u32>,
    },
    /// The names of the only targets that the module is compiled for, none of which is the device. Empty if its parts are for targets that
    /// have none in common.
    FixedTargets(Vec<String>),
    /// The condition of the whole module, which does not hold.
    Condition(String),
}

impl Missing {
    /// A sub-group size, of no device in particular.
    pub(crate) fn sub_group_size(size: u32) -> Missing {
        Missing::SubGroupSize { size, has: Vec::new() }
    }

    /// The name, short enough for a table: `Float64`, `aspect fp64`, `sub-group size 8`.
    pub fn name(&self) -> String {
        match self {
            Missing::Version { major, minor } => format!("SPIR-V {major}.{minor}"),
            Missing::Capability(capability) => capability.to_string(),
            Missing::Extension(name) => name.clone(),
            Missing::WorkGroupSize { size, .. } => format!("work-group size {size}"),
            Missing::Aspect(aspect) => format!("aspect {aspect}"),
            Missing::SubGroupSize { size, .. } => format!("sub-group size {size}"),
            Missing::FixedTargets(targets) => format!("one of the targets {}", targets.join(", ")),
            Missing::Condition(condition) => condition.clone(),
        }
    }

    /// The message of an exception for a kernel that is submitted to a device without it, as the design words it
    /// (docs/design/optional-kernel-features.md, "Changes to the DPC++ runtime"); of what the design does not know, in its manner.
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
            Missing::Version { .. } => lacks(format!("Kernel requires '{}'", self.name()), "version"),
        }
    }

    /// The extensions of which any one must be accepted for this to be accepted: itself, or those that add the capability.
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

    /// True for what a module declares and its driver accepts or rejects by name: versions, capabilities and extensions.
    pub(crate) fn is_declaration(&self) -> bool {
        matches!(self, Missing::Version { .. } | Missing::Capability(_) | Missing::Extension(_))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Version { .. } | Missing::Capability(_) | Missing::Extension(_) => {
                f.write_str(&self.name())
            }
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
            Missing::Condition(condition) => {
                write!(f, "none of its variants is for this device: they are for those where {condition}")
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

/// A device that does not run a module, and the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Refused {
    /// The name of the device; empty for one that was described.
    pub device: String,
    /// All missing features that are known.
    pub missing: Vec<Missing>,
    /// Those of them that nothing in the result requires: [`trim`](crate::trim::trim) removes their declarations.
    pub superfluous: Vec<Missing>,
    /// The entry points that require them, where it is not the whole module.
    pub entry_points: Vec<String>,
    /// The kernel that was selected of a program; the messages are the design's then ([`Missing::message`]).
    pub kernel: Option<String>,
}

impl Refused {
    /// A device that lacks features which the whole module requires.
    pub(crate) fn new(device: &str, missing: Vec<Missing>) -> Refused {
        Refused {
            device: device.to_owned(),
            missing,
            superfluous: Vec::new(),
            entry_points: Vec::new(),
            kernel: None,
        }
    }

    /// A device that lacks features which a kernel of a program requires.
    pub(crate) fn kernel(device: &str, kernel: &str, missing: Vec<Missing>) -> Refused {
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
        let missing: Vec<String> = self.missing.iter().map(ToString::to_string).collect();
        for (number, name) in self.entry_points.iter().enumerate() {
            write!(f, "{}`{name}`", if number > 0 { ", " } else { "" })?;
        }
        if self.entry_points.len() > 1 {
            return write!(f, " do not run on {device}: {}", missing.join("; "));
        }
        if !self.entry_points.is_empty() {
            f.write_str(" ")?;
        }
        match self.missing.iter().all(Missing::is_declaration) {
            true => write!(f, "does not run on {device}, which does not accept {}", missing.join(", ")),
            false => write!(f, "does not run on {device}: {}", missing.join("; ")),
        }
    }
}

/// The name of a device in messages.
pub(crate) fn label(device: &str) -> &str {
    if device.is_empty() { "the described device" } else { device }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The design's examples, to the letter.
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
