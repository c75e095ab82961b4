//! The set [`DEVICE_REQUIREMENTS`].

use std::collections::BTreeSet;

use super::{DEVICE_REQUIREMENTS, Property, PropertyError, PropertySet, PropertySets};
use crate::condition::Expr;
use crate::device::aspects::{from_dpcpp, to_dpcpp};

const SUB_GROUP_SIZE: &str = "reqd_sub_group_size";
const WORK_GROUP_SIZE: &str = "reqd_work_group_size";
// DPC++'s property, with 64-bit sizes.
const WORK_GROUP_SIZE_64: &str = "reqd_work_group_size_uint64_t";
const FIXED_TARGET: &str = "fixed_target";
// Our property: a condition of the whole image.
const WHOLE: &str = "condition";
const CONDITION: &str = "condition-";
const CONDITIONAL_ASPECTS: &str = "conditional-aspects-";
// Our property: the design has conditions for aspects only.
const CONDITIONAL_SUB_GROUP_SIZE: &str = "conditional-reqd_sub_group_size-";
const CONDITIONAL_WORK_GROUP_SIZE: &str = "conditional-reqd_work_group_size-";

/// Maximum number of dimensions of a work-group.
const DIMENSIONS: usize = 3;

/// The spelling of the properties when written. Both are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PropertyNames {
    /// The design's: `aspect`, and work-group sizes after the number of their dimensions.
    #[default]
    Design,
    /// DPC++'s spelling in its release of 2026: `aspects` with its numbers, and one sub-group size as a number. One
    /// work-group size has 64 bits for each dimension, and begins with the dimension that varies fastest.
    Dpcpp,
}

impl PropertyNames {
    /// Returns the spelling of a set.
    pub(crate) fn from_set(set: &PropertySet) -> PropertyNames {
        match set.get(PropertyNames::Dpcpp.aspects()) {
            Some(_) => PropertyNames::Dpcpp,
            None => PropertyNames::Design,
        }
    }

    fn aspects(self) -> &'static str {
        match self {
            PropertyNames::Design => "aspect",
            PropertyNames::Dpcpp => "aspects",
        }
    }

    /// Returns aspects with the numbers of the spelling.
    fn numbers(self, aspects: &[u32]) -> Property {
        match self {
            PropertyNames::Design => Property::from_u32s(aspects),
            PropertyNames::Dpcpp => {
                Property::from_u32s(&aspects.iter().map(|&aspect| to_dpcpp(aspect)).collect::<Vec<_>>())
            }
        }
    }

    /// Returns the aspects with numbers of the spelling.
    fn aspects_of(self, numbers: Vec<u32>) -> Vec<u32> {
        match self {
            PropertyNames::Design => numbers,
            PropertyNames::Dpcpp => numbers.into_iter().map(from_dpcpp).collect(),
        }
    }
}

/// The requirements of an image on a device (docs/design/optional-kernel-features.md, "Create the
/// "SYCL/device requirements" property set"; for conditional aspects docs/design/device-if.md, "New
/// properties and property sets").
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DeviceRequirements {
    /// Aspects that are required unconditionally.
    pub aspects: Vec<u32>,
    /// Sub-group sizes, in work-items. The device must support all of them.
    pub sub_group_sizes: Vec<u32>,
    /// Work-group sizes, each of one to three dimensions, in work-items, in the order of the attribute. The
    /// device must support all of them.
    pub work_group_sizes: Vec<Vec<u32>>,
    /// The aspects of targets ([`of_architecture`](crate::device::aspects::of_architecture)), of which the
    /// device must have one. `None` allows any device, and an empty list none.
    pub fixed_targets: Option<Vec<u32>>,
    /// The condition expression (int32 series) that must hold on the device; `None` if the image is for any.
    pub condition: Option<Vec<i32>>,
    /// The requirements under conditions.
    pub conditional: Vec<ConditionalRequirements>,
    /// Unknown properties, unchanged.
    pub other: Vec<(String, Property)>,
}

/// The requirements under a condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ConditionalRequirements {
    /// The condition expression (int32 series).
    pub condition: Vec<i32>,
    /// The aspects.
    pub aspects: Vec<u32>,
    /// Sub-group sizes, in work-items. The device must support all of them.
    pub sub_group_sizes: Vec<u32>,
    /// Work-group sizes. The device must support all of them.
    pub work_group_sizes: Vec<Vec<u32>>,
}

