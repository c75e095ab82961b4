//! Whether a device has what an image requires.

use thiserror::Error;

use crate::condition::{ConditionError, Expr, Truth, evaluate};
use crate::device::{Device, Table, aspects};
use crate::sidecar::property_sets::DeviceRequirements;

/// Something that an image requires and a device is known to lack. The messages say what seed "optional kernel features",
/// "Changes to the DPC++ runtime", has the exception say.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unmet {
    /// The device is none of the fixed targets.
    #[error("{}", targets(.0))]
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

/// A condition of requirements that cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("device requirements, condition {index}: {error}")]
pub struct RequirementsError {
    /// Which of the conditions, in their order, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub error: ConditionError,
}

/// What of the requirements the device is known not to meet, in the order in which the seed checks them. What is
/// required under a condition counts where it is known to hold.
///
/// # Errors
/// Where a condition cannot be understood: none of what [`DeviceRequirements::from_set`] gives.
pub fn unmet(device: &Device, requirements: &DeviceRequirements) -> Result<Vec<Unmet>, RequirementsError> {
    let lacks = |aspect: &u32| device.has_aspect(*aspect) == Some(false);
    let mut unmet = Vec::new();
    if let Some(targets) = &requirements.fixed_targets
        && targets.iter().all(lacks)
    {
        unmet.push(Unmet::FixedTarget(targets.clone()));
    }
    let mut needed = requirements.aspects.clone();
    let mut sub_groups = requirements.sub_group_sizes.clone();
    let mut work_groups = requirements.work_group_sizes.clone();
    for (index, conditional) in requirements.conditional.iter().enumerate() {
        let error = |error| RequirementsError { index, error };
        let condition = Expr::from_series(&conditional.condition).map_err(error)?;
        if evaluate(&condition, &|leaf| device.truth(leaf)).map_err(error)? == Truth::True {
            needed.extend(&conditional.aspects);
            sub_groups.extend(&conditional.sub_group_sizes);
            work_groups.extend(conditional.work_group_sizes.iter().cloned());
        }
    }
    for list in [&mut needed, &mut sub_groups] {
        list.sort_unstable();
        list.dedup();
    }
    unmet.extend(needed.into_iter().filter(lacks).map(Unmet::Aspect));
    let lacking = |size: &&u32| device.has_sub_group_size(**size) == Some(false);
    unmet.extend(sub_groups.iter().filter(lacking).copied().map(Unmet::SubGroupSize));
    for size in &work_groups {
        let size = size.iter().fold(1_u64, |product, size| product.saturating_mul((*size).into()));
        if let Some(limit) = device.max_work_group_size.filter(|&limit| size > u64::from(limit)) {
            unmet.push(Unmet::WorkGroupSize { size, limit });
        }
    }
    Ok(unmet)
}

/// What of the requirements a target lacks that is known before anything is compiled for it: all but the size of work-groups,
/// which the aspect filter leaves to the runtime (seed "optional kernel features", "Aspect filter tool").
///
/// # Errors
/// See [`unmet`].
pub fn unmet_ahead_of_time(
    target: &Device,
    requirements: &DeviceRequirements,
) -> Result<Vec<Unmet>, RequirementsError> {
    let mut unmet = unmet(target, requirements)?;
    unmet.retain(|unmet| !matches!(unmet, Unmet::WorkGroupSize { .. }));
    Ok(unmet)
}

fn aspect(number: u32) -> String {
    let target = aspects::architecture_of(number);
    let name = target.map_or_else(|| Table::Aspects.name(number), |number| Table::Architectures.name(number));
    name.map_or_else(|| number.to_string(), str::to_owned)
}

fn targets(numbers: &[u32]) -> String {
    if numbers.is_empty() {
        return "it is compiled for targets that have none in common".to_owned();
    }
    let names: Vec<String> = numbers.iter().map(|number| format!("`{}`", aspect(*number))).collect();
    format!("it is compiled for {} only, and the device is another one", names.join(" or "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sidecar::property_sets::Conditional;

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
        let conditional =
            vec![Conditional { condition: vec![-2, 16], aspects: vec![FP64], ..Default::default() }];
        let needs = DeviceRequirements { conditional, ..Default::default() };
        let dg1 = Device::embedded("intel_gpu_dg1").unwrap();
        assert_eq!(dg1.architecture, Some(16), "the number in the condition");
        assert_eq!(on("intel_gpu_dg1", &needs), [Unmet::Aspect(FP64)]);
        assert_eq!(on("intel_gpu_tgllp", &needs), [], "the condition does not hold");
        let conditional = vec![Conditional { condition: vec![-4, -1], ..Default::default() }];
        let malformed = DeviceRequirements { conditional, ..Default::default() };
        assert!(
            unmet(&dg1, &malformed).unwrap_err().to_string().starts_with("device requirements, condition 0")
        );
    }

    #[test]
    fn fixed_targets() {
        let target =
            |aspects| DeviceRequirements { fixed_targets: Some(aspects), ..DeviceRequirements::default() };
        let pvc = target(vec![0x10014]);
        assert_eq!(on("intel_gpu_dg1", &pvc), [Unmet::FixedTarget(vec![0x10014])]);
        assert_eq!(
            on("intel_gpu_dg1", &pvc)[0].to_string(),
            "it is compiled for `intel_gpu_pvc` only, and the device is another one"
        );
        assert_eq!(on("intel_gpu_pvc", &pvc), []);
        assert_eq!(on("intel_gpu_pvc", &target(vec![])), [Unmet::FixedTarget(vec![])], "it runs on nothing");
        assert_eq!(unmet(&Device::default(), &pvc).unwrap(), [], "nothing is known");
    }

    #[test]
    fn sizes() {
        let needs = DeviceRequirements { sub_group_sizes: vec![8, 16], ..Default::default() };
        assert_eq!(on("intel_gpu_pvc", &needs), [Unmet::SubGroupSize(8)]);
        let work_group_sizes = vec![vec![64, 64, 1], vec![1024], vec![u32::MAX; 3]];
        let needs = DeviceRequirements { work_group_sizes, ..Default::default() };
        let large = |size| Unmet::WorkGroupSize { size, limit: 1024 };
        assert_eq!(on("nvidia_gpu_sm_80", &needs), [large(4096), large(u64::MAX)]);
        let target = Device::embedded("nvidia_gpu_sm_80").unwrap();
        assert_eq!(unmet_ahead_of_time(&target, &needs).unwrap(), []);
    }
}
