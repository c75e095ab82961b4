//! Parts of what a file says of a device, and how they come together.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{VulkanReport, structures};
use crate::device::api::Version;

/// Part of what is said of a device.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub(super) version: Version,
    pub(super) name: Option<String>,
    pub(super) extensions: BTreeSet<String>,
    pub(super) values: BTreeMap<structures::Place, Said>,
}

const LOWER_LIMITS: [&str; 3] = ["subgroupSize", "minSubgroupSize", "maxSubgroupSize"];

/// A member's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A truth value, or flags.
    Bits(u64),
    /// A size, or an enumerant.
    Number(u64),
}

impl Said {
    fn number(self) -> u64 {
        match self {
            Said::Bits(number) | Said::Number(number) => number,
        }
    }
}

impl Block {
    /// What both blocks say together: the more.
    pub(super) fn add(&mut self, other: &Block) {
        self.version = self.version.max(other.version);
        self.name = self.name.take().or_else(|| other.name.clone());
        self.extensions.extend(other.extensions.iter().cloned());
        for (&place, &said) in &other.values {
            let known = self.values.entry(place).or_insert(said);
            *known = match (*known, said) {
                (Said::Bits(first), Said::Bits(second)) => Said::Bits(first | second),
                (first, second) => Said::Number(first.number().max(second.number())),
            };
        }
    }

    /// What is left if either block may hold: the less.
    pub(super) fn keep(&mut self, other: &Block) {
        self.extensions.retain(|name| other.extensions.contains(name));
        self.values.retain(|place, said| {
            let Some(&second) = other.values.get(place) else { return false };
            *said = match (*said, second) {
                (Said::Bits(first), Said::Bits(second)) => Said::Bits(first & second),
                (first, second) => Said::Number(first.number().min(second.number())),
            };
            true
        });
    }

    /// The report; of a device that has no name, what every device has that meets requirements of this name. The sizes of
    /// sub-groups are lower limits then, and tell no size that a device has.
    pub(super) fn report(self, name: &str) -> VulkanReport {
        let is_device = self.name.is_some();
        let name = self.name.as_deref().unwrap_or(name);
        let mut report = VulkanReport::new(name, self.version, self.extensions);
        let values =
            self.values.into_iter().filter(|((_, member), _)| is_device || !LOWER_LIMITS.contains(member));
        for ((structure, member), said) in values {
            report.set(structure, member, said.number());
        }
        report
    }
}
