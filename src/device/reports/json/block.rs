//! Parts of a report in a file, and their combination.

use std::collections::{BTreeMap, BTreeSet};

use super::super::{VulkanReport, structures};
use crate::device::api::Version;

/// A part of a report.
#[derive(Clone, Debug, Default)]
pub(super) struct ReportBlock {
    pub(super) version: Version,
    pub(super) name: Option<String>,
    pub(super) extensions: BTreeSet<String>,
    pub(super) values: BTreeMap<structures::MemberPlace, MemberValue>,
}

const LOWER_LIMITS: [&str; 3] = ["subgroupSize", "minSubgroupSize", "maxSubgroupSize"];

/// A member's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberValue {
    /// A truth value, or flags.
    Bits(u64),
    /// A size, or an enumerant.
    Number(u64),
}

impl MemberValue {
    fn number(self) -> u64 {
        match self {
            MemberValue::Bits(number) | MemberValue::Number(number) => number,
        }
    }
}

impl ReportBlock {
    /// Adds another block: the union of both.
    pub(super) fn add(&mut self, other: &ReportBlock) {
        self.version = self.version.max(other.version);
        self.name = self.name.take().or_else(|| other.name.clone());
        self.extensions.extend(other.extensions.iter().cloned());
        for (&place, &value) in &other.values {
            let known = self.values.entry(place).or_insert(value);
            *known = match (*known, value) {
                (MemberValue::Bits(first), MemberValue::Bits(second)) => MemberValue::Bits(first | second),
                (first, second) => MemberValue::Number(first.number().max(second.number())),
            };
        }
    }

    /// Keeps what both blocks have: the intersection.
    pub(super) fn keep(&mut self, other: &ReportBlock) {
        self.extensions.retain(|name| other.extensions.contains(name));
        self.values.retain(|place, value| {
            let Some(&second) = other.values.get(place) else { return false };
            *value = match (*value, second) {
                (MemberValue::Bits(first), MemberValue::Bits(second)) => MemberValue::Bits(first & second),
                (first, second) => MemberValue::Number(first.number().min(second.number())),
            };
            true
        });
    }

    /// The report; for requirements without a device name, the features of every device that meets the requirements of this
    /// name. Sub-group sizes are lower limits then, not sizes of a device.
    pub(super) fn report(self, name: &str) -> VulkanReport {
        let is_device = self.name.is_some();
        let name = self.name.as_deref().unwrap_or(name);
        let mut report = VulkanReport::new(name, self.version, self.extensions);
        let values =
            self.values.into_iter().filter(|((_, member), _)| is_device || !LOWER_LIMITS.contains(member));
        for ((structure, member), value) in values {
            report.set(structure, member, value.number());
        }
        report
    }
}