impl ConditionalRequirements {
    fn is_empty(&self) -> bool {
        self.aspects.is_empty() && self.sub_group_sizes.is_empty() && self.work_group_sizes.is_empty()
    }
}

impl DeviceRequirements {
    /// Returns the property set. Conditional aspects are numbered from 0.
    ///
    /// The aspects are always written, because their name identifies the spelling. Only the design's image
    /// for fixed targets has no other property. Several work-group sizes have no spelling in DPC++, and are
    /// written in the design's.
    pub fn to_set(&self, names: PropertyNames) -> PropertySet {
        let mut set = PropertySet::new(DEVICE_REQUIREMENTS);
        let is_alone = names == PropertyNames::Design && self.fixed_targets.is_some();
        if !is_alone || !self.aspects.is_empty() {
            set.push(names.aspects(), names.numbers(&self.aspects));
        }
        match (&self.sub_group_sizes[..], names) {
            ([], _) => {}
            (&[size], PropertyNames::Dpcpp) => set.push(SUB_GROUP_SIZE, Property::U32(size)),
            (sizes, _) => set.push(SUB_GROUP_SIZE, Property::from_u32s(sizes)),
        }
        let counted = |size: &Vec<u32>| [&[size.len() as u32], &size[..]].concat();
        match (&self.work_group_sizes[..], names) {
            ([], _) => {}
            ([size], PropertyNames::Dpcpp) => {
                let size: Vec<u32> = size.iter().rev().copied().collect();
                set.push(WORK_GROUP_SIZE_64, Property::from_u64s(&size));
            }
            (sizes, _) => {
                let words: Vec<u32> = sizes.iter().flat_map(counted).collect();
                set.push(WORK_GROUP_SIZE, Property::from_u32s(&words));
            }
        }
        if let Some(targets) = &self.fixed_targets {
            set.push(FIXED_TARGET, Property::from_u32s(targets));
        }
        if let Some(condition) = &self.condition {
            set.push(WHOLE, Property::from_i32s(condition));
        }
        for (number, conditional) in self.conditional.iter().enumerate() {
            set.push(format!("{CONDITION}{number}"), Property::from_i32s(&conditional.condition));
            set.push(format!("{CONDITIONAL_ASPECTS}{number}"), names.numbers(&conditional.aspects));
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

    /// Returns the requirements that each part of the module has: the targets that it is compiled for, and its
    /// condition. The other requirements are those of all parts together.
    pub fn of_each_part(&self) -> DeviceRequirements {
        DeviceRequirements {
            fixed_targets: self.fixed_targets.clone(),
            condition: self.condition.clone(),
            ..DeviceRequirements::default()
        }
    }

    /// Returns the properties that are not computed from code: the condition of the whole image, and unknown
    /// ones.
    pub fn not_computed(self) -> Vec<(String, Property)> {
        let condition =
            self.condition.iter().map(|condition| (WHOLE.to_owned(), Property::from_i32s(condition)));
        let condition: Vec<_> = condition.collect();
        condition.into_iter().chain(self.other).collect()
    }

    /// Returns the aspects, with those under conditions.
    pub fn all_aspects(&self) -> impl Iterator<Item = u32> {
        let conditional = self.conditional.iter().flat_map(|conditional| &conditional.aspects);
        self.aspects.iter().chain(conditional).copied()
    }

    /// Returns the requirements without some aspects.
    #[must_use]
    pub fn without_aspects(&self, removed: &BTreeSet<u32>) -> DeviceRequirements {
        let mut requirements = self.clone();
        requirements.aspects.retain(|aspect| !removed.contains(aspect));
        for conditional in &mut requirements.conditional {
            conditional.aspects.retain(|aspect| !removed.contains(aspect));
        }
        requirements.conditional.retain(|conditional| !conditional.is_empty());
        requirements
    }

    /// Adds other requirements of the same code, each once. If both have a condition of the whole module, or a list of
    /// targets, its own is kept.
    pub fn join(&mut self, others: DeviceRequirements) {
        for (list, more) in
            [(&mut self.aspects, others.aspects), (&mut self.sub_group_sizes, others.sub_group_sizes)]
        {
            list.extend(more);
            list.sort_unstable();
            list.dedup();
        }
        let is_new = |size: &Vec<u32>| !self.work_group_sizes.contains(size);
        let sizes: Vec<Vec<u32>> = others.work_group_sizes.into_iter().filter(is_new).collect();
        self.work_group_sizes.extend(sizes);
        let is_new = |conditional: &ConditionalRequirements| !self.conditional.contains(conditional);
        let conditional: Vec<ConditionalRequirements> =
            others.conditional.into_iter().filter(is_new).collect();
        self.conditional.extend(conditional);
        self.condition = self.condition.take().or(others.condition);
        self.fixed_targets = self.fixed_targets.take().or(others.fixed_targets);
        let is_new = |(name, _): &(String, Property)| self.other.iter().all(|(known, _)| known != name);
        let other: Vec<(String, Property)> = others.other.into_iter().filter(is_new).collect();
        self.other.extend(other);
    }

    /// Reads the set of a module, in either spelling; `None` if the module has no such set.
    ///
    /// # Errors
    /// As [`DeviceRequirements::from_set`].
    pub fn from_properties(properties: &PropertySets) -> Result<Option<DeviceRequirements>, PropertyError> {
        properties.get(DEVICE_REQUIREMENTS).map(DeviceRequirements::from_set).transpose()
    }

    /// Reads the set, in either spelling. Conditional aspects are in the order of their conditions.
    ///
    /// # Errors
    /// [`PropertyError::Value`] if a property does not have the form that its name requires.
    pub fn from_set(set: &PropertySet) -> Result<DeviceRequirements, PropertyError> {
        let [design, dpcpp] = [PropertyNames::Design, PropertyNames::Dpcpp].map(PropertyNames::aspects);
        if set.get(design).is_some() && set.get(dpcpp).is_some() {
            return Err(set.error(dpcpp, format!("`{design}` is here too, with the same meaning")));
        }
        if set.get(WORK_GROUP_SIZE).is_some() && set.get(WORK_GROUP_SIZE_64).is_some() {
            let reason = format!("`{WORK_GROUP_SIZE}` is here too, with the same meaning");
            return Err(set.error(WORK_GROUP_SIZE_64, reason));
        }
        let names = PropertyNames::from_set(set);
        let mut requirements = DeviceRequirements::default();
        for (name, property) in &set.properties {
            match name.as_str() {
                name if name == design || name == dpcpp => {
                    requirements.aspects = names.aspects_of(set.u32s(name, property)?);
                }
                SUB_GROUP_SIZE => {
                    requirements.sub_group_sizes = match *property {
                        Property::U32(size) => vec![size],
                        _ => set.u32s(name, property)?,
                    };
                }
                WORK_GROUP_SIZE_64 => {
                    let sizes = property.as_u64s().filter(|sizes| (1..=DIMENSIONS).contains(&sizes.len()));
                    let sizes = sizes.ok_or_else(|| set.error(name, "not up to three 64-bit sizes"))?;
                    // No device supports larger sizes.
                    let size = |size: u64| u32::try_from(size).unwrap_or(u32::MAX);
                    requirements.work_group_sizes = vec![sizes.into_iter().rev().map(size).collect()];
                }
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
                WHOLE => {
                    let condition = set.i32s(name, property)?;
                    Expr::from_series(&condition).map_err(|error| set.error(name, error.to_string()))?;
                    requirements.condition = Some(condition);
                }
                _ => {
                    if let Some(number) = name.strip_prefix(CONDITION) {
                        requirements.conditional.push(conditional(set, names, (name, property), number)?);
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
    names: PropertyNames,
    (name, property): (&str, &Property),
    number: &str,
) -> Result<ConditionalRequirements, PropertyError> {
    let partner = format!("{CONDITIONAL_ASPECTS}{number}");
    let aspects =
        set.get(&partner).ok_or_else(|| set.error(name, format!("the matching `{partner}` is missing")))?;
    let condition = set.i32s(name, property)?;
    Expr::from_series(&condition).map_err(|error| set.error(name, error.to_string()))?;
    let mut conditional = ConditionalRequirements {
        condition,
        aspects: names.aspects_of(set.u32s(&partner, aspects)?),
        ..ConditionalRequirements::default()
    };
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

/// Reads work-group sizes in the design's spelling: each after the number of its dimensions.
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

/// Reads a work-group size in DPC++'s spelling: the dimension that varies fastest is first.
fn plain(words: &[u32]) -> Option<Vec<Vec<u32>>> {
    (1..=DIMENSIONS).contains(&words.len()).then(|| vec![words.iter().rev().copied().collect()])
}
