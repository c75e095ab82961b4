//! The set [`DEVICE_REQUIREMENTS`].

use super::{DEVICE_REQUIREMENTS, Property, PropertyError, PropertySet};
use crate::condition::Expr;

const SUB_GROUP_SIZE: &str = "reqd_sub_group_size";
const WORK_GROUP_SIZE: &str = "reqd_work_group_size";
const FIXED_TARGET: &str = "fixed_target";
const CONDITION: &str = "condition-";
const CONDITIONAL_ASPECTS: &str = "conditional-aspects-";
// Ours: the design has only aspects under conditions.
const CONDITIONAL_SUB_GROUP_SIZE: &str = "conditional-reqd_sub_group_size-";
const CONDITIONAL_WORK_GROUP_SIZE: &str = "conditional-reqd_work_group_size-";

/// A work-group has so many dimensions at most.
const DIMENSIONS: usize = 3;

/// The spelling of the properties when written. Both are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PropertyNames {
    /// The design's: `aspect`, and work-group sizes after the number of their dimensions.
    #[default]
    Design,
    /// DPC++'s: `aspects`, and the dimensions of one work-group size alone.
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

/// The requirements of an image on a device (docs/design/optional-kernel-features.md, "Create the "SYCL/device requirements"
/// property set"; of the conditional aspects docs/design/device-if.md, "New properties and property sets").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DeviceRequirements {
    /// The aspects that are required in any case.
    pub aspects: Vec<u32>,
    /// Sub-group sizes, in work-items, of which the device must support all.
    pub sub_group_sizes: Vec<u32>,
    /// Work-group sizes, of which the device must support all: each one to three dimensions, in work-items.
    pub work_group_sizes: Vec<Vec<u32>>,
    /// The aspects of targets ([`of_architecture`](crate::device::aspects::of_architecture)) of which the device must have
    /// one; `None` if any device may do. Where this is empty, none does.
    pub fixed_targets: Option<Vec<u32>>,
    /// The requirements under conditions.
    pub conditional: Vec<Conditional>,
    /// Properties that we do not know, as they are.
    pub other: Vec<(String, Property)>,
}

/// The requirements where a condition holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Conditional {
    /// The condition expression (int32 series).
    pub condition: Vec<i32>,
    /// The aspects.
    pub aspects: Vec<u32>,
    /// Sub-group sizes, in work-items, of which the device must support all.
    pub sub_group_sizes: Vec<u32>,
    /// Work-group sizes, of which the device must support all.
    pub work_group_sizes: Vec<Vec<u32>>,
}

impl DeviceRequirements {
    /// The set. Conditional aspects are numbered from 0 on.
    ///
    /// The aspects are always there: their name tells the spelling. Several work-group sizes have no spelling in DPC++, and
    /// are written as the design has them.
    pub fn to_set(&self, names: PropertyNames) -> PropertySet {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        set.push(names.aspects(), Property::from_u32s(&self.aspects));
        if !self.sub_group_sizes.is_empty() {
            set.push(SUB_GROUP_SIZE, Property::from_u32s(&self.sub_group_sizes));
        }
        let counted = |size: &Vec<u32>| [&[size.len() as u32], &size[..]].concat();
        match (&self.work_group_sizes[..], names) {
            ([], _) => {}
            ([size], PropertyNames::Dpcpp) => set.push(WORK_GROUP_SIZE, Property::from_u32s(size)),
            (sizes, _) => {
                let words: Vec<u32> = sizes.iter().flat_map(counted).collect();
                set.push(WORK_GROUP_SIZE, Property::from_u32s(&words));
            }
        }
        if let Some(targets) = &self.fixed_targets {
            set.push(FIXED_TARGET, Property::from_u32s(targets));
        }
        for (number, conditional) in self.conditional.iter().enumerate() {
            set.push(format!("{CONDITION}{number}"), Property::from_i32s(&conditional.condition));
            set.push(format!("{CONDITIONAL_ASPECTS}{number}"), Property::from_u32s(&conditional.aspects));
            if !conditional.sub_group_sizes.is_empty() {
                let sizes = Property::from_u32s(&conditional.sub_group_sizes);
                set.push(format!("{CONDITIONAL_SUB_GROUP_SIZE}{number}"), sizes);
            }
            if !conditional.work_group_sizes.is_empty() {
                let words: Vec<u32> = conditional.work_group_sizes.iter().flat_map(counted).collect();
                set.push(format!("{CONDITIONAL_WORK_GROUP_SIZE}{number}"), Property::from_u32s(&words));
            }
        }
        set.properties.extend(self.other.iter().cloned());
        set
    }

