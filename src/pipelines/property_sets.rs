//! The property sets of a packed module.

use std::collections::HashSet;

use crate::analysis::conditions::multi_target::declares_extension;
use crate::compatibility::{ModuleDeclarations, explained_aspects};
use crate::condition::{ConditionError, Leaf};
use crate::loader::Module;
use crate::metadata::property_sets::{
    DeviceRequirements, PropertyError, PropertyNames, PropertySets, SPECIAL_CONSTANTS, SpecialConstants,
};
use crate::transform::pack::PackResult;

/// Returns the property sets of a packed module: the specialization constants that a runtime sets ("SYCL/special specialization constants"), and
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

/// Adds the requirements in the previous property sets of a module that its code does not explain to those that packing computes from code.
fn with_recorded(
    module: &Module,
    before: &PropertySets,
    mut packed: PropertySets,
    names: PropertyNames,
) -> Result<PropertySets, PropertyError> {
    if let Some(before) = DeviceRequirements::from_properties(before)? {
        let mut requirements = DeviceRequirements::from_properties(&packed)?.unwrap_or_default();
        let used = requirements.aspects.iter().copied();
        let explained = explained_aspects(&ModuleDeclarations::as_is(module), used);
        requirements.join(before.without_aspects(&explained));
        packed.put(requirements.to_set(names));
    }
    Ok(packed)
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
        return with_recorded(module, before, packed, names);
    }
    let constants = |sets: &PropertySets| {
        sets.get(SPECIAL_CONSTANTS).map_or(Ok(SpecialConstants::default()), SpecialConstants::from_set)
    };
    let (mut all, new) = (constants(before)?, constants(&packed)?);
    // Other constants in the file are not those of this module, and new ones may have taken their SpecIds.
    let spec_ids: HashSet<u32> = module.spec_ids().map(|constant| constant.spec_id()).collect();
    let anew: HashSet<u32> = new.leaves().map(|(spec_id, _)| spec_id).collect();
    all.retain(|spec_id| spec_ids.contains(&spec_id) && !anew.contains(&spec_id));
    all.extend(new.leaves());
    let mut required = DeviceRequirements::from_properties(before)?.unwrap_or_default();
    required.join(DeviceRequirements::from_properties(&packed)?.unwrap_or_default());
    let mut sets = before.clone();
    sets.put(all.to_set());
    sets.put(required.to_set(names));
    Ok(sets)
}
