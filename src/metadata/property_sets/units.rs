//! The properties that other tools wrote beside the translation units of a program, and which units may share an image
//! (`spec-extensions/image-properties.csv`).

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, LazyLock};

use super::{DEVICE_REQUIREMENTS, DeviceRequirements, EXPORTED_SYMBOLS, IMPORTED_SYMBOLS};
use super::{Property, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS};
use crate::collections::{OrderedMap, gather};
use crate::text::csv;

/// The subject of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PropertySubject {
    /// All that was compiled together.
    Image,
    /// A kernel, by name.
    Kernel,
    /// A `device_global` or host pipe, by its unique id.
    Variable,
}

static SUBJECTS: LazyLock<HashMap<[&str; 2], PropertySubject>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../../spec-extensions/image-properties.csv"));
    let subject = |[set, property, subject]: [&'static str; 3]| {
        let subject = match subject {
            "kernel" => PropertySubject::Kernel,
            "variable" => PropertySubject::Variable,
            _ => PropertySubject::Image,
        };
        ([set, property], subject)
    };
    rows.map(subject).collect()
});

impl PropertySubject {
    /// Returns the subject of a property.
    pub fn new(set: &str, property: &str) -> PropertySubject {
        let find = |property| SUBJECTS.get(&[set, property]).copied();
        find(property).or_else(|| find("*")).unwrap_or(PropertySubject::Image)
    }
}

/// Returns the name of the kernel or variable that a property describes: `k` for `k@reqd_sub_group_size`.
pub fn subject_name(property: &str) -> &str {
    property.split_once('@').map_or(property, |(name, _)| name)
}

/// Properties by their set and name.
type NamedProperties<'p> = OrderedMap<[&'p str; 2], &'p Property>;

/// The properties beside the translation units of a program that images keep. Copies share them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitProperties {
    /// The properties, by number of the unit.
    units: Arc<[PropertySets]>,
    /// The group of units that may share an image, by number of the unit.
    groups: Arc<[usize]>,
}

impl UnitProperties {
    /// Groups units by their properties.
    pub fn new(units: Vec<PropertySets>) -> UnitProperties {
        let mut groups = Vec::new();
        // By the properties of the image: the groups, each with the properties of its kernels and variables.
        let mut known: HashMap<PropertySets, Vec<(usize, NamedProperties)>> = HashMap::new();
        let mut count = 0;
        for unit in &units {
            let of_image = of_subject(unit, |subject| subject == PropertySubject::Image);
            let named: Vec<([&str; 2], &Property)> = all(unit)
                .filter(|&([set, name], _)| PropertySubject::new(set, name) != PropertySubject::Image)
                .collect();
            let alike = known.entry(of_image).or_default();
            let agrees = |(_, of_group): &&mut (usize, NamedProperties)| {
                named.iter().all(|(name, property)| of_group.get(name).is_none_or(|other| other == property))
            };
            match alike.iter_mut().find(agrees) {
                Some((group, of_group)) => {
                    of_group.extend(named);
                    groups.push(*group);
                }
                None => {
                    alike.push((count, named.into_iter().collect()));
                    groups.push(count);
                    count += 1;
                }
            }
        }
        drop(known);
        UnitProperties { units: units.into(), groups: groups.into() }
    }

    /// Returns true if nothing is known of units.
    pub fn is_empty(&self) -> bool {
        self.units.is_empty()
    }

    /// Returns the group of a unit. Code of units in different groups is in different images.
    pub fn group(&self, unit: usize) -> usize {
        self.groups.get(unit).copied().unwrap_or_default()
    }

    /// Returns the properties of a unit.
    pub fn unit(&self, unit: usize) -> Option<&PropertySets> {
        self.units.get(unit)
    }

    /// Returns the properties of an image with code of these units, which are in one group.
    pub fn of_image(&self, units: &BTreeSet<usize>) -> PropertySets {
        let mut united = PropertySets::default();
        for unit in units.iter().filter_map(|&unit| self.units.get(unit)) {
            unite(&mut united, unit, |_, _| true);
        }
        united
    }

    /// Returns the properties of the whole program. These are the properties of images that all units have. For kernels
    /// and variables, they are those on which their units agree.
    pub fn of_program(&self) -> PropertySets {
        let mut values: HashMap<[&str; 2], (&Property, usize, bool)> = HashMap::new();
        for (name, property) in self.units.iter().flat_map(all) {
            let (first, count, is_same) = values.entry(name).or_insert((property, 0, true));
            (*count, *is_same) = (*count + 1, *is_same && *first == property);
        }
        let is_of_all = |set: &str, name: &str| {
            let (_, count, is_same) = values[&[set, name]];
            let is_named = PropertySubject::new(set, name) != PropertySubject::Image;
            is_same && (is_named || count == self.units.len())
        };
        let mut united = PropertySets::default();
        self.units.iter().for_each(|unit| unite(&mut united, unit, is_of_all));
        united
    }
}

