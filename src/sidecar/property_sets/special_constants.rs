//! The set [`SPECIAL_CONSTANTS`].

use std::collections::BTreeSet;

use super::{Property, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS};
use crate::condition::Leaf;

const ASPECTS: &str = "aspects";
const ARCHITECTURES: &str = "architectures";
const CAPABILITIES: &str = "capabilities";

/// The specialization constants that a runtime sets to true, by device. Each entry is a SpecId and a property of the device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialConstants {
    /// SpecId, aspect.
    pub aspects: Vec<(u32, u32)>,
    /// SpecId, architecture.
    pub architectures: Vec<(u32, u32)>,
    /// SpecId, SPIR-V capability. This project's addition to the design.
    pub capabilities: Vec<(u32, u32)>,
}

impl SpecialConstants {
    /// Those that properties name; none if they have no such set.
    ///
    /// # Errors
    /// If the set is malformed.
    pub fn of(properties: &PropertySets) -> Result<SpecialConstants, PropertyError> {
        let set = properties.get(SPECIAL_CONSTANTS);
        set.map_or_else(|| Ok(SpecialConstants::default()), SpecialConstants::from_set)
    }

    /// All of them: SpecId and leaf.
    pub fn leaves(&self) -> impl Iterator<Item = (u32, Leaf)> {
        let aspects = self.aspects.iter().map(|&(spec_id, aspect)| (spec_id, Leaf::Aspect(aspect)));
        let architectures = self.architectures.iter();
        let architectures = architectures.map(|&(spec_id, value)| (spec_id, Leaf::Architecture(value)));
        let capabilities = self.capabilities.iter();
        let capabilities = capabilities.map(|&(spec_id, value)| (spec_id, Leaf::Capability(value)));
        aspects.chain(architectures).chain(capabilities)
    }

    /// Removes the constants whose SpecIds are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        for list in [&mut self.aspects, &mut self.architectures, &mut self.capabilities] {
            list.retain(|&(spec_id, _)| keep(spec_id));
        }
    }

    /// The set, without properties that would be empty.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(SPECIAL_CONSTANTS);
        let lists = [
            (ASPECTS, &self.aspects),
            (ARCHITECTURES, &self.architectures),
            (CAPABILITIES, &self.capabilities),
        ];
        for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            let words: Vec<u32> = list.iter().flat_map(|entry| [entry.0, entry.1]).collect();
            set.push(name, Property::from_u32s(&words));
        }
        set
    }

    /// Reads the set. Properties that it does not know are ignored, as a runtime ignores them.
    pub fn from_set(set: &PropertySet) -> Result<SpecialConstants, PropertyError> {
        let pairs = |name| {
            let Some(property) = set.get(name) else { return Ok(Vec::new()) };
            let words = set.u32s(name, property)?;
            match words.as_chunks() {
                (pairs, []) => Ok(pairs.iter().map(|[spec_id, what]| (*spec_id, *what)).collect()),
                _ => Err(set.error(name, "not a series of pairs")),
            }
        };
        let constants = SpecialConstants {
            aspects: pairs(ASPECTS)?,
            architectures: pairs(ARCHITECTURES)?,
            capabilities: pairs(CAPABILITIES)?,
        };
        let mut seen = BTreeSet::new();
        for (name, pairs) in [
            (ASPECTS, &constants.aspects),
            (ARCHITECTURES, &constants.architectures),
            (CAPABILITIES, &constants.capabilities),
        ] {
            if !pairs.iter().all(|(spec_id, _)| seen.insert(*spec_id)) {
                return Err(set.error(name, "a SpecId stands for two things"));
            }
        }
        Ok(constants)
    }
}
