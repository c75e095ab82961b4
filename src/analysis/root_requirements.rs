//! The requirements of entry points and functions on a device besides capabilities and extensions, each under its condition: the aspects
//! that they use and declare, and the sizes of work-groups and sub-groups.
//!
//! All commands take them from here (docs/design/optional-kernel-features.md, "Changes to the device code split algorithm";
//! docs/design/device-if.md, "Simplification of conditionally used aspects").

use std::collections::BTreeSet;

use super::aspects::Aspects;
use super::conditional::error::AnalysisError;
use super::context::Analyses;
use super::entry_points::sizes::{SUB_GROUP_SIZE, Sizes};
use super::references::summaries::RequirementSummary;
use super::requirements::{Requirement, RequirementId, is_of_kernels};
use super::roots::ModuleRoot;
use super::sycl::declared_aspects::DEVICE_HAS;
use super::sycl::properties::{SyclProperties, USED_ASPECTS, WORK_GROUP_SIZE};
use crate::collections::{IdMap, OrderedMap, sort};
use crate::condition::{ConditionError, ConditionId, Conditions, Expr, Leaf};
use crate::device::{Device, DeviceConfig, architectures, capabilities};
use crate::loader::Module;
use crate::metadata::property_sets::{ConditionalRequirements, DeviceRequirements, PropertyNames};

/// A requirement on a device besides the capabilities and extensions that a module declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DeviceRequirement {
    /// An aspect.
    Aspect(u32),
    /// Sub-groups with this number of work-items.
    SubGroupSize(u32),
    /// Work-groups of a size.
    WorkGroupSize(WorkGroupSize),
}

/// A required size of work-groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkGroupSize {
    /// The work-items in each dimension, in the order of LocalSize.
    pub dimensions: [u32; 3],
    /// The number of dimensions of the SYCL property that requires it, if one does. That has the dimension first that varies slowest.
    pub of_property: Option<u8>,
}

impl WorkGroupSize {
    /// Returns the size that a property set lists.
    pub fn from_listed(sizes: &[u32]) -> WorkGroupSize {
        let mut dimensions = [1; 3];
        dimensions.iter_mut().zip(sizes.iter().rev()).for_each(|(dimension, &size)| *dimension = size);
        WorkGroupSize { dimensions, of_property: u8::try_from(sizes.len()).ok() }
    }

    /// Returns the size as property sets list it: with the dimensions and the order of the attribute
    /// (docs/design/optional-kernel-features.md, "Create the "SYCL/device requirements" property set"). Without a property, LocalSize comes
    /// from OpenCL's attribute, which has three dimensions. DPC++ does not have that attribute, and would write only the used dimensions.
    fn to_listed(self, names: PropertyNames) -> Vec<u32> {
        let counts = || self.dimensions.iter().rposition(|&size| size != 1).map_or(1, |last| last + 1);
        let of_property = self.of_property.map(usize::from).filter(|&count| (counts()..=3).contains(&count));
        match (of_property, names) {
            (None, PropertyNames::Design) => self.dimensions.to_vec(),
            (count, _) => {
                let count = count.unwrap_or_else(counts);
                self.dimensions[..count].iter().rev().copied().collect()
            }
        }
    }
}

/// The requirements of a root on a device, each with its condition, in the arena that was passed in.
#[derive(Clone, Debug, Default)]
pub struct RootRequirements {
    /// The aspects that the code of the root and of its callees uses.
    pub used: IdMap<ConditionId>,
    /// The declared requirements of the root and of the functions that it calls: aspects, and the sizes of sub-groups and work-groups,
    /// unless the compiler or the host chooses these.
    pub declared: OrderedMap<DeviceRequirement, ConditionId>,
}

impl RootRequirements {
    /// Returns the requirements of a root. `summary` is the requirement summary of its code. `conditions` is a copy of the arena of the
    /// module's summaries.
    ///
    /// # Errors
    /// If a condition is out of bounds, or a function's declarations cannot be read.
    pub fn of_root(
        analyses: &Analyses,
        root: ModuleRoot,
        summary: &RequirementSummary,
        conditions: &mut Conditions,
    ) -> Result<RootRequirements, AnalysisError> {
        let used = Aspects::get(is_of_kernels(analyses.module())).implied_by_summary(summary, conditions)?;
        let declared = RootRequirements::declared_by(analyses, root, conditions)?;
        Ok(RootRequirements { used, declared })
    }

    /// Returns the arena for the conditions of declared requirements. Called functions are visited only if they declare any.
    ///
    /// # Errors
    /// If conditional code is malformed, or a function's declarations cannot be read.
    pub fn conditions(analyses: &Analyses) -> Result<Conditions, AnalysisError> {
        match analyses.declared_when_called()? || !analyses.multi_target()?.is_empty() {
            true => Ok(analyses.summaries()?.conditions.clone()),
            false => Ok(Conditions::new()),
        }
    }