/// Returns all properties, each with its set and name.
fn all(sets: &PropertySets) -> impl Iterator<Item = ([&str; 2], &Property)> {
    sets.sets
        .iter()
        .flat_map(|set| set.properties.iter().map(|(name, property)| ([&*set.name, &**name], property)))
}

/// Returns the properties with certain subjects.
fn of_subject(sets: &PropertySets, is_wanted: impl Fn(PropertySubject) -> bool) -> PropertySets {
    let mut some = PropertySets::default();
    unite(&mut some, sets, |set, name| is_wanted(PropertySubject::new(set, name)));
    some
}

/// Adds the wanted properties that are new.
fn unite(united: &mut PropertySets, sets: &PropertySets, is_wanted: impl Fn(&str, &str) -> bool) {
    for set in &sets.sets {
        let mut own = united.get(&set.name).cloned().unwrap_or_else(|| PropertySet::new(&set.name));
        let known: BTreeSet<String> = gather(own.properties.iter().map(|(name, _)| name.clone()));
        let wanted =
            set.properties.iter().filter(|(name, _)| is_wanted(&set.name, name) && !known.contains(name));
        own.properties.extend(wanted.cloned());
        if !own.properties.is_empty() {
            united.put(own);
        }
    }
}

impl PropertySets {
    /// Returns the properties that post-linking keeps: all except requirements and symbols, which are computed for each image, and the
    /// specialization constants for features, which are the program's.
    ///
    /// # Errors
    /// If the requirements are malformed.
    pub(crate) fn kept(&self) -> Result<PropertySets, PropertyError> {
        let mut kept = PropertySets::default();
        for set in &self.sets {
            match set.name.as_str() {
                SPECIAL_CONSTANTS | IMPORTED_SYMBOLS | EXPORTED_SYMBOLS => {}
                DEVICE_REQUIREMENTS => {
                    let properties = DeviceRequirements::from_set(set)?.not_computed();
                    if !properties.is_empty() {
                        kept.put(PropertySet { name: set.name.clone(), properties });
                    }
                }
                _ => kept.put(set.clone()),
            }
        }
        Ok(kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(text: &str) -> PropertySets {
        PropertySets::parse("a.prop", text).unwrap()
    }

    #[test]
    fn every_row_has_a_known_subject() {
        let rows = csv::rows(include_str!("../../../spec-extensions/image-properties.csv"));
        for [set, property, subject, source] in rows {
            assert!(["image", "kernel", "variable"].contains(&subject), "{set}, {property}: {subject}");
            assert!(!source.is_empty(), "{set}, {property}");
        }
        assert_eq!(PropertySubject::new("SYCL/misc properties", "optLevel"), PropertySubject::Image);
        assert_eq!(PropertySubject::new("SYCL/kernel names", "k"), PropertySubject::Kernel);
        assert_eq!(PropertySubject::new("other", "k"), PropertySubject::Image);
    }

    #[test]
    fn units_share_an_image_if_they_agree_on_it() {
        let units = [
            "[SYCL/misc properties]\noptLevel=1|2\n[SYCL/kernel names]\na=1|1\n",
            "[SYCL/misc properties]\noptLevel=1|2\n[SYCL/kernel names]\nb=1|1\n",
            "[SYCL/misc properties]\noptLevel=1|2\nisEsimdImage=1|1\n",
            "[SYCL/misc properties]\noptLevel=1|2\n[SYCL/kernel names]\na=1|0\n",
            "[SYCL/misc properties]\noptLevel=1|2\n[mine]\nx=1|1\n",
            "",
        ];
        let units = UnitProperties::new(units.map(sets).to_vec());
        assert_eq!((0..6).map(|unit| units.group(unit)).collect::<Vec<_>>(), [0, 0, 1, 2, 3, 4]);
        let image = units.of_image(&[0, 1].into()).to_text();
        assert_eq!(image, "[SYCL/misc properties]\noptLevel=1|2\n[SYCL/kernel names]\na=1|1\nb=1|1\n");
        assert_eq!(units.of_program().to_text(), "[SYCL/kernel names]\nb=1|1\n");
    }
}
