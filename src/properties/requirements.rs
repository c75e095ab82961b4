//! The set [`DEVICE_REQUIREMENTS`].

use super::{DEVICE_REQUIREMENTS, Property, PropertyError, PropertySet};

const CONDITION: &str = "condition-";
const CONDITIONAL_ASPECTS: &str = "conditional-aspects-";

/// Whose names of the properties are written. Both are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PropertyNames {
    /// The seed's: `aspect`.
    #[default]
    Design,
    /// What DPC++ came to use: `aspects`.
    Dpcpp,
}

impl PropertyNames {
    fn aspects(self) -> &'static str {
        match self {
            PropertyNames::Design => "aspect",
            PropertyNames::Dpcpp => "aspects",
        }
    }
}

/// What a device must have for an image to run on it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceRequirements {
    /// The aspects that are needed in any case.
    pub aspects: Vec<u32>,
    /// Aspects that are needed under conditions.
    pub conditional: Vec<ConditionalAspects>,
    /// The other properties, such as [`DeviceRequirements::SUB_GROUP_SIZE`], as they are.
    pub other: Vec<(String, Property)>,
}

/// Aspects that are needed where a condition holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ConditionalAspects {
    /// The condition expression (int32 series).
    pub condition: Vec<i32>,
    /// The aspects.
    pub aspects: Vec<u32>,
}

impl DeviceRequirements {
    /// uint32 array: sub-group sizes of which the device must support all.
    pub const SUB_GROUP_SIZE: &str = "reqd_sub_group_size";
    /// uint32 array: the number of dimensions, then the size in each. DPC++ leaves the number out.
    pub const WORK_GROUP_SIZE: &str = "reqd_work_group_size";
    /// uint32 array: aspects of targets, one of which the device must be.
    pub const FIXED_TARGET: &str = "fixed_target";

    /// The elements of the array among the [`other`](Self::other) properties that has this name; none without it.
    pub fn array(&self, name: &str) -> Result<Vec<u32>, PropertyError> {
        let set = PropertySet { name: DEVICE_REQUIREMENTS.to_owned(), properties: Vec::new() };
        let property = self.other.iter().find(|property| property.0 == name);
        property.map_or(Ok(Vec::new()), |(name, property)| set.u32s(name, property))
    }

    /// The set. Conditional aspects are numbered from 0 on.
    pub fn to_set(&self, names: PropertyNames) -> PropertySet {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        set.push(names.aspects(), Property::from_u32s(&self.aspects));
        set.properties.extend(self.other.iter().cloned());
        for (number, conditional) in self.conditional.iter().enumerate() {
            set.push(format!("{CONDITION}{number}"), Property::from_i32s(&conditional.condition));
            set.push(format!("{CONDITIONAL_ASPECTS}{number}"), Property::from_u32s(&conditional.aspects));
        }
        set
    }

    /// Reads the set. Conditional aspects come in the order of their conditions.
    pub fn from_set(set: &PropertySet) -> Result<DeviceRequirements, PropertyError> {
        let mut requirements = DeviceRequirements::default();
        for (name, property) in &set.properties {
            if [PropertyNames::Design, PropertyNames::Dpcpp].iter().any(|names| names.aspects() == name) {
                requirements.aspects.extend(set.u32s(name, property)?);
            } else if let Some(number) = name.strip_prefix(CONDITION) {
                let partner = format!("{CONDITIONAL_ASPECTS}{number}");
                let aspects =
                    set.get(&partner).ok_or_else(|| set.error(name, "no conditional-aspects go with it"))?;
                requirements.conditional.push(ConditionalAspects {
                    condition: property
                        .as_i32s()
                        .ok_or_else(|| set.error(name, "not an array of 32-bit integers"))?,
                    aspects: set.u32s(&partner, aspects)?,
                });
            } else if let Some(number) = name.strip_prefix(CONDITIONAL_ASPECTS) {
                if set.get(&format!("{CONDITION}{number}")).is_none() {
                    return Err(set.error(name, "no condition goes with it"));
                }
            } else {
                requirements.other.push((name.clone(), property.clone()));
            }
        }
        Ok(requirements)
    }
}