    /// Returns the declared requirements of a root and of the functions that it calls. `conditions` are [`RootRequirements::conditions`],
    /// or a copy of the arena of the module's requirement summaries.
    ///
    /// # Errors
    /// If a condition is out of bounds, or a function's declarations cannot be read.
    pub fn declared_by(
        analyses: &Analyses,
        root: ModuleRoot,
        conditions: &mut Conditions,
    ) -> Result<OrderedMap<DeviceRequirement, ConditionId>, AnalysisError> {
        let (declared, sizes) = (analyses.declared_aspects()?, analyses.sizes());
        let mut required = OrderedMap::new();
        if declared.is_empty() && sizes.is_empty() {
            return Ok(required);
        }
        let existence = match root.decided_by() {
            Some(_) => root.existence(analyses.summaries()?, conditions)?,
            None => ConditionId::TRUE,
        };
        let reached = match analyses.declared_when_called()? {
            true => analyses.summaries()?.reached_when(root.function(), conditions)?,
            false => IdMap::from([(root.function(), ConditionId::TRUE)]),
        };
        for (function, when) in reached {
            let function_sizes = sizes.get(function).copied().unwrap_or_default();
            let work_group =
                function_sizes.work_group.filter(|size| !size.specializable && function == root.function());
            let of_function = declared
                .aspects(function)
                .into_iter()
                .flatten()
                .map(|&aspect| DeviceRequirement::Aspect(aspect));
            let sub_group = function_sizes.fixed_sub_group().map(DeviceRequirement::SubGroupSize);
            let work_group = work_group.map(|size| {
                let lowered = analyses.annotated().work_group_dimensions.get(&function).copied();
                let of_property = size.of_property.or(lowered);
                DeviceRequirement::WorkGroupSize(WorkGroupSize { dimensions: size.dimensions, of_property })
            });
            let when = conditions.and(when, existence)?;
            for requirement in of_function.chain(sub_group).chain(work_group) {
                join(required.entry(requirement).or_insert(ConditionId::FALSE), when, conditions)?;
            }
        }
        Ok(required)
    }

    /// Returns all requirements, used and declared.
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn all(
        &self,
        conditions: &mut Conditions,
    ) -> Result<OrderedMap<DeviceRequirement, ConditionId>, ConditionError> {
        let mut all = self.declared.clone();
        for (&aspect, &when) in &self.used {
            join(
                all.entry(DeviceRequirement::Aspect(aspect)).or_insert(ConditionId::FALSE),
                when,
                conditions,
            )?;
        }
        Ok(all)
    }
}

/// Returns the requirements of each root under no condition, in the order of [`ModuleRoot::all`].
///
/// # Errors
/// If the declared requirements of functions cannot be read, or a condition is out of bounds.
pub fn unconditional(analyses: &Analyses) -> Result<Vec<Box<[DeviceRequirement]>>, AnalysisError> {
    // Only annotations and properties name uses of code that are not in its instructions.
    let is_annotated = !analyses.annotated().is_empty() || analyses.may_declare_aspects();
    let of_root = |root: ModuleRoot| {
        let required = if is_annotated {
            let summaries = analyses.summaries()?;
            let (summary, mut conditions) = (root.summary(summaries), summaries.conditions.clone());
            RootRequirements::of_root(analyses, root, &summary, &mut conditions)?.all(&mut conditions)?
        } else {
            RootRequirements::declared_by(analyses, root, &mut RootRequirements::conditions(analyses)?)?
        };
        Ok(required.into_iter().filter(|(_, when)| when.is_true()).map(|(need, _)| need).collect())
    };
    ModuleRoot::all(analyses).into_iter().map(of_root).collect()
}

/// Returns true if functions of a module may declare sizes or aspects, by the instructions before them.
pub fn may_declare(head: &Module) -> bool {
    let properties = SyclProperties::read(head, &IdMap::new());
    !Sizes::read(head, &properties).is_empty()
        || properties.any_has(&[DEVICE_HAS, USED_ASPECTS, SUB_GROUP_SIZE, WORK_GROUP_SIZE])
}

/// Adds a condition under which a requirement holds.
///
/// # Errors
/// If the condition is out of bounds.
pub fn join(
    joined: &mut ConditionId,
    when: ConditionId,
    conditions: &mut Conditions,
) -> Result<(), ConditionError> {
    *joined = conditions.or(*joined, when)?;
    Ok(())
}

/// The requirements on a device in the form of the property set: unconditional ones, and others by condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SimplifiedRequirements {
    /// Unconditional requirements.
    pub always: BTreeSet<DeviceRequirement>,
    /// Requirements by condition, in canonical form; no condition implies an aspect that it requires.
    pub conditional: Vec<(Expr, Vec<DeviceRequirement>)>,
}

