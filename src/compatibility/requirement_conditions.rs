//! Requirements of results as conditions, which a device meets if it supports each leaf as far as that is known.

use super::{ComparedFeature, DefectPattern, Missing, driver_defects};
use crate::condition::{DEVICE, DRIVER, Expr, FeatureName, Leaf, Limit, Name, Truth, evaluate};
use crate::device::api::limits;
use crate::device::limits::limit_name;
use crate::device::{Aspect, Capability, Device};
use crate::loader::{Module, Version};

/// Provider of the features and limits of Vulkan.
const VULKAN: &str = "vulkan";

impl Missing {
    /// Returns the condition that a device without this missing feature fulfills; `None` if no condition says it.
    pub(crate) fn requirement(&self) -> Option<Expr> {
        let number = |name: &str, least: u64| Limit::new(FeatureName::new(DEVICE, name)?, least);
        let leaf = match self {
            Missing::Version(version) => Leaf::Limit(number("spirv_version", version.to_word().into())?),
            Missing::Capability(Capability(number)) => Leaf::Capability(*number),
            Missing::Extension(name) => {
                Leaf::Extension(Name::new(name).filter(|_| name.starts_with("SPV_"))?)
            }
            Missing::WorkGroupSize { size, .. } => Leaf::Limit(number("max_work_group_size", *size)?),
            Missing::Aspect(Aspect(number)) => Leaf::Aspect(*number),
            Missing::SubGroupSize { size, .. } => {
                let [is, is_more] = [0, 1].map(|more| number("subgroup_size", u64::from(*size) + more));
                let not_more = Expr::Not(Box::new(Leaf::Limit(is_more?).into()));
                return Some(Expr::And(Box::new(Leaf::Limit(is?).into()), Box::new(not_more)));
            }
            Missing::VulkanFeature(names) => {
                let names = names.iter().map(|name| Some(Leaf::Feature(FeatureName::new(VULKAN, name)?)));
                return any(names.collect::<Option<Vec<_>>>()?);
            }
            Missing::VulkanLimit { limit, at_least, .. } => {
                Leaf::Limit(Limit::new(FeatureName::new(VULKAN, &limit_name(limit))?, *at_least)?)
            }
            Missing::FixedTargets(names) => {
                let targets = names.iter().map(|name| Some(Leaf::Aspect(name.parse::<Aspect>().ok()?.0)));
                return any(targets.collect::<Option<Vec<_>>>()?);
            }
            Missing::DriverDefect { .. } | Missing::Condition(_) | Missing::UndecidedCalls(_) => return None,
        };
        Some(leaf.into())
    }
}

/// Returns the disjunction of leaves; `None` if there are none.
fn any(leaves: Vec<Leaf>) -> Option<Expr> {
    let leaves = leaves.into_iter().rev().map(Expr::from);
    leaves.reduce(|rest, leaf| Expr::Or(Box::new(leaf), Box::new(rest)))
}

/// Returns the requirements of a module that its driver has no defect that the module triggers.
pub fn requirements_of_drivers(module: &Module) -> Vec<Expr> {
    let is_in = |pattern: &DefectPattern| !pattern.places(module).is_empty();
    let defects = driver_defects().iter().filter(|defect| is_in(&defect.pattern));
    defects.map(|defect| Expr::Not(Box::new(defect.when().clone()))).collect()
}

impl Device {
    /// Returns true if the device meets a requirement ([`Missing::requirement`]), false if it does not; `None` if that is not known.
    pub(crate) fn meets(&self, requirement: &Expr, in_kernels: bool) -> Option<bool> {
        if let Some(size) = sub_group_size(requirement) {
            return ComparedFeature::SubGroupSize(size).is_supported(self);
        }
        let supports = |leaf: Leaf| match leaf {
            Leaf::Feature(name) if name.provider() == VULKAN => self.has_any_feature(&[Some(name)]),
            // A driver whose version is not known is not known to have a defect, and runs the module.
            Leaf::Limit(limit) if limit.name().provider() == DRIVER => Some(self.truth(leaf) == Some(true)),
            _ => match ComparedFeature::from_leaf(&leaf, in_kernels) {
                Some(feature) => feature.is_supported(self),
                None => self.truth(leaf),
            },
        };
        match evaluate(requirement, &supports) {
            Ok(Truth::True) => Some(true),
            Ok(Truth::False) => Some(false),
            Ok(Truth::Unknown) | Err(_) => None,
        }
    }
}

impl<'l> ComparedFeature<'l> {
    /// Returns the feature that a leaf of a requirement stands for.
    fn from_leaf(leaf: &'l Leaf, in_kernels: bool) -> Option<Self> {
        let limit = match leaf {
            Leaf::Capability(number) => {
                return Some(ComparedFeature::Capability { number: *number, in_kernels });
            }
            // Modules do not declare what their version includes.
            Leaf::Extension(name) => {
                return Some(ComparedFeature::extension(name.as_str(), Version::new(1, 0)));
            }
            Leaf::Limit(limit) => limit,
            _ => return None,
        };
        match (limit.name().provider(), limit.name().name()) {
            (DEVICE, "spirv_version") => {
                Some(ComparedFeature::Version(Version::from_word(limit.at_least().try_into().ok()?)))
            }
            (DEVICE, "max_work_group_size") => Some(ComparedFeature::WorkGroupSize(limit.at_least())),
            (VULKAN, name) => {
                let row = limits().iter().find(|row| limit_name(row.limit) == name)?;
                Some(ComparedFeature::VulkanLimit(row, limit.at_least()))
            }
            _ => None,
        }
    }
}

/// Returns the size of sub-groups that a requirement is about.
fn sub_group_size(requirement: &Expr) -> Option<u32> {
    let Expr::And(is, not_more) = requirement else { return None };
    let (Expr::Leaf(Leaf::Limit(is)), Expr::Not(more)) = (&**is, &**not_more) else { return None };
    let Expr::Leaf(Leaf::Limit(more)) = &**more else { return None };
    let is_size = is.name() == more.name() && is.name().name() == "subgroup_size";
    (is_size && is.at_least() + 1 == more.at_least()).then(|| u32::try_from(is.at_least()).ok())?
}
