//! Instructions and enumerants that later versions of SPIR-V removed.

use std::sync::LazyLock;

use spirv::Op;

use crate::loader::{Instruction, Module, views};
use crate::text::csv;

/// An instruction or enumerant that a version removed.
pub struct Removed {
    kind: RemovedKind,
    number: u32,
    /// The last version that has it, as the header writes it.
    last: u32,
    /// Name of the construct.
    pub name: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum RemovedKind {
    Instruction,
    Decoration,
    /// OpTypeSampledImage of an image of this Dim.
    SampledDim,
}

static REMOVED: LazyLock<Vec<Removed>> = LazyLock::new(|| {
    let rows = csv::rows(include_str!("../../../spec-extensions/removed.csv"));
    let row = |[kind, number, last, name]: [&'static str; 4]| {
        let kind = match kind {
            "instruction" => RemovedKind::Instruction,
            "decoration" => RemovedKind::Decoration,
            "sampled-dim" => RemovedKind::SampledDim,
            _ => return None,
        };
        let (major, minor) = last.split_once('.')?;
        let last = major.parse::<u32>().ok()? << 16 | minor.parse::<u32>().ok()? << 8;
        Some(Removed { kind, number: csv::number(number)? as u32, last, name })
    };
    rows.filter_map(row).collect()
});

/// Returns the first instruction or enumerant of a module that a later version, as in a header, no longer has.
pub fn find(module: &Module, version: u32) -> Option<&'static Removed> {
    let current = module.version_word();
    let candidates: Vec<&Removed> =
        REMOVED.iter().filter(|removed| (current..version).contains(&removed.last)).collect();
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
    use spirv::{Decoration, Dim};

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
            };
            assert_eq!(expected.as_deref(), Some(removed.name));
        }
    }
}
