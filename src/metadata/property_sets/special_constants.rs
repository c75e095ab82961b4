//! The set [`SPECIAL_CONSTANTS`].

use std::collections::BTreeSet;

use super::{Property, PropertyError, PropertySet, PropertySets, SPECIAL_CONSTANTS};
use crate::condition::{Leaf, LeafKind};

/// The properties of the set: those of kinds of leaves with one number are pairs, and the others have names or several numbers.
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

/// The specialization constants that a runtime sets to true, by device, and those that the host decides: each a SpecId and the leaf that it
/// stands for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecialConstants(Vec<(u32, Leaf)>);

impl SpecialConstants {
    /// Constants that stand for leaves. The constants that a module had before have no meaning and are left out.
    pub fn new(leaves: impl IntoIterator<Item = (u32, Leaf)>) -> SpecialConstants {
        let mut constants = SpecialConstants::default();
        constants.extend(leaves);
        constants
    }

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
        self.0.iter().copied()
    }

    /// Adds constants that are not there.
    pub fn extend(&mut self, leaves: impl IntoIterator<Item = (u32, Leaf)>) {
        for own in leaves {
            if own.1.kind() != LeafKind::Constant && !self.0.contains(&own) {
                self.0.push(own);
            }
        }
    }

    /// Removes the constants whose SpecIds are not to be kept.
    pub fn retain(&mut self, keep: impl Fn(u32) -> bool) {
        self.0.retain(|&(spec_id, _)| keep(spec_id));
    }

    /// The set, without properties that would be empty.
    pub fn to_set(&self) -> PropertySet {
        let mut set = PropertySet::new(SPECIAL_CONSTANTS);
        for (property, kind) in LISTS {
            let mut words = Vec::new();
            for (spec_id, leaf) in self.leaves().filter(|(_, leaf)| leaf.kind() == kind) {
                words.push(spec_id);
                words.extend(leaf.to_words());
            }
            if !words.is_empty() {
                set.push(property, Property::from_u32s(&words));
            }
        }
        set
    }

    /// Reads the set. Properties that it does not know are ignored, as a runtime ignores them.
    pub fn from_set(set: &PropertySet) -> Result<SpecialConstants, PropertyError> {
        let (mut constants, mut seen) = (Vec::new(), BTreeSet::new());
        for (property, kind) in LISTS {
            let Some(own) = set.get(property) else { continue };
            let words = set.u32s(property, own)?;
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

/// The error of a list of leaves of a kind.
fn malformed(kind: LeafKind) -> &'static str {
    match kind {
        LeafKind::Extension | LeafKind::Host => "not a series of SpecIds with names",
        LeafKind::Feature => {
            "not a series of SpecIds with names of providers and features, and 0; another number needs a newer spirv-if"
        }
        LeafKind::Target | LeafKind::Comparison => "not a series of SpecIds with literals",
        _ => "not a series of pairs",
    }
}
