//! Requirements in the property sets of an image that a device does not meet.

use thiserror::Error;

use super::{Compatibility, Missing};
use crate::condition::{ConditionError, Expr, Truth, evaluate};
use crate::device::{Aspect, Device, DeviceNames};
use crate::metadata::property_sets::DeviceRequirements;

/// A malformed condition of requirements.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum RequirementsError {
    /// The condition of conditional requirements.
    #[error("device requirements, condition {index}: {error}")]
    Conditional {
        /// Index among the conditions, from 0.
        index: usize,
        /// The cause.
        error: ConditionError,
    },
    /// The condition of the whole module.
    #[error("device requirements, condition: {0}")]
    Whole(ConditionError),
}

/// Compares the requirements of an image with a device, in the order in which the design checks them. Conditional requirements count if
/// the condition is known to hold. The messages of [`Missing`] give the reason (docs/design/optional-kernel-features.md,
/// "Changes to the DPC++ runtime").
///
/// # Errors
/// If a condition is malformed. Conditions from [`DeviceRequirements::from_set`] are well-formed.
pub fn check_requirements(
    device: &Device,
    requirements: &DeviceRequirements,
) -> Result<Compatibility, RequirementsError> {
    let mut result = Compatibility::default();
    if let Some(targets) = &requirements.fixed_targets {
        let names = targets.iter().map(|&target| Aspect(target).to_string()).collect();
        let has: Vec<Option<bool>> = targets.iter().map(|&target| device.has_aspect(target)).collect();
        let met = match has.contains(&Some(true)) {
            true => Some(true),
            false => has.iter().all(|has| *has == Some(false)).then_some(false),
        };
        result.add(met, || Missing::FixedTargets(names));
    }
    if let Some(series) = &requirements.condition {
        let (met, text) = whole_condition(device, series).map_err(RequirementsError::Whole)?;
        result.add(met, || Missing::Condition(text));
    }
    let mut aspects = requirements.aspects.clone();
    let mut sub_groups = requirements.sub_group_sizes.clone();
    let mut work_groups = requirements.work_group_sizes.clone();
    for (index, conditional) in requirements.conditional.iter().enumerate() {
        let error = |error| RequirementsError::Conditional { index, error };
        let condition = Expr::from_series(&conditional.condition).map_err(error)?;
        if evaluate(&condition, &|leaf| device.truth(leaf)).map_err(error)? == Truth::True {
            aspects.extend(&conditional.aspects);
            sub_groups.extend(&conditional.sub_group_sizes);
            work_groups.extend(conditional.work_group_sizes.iter().cloned());
        }
    }
    for list in [&mut aspects, &mut sub_groups] {
        list.sort_unstable();
        list.dedup();
    }
    for aspect in aspects {
        result.add(device.has_aspect(aspect), || Missing::Aspect(Aspect(aspect)));
    }
    for size in sub_groups {
        result.add(device.has_sub_group_size(size), || Missing::sub_group_size(size));
    }
    for size in &work_groups {
        let size = size.iter().fold(1_u64, |product, size| product.saturating_mul((*size).into()));
        let limit = device.max_work_group_size;
        result.add(device.supports_work_group_size(size), || Missing::WorkGroupSize { size, limit });
    }
    Ok(result)
}

/// Returns the value of the condition of a whole module on a device, as far as it is known, and its text.
fn whole_condition(device: &Device, series: &[i32]) -> Result<(Option<bool>, String), ConditionError> {
    let condition = Expr::from_series(series)?;
    let text = condition.display(&DeviceNames).to_string();
    let met = match evaluate(&condition, &|leaf| device.truth(leaf))? {
        Truth::True => Some(true),
        Truth::False => Some(false),
        Truth::Unknown => None,
    };
    Ok((met, text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::property_sets::ConditionalRequirements;

    const FP16: u32 = 5;
    const FP64: u32 = 6;

    fn on(name: &str, requirements: &DeviceRequirements) -> Vec<Missing> {
        check_requirements(&Device::embedded(name).unwrap(), requirements).unwrap().missing
    }

    #[test]
    fn aspects() {
        let required = DeviceRequirements { aspects: vec![FP64, FP16], ..Default::default() };
        assert_eq!(on("intel_gpu_dg1", &required), [Missing::Aspect(Aspect(FP64))]);
        assert_eq!(on("intel_gpu_pvc", &required), []);
        let unknown = check_requirements(&Device::default(), &required).unwrap();
        assert_eq!(unknown.missing, [], "nothing is known");
    }

    #[test]
    fn conditional_aspects() {
        let conditional = vec![ConditionalRequirements {
            condition: vec![-2, 16],
            aspects: vec![FP64],
            ..Default::default()
        }];
        let required = DeviceRequirements { conditional, ..Default::default() };
        let dg1 = Device::embedded("intel_gpu_dg1").unwrap();
        assert_eq!(dg1.architecture, Some(16), "the number in the condition");
        assert_eq!(on("intel_gpu_dg1", &required), [Missing::Aspect(Aspect(FP64))]);
        assert_eq!(on("intel_gpu_tgllp", &required), [], "the condition does not hold");
        let conditional = vec![ConditionalRequirements { condition: vec![-4, -1], ..Default::default() }];
        let malformed = DeviceRequirements { conditional, ..Default::default() };
        assert!(
            check_requirements(&dg1, &malformed)
                .unwrap_err()
                .to_string()
                .starts_with("device requirements, condition 0")
        );
    }

    #[test]
    fn fixed_targets() {
        let target =
            |aspects| DeviceRequirements { fixed_targets: Some(aspects), ..DeviceRequirements::default() };
        let pvc = target(vec![0x10014]);
        assert_eq!(on("intel_gpu_dg1", &pvc), [Missing::FixedTargets(vec!["intel_gpu_pvc".to_owned()])]);
        assert_eq!(
            on("intel_gpu_dg1", &pvc)[0].to_string(),
            "it is compiled for `intel_gpu_pvc` only, and the device is another one"
        );
        assert_eq!(on("intel_gpu_pvc", &pvc), []);
        assert_eq!(
            on("intel_gpu_pvc", &target(vec![])),
            [Missing::FixedTargets(vec![])],
            "it runs on nothing"
        );
        let unknown = check_requirements(&Device::default(), &pvc).unwrap();
        assert_eq!(unknown.missing, [], "nothing is known");
    }

    #[test]
    fn sizes() {
        let required = DeviceRequirements { sub_group_sizes: vec![8, 16], ..Default::default() };
        assert_eq!(on("intel_gpu_pvc", &required), [Missing::sub_group_size(8)]);
        let work_group_sizes = vec![vec![64, 64, 1], vec![1024], vec![u32::MAX; 3]];
        let required = DeviceRequirements { work_group_sizes, ..Default::default() };
        let large = |size| Missing::WorkGroupSize { size, limit: Some(1024) };
        assert_eq!(on("nvidia_gpu_sm_80", &required), [large(4096), large(u64::MAX)]);
        let unlimited = Device { max_work_group_size: None, ..Device::embedded("nvidia_gpu_sm_80").unwrap() };
        let unknown = |size| Missing::WorkGroupSize { size, limit: None };
        let checked = check_requirements(&unlimited, &required).unwrap();
        assert_eq!((checked.missing, checked.unknown), (vec![], [4096, 1024, u64::MAX].map(unknown).into()));
    }
}
