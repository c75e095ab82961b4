//! Features that code may require of a device. Each is compared and named here alone.

use super::driver_defects::{DefectPattern, defects_of};
use super::missing::Missing;
use crate::analysis::DeviceRequirement;
use crate::condition::FeatureName;
use crate::device::api::{FeatureUse, LimitRow};
use crate::device::{Aspect, Device, ExtensionInVersion, MatrixUse, providers};
use crate::loader::Version;

/// A feature that code may require of a device. What does not depend on the device is found once.
pub enum ComparedFeature<'a> {
    /// A version of SPIR-V.
    Version(Version),
    /// A capability, by number, in a module of kernels or of another kind.
    Capability {
        /// The number.
        number: u32,
        /// True in a module of kernels.
        in_kernels: bool,
    },
    /// An extension.
    Extension(ExtensionInVersion<'a>),
    /// Work-groups of a number of work-items.
    WorkGroupSize(u64),
    /// An aspect, by number.
    Aspect(u32),
    /// Sub-groups of a number of work-items.
    SubGroupSize(u32),
    /// A feature of Vulkan that no capability names, with the names of its alternatives.
    VulkanFeature(&'static FeatureUse, Vec<Option<FeatureName>>),
    /// A limit of Vulkan, and the least number.
    VulkanLimit(&'static LimitRow, u64),
    /// A combination of cooperative matrices.
    MatrixUse(&'a MatrixUse),
    /// A driver without a defect.
    SoundDriver {
        /// The pattern at which the driver fails.
        pattern: DefectPattern,
        /// False if the code with the pattern may be removed.
        is_certain: bool,
    },
    /// One of some targets, by number.
    Target(&'a [u32]),
}

impl<'a> ComparedFeature<'a> {
    /// Returns a feature of Vulkan.
    pub fn vulkan(feature: &'static FeatureUse) -> ComparedFeature<'a> {
        ComparedFeature::VulkanFeature(feature, providers::names_of(feature))
    }

    /// Returns an extension in a module of this version.
    pub fn extension(name: &'a str, version: Version) -> ComparedFeature<'a> {
        ComparedFeature::Extension(ExtensionInVersion::new(name, version))
    }

    /// Returns an aspect, or a size of sub-groups. `None` for a size of work-groups, which is found with the limits of an entry point.
    pub fn from_requirement(required: DeviceRequirement) -> Option<ComparedFeature<'a>> {
        match required {
            DeviceRequirement::Aspect(aspect) => Some(ComparedFeature::Aspect(aspect)),
            DeviceRequirement::SubGroupSize(size) => Some(ComparedFeature::SubGroupSize(size)),
            DeviceRequirement::WorkGroupSize(_) => None,
        }
    }

    /// Returns true if a device has the feature, false if it does not; `None` if that is not known.
    pub fn is_supported(&self, device: &Device) -> Option<bool> {
        match self {
            ComparedFeature::Version(version) => device.supports_spirv_version(*version),
            ComparedFeature::Capability { number, in_kernels } => {
                device.supports_capability(*number, *in_kernels)
            }
            ComparedFeature::Extension(extension) => device.accepts(extension),
            ComparedFeature::WorkGroupSize(size) => device.supports_work_group_size(*size),
            ComparedFeature::Aspect(aspect) => device.has_aspect(*aspect),
            ComparedFeature::SubGroupSize(size) => device.has_sub_group_size(*size),
            ComparedFeature::VulkanFeature(_, alternatives) => device.has_any_feature(alternatives),
            ComparedFeature::VulkanLimit(row, number) => device.supports_limit(row, *number),
            ComparedFeature::MatrixUse(used) => device.supports_matrix_use(used),
            ComparedFeature::SoundDriver { pattern, is_certain } => {
                match defects_of(device).any(|defect| defect.pattern == *pattern) {
                    true => is_certain.then_some(false),
                    false => Some(true),
                }
            }
            ComparedFeature::Target(targets) => {
                let mut is_other = true;
                for has in targets.iter().map(|&target| device.has_aspect(target)) {
                    if has == Some(true) {
                        return has;
                    }
                    is_other &= has == Some(false);
                }
                is_other.then_some(false)
            }
        }
    }

    /// Returns the feature as what a device does not have.
    pub fn missing(&self, device: &Device) -> Missing {
        match self {
            ComparedFeature::Version(version) => Missing::Version(*version),
            ComparedFeature::Capability { number, .. } => Missing::Capability((*number).into()),
            ComparedFeature::Extension(extension) => Missing::Extension(extension.name().to_owned()),
            ComparedFeature::WorkGroupSize(size) => {
                Missing::WorkGroupSize { size: *size, limit: device.facts.max_work_group_size }
            }
            ComparedFeature::Aspect(aspect) => Missing::Aspect(Aspect(*aspect)),
            ComparedFeature::SubGroupSize(size) => {
                Missing::SubGroupSize { size: *size, has: device.facts.sub_group_sizes.to_vec() }
            }
            ComparedFeature::VulkanFeature(feature, _) => Missing::vulkan_feature(feature),
            ComparedFeature::VulkanLimit(row, number) => Missing::VulkanLimit {
                limit: row.limit.to_owned(),
                at_least: *number,
                has: device.facts.limits.get(row.limit).copied(),
            },
            ComparedFeature::MatrixUse(used) => Missing::VulkanFeature(vec![used.to_string()]),
            ComparedFeature::SoundDriver { .. } => Missing::driver_defect(device),
            ComparedFeature::Target(targets) => {
                Missing::FixedTargets(targets.iter().map(|&target| Aspect(target).to_string()).collect())
            }
        }
    }
}
