//! The set [`SPECIAL_CONSTANTS`].

use std::collections::BTreeSet;

use super::{Property, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS};
use crate::condition::{Leaf, LeafKind};

/// The properties of the set. Kinds of leaves with one number are pairs, and the others have names or several
/// numbers.
const LISTS: [(&str, LeafKind); 8] = [
    ("aspects", LeafKind::Aspect),
    ("architectures", LeafKind::Architecture),
    ("capabilities", LeafKind::Capability),
    ("extensions", LeafKind::Extension),
    ("host", LeafKind::Host),
    ("targets", LeafKind::Target),
    ("comparisons", LeafKind::Comparison),
    ("features", LeafKind::Feature),
];

/// Limits stand in the list of features: both have names with providers.
const LIMITS: (LeafKind, LeafKind) = (LeafKind::Limit, LeafKind::Feature);

/// The specialization constants that a runtime or the host sets: each SpecId with the leaf that it stands
/// for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialConstants(Vec<(u32, Leaf)>);

impl SpecialConstants {
    /// Creates the list from constants and their leaves. Constants that the module already had are omitted,
    /// because their meaning is unknown.
    pub fn new(leaves: impl IntoIterator<Item = (u32, Leaf)>) -> SpecialConstants {
        let mut constants = SpecialConstants::default();
        constants.extend(leaves);
        constants
    }

    /// Reads the constants in property sets; none if they do not have such a set.
    ///
    /// # Errors
    /// If the set is malformed.
    pub fn from_properties(properties: &PropertySets) -> Result<SpecialConstants, PropertyError> {
        let set = properties.get(SPECIAL_CONSTANTS);
        set.map_or_else(|| Ok(SpecialConstants::default()), SpecialConstants::from_set)
    }

    /// Returns all constants: SpecId and leaf.
    pub fn leaves(&self) -> impl Iterator<Item = (u32, Leaf)> {
        self.0.iter().copied()
    }

    /// Adds constants with new SpecIds.
    pub fn extend(&mut self, leaves: impl IntoIterator<Item = (u32, Leaf)>) {
        for constant in leaves {
            if constant.1.kind() != LeafKind::Constant && !self.0.contains(&constant) {
                self.0.push(constant);
            }
        }
    }

    /// Keeps the constants for whose SpecIds `keep` returns true.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.0.retain(|&(spec_id, _)| keep(spec_id));
    }

    /// Returns the property set, without empty properties.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(SPECIAL_CONSTANTS);
        for (property, kind) in LISTS {
            let mut words = Vec::new();
            let is_listed = |leaf: &Leaf| leaf.kind() == kind || (leaf.kind(), kind) == LIMITS;
            for (spec_id, leaf) in self.leaves().filter(|(_, leaf)| is_listed(leaf)) {
                words.push(spec_id);
                words.extend(leaf.to_words());
            }
            if !words.is_empty() {
                set.push(property, Property::from_u32s(&words));
            }
        }
        set
    }

    /// Reads the property set. Unknown properties are ignored, like in a runtime.
    pub fn from_set(set: &PropertySet) -> Result<SpecialConstants, PropertyError> {
        let (mut constants, mut seen) = (Vec::new(), BTreeSet::new());
        for (property, kind) in LISTS {
            let Some(list) = set.get(property) else { continue };
            let words = set.u32s(property, list)?;
            let mut rest = &words[..];
            while let Some((&spec_id, after)) = rest.split_first() {
                let (leaf, length) = kind.read(after).ok_or_else(|| set.error(property, malformed(kind)))?;
                rest = &after[length..];
                if !seen.insert(spec_id) {
                    return Err(set.error(property, "a SpecId stands for two things"));
                }
                constants.push((spec_id, leaf));
            }
        }
        Ok(SpecialConstants(constants))
    }
}

/// Returns the message for a malformed list of leaves of a kind.
fn malformed(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Extension | LeafKind::Host => "not a series of SpecIds with names",
        LeafKind::Feature => {
            "not a series of SpecIds with names of providers and features, and 0 or the bound of a number"
        }
        LeafKind::Target | LeafKind::Comparison => "not a series of SpecIds with literals",
        _ => "not a series of pairs",
    }
}