impl SimplifiedRequirements {
    /// Simplifies conditional requirements: an aspect is not listed for devices that have it anyway
    /// (docs/design/device-if.md, "Simplification of conditionally used aspects").
    ///
    /// # Errors
    /// If a condition is out of bounds.
    pub fn new(
        required: OrderedMap<DeviceRequirement, ConditionId>,
        conditions: &mut Conditions,
        devices: Option<&DeviceConfig>,
    ) -> Result<SimplifiedRequirements, ConditionError> {
        let mut simplified = SimplifiedRequirements::default();
        let mut conditional: OrderedMap<ConditionId, Vec<DeviceRequirement>> = OrderedMap::new();
        for (requirement, condition) in required {
            // A runtime does not know the meaning of constants without a property.
            let mut condition = conditions.without_constants(condition)?;
            if let DeviceRequirement::Aspect(aspect) = requirement {
                condition = where_not_implied(conditions, devices, condition, aspect)?;
            }
            if condition.is_true() {
                simplified.always.insert(requirement);
            } else if !condition.is_false() {
                conditional.entry(condition).or_default().push(requirement);
            }
        }
        for (condition, required) in conditional {
            simplified.conditional.push((conditions.expr_of(condition)?, required));
        }
        sort(&mut simplified.conditional);
        Ok(simplified)
    }

    /// Returns the requirements as a property set with these names.
    ///
    /// # Errors
    /// If a condition has no series: none that [`SimplifiedRequirements::new`] gives.
    pub fn to_requirements(&self, names: PropertyNames) -> Result<DeviceRequirements, ConditionError> {
        let mut requirements = DeviceRequirements::default();
        for requirement in &self.always {
            let DeviceRequirements { aspects, sub_group_sizes, work_group_sizes, .. } = &mut requirements;
            list(*requirement, names, (aspects, sub_group_sizes, work_group_sizes));
        }
        for (condition, required) in &self.conditional {
            let mut part = ConditionalRequirements {
                condition: condition.to_series()?,
                ..ConditionalRequirements::default()
            };
            for requirement in required {
                let ConditionalRequirements { aspects, sub_group_sizes, work_group_sizes, .. } = &mut part;
                list(*requirement, names, (aspects, sub_group_sizes, work_group_sizes));
            }
            requirements.conditional.push(part);
        }
        Ok(requirements)
    }
}

/// Adds a requirement to the list of its kind.
fn list(
    requirement: DeviceRequirement,
    names: PropertyNames,
    (aspects, sub_groups, work_groups): (&mut Vec<u32>, &mut Vec<u32>, &mut Vec<Vec<u32>>),
) {
    match requirement {
        DeviceRequirement::Aspect(aspect) => aspects.push(aspect),
        DeviceRequirement::SubGroupSize(size) => sub_groups.push(size),
        DeviceRequirement::WorkGroupSize(size) => {
            // A property and a mode may require the same.
            let size = size.to_listed(names);
            if !work_groups.contains(&size) {
                work_groups.push(size);
            }
        }
    }
}

/// Returns the part of a condition that does not imply an aspect required under it. The result is false if every device on which the
/// condition holds has the aspect, because the condition or one of its architectures implies it.
///
/// # Errors
/// If a condition is out of bounds.
pub fn where_not_implied(
    conditions: &mut Conditions,
    devices: Option<&DeviceConfig>,
    condition: ConditionId,
    aspect: u32,
) -> Result<ConditionId, ConditionError> {
    if condition.is_true() || condition.is_false() {
        return Ok(condition);
    }
    let capability = capabilities::exactly(aspect);
    let left = conditions.restrict(condition, &|leaf| match leaf {
        Leaf::Aspect(leaf_aspect) if leaf_aspect == aspect => Some(false),
        Leaf::Capability(leaf_capability) if Some(leaf_capability) == capability => Some(false),
        Leaf::Architecture(architecture) if has_aspect(devices, architecture, aspect) => Some(false),
        _ => None,
    })?;
    // A condition on the absence of the aspect is kept as it was written.
    Ok(if conditions.implies(left, condition)? { left } else { condition })
}

/// Returns true if every device on which a condition holds meets a requirement, because the condition or one of its architectures implies it.
///
/// # Errors
/// If a condition is out of bounds.
pub fn promises(
    conditions: &mut Conditions,
    devices: Option<&DeviceConfig>,
    condition: ConditionId,
    required: RequirementId,
    of_kernels: bool,
) -> Result<bool, ConditionError> {
    if condition.is_true() {
        return Ok(false);
    }
    if let Requirement::Capabilities(any) = required.get() {
        let without = conditions.restrict(condition, &|leaf| match leaf {
            Leaf::Capability(leaf_capability) if any.contains(&leaf_capability) => Some(false),
            _ => None,
        })?;
        if without.is_false() {
            return Ok(true);
        }
    }
    if let Requirement::Extensions(any) = required.get() {
        let without = conditions.restrict(condition, &|leaf| match leaf {
            Leaf::Extension(extension) if any.iter().any(|name| *name == extension.as_str()) => Some(false),
            _ => None,
        })?;
        if without.is_false() {
            return Ok(true);
        }
    }
    for &aspect in Aspects::get(of_kernels).implied(required) {
        if where_not_implied(conditions, devices, condition, aspect)?.is_false() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_aspect(devices: Option<&DeviceConfig>, architecture: u32, aspect: u32) -> bool {
    let name = architectures::by_value(architecture).map(|architecture| architecture.name);
    let has = |device: &Device| device.has_aspect(aspect) == Some(true);
    name.is_some_and(|name| match devices {
        Some(devices) => devices.get(name).is_ok_and(has),
        None => Device::embedded(name).is_ok_and(|device| has(&device)),
    })
}
