//! Constructs that later versions of SPIR-V removed or forbid.

use std::sync::LazyLock;

use spirv::Op;

use super::layouts::is_laid_out;
use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// A construct that a version removed or forbids.
pub struct Removed {
    kind: RemovedKind,
    number: u32,
    /// The last version that has it, as the header writes it.
    last: u32,
    /// Name of the construct.
    pub name: &'static str,
}

/// The rules of later versions that a result must keep.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NewerRules {
    /// The rules of SPIR-V.
    Spirv,
    /// The rules of SPIR-V, and those of Vulkan.
    Vulkan,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum RemovedKind {
    Instruction,
    Decoration,
    /// OpTypeSampledImage of an image of this Dim.
    SampledDim,
    /// This branch, with two labels that are one.
    EqualLabels,
    /// A variable in this storage class with an explicit layout. Vulkan alone forbids it.
    Layout,
}

static REMOVED: LazyLock<Vec<Removed>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../../spec-extensions/removed.csv"));
    let row = |[kind, number, last, name]: [&'static str; 4]| {
        let kind = match kind {
            "instruction" => RemovedKind::Instruction,
            "decoration" => RemovedKind::Decoration,
            "sampled-dim" => RemovedKind::SampledDim,
            "equal-labels" => RemovedKind::EqualLabels,
            "layout" => RemovedKind::Layout,
            _ => return None,
        };
        let (major, minor) = last.split_once('.')?;
        let last = major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8;
        Some(Removed { kind, number: csv::number(number)? as u32, last, name })
    };
    rows.filter_map(row).collect()
});

/// Returns the constructs that the version of a module has, and a later one, as in a header, does not have.
fn removed_until(module: &Module, version: u32, rules: NewerRules) -> impl Iterator<Item = &'static Removed> {
    let versions = module.version_word()..version;
    let counts = move |kind| kind != RemovedKind::Layout || rules == NewerRules::Vulkan;
    REMOVED.iter().filter(move |removed| versions.contains(&removed.last) && counts(removed.kind))
}

/// Returns true if the version of a module has constructs of a kind, and a later one, as in a header, does not have them.
pub(super) fn is_removed(module: &Module, version: u32, rules: NewerRules, kind: RemovedKind) -> bool {
    removed_until(module, version, rules).any(|removed| removed.kind == kind)
}

/// Returns the first construct of a module that a later version, as in a header, no longer has.
pub fn find(module: &Module, version: u32, rules: NewerRules) -> Option<&'static Removed> {
    let (of_module, candidates): (Vec<_>, Vec<_>) =
        removed_until(module, version, rules).partition(|removed| removed.kind == RemovedKind::Layout);
    if let Some(layout) = of_module.into_iter().find(|removed| is_laid_out(module, removed.number)) {
        return Some(layout);
    }
    if candidates.is_empty() {
        return None;
    }
    module.instructions().find_map(|inst| candidates.iter().find(|removed| removed.is(module, inst)).copied())
}

impl Removed {
    /// Returns the last version that has it, as text.
    pub fn last(&self) -> String {
        format!("{}.{}", self.last >> 16, self.last >> 8 & 0xff)
    }

    fn is(&self, module: &Module, inst: Instruction) -> bool {
        match (self.kind, inst.op()) {
            (RemovedKind::Instruction, Some(op)) => op as u32 == self.number,
            (RemovedKind::Decoration, Some(Op::Decorate | Op::MemberDecorate)) => {
                views::Decoration(inst).decoration() == self.number
            }
            (RemovedKind::EqualLabels, Some(op)) => op as u32 == self.number && inst.word(2) == inst.word(3),
            (RemovedKind::SampledDim, Some(Op::TypeSampledImage)) => {
                let image = module.definition(views::TypeSampledImage(inst).image_type());
                image.and_then(views::TypeImage::new).is_some_and(|image| image.dim() == self.number)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use spirv::{Decoration, Dim, StorageClass};

    use super::*;

    #[test]
    fn every_row_is_read() {
        let text = include_str!("../../../spec-extensions/removed.csv");
        assert_eq!(csv::rows::<4>(text).count(), REMOVED.len());
        for removed in REMOVED.iter() {
            let expected = match removed.kind {
                RemovedKind::Instruction => Op::from_u32(removed.number).map(|op| format!("Op{op:?}")),
                RemovedKind::Decoration => {
                    Decoration::from_u32(removed.number).map(|decoration| format!("{decoration:?}"))
                }
                RemovedKind::SampledDim => {
                    Dim::from_u32(removed.number).map(|dim| format!("OpTypeSampledImage of {dim:?}"))
                }
                RemovedKind::EqualLabels => {
                    Op::from_u32(removed.number).map(|op| format!("Op{op:?} with two equal labels"))
                }
                RemovedKind::Layout => StorageClass::from_u32(removed.number)
                    .map(|class| format!("an explicit layout in the {class:?} storage class")),
            };
            assert_eq!(expected.as_deref(), Some(removed.name));
        }
    }
}
