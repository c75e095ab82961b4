//! Requirements in the property sets of an image that a device does not meet.

use std::collections::BTreeSet;

use super::compared_feature::ComparedFeature;
use super::verdict::is_met_where;
use super::{Compatibility, Missing, ModuleDeclarations};
use crate::analysis::DeviceRequirement;
use crate::collections::OrderedMap;
use crate::condition::{Expr, Truth, evaluate};
use crate::device::{Device, DeviceNames, capabilities};
use crate::metadata::property_sets::{ConditionalRequirements, DeviceRequirements};

/// Compares the requirements of an image with a device, in the order in which the design checks them
/// (docs/design/optional-kernel-features.md, "Changes to the DPC++ runtime"). A condition that cannot be evaluated is not known.
pub fn check_requirements(device: &Device, requirements: &DeviceRequirements) -> Compatibility {
    let mut result = Compatibility::default();
    let require = |feature: ComparedFeature, when: Truth, result: &mut Compatibility| {
        result.add(is_met_where(feature.is_supported(device), when), || feature.missing(device));
    };
    if let Some(targets) = &requirements.fixed_targets {
        require(ComparedFeature::Target(targets), Truth::True, &mut result);
    }
    if let Some(series) = &requirements.condition {
        let met = match truth(device, series) {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        };
        result.add(met, || Missing::Condition(text(series)));
    }
    let mut required = RequirementCollector::default();
    required.add(
        Truth::True,
        &requirements.aspects,
        &requirements.sub_group_sizes,
        &requirements.work_group_sizes,
    );
    for conditional in &requirements.conditional {
        let ConditionalRequirements { condition, aspects, sub_group_sizes, work_group_sizes } = conditional;
        required.add(truth(device, condition), aspects, sub_group_sizes, work_group_sizes);
    }
    for (required, when) in required.of_device {
        let feature = ComparedFeature::from_requirement(required);
        feature.into_iter().for_each(|feature| require(feature, when, &mut result));
    }
    for (size, when) in required.work_group_sizes {
        require(ComparedFeature::WorkGroupSize(size), when, &mut result);
    }
    result
}

/// Returns the aspects that a module requires on every device: those of unconditional declarations, and those that its
/// entry points use unconditionally. If property sets record an aspect, specializing counts it only if a result
/// requires it.
pub fn explained_aspects(
    declared: &ModuleDeclarations,
    used: impl IntoIterator<Item = u32>,
) -> BTreeSet<u32> {
    let of_kernels = declared.are_of_kernels();
    let declared = declared.capabilities.iter().filter(|(_, when)| *when == Expr::True);
    let declared = declared.flat_map(|(number, _)| capabilities::required_aspects(*number, of_kernels));
    let mut explained = BTreeSet::new();
    explained.extend(declared.chain(used));
    explained
}

/// The requirements of an image on a device, each once, with the value of its condition.
#[derive(Default)]
struct RequirementCollector {
    /// The aspects, then the sizes of sub-groups.
    of_device: OrderedMap<DeviceRequirement, Truth>,
    /// The numbers of work-items, in the order of the property.
    work_group_sizes: Vec<(u64, Truth)>,
}

impl RequirementCollector {
    fn add(&mut self, when: Truth, aspects: &[u32], sub_group_sizes: &[u32], work_group_sizes: &[Vec<u32>]) {
        let aspects = aspects.iter().map(|&aspect| DeviceRequirement::Aspect(aspect));
        let sub_groups = sub_group_sizes.iter().map(|&size| DeviceRequirement::SubGroupSize(size));
        for required in aspects.chain(sub_groups) {
            let known = self.of_device.entry(required).or_insert(when);
            *known = either(*known, when);
        }
        for size in work_group_sizes {
            let items = size.iter().fold(1_u64, |product, &size| product.saturating_mul(size.into()));
            match self.work_group_sizes.iter_mut().find(|(known, _)| *known == items) {
                Some((_, known)) => *known = either(*known, when),
                None => self.work_group_sizes.push((items, when)),
            }
        }
    }
}

/// Returns the value of the disjunction of two conditions.
fn either(one: Truth, other: Truth) -> Truth {
    match (one, other) {
        (Truth::True, _) | (_, Truth::True) => Truth::True,
        (Truth::False, Truth::False) => Truth::False,
        _ => Truth::Unknown,
    }
}

/// Returns the value of a condition on a device.
fn truth(device: &Device, series: &[i32]) -> Truth {
    let value = |condition: Expr| evaluate(&condition, &|leaf| device.truth(leaf));
    Expr::from_series(series).and_then(value).unwrap_or(Truth::Unknown)
}

/// Returns the text of a condition.
fn text(series: &[i32]) -> String {
    match Expr::from_series(series) {
        Ok(condition) => condition.display(&DeviceNames).to_string(),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compatibility::Verdict;
    use crate::device::Aspect;

    const FP16: u32 = 5;
    const FP64: u32 = 6;

    fn on(name: &str, requirements: &DeviceRequirements) -> Vec<Missing> {
        check_requirements(&Device::embedded(name).unwrap(), requirements).missing
    }

    #[test]
    fn aspects() {
        let required = DeviceRequirements { aspects: vec![FP64, FP16], ..Default::default() };
        assert_eq!(on("intel_gpu_dg1", &required), [Missing::Aspect(Aspect(FP64))]);
        assert_eq!(on("intel_gpu_pvc", &required), []);
        let unknown = check_requirements(&Device::default(), &required);
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
        let unknown = check_requirements(&Device::default(), &required);
        assert_eq!((unknown.missing, unknown.unknown), (vec![], vec![Missing::Aspect(Aspect(FP64))]));
        let twice = DeviceRequirements { aspects: vec![FP64], ..required };
        assert_eq!(on("intel_gpu_dg1", &twice), [Missing::Aspect(Aspect(FP64))]);
        let malformed = DeviceRequirements { condition: Some(vec![-4, -1]), ..Default::default() };
        assert_eq!(check_requirements(&dg1, &malformed).verdict(), Verdict::NotKnown);
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
        let unknown = check_requirements(&Device::default(), &pvc);
        assert_eq!(unknown.missing, [], "nothing is known");
    }

    #[test]
    fn sizes() {
        let required = DeviceRequirements { sub_group_sizes: vec![8, 16], ..Default::default() };
        let has = vec![16, 32];
        assert_eq!(on("intel_gpu_pvc", &required), [Missing::SubGroupSize { size: 8, has }]);
        let work_group_sizes = vec![vec![64, 64, 1], vec![1024], vec![u32::MAX; 3]];
        let required = DeviceRequirements { work_group_sizes, ..Default::default() };
        let large = |size| Missing::WorkGroupSize { size, limit: Some(1024) };
        assert_eq!(on("nvidia_gpu_sm_80", &required), [large(4096), large(u64::MAX)]);
        let device = Device::embedded("nvidia_gpu_sm_80").unwrap();
        let unlimited = device.with_facts(|facts| facts.max_work_group_size = None);
        let unknown = |size| Missing::WorkGroupSize { size, limit: None };
        let checked = check_requirements(&unlimited, &required);
        assert_eq!((checked.missing, checked.unknown), (vec![], [4096, 1024, u64::MAX].map(unknown).into()));
    }
}
