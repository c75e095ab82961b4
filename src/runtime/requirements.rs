//! Whether a device has what an image requires.

use thiserror::Error;

use crate::condition::{ConditionError, Expr, Truth, evaluate};
use crate::device::{Device, Table, aspects};
use crate::properties::{DeviceRequirements, PropertyError};

/// Something that an image requires and a device is known to lack. The messages say what seed "optional kernel features",
/// "Changes to the DPC++ runtime", has the exception say.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unmet {
    /// The device is none of the fixed targets.
    #[error("it is compiled for {} only, and the device is another one", targets(.0))]
    FixedTarget(Vec<u32>),
    /// The device lacks an aspect.
    #[error("it uses the optional feature of aspect `{}`, which the device does not have", aspect(*.0))]
    Aspect(u32),
    /// The device lacks a sub-group size.
    #[error("it requires the sub-group size {0}, which the device does not support")]
    SubGroupSize(u32),
    /// A work-group is too large.
    #[error("it requires work-groups of {size} work-items, and the device supports at most {limit}")]
    WorkGroupSize {
        /// The required number of work-items.
        size: u64,
        /// The most that the device supports.
        limit: u32,
    },
}

/// Requirements that cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RequirementsError {
    /// A property is malformed.
    #[error(transparent)]
    Property(#[from] PropertyError),
    /// A condition is.
    #[error("device requirements, condition {index}: {error}")]
    Condition {
        /// Which of the conditions, in their order, from 0.
        index: usize,
        /// What is wrong with it.
        error: ConditionError,
    },
}

/// What of the requirements the device is known not to meet, in the order in which the seed checks them. Aspects that are
/// required under a condition count where it is known to hold.
///
/// # Errors
/// Where the requirements cannot be understood.
pub fn unmet(device: &Device, requirements: &DeviceRequirements) -> Result<Vec<Unmet>, RequirementsError> {
    let lacks = |aspect: &u32| device.has_aspect(*aspect) == Some(false);
    let mut unmet = Vec::new();
    let targets = requirements.array(DeviceRequirements::FIXED_TARGET)?;
    if !targets.is_empty() && targets.iter().all(lacks) {
        unmet.push(Unmet::FixedTarget(targets));
    }
    let mut needed = requirements.aspects.clone();
    for (index, conditional) in requirements.conditional.iter().enumerate() {
        let error = |error| RequirementsError::Condition { index, error };
        let condition = Expr::from_series(&conditional.condition).map_err(error)?;
        if evaluate(&condition, &|leaf| device.truth(leaf)).map_err(error)? == Truth::True {
            needed.extend(&conditional.aspects);
        }
    }
    needed.sort_unstable();
    needed.dedup();
    unmet.extend(needed.into_iter().filter(lacks).map(Unmet::Aspect));
    let sizes = requirements.array(DeviceRequirements::SUB_GROUP_SIZE)?;
    let missing = sizes.into_iter().filter(|size| device.has_sub_group_size(*size) == Some(false));
    unmet.extend(missing.map(Unmet::SubGroupSize));
    let size = work_items(&requirements.array(DeviceRequirements::WORK_GROUP_SIZE)?);
    if let (Some(size), Some(limit)) = (size, device.max_work_group_size)
        && size > u64::from(limit)
    {
        unmet.push(Unmet::WorkGroupSize { size, limit });
    }
    Ok(unmet)
}

/// The number of work-items, from the dimensions after their count, or without it as DPC++ writes them.
fn work_items(words: &[u32]) -> Option<u64> {
    let dimensions = match words {
        [count, dimensions @ ..] if *count as usize == dimensions.len() => dimensions,
        _ => words,
    };
    let product = dimensions.iter().fold(1_u64, |product, size| product.saturating_mul((*size).into()));
    (!dimensions.is_empty()).then_some(product)
}

fn aspect(number: u32) -> String {
    let target = aspects::architecture_of(number);
    let name = target.map_or_else(|| Table::Aspects.name(number), |number| Table::Architectures.name(number));
    name.map_or_else(|| number.to_string(), str::to_owned)
}

fn targets(numbers: &[u32]) -> String {
    numbers.iter().map(|number| format!("`{}`", aspect(*number))).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::properties::{ConditionalAspects, Property};

    const FP16: u32 = 5;
    const FP64: u32 = 6;

    fn on(name: &str, requirements: &DeviceRequirements) -> Vec<Unmet> {
        unmet(&Device::embedded(name).unwrap(), requirements).unwrap()
    }

    #[test]
    fn aspects() {
        let needs = DeviceRequirements { aspects: vec![FP64, FP16], ..Default::default() };
        assert_eq!(on("intel_gpu_dg1", &needs), [Unmet::Aspect(FP64)]);
        assert_eq!(on("intel_gpu_pvc", &needs), []);
        assert_eq!(unmet(&Device::default(), &needs).unwrap(), [], "nothing is known");
    }

    #[test]
    fn conditional_aspects() {
        let conditional = vec![ConditionalAspects { condition: vec![-2, 16], aspects: vec![FP64] }];
        let needs = DeviceRequirements { conditional, ..Default::default() };
        let dg1 = Device::embedded("intel_gpu_dg1").unwrap();
        assert_eq!(dg1.architecture, Some(16), "the number in the condition");
        assert_eq!(on("intel_gpu_dg1", &needs), [Unmet::Aspect(FP64)]);
        assert_eq!(on("intel_gpu_tgllp", &needs), [], "the condition does not hold");
        let conditional = vec![ConditionalAspects { condition: vec![-4, -1], aspects: vec![] }];
        let malformed = DeviceRequirements { conditional, ..Default::default() };
        assert!(
            unmet(&dg1, &malformed).unwrap_err().to_string().starts_with("device requirements, condition 0")
        );
    }

    #[test]
    fn the_other_properties() {
        let needs = |name: &str, values: &[u32]| DeviceRequirements {
            other: vec![(name.to_owned(), Property::from_u32s(values))],
            ..Default::default()
        };
        let target = needs(DeviceRequirements::FIXED_TARGET, &[0x10014]);
        assert_eq!(on("intel_gpu_dg1", &target), [Unmet::FixedTarget(vec![0x10014])]);
        assert_eq!(
            on("intel_gpu_dg1", &target)[0].to_string(),
            "it is compiled for `intel_gpu_pvc` only, and the device is another one"
        );
        assert_eq!(on("intel_gpu_pvc", &target), []);
        let size = needs(DeviceRequirements::SUB_GROUP_SIZE, &[8, 16]);
        assert_eq!(on("intel_gpu_pvc", &size), [Unmet::SubGroupSize(8)]);
        let size = needs(DeviceRequirements::WORK_GROUP_SIZE, &[3, 64, 64, 1]);
        let nvidia = [Unmet::WorkGroupSize { size: 4096, limit: 1024 }];
        assert_eq!(on("nvidia_gpu_sm_80", &size), nvidia);
        let dpcpp = needs(DeviceRequirements::WORK_GROUP_SIZE, &[64, 64, 1]);
        assert_eq!(on("nvidia_gpu_sm_80", &dpcpp), nvidia);
    }
}
