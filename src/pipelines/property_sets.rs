//! The property sets of a packed module.

use std::collections::HashSet;

use crate::analysis::conditions::multi_target::declares_extension;
use crate::condition::{ConditionError, Leaf};
use crate::loader::Module;
use crate::metadata::property_sets::{
    DEVICE_REQUIREMENTS, DeviceRequirements, PropertyError, PropertyNames, PropertySets, SPECIAL_CONSTANTS,
    SpecialConstants,
};
use crate::transform::pack::PackResult;

/// The property sets of a packed module: the specialization constants that a runtime sets ("SYCL/special specialization constants"), and
/// the requirements of the module ("SYCL/device requirements").
///
/// # Errors
/// If a condition has no series. Conditions from [`pack`](crate::transform::pack::pack) always have one.
pub fn property_sets(packed: &PackResult, names: PropertyNames) -> Result<PropertySets, ConditionError> {
    Ok(sets_of_leaves(&packed.leaves, &packed.requirements.to_requirements(names)?, names))
}

/// Returns the property sets of a module with requirements and with specialization constants for leaves.
pub fn sets_of_leaves(
    leaves: &[(u32, Leaf)],
    requirements: &DeviceRequirements,
    names: PropertyNames,
) -> PropertySets {
    let constants = SpecialConstants::new(leaves.iter().copied());
    let mut sets = PropertySets::default();
    if constants != SpecialConstants::default() {
        sets.put(constants.to_set());
    }
    sets.put(requirements.to_set(names));
    sets
}

/// Adds the condition of a whole module, and the targets that it is compiled for, from its previous property sets. Code that names its
/// targets has told them already.
fn with_whole(
    mut sets: PropertySets,
    before: &PropertySets,
    names: PropertyNames,
) -> Result<PropertySets, PropertyError> {
    let read =
        |sets: &PropertySets| sets.get(DEVICE_REQUIREMENTS).map(DeviceRequirements::from_set).transpose();
    let DeviceRequirements { condition, fixed_targets, .. } = read(before)?.unwrap_or_default();
    if condition.is_some() || fixed_targets.is_some() {
        let mut requirements = read(&sets)?.unwrap_or_default();
        requirements.condition = condition;
        requirements.fixed_targets = requirements.fixed_targets.or(fixed_targets);
        sets.put(requirements.to_set(names));
    }
    Ok(sets)
}

/// Returns the property sets of a module that was multi-target before it was packed: its previous sets (`before`), and the sets that
/// packing adds (`packed`, from [`property_sets`]). Existing constants keep their meaning, and the requirements remain. If the module was
/// not multi-target, its requirements are computed again.
///
/// # Errors
/// If one of the previous sets is malformed.
pub fn carry_over(
    module: &Module,
    before: &PropertySets,
    packed: PropertySets,
    names: PropertyNames,
) -> Result<PropertySets, PropertyError> {
    if !declares_extension(module) {
        return with_whole(packed, before, names);
    }
    let constants = |sets: &PropertySets| {
        sets.get(SPECIAL_CONSTANTS).map_or(Ok(SpecialConstants::default()), SpecialConstants::from_set)
    };
    let requirements = |sets: &PropertySets| {
        sets.get(DEVICE_REQUIREMENTS).map_or(Ok(DeviceRequirements::default()), DeviceRequirements::from_set)
    };
    let (mut all, new) = (constants(before)?, constants(&packed)?);
    // Other constants in the file are not those of this module, and new ones may have taken their SpecIds.
    let spec_ids: HashSet<u32> = module.spec_ids().map(|constant| constant.spec_id()).collect();
    let anew: HashSet<u32> = new.leaves().map(|(spec_id, _)| spec_id).collect();
    all.retain(|spec_id| spec_ids.contains(&spec_id) && !anew.contains(&spec_id));
    all.extend(new.leaves());
    let (mut required, new) = (requirements(before)?, requirements(&packed)?);
    for (list, new) in
        [(&mut required.aspects, new.aspects), (&mut required.sub_group_sizes, new.sub_group_sizes)]
    {
        list.extend(new);
        list.sort_unstable();
        list.dedup();
    }
    for size in new.work_group_sizes {
        if !required.work_group_sizes.contains(&size) {
            required.work_group_sizes.push(size);
        }
    }
    for conditional in new.conditional {
        if !required.conditional.contains(&conditional) {
            required.conditional.push(conditional);
        }
    }
    let mut sets = before.clone();
    sets.put(all.to_set());
    sets.put(required.to_set(names));
    Ok(sets)
}
