//! Requirements of kernels against those of the functions that they call ("optional kernel features", "Error checking for
//! SYCL_EXTERNAL functions").

use std::collections::{BTreeMap, BTreeSet};

use super::aspects::Aspects;
use super::conditional::error::AnalysisError;
use super::context::Analyses;
use super::requirements::is_of_kernels;
use super::root_requirements::{DeviceRequirement, where_not_implied};
use crate::condition::{Condition, ConditionError, Conditions};
use crate::device::DeviceConfig;

/// The requirements that a kernel is expected to have: those that it declares, and those that its code uses.
pub struct Expectations<'a> {
    declared: Option<&'a BTreeSet<u32>>,
    used: BTreeMap<u32, Condition>,
    sub_group_size: Option<u32>,
}

impl<'a> Expectations<'a> {
    /// The expectations of the kernel with this function. `conditions` is a copy of the arena of the requirement summaries.
    ///
    /// # Errors
    /// If a condition is out of bounds, or what a function declares cannot be read.
    pub fn of(
        analyses: &'a Analyses,
        kernel: u32,
        conditions: &mut Conditions,
    ) -> Result<Expectations<'a>, AnalysisError> {
        let aspects = Aspects::get(is_of_kernels(analyses.module()));
        Ok(Expectations {
            declared: analyses.declared_aspects()?.of(kernel),
            used: aspects.of_summary(analyses.summaries()?.of(kernel), conditions)?,
            sub_group_size: sub_group_size(analyses, kernel),
        })
    }

    /// The aspects that the kernel declares; `None` if it has no such declaration.
    pub fn declared(&self) -> Option<&'a BTreeSet<u32>> {
        self.declared
    }

    /// The declared requirements of a function that the kernel calls where a condition holds, which the kernel neither
    /// declares nor uses there: aspects, in their order, each with the part of the condition that does not imply it; then
    /// the size of sub-groups.
    ///
    /// # Errors
    /// If a condition is out of bounds, or what a function declares cannot be read.
    pub fn exceeded_by(
        &self,
        analyses: &Analyses,
        function: u32,
        when: Condition,
        devices: &DeviceConfig,
        conditions: &mut Conditions,
    ) -> Result<Vec<(DeviceRequirement, Condition)>, AnalysisError> {
        let mut found = Vec::new();
        for &aspect in analyses.declared_aspects()?.of(function).into_iter().flatten() {
            if self.declared.is_some_and(|own| own.contains(&aspect)) {
                continue;
            }
            let left = self.where_not_used(aspect, when, conditions)?;
            let left = where_not_implied(conditions, Some(devices), left, aspect)?;
            if !left.is_false() {
                found.push((DeviceRequirement::Aspect(aspect), left));
            }
        }
        let size = sub_group_size(analyses, function);
        if let Some(size) = size.filter(|size| self.sub_group_size != Some(*size)) {
            found.push((DeviceRequirement::SubGroupSize(size), when));
        }
        Ok(found)
    }

    /// The part of a condition in which the kernel does not use an aspect.
    fn where_not_used(
        &self,
        aspect: u32,
        when: Condition,
        conditions: &mut Conditions,
    ) -> Result<Condition, ConditionError> {
        let used = self.used.get(&aspect).copied().unwrap_or(Condition::FALSE);
        let not_used = conditions.not(used)?;
        conditions.and(when, not_used)
    }
}

fn sub_group_size(analyses: &Analyses, function: u32) -> Option<u32> {
    analyses.sizes().get(function).and_then(|sizes| sizes.fixed_sub_group())
}