    /// Reads the set, in either spelling. Conditional aspects come in the order of their conditions.
    ///
    /// # Errors
    /// [`PropertyError::Value`] where a property does not have the form that its name requires.
    pub fn from_set(set: &PropertySet) -> Result<DeviceRequirements, PropertyError> {
        let [design, dpcpp] = [PropertyNames::Design, PropertyNames::Dpcpp].map(PropertyNames::aspects);
        if set.get(design).is_some() && set.get(dpcpp).is_some() {
            return Err(set.error(dpcpp, format!("`{design}` is here too, with the same meaning")));
        }
        let mut requirements = DeviceRequirements::default();
        for (name, property) in &set.properties {
            match name.as_str() {
                name if name == design || name == dpcpp => requirements.aspects = set.u32s(name, property)?,
                SUB_GROUP_SIZE => requirements.sub_group_sizes = set.u32s(name, property)?,
                WORK_GROUP_SIZE => {
                    let words = set.u32s(name, property)?;
                    requirements.work_group_sizes = match set.get(dpcpp) {
                        Some(_) => plain(&words).or_else(|| counted(&words)),
                        None => counted(&words).or_else(|| plain(&words)),
                    }
                    .ok_or_else(|| {
                        set.error(
                            name,
                            "neither series of a number from 1 to 3 and so many sizes, nor up to three sizes",
                        )
                    })?;
                }
                FIXED_TARGET => requirements.fixed_targets = Some(set.u32s(name, property)?),
                _ => {
                    if let Some(number) = name.strip_prefix(CONDITION) {
                        requirements.conditional.push(conditional(set, name, property, number)?);
                    } else if let Some(number) =
                        [CONDITIONAL_ASPECTS, CONDITIONAL_SUB_GROUP_SIZE, CONDITIONAL_WORK_GROUP_SIZE]
                            .iter()
                            .find_map(|prefix| name.strip_prefix(prefix))
                    {
                        let partner = format!("{CONDITION}{number}");
                        if set.get(&partner).is_none() {
                            return Err(set.error(name, format!("the matching `{partner}` is missing")));
                        }
                    } else {
                        requirements.other.push((name.clone(), property.clone()));
                    }
                }
            }
        }
        Ok(requirements)
    }
}

fn conditional(
    set: &PropertySet,
    name: &str,
    property: &Property,
    number: &str,
) -> Result<Conditional, PropertyError> {
    let partner = format!("{CONDITIONAL_ASPECTS}{number}");
    let aspects =
        set.get(&partner).ok_or_else(|| set.error(name, format!("the matching `{partner}` is missing")))?;
    let condition = set.i32s(name, property)?;
    Expr::from_series(&condition).map_err(|error| set.error(name, error.to_string()))?;
    let mut conditional =
        Conditional { condition, aspects: set.u32s(&partner, aspects)?, ..Conditional::default() };
    let name = format!("{CONDITIONAL_SUB_GROUP_SIZE}{number}");
    if let Some(sizes) = set.get(&name) {
        conditional.sub_group_sizes = set.u32s(&name, sizes)?;
    }
    let name = format!("{CONDITIONAL_WORK_GROUP_SIZE}{number}");
    if let Some(sizes) = set.get(&name) {
        let sizes = counted(&set.u32s(&name, sizes)?);
        conditional.work_group_sizes =
            sizes.ok_or_else(|| set.error(&name, "no series of a number from 1 to 3 and so many sizes"))?;
    }
    Ok(conditional)
}

/// Work-group sizes as the design has them: each after the number of its dimensions.
fn counted(mut words: &[u32]) -> Option<Vec<Vec<u32>>> {
    let mut sizes = Vec::new();
    while let Some((&count, rest)) = words.split_first() {
        let count = usize::try_from(count).ok().filter(|count| (1..=DIMENSIONS).contains(count))?;
        let (size, rest) = rest.split_at_checked(count)?;
        sizes.push(size.to_vec());
        words = rest;
    }
    Some(sizes)
}

/// A work-group size as DPC++ writes it.
fn plain(words: &[u32]) -> Option<Vec<Vec<u32>>> {
    (1..=DIMENSIONS).contains(&words.len()).then(|| vec![words.to_vec()])
}
