//! The property sets of a packed module.

use crate::condition::{ConditionError, Leaf};
use crate::properties::{
    ConditionalAspects, DeviceRequirements, PropertyNames, PropertySets, SpecialConstants,
};
use crate::transform::pack::Packed;

/// What a runtime must know of a packed module: which specialization constants to set ("SYCL/special specialization
/// constants"), and which aspects the module needs ("SYCL/device requirements").
///
/// # Errors
/// Where a condition has no series: none that [`pack`](crate::transform::pack::pack) gives.
pub fn property_sets(packed: &Packed, names: PropertyNames) -> Result<PropertySets, ConditionError> {
    let mut constants = SpecialConstants::default();
    for &(spec_id, leaf) in &packed.leaves {
        match leaf {
            Leaf::Aspect(number) => constants.aspects.push((spec_id, number)),
            Leaf::Architecture(number) => constants.architectures.push((spec_id, number)),
            Leaf::Capability(number) => constants.capabilities.push((spec_id, number)),
            // Constants that the module had before are none of ours.
            Leaf::Constant(_) => {}
        }
    }
    let mut requirements =
        DeviceRequirements { aspects: packed.aspects.clone(), ..DeviceRequirements::default() };
    for (condition, aspects) in &packed.conditional_aspects {
        let condition = condition.to_series()?;
        requirements.conditional.push(ConditionalAspects { condition, aspects: aspects.clone() });
    }
    let mut sets = PropertySets::default();
    if constants != SpecialConstants::default() {
        sets.put(constants.to_set());
    }
    sets.put(requirements.to_set(names));
    Ok(sets)
}
